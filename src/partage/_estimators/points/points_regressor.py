"""``PointsRegressor``: points for every part of every column, which add up to a prediction."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted, validate_data

from partage._data.lazy import check_in_memory
from partage._display.tables import row_labels
from partage._estimators.columns import partition_named, read_fitted_columns
from partage._estimators.fit import fit_columns, open_table
from partage._estimators.plan import check_partitions, check_plan
from partage._estimators.points.fit import fit_points, on_curve
from partage._estimators.public import public
from partage._estimators.scikit import BaseEstimator, RegressorMixin
from partage._estimators.table_partitioner import TablePartitioner
from partage._partitions.partition import Partition
from partage._saving.partitions import read_numbers, read_partitions
from partage._saving.savable import Savable
from partage._support.checks import check_choice, check_jobs, refuse
from partage._support.frames import make_frame
from partage._targets.target import TargetRows

FAMILIES = ("gaussian", "poisson", "gamma")


@public
@dataclass(kw_only=True, eq=False, repr=False)
class PointsRegressor(RegressorMixin, Savable, BaseEstimator):
    """Give points to every part of every column; their sum predicts a number.

    Each column is partitioned, and a penalised linear model of scikit-learn gives points to its
    parts: what a row of that part adds to the prediction, beside a row like all others.

    Parameters
    ----------
    family : {"gaussian", "poisson", "gamma"}, default="gaussian"
        Law of the number: ridge regression of any number; or regression with a logarithm as link,
        of counts, also over an ``exposure``, or of positive amounts. Points then add up to the
        logarithm of the prediction.
    alpha : float, default=10
        Rows of no effect that draw the points of a part to 0; larger values give smaller points.
    curve : bool, default=True
        Whether numbers are cut at the steps of their averaged curve, which are finer than their
        parts and predict better; with ``exposure`` they never are.
    partitioner : TablePartitioner, default=None
        How columns are partitioned; by default ``TablePartitioner(method="modl-scores")``, and
        with ``exposure`` ``TablePartitioner(method="poisson")``.

    Attributes
    ----------
    partitions_
    points_ : dict of str to ndarray
        Points of each code of each column.
    intercept_ : float
        What all rows share: the sum of a row whose parts all have 0 points.
    n_features_in_
    feature_names_in_

    Examples
    --------
    >>> import partage as pt
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> model = pt.PointsRegressor(curve=False).fit(X[["bmi", "s5"]], y)
    >>> model.predict(X[["bmi", "s5"]])[:3].round(1)
    array([188.3,  85.8, 188.3])
    """

    family: str = "gaussian"
    alpha: float = 10
    curve: bool = True
    partitions: Mapping[str, Partition] | None = None
    partitioner: TablePartitioner | None = None
    n_jobs: int | None = None

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        target: Any = None,
        sample_weight: Any = None,
        exposure: Any = None,
    ) -> Self:
        """Partition the columns, and set the points.

        Parameters
        ----------
        y : array-like of shape (n_rows,), default=None
            The number of each row.
        exposure : array-like of shape (n_rows,), default=None
            Exposure of each row, positive, over which ``y`` counts events; for
            ``family="poisson"``. Predictions are then events for one unit of it.

        Returns
        -------
        self
            The fitted estimator.
        """
        who = "PointsRegressor.fit"
        self._check_params()
        check_in_memory(who, X)
        self._check_exposure(who, exposure)
        maker = self._make_partitioner(exposure is not None)
        is_fine = self.curve and exposure is None
        asked = {"target_type": "number", "output": "averaged" if is_fine else "mean"}
        plan = check_plan("TablePartitioner", vars(maker) | asked)
        of_method = exposure if maker.method == "poisson" else None
        opened = open_table(who, plan, X, y, target, sample_weight, of_method)
        validate_data(self, opened.frame, skip_check_array=True)
        rows = opened.rows
        self._check_amounts(who, rows.amounts)
        found = fit_columns(who, plan, opened, check_jobs("PointsRegressor", maker.n_jobs))
        if is_fine:
            found = [on_curve(who, plan, opened, i, p) for i, p in enumerate(found)]
        partitions = {p.name: p for p in found}
        codes = np.column_stack(
            [p._assign_from(who, opened.table, i) for i, p in enumerate(partitions.values())]
        )
        amounts, weights = _over_exposure(rows, exposure)
        points, shared = fit_points(
            codes if rows.kept is None else codes[rows.kept],
            [len(p.code_labels()) for p in partitions.values()],
            amounts,
            weights,
            self.family,
            float(self.alpha),
        )
        self._target_name = opened.target_name
        named = dict(zip(partitions, points, strict=True))
        self._store(opened.table.library, partitions, named, shared)
        return self

    def _store(
        self,
        library: str,
        partitions: dict[str, Partition],
        points: dict[str, NDArray[np.float64]],
        shared: float,
    ) -> None:
        """Assign what was fitted."""
        self.partitions_ = partitions
        self.points_ = points
        self.intercept_ = shared
        self._library = library

    def _fitted_to_plain(self) -> dict[str, Any]:
        return {
            "points": [points.tolist() for points in self.points_.values()],
            "intercept": self.intercept_,
            "columns": [partition.to_dict() for partition in self.partitions_.values()],
        }

    def _restore_fitted(self, data: dict[str, Any]) -> None:
        self._check_params()
        partitions = read_partitions(data["columns"])
        if len(data["points"]) != len(partitions):
            raise ValueError("there must be points for each column")
        points = {
            name: read_numbers(given, (len(p.code_labels()),), "points", least=-math.inf)
            for (name, p), given in zip(partitions.items(), data["points"], strict=True)
        }
        (shared,) = read_numbers([data["intercept"]], (1,), "intercept", least=-math.inf)
        self._store(str(data["library"]), partitions, points, float(shared))

    def _check_exposure(self, who: str, exposure: Any) -> None:
        """Refuse an exposure of what is not counted."""
        if exposure is not None and self.family != "poisson":
            raise ValueError(
                f"{who}: exposure is for family='poisson'; got family={self.family!r}. Leave it "
                "out."
            )

    def _check_params(self) -> None:
        """Check the constructor's parameters."""
        who = type(self).__name__
        check_choice(who, "family", self.family, FAMILIES)
        is_number = isinstance(self.alpha, (int, float, np.number))
        if not is_number or isinstance(self.alpha, bool) or not 0 < self.alpha < math.inf:
            refuse(who, "alpha", "a positive number", self.alpha)
        if not isinstance(self.curve, (bool, np.bool_)):
            refuse(who, "curve", "True or False", self.curve)
        check_partitions(who, self.partitions)
        given = self.partitioner
        if given is not None and not isinstance(given, TablePartitioner):
            refuse(who, "partitioner", "a TablePartitioner or None", given)

    def _check_amounts(self, who: str, amounts: NDArray[np.float64]) -> None:
        """Refuse numbers that the family does not know."""
        low = float(amounts.min())
        if (self.family == "poisson" and low < 0) or (self.family == "gamma" and low <= 0):
            must = "not be negative" if self.family == "poisson" else "be positive"
            raise ValueError(
                f"{who}: y must {must} for family={self.family!r}; got {low!r}. Use "
                "family='gaussian'."
            )

    def _make_partitioner(self, has_exposure: bool) -> TablePartitioner:
        """Give the partitioner to use."""
        method = "poisson" if has_exposure else "modl-scores"
        maker = TablePartitioner(method=method)
        if self.partitioner is not None:
            maker = clone(self.partitioner)
        if self.partitions is not None:
            maker.partitions = {**(maker.partitions or {}), **self.partitions}
        if self.n_jobs is not None:
            maker.n_jobs = self.n_jobs
        return maker

    def __getitem__(self, column: str) -> Partition:
        """Give the partition of a column."""
        check_is_fitted(self)
        return partition_named("PointsRegressor", self.partitions_, column)

    def points(self, X: Any) -> NDArray[np.float64]:
        """Sum the points of each row.

        Returns
        -------
        ndarray of shape (n_rows,)
            The prediction; with ``family="poisson"`` and ``"gamma"`` its logarithm.
        """
        check_is_fitted(self)
        who = "PointsRegressor.points"
        table = read_fitted_columns(self, who, X)
        total = np.full(table.n_rows, self.intercept_)
        for i, (name, points) in enumerate(self.points_.items()):
            total = total + points[self.partitions_[name]._assign_from(who, table, i)]
        return total

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Predict the number of each row.

        Returns
        -------
        ndarray of shape (n_rows,)
            The numbers; events for one unit of exposure where there was one.
        """
        points = self.points(X)
        return np.exp(points) if self._is_log else points

    @property
    def _is_log(self) -> bool:
        """Whether points add up to a logarithm."""
        return self.family != "gaussian"

    def table(self, style: str | None = None) -> Any:
        """One row for each part of each column, with its points.

        Returns
        -------
        DataFrame
            Columns ``column``, ``part``, ``count``, ``share``, ``mean`` and ``points``; the points
            of one row for each column, and ``intercept_``, add up to the prediction, or to its
            logarithm.
        """
        from partage._display.notebook import styled

        check_is_fitted(self)
        names = ("column", "part", "count", "share", "mean", "points")
        rows: dict[str, list[Any]] = {name: [] for name in names}
        for name, points in self.points_.items():
            p = self.partitions_[name]
            labels, counted = row_labels(p), p.own_tally()
            means = p.target.columns(counted)["mean"]
            for k in p.rule.shown_codes():
                values = (name, labels[k], int(counted.rows[k]), float(counted.shares[k]))
                numbers = (float(means[k]), float(points[k]))
                for column, value in zip(rows.values(), (*values, *numbers), strict=True):
                    column.append(value)
        frame = make_frame(rows, self._library)
        return frame if style is None else styled("PointsRegressor.table", frame, style)

    def _exported(self) -> list[tuple[str, Partition, NDArray[np.float64]]]:
        """Name, partition and points of each column."""
        check_is_fitted(self)
        return [(name, self.partitions_[name], points) for name, points in self.points_.items()]

    def to_sql(self, dialect: str = "duckdb", table: str = "t", keep: Sequence[str] = ()) -> str:
        """Write the prediction as one SELECT.

        Returns
        -------
        str
            A SELECT of ``points``, equal to ``points(X)``, and of ``prediction``.
        """
        from partage._estimators.points.export import points_select

        columns = self._exported()
        return points_select(columns, self.intercept_, self._is_log, dialect, table, keep)

    def to_python(self) -> str:
        """Write the prediction as the source of a Python module without partage.

        Returns
        -------
        str
            A module that imports the standard library only; its ``transform(row: dict) -> dict``
            gives ``points`` and ``prediction`` of one row.
        """
        from partage._estimators.points.export import points_source

        return points_source(self._exported(), self.intercept_, self._is_log)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.target_tags.positive_only = self.family == "gamma"
        tags.input_tags.allow_nan = True
        return tags


def _over_exposure(
    rows: TargetRows, exposure: Any
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Amounts of the rows, for a unit of their exposure, and weights, which count it."""
    weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights
    if exposure is None:
        return rows.amounts, weights
    over = np.asarray(exposure, dtype=np.float64)
    over = over if rows.kept is None else over[rows.kept]
    return rows.amounts / over, weights * over
