"""Lengths under MODL, in nats: what the core says of parts, of their number and of their values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._search.core import part_length
from partage._spaces.space import Space
from partage._support.portable import log

__all__ = [
    "garbage_null_structure",
    "garbage_structure",
    "group_structure",
    "line_structure",
    "part_lengths",
]


def part_lengths(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Length of each row of class weights, which are those of the last axis."""
    rows = np.ascontiguousarray(counts.reshape(-1, counts.shape[-1]), dtype=np.float64)
    return np.asarray(_core.part_lengths(rows)).reshape(counts.shape[:-1])


def line_structure(n_parts: int, totals: NDArray[np.float64]) -> float:
    """Length of the cuts of a line, given the weight of each class."""
    return float(_core.structure_cost(n_parts, totals.tolist()))


def group_structure(n_groups: int, n_values: int) -> float:
    """Length of some groups of values that touch each other in any way."""
    return log(n_values) + _core.log_set_partitions(n_values, n_groups)


def garbage_structure(values: Space, group_of: NDArray[np.int64], n_groups: int) -> float:
    """Length of groups that keep the rare values together, at the cheapest threshold."""
    return float(_core.garbage_structure(values.line, group_of, n_groups))


def garbage_null_structure(values: Space, present: NDArray[np.float64]) -> float:
    """Length of one group of all values, at the cheapest threshold, without its rows."""
    return _core.null_cost_of_garbage_groups(values.line) - part_length(present.sum(axis=0))
