"""The columns of a scorecard: their parts, and their evidence in the rows that differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._estimators.fit import Opened, fit_columns
from partage._estimators.plan import Plan, check_plan
from partage._estimators.scorecard.regression import Evidence
from partage._estimators.table_partitioner import TablePartitioner
from partage._partitions.partition import Partition
from partage._search.limits import check_limits
from partage._search.methods import methods
from partage._support.checks import check_jobs
from partage.exceptions import NotPartitionableError

__all__ = [
    "Rows",
    "count_rows",
    "divide_again",
    "divide_further",
    "evidence_of",
    "fit_with_floor",
    "has_points",
    "share_of_values",
]

LEAST_SHARE = 0.05  # of the rows in each part
LEVEL_0 = "level 0"  # how reasons start for columns that say nothing alone
_LEAST_HELD = 30  # rows of a value, on average, before unordered values are grouped on demand


def fit_with_floor(
    who: str, maker: TablePartitioner, opened: Opened, is_own_floor: bool, known: dict[Any, Any]
) -> list[Partition]:
    """Partition every column.

    Where the floor of the sizes is a card's own, columns of fewer values stay in one part.
    ``known`` keeps the optima without limits.
    """
    n_jobs = check_jobs("Scorecard", maker.n_jobs)
    plan = check_plan("TablePartitioner", vars(maker) | {"target_type": None})
    try:
        return fit_columns(who, plan.knowing(known), opened, n_jobs)
    except NotPartitionableError:
        thin = _thin_columns(who, plan, opened) if is_own_floor else []
        if not thin:
            raise
    others = [name for name in opened.table.names if name not in thin]
    maker.max_parts = dict.fromkeys(others, maker.max_parts) | dict.fromkeys(thin, 1)
    maker.min_part_size = dict.fromkeys(others, maker.min_part_size)
    plan = check_plan("TablePartitioner", vars(maker) | {"target_type": None})
    return fit_columns(who, plan.knowing(known), opened, n_jobs)


def _thin_columns(who: str, plan: Plan, opened: Opened) -> list[str]:
    """Columns with values in fewer rows than a part must hold."""
    rows, found = opened.rows, []
    weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights
    for i, name in enumerate(opened.table.names):
        is_missing = plan.read(who, opened.table, i).take(rows.kept).missing_mask()
        if 0.0 < weights[~is_missing].sum() < LEAST_SHARE * weights.sum():
            found.append(name)
    return found


def divide_further(
    who: str,
    parameters: Mapping[str, Any],
    opened: Opened,
    found: list[Partition],
    least: int,
    known: dict[Any, Any],
) -> list[Partition]:
    """Divide columns of fewer parts into so many, or as near as values and limits allow.

    ``known`` holds the optima without limits that the search for ``found`` has kept.
    """
    limits = check_limits(who, max_parts=parameters["max_parts"])
    given = parameters["partitions"] or {}
    partitions = list(found)
    for i, partition in enumerate(found):
        if partition.name in given or not _may_be_divided(partition):
            continue
        limit = limits.of(partition.name).max_parts
        most = min(least, partition.n_values, least if limit is None else limit)
        sizes = range(most, partition.n_parts, -1)
        partitions[i] = _divide_first(who, parameters, opened, i, sizes, known) or partition
    return partitions


def divide_again(
    who: str, parameters: Mapping[str, Any], opened: Opened, index: int, partition: Partition
) -> Partition | None:
    """Divide a column of other rows in two, or as the partitioner does; None if neither can be.

    Two parts tell weak evidence from none best: more of them follow the noise of the rows.
    """
    sizes = range(min(partition.n_parts, 2), 1, -1)
    found = _divide_first(who, parameters, opened, index, sizes, {})
    if found is not None:
        return found
    plan = check_plan("TablePartitioner", {**parameters, "target_type": None})
    column = plan.read(who, opened.table, index)
    try:
        return plan.fit(who, column, opened.rows, None, opened.table.library)
    except NotPartitionableError:
        return None


def _divide_first(
    who: str,
    parameters: Mapping[str, Any],
    opened: Opened,
    index: int,
    sizes: range,
    known: dict[Any, Any],
) -> Partition | None:
    """Divide a column into the first of some numbers of parts that is possible."""
    tries = (_divide(who, parameters, opened, index, n, known) for n in sizes)
    return next((found for found in tries if found is not None), None)


def _may_be_divided(partition: Partition) -> bool:
    """Whether parts beyond those that pay for themselves can be found.

    Unordered values of few rows each, such as names, would be grouped by chance.
    """
    if partition.rule.is_line:
        return True
    return bool(partition.total().weight[0] >= _LEAST_HELD * partition.n_values)


def _divide(
    who: str,
    parameters: Mapping[str, Any],
    opened: Opened,
    index: int,
    n_parts: int,
    known: dict[Any, Any],
) -> Partition | None:
    """Divide a column into exactly this many parts of some size; None if that is not possible."""
    size = parameters["min_part_size"]
    size = LEAST_SHARE if size is None else size
    asked: dict[str, Any] = {"n_parts": n_parts, "max_parts": None, "min_part_size": size}
    if _may_be_coarse(parameters):
        asked["search"] = "coarse"  # near the optimum, in a fraction of the time
    asked["target_type"] = None
    plan = check_plan("TablePartitioner", {**parameters, **asked}).knowing(known)
    column = plan.read(who, opened.table, index)
    try:
        found = plan.fit(who, column, opened.rows, None, opened.table.library)
    except NotPartitionableError:
        return None
    # Nobody asked for exactly so many: edits may change their number.
    limits = {name: value for name, value in found.constraints.items() if name != "n_parts"}
    return found._with_found(constraints=limits, is_optimal=False, gap=None)


def _may_be_coarse(parameters: Mapping[str, Any]) -> bool:
    """Whether nobody chose a search, and the method has a coarse one that trends make worth it."""
    method = methods().get(str(parameters["method"]))
    is_open = parameters["search"] == "auto" and parameters["monotonic"] is not None
    return is_open and method is not None and "coarse" in method.searches


class Rows:
    """Rows that differ in the codes of their columns: how much they weigh, and their events.

    Attributes
    ----------
    codes : ndarray of shape (n_columns, n_rows)
        Code of each column.
    sizes, events : ndarray of shape (n_rows,)
        Weight of the rows, and of those that are events.
    """

    def __init__(
        self,
        codes: NDArray[np.int64],
        sizes: NDArray[np.float64],
        events: NDArray[np.float64],
    ) -> None:
        self.codes = codes
        self.sizes = sizes
        self.events = events


def count_rows(
    codes: NDArray[np.int64], is_event: NDArray[np.bool_], weights: NDArray[np.float64] | None
) -> Rows:
    """Count equal rows together, in an order that does not depend on theirs."""
    key = np.zeros(codes.shape[1], dtype=np.uint64)
    for column in codes:
        key = (key ^ column.astype(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(29)
    order = np.lexsort((is_event, key) if weights is None else (weights, is_event, key))
    sorted_codes, sorted_event = codes[:, order], is_event[order]
    is_first = np.append(True, (sorted_codes[:, 1:] != sorted_codes[:, :-1]).any(axis=0))
    starts = np.flatnonzero(is_first)
    weight = np.ones(len(order)) if weights is None else weights[order]
    sizes = np.add.reduceat(weight, starts)
    events = np.add.reduceat(np.where(sorted_event, weight, 0.0), starts)
    return Rows(np.ascontiguousarray(sorted_codes[:, starts]), sizes, events)


def has_points(partition: Partition) -> bool:
    """Whether rows differ in the parts of a column, and enough of them have a value."""
    is_thin = partition.n_parts == 1 and share_of_values(partition) < LEAST_SHARE
    return bool(np.count_nonzero(partition.own_tally().rows) > 1 and not is_thin)


def share_of_values(partition: Partition) -> float:
    """Share of the rows that have a value."""
    held = partition.own_tally().weight
    return float(held[: partition.n_parts].sum() / held.sum())


def evidence_of(partitions: list[Partition], rows: Rows, columns: list[int]) -> Evidence:
    """Evidence of some columns in the rows that differ."""
    found = [partitions[i].code_woe(partitions[i].event)[rows.codes[i]] for i in columns]
    shape = (len(columns), len(rows.sizes))
    return Evidence(np.array(found).reshape(shape), rows.sizes, rows.events)
