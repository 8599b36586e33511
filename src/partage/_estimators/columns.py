"""The columns that an estimator was fitted on, as scikit-learn knows them."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

import narwhals as nw

from partage._data.conversions import convert_table
from partage._data.table import Table, drop_column, read_table
from partage._partitions.partition import Partition

__all__ = ["partition_named", "read_fitted_columns"]


def read_fitted_columns(model: Any, who: str, X: Any) -> Table:
    """Read a table of the columns that a model was fitted on; its target may stand beside them."""
    from sklearn.utils.validation import validate_data

    made = getattr(model, "_conversions", {})
    if made:
        X = convert_table(X, made)
        names = list(model.feature_names_in_)
        X = nw.from_native(X).select(names).to_native() if hasattr(X, "columns") else X
    table = read_table(who, X)
    if _has_target_beside(model, table):
        X = drop_column(nw.from_native(X), model._target_name)
        table = read_table(who, X)
    try:
        validate_data(model, X, reset=False, skip_check_array=True)
    except ValueError as error:
        if not str(error).startswith("The feature names"):
            raise
        raise ValueError(
            f"{who}: {str(error).strip()}\nSelect the fitted columns in their order: "
            "X[list(model.feature_names_in_)]."
        ) from None
    return table


def _has_target_beside(model: Any, table: Table) -> bool:
    """Whether a frame holds the column that held the class in fit."""
    name = getattr(model, "_target_name", None)
    is_frame = isinstance(nw.from_native(table.source, pass_through=True), nw.DataFrame)
    return is_frame and name in table.names and name not in getattr(model, "feature_names_in_", [])


def partition_named(who: str, partitions: Mapping[str, Partition], column: str) -> Partition:
    """Give the partition of a column."""
    if column in partitions:
        return partitions[column]
    near = difflib.get_close_matches(str(column), list(partitions), n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(map(repr, partitions))}."
    raise KeyError(f"{who}: no column {column!r} was fitted; {hint}")
