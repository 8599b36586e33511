"""How estimators read a table with its target, and partition it column by column."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from partage._data.categories import CategoryColumn
from partage._data.lazy import check_in_memory
from partage._data.table import Table, read_categories, read_table
from partage._estimators.plan import Plan
from partage._partitions.contingency import Contingency, count
from partage._partitions.partition import Partition
from partage._spaces.space import MOST_BYTES
from partage._support.parallel import Cancel, run_all
from partage._targets.read import (
    check_not_among,
    read_target,
    take_target,
    target_name,
    with_exposure,
)
from partage._targets.target import TargetRows, check_lengths
from partage.engines import is_lazy
from partage.engines.fitting import count_all, fit_lazy, names_frame, open_lazy
from partage.engines.lazy_target import LazyTarget
from partage.engines.source import LazyColumns

__all__ = ["Opened", "count_columns", "fit_columns", "open_table"]


@dataclass(frozen=True)
class Opened:
    """A table whose columns are known, and its target.

    ``frame`` holds the columns without the target, for scikit-learn to take their names from.
    """

    frame: Any
    columns: Table | LazyColumns
    rows: TargetRows
    target_name: str | None
    labels: LazyTarget | None = None  # of a table whose rows are not in memory

    @property
    def table(self) -> Table:
        """The table, whose rows are in memory."""
        assert isinstance(self.columns, Table)
        return self.columns

    def marked(self, event: int, woe_sign: int) -> Opened:
        """Name the event before parts are searched: a trend is that of its rate."""
        labels = self.labels
        if labels is not None:
            labels = replace(labels, target=labels.target.marked(event, woe_sign))
        return replace(self, rows=self.rows.marked(event, woe_sign), labels=labels)


def open_table(
    who: str,
    plan: Plan,
    X: Any,
    y: Any,
    target: str | None,
    sample_weight: Any,
    exposure: Any = None,
) -> Opened:
    """Read a table and its target, and check what the parameters say of its columns."""
    named = target_name(y, target)
    if is_lazy(X):
        if exposure is not None:
            check_in_memory(f"{who} with exposure", X)
        if plan.target_type == "ordered":
            check_in_memory(f"{who} with target_type='ordered'", X)
        if plan.partitions:
            check_in_memory(who, X)
        lazy, labels = open_lazy(plan, who, X, y, target, sample_weight)
        return Opened(names_frame(lazy), lazy, labels.totals(), named, labels)
    X, y = take_target(who, X, y, target)
    table = read_table(who, X)
    check_not_among(who, table, y)
    plan.check_columns(who, table)
    rows = read_target(who, y, sample_weight, target_type=plan.target_type)
    rows = with_exposure(who, rows, exposure)
    check_lengths(who, "X", table.n_rows, rows)
    if plan.by is not None:
        segments = _segments(who, table, plan.by)
        rows = rows.with_segments(who, segments.codes, segments.values, plan.by_tolerance)
    return Opened(X, table, rows, named)


def _segments(who: str, table: Table, by: Any) -> CategoryColumn:
    """Read the segment of each row, or the column that holds it."""
    if not isinstance(by, str):
        segments = read_categories(who, by, "by")
        if segments.n_rows != table.n_rows:
            raise ValueError(
                f"{who}: by must hold one segment for each of the {table.n_rows} rows, or name a "
                f"column of X; got {segments.n_rows}."
            )
        return segments
    if by not in table.names:
        raise ValueError(
            f"{who}: by must name a column of X; got {by!r}, X has "
            f"{', '.join(map(repr, table.names))}."
        )
    return table.categories(who, table.names.index(by))


def fit_columns(
    who: str,
    plan: Plan,
    opened: Opened,
    n_jobs: int,
    advance: Callable[[str], None] = lambda _: None,
) -> list[Partition]:
    """Partition every column; ``advance`` is given the name of each that is done."""
    if opened.labels is not None:
        assert isinstance(opened.columns, LazyColumns)
        return fit_lazy(plan, who, opened.columns, opened.labels, n_jobs)
    table = opened.table

    def fit_one(index: int, cancel: Cancel) -> Partition:
        column = plan.read(who, table, index)
        found = plan.fit(who, column, opened.rows, cancel, table.library)
        advance(column.name)
        return found._with_units_of_at_most(MOST_BYTES // len(table.names))

    return run_all(fit_one, range(len(table.names)), n_jobs)


def count_columns(who: str, plan: Plan, opened: Opened, n_jobs: int) -> list[Contingency]:
    """Count the classes of each value of every column."""
    if opened.rows.target.joins:
        raise ValueError(
            f"{who}: target_type='ordered' needs all rows at once; use fit, or target_type='class'."
        )
    if plan.by is not None:
        raise ValueError(
            f"{who}: by needs all rows at once, since counts of single columns do not hold it; "
            "use fit."
        )
    if opened.labels is not None:
        assert isinstance(opened.columns, LazyColumns)
        return count_all(plan, who, opened.columns, replace(opened.labels, name="y"))
    table = opened.table

    def count_one(index: int, _: Cancel) -> Contingency:
        return count(plan.read(who, table, index), opened.rows, "y", table.library)

    return run_all(count_one, range(len(table.names)), n_jobs)
