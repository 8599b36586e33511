"""The groups of a column of categories."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from partage._data.categories import CategoryColumn, key_of
from partage._partitions.costs import GroupPrice, ReadPrice, read_costs
from partage._partitions.finder import Finder, SearchedParts
from partage._partitions.groups import Groups
from partage._partitions.partition import Partition
from partage._partitions.value_groups import ValueGroups
from partage._search.aside import Aside, take_special
from partage._search.constrained import find_under_limits
from partage._search.core import part_length, partition_cost, price_in_bits
from partage._search.grouping import check_no_order, find_grouping
from partage._search.lengths import garbage_null_structure, garbage_structure
from partage._search.methods import methods
from partage._search.question import Question
from partage._search.readings import Reading
from partage._search.trends import segments_at
from partage._support.portable import exact_sum
from partage._targets.tally import Tally


@dataclass(frozen=True)
class FindGroups(Finder):
    """Finds groups; those of ordered values are ranges, which MODL judges."""

    column: CategoryColumn

    face: ClassVar[type[Partition]] = Groups

    @staticmethod
    def set_aside(
        who: str,  # noqa: ARG004  # numbers may not be of the kind of the column
        column: CategoryColumn,
        values: tuple[Any, ...],
    ) -> tuple[CategoryColumn, NDArray[np.int64] | None]:
        """Take special values out of the values."""
        return take_special(column, values)

    def question(self) -> Question:
        """Ask for the groups of the column."""
        column, space, limits, rows = self.column, self.space, self.limits, self.rows
        who = f"{self.who}, column {column.name!r}"
        is_none = self.settings.method.name == "none"
        method, parameters = self.settings.method, self.settings.parameters
        if space.is_line and not is_none:
            method, parameters = methods(rows.target)["modl"], ()
        segments = None
        if limits.monotonic is not None and rows.segments is not None and space.n_units > 0:
            rows.target.check_trend(who)
            segments = segments_at(rows, column.codes.astype(np.int64), space.n_units)
        if not space.is_line:
            check_no_order(who, limits)
        return Question(
            who,
            space,
            rows,
            method,
            "auto",
            parameters,
            limits,
            segments=segments,
            cancel=self.cancel,
        )

    def search(self, question: Question) -> SearchedParts:
        """Group the values that are not set aside."""
        space, limits, target = self.space, self.limits, self.rows.target
        if space.n_units == 0 and (limits.n_parts or 1) == 1:
            return SearchedParts(target.empty(1), True, np.empty(0, dtype=np.int64), gap=None)
        if space.is_line and question.method.name != "none":
            return self._search_line(question)
        found = find_grouping(question)
        if not space.is_line:
            order = target.order(space.joined(found.group_of, found.n_groups))
            found = found.in_order(order)
        return SearchedParts(
            space.joined(found.group_of, found.n_groups),
            found.is_optimal,
            found.group_of,
            found.cost,
            found.price,
            found.gap,
            found.garbage,
            reading=found.reading,
        )

    def _search_line(self, question: Question) -> SearchedParts:
        """Group neighbouring values."""
        space, modl = self.space, question.method
        answer = find_under_limits(question)
        group_of = np.repeat(np.arange(len(answer.counts)), np.diff(answer.starts))
        cost = self._line_cost(answer.starts, answer.reading)
        price, gap = 0.0, None
        if answer.free_starts is not None:
            free_cost = self._line_cost(answer.free_starts, answer.free_reading)
            price = price_in_bits(cost, free_cost, modl)
        if answer.bound is not None:
            gap = price_in_bits(cost, answer.bound, modl)
        tally = space.joined(group_of, len(answer.counts))
        return SearchedParts(
            tally,
            answer.is_optimal,
            group_of,
            cost,
            price,
            gap,
            None,
            answer,
            reading=answer.reading,
        )

    def _line_cost(self, starts: NDArray[np.uint32], reading: Reading | None) -> float:
        """Cost of ranges of ordered values as the search has it."""
        counts = self.space.counts(starts)
        if reading is None:
            return partition_cost(counts, "modl")
        assert self.space.aside is not None
        return read_costs(reading, counts, Aside.apart(self.space.aside))[0]

    @property
    def _criterion(self) -> str | None:
        """Criterion whose cost a result carries; None for MODL, which judges ordered values."""
        is_own = self.settings.method.has_own_cost and not self.space.is_line
        return self.settings.method.criterion if is_own else None

    @property
    def params(self) -> Mapping[str, Any] | None:
        """Parameters of the method, where they are those of the criterion of its results."""
        return self.settings.params if self._criterion == self.settings.method.name else None

    def judge(self, counts: NDArray[np.float64]) -> float:
        """Cost under the method's criterion, else what the groups hold."""
        if self._criterion is None:
            return exact_sum(map(part_length, counts))
        return partition_cost(counts, self._criterion, self.settings.parameters)

    def costs(
        self, present: Tally, beside: Aside, parts: SearchedParts
    ) -> tuple[float, float, float]:
        """Cost, cost of one group, and level, which is MODL's for every method."""
        n_values, is_line = self.space.n_units, self.space.is_line
        counts = present.class_counts
        if parts.reading is not None:
            read = ReadPrice(reading=parts.reading, n_values=0 if is_line else n_values)
            return read.own(beside.merged(counts), read.modl(counts, beside))
        pooled = None
        if self.settings.method.is_modl and n_values and not is_line:
            structure = garbage_structure(self.space, parts.group_of, len(present))
            pooled = structure, garbage_null_structure(self.space, counts)
        price = GroupPrice(self._criterion, self.params, n_values, is_line, pooled)
        return price.own(beside.merged(counts), price.modl(counts, beside))

    def price(
        self,
        parts: SearchedParts,
        cost: float,  # noqa: ARG002  # that of intervals counts what was merged
        merged: Callable[[Tally], Aside],  # noqa: ARG002
    ) -> float | None:
        """Bits that the limits cost against the free optimum; None where the method has none."""
        return parts.price

    def is_proven(self, parts: SearchedParts, has_merged: bool) -> bool:
        """Whether no partition costs less."""
        return parts.is_optimal and not has_merged

    def rule(self, parts: SearchedParts, question: Question) -> ValueGroups:  # noqa: ARG002  # it holds given cuts
        """List the values of each group."""
        members: list[list[Any]] = [[] for _ in range(len(parts.tally))]
        for value, k in zip(self.column.values, parts.group_of.tolist(), strict=True):
            members[k].append(value)
        return ValueGroups(
            self.column.name,
            self.settings.missing,
            groups=tuple(map(tuple, members)),
            garbage=parts.garbage,
            is_ordered=self.space.is_line,
            absent=_codes_of_absent(self.column, parts.group_of),
        )


def _codes_of_absent(
    column: CategoryColumn, group_of: NDArray[np.int64]
) -> tuple[tuple[Any, int], ...]:
    """Give declared values that no row holds the group of the nearer neighbour in rank."""
    if not column.values or len(column.levels) <= len(column.values):
        return ()
    rank = {key_of(level): i for i, level in enumerate(column.levels)}
    ranks = np.array([rank[key_of(value)] for value in column.values])
    absent = [level for level in column.levels if rank[key_of(level)] not in set(ranks.tolist())]
    places = np.array([rank[key_of(level)] for level in absent])
    above = np.searchsorted(ranks, places)
    low = np.maximum(above - 1, 0)
    high = np.minimum(above, len(ranks) - 1)
    # As a cut at the middle: the lower neighbour up to half way.
    lower = (2 * places <= ranks[low] + ranks[high]) & (above > 0)
    codes = np.where(lower, group_of[low], group_of[high])
    return tuple(zip(absent, codes.tolist(), strict=True))


__all__ = ["FindGroups"]
