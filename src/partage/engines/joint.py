"""Columns of a source that are counted together: one GROUP BY of their values and the class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from partage._partitions.joint_columns import (
    CodedColumns,
    JointColumns,
    coarse_ends,
    entries_of,
    value_codes,
    with_aside_codes,
)
from partage._partitions.partition import Partition
from partage._search.grids import GridRows
from partage.engines.counting import read_values, value_expression
from partage.engines.fitting import fit_lazy
from partage.engines.lazy_target import LazyTarget, integers, selected
from partage.engines.source import LazyColumns
from partage.engines.transform import with_code

N_COUNTED = 4096  # quantiles of a number, where the rows are too many to be counted by value
Ends = NDArray[Any] | None


@dataclass(frozen=True)
class CountedColumns(JointColumns):
    """Columns whose rows an engine holds."""

    who: str
    plan: Any
    columns: LazyColumns
    own: Sequence[Partition]
    labels: LazyTarget
    has_y: bool
    is_in_memory: bool = False

    @property
    def n_rows(self) -> int:  # type: ignore[override]  # of the target
        """Rows that count."""
        return self.labels.n_rows

    @property
    def library(self) -> str:  # type: ignore[override]  # of the source
        """Library that tables of results are made in."""
        return self.columns.library

    def by_value(self, places: Sequence[int]) -> tuple[list[Partition], GridRows]:
        """Count columns by their values; long tables by many quantiles of their numbers."""
        own = [self.own[k] for k in places]
        source = self.columns.source
        if source.exact or self.n_rows <= source.most_values:
            return own, self._counted(places, [None] * len(places))
        ends = [coarse_ends(partition, N_COUNTED) for partition in own]
        joined = [_joined(*pair) for pair in zip(own, ends, strict=True)]
        return joined, self._counted(places, ends)

    def by_quantile(self, places: Sequence[int], most: int) -> CodedColumns:
        """Count columns by values, or by quantiles where a number has more values than that."""
        ends = [coarse_ends(self.own[k], most) for k in places]
        return CodedColumns(self._counted(places, ends), tuple(ends))

    def groups(self, pairs: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """Each pair alone: one query."""
        return [np.array([i]) for i in range(len(pairs))]

    def _counted(self, places: Sequence[int], ends: Sequence[Ends]) -> GridRows:
        """Count the rows of each combination of values, or of ranges, and of the class."""
        source = self.columns.source
        frame, keys, names = source.frame, [], []
        for i, (k, own_ends) in enumerate(zip(places, ends, strict=True)):
            index, name = self.columns.indices[k], f"v{i}"
            names.append(name)
            if own_ends is None:
                keys.append(value_expression(source, index).alias(name))
                continue
            rule = replace(_apart(self.own[k]), cut_keys=own_ends)
            frame = with_code(self.who, source, frame, index, rule, name)
            keys.append(nw.col(name))
        by = self.labels.target.expressions(self.labels.label(source))
        keys += [one.alias(name) for name, one in by.items()]
        query = selected(replace(source, frame=frame), keys, self.labels.weight)
        found = source.engine.count(query, [*names, *by])
        coded = [
            self._codes(k, found, name, own_ends)
            for k, name, own_ends in zip(places, names, ends, strict=True)
        ]
        own = [self.own[k] for k in places]
        return entries_of(coded, own, ends, self.labels.counted(found), self.has_y).counted()

    def _codes(
        self, k: int, found: nw.DataFrame[Any], name: str, ends: Ends
    ) -> tuple[NDArray[np.uint32], int]:
        """Codes of a column in the result of a query."""
        if ends is not None:
            codes, n = integers(found[name]), len(ends) + 1
            return with_aside_codes(codes, codes, n, n)
        kind, order = self.plan.kind(self.who, self.columns, k)
        index = self.columns.indices[k]
        column = read_values(self.who, self.columns.source, index, kind, order, found[name])
        return value_codes(self.who, column, self.own[k])


def _apart(partition: Partition) -> Any:
    """Rule of a partition whose missing and special values have codes of their own."""
    return partition.rule.with_aside([None] * len(partition.rule.aside_parts))


def _joined(partition: Partition, ends: Ends) -> Partition:
    """Let the ranges of a column be the units of its partition."""
    if ends is None or partition.units is None:
        return partition
    inner = np.searchsorted(partition.units.keys, ends, side="right")
    starts = np.concatenate([[0], inner, [partition.units.n_units]]).astype(np.int64)
    return replace(partition, units=partition.units.joined_at(starts))


def count_together(
    plan: Any, who: str, columns: LazyColumns, labels: LazyTarget, has_y: bool, n_jobs: int
) -> CountedColumns:
    """Partition each column alone, so that they can be counted together."""
    own = fit_lazy(plan, who, columns, labels, n_jobs, keeps_units=True)
    return CountedColumns(who, plan, columns, own, labels, has_y)


__all__ = ["CountedColumns", "count_together"]
