"""Class counts of a column, by one query of its engine."""

from __future__ import annotations

from typing import Any

import narwhals as nw

from partage._data.categories import as_kind
from partage._data.numbers import with_zone
from partage._data.table import CategoryColumn, NumberColumn, Table
from partage._partitions.contingency import Contingency, count
from partage.engines.lazy_target import LazyTarget, selected
from partage.engines.source import Source

_UNSUPPORTED = (nw.List, nw.Struct, nw.Array, nw.Object, nw.Unknown, nw.Int128, nw.UInt128)


def count_column(
    who: str,
    source: Source,
    index: int,
    target: LazyTarget,
    kind: str | None,
    order: Any = None,
    where: nw.Expr | None = None,
) -> Contingency:
    """Count the classes of each value of a column; ``where`` keeps some rows only."""
    check_supported(who, source, index)
    value = value_expression(source, index)
    by = target.target.expressions(target.label(source))
    keys = [value.alias("value"), *(one.alias(name) for name, one in by.items())]
    query = selected(source, keys, target.weight, where)
    found = source.engine.count(query, ["value", *by])
    return read_counts(who, source, index, target, kind, order, found)


def value_expression(source: Source, index: int) -> nw.Expr:
    """Values of a column to be counted by; categories of the engine as text."""
    value = nw.col(f"c{index}")
    is_coded = source.dtype(index) in (nw.Categorical, nw.Enum)
    return value.cast(nw.String) if is_coded else value


def check_supported(who: str, source: Source, index: int) -> None:
    """Refuse columns whose values have no order and cannot be distinguished."""
    dtype = source.dtype(index)
    has_intervals = source.engine.name in ("duckdb", "ibis")
    if dtype in _UNSUPPORTED or (dtype == nw.Duration and has_intervals):
        raise TypeError(
            f"{who}: column {source.names[index]!r} is of the kind {dtype}, which cannot be "
            f"partitioned by {source.engine.name}; convert it to numbers, times or text, or drop "
            "it."
        )


def read_counts(
    who: str,
    source: Source,
    index: int,
    target: LazyTarget,
    kind: str | None,
    order: Any,
    found: nw.DataFrame[Any],
) -> Contingency:
    """Read the result of a query: values as a column in memory is read, and their counts."""
    column = read_values(who, source, index, kind, order, found["value"])
    return count(column, target.counted(found), target.name, source.library)


def read_values(
    who: str, source: Source, index: int, kind: str | None, order: Any, found: nw.Series[Any]
) -> NumberColumn | CategoryColumn:
    """Read values that a query gave as a column in memory is read."""
    table = Table(found.to_frame(), [source.names[index]], len(found), source.library)
    dtype = source.dtype(index)
    column: NumberColumn | CategoryColumn
    if kind == "numeric":
        column = with_zone(table.column(who, 0), source.zone(index))
    else:
        column = table.categories(who, 0).unordered()
        if dtype == nw.Enum and kind != "categorical" and order is None:
            order = list(dtype.categories)
        column = as_kind(who, column, kind, order)
    return column
