"""What an estimator that is fitted can be asked: tables, pictures, drift, rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sklearn.utils.validation import check_is_fitted

from partage._data.lazy import check_in_memory, is_lazy
from partage._display.outputs import output_names, output_values, shown_as
from partage._display.tables import summary_table
from partage._estimators.public import public
from partage._partitions.partition import Partition
from partage._support.checks import OUTPUTS, check_choice
from partage._targets.read import take_target
from partage.engines.source import collect_columns


@public
class FittedColumns:
    """Shows, exports and compares the partitions of its columns."""

    output: str
    partitions_: dict[str, Partition]
    _library: str

    def _kept(self) -> list[bool]:
        """Which columns ``transform`` keeps."""
        return [True] * len(self.partitions_)

    def _exported(self, who: str) -> list[tuple[str, Partition, Any, list[str]]]:
        """Name, partition, output of each code and output names of every kept column."""
        check_is_fitted(self)
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
        from partage._export.python_source import python_source

        who = f"{type(self).__name__}.to_python"
        return python_source(who, self._exported(who))

    def monitor(
        self,
        X: Any,
        y: Any = None,
        *,
        by: Any,
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
        by : str or array-like of shape (n_rows,)
            The period of each row, or the column of X that holds it.

        Returns
        -------
        Monitoring
            ``frame`` has one row per column and period with its stability index; ``plot`` draws
            the least stable columns.
        """
        from partage._display.monitor import monitor

        check_is_fitted(self)
        who = f"{type(self).__name__}.monitor"
        library = None
        if is_lazy(X):
            if y is not None or sample_weight is not None or not isinstance(by, str):
                check_in_memory(who, X)  # its rows have no places to set values beside
            wanted = [*self.partitions_, by, *([] if target is None else [target])]
            X, library = collect_columns(who, X, list(dict.fromkeys(wanted)))
        X, y = take_target(who, X, y, target)
        return monitor(who, self.partitions_, X, y, by, sample_weight, library)

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

        check_is_fitted(self)
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

        check_is_fitted(self)
        who = f"{type(self).__name__}.plot_grid"
        return plot_grid(who, self.partitions_, columns, most, n_across)

    def summary(self) -> Any:
        """One row per column, the most informative first, as a data frame.

        Returns
        -------
        DataFrame
            Of the library of the fitted table; pandas for arrays. Columns: ``column``, ``kind``,
            ``level``, ``parts``, ``values`` (distinct), ``missing``, ``cost``, ``null_cost``,
            ``optimal``, ``gap`` (bits above the optimum, at most), and ``why`` a column was left
            in one part. The glossary (``docs/glossary.md``) defines these words.
        """
        check_is_fitted(self)
        return summary_table(list(self.partitions_.values()), self._library)
