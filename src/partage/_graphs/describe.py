"""Parts of rows described in the columns: the few conditions that cover each best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage._data.column import Kind
from partage._data.cut_places import place_cut
from partage._data.cut_text import cut_text
from partage._support.frames import Frame, make_frame

if TYPE_CHECKING:
    from partage._partitions.cells import Cells

MOST_CONDITIONS = 3
_MOST_CUTS = 63  # of each column that are tried
_LEAST_GAIN = 0.01
_NUMBERS = Kind("number")


@dataclass(frozen=True)
class Condition:
    """One side of a threshold of a column."""

    column: int
    threshold: float
    is_above: bool

    def holds(self, points: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which points satisfy it."""
        x = points[:, self.column]
        return np.asarray(x > self.threshold if self.is_above else x <= self.threshold)

    def text(self, names: list[str]) -> str:
        """Write it."""
        sign = ">" if self.is_above else "<="
        return f"{names[self.column]} {sign} {cut_text(self.threshold)}"


@dataclass(frozen=True)
class Description:
    """The conditions that cover a part best, how much of it, and how purely."""

    conditions: tuple[Condition, ...]
    covered: float  # share of the part that satisfies them
    purity: float  # share of the part among the rows that do


def describe_part(
    points: NDArray[np.float64], is_inside: NDArray[np.bool_], weights: NDArray[np.float64]
) -> Description:
    """Add conditions one by one, each time the one that agrees best with the part.

    Agreement is the harmonic mean of the share of the part that is covered and the share of the
    part among what is covered.
    """
    chosen: list[Condition] = []
    rows = np.ones(len(points), dtype=bool)
    best = _agreement(rows, is_inside, weights)
    while len(chosen) < MOST_CONDITIONS:
        found = _best_condition(points, rows, is_inside, weights)
        if found is None or found[0] < best + _LEAST_GAIN:
            break
        best = found[0]
        rows &= found[1].holds(points)
        chosen = [*(c for c in chosen if not _is_wider(c, found[1])), found[1]]
    covered = float(weights[rows & is_inside].sum())
    return Description(
        tuple(sorted(chosen, key=lambda c: (c.column, c.is_above))),
        covered / float(weights[is_inside].sum()),
        covered / float(weights[rows].sum()),
    )


def _is_wider(old: Condition, new: Condition) -> bool:
    """Whether a condition says nothing beside a newer one."""
    return old.column == new.column and old.is_above == new.is_above


def _agreement(
    rows: NDArray[np.bool_], is_inside: NDArray[np.bool_], weights: NDArray[np.float64]
) -> float:
    """Harmonic mean of cover and purity."""
    both = weights[rows & is_inside].sum()
    return float(2 * both / (weights[rows].sum() + weights[is_inside].sum()))


def _best_condition(
    points: NDArray[np.float64],
    rows: NDArray[np.bool_],
    is_inside: NDArray[np.bool_],
    weights: NDArray[np.float64],
) -> tuple[float, Condition] | None:
    """Find the condition that agrees best within some rows; of equals the first."""
    best: tuple[float, Condition] | None = None
    whole = float(weights[is_inside].sum())
    weight, inside = weights[rows], weights[rows] * is_inside[rows]
    for column in range(points.shape[1]):
        x = points[rows, column]
        cuts = _cuts(x)
        if not len(cuts):
            continue
        place = np.searchsorted(cuts, x, side="left")
        below = np.cumsum(np.bincount(place, weights=weight, minlength=len(cuts) + 1))[:-1]
        both = np.cumsum(np.bincount(place, weights=inside, minlength=len(cuts) + 1))[:-1]
        for is_above in (False, True):
            n = weight.sum() - below if is_above else below
            k = inside.sum() - both if is_above else both
            agreements = 2 * k / (n + whole)
            at = int(agreements.argmax())
            if best is None or agreements[at] > best[0] + 1e-12:
                best = float(agreements[at]), Condition(column, float(cuts[at]), is_above)
    return best


def _cuts(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Short numbers between values, at most so many, evenly spread over the rows."""
    values = np.unique(x)
    if len(values) < 2:
        return np.empty(0)
    if len(values) > _MOST_CUTS + 1:
        ranks = np.linspace(0, len(x) - 1, _MOST_CUTS + 2)[1:-1].astype(np.int64)
        low = np.searchsorted(values, np.unique(np.sort(x)[ranks]))
        low = np.unique(np.minimum(low, len(values) - 2))
    else:
        low = np.arange(len(values) - 1)
    pairs = zip(values[low].tolist(), values[low + 1].tolist(), strict=True)
    return np.array([place_cut(_NUMBERS, a, b, "simple") for a, b in pairs])


def describe_cells(
    cells: Cells,
    points: NDArray[np.float64],
    names: list[str],
    times: NDArray[np.int64],
    shown: dict[str, list[Any]],
) -> Frame:
    """One row per part: what it holds, what makes it, and the conditions that cover it best.

    ``shown`` are the columns that show its target.
    """
    kept = cells.codes >= 0
    weights = times[kept].astype(np.float64)
    found = [
        describe_part(points[kept], cells.codes[kept] == k, weights) for k in range(cells.n_parts)
    ]
    columns: dict[str, list[object]] = {
        "part": list(range(cells.n_parts)),
        "count": cells.counts.sum(axis=1).astype(np.int64).tolist(),
        "share": (cells.counts.sum(axis=1) / cells.counts.sum()).tolist(),
        **shown,
        "conditions": [" and ".join(c.text(names) for c in d.conditions) or "all" for d in found],
        "covered": [d.covered for d in found],
        "purity": [d.purity for d in found],
        "reading": list(cells.rule.labels()),
    }
    return make_frame(columns, cells.library)
