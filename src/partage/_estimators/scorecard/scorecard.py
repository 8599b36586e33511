"""``Scorecard``: points for every part of every column, which add up to a score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted, validate_data

from partage._data.conversions import conversions_from_plain
from partage._data.lazy import check_in_memory
from partage._estimators.columns import read_fitted_columns
from partage._estimators.fit import Opened, open_table
from partage._estimators.plan import check_plan
from partage._estimators.public import public
from partage._estimators.scikit import BaseEstimator, ClassifierMixin
from partage._estimators.scorecard.checks import check_parameters
from partage._estimators.scorecard.fit import (
    LEAST_SHARE,
    Rows,
    count_rows,
    divide_further,
    fit_with_floor,
    has_points,
)
from partage._estimators.scorecard.held_out import hold_out
from partage._estimators.scorecard.judged import JudgedCard
from partage._estimators.scorecard.points import (
    Scale,
    neutral_points,
    override_points,
)
from partage._estimators.scorecard.rounding import round_points
from partage._estimators.scorecard.selection import Rules
from partage._estimators.scorecard.shown import ShownCard
from partage._estimators.scorecard.state import card_to_plain, read_card
from partage._estimators.scorecard.weights import Weights, weigh_columns
from partage._estimators.table_partitioner import TablePartitioner
from partage._partitions.partition import Partition
from partage._saving.savable import Savable
from partage._support.checks import check_jobs, check_names
from partage._targets.events import find_event

_FEW = 8  # parts of a column, unless asked for otherwise
_MOST = 8


@public
@dataclass(kw_only=True, eq=False, repr=False)
class Scorecard(ShownCard, JudgedCard, ClassifierMixin, Savable, BaseEstimator):
    """Give points to every part of every column; their sum gives the odds of two classes.

    Each column is partitioned, its parts are replaced by their weights of evidence, and a logistic
    regression weighs the columns that are worth it. More points mean that the event is less
    likely: by default no part of more risk has more points than one of less.

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
        it: a column too weak to be divided alone may still help beside others, which rows held out
        decide. 1 leaves such columns out. By default 8, and 1 where a ``partitioner`` is given.
    signs : {"evidence", None}, default="evidence"
        Whether weights are held to the sign of the evidence, so that more risk never gets more
        points. Columns that this holds at 0 are left out. None frees the weights.
    selection : {"mdl", "stepwise", "lasso", None}, default="mdl"
        How columns are left out, beside those of one part. All but None leave out columns that
        stronger ones hold already (a correlation of 0.98, or a variance inflation factor above
        10), and columns that were divided although nothing was found in them, unless they pay in
        rows held out, by themselves or together. Then ``"mdl"`` leaves out, one by one, those that
        save less than a tenth of a bit of the description of the classes; ``"stepwise"`` adds and
        removes columns by p-values of 0.05; ``"lasso"`` takes those to which a price of the
        weights leaves any, at the price of the lowest BIC. ``summary()`` says why each column was
        left out.
    max_columns : int, default=None
        Upper limit for the number of columns with points.
    min_iv : float, default=0
        Columns of a lower information value are left out.
    ridge : float, default=3
        Price of half the sum of the squares of the weights, added to the loss after columns were
        selected. Larger values give smaller weights. 3 is felt among hundreds of rows, where
        weights on evidence of the same rows are too large, and hardly among thousands; 0 gives
        the weights, standard errors and p-values of maximum likelihood.
    override : dict, default=None
        Points of single parts, by column and by number of the part (or ``"missing"``, or the name
        that ``table()`` shows): ``{"age": {3: 20}}``. They are set after the fit, and recorded.
    rounded : bool, default=False
        Whether the points of each part are whole numbers, chosen so that the sums of the fitted
        rows lose least; predictions then follow the rounded points.
    partitioner : TablePartitioner, default=None
        How columns are partitioned; by default ``TablePartitioner(max_parts=8, monotonic="auto",
        min_part_size=0.05)``: few parts of at least 5 % of all rows, whose rates rise, fall or
        turn once.
    cut_style : {"midpoint", "simple"}, default=None
        Where cuts are placed between two neighbouring values, as in ``TablePartitioner``; by
        default as ``partitioner`` says.
    estimator : LogisticRegression, default=None
        How the columns that were selected are weighed; by default by the likelihood and
        ``ridge``, with signs, in sums of a fixed order. One of scikit-learn gives no standard
        errors.

    Attributes
    ----------
    partitions_
    points_ : dict of str to ndarray
        Points of each code of each column that is not left out.
    neutral_points_ : dict of str to float
        Points of no evidence, of each column that has points.
    score_range_ : tuple of float
        Lowest and highest sum of points.
    coef_ : ndarray of shape (1, n_columns)
        Weight of each column's evidence; 0 for columns left out.
    intercept_ : ndarray of shape (1,)
        Log-odds of the event where all evidence is 0.
    cutoff_ : float
        Points at even odds: below, the event is predicted.
    classes_ : ndarray of shape (2,)
        The classes.
    event_ : object
        The class that is the event.
    changes_ : Changes
        What the edit changed, of a card that ``edit`` gave.
    n_features_in_
    feature_names_in_

    Examples
    --------
    >>> import partage as pt
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> card = pt.Scorecard(rounded=True).fit(X[["mean radius", "mean texture"]], y)
    >>> card.points(X[["mean radius", "mean texture"]])[:3]
    array([550., 595., 655.])
    >>> card.table()[["column", "part", "points"]].head(2)
            column             part  points
    0  mean radius   (-inf, 10.945]    93.0
    1  mean radius  (10.945, 12.33]   164.0
    """

    points_to_double: float = 20
    base: float = 600
    base_odds: float = 50
    positive: Any = None
    min_parts: int | None = None
    signs: str | None = "evidence"
    selection: str | None = "mdl"
    max_columns: int | None = None
    min_iv: float = 0.0
    ridge: float = 3.0
    override: Mapping[str, Mapping[Any, float]] | None = None
    rounded: bool = False
    partitions: Mapping[str, Partition] | None = None
    partitioner: TablePartitioner | None = None
    cut_style: str | None = None
    estimator: Any = None
    n_jobs: int | None = None

    def fit(self, X: Any, y: Any = None, *, target: Any = None, sample_weight: Any = None) -> Self:
        """Partition the columns, select and weigh their evidence, and set the points.

        Parameters
        ----------
        y : array-like of shape (n_rows,), default=None
            The class of each row, of two classes.

        Returns
        -------
        self
            The fitted estimator. It keeps its rows in memory, for ``edit`` and ``document``, but
            neither in its file nor when it is pickled.
        """
        return self._fit(X, y, target, sample_weight, {})

    def _fit(
        self, X: Any, y: Any, target: Any, sample_weight: Any, left_out: Mapping[str, str]
    ) -> Self:
        """Fit a card; some columns are left out for reasons known before."""
        who = "Scorecard.fit"
        check_parameters(self)
        check_in_memory(who, X)
        maker, least = self._make_partitioner()
        plan = check_plan("TablePartitioner", vars(maker) | {"target_type": None})
        opened = open_table(who, plan, X, y, target, sample_weight)
        check_names(who, "override", self.override or {}, opened.table)
        validate_data(self, opened.frame, skip_check_array=True)
        event = self._find_event(who, opened)
        opened = opened.marked(event, int(maker.woe_sign))
        known: dict[Any, Any] = {}
        found = fit_with_floor(who, maker, opened, self.partitioner is None, known)
        divided = divide_further(who, vars(maker), opened, found, least, known)
        partitions = {p.name: p._marked(event, int(maker.woe_sign)) for p in divided}
        codes = self._assign(who, opened, partitions)
        rows = count_rows(codes, opened.rows.codes == event, opened.rows.weights)
        held_out = None
        weak = self._find_weak(found, partitions, maker, left_out)
        if weak:
            n_jobs = check_jobs("Scorecard", maker.n_jobs)
            held_out = hold_out(who, vars(maker), opened, weak, codes, n_jobs)
        rules = self._rules(int(maker.woe_sign))
        weights = weigh_columns(partitions, rows, rules, self.estimator, held_out, left_out)
        points = self._set_points(who, partitions, weights, rows)
        self._target_name = opened.target_name
        self._store(opened.table.library, opened.rows.classes, event, partitions, weights, points)
        self._keep_scores(rows)
        self._given = X, y, target, sample_weight
        self._conversions = {}
        return self

    def _find_event(self, who: str, opened: Opened) -> int:
        """Find the event among two classes."""
        rows = opened.rows
        if rows.n_classes != 2:
            shown = ", ".join(map(repr, rows.classes.tolist()[:5]))
            raise ValueError(
                f"{who}: y must hold two classes; got {rows.n_classes} "
                f"class{'' if rows.n_classes == 1 else 'es'}: {shown}. Only binary classification "
                "is supported. Take one class against the rest, such as y == "
                f"{rows.classes.tolist()[-1]!r}, or, if y is an amount, "
                "TablePartitioner(target_type='number')."
            )
        return find_event(who, self.positive, rows.classes, rows.event)

    def _assign(
        self, who: str, opened: Opened, partitions: dict[str, Partition]
    ) -> NDArray[np.int64]:
        """Codes of the rows in each column."""
        rows = opened.rows
        codes = np.zeros((len(partitions), rows.n_rows), dtype=np.int64)
        for i, p in enumerate(partitions.values()):
            if has_points(p):  # the others do not divide the rows
                codes[i] = rows.kept_of(p._assign_from(who, opened.table, i))
        return codes

    def _find_weak(
        self,
        found: list[Partition],
        partitions: dict[str, Partition],
        maker: TablePartitioner,
        left_out: Mapping[str, str],
    ) -> dict[int, Partition]:
        """Columns in which nothing was found, but which may have points, by place."""
        settled = {*left_out, *(maker.partitions or {})}
        return {
            i: p
            for i, (name, p) in enumerate(partitions.items())
            if self.selection is not None
            and found[i].n_parts == 1
            and has_points(p)
            and name not in settled
        }

    def _rules(self, woe_sign: int) -> Rules:
        """Give what the parameters say of the columns."""
        sign = woe_sign if self.signs == "evidence" else 0
        most = None if self.max_columns is None else int(self.max_columns)
        return Rules(self.selection, sign, woe_sign, most, float(self.min_iv), float(self.ridge))

    def _store(
        self,
        library: str,
        classes: NDArray[Any],
        event: int,
        partitions: dict[str, Partition],
        weights: Weights,
        points: dict[str, NDArray[np.float64]],
    ) -> None:
        """Assign what was fitted."""
        self.partitions_ = partitions
        self.classes_ = classes
        self.event_ = classes[event]
        self.coef_ = weights.coef[None, :]
        self.intercept_ = np.array([weights.intercept])
        self.points_ = points
        self.neutral_points_ = neutral_points(partitions, weights, points, self._scale())
        lowest, highest = (sum(pick(p) for p in points.values()) for pick in (np.min, np.max))
        self.score_range_ = float(lowest), float(highest)
        self.cutoff_ = self._scale().cutoff
        self._weights = weights
        self._library = library
        self._parts_of_points = dict(partitions)

    def _fitted_to_plain(self) -> dict[str, Any]:
        return card_to_plain(self)

    def _restore_fitted(self, data: dict[str, Any]) -> None:
        check_parameters(self)
        state = read_card(data, self.positive)
        self._store(str(data["library"]), *state.fitted)
        self._score_bands = state.score_bands
        self._fitted_measures = state.measures
        self._conversions = conversions_from_plain(data.get("conversions", {}))

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the rows of the fit."""
        state: Any = super().__getstate__()
        return {name: value for name, value in state.items() if name != "_given"}

    def _make_partitioner(self) -> tuple[TablePartitioner, int]:
        """Give the partitioner to use, and how many parts a column should have at least."""
        least = self.min_parts
        if self.partitioner is None:
            least = _FEW if least is None else least
            maker = TablePartitioner(
                max_parts=max(_MOST, least), monotonic="auto", min_part_size=LEAST_SHARE
            )
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
        self, who: str, partitions: dict[str, Partition], weights: Weights, rows: Rows
    ) -> dict[str, NDArray[np.float64]]:
        """Points of the codes of columns that have a weight; without any, of the first one."""
        names = list(partitions)
        used = [name for name, weight in zip(names, weights.coef, strict=True) if weight != 0.0]
        used = used or names[:1]
        odds = {
            name: weights.coef[names.index(name)]
            * partitions[name].code_woe(partitions[name].event)
            for name in used
        }
        points = self._scale().shared(odds, weights.intercept)
        if self.rounded:
            points = round_points(points, rows, [names.index(name) for name in used])
        return override_points(who, self.override or {}, partitions, points, weights, self.signs)

    def _scale(self) -> Scale:
        """Give the scale of the points."""
        return Scale(self.points_to_double, self.base, self.base_odds)

    def points(self, X: Any) -> NDArray[np.float64]:
        """Sum the points of each row.

        Returns
        -------
        ndarray of shape (n_rows,)
            More points mean that the event is less likely.
        """
        who = "Scorecard.points"
        self._check_fresh(who)
        table = read_fitted_columns(self, who, X)
        names = list(self.partitions_)
        total = np.zeros(table.n_rows)
        for name, points in self.points_.items():
            total = (
                total + points[self.partitions_[name]._assign_from(who, table, names.index(name))]
            )
        return total

    def _check_fresh(self, who: str) -> None:
        """Refuse parts that were replaced after the fit: the points are those of the old ones."""
        check_is_fitted(self)
        old, new = self._parts_of_points, self.partitions_
        changed = [name for name in {**old, **new} if old.get(name) is not new.get(name)]
        if changed:
            raise ValueError(
                f"{who}: partitions_ must be those of the fit, whose points the card has; "
                f"{changed[0]!r} was replaced. Use card.edit({changed[0]!r}, ...), or fit again "
                "with partitions=."
            )

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Log-odds of the second class.

        Returns
        -------
        ndarray of shape (n_rows,)
            Positive where the second class is predicted.
        """
        points = self.points(X)
        odds = (self.cutoff_ - points) / self._scale().factor  # of the event
        return np.asarray(odds if self.event_ == self.classes_[1] else -odds)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probability of both classes.

        Returns
        -------
        ndarray of shape (n_rows, 2)
            In the order of ``classes_``.
        """
        from scipy.special import expit

        odds = self.decision_function(X)
        return np.column_stack([expit(-odds), expit(odds)])

    def predict(self, X: Any) -> NDArray[Any]:
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

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.target_tags.required = True
        tags.input_tags.allow_nan = True
        return tags
