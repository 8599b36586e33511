"""The one place that knows data frames, arrays, missing values and column names."""

from __future__ import annotations

import numbers
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from partage._data.categories import (
    WIDE,
    CategoryColumn,
    categories_from_numpy,
    categories_from_series,
)
from partage._data.column import Kind, NumberColumn
from partage._data.lazy import check_in_memory
from partage._data.numbers import (
    are_measured,
    check_times,
    column_from_numpy,
    column_from_text,
    gaps_among,
    with_gaps,
    with_zone,
)
from partage._data.rows import array_of_rows, array_of_values
from partage._data.times import times_and_zone, times_of

__all__ = [
    "CategoryColumn",
    "NumberColumn",
    "Table",
    "as_vector",
    "check_names_differ",
    "drop_column",
    "frame_library",
    "ordered_levels",
    "read_by_kind",
    "read_categories",
    "read_column",
    "read_measured",
    "read_table",
    "read_text",
]


@dataclass(frozen=True)
class Table:
    """A table whose columns are read one at a time, when they are asked for."""

    source: Any  # a narwhals frame or a two-dimensional array
    names: list[str]
    n_rows: int
    library: str  # of the frames that results are made in

    def column(self, who: str, index: int, wanted: Kind | None = None) -> NumberColumn:
        """Read one column; where its values should be times, also as text."""
        name = self.names[index]
        if isinstance(self.source, np.ndarray):
            values, missing = _split_mask(self.source[:, index])
            return column_from_numpy(who, name, values, missing, wanted).as_gaps_of(wanted)
        return _column_from_series(who, name, self.series(index), wanted).as_gaps_of(wanted)

    def categories(self, who: str, index: int) -> CategoryColumn:
        """Read one column as categories."""
        if isinstance(self.source, np.ndarray):
            return categories_from_numpy(who, self.names[index], _cells(self.source[:, index]))
        return categories_from_series(who, self.names[index], self.series(index))

    def series(self, index: int) -> nw.Series[Any]:
        """Column of a frame as it is."""
        series: nw.Series[Any] = self.source.get_column(self._own_names[index])
        # Polars reads names such as "^a$" as patterns, in methods of series too.
        return series.alias("x") if series.implementation.is_polars() else series

    @cached_property
    def _own_names(self) -> list[str]:
        """Names of a frame's columns, which some libraries build again at every call."""
        return list(self.source.columns)

    def kind(self, index: int) -> str:
        """Tell by the dtype whether a column is "numeric", "ordered" or "categorical"."""
        if isinstance(self.source, np.ndarray):
            return _kind_of_array(self.source[:, index])
        return _kind_of_series(self.series(index))


def _kind_of_array(values: NDArray[Any]) -> str:
    """Kind of a column of an array."""
    if values.dtype.kind == "O":
        return _kind_of_objects(_cells(values))
    return "numeric" if values.dtype.kind in "fiuMm" else "categorical"


def _kind_of_series(series: nw.Series[Any]) -> str:
    """Kind of a column of a frame."""
    dtype = series.dtype
    if dtype.is_numeric() or times_and_zone(series) is not None:
        return "numeric"
    if dtype in (nw.Object, nw.Unknown):
        return _kind_of_objects(np.array(series.to_list() or [], dtype=object))
    if dtype == nw.Enum:
        return "ordered"
    ordered = getattr(getattr(series.to_native(), "cat", None), "ordered", False)
    if dtype == nw.Categorical:
        return "ordered" if ordered is True else "categorical"
    return "categorical"


def _kind_of_objects(values: NDArray[Any]) -> str:
    """Whether Python objects are numbers or times."""
    present = values[~gaps_among(values)]
    return "numeric" if len(present) and are_measured(present) else "categorical"


def _split_mask(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.bool_] | None]:
    """Values, and which of them are masked; None for an array without a mask."""
    if values.dtype.kind == "T":
        values = values.astype(object)  # text of any length, which few functions know
    if not isinstance(values, np.ma.MaskedArray):
        return values, None
    return np.asarray(values.data), np.ma.getmaskarray(values)


def _cells(values: NDArray[Any]) -> NDArray[Any]:
    """Values of an array; masked ones are missing."""
    array, missing = _split_mask(values)
    return array if missing is None else with_gaps(array, missing)


def read_table(who: str, X: Any) -> Table:
    """Take a data frame of any library, or a two-dimensional array."""
    if isinstance(X, Table):
        return X
    if hasattr(X, "toarray") and hasattr(X, "nnz"):
        raise TypeError(
            f"{who}: X must be dense; sparse data is not supported. Pass X.toarray() if it fits "
            "in memory."
        )
    check_in_memory(who, X)
    frame = X if isinstance(X, np.ndarray) else nw.from_native(_named(who, X), pass_through=True)
    if isinstance(frame, nw.DataFrame):
        return _table_from_frame(who, frame)
    if isinstance(X, (list, tuple)):
        array = array_of_rows(who, X)
    else:
        array = X if isinstance(X, np.ma.MaskedArray) else np.asarray(X)
    _check_dimensions(who, X, array)
    n_rows, n_columns = array.shape
    _check_shape(who, n_rows, n_columns)
    return Table(array, [f"x{i}" for i in range(n_columns)], n_rows, "pandas")


def _check_dimensions(who: str, X: Any, array: NDArray[Any]) -> None:
    """Refuse what has not two dimensions."""
    if array.ndim == 2:
        return
    if array.ndim == 0 or array.dtype.names or isinstance(next(iter(X), None), Mapping):
        raise ValueError(
            f"{who}: Found array with dim {array.ndim}; X must be a data frame, or an array or "
            f"a list of rows, got {_shown(X)}. Pass pandas.DataFrame(X)."
        )
    if array.ndim == 1:
        raise ValueError(
            f"{who}: Expected 2D array, got 1D array instead. Reshape your data either using "
            "X.reshape(-1, 1) if it has one column or X.reshape(1, -1) if it has one row."
        )
    raise ValueError(f"{who}: Found array with dim {array.ndim}; X must have two dimensions.")


def _shown(X: Any) -> str:
    """Tell in a message what is no table."""
    if isinstance(X, np.ndarray):
        return f"an array of type {X.dtype}"
    return f"a {type(X).__name__}" + (" of dicts" if isinstance(X, (list, tuple)) else "")


def _table_from_frame(who: str, frame: nw.DataFrame[Any]) -> Table:
    """Take a frame of any library."""
    columns = list(frame.columns)
    _check_shape(who, len(frame), len(columns))
    return Table(frame, columns, len(frame), str(frame.implementation))


def check_names_differ(who: str, X: Any) -> list[Any]:
    """Names of the columns of a frame, none of which may stand twice; of an array none."""
    names = _names_of(X)
    if len(set(names)) < len(names):
        repeated = next(name for name in names if names.count(name) > 1)
        raise ValueError(
            f"{who}: column names must differ; {repeated!r} stands more than once. "
            "Rename one of them."
        )
    return names


def _names_of(X: Any) -> list[Any]:
    """Names of the columns of a frame; a row has none, even if one of its values is named so."""
    if isinstance(X, (tuple, Mapping)) or getattr(X, "ndim", 2) < 2:
        return []
    is_arrow = type(X).__module__.startswith("pyarrow")
    names = getattr(X, "column_names" if is_arrow else "columns", None)
    return [] if names is None else list(names)


def drop_column(frame: nw.DataFrame[Any], name: str) -> Any:
    """Leave out one column of a frame, whose library may read names such as "^a$" as patterns."""
    kept = [place for place, other in enumerate(frame.columns) if other != name]
    return frame[:, kept].to_native()


def _named(who: str, X: Any) -> Any:
    """Give a frame names that are text and differ, as every library wants them."""
    names = check_names_differ(who, X)
    if all(isinstance(name, str) for name in names) or not hasattr(X, "set_axis"):
        return X
    return X.set_axis([f"x{i}" for i in range(len(names))], axis=1)


def _check_shape(who: str, n_rows: int, n_columns: int) -> None:
    """Refuse tables without rows or columns."""
    if n_columns == 0:
        raise ValueError(
            f"{who}: X must have columns; got 0 feature(s) (shape=({n_rows}, 0)) while a minimum "
            "of 1 is required."
        )
    if n_rows == 0:
        raise ValueError(
            f"{who}: X must have rows; got 0 sample(s) (shape=(0, {n_columns})) while a minimum "
            "of 1 is required."
        )


def read_measured(who: str, table: Table, index: int, kind: str) -> NumberColumn:
    """Read a column that is "numeric", or declared to be "datetime"."""
    if kind != "datetime":
        return table.column(who, index)
    return check_times(who, table.column(who, index, Kind("datetime", "us")))


def read_column(
    who: str, values: Any, name: str | None = None, wanted: Kind | None = None
) -> NumberColumn:
    """Take one column: an array, a list, or a series of any library."""
    series = _as_series(values)
    if series is not None:
        column = _column_from_series(who, name or series.name or "x", series, wanted)
        return column.as_gaps_of(wanted)
    _check_dense(who, values)
    array, missing = _split_mask(_as_array(who, values))
    if array.ndim != 1:
        raise ValueError(f"{who}: x must have one dimension; got the shape {array.shape}.")
    return column_from_numpy(who, name or "x", array, missing, wanted).as_gaps_of(wanted)


def _check_dense(who: str, values: Any) -> None:
    """Refuse sparse columns."""
    if hasattr(values, "toarray") and hasattr(values, "nnz"):
        raise TypeError(f"{who}: x must be dense; sparse data is not supported. Pass x.toarray().")


def read_categories(who: str, values: Any, name: str | None = None) -> CategoryColumn:
    """Take one column of categories: an array, a list, or a series of any library."""
    series = _as_series(values)
    if series is not None:
        return categories_from_series(who, name or series.name or "x", series)
    _check_dense(who, values)
    array = _cells(_as_array(who, values))
    if array.ndim != 1:
        raise ValueError(f"{who}: x must have one dimension; got the shape {array.shape}.")
    return categories_from_numpy(who, name or "x", array)


def read_by_kind(who: str, values: Any, name: str | None = None) -> NumberColumn | CategoryColumn:
    """Take one column as numbers where it holds numbers or times, else as categories."""
    if not isinstance(values, (list, tuple)):  # a list of texts is a column, not files
        check_in_memory(who, values)
    series = _as_series(values)
    if series is not None:
        is_measured = _kind_of_series(series) == "numeric"
    else:
        _check_dense(who, values)
        is_measured = _kind_of_array(_as_array(who, values)) == "numeric"
    return read_column(who, values, name) if is_measured else read_categories(who, values, name)


def read_text(who: str, values: Any) -> CategoryColumn | None:
    """Take a series of text or of categories that are text; None for anything else."""
    series = _as_series(values)
    if series is None or series.dtype not in (nw.String, nw.Categorical, nw.Enum):
        return None
    column = categories_from_series(who, "y", series)
    is_text = all(isinstance(value, str) for value in column.values)
    return column if is_text and column.values else None


def _as_series(values: Any) -> nw.Series[Any] | None:
    """Wrap a series of any library; pyarrow arrays count as such."""
    if isinstance(values, (np.ndarray, list, tuple)):
        return None
    if type(values).__module__.startswith("pyarrow") and not hasattr(values, "chunks"):
        import pyarrow as pa

        values = pa.chunked_array([values])
    elif type(values).__name__ in ("Categorical", "CategoricalIndex"):
        import pandas as pd

        if isinstance(values, (pd.Categorical, pd.CategoricalIndex)):
            values = pd.Series(values)
    wrapped = nw.from_native(values, allow_series=True, pass_through=True)
    return wrapped if isinstance(wrapped, nw.Series) else None


def _as_array(who: str, values: Any) -> NDArray[Any]:
    """Make an array; a list of mixed values stays one of objects instead of becoming text."""
    if isinstance(values, np.ndarray):
        return values
    if (
        values is None
        or isinstance(values, (str, bytes, set, frozenset, dict))
        or not (hasattr(values, "__array__") or hasattr(values, "__iter__"))
    ):
        raise TypeError(
            f"{who}: a column must be an array, a list or a series; got {type(values).__name__}."
        )
    values = list(values) if not hasattr(values, "__array__") else values
    if isinstance(values, list) and not _is_plain(values):
        return np.fromiter(values, dtype=object, count=len(values))
    return array_of_values(values)


def _is_plain(values: list[Any]) -> bool:
    """Whether NumPy's own dtype says all of a list: one type, or numbers."""
    types = set(map(type, values))
    if types & {str, bytes, list, tuple, set, dict}:
        return False  # NumPy's text drops final NULs and is as wide as the longest
    return len(types) < 2 or (bool not in types and all(issubclass(t, numbers.Real) for t in types))


def _column_from_series(
    who: str, name: str, series: nw.Series[Any], wanted: Kind | None = None
) -> NumberColumn:
    """Read a series of any library."""
    dtype = series.dtype
    if dtype.is_float():
        return column_from_numpy(who, name, np.asarray(series.to_numpy()))
    if (dtype.is_integer() and dtype not in WIDE) or dtype == nw.Boolean:
        missing = series.is_null()
        if not missing.any():
            return column_from_numpy(who, name, np.asarray(series.to_numpy()))
        filled = series.fill_null(False if dtype == nw.Boolean else 0)
        if dtype.is_integer():
            filled = filled.cast(nw.UInt64 if str(dtype).startswith("U") else nw.Int64)
        return column_from_numpy(
            who, name, np.asarray(filled.to_numpy()), np.asarray(missing.to_numpy())
        )
    found = times_and_zone(series)
    if found is not None:
        times, zone = found
        return with_zone(column_from_numpy(who, name, times_of(times)), zone)
    if dtype in (nw.String, nw.Categorical, nw.Enum):
        return column_from_text(who, name, series.to_list(), wanted)
    values = np.array(series.to_list() or [], dtype=object)
    return column_from_numpy(who, name, values, wanted=wanted)


def ordered_levels(values: Any) -> list[Any] | None:
    """Levels of an ordered categorical series, in order; None for anything else."""
    series = _as_series(values)
    if series is None or series.dtype not in (nw.Categorical, nw.Enum):
        return None
    native = series.to_native()
    accessor: Any = getattr(native, "cat", None)
    if getattr(accessor, "ordered", False) is True:
        return list(accessor.categories)
    if series.dtype == nw.Enum and not hasattr(accessor, "ordered"):
        return list(series.dtype.categories)  # type: ignore[attr-defined]  # narwhals' Enum
    return None


def frame_library(values: Any) -> str:
    """Name of the library that results for these values are made in."""
    series = _as_series(values)
    return "pandas" if series is None else str(series.implementation)


def as_vector(who: str, name: str, values: Any) -> NDArray[Any]:
    """Take labels: one dimension, any library; a single column is taken with a warning."""
    if values is None:
        raise ValueError(
            f"{who}: {name} must be given; got None. It requires y to be passed, but the target y "
            "is None."
        )
    series = _as_series(values)
    if series is not None:
        return np.asarray(series.to_numpy())
    is_nested = isinstance(values, list) and any(isinstance(v, (list, tuple)) for v in values)
    array = np.asarray(values) if is_nested else _cells(_as_array(who, values))
    if array.ndim == 2 and array.shape[1] == 1:
        from sklearn.exceptions import DataConversionWarning

        warnings.warn(
            f"A column-vector {name} was passed when a 1d array was expected; {who} takes "
            f"{name}.ravel().",
            DataConversionWarning,
            stacklevel=4,
        )
        array = array[:, 0]
    if array.ndim != 1:
        raise ValueError(f"{who}: {name} must have one dimension; got the shape {array.shape}.")
    return array
