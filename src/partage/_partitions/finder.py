"""What the pipeline that finds parts asks of each kind of column."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from partage._partitions.costs import BIT
from partage._partitions.gaps import blur
from partage._partitions.partition import Partition
from partage._partitions.rule import Rule
from partage._search.aside import Aside
from partage._search.limits import Limits
from partage._search.question import Answer, Question
from partage._search.readings import Reading
from partage._search.settings import Settings
from partage._search.summary import Summary
from partage._spaces.space import Space
from partage._support.parallel import Cancel
from partage._targets.tally import Tally
from partage._targets.target import TargetRows


@dataclass(frozen=True)
class SearchedParts:
    """Parts that a search found, before missing and special rows join them.

    Attributes
    ----------
    tally : Tally
        What the parts hold.
    is_optimal : bool
        Whether no partition costs less.
    group_of : ndarray
        Part of each unit; empty where the parts are intervals.
    cost : float
        Cost of the parts.
    price, gap : float or None
        What the limits cost, and by how much the optimum under them may be lower, in bits.
    garbage : int or None
        The garbage group.
    answer : Answer or None
        What was found on a line.
    summary : Summary or None
        The averaged shares of the parts, where the method averages.
    reading : Reading or None
        What was read of a number.
    """

    tally: Tally
    is_optimal: bool
    group_of: NDArray[np.int64]
    cost: float = 0.0
    price: float | None = 0.0
    gap: float | None = None
    garbage: int | None = None
    answer: Answer | None = None
    summary: Summary | None = None
    reading: Reading | None = None

    @property
    def shape(self) -> dict[str, Any]:
        """Trend that was found, and the segments in its way, where they were asked for."""
        if self.answer is None or self.answer.trend is None:
            return {}
        found: dict[str, Any] = {"monotonic": self.answer.trend}
        if self.answer.in_the_way is not None:
            found["by"] = tuple(str(name) for name in self.answer.in_the_way)
        return found


@dataclass(frozen=True)
class Finder(ABC):
    """How the parts of one kind of column are asked for.

    Attributes
    ----------
    who : str
        The public function that asks.
    settings : Settings
        Its parameters.
    column : column
        The values, without those that are set aside.
    space : Space
        The same, with what each holds.
    rows : TargetRows
        The target.
    limits : Limits
        What the parts must satisfy.
    cancel : Cancel or None
        Asks the search to stop.
    """

    who: str
    settings: Settings
    column: Any
    space: Space
    rows: TargetRows
    limits: Limits
    cancel: Cancel | None = None

    face: ClassVar[type[Partition]]

    @property
    def params(self) -> Mapping[str, Any] | None:
        """Parameters of the method that the partition remembers."""
        return None

    @staticmethod
    @abstractmethod
    def set_aside(
        who: str, column: Any, values: tuple[Any, ...]
    ) -> tuple[Any, NDArray[np.int64] | None]:
        """Take special values out of a column; which one each row held, None without any."""

    @abstractmethod
    def question(self) -> Question:
        """Ask for the parts of the column."""

    @abstractmethod
    def search(self, question: Question) -> SearchedParts:
        """Find the parts of the rows that are not set aside."""

    @abstractmethod
    def judge(self, counts: NDArray[np.float64]) -> float:
        """Cost of parts by which missing and special rows choose the one they join."""

    def judge_by(self, parts: SearchedParts) -> Callable[[NDArray[np.float64]], float]:
        """Say what parts cost under what was read of a number, else under the criterion."""
        reading = parts.reading
        if reading is None:
            return self.judge
        return lambda counts: reading.costs(counts, counts[:0])[0]

    @abstractmethod
    def costs(
        self, present: Tally, beside: Aside, parts: SearchedParts
    ) -> tuple[float, float, float]:
        """Cost, cost of one part, and level."""

    @abstractmethod
    def price(
        self, parts: SearchedParts, cost: float, merged: Callable[[Tally], Aside]
    ) -> float | None:
        """Bits that the limits cost against the free optimum; None where the method has none."""

    @abstractmethod
    def rule(self, parts: SearchedParts, question: Question) -> Rule:
        """Say which value has which code."""

    def with_averages(
        self,
        partition: Partition,
        parts: SearchedParts,  # noqa: ARG002  # only parts of a line are averaged
    ) -> Partition:
        """Give a partition its averaged shares, where they are asked for."""
        return partition

    def proof(
        self, parts: SearchedParts, cost: float, has_merged: bool
    ) -> tuple[bool, float | None]:
        """Whether no partition costs less, and by how many bits one may.

        The core takes costs that differ by less than a share of themselves as equal. Where that is
        more than a nat, at costs beyond 1e9 nats, nothing is proven. A gap that takes a bound of
        its own is left open.
        """
        is_proven = self.is_proven(parts, has_merged)
        gap = 0.0 if is_proven else None if has_merged or parts.is_optimal else parts.gap
        within = blur(cost)
        if within == 0.0:
            return is_proven, gap
        return False, None if gap is None else gap + within / BIT

    @abstractmethod
    def is_proven(self, parts: SearchedParts, has_merged: bool) -> bool:
        """Whether no partition costs less, after rows were merged or not."""


__all__ = ["Finder", "SearchedParts"]
