"""What the cells of a grid hold: weights, rows and shares of the classes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._partitions.cell_shares import cell_shares
from partage._partitions.grid_rule import GridRule
from partage._partitions.partition import Partition
from partage._support.portable import logs
from partage._targets.tally import Tally


@dataclass(frozen=True, eq=False, repr=False)
class GridCounts(Partition):
    """The axes of a grid and what its cells hold."""

    rule: GridRule
    axes: tuple[Partition, ...] = ()
    has_target: bool = True

    @property
    def n_parts(self) -> tuple[int, ...]:  # type: ignore[override]  # of each axis
        """Number of parts of each axis."""
        return tuple(axis.n_parts for axis in self.axes)

    @property
    def n_cells(self) -> int:
        """Cells of the parts that hold rows."""
        inner = tuple(slice(n) for n in self.n_parts)
        return int(np.count_nonzero(self._weights()[inner]))

    @property
    def counts(self) -> NDArray[np.float64]:
        """Weight of each class in each cell of the parts, of shape (K1, K2, J).

        An axis whose column had missing values has one place more, for these. Without a target the
        classes are left out.
        """
        shape = (*self.rule.n_codes, self.tally.class_counts.shape[1])
        counts = self.tally.class_counts.reshape(shape)[self._shown_codes()]
        return counts if self.has_target else counts[..., 0]

    @property
    def rows(self) -> NDArray[np.int64]:
        """Training rows of each cell, of the shape of ``counts`` without the classes."""
        return self.tally.rows.reshape(self.rule.n_codes)[self._shown_codes()]

    def _shown_codes(self) -> tuple[slice, ...]:
        """Codes of each axis that ``counts`` shows: its parts, and missing values if there are."""
        return tuple(slice(axis.n_parts + _has_gaps_apart(axis)) for axis in self.axes)

    def _weights(self) -> NDArray[np.float64]:
        """Weight of each code, by axis."""
        return np.asarray(self.tally.weight.reshape(self.rule.n_codes))

    @property
    def shares(self) -> NDArray[np.float64]:
        """Class shares of each cell, as predictions take them.

        They are drawn to those of cells like it, and to those of all rows, which an empty cell has.
        """
        shape = (*self.rule.n_codes, self.tally.class_counts.shape[1])
        return self.code_rates().reshape(shape)[self._shown_codes()]

    def code_rates(self) -> NDArray[np.float64]:
        """Class shares of each code, drawn to those of cells like it, then to all rows."""
        return self._shares

    @cached_property
    def _shares(self) -> NDArray[np.float64]:
        """Class shares of each code."""
        return cell_shares(self.tally.class_counts)

    def code_woe(self, label: int) -> NDArray[np.float64]:
        """Weight of evidence of each code for one class against the rest, by its shares.

        Parameters
        ----------
        label : int
            Position of the class in ``classes``.

        Returns
        -------
        ndarray
            One number for each code; 0 for a code without training rows.
        """
        shares, totals = self._shares[:, label], self.totals()
        others = totals.sum() - totals[label]
        if totals[label] == 0 or others == 0:
            return np.zeros(len(shares))
        found = logs(shares / totals[label]) - logs((1.0 - shares) / others)
        return np.asarray(np.where(self.tally.weight > 0, self.woe_sign * found, 0.0))

    def totals(self) -> NDArray[np.float64]:
        """Weight of each class over all rows."""
        return np.asarray(self.tally.class_counts.sum(axis=0))

    def own_tally(self) -> Tally:
        """Tally each code."""
        return self.tally

    def _with_gaps(self) -> NDArray[np.bool_]:
        """Which codes hold rows with a missing value on some axis."""
        has_gap = np.zeros(self.rule.n_codes, dtype=bool)
        for a, axis in enumerate(self.axes):
            has_gap[(slice(None),) * a + (axis.n_parts,)] = True
        return has_gap.ravel()

    @property
    def missing_counts(self) -> NDArray[np.float64]:
        """Weight of each class among the rows with a missing value on some axis."""
        return np.asarray(self.tally.class_counts[self._with_gaps()].sum(axis=0))

    @property
    def missing_rows(self) -> int:
        """Training rows with a missing value on some axis."""
        return int(self.tally.rows[self._with_gaps()].sum())

    @property
    def special_counts(self) -> NDArray[np.float64]:
        """Weight of special values: the axes have it."""
        return self.tally.class_counts[:0]

    @property
    def special_rows(self) -> NDArray[np.int64]:
        """Rows of special values: the axes have them."""
        return self.tally.rows[:0]

    def code_labels(self) -> list[str]:
        """Readable name of each code."""
        return self.rule.labels()

    def _by_code(self, sets: Any) -> Any:
        """Take the sets of a tally by code: a set is a code."""
        return sets

    @property
    def is_weighted(self) -> bool:
        """Whether weights other than one row each were given."""
        return bool((self.tally.weight != self.tally.rows).any())


def _has_gaps_apart(axis: Partition) -> bool:
    """Whether an axis has missing values that joined no part."""
    return axis.missing_rows > 0 and axis.rule.missing_part is None


__all__ = ["GridCounts"]
