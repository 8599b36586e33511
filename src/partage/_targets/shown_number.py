"""What tables, reports and outputs show of a number."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._targets.cells import Cells, interpolate
from partage._targets.described import Described, describe_number, remarks_on_cuts
from partage._targets.tally import Tally

QUARTILES = (0.25, 0.5, 0.75)


class ShownNumber:
    """Columns, outputs and words of a number, of which means and quantiles are known."""

    cells: Cells
    target_cuts: tuple[int, ...]

    def key(self, tally: Tally) -> NDArray[np.float64]:
        """Mean of each set."""
        raise NotImplementedError

    def means(self, tally: Tally, total: Tally) -> NDArray[np.float64]:
        """Mean of each set; a set without weight has that of all rows."""
        raise NotImplementedError

    def deviations(self, tally: Tally) -> NDArray[np.float64]:
        """Give the standard deviation of each set."""
        raise NotImplementedError

    def quantiles(self, tally: Tally, shares: tuple[float, ...]) -> NDArray[np.float64]:
        """Values of the target below which these shares of each set lie."""
        raise NotImplementedError

    def cut_values(self) -> NDArray[np.float64]:
        """Values between the intervals of ranks."""
        raise NotImplementedError

    def strength(self, tally: Tally) -> dict[str, float]:  # noqa: ARG002  # of classes
        """Numbers have none."""
        return {}

    def remarks(self, n_parts: int) -> list[str]:
        """Say what parts tell of the target: levels, or laws that may share a mean."""
        return remarks_on_cuts(self.cut_values()) if n_parts > 1 and self.target_cuts else []

    def columns(self, tally: Tally, averaged: Tally | None = None) -> dict[str, NDArray[Any]]:
        """Columns of a table: a value for each set, then for all of them together.

        Where averaged means of the sets are given, they stand beside the others.
        """
        total = tally.total()
        both = tally.concat(total)
        quartiles = self.quantiles(both, QUARTILES)
        low, high = _edges(both).T
        means = self.means(both, total)
        means[both.weight == 0] = np.nan
        return {
            "mean": means,
            "std": self.deviations(both),
            "min": low,
            "q25": quartiles[:, 0],
            "median": quartiles[:, 1],
            "q75": quartiles[:, 2],
            "max": high,
            "zeros": moments_of(both)[:, 4],
            "difference": means - self.key(total)[0] + 0.0,
            **({} if averaged is None else {"averaged": self._with_mean(averaged, total)}),
        }

    def _with_mean(self, averaged: Tally, total: Tally) -> NDArray[np.float64]:
        """Averaged mean of each set, and the mean of all rows."""
        return np.append(self.means(averaged, total), self.key(total))

    def rates(self, tally: Tally, total: Tally) -> NDArray[np.float64]:  # noqa: ARG002  # of classes
        """Refuse: a number has no classes."""
        raise ValueError("a number has no class shares; ask for its mean.")

    def woe(
        self,
        tally: Tally,  # noqa: ARG002  # of classes
        total: Tally,  # noqa: ARG002
        label: int,  # noqa: ARG002
    ) -> NDArray[np.float64]:
        """Refuse: a number has no classes."""
        raise ValueError("a number has no weight of evidence; ask for its mean.")

    def describe(self, tally: Tally, total: Tally) -> Described:  # noqa: ARG002  # of classes
        """Give what a report shows of sets."""
        return describe_number(self, tally)

    def charted(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give the counts that a chart of values stacks: those of all cells together."""
        return np.asarray(counts.sum(axis=1, keepdims=True))

    def quartiles_of(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Quartiles of rows that are counted in cells."""
        return interpolate(counts, self.cells, QUARTILES)

    def law_names(self) -> dict[int, str]:
        """Name what a picture shows of the laws of sets: the mean."""
        return {0: "mean"}

    @property
    def law_range(self) -> tuple[float, float]:
        """Means lie anywhere."""
        return -np.inf, np.inf

    def output_names(self, output: str, name: str) -> list[str]:
        """Name of the column of means or medians."""
        self.check_output(output, "output_names")
        return [name]

    def check_output(self, output: str, who: str) -> None:
        """Refuse outputs of classes."""
        if output in ("rate", "woe"):
            raise ValueError(
                f"{who}: output={output!r} is for classes, and y is a number; use output='mean'."
            )

    def outputs(self, output: str, tally: Tally, total: Tally) -> NDArray[np.float64]:
        """Mean or median of each set; a set without rows has that of all rows."""
        if output in ("mean", "averaged"):
            return self.means(tally, total)[:, None]
        whole = self.quantiles(total, (0.5,))
        return np.where(tally.weight[:, None] > 0, self.quantiles(tally, (0.5,)), whole)


def moments_of(tally: Tally) -> NDArray[np.float64]:
    """Take the sums of deviations, of their squares, and of zeros."""
    assert tally.moments is not None
    return tally.moments


def _edges(tally: Tally) -> NDArray[np.float64]:
    """Least and greatest value of each set; NaN without rows."""
    assert tally.extremes is not None
    return np.where(np.isfinite(tally.extremes), tally.extremes, np.nan)


__all__ = ["QUARTILES", "ShownNumber", "moments_of"]
