"""What an estimator that is fitted can be asked: tables, pictures, drift, rules."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._data.conversions import Conversion, conversions_from_plain, convert_table
from partage._data.lazy import check_in_memory, is_lazy
from partage._display.outputs import output_names, output_values, shown_as
from partage._display.tables import summary_table
from partage._estimators.fit import Opened, fit_columns
from partage._estimators.plan import Plan
from partage._estimators.public import public
from partage._partitions.contingency import Contingency
from partage._partitions.partition import Partition
from partage._saving.partitions import read_partitions
from partage._saving.savable import Savable, check_fitted
from partage._spaces.space import Watch
from partage._support.checks import OUTPUTS, check_choice
from partage._support.frames import Frame
from partage._targets.events import find_event
from partage._targets.read import take_target
from partage._targets.target import TargetRows
from partage.engines.source import collect_columns


@public
class FittedColumns(Savable):
    """Shows, exports and compares the partitions of its columns."""

    output: str
    positive: Any
    woe_sign: int
    partitions_: dict[str, Partition]
    levels_: NDArray[np.float64]
    classes_: NDArray[Any]
    _target_name: str | None
    _conversions: Mapping[str, Conversion] = MappingProxyType({})  # of columns read from text
    _counts: list[Contingency] | None  # of pieces; ``fit`` keeps none
    _sitting: Mapping[str, Any] = MappingProxyType({})  # what a studio notes in the model file

    def _mark(self, target: TargetRows) -> tuple[int, int]:
        """Position of the event among the classes, and the sign of its evidence."""
        event = find_event(f"{self._name}.fit", self.positive, target.classes, target.event)
        return event, int(self.woe_sign)

    def _set_partitions(
        self, partitions: list[Partition], target: TargetRows, library: str
    ) -> None:
        """Assign the fitted attributes."""
        mark = self._mark(target)
        self.partitions_ = {p.name: p._marked(*mark) for p in partitions}
        self.levels_ = np.array([partition.level for partition in partitions])
        self.classes_ = target.classes
        self._library = library

    def _fitted_to_plain(self) -> dict[str, Any]:
        columns = [partition.to_dict() for partition in self.partitions_.values()]
        made = {name: one.to_plain() for name, one in self._conversions.items()}
        found: dict[str, Any] = {"columns": columns} | ({"conversions": made} if made else {})
        return found | ({"studio": dict(self._sitting)} if self._sitting else {})

    def _restore_fitted(self, data: dict[str, Any]) -> None:
        self.partitions_ = read_partitions(data["columns"])
        self.levels_ = np.array([p.level for p in self.partitions_.values()])
        self.classes_ = next(iter(self.partitions_.values())).classes
        self._conversions = conversions_from_plain(data.get("conversions", {}))
        noted = data.get("studio")
        self._sitting = noted if isinstance(noted, dict) else {}

    def _with_partitions(
        self, partitions: dict[str, Partition], sitting: Mapping[str, Any]
    ) -> FittedColumns:
        """Give a copy with edited partitions of the same columns, and what was noted of them."""
        edited = copy.copy(self)
        edited.partitions_ = partitions
        edited.levels_ = np.array([p.level for p in partitions.values()])
        edited._sitting = sitting
        return edited

    def _kept(self) -> list[bool]:
        """Which columns ``transform`` keeps."""
        if not getattr(self, "drop_uninformative", False):
            return [True] * len(self.partitions_)
        return [partition.level > 0 for partition in self.partitions_.values()]

    def _kept_columns(self) -> list[tuple[int, Partition]]:
        """Place and partition of the columns that ``transform`` keeps."""
        columns = enumerate(zip(self.partitions_.values(), self._kept(), strict=True))
        return [(i, shown_as(self._name, p, self.output)) for i, (p, is_kept) in columns if is_kept]

    def _exported(self, who: str) -> list[tuple[str, Partition, Any, list[str]]]:
        """Name, partition, output of each code and output names of every kept column."""
        check_fitted(self)
        check_choice(who.split(".")[0], "output", self.output, OUTPUTS)
        return [
            (name, p, output_values(p, self.output), output_names(p, name, self.output))
            for name, p in (
                (name, shown_as(who, found, self.output))
                for (name, found), is_kept in zip(
                    self.partitions_.items(), self._kept(), strict=True
                )
                if is_kept
            )
        ]

    def to_sql(
        self,
        dialect: str = "duckdb",
        table: str | tuple[str, ...] = "t",
        keep: Sequence[str] = (),
    ) -> str:
        """Write ``transform`` as one SELECT.

        Returns
        -------
        str
            A SELECT whose columns are those of ``get_feature_names_out``, with the values of
            ``transform``; a missing value gives NULL under ``missing="error"``.
        """
        from partage._export.sql import select

        who = f"{self._name}.to_sql"
        return select(who, self._exported(who), dialect, table, keep)

    def to_python(self) -> str:
        """Write ``transform`` as the source of a Python module without partage.

        Returns
        -------
        str
            A module that imports the standard library only; its ``transform(row: dict) -> dict``
            takes one row and gives its outputs by name.
        """
        from partage._export.python_source import python_source

        who = f"{self._name}.to_python"
        return python_source(who, self._exported(who))

    def monitor(
        self,
        X: Any,
        y: Any = None,
        *,
        by: Any = None,
        target: str | None = None,
        sample_weight: Any = None,
    ) -> Any:
        """Compare new rows, period by period, with the rows that were fitted.

        Parameters
        ----------
        X : data frame or array of shape (n_rows, n_columns), lazy frame, path or source
            New rows with the fitted columns. Of a lazy table the columns that are needed are read
            into memory; ``by`` and ``target`` must be names then.
        y : array-like of shape (n_rows,), default=None
            Their classes, to see whether the columns still say something of them.
        by : str or array-like of shape (n_rows,), default=None
            The period of each row, or the column of X that holds it; by default all rows are one
            period.

        Returns
        -------
        Monitoring
            ``frame`` has one row per column and period with its stability index; ``plot`` draws
            the least stable columns.
        """
        from partage._display.monitor import monitor

        check_fitted(self)
        who = f"{self._name}.monitor"
        library = None
        if is_lazy(X):
            if y is not None or sample_weight is not None or not isinstance(by, str | None):
                check_in_memory(who, X)  # its rows have no places to set values beside
            wanted = [*self.partitions_, *(name for name in (by, target) if name is not None)]
            X, library = collect_columns(who, X, list(dict.fromkeys(wanted)))
        X, y = take_target(who, convert_table(X, self._conversions), y, target)
        return monitor(who, self.partitions_, X, y, by, sample_weight, library)

    def report(self, path: Any = None, *, title: str = "") -> Any:
        """Show the columns on a page, as ``partage.report`` does.

        Parameters
        ----------
        path : str or Path, default=None
            Where the page is written, too.
        title : str, default=""
            What the table is called; by default the name of the estimator.

        Returns
        -------
        ReportPage
            Notebooks show it; ``save`` writes it.
        """
        from partage._report.making import report_fitted

        check_fitted(self)
        return report_fitted(self, path, title or self._name)

    def studio(
        self,
        X: Any = None,
        y: Any = None,
        *,
        target: str | None = None,
        sample_weight: Any = None,
        holdout: Any = None,
        path: Any = "partage-studio/model.json",
        port: int = 0,
        browser: bool = True,
        read_only: bool = False,
    ) -> Any:
        """Edit the parts of the columns in a browser; each edit shows its price.

        A small server starts in the background, which only this computer reaches.

        Parameters
        ----------
        X : data frame, default=None
            The rows that were fitted: scorecards and pairs of columns need them, and columns with
            more values than a partition keeps.
        y : array-like of shape (n_rows,), default=None
            Their classes, or numbers.
        holdout : float or data frame, default=None
            Other rows, with their target under the name of ``target``, that every edit is judged
            on too.
        path : str or Path, default="partage-studio/model.json"
            Where the model is saved; what is there is continued.
        port : int, default=0
            Port of the server; 0 takes a free one.
        browser : bool, default=True
            Whether the page is opened in a browser.
        read_only : bool, default=False
            Whether nothing can be changed.

        Returns
        -------
        Studio
            ``url``, ``model`` (an estimator with the parts as they are now), ``save()`` and
            ``close()``; notebooks show the page.
        """
        from partage.studio.opening import open_estimator

        check_fitted(self)
        rows = (X, y, target, sample_weight, holdout)
        return open_estimator(self, rows, path, port, browser, read_only)

    def plot_ranking(self, ax: Any = None, *, most: int = 20) -> Any:
        """Draw the columns by their level, the most informative on top.

        Parameters
        ----------
        most : int, default=20
            Number of columns drawn.

        Returns
        -------
        Axes
            The axes drawn on.
        """
        from partage._display.plots import plot_ranking

        check_fitted(self)
        return plot_ranking(list(self.partitions_.values()), ax, most)

    def plot_grid(
        self, columns: Sequence[str] | None = None, *, most: int = 12, n_across: int = 3
    ) -> Any:
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
        from partage._display.plots import plot_grid

        check_fitted(self)
        who = f"{self._name}.plot_grid"
        return plot_grid(who, self.partitions_, columns, most, n_across)

    def summary(self) -> Frame:
        """One row per column, the most informative first, as a data frame.

        Returns
        -------
        DataFrame
            Of the library of the fitted table; pandas for arrays. Columns: ``column``, ``kind``,
            ``level``, ``parts``, ``values`` (distinct), ``missing``, ``cost``, ``null_cost``,
            ``optimal``, ``gap`` (bits above the optimum, at most), for two classes ``iv``, ``gini``
            and ``ks`` of the parts, and ``why`` a column was left in one part. The glossary
            (``docs/glossary.md``) defines these words.
        """
        check_fitted(self)
        return summary_table(list(self.partitions_.values()), self._library)


def fit_model(
    model: Any,
    plan: Plan,
    given: tuple[Any, ...],
    advance: Callable[[str], None] = lambda _: None,
) -> Opened:
    """Partition every column of a table, set the fitted attributes, and give what was read."""
    who = f"{model._name}.fit"
    n_jobs = model._jobs()
    opened: Opened = model._open(who, plan, given)
    opened.rows.target.check_output(model.output, model._name)
    opened = opened.marked(*model._mark(opened.rows))
    partitions = fit_columns(who, plan, opened, n_jobs, advance)
    model._set_partitions(partitions, opened.rows, opened.columns.library)
    model._target_name = opened.target_name
    model._counts = None
    model._conversions = {}
    model._sitting = {}
    return opened


def fit_observed(
    model: Any,
    X: Any,
    *,
    target: str,
    sample_weight: Any,
    watch: Watch,
    advance: Callable[[str], None],
) -> None:
    """Fit a model as its ``fit`` does.

    ``watch`` is shown each column and its space, ``advance`` given the name of each that is done.
    """
    fit_model(model, model._plan().watched(watch), (X, None, target, sample_weight), advance)
