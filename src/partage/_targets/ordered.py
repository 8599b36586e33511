"""``OrderedTarget``: classes with an order, of which parts may tell neighbours as one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._targets.classes import ClassTarget
from partage._targets.tally import Tally
from partage._targets.target import Target, TargetRows


@dataclass(frozen=True, eq=False)
class OrderedTarget(ClassTarget):
    """Classes with an order.

    Attributes
    ----------
    joined : tuple of int
        Ranks at which the classes start that parts tell apart, but for the first; every rank before
        a search.
    """

    joined: tuple[int, ...] | None = None

    joins = True

    @property
    def places(self) -> NDArray[np.int64]:
        """Place of each class in the order."""
        ranks = np.arange(len(self.classes)) if self.ranks is None else self.ranks
        places = np.empty(len(ranks), dtype=np.int64)
        places[np.argsort(ranks, kind="stable")] = np.arange(len(ranks))
        return places

    @property
    def starts(self) -> NDArray[np.int64]:
        """Ranks at which the classes start that parts tell apart."""
        if self.joined is None:
            return np.arange(max(len(self.classes), 1))
        return np.array([0, *self.joined], dtype=np.int64)

    def joined_at(self, starts: NDArray[Any]) -> OrderedTarget:
        """Join the classes between some ranks."""
        return replace(self, joined=tuple(int(start) for start in starts[1:]))

    def of_each_class(self, laws: NDArray[np.float64], total: Tally) -> NDArray[np.float64]:
        """Divide what is expected of joined classes among them, as all rows are divided."""
        run = np.searchsorted(self.starts, self.places, side="right") - 1
        counts = total.class_counts[0]
        sizes = np.bincount(run, weights=counts)
        return np.asarray(laws[:, run] * (counts / sizes[run]))

    def key(self, tally: Tally) -> NDArray[np.float64]:
        """Mean rank of each set."""
        held = np.where(tally.weight > 0, tally.weight, 1.0)
        ranks = np.arange(len(self.classes)) if self.ranks is None else self.ranks
        return np.asarray((tally.class_counts * ranks).sum(axis=1) / held)

    def remarks(self, n_parts: int) -> list[str]:
        """Say which classes the parts do not tell apart."""
        in_order = self.classes[np.argsort(self.places)].tolist()
        runs = np.split(np.array(in_order, dtype=object), self.starts[1:])
        together = [" and ".join(map(str, run)) for run in runs if len(run) > 1]
        if n_parts < 2 or not together:
            return []
        return [f"The parts do not tell apart {', nor '.join(together)}."]

    def as_kept(self) -> OrderedTarget:
        """Keep the order."""
        return self

    def in_classes_of(self, other: Target) -> ClassTarget:
        """Take the classes of another target; the order stays where they are the same."""
        if self.classes.tolist() == other.classes.tolist():
            return self
        return super().in_classes_of(other)

    def same_as(self, other: Target) -> bool:
        """Whether both mean the same."""
        return super().same_as(other) and self.joined == getattr(other, "joined", None)

    def to_plain(self) -> dict[str, Any]:
        """Give the data of a file: the labels as an array, the rest plain."""
        joined = None if self.joined is None else list(self.joined)
        return super().to_plain() | {"joined": joined}


def ordered_rows(who: str, rows: TargetRows) -> TargetRows:
    """Take the classes of rows in their order: numbers, or the levels of an ordered categorical."""
    target = rows.target
    assert isinstance(target, ClassTarget)
    if target.ranks is None and target.classes.dtype.kind not in "biuf":
        raise ValueError(
            f"{who}: target_type='ordered' needs classes with an order: numbers, or an ordered "
            f"categorical series; got text such as {target.classes.tolist()[0]!r}."
        )
    ordered = OrderedTarget(target.classes, target.ranks, target.event, target.woe_sign)
    return replace(rows, target=ordered)


def ordered_from_plain(
    plain: dict[str, Any], classes: NDArray[Any], event: int, woe_sign: int
) -> OrderedTarget:
    """Read the order of classes, and which are joined."""
    ranks = None
    if plain["ranks"] is not None:
        ranks = np.array(plain["ranks"], dtype=np.int64)
        if ranks.shape != classes.shape or len(set(ranks.tolist())) != len(ranks):
            raise ValueError("every class has a rank of its own")
    joined = None
    if plain["joined"] is not None:
        joined = tuple(int(start) for start in plain["joined"])
        if list(joined) != sorted({*joined}) or any(not 0 < j < len(classes) for j in joined):
            raise ValueError("joined classes must start at ranks, in order")
    return OrderedTarget(classes, ranks, event, woe_sign, joined)


__all__ = ["OrderedTarget", "ordered_from_plain", "ordered_rows"]
