"""Khiops 11's granularities: the quantiles and the frequent values that parts are made of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._search.methods import Method
from partage._spaces.space import Space

__all__ = ["chosen", "granularities", "has_granularity", "pool_of", "quantile_places"]

_NAME = "granularity"
_MOST = 64


def has_granularity(method: Method) -> bool:
    """Whether a method has granularities at all."""
    return any(rule["name"] == _NAME for rule in method.parameters)


def chosen(method: Method, numbers: Sequence[float] | None) -> int | None:
    """Granularity that the parameters of a method choose; 0 for the best, None without any."""
    if not has_granularity(method):
        return None
    names = [rule["name"] for rule in method.parameters]
    given = method.numbers("find_partition", None) if numbers is None else list(numbers)
    return int(given[names.index(_NAME)])


def granularities(space: Space) -> list[int]:
    """Granularities at which the units of a space differ, from the coarsest on.

    The same parts cost more at a finer granularity.
    """
    weights = space.unit_weights()
    found: list[int] = []
    last: NDArray[np.uint32] | None = None
    for g in range(1, _MOST + 1):
        units = np.asarray(_core.khiops_units(weights, g, space.is_line))
        if last is None or not np.array_equal(units, last):
            found.append(g)
        last = units
        if 2.0**g >= space.total_weight:
            break
    return found


def quantile_places(space: Space, granularity: int) -> NDArray[np.int64]:
    """First unit of each quantile, then the end."""
    units = np.asarray(_core.khiops_units(space.unit_weights(), granularity, True))
    inner = np.flatnonzero(np.diff(units.astype(np.int64))) + 1
    return np.concatenate([[0], inner, [space.n_units]])


def pool_of(space: Space, granularity: int) -> NDArray[np.int64]:
    """Value that each value counts as: itself, or the last one for all that are rare."""
    return np.asarray(_core.khiops_units(space.unit_weights(), granularity, False)).astype(np.int64)
