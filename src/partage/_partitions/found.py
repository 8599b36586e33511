"""``Found``: how a partition was found, what it costs, and what is proven of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from partage._partitions.edit import Edit


@dataclass(frozen=True, eq=False)
class Found:
    """How a partition was found.

    Attributes
    ----------
    method : str
        Method that found the partition.
    cost, null_cost : float
        Cost of the partition and of one part, lower is better: in nats for MODL, the method's own
        value for methods that judge whole partitions, MODL's for the others.
    level : float
        ``1 - cost / null_cost`` under MODL, at least 0: 0 is no information on the class.
    is_optimal : bool
        True where the search proves that no partition costs less.
    method_params : dict or None
        Parameters of the method, as given.
    history : tuple of Edit
        The edits that led here, each with its ``action`` and its ``price`` in bits.
    constraints : dict
        Limits that the parts satisfy, by name; ``"monotonic"`` is the trend that was found.
    price : float or None
        Bits that the limits, and edits, cost against the optimum without them; the method's own
        unit where that is no code length, None where the method has no optimum.
    gap : float or None
        Bits by which the optimum under the limits may be lower, at most: 0 where it is proven, None
        where nothing is certified.
    exact_counts : bool
        False where an engine counted the values in small intervals away from the cuts; the counts
        of the parts are exact nevertheless.
    loss_bound : float or None
        Most nats by which a partition of the values themselves, of at most one part more, could
        cost less than the best of the intervals that were counted; 0 where the counts are exact,
        None for methods other than MODL.
    """

    method: str
    cost: float
    null_cost: float
    level: float
    is_optimal: bool
    method_params: Mapping[str, Any] | None = None
    history: tuple[Edit, ...] = ()
    constraints: Mapping[str, Any] = field(default_factory=dict)
    price: float | None = 0.0
    gap: float | None = None
    exact_counts: bool = True
    loss_bound: float | None = 0.0

    def priced(self, cost: float, null_cost: float, level: float) -> Found:
        """Give the partition other costs."""
        return replace(self, cost=cost, null_cost=null_cost, level=level)

    def elsewhere(self) -> Found:
        """Forget what is not known of parts on other rows than they were found on."""
        return replace(self, is_optimal=False, history=(), price=None, gap=None, constraints={})
