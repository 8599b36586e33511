"""What the estimators that partition a table column by column share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from partage import _core
from partage._categories import as_kind
from partage._contingency import Contingency, count
from partage._cross_fit import deal_folds, without_rows
from partage._discretize import check_lengths
from partage._inputs import Categories, Column, Table, read_table
from partage._limits import RULES
from partage._outputs import output_names, output_values, values_at
from partage._parallel import run_all
from partage._params import OUTPUTS, check_choice, check_jobs
from partage._partitions import Partition
from partage._tables import summary_table
from partage._targets import (
    ClassTarget,
    check_not_among,
    read_target,
    take_target,
    target_name,
    with_segments,
)
from partage._units import MOST_BYTES
from partage.engines import is_lazy, read_source
from partage.engines._fitting import count_all, fit_lazy, names_frame, open_lazy, target_of
from partage.engines._transform import transform_lazy


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
        target: ClassTarget,
        settings: Any,
        cancel: _core.Cancel | None,
        library: str,
    ) -> Partition:
        """Partition one column that was read."""
        raise NotImplementedError

    def _read(self, who: str, table: Table, index: int, settings: Any) -> Column | Categories:
        """Read one column by its kind."""
        kind, order = self._kind(who, table, index, settings)
        if kind == "numeric":
            return table.column(who, index)
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
        self, X: Any, y: Any, target: str | None, sample_weight: Any
    ) -> tuple[Any, ClassTarget, list[Partition]]:
        """Read the data and partition every column."""
        name = type(self).__name__
        who = f"{name}.fit"
        settings = self._check(name)
        n_jobs = check_jobs(name, self.n_jobs)
        if is_lazy(X):
            columns, labels = open_lazy(self, who, X, y, target, sample_weight, settings)
            validate_data(self, names_frame(columns), skip_check_array=True)
            partitions = fit_lazy(self, who, columns, labels, settings, n_jobs)
            return columns, target_of(labels), partitions
        X, table, rows = self._open(who, X, y, target, sample_weight, settings)
        validate_data(self, X, skip_check_array=True)

        def fit_one(index: int, cancel: _core.Cancel) -> Partition:
            column = self._read(who, table, index, settings)
            found = self._find(who, column, rows, settings, cancel, table.library)
            return found._with_units_of_at_most(MOST_BYTES // len(table.names))

        return table, rows, run_all(fit_one, range(len(table.names)), n_jobs)

    def _open(
        self, who: str, X: Any, y: Any, target: str | None, sample_weight: Any, settings: Any
    ) -> tuple[Any, Table, ClassTarget]:
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

    def _with_segments(self, who: str, table: Table, rows: ClassTarget, by: Any) -> ClassTarget:
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
        return with_segments(who, rows, codes)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = True
        return tags


class BasePartitioner(TransformerMixin, PartitionsColumns):
    """Fits one partition per column and transforms values to what their parts stand for."""

    output: str
    positive: Any
    woe_sign: int
    cross_fit: int | None

    def _kept(self) -> list[bool]:
        """Which columns ``transform`` keeps."""
        return [True] * len(self.partitions_)

    def fit(self, X, y=None, *, target=None, sample_weight=None):
        """Partition every column.

        Parameters
        ----------
        X : data frame or array of shape (n_rows, n_columns)
            The table.
        y : array-like of shape (n_rows,), default=None
            The class of each row.
        target : str, default=None
            Name of the column of X that holds the class, instead of y.
        sample_weight : array-like of shape (n_rows,), default=None
            Frequency of each row.

        Returns
        -------
        self
            The fitted estimator.
        """
        table, rows, partitions = self._fit_partitions(X, y, target, sample_weight)
        self._set_partitions(partitions, rows.classes, table.library)
        self._target_name = target_name(y, target)
        self._counts = None
        return self

    def partial_fit(self, X, y=None, *, target=None, sample_weight=None):
        """Add a piece of the data, and partition all that was given so far.

        The class counts of each value are kept and added up, so that the pieces give exactly the
        partitions of the whole table. ``fit`` keeps no counts: after it, the first piece starts
        anew.

        Parameters
        ----------
        X : data frame or array of shape (n_rows, n_columns)
            The piece, with the columns of the pieces before.
        y : array-like of shape (n_rows,), default=None
            The class of each row.
        target : str, default=None
            Name of the column of X that holds the class, instead of y.
        sample_weight : array-like of shape (n_rows,), default=None
            Frequency of each row.

        Returns
        -------
        self
            The estimator, fitted to all pieces.
        """
        name = type(self).__name__
        who = f"{name}.partial_fit"
        settings = self._check(name)
        n_jobs = check_jobs(name, self.n_jobs)
        kept: list[Contingency] | None = getattr(self, "_counts", None)
        if is_lazy(X):
            columns, labels = open_lazy(self, who, X, y, target, sample_weight, settings)
            validate_data(self, names_frame(columns), reset=kept is None, skip_check_array=True)
            counts = count_all(self, who, columns, replace(labels, name="y"), settings)
        else:
            X, table, rows = self._open(who, X, y, target, sample_weight, settings)
            validate_data(self, X, reset=kept is None, skip_check_array=True)

            def count_one(index: int, _: _core.Cancel) -> Contingency:
                column = self._read(who, table, index, settings)
                return count(column, rows, "y", table.library)

            counts = run_all(count_one, range(len(table.names)), n_jobs)
        if kept is not None:
            counts = [old + new for old, new in zip(kept, counts, strict=True)]

        def fit_one(one: Contingency, cancel: _core.Cancel) -> Partition:
            found = self._find(who, one.column, one.target, settings, cancel, one.library)
            return found._with_units_of_at_most(MOST_BYTES // len(counts))

        partitions = run_all(fit_one, counts, n_jobs)
        self._set_partitions(partitions, counts[0].classes, counts[0].library)
        self._target_name = target_name(y, target)
        self._counts = counts
        return self

    def _set_partitions(
        self, partitions: list[Partition], classes: NDArray[Any], library: str
    ) -> None:
        """Assign the fitted attributes."""
        event = find_event(f"{type(self).__name__}.fit", self.positive, classes)
        self.partitions_ = {
            p.name: replace(p, event=event, woe_sign=int(self.woe_sign)) for p in partitions
        }
        self.levels_ = np.array([partition.level for partition in partitions])
        self.classes_ = classes
        self._library = library

    def transform(self, X):
        """Replace each value by what its part stands for.

        Parameters
        ----------
        X : data frame or array of shape (n_rows, n_columns), lazy frame, path or source
            A table with the columns that were fitted.

        Returns
        -------
        array of shape (n_rows, n_output_columns) or lazy frame
            Integer codes by default; see ``output``. A lazy table gives a lazy frame of its engine,
            in which columns that were not fitted stay as they are, in front.
        """
        check_is_fitted(self)
        who = f"{type(self).__name__}.transform"
        check_choice(type(self).__name__, "output", self.output, OUTPUTS)
        if is_lazy(X):
            partitions = list(self.partitions_.values())
            return transform_lazy(who, read_source(who, X), partitions, self._kept(), self.output)
        table = read_table(who, X)
        validate_data(self, X, reset=False, skip_check_array=True)
        partitions = list(self.partitions_.values())

        def transform_one(index: int, _: _core.Cancel) -> NDArray[Any]:
            codes = partitions[index]._assign_from(who, table, index)
            return values_at(partitions[index], self.output, codes)

        return self._fill(table.n_rows, transform_one)

    def fit_transform(self, X, y=None, *, target=None, sample_weight=None):
        """Partition every column, and replace each value by what its part stands for.

        Without ``cross_fit`` this equals ``fit`` followed by ``transform``. With it, the parts and
        their rates are learned anew without each fold, and told of its rows: no row is told by its
        own class. The folds are those of scikit-learn's
        ``StratifiedKFold(cross_fit, shuffle=True, random_state=0)``, and so depend on the order of
        the rows.

        Parameters
        ----------
        X : data frame or array of shape (n_rows, n_columns)
            The table.
        y : array-like of shape (n_rows,), default=None
            The class of each row.
        target : str, default=None
            Name of the column of X that holds the class, instead of y.
        sample_weight : array-like of shape (n_rows,), default=None
            Frequency of each row.

        Returns
        -------
        array of shape (n_rows, n_output_columns) or lazy frame
            As of ``transform``.
        """
        name = type(self).__name__
        who = f"{name}.fit_transform"
        if self.cross_fit is not None and is_lazy(X):
            raise ValueError(
                f"{who}: cross_fit needs the rows in memory; X is lazy. Collect it, or use fit and "
                "transform."
            )
        self.fit(X, y, target=target, sample_weight=sample_weight)
        if not is_lazy(X):
            X, y = take_target(who, X, y, target)
        if self.cross_fit is None:
            return self.transform(X)
        settings = self._check(name)
        _, table, rows = self._open(who, X, y, None, sample_weight, settings)
        return self._transform_out_of_fold(who, table, rows, settings, int(self.cross_fit))

    def _transform_out_of_fold(
        self, who: str, table: Table, rows: ClassTarget, settings: Any, n_folds: int
    ) -> NDArray[Any]:
        """Transform each row by the parts that are found without its fold."""
        folds = deal_folds(who, rows, n_folds)
        whole = list(self.partitions_.values())

        def transform_one(index: int, cancel: _core.Cancel) -> NDArray[Any]:
            column = self._read(who, table, index, settings)
            # Rows of zero weight were never learned: all others may tell of them.
            out = values_at(whole[index], self.output, whole[index]._assign_from(who, table, index))
            for fold in range(n_folds):
                is_out = folds == fold
                others = without_rows(rows, is_out)
                found = self._find(who, column, others, settings, cancel, table.library)
                found = replace(found, event=whole[index].event, woe_sign=whole[index].woe_sign)
                codes = found._assign_from(who, table, index)
                out[is_out] = values_at(found, self.output, codes[is_out])
            return out

        return self._fill(table.n_rows, transform_one)

    def _fill(
        self, n_rows: int, transform_one: Callable[[int, _core.Cancel], NDArray[Any]]
    ) -> NDArray[Any]:
        """Put the outputs of the kept columns beside each other."""
        kept = [i for i, is_kept in enumerate(self._kept()) if is_kept]
        partitions = list(self.partitions_.values())
        widths = [len(output_names(partitions[i], "", self.output)) for i in kept]
        ends = np.cumsum([0, *widths])
        out = np.empty((n_rows, ends[-1]), dtype=_dtype(self.output), order="F")

        def fill_one(place: int, cancel: _core.Cancel) -> None:
            out[:, ends[place] : ends[place + 1]] = transform_one(kept[place], cancel)

        run_all(fill_one, range(len(kept)), check_jobs(type(self).__name__, self.n_jobs))
        return out

    def get_feature_names_out(self, input_features=None) -> NDArray[Any]:
        """Names of the columns that ``transform`` gives.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Names of the fitted columns; must be those of ``feature_names_in_`` where that exists.

        Returns
        -------
        ndarray of str
            The column's own name for codes, labels and evidence of two classes; with the part or
            the class behind it for the others.
        """
        from sklearn.utils.validation import _check_feature_names_in

        check_is_fitted(self)
        names = _check_feature_names_in(self, input_features)
        found: list[str] = []
        for name, partition, is_kept in zip(
            names, self.partitions_.values(), self._kept(), strict=True
        ):
            if is_kept:
                found.extend(output_names(partition, name, self.output))
        return np.array(found, dtype=object)

    def _exported(self, who: str) -> list[tuple[str, Partition, Any, list[str]]]:
        """Name, partition, output of each code and output names of every kept column."""
        check_is_fitted(self)
        check_choice(who.split(".")[0], "output", self.output, OUTPUTS)
        return [
            (name, p, output_values(p, self.output), output_names(p, name, self.output))
            for (name, p), is_kept in zip(self.partitions_.items(), self._kept(), strict=True)
            if is_kept
        ]

    def to_sql(self, dialect="duckdb", table="t", keep=()) -> str:
        """Write ``transform`` as one SELECT.

        Parameters
        ----------
        dialect : {"duckdb", "postgres", "sqlite", "bigquery", "snowflake"}, default="duckdb"
            Whose SQL to write.
        table : str or tuple of str, default="t"
            The table, or schema and table.
        keep : sequence of str, default=()
            Columns of the table to pass through, before the others.

        Returns
        -------
        str
            A SELECT whose columns are those of ``get_feature_names_out``, with the values of
            ``transform``; a missing value gives NULL under ``missing="error"``.
        """
        from partage._sql import select

        who = f"{type(self).__name__}.to_sql"
        return select(who, self._exported(who), dialect, table, keep)

    def to_python(self) -> str:
        """Write ``transform`` as the source of a Python module without partage.

        Returns
        -------
        str
            A module that imports the standard library only; its ``transform(row: dict) -> dict``
            takes one row and gives its outputs by name.
        """
        from partage._python_source import python_source

        who = f"{type(self).__name__}.to_python"
        return python_source(who, self._exported(who))

    def monitor(self, X, y=None, *, by, target=None, sample_weight=None) -> Any:
        """Compare new rows, period by period, with the rows that were fitted.

        Parameters
        ----------
        X : data frame or array of shape (n_rows, n_columns)
            New rows with the fitted columns.
        y : array-like of shape (n_rows,), default=None
            Their classes, to see whether the columns still tell them.
        by : str or array-like of shape (n_rows,)
            The period of each row, or the column of X that holds it.
        target : str, default=None
            Name of the column of X that holds the class, instead of y.
        sample_weight : array-like of shape (n_rows,), default=None
            Frequency of each row.

        Returns
        -------
        Monitoring
            ``frame`` has one row per column and period with its stability index; ``plot`` draws
            the least stable columns.
        """
        from partage._monitor import monitor

        check_is_fitted(self)
        who = f"{type(self).__name__}.monitor"
        X, y = take_target(who, X, y, target)
        return monitor(who, self.partitions_, X, y, by, sample_weight)

    def plot_ranking(self, ax=None, *, most=20) -> Any:
        """Draw the columns by their level, the most informative on top.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure by default.
        most : int, default=20
            Number of columns drawn.

        Returns
        -------
        Axes
            The axes drawn on.
        """
        from partage._plots import plot_ranking

        check_is_fitted(self)
        return plot_ranking(list(self.partitions_.values()), ax, most)

    def plot_grid(self, columns=None, *, most=12, n_across=3) -> Any:
        """Draw the partitions of several columns in a grid.

        Parameters
        ----------
        columns : sequence of str, default=None
            Which columns; by default the most informative ones.
        most : int, default=12
            Number of columns drawn by default.
        n_across : int, default=3
            Pictures beside each other.

        Returns
        -------
        Figure
            The figure.
        """
        from partage._plots import plot_grid

        check_is_fitted(self)
        who = f"{type(self).__name__}.plot_grid"
        return plot_grid(who, self.partitions_, columns, most, n_across)

    def summary(self) -> Any:
        """One row per column, the most informative first, as a data frame.

        Returns
        -------
        DataFrame
            Of the library of the fitted table; pandas for arrays. Columns: ``column``, ``kind``,
            ``level``, ``parts``, ``missing``, ``cost``, ``null_cost``, ``optimal``.
        """
        check_is_fitted(self)
        return summary_table(list(self.partitions_.values()), self._library)

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can hold, with a version and a checksum."""
        from partage._saved_model import model_to_dict

        check_is_fitted(self)
        return model_to_dict(self)

    def save(self, path) -> None:
        """Write the fitted estimator as JSON; ``partage.load`` reads it back.

        Parameters
        ----------
        path : str or Path
            The file; one that was there before stays until the new one is whole.
        """
        from partage._saved_model import save_model

        check_is_fitted(self)
        save_model(self, path)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        return tags


def check_names(who: str, parameter: str, given: Mapping[str, Any], table: Table) -> None:
    """Refuse a parameter by column that names one the table has not."""
    absent = [name for name in given if name not in table.names]
    if absent:
        raise ValueError(
            f"{who}: {parameter} must name columns of X; got {absent[0]!r}, X has "
            f"{', '.join(map(repr, table.names))}."
        )


def find_event(who: str, positive: Any, classes: NDArray[Any]) -> int:
    """Position of the class that is the event: the second one unless another is named."""
    if positive is None:
        return 1
    labels = classes.tolist()
    if positive not in labels:
        raise ValueError(
            f"{who}: positive must be one of the classes {', '.join(map(repr, labels))}; "
            f"got {positive!r}."
        )
    if len(labels) > 2:
        raise ValueError(
            f"{who}: positive names the event of two classes; y holds {len(labels)}. Each class "
            "has its own evidence then."
        )
    return int(labels.index(positive))


def _dtype(output: str) -> type[Any]:
    """Type of the output."""
    return {"code": np.int64, "label": object}.get(output, np.float64)


__all__ = ["BasePartitioner", "check_names", "find_event"]
