"""``GraphPartitionRegressor``: numbers by the mean of the nearest part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from partage._estimators.graph_partitioner import BaseGraphPartitioner
from partage._estimators.public import public
from partage._estimators.scikit import RegressorMixin
from partage._graphs.ranks import find_told, priced
from partage._partitions.cells import Cells
from partage._support.frames import Frame
from partage._targets.read import read_target, take_target, target_name
from partage._targets.target import TargetRows


@public
@dataclass(kw_only=True, eq=False, repr=False)
class GraphPartitionRegressor(RegressorMixin, BaseGraphPartitioner):
    """Predict a number by the mean of the nearest part of a proximity graph.

    A scikit-learn regressor. The parts tell the ranks of the number: which of a few intervals of
    even frequency each row lies in, as ``GraphPartitioner`` tells classes, and the intervals are
    paid for. Outliers of the number move no part, and a number that the rows say nothing of leaves
    one. ``partition_`` counts the rows of each interval; its cost is that of all ranks.

    Attributes
    ----------
    means_ : ndarray of shape (n_parts,)
        Mean of the number in each part.
    target_cuts_ : ndarray
        Where the number is divided into the intervals that parts tell.

    Examples
    --------
    >>> import partage as pt
    >>> X = [[x, y] for x in range(12) for y in range(12)]
    >>> ring = [5.0 if (x - 5.5) ** 2 + (y - 5.5) ** 2 < 16 else 1.0 for x, y in X]
    >>> model = pt.GraphPartitionRegressor().fit(X, ring)
    >>> model.predict([[5.2, 6.1], [0.3, 10.8]]).round(1)
    array([4.6, 1.3])
    """

    def fit(self, X: Any, y: Any = None, *, target: Any = None, sample_weight: Any = None) -> Self:
        """Partition the objects by a number.

        Parameters
        ----------
        X : data frame or array of shape (n_objects, n_columns), or None
            The objects as points: numbers without gaps.
        y : array-like of shape (n_objects,), default=None
            The number of each object.
        target : str, default=None
            Name of the column of X that holds the number, instead of y.
        sample_weight : array-like of shape (n_objects,), default=None
            How many equal objects each row stands for: whole numbers.

        Returns
        -------
        self
            The fitted estimator.
        """
        who = f"{type(self).__name__}.fit"
        named = target_name(y, target)
        X, y = take_target(who, X, y, target)
        rows = read_target(who, y, sample_weight, target_type="number")
        fits: dict[int, Self] = {}

        def divide(intervals: NDArray[np.int64]) -> Cells:
            model = self._fit_intervals(X, rows, intervals, sample_weight)
            fits[id(model.partition_)] = model
            return model.partition_

        told = find_told(rows, divide)
        best = fits[id(told.cells)]
        parts = rows.kept_of(best.labels_)
        tally = rows.tally(parts, told.cells.n_parts)
        total = rows.tally(np.zeros(len(parts), dtype=np.int64), 1)
        vars(self).update({key: value for key, value in vars(best).items() if key != "classes_"})
        self.partition_ = priced(told, float(tally.weight.sum()))
        self.means_ = told.target.means(tally, total)
        self.target_cuts_ = told.target.cut_values()
        self._target_name = named
        return self

    def _fit_intervals(
        self, X: Any, rows: TargetRows, intervals: NDArray[np.int64], sample_weight: Any
    ) -> Self:
        """Partition the objects by intervals of the number."""
        labels = np.zeros(rows.n_table_rows, dtype=np.int64)
        labels[slice(None) if rows.kept is None else rows.kept] = intervals
        model = type(self)(**self.get_params(deep=False))
        BaseGraphPartitioner.fit(model, X, labels, sample_weight=sample_weight)
        return model

    def predict(self, X: Any, links: Any = None) -> NDArray[np.float64]:
        """Mean of the number in the nearest part.

        Parameters
        ----------
        X : data frame or array of shape (n_objects, n_columns), or None
            The objects as points.

        Returns
        -------
        ndarray of shape (n_objects,)
            The means.
        """
        parts = self._parts(f"{type(self).__name__}.predict", X, links)
        return np.asarray(self.means_[parts])

    def describe(self) -> Frame:
        """Describe each part in the columns.

        Returns
        -------
        DataFrame
            As that of ``GraphPartitioner``, with the ``mean`` of the number in place of the most
            frequent class.
        """
        check_is_fitted(self)
        return self._described({"mean": self.means_.tolist()})

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = True  # means of a few parts; a line takes more of them
        return tags


__all__ = ["GraphPartitionRegressor"]
