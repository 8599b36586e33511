"""What a fitted scorecard shows and gives away: tables, edits, reasons, rules without partage."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from partage._data.conversions import Conversion
from partage._display.tables import row_labels
from partage._estimators.columns import partition_named, read_fitted_columns
from partage._estimators.public import public
from partage._estimators.scorecard.reasons import AGAINST, explain_row, reasons_table
from partage._estimators.scorecard.statistics import information_value, p_values
from partage._estimators.scorecard.weights import Weights
from partage._partitions.partition import Partition
from partage._support.checks import check_choice, check_whole
from partage._support.frames import make_frame


@public
class ShownCard:
    """A scorecard that was fitted, as people read it."""

    partitions_: dict[str, Partition]
    _conversions: Mapping[str, Conversion] = MappingProxyType({})  # of columns read from text
    points_: dict[str, NDArray[np.float64]]
    neutral_points_: dict[str, float]
    _weights: Weights
    _library: str
    _check_fresh: Callable[[str], None]
    _outcomes: Callable[[], tuple[Any, Any]]
    _scale: Callable[[], Any]

    def __getitem__(self, column: str) -> Partition:
        """Give the partition of a column."""
        check_is_fitted(self)
        return partition_named("Scorecard", self.partitions_, column)

    def table(self, style: str | None = None) -> Any:
        """One row for each part of each column, with its points.

        Returns
        -------
        DataFrame
            Columns ``column``, ``part``, ``count``, ``share``, ``event_rate``, ``woe`` and
            ``points``; the points of one row for each column add up to the score.
        """
        from partage._display.notebook import styled

        self._check_fresh("Scorecard.table")
        rows: dict[str, list[Any]] = {
            name: [] for name in ("column", "part", "count", "share", "event_rate", "woe", "points")
        }
        for name, points in self.points_.items():
            p = self.partitions_[name]
            labels, counted = row_labels(p), p.own_tally()
            rates, woe = p.code_rates()[:, p.event], p.code_woe(p.event)
            for k in p.rule.shown_codes():
                values = (name, labels[k], int(counted.rows[k]), float(counted.shares[k]))
                numbers = (float(rates[k]), float(woe[k]), float(points[k]))
                for column, value in zip(rows.values(), (*values, *numbers), strict=True):
                    column.append(value)
        frame = make_frame(rows, self._library)
        return frame if style is None else styled("Scorecard.table", frame, style)

    def summary(self) -> Any:
        """One row for each column: what it says, its weight, and why it was left out.

        Returns
        -------
        DataFrame
            The intercept first, then columns from the highest information value on: ``column``,
            ``parts``, ``level``, ``iv``, ``coefficient``, ``standard_error``, ``p_value``,
            ``vif``, the lowest, highest and neutral points (those of no evidence), and ``why`` a
            column was left out.
        """
        self._check_fresh("Scorecard.summary")
        weights, names = self._weights, list(self.partitions_)
        values = [information_value(p) for p in self.partitions_.values()]
        order = sorted(range(len(names)), key=lambda i: -values[i])
        found = p_values(weights.coef, weights.errors)
        head = float(
            p_values(*(np.array([x]) for x in (weights.intercept, weights.intercept_error)))[0]
        )
        partitions = [self.partitions_[names[i]] for i in order]
        nan = float("nan")
        columns: dict[str, list[Any]] = {
            "column": ["(intercept)", *(names[i] for i in order)],
            "parts": [None, *(p.n_parts for p in partitions)],
            "level": [nan, *(p.level for p in partitions)],
            "iv": [nan, *(values[i] for i in order)],
            "coefficient": [weights.intercept, *(float(weights.coef[i]) for i in order)],
            "standard_error": [weights.intercept_error, *(float(weights.errors[i]) for i in order)],
            "p_value": [head, *(float(found[i]) for i in order)],
            "vif": [nan, *(float(weights.inflation[i]) for i in order)],
        }
        points = [self.points_.get(names[i]) for i in order]
        columns["lowest"] = [nan, *(nan if p is None else float(p.min()) for p in points)]
        columns["highest"] = [nan, *(nan if p is None else float(p.max()) for p in points)]
        columns["neutral"] = [nan, *(self.neutral_points_.get(names[i], nan) for i in order)]
        columns["why"] = ["", *(weights.reasons.get(names[i], "") for i in order)]
        return make_frame(columns, self._library)

    def edit(
        self,
        column: str,
        change: Callable[[Partition], Partition],
        X: Any = None,
        y: Any = None,
        *,
        target: Any = None,
        sample_weight: Any = None,
    ) -> Any:
        """Give a column other parts, and fit a new card that keeps those of the other columns.

        Parameters
        ----------
        column : str
            Name of the column.
        change : callable
            Takes the partition of the column and gives an edited one, such as
            ``lambda p: p.merge(2, 3, reason="policy")``.
        X : data frame or array of shape (n_rows, n_columns), default=None
            The rows to fit on; by default those of the fit. A card from a file does not hold them.

        Returns
        -------
        Scorecard
            A new, fitted card. Its ``changes_`` shows what changed: area, Gini, distance, log-loss,
            weights and points.
        """
        from partage._estimators.scorecard.edit import edit_card

        who = "Scorecard.edit"
        self._check_fresh(who)
        if X is None:
            X, y, target, sample_weight = self._rows_of_fit(who)
        return edit_card(self, who, column, change, (X, y, target, sample_weight))

    def _rows_of_fit(self, who: str) -> tuple[Any, Any, Any, Any]:
        """Give the rows of the fit."""
        if not hasattr(self, "_given"):
            raise ValueError(
                f"{who}: X must be given; this card comes from a file, which does not hold the "
                "rows of the fit."
            )
        given: tuple[Any, Any, Any, Any] = self._given
        return given

    def reasons(self, X: Any, n: int = 4, against: str = "best") -> Any:
        """Columns in which each row loses most points, as adverse-action codes.

        Parameters
        ----------
        n : int, default=4
            Number of reasons.
        against : {"best", "mean", "neutral"}, default="best"
            What points are lost against: the best part of the column that training held, the mean
            of its rows, or no evidence.

        Returns
        -------
        DataFrame
            Columns ``reason_1``, ``points_lost_1``, and so on: the name of a column and the points
            lost in it, the largest loss first, ties in the order of the columns. None where fewer
            columns lose points.
        """
        who = "Scorecard.reasons"
        self._check_fresh(who)
        n, against = check_whole(who, "n", n), check_choice(who, "against", against, AGAINST)
        return reasons_table(self, who, read_fitted_columns(self, who, X), n, against)

    def explain(self, row: Any, reasons: int | None = 4, against: str = "best") -> Any:
        """Columns in which one row loses most points.

        Parameters
        ----------
        row : dict, data frame of one row, series or sequence
            Values of the columns.
        reasons : int, default=4
            Number of reasons; None lists every column.
        against : {"best", "mean", "neutral"}, default="best"
            What points are lost against, as in ``reasons``.

        Returns
        -------
        DataFrame
            Columns ``column``, ``part``, ``points``, what they are compared with, and
            ``points_lost``.
        """
        who = "Scorecard.explain"
        self._check_fresh(who)
        most = None if reasons is None else check_whole(who, "reasons", reasons)
        against = check_choice(who, "against", against, AGAINST)
        return explain_row(self, who, row, most, against)

    def plot(self, ax: Any = None) -> Any:
        """Draw the points of every part, columns with the widest range on top.

        Returns
        -------
        Axes
            The axes drawn on.
        """
        from partage._display.plots import plot_points

        self._check_fresh("Scorecard.plot")
        return plot_points(self.points_, self.partitions_, ax)

    def _exported(self, who: str, reasons: Any, against: Any) -> Any:
        """Give what an export holds: parts, points, points lost, classes and scale."""
        from partage._estimators.scorecard.export import Exported

        self._check_fresh(who)
        n = 0 if reasons == 0 else check_whole(who, "reasons", reasons)
        return Exported.of(self, n, check_choice(who, "against", against, AGAINST))

    def to_sql(
        self,
        dialect: str = "duckdb",
        table: str = "t",
        keep: Sequence[str] = (),
        reasons: int = 0,
        against: str = "best",
    ) -> str:
        """Write the score as one SELECT.

        Parameters
        ----------
        reasons : int, default=0
            Number of reasons that are given for each row.
        against : {"best", "mean", "neutral"}, default="best"
            What points are lost against, as in ``reasons``.

        Returns
        -------
        str
            A SELECT of ``points``, equal to ``points(X)``, of ``probability``, that of the event,
            of ``prediction``, equal to ``predict(X)``, and of the columns of ``reasons(X)``.
        """
        from partage._estimators.scorecard.export import scorecard_select

        exported = self._exported("Scorecard.to_sql", reasons, against)
        return scorecard_select(exported, dialect, table, keep)

    def to_python(self, reasons: int = 0, against: str = "best") -> str:
        """Write the score as the source of a Python module without partage.

        Parameters
        ----------
        reasons : int, default=0
            Number of reasons that are given for each row.
        against : {"best", "mean", "neutral"}, default="best"
            What points are lost against, as in ``reasons``.

        Returns
        -------
        str
            A module that imports the standard library only; its ``transform(row: dict) -> dict``
            gives ``points``, ``probability``, ``prediction`` and reasons of one row.
        """
        from partage._estimators.scorecard.export import scorecard_source

        return scorecard_source(self._exported("Scorecard.to_python", reasons, against))

    def to_pmml(self, reasons: int = 4, against: str = "best") -> str:
        """Write the score as a PMML document, a ``Scorecard`` of version 4.4.

        Parameters
        ----------
        reasons : int, default=4
            Number of reasons that are given for each row; 0 for none.
        against : {"best", "mean", "neutral"}, default="best"
            What points are lost against, as in ``reasons``.

        Returns
        -------
        str
            XML whose outputs are ``points`` and the reasons ``reason_1``, and so on.
        """
        from partage._estimators.scorecard.pmml import scorecard_pmml

        return scorecard_pmml(self._exported("Scorecard.to_pmml", reasons, against))

    def document(
        self,
        path: str | Path,
        X: Any = None,
        y: Any = None,
        *,
        target: Any = None,
        sample_weight: Any = None,
        about: dict[str, str] | None = None,
    ) -> None:
        """Write what a validator reads: a page for browsers, or a workbook.

        Parameters
        ----------
        path : str or Path
            ``card.html``, one page that needs no network and prints; or ``card.xlsx``.
        X : data frame or array of shape (n_rows, n_columns), default=None
            Rows that were not fitted, to judge the card on; by default the document has those of
            the fit only.
        about : dict of str to str, default=None
            What the card does not know of itself, for the first page: ``"title"``, ``"author"``,
            ``"purpose"``, ``"data"``, ``"target_definition"``, ``"exclusions"``, or any other.
        """
        from partage._estimators.scorecard.document import write_document

        self._check_fresh("Scorecard.document")
        write_document(self, path, (X, y, target, sample_weight), about or {})
