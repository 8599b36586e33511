"""How well discriminants keep classes apart, in numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._estimators.binarization.discriminants import Attribute, n_candidates
from partage._support.frames import make_frame
from partage._targets.target import TargetRows

if TYPE_CHECKING:
    from partage._estimators.binarization.binarizer import DataBinarizer


@dataclass(frozen=True)
class ConsistencyReport:
    """What ``DataBinarizer.consistency_report`` found.

    Attributes
    ----------
    consistency : int
        Separators that were asked for.
    n_pairs : float
        Pairs of rows of different classes.
    smallest_separation : int or None
        Fewest conditions that separate such a pair; None without one.
    n_unseparated : float
        Pairs that no condition separates.
    n_inseparable : float
        Of these, pairs that not even a candidate separates.
    n_short : float
        Pairs with fewer separators than were asked for.
    columns : DataFrame
        One row per column: ``candidates``, ``kept``, ``pairs`` that its conditions separate.
    """

    consistency: int
    n_pairs: float
    smallest_separation: int | None
    n_unseparated: float
    n_inseparable: float
    n_short: float
    columns: Any = field(repr=False)


def make_report(
    binarizer: DataBinarizer,
    examples: _core.Examples,
    codes: NDArray[np.uint32],
    rows: TargetRows,
) -> ConsistencyReport:
    """Count pairs in the rows by what separates them."""
    kept = binarizer._kept
    consistency = int(binarizer.consistency)
    limit = min(consistency, len(kept) + 1)
    close = examples.count_close_pairs(kept, limit, None)
    n_inseparable = float(examples.count_close_pairs(np.ones_like(kept), 1, None)[0])
    smallest = int(examples.smallest_separation(kept, None)) if examples.n_pairs else None
    return ConsistencyReport(
        consistency=consistency,
        n_pairs=float(examples.n_pairs),
        smallest_separation=smallest,
        n_unseparated=float(close[0]),
        n_inseparable=n_inseparable,
        n_short=float(close.sum()) if limit == consistency else float(examples.n_pairs),
        columns=_by_column(binarizer, codes, rows),
    )


def _by_column(binarizer: DataBinarizer, codes: NDArray[np.uint32], rows: TargetRows) -> Any:
    """One row per column."""
    numbers: dict[str, list[Any]] = {"candidates": [], "kept": [], "pairs": []}
    first = 0
    for index, attribute in enumerate(binarizer._attributes):
        n = n_candidates(attribute)
        kept = binarizer._kept[first : first + n]
        first += n
        numbers["candidates"].append(n)
        numbers["kept"].append(int(kept.sum()))
        direction = int(binarizer._directions[index])
        numbers["pairs"].append(_pairs(attribute, kept, codes[:, index], rows, direction))
    return make_frame({"column": binarizer._names, **numbers}, binarizer._library)


def _pairs(
    attribute: Attribute,
    kept: NDArray[np.uint8],
    codes: NDArray[np.uint32],
    rows: TargetRows,
    direction: int,
) -> float:
    """Pairs of different classes that the conditions on a column separate."""
    present = codes < attribute.n_codes
    if attribute.is_ordered:
        place_of = np.concatenate([[0], np.cumsum(kept, dtype=np.int64)])
    else:
        place_of = np.where(kept, np.arange(len(kept)) + 1, 0)
    places = place_of[codes[present]]
    n_classes = rows.n_classes
    cells = places * n_classes + rows.codes[present]
    n_places = int(place_of.max(initial=0)) + 1
    counts = np.bincount(cells, minlength=n_places * n_classes).reshape(n_places, -1).astype(float)
    if direction == 0:
        return _unlike(counts.sum(axis=0)) - sum(_unlike(row) for row in counts)
    rising = counts if direction > 0 else counts[:, ::-1]
    below = np.cumsum(rising, axis=0) - rising  # rows at lower places
    before = np.cumsum(below, axis=1) - below  # of them, those of lower classes
    return float((rising * before).sum())


def _unlike(counts: NDArray[np.float64]) -> float:
    """Pairs of different classes among rows of these counts."""
    return float((counts.sum() ** 2 - (counts**2).sum()) / 2)
