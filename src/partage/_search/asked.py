"""``Asked``: what a search for the parts of a number is asked, beside how it reads the number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from partage import _core
from partage._spaces.space import Space
from partage._support.parallel import Cancel

if TYPE_CHECKING:
    from partage._search.limits import Limits

_REACH, _LEAST_REACH = 0.05, 10.0  # share of a gain, and nats, that full resolution may add


@dataclass(frozen=True)
class Asked:
    """What a search is asked beside the reading: the space, the limits, how to search."""

    space: Space
    search: str
    limits: Limits
    cancel: Cancel | None = None
    constraints: _core.Constraints | None = None
    n_values: int = 0  # values that may join in any way; 0 on a line
    known: float = np.inf  # cost that another code has; what is far above it needs no refinement

    @property
    def is_free(self) -> bool:
        """Whether nothing is asked of the parts."""
        limits = self.limits
        asks = limits.n_parts, limits.max_parts, limits.min_part_size
        return self.constraints is None and asks == (None, None, None)

    def is_hopeless(self, cost: float) -> bool:
        """Whether parts of joined units of this cost stay above what is known.

        At full resolution parts may gain a share of what they tell.
        """
        if not np.isfinite(self.known):
            return False
        beside = 0.0 if self.space.aside is None else float(self.space.aside.weight.sum())
        null = float(_core.log_factorial(self.space.total_weight + beside))
        return cost > self.known + max(_LEAST_REACH, _REACH * (null - self.known))


__all__ = ["Asked"]
