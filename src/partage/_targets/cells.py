"""``Cells``: intervals of the ranks of a number, in which its rows are counted."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._support.portable import exps, normal_quantiles
from partage._targets.sums import on_grid, steps_of

MOST_CELLS = 1024
_HIGHEST_SQUARE = 64.0  # of a normal score of any cell that holds 1e-12 of the rows


@dataclass(frozen=True, eq=False)
class Cells:
    """Intervals of the ranks of a number, in order.

    Attributes
    ----------
    lows, highs : ndarray of float64
        Least and greatest value of each cell.
    weights : ndarray of float64
        Weight of the rows of each cell.
    """

    lows: NDArray[np.float64]
    highs: NDArray[np.float64]
    weights: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.lows)

    @classmethod
    def of(
        cls, amounts: NDArray[np.float64], weights: NDArray[np.float64] | None
    ) -> tuple[Cells, NDArray[np.uint16]]:
        """Make the cells of some rows: one for each value, or intervals of even frequency."""
        if weights is None:
            numbers = np.ascontiguousarray(amounts)
            packed = _core.pack_rows(numbers, None)
            packed.sort()
            lows, highs, rows, codes = _core.rank_cells(numbers, packed, MOST_CELLS)
            return cls(lows, highs, rows), codes
        values, places = np.unique(amounts, return_inverse=True)
        # The order of equal rows is settled by their weights, so that any order gives one sum.
        order = np.lexsort((weights, places))
        held = np.bincount(places[order], weights[order], minlength=len(values))
        starts = np.arange(len(values) + 1)
        if len(values) > MOST_CELLS:
            starts = even_borders(np.cumsum(held), MOST_CELLS)
        cell_of = np.repeat(np.arange(len(starts) - 1), np.diff(starts)).astype(np.uint16)
        cells = cls(
            values[starts[:-1]],
            values[starts[1:] - 1],
            np.add.reduceat(held, starts[:-1]),
        )
        return cells, cell_of[places]

    def codes(self, amounts: NDArray[np.float64]) -> NDArray[np.uint16]:
        """Find the cell of each amount; one between two cells belongs to the lower one."""
        places = np.searchsorted(self.lows, amounts + 0.0, side="right") - 1
        return np.maximum(places, 0).astype(np.uint16)

    @functools.cached_property
    def normal_scores(self) -> NDArray[np.float64]:
        """Mean and mean square of a standard normal on the ranks of each cell, on an exact grid.

        A cell of ranks (lo, hi] of N holds the normal between the quantiles a of lo/N and b of
        hi/N, of share p: its mean is (φ(a) - φ(b)) / p, its mean square 1 + (a φ(a) - b φ(b)) / p.
        Weighted by the cells they add up to 0 and N, whatever the ties.
        """
        ends = np.concatenate([[0.0], np.cumsum(self.weights)])
        total = float(ends[-1])
        edges = normal_quantiles(np.minimum(ends / total, 1.0))
        edges[0], edges[-1] = -np.inf, np.inf
        inner = np.where(np.isfinite(edges), edges, 0.0)
        density = np.where(np.isfinite(edges), exps(-0.5 * inner**2) / np.sqrt(2 * np.pi), 0.0)
        share = self.weights / total
        first = (density[:-1] - density[1:]) / share
        second = 1.0 + (inner[:-1] * density[:-1] - inner[1:] * density[1:]) / share
        step = steps_of(1.0, _HIGHEST_SQUARE * total)
        return np.column_stack([on_grid(first, step), on_grid(second, step)])

    def even(self, n: int) -> NDArray[np.int64]:
        """First cells of at most n intervals of even frequency, then the number of cells."""
        return even_borders(np.cumsum(self.weights), n)

    def same_as(self, other: Cells) -> bool:
        """Whether both are the same intervals of the same weights."""
        return all(
            np.array_equal(getattr(self, name), getattr(other, name))
            for name in ("lows", "highs", "weights")
        )

    def to_plain(self) -> dict[str, Any]:
        """Give the data of a file."""
        return {name: getattr(self, name).tolist() for name in ("lows", "highs", "weights")}

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> Cells:
        """Read what `to_plain` gave."""
        lows, highs, weights = (
            np.array(plain[name], dtype=np.float64) for name in ("lows", "highs", "weights")
        )
        if not 0 < len(lows) == len(highs) == len(weights) <= MOST_CELLS:
            raise ValueError(f"a number has from 1 to {MOST_CELLS} cells")
        if not all(np.isfinite(part).all() for part in (lows, highs, weights)):
            raise ValueError("cells must be finite")
        if (lows > highs).any() or (highs[:-1] >= lows[1:]).any() or (weights <= 0).any():
            raise ValueError("cells must increase, and hold rows")
        return cls(lows, highs, weights)


def even_borders(ends: NDArray[np.float64], n: int) -> NDArray[np.int64]:
    """Cut items into at most n runs of even weight; ``ends`` are their cumulated weights.

    Each border is the end of the item that is nearest to its share of the weight.
    """
    wanted = ends[-1] * np.arange(1, n) / n
    after = np.minimum(np.searchsorted(ends, wanted), len(ends) - 1)
    before = np.maximum(after - 1, 0)
    nearer = wanted - ends[before] <= ends[after] - wanted
    inside = np.where(nearer, before, after) + 1
    return np.unique(np.concatenate([[0], inside, [len(ends)]]))


def interpolate(
    counts: NDArray[np.float64], cells: Cells, shares: tuple[float, ...]
) -> NDArray[np.float64]:
    """Quantiles of rows that are counted in cells; NaN where there are none.

    In a cell of several values ranks are spread evenly between the least and the greatest.
    """
    ends = np.cumsum(counts, axis=1)
    totals = ends[:, -1]
    out = np.full((len(counts), len(shares)), np.nan)
    last = counts.shape[1] - 1
    for k in np.flatnonzero(totals > 0):
        wanted = np.array(shares) * totals[k]
        # A cell without rows ends where the one before it does: the first end that is reached is
        # that of a cell with rows, but for a share of 0.
        cell = np.searchsorted(ends[k], np.maximum(wanted * (1 - 1e-12), np.finfo(float).tiny))
        cell = np.minimum(cell, last)
        held = counts[k, cell]
        inside = (wanted - (ends[k, cell] - held)) / np.where(held > 0, held, 1.0)
        out[k] = cells.lows[cell] + np.clip(inside, 0.0, 1.0) * (
            cells.highs[cell] - cells.lows[cell]
        )
    return out


__all__ = ["MOST_CELLS", "Cells", "even_borders", "interpolate"]
