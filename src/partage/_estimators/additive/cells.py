"""The cells that the curves of an additive model are made of, and the cell of each row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._estimators.fit import Opened, fit_columns
from partage._estimators.plan import Plan, check_plan
from partage._partitions.partition import Partition

N_CELLS = 128
ROWS_OF_CELL = 4  # rows to a cell of numbers, at least
TRENDS = {"ascending": 1, "descending": -1}
_LEAST_STEP = 1e-6


@dataclass(frozen=True)
class CodedColumn:
    """A column in cells: quantiles of numbers, single values of categories.

    Attributes
    ----------
    partition : Partition
        The cells; behind them missing, unseen and special values.
    codes : ndarray of uint32
        Cell of each row that is learned.
    weights : ndarray of float64
        Weight of each cell.
    trend : int
        1 where the curve rises, -1 where it falls, else 0.
    """

    partition: Partition
    codes: NDArray[np.uint32]
    weights: NDArray[np.float64]
    trend: int = 0

    @property
    def name(self) -> str:
        """Name of the column."""
        return self.partition.name

    @property
    def n_cells(self) -> int:
        """Number of cells, with those of missing, unseen and special values."""
        return len(self.weights)

    @property
    def n_ordered(self) -> int:
        """Number of cells in order, which come first."""
        return self.partition.n_parts if self.partition.rule.is_line else 0

    @property
    def steps(self) -> NDArray[np.float64]:
        """Share of the rows between the middles of neighbouring cells."""
        own = self.weights[: self.n_ordered]
        shares = own / max(own.sum(), np.finfo(float).tiny)
        return np.asarray(np.maximum((shares[1:] + shares[:-1]) / 2, _LEAST_STEP))

    @property
    def is_informative(self) -> bool:
        """Whether rows lie in two cells or more."""
        return int((self.weights > 0).sum()) > 1


def cell_plan(who: str, parameters: Mapping[str, Any], target_type: str, n_rows: int) -> Plan:
    """Say how columns are put into cells."""
    asked = {
        "method": {"numeric": "equal-frequency", "categorical": "none"},
        "max_parts": max(2, min(N_CELLS, n_rows // ROWS_OF_CELL)),
        "target_type": target_type,
    }
    plan = check_plan(who, {**parameters, "monotonic": None, **asked})
    free = check_plan(who, {**parameters, "monotonic": None, **asked, "max_parts": None})
    return replace(plan, categories=free.categories)  # each value is a cell


def code_columns(
    who: str, plan: Plan, opened: Opened, trends: Mapping[str, str], n_jobs: int
) -> list[CodedColumn]:
    """Put every column into cells."""
    partitions = fit_columns(who, plan, opened, n_jobs)
    rows = opened.rows
    weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights
    found = []
    for i, partition in enumerate(partitions):
        codes = rows.kept_of(partition._assign_from(who, opened.table, i))
        n_cells = len(partition.code_labels())
        held = np.bincount(codes, weights, n_cells).astype(np.float64)
        trend = TRENDS.get(trends.get(partition.name, ""), 0)
        if trend and not partition.rule.is_line:
            raise ValueError(
                f"{who}: monotonic is for columns with an order; {partition.name!r} holds "
                "categories. Name their order by ordered=, or leave it out."
            )
        slim = replace(partition, units=None)
        found.append(CodedColumn(slim, codes.astype(np.uint32), held, trend))
    return found


def check_trends(who: str, monotonic: Any, names: Sequence[str]) -> Mapping[str, str]:
    """Check which curves must rise or fall."""
    if monotonic is None:
        return {}
    is_right = isinstance(monotonic, Mapping) and all(t in TRENDS for t in monotonic.values())
    if not is_right:
        raise ValueError(
            f"{who}: monotonic must be a dict of columns with 'ascending' or 'descending', or "
            f"None; got {monotonic!r}."
        )
    for name in monotonic:
        if name not in names:
            raise ValueError(
                f"{who}: monotonic names {name!r}, which is no column of X; X has "
                f"{', '.join(map(repr, names))}."
            )
    return dict(monotonic)


__all__ = ["CodedColumn", "cell_plan", "check_trends", "code_columns"]
