"""``Found``: how a partition was found, what it costs, and what is proven of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from partage._partitions.edit import Edit


@dataclass(frozen=True, eq=False)
class OpenGap:
    """A gap that nobody asked for yet, and the partition with all the values that it takes."""

    whole: Any


@dataclass(frozen=True, eq=False)
class Found:
    """How a partition was found; its properties of the same names say what each field is."""

    method: str
    cost: float
    null_cost: float
    level: float
    is_optimal: bool
    method_params: Mapping[str, Any] | None = None
    history: tuple[Edit, ...] = ()
    constraints: Mapping[str, Any] = field(default_factory=dict)
    price: float | None = 0.0
    gap: float | OpenGap | None = None  # None until it is asked for
    exact_counts: bool = True
    loss_bound: float | None = 0.0

    def priced(self, cost: float, null_cost: float, level: float) -> Found:
        """Give the partition other costs."""
        return replace(self, cost=cost, null_cost=null_cost, level=level)

    def settle(self, gap: float) -> None:
        """Keep a gap that was computed when it was asked for."""
        object.__setattr__(self, "gap", gap)

    def settled(self, partition: Any) -> float:
        """Compute the gap of the partition, unless that was done; it is kept."""
        known = self.gap
        if known is None or isinstance(known, OpenGap):
            from partage._partitions.gaps import certified_gap

            known = certified_gap(partition if known is None else known.whole)
            self.settle(known)
        return known

    def __getstate__(self) -> dict[str, Any]:
        if isinstance(self.gap, OpenGap):
            self.settled(None)  # a file holds no lines of values
        return vars(self)

    def elsewhere(self) -> Found:
        """Forget what is not known of parts on other rows than they were found on."""
        return replace(self, is_optimal=False, history=(), price=None, gap=None, constraints={})
