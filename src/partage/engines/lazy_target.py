"""The target of a table whose rows an engine holds: its classes, or a number, by one query."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from partage._targets.classes import check_number_of_classes, class_target, ranks_among
from partage._targets.numbers import number_rows
from partage._targets.read import check_amounts, check_total, read_target
from partage._targets.target import Target, TargetRows
from partage.engines.source import Source

MOST_CLASSES = 10_000
MOST_BRANCHES = 64  # classes that the engine turns into codes


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

    def counted(self, found: nw.DataFrame[Any]) -> TargetRows:
        """Take the entries of a query."""
        return self.entries(_codes(found["label"], self), *_sizes(found))

    def label(self, source: Source) -> nw.Expr:
        """Class of each row; categories of the engine as text."""
        return _label(source, self.column)

    @property
    def is_number(self) -> bool:
        """Whether it is a number."""
        return False

    def totals(self) -> TargetRows:
        """Make one entry for each class."""
        weights = self.rows.astype(np.float64)
        return self.entries(np.arange(len(self.rows)), self.rows, weights)


@dataclass(frozen=True)
class LazyNumber(LazyTarget):
    """A number: its different values are known, and the rows of each.

    Attributes
    ----------
    values : TargetRows
        One entry for each value.
    """

    values: TargetRows

    @property
    def is_number(self) -> bool:
        """Whether it is a number."""
        return True

    def label(self, source: Source) -> nw.Expr:  # noqa: ARG002  # of classes
        """Give the number of each row."""
        return nw.col(self.column).cast(nw.Float64)

    def counted(self, found: nw.DataFrame[Any]) -> TargetRows:
        """Take the entries of a query, whose numbers have the ranks of all rows."""
        rows, weights = _sizes(found)
        amounts = _floats(found["label"])
        codes = self.target.codes_of(amounts)
        return TargetRows(self.target, codes, weights, None, rows, values=amounts)

    def totals(self) -> TargetRows:
        """Give the entries of all values."""
        return self.values


@dataclass(frozen=True)
class NoTarget(LazyTarget):
    """No target: all rows are of one class."""

    def label(self, source: Source) -> nw.Expr:  # noqa: ARG002  # of classes
        """Give 0 for each row."""
        return nw.col(self.column).is_null().cast(nw.Int64) * 0


def count_rows(who: str, source: Source, sample_weight: Any = None) -> LazyTarget:
    """Count the rows of a source without a target."""
    weight = _weight_named(who, source, sample_weight)
    target = class_target(np.zeros(1, dtype=np.int64))
    unknown = NoTarget("", "c0", weight, target, {0: 0}, np.zeros(1, dtype=np.int64))
    query = selected(source, [unknown.label(source).alias("label")], weight)
    found = source.engine.count(query, ["label"])
    _check_rows(who, found)
    return replace(unknown, rows=integers(found["rows"]))


def read_lazy_target(
    who: str, source: Source, target: Any, sample_weight: Any, target_type: str | None = None
) -> LazyTarget:
    """Count the classes of a source, or the values of a number; without a type, classes."""
    column = column_named(who, source, "target", target)
    weight = _weight_named(who, source, sample_weight)
    named = str(target), column, weight
    if target_type == "number":
        return _read_number(who, source, named)
    query = selected(source, [_label(source, column).alias("label")], weight)
    found = source.engine.count(query, ["label"], MOST_CLASSES + 1)
    if target_type == "auto" and _are_amounts(source, column, found):
        return _read_number(who, source, named)
    return _read_classes(who, source, named, found)


def _read_classes(
    who: str, source: Source, named: tuple[str, str, str | None], found: nw.DataFrame[Any]
) -> LazyTarget:
    """Take classes that were counted."""
    name, column, weight = named
    _check_rows(who, found)
    check_number_of_classes(who, len(found), MOST_CLASSES)
    counted = integers(found["rows"])
    read = read_target(who, found["label"].to_native(), n_rows=int(counted.sum()))
    labels = found["label"].to_list()
    rows = np.zeros(len(read.classes), dtype=np.int64)
    np.add.at(rows, read.codes, counted)
    code_of = dict(zip(labels, read.codes.tolist(), strict=True))
    dtype = source.dtype(int(column[1:]))
    ranks = ranks_among(dtype.categories, read.classes) if dtype == nw.Enum else None
    return LazyTarget(name, column, weight, class_target(read.classes, ranks), code_of, rows)


def _read_number(who: str, source: Source, named: tuple[str, str, str | None]) -> LazyNumber:
    """Count the rows of each value of a number, from which its ranks follow."""
    name, column, weight = named
    dtype = source.dtype(int(column[1:]))
    if not (dtype.is_numeric() or dtype == nw.Boolean):
        raise TypeError(
            f"{who}: y must hold numbers for target_type='number'; column {name!r} is of the kind "
            f"{dtype}. For classes leave target_type out, or take a classifier."
        )
    label = nw.col(column).cast(nw.Float64).alias("label")
    found = source.engine.count(selected(source, [label], weight), ["label"])
    _check_rows(who, found)
    amounts = _floats(found["label"])
    check_amounts(who, amounts)
    rows, weights = _sizes(found)
    read = replace(number_rows(amounts, weights), rows=rows)
    return LazyNumber(name, column, weight, read.target, {}, rows, read)


def _check_rows(who: str, found: nw.DataFrame[Any]) -> None:
    """Refuse a table without rows."""
    if len(found) == 0:
        raise ValueError(f"{who}: the table must have rows of positive weight; got none.")


def _are_amounts(source: Source, column: str, found: nw.DataFrame[Any]) -> bool:
    """Whether labels are floating-point numbers that are not all whole."""
    dtype = source.dtype(int(column[1:]))
    if not (dtype.is_float() or dtype == nw.Decimal):
        return False
    values = _floats(found["label"])
    values = values[np.isfinite(values)]
    return bool((values != np.floor(values)).any())


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


def _weight_named(who: str, source: Source, name: Any) -> str | None:
    """Column that holds the weights, checked."""
    if name is None:
        return None
    weight = column_named(who, source, "sample_weight", name)
    _check_weights(who, source, weight)
    return weight


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
    label = target.label(source)
    if len(target.code_of) > MOST_BRANCHES:
        return label, list(target.code_of)
    (first, *others) = target.code_of.items()
    code: nw.Expr = nw.lit(first[1])
    for value, place in others:
        code = nw.when(label == nw.lit(value)).then(nw.lit(place)).otherwise(code)
    return code.cast(nw.Int32), None


def selected(
    source: Source, keys: list[nw.Expr], weight: str | None, where: nw.Expr | None = None
) -> nw.LazyFrame[Any]:
    """Columns to be counted by, and the weight where there is one, of rows that count."""
    frame = source.frame if where is None else source.frame.filter(where)
    if weight is not None:
        frame = frame.filter(nw.col(weight) > 0)
        keys = [*keys, nw.col(weight).cast(nw.Float64).alias("weight")]
    return frame.select(*keys)


def integers(series: nw.Series[Any]) -> NDArray[np.int64]:
    """Read counts, which some engines give as decimals."""
    return np.asarray(series.cast(nw.Int64).to_numpy(), dtype=np.int64)


def _floats(series: nw.Series[Any]) -> NDArray[np.float64]:
    """Read numbers; what is missing is NaN, and -0.0 becomes 0.0."""
    return np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64) + 0.0


def _sizes(found: nw.DataFrame[Any]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Rows and weight of each entry of a query."""
    rows = integers(found["rows"])
    if "weight" not in found.columns:
        return rows, rows.astype(np.float64)
    return rows, np.asarray(found["weight"].to_numpy(), dtype=np.float64)


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


__all__ = ["LazyTarget", "column_named", "count_rows", "label_of", "read_lazy_target", "selected"]
