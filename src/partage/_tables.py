"""Results as data frames of the library the user works with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np

if TYPE_CHECKING:
    from partage._partitions import Partition


def make_frame(columns: dict[str, Any], library: str) -> Any:
    """Build a data frame of a library; pandas where that library makes no frames."""
    name: Any = library if library in ("pandas", "polars", "pyarrow", "modin", "cudf") else "pandas"
    plain = {key: _plain(values) for key, values in columns.items()}
    return nw.from_dict(plain, backend=name).to_native()


def _plain(values: Any) -> list[Any]:
    """Values every library takes."""
    return values.tolist() if isinstance(values, np.ndarray) else list(values)


def partition_table(partition: Partition) -> Any:
    """One row per part, then one each for missing, unseen and special values kept apart."""
    n_parts = partition.n_parts
    labels = partition.code_labels()
    homes = [partition.missing_part]
    if partition.has_unseen:
        is_group = isinstance(getattr(partition, "groups", None), tuple)
        homes.append(getattr(partition, "garbage", None) if is_group else -1)
    homes.extend(partition.special_parts)
    shown = [*range(n_parts), *(n_parts + i for i, home in enumerate(homes) if home is None)]
    for i, home in enumerate(homes):
        if home is not None and home >= 0 and labels[n_parts + i] != "unseen":
            labels[home] += f" + {labels[n_parts + i]}"
    counts = partition.code_counts()[shown]
    sizes = counts.sum(axis=1)
    total = partition.totals().sum()
    rates = partition.code_rates()[shown]
    whole = bool((counts == np.floor(counts)).all())
    rows = partition.code_rows()
    columns: dict[str, Any] = {"part": [labels[k] for k in shown], "count": rows[shown]}
    if partition.is_weighted:
        columns["weight"] = sizes
    columns["share"] = sizes / total if total > 0 else sizes
    for j, label in enumerate(partition.classes.tolist()):
        columns[f"count_{label}"] = counts[:, j].astype(np.int64) if whole else counts[:, j]
    for j, label in enumerate(partition.classes.tolist()):
        columns[f"rate_{label}"] = rates[:, j]
    if len(partition.classes) == 2:
        columns["woe"] = partition.code_woe(1)[shown]
    return make_frame(columns, partition.library)


def summary_table(partitions: list[Partition], library: str) -> Any:
    """One row per column, the most informative first."""
    ranked = sorted(partitions, key=lambda partition: -partition.level)
    return make_frame(
        {
            "column": [partition.name for partition in ranked],
            "kind": [_kind(partition) for partition in ranked],
            "level": [partition.level for partition in ranked],
            "parts": [partition.n_parts for partition in ranked],
            "values": [partition.n_values for partition in ranked],
            "missing": [partition.missing_rows for partition in ranked],
            "cost": [partition.cost for partition in ranked],
            "null_cost": [partition.null_cost for partition in ranked],
            "optimal": [partition.is_optimal for partition in ranked],
            "why": [_why_one_part(partition) for partition in ranked],
        },
        library,
    )


def _kind(partition: Partition) -> str:
    """Kind of the column."""
    kind = getattr(partition, "kind", None)
    if kind is None:
        return "ordered" if getattr(partition, "is_ordered", False) else "categorical"
    return str(kind.name) if kind.name in ("datetime", "duration") else "numeric"


def _why_one_part(partition: Partition) -> str:
    """Say why a column was left in one part."""
    if partition.n_parts > 1:
        return ""
    if partition.n_values == 0:
        return "all values are missing"
    if partition.n_values == 1:
        return "one value only"
    return "one class only" if len(partition.classes) < 2 else "says nothing of the class"
