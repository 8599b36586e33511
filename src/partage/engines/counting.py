"""Class counts of a column, by one query of its engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from partage._data.categories import as_kind
from partage._data.numbers import with_zone
from partage._data.table import CategoryColumn, NumberColumn, Table
from partage._partitions.contingency import Contingency, count
from partage._targets.classes import check_number_of_classes, class_target, ranks_among
from partage._targets.read import check_total, read_target
from partage._targets.target import Target, TargetRows
from partage.engines.source import Source

MOST_CLASSES = 10_000
MOST_BRANCHES = 64  # classes that the engine turns into codes
_UNSUPPORTED = (nw.List, nw.Struct, nw.Array, nw.Object, nw.Unknown, nw.Int128, nw.UInt128)


@dataclass(frozen=True)
class LazyTarget:
    """The target of a source: its columns, what it means, and the rows of each class.

    Attributes
    ----------
    name : str
        Name of the target.
    column : str
        Its column in the frame of the source.
    weight : str or None
        Column of the weights.
    target : Target
        What the rows mean.
    code_of : dict
        Code of each label that the engine gives.
    rows : ndarray of int64
        Rows of each class.
    """

    name: str
    column: str
    weight: str | None
    target: Target
    code_of: dict[Any, int]
    rows: NDArray[np.int64]

    @property
    def n_rows(self) -> int:
        """Number of rows that count."""
        return int(self.rows.sum())

    def entries(self, codes: Any, rows: Any, weights: Any) -> TargetRows:
        """Make rows of the target that an engine has counted."""
        return TargetRows(self.target, np.asarray(codes, dtype=np.uint16), weights, None, rows)

    def totals(self) -> TargetRows:
        """Make one entry for each class."""
        weights = self.rows.astype(np.float64)
        return self.entries(np.arange(len(self.rows)), self.rows, weights)


def read_lazy_target(who: str, source: Source, target: Any, sample_weight: Any) -> LazyTarget:
    """Count the classes of a source."""
    column = column_named(who, source, "target", target)
    weight = None
    if sample_weight is not None:
        weight = column_named(who, source, "sample_weight", sample_weight)
        _check_weights(who, source, weight)
    query = _selected(source, [_label(source, column).alias("label")], weight)
    found = source.engine.count(query, ["label"], MOST_CLASSES + 1)
    if len(found) == 0:
        raise ValueError(f"{who}: the table must have rows of positive weight; got none.")
    check_number_of_classes(who, len(found), MOST_CLASSES)
    counted = _integers(found["rows"])
    read = read_target(who, found["label"].to_native(), n_rows=int(counted.sum()))
    labels = found["label"].to_list()
    rows = np.zeros(len(read.classes), dtype=np.int64)
    np.add.at(rows, read.codes, counted)
    code_of = dict(zip(labels, read.codes.tolist(), strict=True))
    dtype = source.dtype(int(column[1:]))
    ranks = ranks_among(dtype.categories, read.classes) if dtype == nw.Enum else None
    meaning = class_target(read.classes, ranks)
    return LazyTarget(str(target), column, weight, meaning, code_of, rows)


def column_named(who: str, source: Source, parameter: str, name: Any) -> str:
    """Column of a source that a parameter names."""
    if not isinstance(name, str):
        raise TypeError(
            f"{who}: {parameter} must name a column of the table, whose rows are not in memory; "
            f"got {type(name).__name__}."
        )
    if name not in source.names:
        raise ValueError(
            f"{who}: {parameter} must be a column of X; got {name!r}, X has "
            f"{', '.join(map(repr, source.names))}."
        )
    return f"c{source.names.index(name)}"


def _check_weights(who: str, source: Source, weight: str) -> None:
    """Refuse weights that are not frequencies."""
    name = source.names[int(weight[1:])]
    if not source.dtype(int(weight[1:])).is_numeric():
        raise TypeError(f"{who}: sample_weight must hold numbers; column {name!r} does not.")
    value = nw.col(weight).cast(nw.Float64)
    query = source.frame.select(value.alias("w")).select(
        nw.col("w").min().alias("low"),
        nw.col("w").max().alias("high"),
        nw.col("w").sum().alias("total"),
        (nw.col("w").is_null() | nw.col("w").is_nan()).cast(nw.Int64).sum().alias("gaps"),
    )
    low, high, total, gaps = source.engine.collect(query).row(0)
    if gaps or (high is not None and not np.isfinite(float(high))):
        raise ValueError(
            f"{who}: sample_weight must be finite; column {name!r} holds NaN, infinity or gaps."
        )
    if low is not None and float(low) < 0:
        raise ValueError(f"{who}: sample_weight must not be negative; got {float(low)!r}.")
    check_total(who, float(total or 0.0))


def _label(source: Source, column: str) -> nw.Expr:
    """Class of each row; categories of the engine as text."""
    is_coded = source.dtype(int(column[1:])) in (nw.Categorical, nw.Enum)
    return nw.col(column).cast(nw.String) if is_coded else nw.col(column)


def label_of(source: Source, target: LazyTarget) -> tuple[nw.Expr, list[Any] | None]:
    """Expression for the class code of each row; for many classes, the class and all of them."""
    label = _label(source, target.column)
    if len(target.code_of) > MOST_BRANCHES:
        return label, list(target.code_of)
    (first, *others) = target.code_of.items()
    code: nw.Expr = nw.lit(first[1])
    for value, place in others:
        code = nw.when(label == nw.lit(value)).then(nw.lit(place)).otherwise(code)
    return code.cast(nw.Int32), None


def _selected(
    source: Source, keys: list[nw.Expr], weight: str | None, where: nw.Expr | None = None
) -> nw.LazyFrame[Any]:
    """Columns to be counted by, and the weight where there is one, of rows that count."""
    frame = source.frame if where is None else source.frame.filter(where)
    if weight is not None:
        frame = frame.filter(nw.col(weight) > 0)
        keys = [*keys, nw.col(weight).cast(nw.Float64).alias("weight")]
    return frame.select(*keys)


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
    dtype = source.dtype(index)
    value = nw.col(f"c{index}")
    if dtype in (nw.Categorical, nw.Enum):
        value = value.cast(nw.String)
    by = target.target.expressions(_label(source, target.column))
    keys = [value.alias("value"), *(one.alias(name) for name, one in by.items())]
    query = _selected(source, keys, target.weight, where)
    found = source.engine.count(query, ["value", *by])
    return read_counts(who, source, index, target, kind, order, found)


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
    table = Table(found.select("value"), [source.names[index]], len(found), source.library)
    dtype = source.dtype(index)
    column: NumberColumn | CategoryColumn
    if kind == "numeric":
        column = with_zone(table.column(who, 0), source.zone(index))
    else:
        column = table.categories(who, 0).unordered()
        if dtype == nw.Enum and kind != "categorical" and order is None:
            order = list(dtype.categories)
        column = as_kind(who, column, kind, order)
    rows = _integers(found["rows"])
    weights = rows.astype(np.float64)
    if target.weight is not None:
        weights = np.asarray(found["weight"].to_numpy(), dtype=np.float64)
    entries = target.entries(_codes(found["label"], target), rows, weights)
    return count(column, entries, target.name, source.library)


def _integers(series: nw.Series[Any]) -> NDArray[np.int64]:
    """Read counts, which some engines give as decimals."""
    return np.asarray(series.cast(nw.Int64).to_numpy(), dtype=np.int64)


def _codes(series: nw.Series[Any], target: LazyTarget) -> NDArray[np.uint16]:
    """Class code of each entry."""
    native = series.to_native()
    if series.implementation.is_pandas():
        import pandas as pd

        codes, distinct = pd.factorize(native)
        values = nw.new_series("label", distinct, backend="pandas").to_list()
    else:
        import pyarrow as pa

        chunks = native if series.implementation.is_pyarrow() else native.to_arrow()
        if isinstance(chunks, pa.ChunkedArray):
            chunks = chunks.combine_chunks()
        coded = chunks.dictionary_encode()
        codes = np.asarray(coded.indices.to_numpy(zero_copy_only=False))
        values = coded.dictionary.to_pylist()
    places = np.array([target.code_of[value] for value in values], dtype=np.uint16)
    return places[codes]
