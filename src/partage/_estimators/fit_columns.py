"""How the estimators that partition a table read it, and partition it column by column."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from partage._data.categories import as_kind
from partage._data.table import Categories, Column, Table, read_measured, read_table
from partage._partitions.partition import Partition
from partage._search.limits import RULES
from partage._spaces.space import MOST_BYTES
from partage._support.checks import MEASURED, check_jobs, check_names
from partage._support.parallel import Cancel, run_all
from partage._targets.read import check_not_among, read_target, take_target, target_name
from partage._targets.target import TargetRows, check_lengths
from partage.engines import is_lazy
from partage.engines.fitting import fit_lazy, names_frame, open_lazy, target_of


class PartitionsColumns(BaseEstimator):
    """Fits one partition per column."""

    n_jobs: int | None

    def _check(self, who: str) -> Any:
        """Check the constructor's parameters."""
        raise NotImplementedError

    def _kind(self, who: str, table: Any, index: int, settings: Any) -> tuple[str | None, Any]:
        """How a column is read: its kind, None for categories as they come, and its order."""
        raise NotImplementedError

    def _find(
        self,
        who: str,
        column: Any,
        target: TargetRows,
        settings: Any,
        cancel: Cancel | None,
        library: str,
    ) -> Partition:
        """Partition one column that was read."""
        raise NotImplementedError

    def _read(self, who: str, table: Table, index: int, settings: Any) -> Column | Categories:
        """Read one column by its kind."""
        kind, order = self._kind(who, table, index, settings)
        if kind in MEASURED:
            return read_measured(who, table, index, str(kind))
        return as_kind(who, table.categories(who, index), kind, order)

    def _method_settings(self) -> dict[str, Any]:
        """Parameters that the methods of every kind of column share."""
        names = (
            "method",
            "search",
            "n_parts",
            "max_parts",
            "min_part_size",
            "missing",
            "special_values",
            "special",
            "method_params",
        )
        shaped = {name: getattr(self, name) for name in RULES if hasattr(self, name)}
        return {name: getattr(self, name) for name in names} | shaped

    def _check_table(self, who: str, table: Table, settings: Any) -> None:
        """Check what the parameters say of single columns."""

    def _check_by_column(self, who: str, table: Table) -> None:
        """Check the columns that dicts of parameters name."""
        for parameter in (*RULES, "special_values"):
            given = getattr(self, parameter, None)
            if isinstance(given, Mapping):
                check_names(who, parameter, given, table)

    def _fit_partitions(
        self, X: Any, y: Any, target: str | None, sample_weight: Any, call: str = "fit"
    ) -> tuple[Any, TargetRows, list[Partition]]:
        """Read the data and partition every column."""
        name = type(self).__name__
        who = f"{name}.{call}"
        settings = self._check(name)
        n_jobs = check_jobs(name, self.n_jobs)
        if is_lazy(X):
            columns, labels = open_lazy(self, who, X, y, target, sample_weight, settings)
            validate_data(self, names_frame(columns), skip_check_array=True)
            partitions = fit_lazy(self, who, columns, labels, settings, n_jobs)
            self._target_name = target_name(y, target)
            return columns, target_of(labels), partitions
        X, table, rows = self._open(who, X, y, target, sample_weight, settings)
        validate_data(self, X, skip_check_array=True)

        def fit_one(index: int, cancel: Cancel) -> Partition:
            column = self._read(who, table, index, settings)
            found = self._find(who, column, rows, settings, cancel, table.library)
            return found._with_units_of_at_most(MOST_BYTES // len(table.names))

        partitions = run_all(fit_one, range(len(table.names)), n_jobs)
        self._target_name = target_name(y, target)
        return table, rows, partitions

    def _open(
        self, who: str, X: Any, y: Any, target: str | None, sample_weight: Any, settings: Any
    ) -> tuple[Any, Table, TargetRows]:
        """Read a table in memory and its target; the table itself without it."""
        X, y = take_target(who, X, y, target)
        table = read_table(who, X)
        check_not_among(who, table, y)
        self._check_by_column(who, table)
        self._check_table(who, table, settings)
        rows = read_target(who, y, sample_weight)
        check_lengths(who, "X", table.n_rows, rows)
        by = getattr(self, "by", None)
        if by is not None:
            rows = self._with_segments(who, table, rows, by)
        return X, table, rows

    def _with_segments(self, who: str, table: Table, rows: TargetRows, by: Any) -> TargetRows:
        """Give each row the segment that a column names."""
        if who.endswith("partial_fit"):
            raise ValueError(
                f"{who}: by needs all rows at once, since counts of single columns do not hold "
                "it; use fit."
            )
        if by not in table.names:
            raise ValueError(
                f"{who}: by must name a column of X; got {by!r}, X has "
                f"{', '.join(map(repr, table.names))}."
            )
        codes = table.categories(who, table.names.index(by)).codes
        return rows.with_segments(who, codes)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = True
        return tags
