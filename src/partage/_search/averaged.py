"""The shares of ``method="averaged"``: means over all partitions, as probable as their costs say.

The line is joined to cells at quantiles, between which alone parts may end. A partition of G cells
into K parts costs log G + log C(G-1, K-1), then the length of each part under MODL; a part of n
rows, n_j of them of class j, has the shares (n_j + 1) / (n + J).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from partage._search.core import find_partition
from partage._search.limits import Limits
from partage._search.methods import methods
from partage._search.sums import sum_partitions
from partage._spaces.space import Space, line_of
from partage._support.parallel import Cancel
from partage._support.portable import log, log_gamma, logs

N_CELLS = 128
ROWS_OF_CELL = 4  # rows to a quantile, at least
_MOST_QUANTILES = 2**14
KEPT_BY_CURVE = 0.999  # share of its information that a curve of fewer steps keeps


@dataclass(frozen=True)
class Cells:
    """Neighbouring units of a line, joined, and their averaged shares.

    Attributes
    ----------
    starts : ndarray of int64, shape (C + 1,)
        First unit of each cell, then the number of units.
    counts : ndarray of shape (C, J)
        Class weights of each cell.
    shares : ndarray of shape (C, J)
        Averaged class shares of each cell.
    """

    starts: NDArray[np.int64]
    counts: NDArray[np.float64]
    shares: NDArray[np.float64]

    @property
    def rows(self) -> NDArray[np.float64]:
        """Weight of each cell, divided by its averaged shares.

        The numbers are multiples of a power of two, so that their sums are exact and weigh what
        the rows do.
        """
        weights = self.counts.sum(axis=1)
        mantissa, exponent = math.frexp(max(weights.sum(), 1.0))
        step = 2.0 ** (exponent - (mantissa == 0.5) - 50)
        found = np.floor(weights[:, None] * self.shares / step) * step
        found[:, -1] = weights - found[:, :-1].sum(axis=1)
        return np.asarray(found)

    def cut_at(self, space: Space, places: NDArray[np.int64]) -> Cells:
        """Divide cells at further units; their pieces keep the shares."""
        if not len(places):
            return self
        starts = np.union1d(self.starts, places)
        cell = np.searchsorted(self.starts, starts[:-1], side="right") - 1
        return Cells(starts, space.counts(starts), self.shares[cell])

    def space(self, space: Space) -> Space:
        """Make a line of the cells, of weights times averaged shares."""
        return Space(
            line_of(self.rows),
            space.lows[self.starts[:-1]],
            space.highs[self.starts[1:] - 1],
        )

    def joined(self, places: NDArray[np.int64]) -> Cells:
        """Join the cells that start at some of them; their shares are those of their rows."""
        rows = np.add.reduceat(self.rows, places[:-1], axis=0)
        counts = np.add.reduceat(self.counts, places[:-1], axis=0)
        return Cells(self.starts[places], counts, rows / rows.sum(axis=1, keepdims=True))


def averaged_cells(space: Space, cancel: Cancel | None = None, n_cells: int = N_CELLS) -> Cells:
    """Divide a line into cells at quantiles, and average their shares over all partitions."""
    starts = cell_starts(space, n_cells)
    counts = space.counts(starts)
    return Cells(starts, counts, averaged_shares(counts, cancel))


def cell_starts(space: Space, most: int = N_CELLS) -> NDArray[np.int64]:
    """First unit of each cell, then the end: quantiles as fine as numbers of cells and rows allow.

    Values that many rows share swallow quantiles, so that more of these make as many cells.
    """
    finest = max(int(min(space.total_weight / ROWS_OF_CELL, _MOST_QUANTILES)), 1)
    most = min(most, finest)
    low, best = most, space.quantiles(most)
    high = low
    while high == low < finest and len(best) <= most:
        high = min(2 * low, finest)
        more = space.quantiles(high)
        if len(more) <= most + 1:
            low, best = high, more
    while high - low > 1:
        middle = (low + high) // 2
        more = space.quantiles(middle)
        if len(more) <= most + 1:
            low, best = middle, more
        else:
            high = middle
    return best


def structure(n_cells: int) -> NDArray[np.float64]:
    """Cost in nats of 1, 2, ... up to so many parts of as many cells, without what they hold."""
    n_parts = range(1, n_cells + 1)
    ways = [log_gamma(n_cells) - log_gamma(k) - log_gamma(n_cells - k + 1) for k in n_parts]
    return log(n_cells) + np.array(ways)


def averaged_shares(
    counts: NDArray[np.float64], cancel: Cancel | None = None
) -> NDArray[np.float64]:
    """Average the class shares of cells over all partitions of their line."""
    found = sum_partitions(counts, log_prior=-structure(len(counts)), cancel=cancel).shares
    # Parts that are next to impossible are left out of the sums.
    return np.asarray(found / found.sum(axis=1, keepdims=True))


def simplified(cells: Cells, space: Space, cancel: Cancel | None) -> Cells:
    """Join cells while the curve keeps most of its information: the fewest that do so."""
    line, entropy = cells.space(space), methods()["entropy"]
    wanted = KEPT_BY_CURVE * information(cells.rows)
    low, high, best = 0, len(cells.shares), cells  # too few, and enough
    while high - low > 1:
        # Few steps are found faster than many.
        middle = min((low + high) // 2, max(2 * low, 16))
        found = find_partition(line, entropy, "exact", Limits(n_parts=middle), cancel=cancel)
        one = cells.joined(found.starts.astype(np.int64))
        if information(one.rows) >= wanted:
            high, best = middle, one
        else:
            low = middle
    return best


def information(rows: NDArray[np.float64]) -> float:
    """Information in nats of sets on the class: what knowing the set saves of the entropy."""
    return float(entropy_of(rows.sum(axis=0)[None, :]) - entropy_of(rows))


def entropy_of(rows: NDArray[np.float64]) -> float:
    """Sum over the sets of n log n - Σ n_j log n_j."""
    return float(_x_log_x(rows.sum(axis=1)).sum() - _x_log_x(rows).sum())


def _x_log_x(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(values * logs(np.where(values > 0, values, 1.0)))


__all__ = [
    "KEPT_BY_CURVE",
    "Cells",
    "averaged_cells",
    "cell_starts",
    "information",
    "simplified",
    "structure",
]
