"""Fitting the columns of a source, one by one, as the plan of an estimator says."""

from __future__ import annotations

import sys
from typing import Any

import narwhals as nw

from partage._partitions.contingency import Contingency
from partage._partitions.partition import Partition
from partage._spaces.space import MOST_BYTES
from partage._support.parallel import Cancel, run_all
from partage.engines.counting import check_supported, count_column
from partage.engines.lazy_target import LazyTarget, read_lazy_target
from partage.engines.source import LazyColumns, Source, read_source


def open_lazy(
    plan: Any, who: str, X: Any, y: Any, target: Any, sample_weight: Any
) -> tuple[LazyColumns, LazyTarget]:
    """Read what a source holds, and check what the parameters say of its columns."""
    source = read_source(who, X)
    if y is not None or target is None:
        raise ValueError(
            f"{who}: target must name the column that holds y, and y must be None, for a "
            f"table whose rows are not in memory; got {'y' if y is not None else 'neither'}."
        )
    if plan.by is not None:
        raise ValueError(
            f"{who}: by needs the rows of each segment, which an engine does not give; fit a table "
            "in memory."
        )
    labels = read_lazy_target(who, source, target, sample_weight, plan.target_type)
    taken = [name for name in (target, sample_weight) if name is not None]
    columns = source.without(taken)
    if not columns.indices:
        raise ValueError(f"{who}: the table must have columns beside the target; got none.")
    plan.check_columns(who, columns)
    return columns, labels


def names_frame(columns: LazyColumns) -> Any:
    """Make an empty frame of the columns, for scikit-learn to take their names from."""
    import pandas as pd

    return pd.DataFrame({name: [0.0] for name in columns.names})


def count_all(plan: Any, who: str, columns: LazyColumns, labels: LazyTarget) -> list[Contingency]:
    """Count every column, one query each."""
    out = []
    for i, index in enumerate(columns.indices):
        _show(columns.source, index, i, len(columns.indices))
        kind, order = plan.kind(who, columns, i)
        out.append(count_column(who, columns.source, index, labels, kind, order))
    return out


def fit_lazy(
    plan: Any,
    who: str,
    columns: LazyColumns,
    labels: LazyTarget,
    n_jobs: int,
    *,
    keeps_units: bool = False,
) -> list[Partition]:
    """Partition every column, one query each, or a few for numbers of many values.

    ``keeps_units`` says that partitions keep every value, however many they are.
    """
    source = columns.source
    kinds = [plan.kind(who, columns, i) for i in range(len(columns.indices))]
    for index in columns.indices:
        check_supported(who, source, index)
    numeric = [i for i, (kind, _) in enumerate(kinds) if kind == "numeric"]
    numbers = plan.numbers
    # Given cuts and trends are judged at single values.
    shaped = [i for i in numeric if numbers.limits.of(columns.names[i]).has_shape]
    free = [columns.indices[i] for i in numeric if i not in shaped]
    # Of a number each pair is counted: its sums are those of single rows.
    many = {} if labels.is_number else _with_many_values(source, free, labels.n_rows)

    n_bytes = sys.maxsize if keeps_units else MOST_BYTES // len(columns.indices)

    def fit_one(i: int, cancel: Cancel) -> Partition:
        index = columns.indices[i]
        found: Partition
        _show(source, index, i, len(columns.indices))
        kind, order = kinds[i]
        if index in many:
            from partage.engines.two_passes import find_in_two_passes

            found = find_in_two_passes(who, source, index, labels, numbers, cancel, many[index])
            return found._with_units_of_at_most(n_bytes)
        counts = count_column(who, source, index, labels, kind, order)
        found = plan.fit(who, counts.column, counts.target, cancel, counts.library)
        return found._with_units_of_at_most(n_bytes)

    # A local engine uses every core for one query; a cluster has room for several.
    n_queries = n_jobs if source.engine.name in ("dask", "spark") else 1
    try:
        return run_all(fit_one, range(len(columns.indices)), n_queries)
    except KeyboardInterrupt:
        source.engine.stop()
        raise


def _show(source: Source, index: int, i: int, n: int) -> None:
    """Tell which column is counted."""
    if source.progress is not None:
        source.progress(source.names[index], i + 1, n)


def _with_many_values(source: Source, indices: list[int], n_rows: int) -> dict[int, int]:
    """Numeric columns of more distinct values than are counted one by one, and how many."""
    if source.exact or n_rows <= source.most_values or not source.engine.can_stream:
        return {}
    wanted = [i for i in indices if _may_have_many(source.dtype(i))]
    if not wanted:
        return {}
    found = source.engine.estimate_distinct(source.frame, [f"c{i}" for i in wanted])
    if found is None:
        return {}
    return {i: found[f"c{i}"] for i in wanted if found[f"c{i}"] > source.most_values}


def _may_have_many(dtype: Any) -> bool:
    """Whether a column of this dtype can be counted in two passes."""
    if dtype.is_integer():
        return dtype not in (nw.Int8, nw.Int16, nw.UInt8, nw.UInt16)
    return bool(dtype.is_float()) or dtype == nw.Datetime
