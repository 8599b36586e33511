"""Rows that stand for several equal objects each, as whole weights say."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._support.extras import check_memory
from partage._targets.target import TargetRows

_MOST_OBJECTS = 2**31
_BYTES_PER_OBJECT = 100


@dataclass(frozen=True)
class Repeats:
    """The row of each object: a row of weight w is w objects, one of weight 0 is none."""

    row_of: NDArray[np.int64]  # increasing
    n_rows: int

    @property
    def times(self) -> NDArray[np.int64]:
        """Objects of each row."""
        return np.bincount(self.row_of, minlength=self.n_rows)

    def by_row(self, values: NDArray[Any]) -> NDArray[np.int64]:
        """Give each row what its objects have in common; -1 to rows without objects."""
        found = np.full(self.n_rows, -1, dtype=np.int64)
        found[self.row_of] = values
        return found

    def parts_of_rows(self, labels: NDArray[np.int64], n_parts: int) -> NDArray[np.int64]:
        """Part of most objects of each row, the first of equals; -1 for rows without objects."""
        rows, parts = most_frequent(self.row_of, labels, n_parts)
        return Repeats(rows, self.n_rows).by_row(parts)


def repeat_rows(who: str, target: TargetRows) -> tuple[Repeats, TargetRows]:
    """Make one object for each time that a row counts; the target of the objects beside them."""
    n_rows = target.n_rows if target.kept is None else len(target.kept)
    kept = np.arange(n_rows) if target.kept is None else np.flatnonzero(target.kept)
    if target.weights is None:
        return Repeats(kept, n_rows), target
    times = _whole(who, target.weights)
    codes = np.repeat(target.codes, times)
    return (
        Repeats(np.repeat(kept, times), n_rows),
        replace(target, codes=codes, weights=None, kept=None),
    )


def _whole(who: str, weights: NDArray[np.float64]) -> NDArray[np.int64]:
    """Refuse weights that are not numbers of objects."""
    broken = weights[weights != np.floor(weights)]
    if len(broken):
        raise ValueError(
            f"{who}: sample_weight must hold whole numbers, since balls are counted by their "
            f"number of objects; got {float(broken[0])!r}. Round the weights, or multiply them "
            "until they are whole."
        )
    n_objects = float(weights.sum())
    if n_objects > _MOST_OBJECTS:
        raise ValueError(
            f"{who}: sample_weight must sum to at most {_MOST_OBJECTS}; got {n_objects:.4g}. "
            "Divide the weights."
        )
    check_memory(
        who,
        f"the {n_objects:.4g} objects that the weights stand for",
        _BYTES_PER_OBJECT * n_objects,
        "Divide the weights.",
    )
    return weights.astype(np.int64)


def most_frequent(
    keys: NDArray[Any], parts: NDArray[np.int64], n_parts: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Distinct keys, and the most frequent part of each; the first of equals."""
    pairs, votes = np.unique(keys * n_parts + parts, return_counts=True)
    key, part = np.divmod(pairs, n_parts)
    order = np.lexsort((part, -votes, key))
    found, first = np.unique(key[order], return_index=True)
    return found, part[order][first]
