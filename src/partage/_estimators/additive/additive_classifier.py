"""``AdditiveClassifier``: probabilities of classes from a sum of curves and pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from partage._estimators.additive.base import BaseAdditive
from partage._estimators.additive.core import LearnedRows
from partage._estimators.additive.links import ClassLink, probabilities
from partage._estimators.public import public
from partage._estimators.scikit import ClassifierMixin
from partage._support.portable import logs
from partage._targets.target import TargetRows


@public
@dataclass(kw_only=True, eq=False, repr=False)
class AdditiveClassifier(ClassifierMixin, BaseAdditive):
    """Classify by a sum of curves: one for each column, and one lattice for each pair that pays.

    Every column is put into cells, numbers at 128 quantiles and categories by their values. In
    turn, each column gets the curve that is the mean over all partitions of its cells, given the
    others; nothing is tuned by the user. Pairs of columns are looked for in what the curves leave.
    Columns and pairs enter only if held-out rows, or the evidence of the rows, pay for naming
    them. The score is the sum of what the terms add to it: the log-odds of the second of two
    classes, or one score for each of more.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.

    Examples
    --------
    >>> import partage as pt
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> model = pt.AdditiveClassifier().fit(X[["mean radius", "mean texture"]], y)
    >>> model.summary()[["term", "kind"]]
                             term   kind
    0                 mean radius  curve
    1                mean texture  curve
    2  mean radius x mean texture   pair
    >>> model.predict_proba(X[["mean radius", "mean texture"]])[:2].round(2)
    array([[0.85, 0.15],
           [0.99, 0.01]])
    """

    _target_type: ClassVar[str] = "class"

    def fit(self, X: Any, y: Any = None, *, target: Any = None, sample_weight: Any = None) -> Self:
        """Find the curves and the pairs.

        Parameters
        ----------
        y : array-like of shape (n_rows,), default=None
            The class of each row.

        Returns
        -------
        self
            The fitted estimator. It keeps its rows in memory, for ``edit`` and ``simplify``, but
            neither in its file nor when it is pickled.
        """
        return self._fit(X, y, target, sample_weight)

    def _read_rows(
        self,
        who: str,
        rows: TargetRows,
        exposure: NDArray[np.float64] | None,  # noqa: ARG002  # of numbers
    ) -> tuple[LearnedRows, float, float]:
        n_classes = rows.n_classes
        if n_classes < 2:
            raise ValueError(
                f"{who}: y must hold two classes or more; got 1 class: "
                f"{rows.classes.tolist()[0]!r}."
            )
        weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights.astype(np.float64)
        law, n_outputs = ("two classes", 1) if n_classes == 2 else ("classes", n_classes)
        y = np.ascontiguousarray(rows.codes, dtype=np.float64)
        return LearnedRows(law, y, np.ascontiguousarray(weights), n_outputs), 1.0, 0.0

    @staticmethod
    def _n_outputs(classes: NDArray[Any]) -> int:
        """Give the number of scores of a row."""
        return 1 if len(classes) == 2 else len(classes)

    def _output_names(self) -> list[str]:
        classes = self.classes_.tolist()
        return [""] if len(classes) == 2 else [str(label) for label in classes]

    def _link(self) -> ClassLink:
        return ClassLink(self.classes_.tolist())

    @staticmethod
    def _measure() -> str:
        """Name the loss of rows."""
        return "log-loss"

    def _losses(
        self,
        scores: NDArray[np.float64],
        rows: TargetRows,
        exposure: Any,  # noqa: ARG002  # of numbers
    ) -> NDArray[np.float64]:
        found = probabilities(scores)[np.arange(rows.n_rows), rows.codes]
        return -logs(np.maximum(found, 1e-300))

    def scorecard(self, **parameters: Any) -> Any:
        """Give a scorecard with the points of this model, such as a simplified one.

        Parameters
        ----------
        **parameters
            Of ``Scorecard``, such as ``points_to_double``.

        Returns
        -------
        Scorecard
            It has the parts of this model, and points that add up to its log-odds; ``document``,
            ``performance`` and ``reasons`` work on it.
        """
        from partage._estimators.additive.card import make_card

        return make_card(self, parameters)

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Scores of each row.

        Returns
        -------
        ndarray of shape (n_rows,) or (n_rows, n_classes)
            Log-odds of the second of two classes; of more, a score for each.
        """
        scores = self._scores(f"{type(self).__name__}.decision_function", X)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probability of each class.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            In the order of ``classes_``; rows sum to 1.
        """
        return probabilities(self._scores(f"{type(self).__name__}.predict_proba", X))

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Logarithm of the probability of each class.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            In the order of ``classes_``.
        """
        return logs(self.predict_proba(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Most probable class of each row; the first on a tie.

        Returns
        -------
        ndarray of shape (n_rows,)
            Classes.
        """
        scores = self._scores(f"{type(self).__name__}.predict", X)
        best = (scores[:, 0] > 0).astype(int) if scores.shape[1] == 1 else scores.argmax(axis=1)
        return np.asarray(self.classes_[best])
