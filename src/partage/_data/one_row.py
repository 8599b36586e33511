"""One row as the user gives it: a dict, a frame, a series or the values in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np

from partage._data.lazy import check_in_memory
from partage._data.table import Table, check_names_differ, read_table

__all__ = ["read_one_row"]


def read_one_row(who: str, row: Any, names: list[str], *, has_names: bool) -> Table:
    """Make a table of one row with the fitted columns in their order.

    Named values are matched by name, and may include others. Where the fitted columns had none, a
    frame of as many columns is matched by order.
    """
    check_in_memory(who, row)
    check_names_differ(who, row)
    if isinstance(nw.from_native(row, pass_through=True), nw.DataFrame):
        return _from_frame(who, row, names, has_names)
    by_name = _by_name(row)
    if by_name is not None:
        _check_names(who, list(by_name), names)
        values = [by_name[name] for name in names]
    else:
        values = _in_order(who, row)
        _check_number(who, len(values), names)
    import pandas as pd

    cells = {name: pd.Series([value]) for name, value in zip(names, values, strict=True)}
    return read_table(who, pd.DataFrame(cells))


def _from_frame(who: str, row: Any, names: list[str], has_names: bool) -> Table:
    """Take the fitted columns of a frame of one row."""
    _check_one(who, len(row))
    table = read_table(who, row)
    own = table.names
    if not has_names and not set(names) <= set(own):
        _check_number(who, len(own), names)
        own = names
    _check_names(who, own, names)
    # Polars reads names such as "^a$" as patterns: columns are taken by their places.
    source = table.source[:, [own.index(name) for name in names]]
    return Table(source, names, 1, table.library)


def _by_name(row: Any) -> Mapping[str, Any] | None:
    """Values by the names of their columns, where the row has names."""
    import pandas as pd

    if isinstance(row, Mapping):
        return row
    if isinstance(row, pd.Series) and row.index.inferred_type == "string":
        return dict(zip(row.index, row, strict=True))
    if isinstance(row, tuple) and hasattr(row, "_asdict"):
        named: Mapping[str, Any] = row._asdict()
        return named
    return None


def _in_order(who: str, row: Any) -> list[Any]:
    """Values in the order of the columns."""
    if hasattr(row, "to_pylist"):
        row = row.to_pylist()
    series = nw.from_native(row, allow_series=True, pass_through=True)
    row = series.to_list() if isinstance(series, nw.Series) else row
    is_array = isinstance(row, np.ndarray) and row.ndim > 0
    if not is_array and (isinstance(row, (str, bytes)) or not isinstance(row, Sequence)):
        raise TypeError(
            f"{who}: row must be a dict, a data frame of one row, a series or a list of values; "
            f"got {type(row).__name__}."
        )
    values = list(row)
    if values and all(isinstance(value, (list, tuple, np.ndarray)) for value in values):
        _check_one(who, len(values))
        values = list(values[0])
    return values


def _check_one(who: str, n_rows: int) -> None:
    """Refuse another number of rows."""
    if n_rows != 1:
        raise ValueError(f"{who}: row must be one row; got {n_rows}.")


def _check_names(who: str, own: list[str], names: list[str]) -> None:
    """Refuse a row that lacks a fitted column."""
    absent = [name for name in names if name not in own]
    if absent:
        raise ValueError(f"{who}: row must name every column; {absent[0]!r} is not there.")


def _check_number(who: str, n_values: int, names: list[str]) -> None:
    """Refuse another number of values."""
    if n_values != len(names):
        raise ValueError(
            f"{who}: row must hold {len(names)} values, one for each column; got {n_values}."
        )
