"""What a report shows of sets of rows: counts and shares of classes, or the law of a number."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage._targets.intervals import Z, share_intervals

if TYPE_CHECKING:
    from partage._targets.tally import Tally

_MOST_CUTS = 8  # that an explanation names
_QUANTILES = {"q05": 0.05, "q25": 0.25, "median": 0.5, "q75": 0.75, "q95": 0.95}


@dataclass(frozen=True)
class Described:
    """Sets of rows in plain numbers.

    Attributes
    ----------
    counts, rates : ndarray of shape (n, J)
        Weight and share of each class; J is 0 for a number.
    intervals : ndarray of shape (n, J, 2)
        Where the shares lie with 95 %.
    amounts : dict of ndarray
        Of a number, for each set: ``mean``, ``low`` and ``high``, between which it lies with 95 %,
        ``std``, quantiles, ``min``, ``max`` and the weight of ``zeros``; NaN without rows.
    """

    counts: NDArray[np.float64]
    rates: NDArray[np.float64]
    intervals: NDArray[np.float64]
    amounts: dict[str, NDArray[np.float64]] = field(default_factory=dict)

    def amounts_of(self, k: int) -> dict[str, float]:
        """Give the law of the number in one set; nothing for classes."""
        return {name: float(values[k]) for name, values in self.amounts.items()}


def describe_classes(target: Any, tally: Tally, total: Tally) -> Described:
    """Describe sets by their classes."""
    counts = tally.class_counts
    return Described(counts, target.rates(tally, total), share_intervals(counts))


def describe_number(target: Any, tally: Tally) -> Described:
    """Describe sets by the law of a number."""
    n = len(tally)
    columns = target.columns(tally)
    names = ("mean", "std", "min", "max", "zeros")
    found = {name: np.asarray(columns[name][:-1], dtype=np.float64) for name in names}
    quantiles = target.quantiles(tally, tuple(_QUANTILES.values()))
    found |= {name: quantiles[:, i] for i, name in enumerate(_QUANTILES)}
    weight = np.where(tally.weight > 1.0, tally.weight, np.nan)
    half = Z * found["std"] / np.sqrt(weight - 1.0)  # of the deviation of n rows, by n
    found |= {"low": found["mean"] - half, "high": found["mean"] + half}
    return Described(np.zeros((n, 0)), np.zeros((n, 0)), np.zeros((n, 0, 2)), found)


def remarks_on_cuts(cuts: NDArray[np.float64]) -> list[str]:
    """Say that parts tell intervals of a number, which may share a mean."""
    named = ", ".join(f"{cut:.4g}" for cut in cuts[:_MOST_CUTS])
    more = ", ..." if len(cuts) > _MOST_CUTS else ""
    return [
        f"The parts tell the target in {len(cuts) + 1} intervals, cut at {named}{more}: they may "
        "differ in spread rather than in mean; method='modl-scores' looks for levels alone."
    ]


__all__ = ["Described", "describe_classes", "describe_number", "remarks_on_cuts"]
