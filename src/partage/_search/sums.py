"""Sums over all partitions of a line: how probable parts, cuts and numbers of parts are.

A cost in nats is minus the logarithm of a probability, up to a constant, so that the weights
exp(-cost) of all partitions, divided by their sum, are the probabilities of the partitions given
the rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._search.methods import methods
from partage._support.parallel import Cancel


@dataclass(frozen=True)
class PartitionSums:
    """What the sums over all partitions of n units say.

    Attributes
    ----------
    log_total : float
        Logarithm of the sum of exp(-cost) over all partitions.
    n_parts : ndarray
        Probabilities of 1, 2, ... parts; the numbers that follow have less than 1e-9 together.
    cuts : ndarray of shape (n - 1,)
        Probability of a cut before unit 1, 2, ...
    shares, squares : ndarray of shape (n, J)
        Averages over all partitions of the class shares of each unit, and of their squares. In a
        part of class weights n_j the shares follow a Dirichlet law of parameters n_j + 1.
    parts : tuple of ndarray
        First unit, unit after the last, and probability of the parts that are not negligible.
    stretches : list of ndarray of shape (n_cuts, 2)
        For each level, the first and the last border of the stretch around each cut that holds one
        with that probability; border i lies before unit i, 0 and 0 where there is no such stretch.
    """

    log_total: float
    n_parts: NDArray[np.float64]
    cuts: NDArray[np.float64]
    shares: NDArray[np.float64]
    squares: NDArray[np.float64]
    parts: tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.float64]]
    stretches: list[NDArray[np.uint32]]

    @property
    def deviations(self) -> NDArray[np.float64]:
        """Standard deviation of the class shares of each unit."""
        return np.asarray(np.sqrt(np.maximum(self.squares - self.shares**2, 0.0)))


def sum_partitions(
    counts: Any,
    criterion: str = "modl",
    numbers: Sequence[float] | None = None,
    *,
    log_prior: NDArray[np.float64] | None = None,
    log_places: NDArray[np.float64] | None = None,
    cuts: Sequence[int] = (),
    levels: Sequence[float] = (),
    n_parts: int | None = None,
    max_parts: int | None = None,
    min_weight: float = 0.0,
    cancel: Cancel | None = None,
    constraints: _core.Constraints | None = None,
) -> PartitionSums:
    """Sum over all partitions of units in a line.

    Parameters
    ----------
    counts : array of shape (n, J)
        Class weights of the units; each holds some.
    criterion, numbers
        What parts cost, in nats, and its parameters.
    log_prior : ndarray or None
        Logarithm of the weight of 1, 2, ... parts, the most there may be; None: the criterion's.
    log_places : ndarray of shape (n - 1,) or None
        Logarithm of the number of cuts that each border stands for; None: one each.
    cuts, levels
        First units of the parts whose cuts are looked at, and the levels of their stretches.
    n_parts, max_parts, min_weight, constraints
        Partitions outside these limits weigh nothing.
    cancel : Cancel or None
        Asks the sums to stop.

    Returns
    -------
    PartitionSums
        The sums; work of O(K n²), K numbers of parts that matter.
    """
    if numbers is None:
        numbers = methods()[criterion].numbers("sum_partitions", None)
    found = _core.sum_partitions(
        np.ascontiguousarray(counts, dtype=np.float64),
        criterion,
        list(numbers),
        _logarithms(log_prior),
        _logarithms(log_places),
        [int(cut) for cut in cuts],
        list(levels),
        n_parts or 0,
        max_parts or 0,
        min_weight,
        cancel,
        constraints,
    )
    return _sums_of(found)


def _sums_of(found: Mapping[str, Any]) -> PartitionSums:
    """Name what the core gives."""
    return PartitionSums(
        log_total=float(found["log_total"]),
        n_parts=found["n_parts"],
        cuts=found["cuts"],
        shares=found["shares"],
        squares=found["squares"],
        parts=(found["first"], found["last"], found["probability"]),
        stretches=found["stretches"],
    )


def _logarithms(given: Any) -> NDArray[np.float64] | None:
    """Numbers as the core takes them."""
    return None if given is None else np.ascontiguousarray(given, dtype=np.float64)


__all__ = ["PartitionSums", "sum_partitions"]
