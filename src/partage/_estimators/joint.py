"""Tables whose columns are looked at together: in memory, or where an engine holds them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from partage._data.table import Table, read_table
from partage._estimators.plan import Plan
from partage._partitions.joint_columns import Column, JointColumns, RowColumns
from partage._partitions.partition import Partition
from partage._support.parallel import Cancel, run_all
from partage._targets.read import check_not_among, read_target, take_target
from partage._targets.target import TargetRows, check_lengths
from partage.engines import is_lazy, read_source
from partage.engines.fitting import names_frame
from partage.engines.joint import count_together
from partage.engines.lazy_target import LazyTarget, count_rows, read_lazy_target
from partage.engines.source import LazyColumns

__all__ = ["JointTable", "open_joint", "target_rows"]


class JointTable(ABC):
    """A table and its target.

    Attributes
    ----------
    names : list of str
        Names of its columns, without the target.
    library : str
        Library that tables of results are made in.
    has_y : bool
        Whether there is a target.
    """

    names: list[str]
    library: str
    has_y: bool

    @property
    @abstractmethod
    def classes(self) -> Any:
        """The classes, in order."""

    @property
    @abstractmethod
    def shown(self) -> Any:
        """A frame of the columns, for scikit-learn to take their names from."""

    @abstractmethod
    def fit(self, places: Sequence[int], n_jobs: int) -> JointColumns:
        """Partition some columns alone, so that they can be counted together."""


@dataclass(frozen=True)
class _MemoryTable(JointTable):
    """A table in memory."""

    who: str
    plan: Plan
    X: Any
    table: Table
    rows: TargetRows
    has_y: bool

    @property
    def names(self) -> list[str]:  # type: ignore[override]  # of the table
        """Names of the columns."""
        return self.table.names

    @property
    def library(self) -> str:  # type: ignore[override]  # of the table
        """Library of the table."""
        return self.table.library

    @property
    def classes(self) -> Any:
        """The classes, in order."""
        return self.rows.classes

    @property
    def shown(self) -> Any:
        """The table itself."""
        return self.X

    def fit(self, places: Sequence[int], n_jobs: int) -> JointColumns:
        """Read and partition some columns."""

        def fit_one(index: int, cancel: Cancel) -> tuple[Column, Partition]:
            column = self.plan.read(self.who, self.table, index)
            found = self.plan.fit(self.who, column, self.rows, cancel, self.library)
            return column, found

        fitted = run_all(fit_one, list(places), n_jobs)
        columns, own = [column for column, _ in fitted], [partition for _, partition in fitted]
        return RowColumns(self.who, columns, own, self.rows, self.has_y, self.library)


@dataclass(frozen=True)
class _LazyTable(JointTable):
    """A table that an engine holds."""

    who: str
    plan: Plan
    columns: LazyColumns
    labels: LazyTarget
    has_y: bool

    @property
    def names(self) -> list[str]:  # type: ignore[override]  # of the source
        """Names of the columns."""
        return self.columns.names

    @property
    def library(self) -> str:  # type: ignore[override]  # of the source
        """Library of results."""
        return self.columns.library

    @property
    def classes(self) -> Any:
        """The classes, in order."""
        return self.labels.target.classes

    @property
    def shown(self) -> Any:
        """An empty frame of the columns."""
        return names_frame(self.columns)

    def fit(self, places: Sequence[int], n_jobs: int) -> JointColumns:
        """Count and partition some columns."""
        chosen = LazyColumns(self.columns.source, [self.columns.indices[k] for k in places])
        return count_together(self.plan, self.who, chosen, self.labels, self.has_y, n_jobs)


def open_joint(who: str, plan: Plan, X: Any, y: Any, target: Any, sample_weight: Any) -> JointTable:
    """Read a table and its target; without one, all rows are of one class."""
    if is_lazy(X):
        return _open_lazy(who, plan, X, y, target, sample_weight)
    X, y = take_target(who, X, y, target)
    table = read_table(who, X)
    check_not_among(who, table, y)
    rows = target_rows(who, y, sample_weight, table.n_rows)
    check_lengths(who, "X", table.n_rows, rows)
    return _MemoryTable(who, plan, X, table, rows, y is not None)


def _open_lazy(who: str, plan: Plan, X: Any, y: Any, target: Any, sample_weight: Any) -> JointTable:
    """Read what a source holds."""
    source = read_source(who, X)
    if y is not None:
        raise ValueError(
            f"{who}: target must name the column that holds y, and y must be None, for a table "
            "whose rows are not in memory; got y."
        )
    labels = (
        count_rows(who, source, sample_weight)
        if target is None
        else read_lazy_target(who, source, target, sample_weight)
    )
    taken = [name for name in (target, sample_weight) if name is not None]
    return _LazyTable(who, plan, source.without(taken), labels, target is not None)


def target_rows(who: str, y: Any, sample_weight: Any, n_rows: int) -> TargetRows:
    """Read the classes; without y all rows are of one."""
    given = np.zeros(n_rows, dtype=np.int64) if y is None else y
    return read_target(who, given, sample_weight, target_type="class")
