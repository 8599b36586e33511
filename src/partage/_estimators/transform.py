"""What the parts of columns stand for, put beside each other for the rows of a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._data.table import Table
from partage._display.outputs import (
    bit_places,
    output_dtype,
    output_names,
    shown_as,
    sparse_bits,
    values_at,
)
from partage._estimators.fit import Opened
from partage._estimators.plan import Plan
from partage._partitions.partition import Partition
from partage._support.parallel import Cancel, run_all
from partage._targets.folds import deal_folds

__all__ = ["as_categories", "transform_columns", "transform_out_of_fold"]

Columns = Sequence[tuple[int, Partition]]  # place in the table, and partition, of those kept


def transform_columns(
    who: str, table: Table, columns: Columns, output: str, n_jobs: int
) -> NDArray[Any] | Any:
    """Replace the values of each column by what their parts stand for."""
    if output == "sparse":
        return _fill_bits(who, table, columns, n_jobs)

    def transform_one(index: int, partition: Partition, _: Cancel) -> NDArray[Any]:
        return values_at(partition, output, partition._assign_from(who, table, index))

    return _fill(table.n_rows, columns, output, transform_one, n_jobs)


def as_categories(
    values: NDArray[Any], names: Sequence[str], columns: Columns, library: str, index: Any
) -> Any:
    """Make a frame of ordered categories of labels: the parts in their order, then all others."""
    orders = [list(dict.fromkeys(partition.code_labels())) for _, partition in columns]
    if library == "polars":
        import polars as pl

        return pl.DataFrame(
            [
                pl.Series(name, values[:, i].tolist(), dtype=pl.Enum(orders[i]))
                for i, name in enumerate(names)
            ]
        )
    import pandas as pd

    found = {
        i: pd.Categorical(values[:, i], categories=order, ordered=True)
        for i, order in enumerate(orders)
    }
    return pd.DataFrame(found, index=index).set_axis(list(names), axis=1)


def transform_out_of_fold(
    who: str, plan: Plan, opened: Opened, columns: Columns, output: str, n_folds: int, n_jobs: int
) -> NDArray[Any]:
    """Transform each row by the parts that are found without its fold."""
    table, rows = opened.table, opened.rows
    folds = deal_folds(who, rows, n_folds)

    def transform_one(index: int, whole: Partition, cancel: Cancel) -> NDArray[Any]:
        column = plan.read(who, table, index)
        # Rows of zero weight were never learned: they get what all others give.
        out = values_at(whole, output, whole._assign_from(who, table, index))
        for fold in range(n_folds):
            is_out = folds == fold
            others = rows.without(is_out)
            found = plan.fit(who, column, others, cancel, table.library)
            found = shown_as(who, found._marked(whole.event, whole.woe_sign), output)
            codes = found._assign_from(who, table, index)
            out[is_out] = values_at(found, output, codes[is_out])
        return out

    return _fill(table.n_rows, columns, output, transform_one, n_jobs)


def _fill(
    n_rows: int,
    columns: Columns,
    output: str,
    transform_one: Callable[[int, Partition, Cancel], NDArray[Any]],
    n_jobs: int,
) -> NDArray[Any]:
    """Put the outputs of the columns beside each other."""
    widths = [len(output_names(partition, "", output)) for _, partition in columns]
    ends = np.cumsum([0, *widths])
    out = np.empty((n_rows, ends[-1]), dtype=output_dtype(output), order="F")

    def fill_one(place: int, cancel: Cancel) -> None:
        out[:, ends[place] : ends[place + 1]] = transform_one(*columns[place], cancel)

    run_all(fill_one, range(len(columns)), n_jobs)
    return out


def _fill_bits(who: str, table: Table, columns: Columns, n_jobs: int) -> Any:
    """Put the bits of the columns beside each other, sparse."""
    places = [bit_places(partition) for _, partition in columns]
    starts = np.cumsum([0, *(found.max() + 1 for found in places)])
    size = max(table.n_rows * len(columns), int(starts[-1]))
    dtype = np.int32 if size <= np.iinfo(np.int32).max else np.int64
    bits = np.empty((table.n_rows, len(columns)), dtype=dtype)

    def fill_one(k: int, _: Cancel) -> None:
        index, partition = columns[k]
        shifted = np.where(places[k] < 0, -1, places[k] + starts[k]).astype(dtype)
        bits[:, k] = shifted[partition._assign_from(who, table, index)]

    run_all(fill_one, range(len(columns)), n_jobs)
    return sparse_bits(bits, int(starts[-1]))
