"""``GraphPartitionClassifier``: classes by majority in the nearest part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._estimators.graph_partitioner import BaseGraphPartitioner
from partage._estimators.public import public
from partage._estimators.scikit import ClassifierMixin

_ADDED = 2.0  # objects that smooth the shares of a part


@public
@dataclass(kw_only=True, eq=False, repr=False)
class GraphPartitionClassifier(ClassifierMixin, BaseGraphPartitioner):
    """Classify by the most frequent class in the nearest part of a proximity graph.

    A scikit-learn classifier: the parts are those of ``GraphPartitioner``, and a new row belongs to
    the part of the nearest training row.

    Examples
    --------
    >>> import partage as pt
    >>> X = [[x, y] for x in range(8) for y in range(4)]
    >>> model = pt.GraphPartitionClassifier().fit(X, [0] * 16 + [1] * 16)
    >>> model.predict_proba([[0.2, 3.1], [6.9, 0.4]]).round(2)
    array([[0.94, 0.06],
           [0.06, 0.94]])
    """

    def predict_proba(self, X: Any, links: Any = None) -> NDArray[np.float64]:
        """Class shares in the nearest part, smoothed.

        Each part gets two more objects, divided as all of them are, so that no share is 0.

        Parameters
        ----------
        X : data frame or array of shape (n_objects, n_columns), or None
            The objects as points.

        Returns
        -------
        ndarray of shape (n_objects, n_classes)
            Shares in the order of ``classes_``.
        """
        parts = self._parts(f"{type(self).__name__}.predict_proba", X, links)
        counts = self.partition_.counts
        prior = counts.sum(axis=0) / counts.sum()
        smoothed = (counts + _ADDED * prior) / (counts.sum(axis=1, keepdims=True) + _ADDED)
        return np.asarray(smoothed[parts])
