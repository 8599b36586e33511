"""Results as data frames of the library the user works with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage._partitions.costs import BIT, modl_costs
from partage._partitions.other_rows import count_codes, new_costs, stability
from partage._support.frames import Frame, make_frame
from partage._targets.tally import Tally

if TYPE_CHECKING:
    from partage._partitions.cells import Cells
    from partage._partitions.partition import Partition

_FEW = 20  # values of categories, of which each may well have a row of its own
NO_INFORMATION = "says nothing about the class"  # why a column is left in one part


def partition_table(
    partition: Partition,
    x: Any = None,
    y: Any = None,
    sample_weight: Any = None,
    certainty: bool = False,
) -> Any:
    """One row per part, then for missing, unseen and special values, and the total."""
    who = f"{type(partition).__name__}.table"
    if x is None and y is not None:
        raise ValueError(f"{who}: x must be given with y; got y only.")
    is_new = x is not None
    fitted = partition.own_tally()
    found = count_codes(who, partition, x, y, sample_weight) if is_new else fitted
    is_weighted = sample_weight is not None if is_new else partition.is_weighted
    shown = partition.rule.shown_codes()
    averaged = None if is_new else partition.own_averages()
    columns = _columns(partition, found, shown, is_weighted)
    if not is_new or y is not None:
        for name, values in partition.target.columns(found, averaged).items():
            columns[name] = values[[*shown, -1]]
        columns["bits"] = saved_bits(partition, found, shown, is_new)
    if is_new:
        columns["share_fitted"] = _with_total(fitted.shares, shown)
        columns["psi"] = _with_total(stability(fitted, found), shown)
    if certainty:
        columns |= _certainty(partition, len(shown) + 1)
    return make_frame(columns, partition.library)


def _certainty(partition: Partition, n_rows: int) -> dict[str, list[Any]]:
    """Stretch and probability of the upper border of each part; none for the other rows."""
    found = partition.certainty()
    rest = [None] * (n_rows - partition.n_parts + 1)
    return {
        "low": [*found.stretch_ends("low90"), *rest],
        "high": [*found.stretch_ends("high90"), *rest],
        "probability": [*found.cut_probabilities.tolist(), *rest],
    }


def _with_total(values: NDArray[Any], shown: list[int]) -> NDArray[Any]:
    """Values of the codes shown, and their sum."""
    return np.append(values[shown], values.sum())


def row_labels(partition: Partition) -> list[str]:
    """Name each code; a part names what was merged into it."""
    labels = partition.code_labels()
    for code, home in enumerate(partition.rule.homes()):
        if home is not None and labels[code] != "unseen":
            labels[home] += f" + {labels[code]}"
    return labels


def _columns(
    partition: Partition, found: Tally, shown: list[int], is_weighted: bool
) -> dict[str, Any]:
    """Columns of the table that need no target."""
    labels = row_labels(partition)
    columns: dict[str, Any] = {"part": [*(labels[k] for k in shown), "total"]}
    columns["count"] = _with_total(found.rows, shown)
    if is_weighted:
        columns["weight"] = _with_total(found.weight, shown)
    columns["share"] = _with_total(found.shares, shown)
    return columns


def saved_bits(
    partition: Partition, found: Tally, shown: list[int], is_new: bool = False
) -> NDArray[np.float64]:
    """Bits that each row saves; together they are what the partition saves under MODL.

    A row saves what its classes cost under the shares of all rows, minus its own length; the
    price of telling the parts is shared evenly among them, or, where no row lies in any, among the
    rows beside them.
    """
    counts = found.class_counts
    saved = partition._price(partition).gains(counts)
    cost, null = new_costs(partition, found) if is_new else modl_costs(partition)
    rest = null - cost - saved.sum()
    paying = np.arange(len(counts)) < partition.n_parts
    if not counts[paying].any() and counts.any():
        paying = np.asarray(counts.any(axis=1))
    saved[paying] += rest / np.count_nonzero(paying)
    return np.append(saved[shown], null - cost) / BIT + 0.0


def cells_table(cells: Cells) -> Any:
    """One row per part of a set of objects."""
    parts = cells.tally.take(slice(cells.n_parts))
    columns: dict[str, Any] = {
        "part": np.arange(cells.n_parts),
        "count": parts.weight.astype(np.int64),
        "share": parts.weight / parts.weight.sum(),
    }
    shown = cells.target.columns(parts)
    for name in (name for name in shown if name.startswith(("count_", "rate_"))):
        columns[name] = shown[name][:-1]
    if cells.readings:
        columns["reading"] = list(cells.readings)
    return make_frame(columns, cells.library)


def summary_table(partitions: list[Partition], library: str) -> Frame:
    """One row per column, the most informative first."""
    ranked = sorted(partitions, key=lambda partition: -partition.level)
    return make_frame(
        {
            "column": [partition.name for partition in ranked],
            "kind": [partition.rule.column_kind for partition in ranked],
            "level": [partition.level for partition in ranked],
            "parts": [partition.n_parts for partition in ranked],
            "values": [partition.n_values for partition in ranked],
            "missing": [partition.missing_rows for partition in ranked],
            "cost": [partition.cost for partition in ranked],
            "null_cost": [partition.null_cost for partition in ranked],
            "optimal": [partition.is_optimal for partition in ranked],
            "gap": [partition.gap for partition in ranked],
            **_strengths(ranked),
            "why": [why_one_part(partition) for partition in ranked],
        },
        library,
    )


def strength(partition: Partition) -> dict[str, float]:
    """Information value, Gini index and distance of the parts, missing and special values too."""
    return partition.target.strength(partition.own_averages() or partition.own_tally())


def _strengths(partitions: list[Partition]) -> dict[str, list[float]]:
    """Columns of a summary of two classes."""
    found = [strength(partition) for partition in partitions]
    return {name: [row[name] for row in found] for name in (found[0] if found else {})}


def why_one_part(partition: Partition) -> str:
    """Say why a column was left in one part."""
    if partition.n_parts > 1:
        return ""
    if partition.n_values == 0:
        return "all values are missing"
    if partition.n_values == 1:
        return "one value only"
    if partition.target.constant:
        return partition.target.constant
    n_rows = int(partition.own_tally().rows.sum()) - partition.missing_rows
    if not partition.rule.is_measured and partition.n_values > max(_FEW, n_rows // 2):
        return f"{partition.n_values:,} different values in {n_rows:,} rows, too many to compare"
    nothing = f"says nothing about the {partition.target.noun}"
    asked = [name for name in partition.constraints if name not in ("max_parts", "by")]
    return f"{nothing} within the limits ({', '.join(asked)})" if asked else nothing
