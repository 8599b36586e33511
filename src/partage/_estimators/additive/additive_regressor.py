"""``AdditiveRegressor``: a number from a sum of curves and pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from partage._estimators.additive.base import BaseAdditive
from partage._estimators.additive.core import LearnedRows
from partage._estimators.additive.links import NumberLink
from partage._estimators.public import public
from partage._estimators.scikit import RegressorMixin
from partage._support.checks import check_choice
from partage._support.portable import exps, logs
from partage._targets.read import read_exposure
from partage._targets.target import TargetRows

FAMILIES = ("gaussian", "poisson", "gamma")
_LAWS = {"gaussian": "normal", "poisson": "poisson", "gamma": "gamma"}


@public
@dataclass(kw_only=True, eq=False, repr=False)
class AdditiveRegressor(RegressorMixin, BaseAdditive):
    """Predict a number by a sum of curves: one for each column, a lattice for each pair that pays.

    The terms are found as ``AdditiveClassifier`` finds them. They add up to the number itself, or
    to its logarithm.

    Parameters
    ----------
    family : {"gaussian", "poisson", "gamma"}, default="gaussian"
        Law of the number: any number; counts, also over an ``exposure``; or positive amounts.
        Under the last two terms add up to the logarithm of the prediction.

    Examples
    --------
    >>> import partage as pt
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> model = pt.AdditiveRegressor().fit(X[["bmi", "s5"]], y)
    >>> model.predict(X[["bmi", "s5"]])[:3].round(1)
    array([200.3,  85.8, 177.8])
    """

    family: str = "gaussian"

    _target_type: ClassVar[str] = "number"

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        target: Any = None,
        sample_weight: Any = None,
        exposure: Any = None,
    ) -> Self:
        """Find the curves and the pairs.

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
            The fitted estimator. It keeps its rows in memory, for ``edit`` and ``simplify``, but
            neither in its file nor when it is pickled.
        """
        return self._fit(X, y, target, sample_weight, exposure)

    def _check_params(self) -> None:
        check_choice(type(self).__name__, "family", self.family, FAMILIES)

    def _read_rows(
        self, who: str, rows: TargetRows, exposure: Any
    ) -> tuple[LearnedRows, float, float]:
        if exposure is not None and self.family != "poisson":
            raise ValueError(
                f"{who}: exposure is for family='poisson'; got family={self.family!r}. Leave it "
                "out."
            )
        y = np.ascontiguousarray(rows.amounts, dtype=np.float64)
        low = float(y.min())
        if (self.family == "poisson" and low < 0) or (self.family == "gamma" and low <= 0):
            must = "not be negative" if self.family == "poisson" else "be positive"
            raise ValueError(
                f"{who}: y must {must} for family={self.family!r}; got {low!r}. Use "
                "family='gaussian'."
            )
        if self.family == "poisson" and not y.any():
            raise ValueError(f"{who}: y must hold an event for family='poisson'; all are 0.")
        weights = np.ones(len(y)) if rows.weights is None else rows.weights.astype(np.float64)
        weights = np.ascontiguousarray(weights)
        offsets = None if exposure is None else logs(read_exposure(who, rows, exposure))
        scale, middle = 1.0, 0.0
        if self.family == "gaussian":
            middle = float(np.average(y, weights=weights))
            scale = float(np.sqrt(np.average((y - middle) ** 2, weights=weights))) or 1.0
            y = (y - middle) / scale
        return LearnedRows(_LAWS[self.family], y, weights, 1, offsets), scale, middle

    @staticmethod
    def _n_outputs(classes: NDArray[Any]) -> int:  # noqa: ARG004  # as of classes
        """Give the number of scores of a row."""
        return 1

    def _link(self) -> NumberLink:
        return NumberLink(self.family != "gaussian")

    def _measure(self) -> str:
        """Name the loss of rows."""
        return "squared error" if self.family == "gaussian" else "deviance"

    def _losses(
        self, scores: NDArray[np.float64], rows: TargetRows, exposure: Any
    ) -> NDArray[np.float64]:
        y, found = rows.amounts, scores[:, 0]
        if self.family == "gaussian":
            return np.asarray((y - found) ** 2)
        if self.family == "gamma":
            ratio = y * exps(-found)
            return np.asarray(2.0 * (ratio - logs(ratio) - 1.0))
        over = 1.0 if exposure is None else read_exposure("edit", rows, exposure)
        mean = exps(found) * over
        events = y * (logs(np.where(y > 0, y, 1.0)) - logs(mean))
        return np.asarray(2.0 * (events - y + mean))

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Predict the number of each row.

        Returns
        -------
        ndarray of shape (n_rows,)
            The numbers; events for one unit of exposure where there was one.
        """
        scores = self._scores(f"{type(self).__name__}.predict", X)[:, 0]
        return exps(scores) if self.family != "gaussian" else scores

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.positive_only = self.family == "gamma"
        return tags
