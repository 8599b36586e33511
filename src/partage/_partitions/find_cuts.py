"""The cuts of a column of numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from partage._data.column import Kind, NumberColumn
from partage._data.cut_places import place_cut, place_cuts, round_cut
from partage._data.keys import cut_keys
from partage._data.roundness import levels_between
from partage._partitions.averages import averaged_around, averaged_shares
from partage._partitions.costs import (
    BIT,
    LinePrice,
    Price,
    ReadPrice,
    present_tally,
    read_costs,
)
from partage._partitions.cuts import Cuts
from partage._partitions.finder import Finder, SearchedParts
from partage._partitions.found import Found
from partage._partitions.intervals import Intervals
from partage._partitions.partition import Partition
from partage._search.aside import Aside, codes_of_special, special_keys
from partage._search.averaged import Cells, averaged_cells, simplified
from partage._search.averaged_means import averaged_means, simplified_means
from partage._search.constrained import find_under_limits
from partage._search.core import partition_cost, price_in_bits
from partage._search.mean_summary import summarize_means
from partage._search.question import Answer, Question
from partage._search.readings import reading_of
from partage._search.refusals import check_user_parts
from partage._search.summary import summarize
from partage._search.trends import segments_of
from partage._spaces.space import Space
from partage._targets.tally import Tally

_NO_GROUPS = np.empty(0, dtype=np.int64)


@dataclass(frozen=True)
class FindCuts(Finder):
    """Finds intervals."""

    column: NumberColumn

    face: ClassVar[type[Partition]] = Intervals

    @property
    def params(self) -> Mapping[str, Any] | None:
        """Parameters of the method, as given."""
        return self.settings.params

    @staticmethod
    def set_aside(
        who: str, column: NumberColumn, values: tuple[Any, ...]
    ) -> tuple[NumberColumn, NDArray[np.int64] | None]:
        """Mark special values as missing."""
        if not values:
            return column, None
        keys = special_keys(who, column.name, values, column.kind)
        special = codes_of_special(column, keys, column.kind)
        return column.without(special >= 0), special

    def question(self) -> Question:
        """Ask for the parts of the column."""
        column, space, limits = self.column, self.space, self.limits
        cuts = {
            name: None
            if (given := getattr(limits, name)) is None
            else cut_keys(self.who, name, column.name, given, column.kind)
            for name in ("user_cuts", "candidate_cuts")
        }
        asker = f"{self.who}, column {column.name!r}"
        segments = None
        if limits.monotonic is not None and space.n_units > 0:
            present = ~column.missing_mask()
            segments = segments_of(asker, column.keys, present, space, self.rows)
        return Question(
            asker,
            space,
            self.rows,
            self.settings.method,
            self.settings.search,
            self.settings.parameters,
            limits,
            cuts["user_cuts"],
            cuts["candidate_cuts"],
            segments,
            self.cancel,
            None if limits.round_cuts is None else levels_between(column.kind, space.keys),
            known=self.settings.known,
        )

    def search(self, question: Question) -> SearchedParts:
        """Find the cuts; a column without values has those of the user."""
        space, limits = self.space, self.limits
        if space.n_units == 0 and (limits.n_parts or 1) == 1:
            n_parts = 1 if question.user_keys is None else len(question.user_keys) + 1
            check_user_parts(question, n_parts)
            tally = self.rows.target.empty(n_parts)
            return SearchedParts(tally, True, _NO_GROUPS)
        summary = None
        if question.method.averages:
            keep = (self.settings.params or {}).get("keep")
            is_number = question.method.reading is not None
            summary = (summarize_means if is_number else summarize)(question, keep)
        answer = find_under_limits(question) if summary is None else summary.answer
        tally = space.tally(answer.starts)
        gap = None
        if not answer.is_optimal and answer.bound is not None:
            gap = price_in_bits(self._cost(tally, answer), answer.bound, question.method)
        return SearchedParts(
            tally,
            answer.is_optimal,
            _NO_GROUPS,
            gap=gap,
            answer=answer,
            summary=summary,
            reading=answer.reading,
        )

    def _cost(self, tally: Tally, answer: Answer) -> float:
        """Cost of parts as the search has it: rows beside them are apart."""
        if answer.reading is None:
            return self.judge(tally.class_counts)
        assert self.space.aside is not None
        beside = Aside.apart(self.space.aside)
        return read_costs(answer.reading, tally.class_counts, beside)[0]

    def _own(self) -> tuple[float, ...] | None:
        """Parameters of the criterion, where it is the method's own."""
        return self.settings.parameters if self.settings.method.judges_partitions else None

    def judge(self, counts: NDArray[np.float64]) -> float:
        """Cost under the criterion of the method."""
        return partition_cost(counts, self.settings.method.criterion, self._own())

    def costs(
        self, present: Tally, beside: Aside, parts: SearchedParts
    ) -> tuple[float, float, float]:
        """Cost, cost of one part, and level; missing and special rows are described beside."""
        counts, method = present.class_counts, self.settings.method
        price: Price = LinePrice()
        if parts.reading is not None:
            price = ReadPrice(reading=parts.reading)
        elif method.has_own_cost and counts.any():
            price = LinePrice(method.criterion, self.settings.params)
        return price.own(beside.merged(counts), price.modl(counts, beside))

    def price(
        self, parts: SearchedParts, cost: float, merged: Callable[[Tally], Aside]
    ) -> float | None:
        """Bits that the limits cost; the free optimum merges the same rows."""
        answer = parts.answer
        if answer is None:
            return 0.0
        if answer.free_starts is None:
            return 0.0 if answer.is_free else None
        free = self.space.tally(answer.free_starts)
        free_parts = replace(parts, reading=answer.free_reading)
        free_cost = self.costs(free, merged(free), free_parts)[0]
        return price_in_bits(cost, free_cost, self.settings.method)

    def is_proven(self, parts: SearchedParts, has_merged: bool) -> bool:
        """Whether no partition costs less: rows that join the only part had no choice."""
        return parts.is_optimal and (len(parts.tally) == 1 or not has_merged)

    def with_averages(self, partition: Partition, parts: SearchedParts) -> Partition:
        """Give intervals their averaged shares or means, and the curve of these."""
        summary, space = parts.summary, self.space
        if space.n_units == 0 or not (self.settings.method.averages or self.settings.with_curve):
            return partition
        if parts.reading is not None:
            if partition.tally.n_read:
                raise ValueError(
                    f"{self.who}: output='averaged' follows the ranks of y, which method="
                    f"{partition.method!r} does not tell; use method='modl', or output='mean'."
                )
            averaged = None if summary is None else averaged_around(partition, summary.present)
            return replace(partition, averaged=averaged, curve=self._curve_of_means(partition))
        cells = averaged_cells(space, self.cancel) if summary is None else summary.cells
        curve = self._curve_of_shares(partition, simplified(cells, space, self.cancel))
        averaged = None
        if summary is not None:
            rows = present_tally(partition).rows
            averaged = averaged_around(partition, replace(summary.present, rows=rows))
        return replace(partition, averaged=averaged, curve=curve)

    def _curve_of_shares(self, partition: Partition, cells: Cells) -> Partition:
        """Make a partition of cells that carry averaged shares."""
        space = self.space
        assert space.aside is not None
        costs = LinePrice().own(
            cells.counts, LinePrice().modl(cells.counts, Aside.apart(space.aside))
        )
        rows = None if space.rows is None else space.row_counts(cells.starts)
        found = Found("averaged", *costs, is_optimal=False, price=None)
        present = Tally.of_counts(cells.counts, rows)
        shares = averaged_shares(cells.rows, present.rows)
        return self._curve(partition, cells.starts, (present, shares), found)

    def _curve_of_means(self, partition: Partition) -> Partition:
        """Make a partition of cells that carry averaged means."""
        space, total = self.space, partition.total()
        target: Any = partition.target
        reading = reading_of(target.told("scores"), "modl-scores")
        cells = averaged_means(space, reading, total, self.cancel)
        cells = simplified_means(cells, float(target.deviations(total)[0]) ** 2)
        assert space.aside is not None
        costs = read_costs(reading, space.counts(cells.starts), Aside.apart(space.aside))
        level = reading.level(*costs, float(total.weight[0]))
        found = Found("averaged", *costs, level, is_optimal=False, price=None, gap=costs[0] / BIT)
        present = space.tally(cells.starts)
        means = target.of_means(present, cells.means)
        return self._curve(partition, cells.starts, (present, means), found)

    def _curve(
        self,
        partition: Partition,
        starts: NDArray[np.int64],
        cells: tuple[Tally, Tally],
        found: Found,
    ) -> Partition:
        """Make a partition of cells, beside which missing and special values stay apart.

        ``cells`` are tallied as they are, and as they are averaged.
        """
        space, kind = self.space, self.column.kind
        assert space.aside is not None
        inner = starts[1:-1]
        keys = place_cuts(kind, space.keys[inner - 1], space.keys[inner], self.settings.cut_style)
        rule = Cuts(
            partition.name,
            partition.missing,
            special_values=partition.special_values,
            special_parts=(None,) * len(partition.special_values),
            kind=kind,
            cut_keys=keys,
        )
        whole = replace(
            partition,
            rule=rule,
            tally=Aside.apart(space.aside).around(cells[0]),
            found=found,
            units=None,
        )
        curve = replace(whole, averaged=averaged_around(whole, cells[1]))
        # What tells ranks would fill a file.
        target = partition.target.as_one_cell()
        return replace(curve, target=target, tally=target.retold(curve.tally))

    def rule(self, parts: SearchedParts, question: Question) -> Cuts:
        """Cut at the keys that were given, else where the style places cuts."""
        column, style = self.column, self.settings.cut_style
        if parts.answer is not None:
            is_round = question.levels is not None
            keys = _keys_of_cuts(column.kind, self.space, parts.answer, style, is_round)
        elif question.user_keys is not None:
            keys = question.user_keys
        else:
            keys = np.empty(0, column.kind.dtype)
        return Cuts(
            column.name, self.settings.missing, kind=column.kind, cut_keys=keys, cut_style=style
        )


def _keys_of_cuts(
    kind: Kind, space: Space, answer: Answer, style: str, is_round: bool
) -> NDArray[Any]:
    """Keys of the cuts: as they were given, else round, else where the style places them."""
    keys = []
    for place, key in zip(answer.starts[1:-1].tolist(), answer.given_keys, strict=True):
        if key is None:
            low, high = space.highs[place - 1].item(), space.lows[place].item()
            key = round_cut(kind, low, high)[1] if is_round else place_cut(kind, low, high, style)
        keys.append(key)
    return np.array(keys, dtype=kind.dtype)


__all__ = ["FindCuts"]
