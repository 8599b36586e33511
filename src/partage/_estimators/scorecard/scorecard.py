"""``Scorecard``: points for every part of every column, which add up to a score."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted, validate_data

from partage._data.lazy import check_in_memory
from partage._display.tables import row_labels
from partage._estimators.columns import partition_named, read_fitted_columns
from partage._estimators.fit import fit_columns, open_table
from partage._estimators.plan import check_partitions, check_plan
from partage._estimators.public import public
from partage._estimators.scorecard.fit import divide_further, weigh_columns
from partage._estimators.table_partitioner import TablePartitioner
from partage._partitions.partition import Partition
from partage._saving.partitions import read_numbers, read_partitions
from partage._saving.plain import classes_to_plain, read_classes
from partage._saving.savable import Savable
from partage._support.checks import CUT_STYLES, check_choice, check_jobs, check_sign, refuse
from partage._support.frames import make_frame
from partage._targets.events import find_event

_FEW = 5  # parts of a column, unless asked for otherwise


@public
@dataclass(kw_only=True, eq=False, repr=False)
class Scorecard(ClassifierMixin, Savable, BaseEstimator):
    """Give points to every part of every column; their sum gives the odds of two classes.

    Each column is partitioned, its parts are replaced by their weights of evidence, and
    scikit-learn's logistic regression weighs the columns. More points mean that the event is less
    likely.

    Parameters
    ----------
    points_to_double : float, default=20
        Points that double the odds against the event.
    base : float, default=600
        Points at the odds ``base_odds``.
    base_odds : float, default=50
        Odds against the event at ``base`` points.
    min_parts : int, default=None
        Columns with fewer parts are divided into this many, where their values and limits allow
        it: a column too weak to be divided alone may still help beside others. 1 leaves such
        columns out, which is wiser where most of many columns are noise. By default 5, and 1 where
        a ``partitioner`` is given.
    rounded : bool, default=False
        Whether the points of each part are rounded to whole numbers; predictions then follow the
        rounded points.
    partitioner : TablePartitioner, default=None
        How columns are partitioned; by default
        ``TablePartitioner(max_parts=5, monotonic="auto")``: few parts, whose rates rise, fall or
        turn once.
    cut_style : {"midpoint", "simple"}, default=None
        Where cuts are placed between two neighbouring values, as in ``TablePartitioner``; by
        default as ``partitioner`` says.
    estimator : LogisticRegression, default=None
        How columns are weighed; by default ``LogisticRegression(max_iter=1000)``.

    Attributes
    ----------
    partitions_
    points_ : dict of str to ndarray
        Points of each code of each column that says anything of the class.
    coef_ : ndarray of shape (1, n_columns)
        Weight of each column's evidence; 0 for columns of one part.
    intercept_ : ndarray of shape (1,)
        Log-odds of the event where all evidence is 0.
    cutoff_ : float
        Points at even odds: below, the event is predicted.
    classes_ : ndarray of shape (2,)
        The classes.
    event_ : object
        The class that is the event.
    n_features_in_
    feature_names_in_

    Examples
    --------
    >>> import partage as pt
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> card = pt.Scorecard(rounded=True).fit(X[["mean radius", "mean texture"]], y)
    >>> card.points(X[["mean radius", "mean texture"]])[:3]
    array([551., 600., 671.])
    >>> card.table()[["column", "part", "points"]].head(2)
            column              part  points
    0  mean radius    (-inf, 10.945]    87.0
    1  mean radius  (10.945, 13.095]   171.0
    """

    points_to_double: float = 20
    base: float = 600
    base_odds: float = 50
    positive: Any = None
    min_parts: int | None = None
    rounded: bool = False
    partitions: Mapping[str, Partition] | None = None
    partitioner: TablePartitioner | None = None
    cut_style: str | None = None
    estimator: Any = None
    n_jobs: int | None = None

    def fit(self, X, y=None, *, target=None, sample_weight=None):
        """Partition the columns, weigh their evidence and set the points.

        Parameters
        ----------
        y : array-like of shape (n_rows,), default=None
            The class of each row, of two classes.

        Returns
        -------
        self
            The fitted estimator.
        """
        who = "Scorecard.fit"
        self._check_params()
        check_in_memory(who, X)
        maker, least = self._make_partitioner()
        plan = check_plan("TablePartitioner", vars(maker) | {"target_type": None})
        opened = open_table(who, plan, X, y, target, sample_weight)
        table, rows = opened.table, opened.rows
        validate_data(self, opened.frame, skip_check_array=True)
        if rows.n_classes != 2:
            shown = ", ".join(map(repr, rows.classes.tolist()[:5]))
            raise ValueError(
                f"{who}: y must hold two classes; got {rows.n_classes} "
                f"class{'' if rows.n_classes == 1 else 'es'}: {shown}. Only binary classification "
                "is supported."
            )
        event = find_event(who, self.positive, rows.classes, rows.event)
        found = fit_columns(who, plan, opened, check_jobs("Scorecard", maker.n_jobs))
        divided = divide_further(who, vars(maker), opened, found, least)
        partitions = {p.name: p._marked(event, int(maker.woe_sign)) for p in divided}
        codes = np.column_stack(
            [p._assign_from(who, table, i) for i, p in enumerate(partitions.values())]
        )
        if rows.kept is not None:
            codes = codes[rows.kept]
        is_event = (rows.codes == event).astype(np.int64)
        coef, intercept = weigh_columns(partitions, codes, is_event, rows.weights, self.estimator)
        self._target_name = opened.target_name
        self._store(table.library, rows.classes, event, partitions, coef, intercept)
        return self

    def _store(
        self,
        library: str,
        classes: NDArray[Any],
        event: int,
        partitions: dict[str, Partition],
        coef: NDArray[np.float64],
        intercept: float,
    ) -> None:
        """Assign what was fitted."""
        self.partitions_ = partitions
        self.classes_ = classes
        self.event_ = classes[event]
        self.coef_ = coef[None, :]
        self.intercept_ = np.array([intercept])
        self.points_, self.cutoff_ = self._set_points(partitions, coef, intercept)
        self._library = library

    def _fitted_to_plain(self) -> dict[str, Any]:
        return {
            **classes_to_plain(self.classes_),
            "coef": self.coef_[0].tolist(),
            "intercept": self.intercept_.tolist(),
            "columns": [partition.to_dict() for partition in self.partitions_.values()],
        }

    def _restore_fitted(self, data: dict[str, Any]) -> None:
        self._check_params()
        partitions = read_partitions(data["columns"])
        classes = read_classes(data)
        if len(classes) != 2 or any(
            not np.array_equal(p.classes, classes) for p in partitions.values()
        ):
            raise ValueError("columns have other classes, or there are not two")
        event = find_event("load", self.positive, classes, next(iter(partitions.values())).event)
        if any(p.event != event for p in partitions.values()):
            raise ValueError("columns have other events")
        coef = read_numbers(data["coef"], (len(partitions),), "coef", least=-math.inf)
        (intercept,) = read_numbers(data["intercept"], (1,), "intercept", least=-math.inf)
        library = str(data["library"])
        self._store(library, classes, event, partitions, coef, float(intercept))

    def _check_params(self) -> None:
        """Check the constructor's parameters."""
        who = type(self).__name__
        for name, low in (("points_to_double", 0.0), ("base_odds", 0.0), ("base", -math.inf)):
            value = getattr(self, name)
            is_number = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
            if not is_number or not low < value < math.inf:
                refuse(who, name, "a positive number" if low == 0.0 else "a number", value)
        least = self.min_parts
        is_count = isinstance(least, (int, np.integer)) and not isinstance(least, bool)
        if least is not None and not (is_count and least >= 1):
            refuse(who, "min_parts", "an integer of at least 1 or None", least)
        check_partitions(who, self.partitions)
        if self.cut_style is not None:
            check_choice(who, "cut_style", self.cut_style, CUT_STYLES)
        if not isinstance(self.rounded, (bool, np.bool_)):
            refuse(who, "rounded", "True or False", self.rounded)
        given = self.partitioner
        if given is not None and not isinstance(given, TablePartitioner):
            refuse(who, "partitioner", "a TablePartitioner or None", given)
        if given is not None:
            check_sign(type(given).__name__, "woe_sign", given.woe_sign)
        if given is not None and given.cross_fit is not None:
            raise ValueError(
                f"{who}: partitioner must have cross_fit=None, since points are those of all rows; "
                f"got cross_fit={given.cross_fit!r}."
            )

    def _make_partitioner(self) -> tuple[TablePartitioner, int]:
        """Give the partitioner to use, and how many parts a column should have at least."""
        least = self.min_parts
        if self.partitioner is None:
            least = _FEW if least is None else least
            maker = TablePartitioner(max_parts=max(_FEW, least), monotonic="auto")
        else:
            least = 1 if least is None else least
            maker = clone(self.partitioner)
        if self.partitions is not None:
            maker.partitions = {**(maker.partitions or {}), **self.partitions}
        if self.n_jobs is not None:
            maker.n_jobs = self.n_jobs
        if self.cut_style is not None:
            maker.cut_style = self.cut_style
        return maker, least

    def _set_points(
        self, partitions: dict[str, Partition], coef: NDArray[np.float64], intercept: float
    ) -> tuple[dict[str, NDArray[np.float64]], float]:
        """Points of the codes, and the points at even odds."""
        factor, cutoff = self._scale()
        used = [i for i, weight in enumerate(coef) if weight != 0.0]
        share = (cutoff - factor * intercept) / max(len(used), 1)
        points = {}
        for i, (name, p) in enumerate(partitions.items()):
            if i in used or (not used and i == 0):
                raw = share - factor * coef[i] * p.code_woe(p.event)
                points[name] = np.round(raw) + 0.0 if self.rounded else raw
        return points, cutoff

    def _scale(self) -> tuple[float, float]:
        """Points for each unit of log-odds, and points at even odds."""
        factor = self.points_to_double / math.log(2)
        return factor, float(self.base - factor * math.log(self.base_odds))

    def __getitem__(self, column: str) -> Partition:
        """Give the partition of a column."""
        check_is_fitted(self)
        return partition_named("Scorecard", self.partitions_, column)

    def points(self, X) -> NDArray[np.float64]:
        """Sum the points of each row.

        Returns
        -------
        ndarray of shape (n_rows,)
            More points mean that the event is less likely.
        """
        check_is_fitted(self)
        who = "Scorecard.points"
        table = read_fitted_columns(self, who, X)
        names = list(self.partitions_)
        total = np.zeros(table.n_rows)
        for name, points in self.points_.items():
            total = (
                total + points[self.partitions_[name]._assign_from(who, table, names.index(name))]
            )
        return total

    def decision_function(self, X) -> NDArray[np.float64]:
        """Log-odds of the second class.

        Returns
        -------
        ndarray of shape (n_rows,)
            Positive where the second class is predicted.
        """
        points = self.points(X)
        odds = (self.cutoff_ - points) / self._scale()[0]  # of the event
        return np.asarray(odds if self.event_ == self.classes_[1] else -odds)

    def predict_proba(self, X) -> NDArray[np.float64]:
        """Probability of both classes.

        Returns
        -------
        ndarray of shape (n_rows, 2)
            In the order of ``classes_``.
        """
        from scipy.special import expit

        odds = self.decision_function(X)
        return np.column_stack([expit(-odds), expit(odds)])

    def predict(self, X) -> NDArray[Any]:
        """Predict the class of each row.

        Returns
        -------
        ndarray of shape (n_rows,)
            The event where the points are below ``cutoff_``.
        """
        points = self.points(X)
        event, other = self._outcomes()
        found = np.full(len(points), other, dtype=self.classes_.dtype)
        found[points < self.cutoff_] = event
        return found

    def _outcomes(self) -> tuple[Any, Any]:
        """Give the event and the other class."""
        other = self.classes_[self.classes_ != self.event_][0]
        return self.event_, other

    def table(self, style=None) -> Any:
        """One row for each part of each column, with its points.

        Returns
        -------
        DataFrame
            Columns ``column``, ``part``, ``count``, ``share``, ``event_rate``, ``woe`` and
            ``points``; the points of one row for each column add up to the score.
        """
        from partage._display.notebook import styled

        check_is_fitted(self)
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

    def plot(self, ax=None) -> Any:
        """Draw the points of every part, columns with the widest range on top.

        Returns
        -------
        Axes
            The axes drawn on.
        """
        from partage._display.plots import plot_points

        check_is_fitted(self)
        return plot_points(self.points_, self.partitions_, ax)

    def _exported(self) -> list[tuple[str, Partition, NDArray[np.float64]]]:
        """Name, partition and points of each column that has points."""
        check_is_fitted(self)
        return [(name, self.partitions_[name], points) for name, points in self.points_.items()]

    def to_sql(self, dialect="duckdb", table="t", keep=()) -> str:
        """Write the score as one SELECT.

        Returns
        -------
        str
            A SELECT of ``points``, equal to ``points(X)``, of ``probability``, that of the event,
            and of ``prediction``, equal to ``predict(X)``.
        """
        from partage._estimators.scorecard.export import scorecard_select

        columns = self._exported()
        return scorecard_select(columns, self._outcomes(), self._scale(), dialect, table, keep)

    def to_python(self) -> str:
        """Write the score as the source of a Python module without partage.

        Returns
        -------
        str
            A module that imports the standard library only; its ``transform(row: dict) -> dict``
            gives ``points``, ``probability`` and ``prediction`` of one row.
        """
        from partage._estimators.scorecard.export import scorecard_source

        return scorecard_source(self._exported(), self._outcomes(), self._scale())

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.target_tags.required = True
        tags.input_tags.allow_nan = True
        return tags
