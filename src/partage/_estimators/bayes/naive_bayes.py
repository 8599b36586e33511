"""``NaiveBayesClassifier``: naive Bayes on the parts of columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from partage._data.lazy import check_in_memory
from partage._data.numbers import gaps_among
from partage._estimators.bayes.base import BaseNaiveBayes
from partage._estimators.bayes.batches import add_rows, count_more, in_classes
from partage._estimators.bayes.features import Coder, Feature
from partage._estimators.columns import read_fitted_columns
from partage._estimators.public import public
from partage._partitions.given import check_given_classes
from partage._support.checks import refuse
from partage._targets.classes import class_rows
from partage._targets.read import read_target
from partage._targets.target import TargetRows, check_lengths

__all__ = ["NaiveBayesClassifier"]


@public
@dataclass(kw_only=True, eq=False, repr=False)
class NaiveBayesClassifier(BaseNaiveBayes):
    """Classify by naive Bayes on the parts of columns.

    Each column is partitioned by its kind, as by ``TablePartitioner``. The probability of a part
    given a class is Laplace's estimate (n_kj + 1) / (n_j + K), where K counts the parts, and
    missing values as one more where training held some. Values that training did not hold tell
    nothing.

    Attributes
    ----------
    weights_ : ndarray
        Weight of each column, then of each product: 1, or 0 for columns that a grid stands for.

    References
    ----------
    M. Boullé, A grouping method for categorical attributes having very large number of values,
    Machine Learning and Data Mining in Pattern Recognition, 2005, section 3.4.

    Examples
    --------
    >>> import pandas as pd
    >>> import partage as pt
    >>> df = pd.DataFrame({"age": range(40), "city": ["Lyon", "Paris"] * 20})
    >>> clf = pt.NaiveBayesClassifier().fit(df, ["no"] * 20 + ["yes"] * 20)
    >>> clf.predict(pd.DataFrame({"age": [3, 35, None], "city": ["Nice", None, "Lyon"]}))
    array(['no', 'yes', 'no'], dtype='<U3')
    """

    _takes_grids: ClassVar[bool] = True

    def fit(self, X: Any, y: Any = None, *, target: Any = None, sample_weight: Any = None) -> Self:
        """Partition every column and count the classes of the parts.

        Parameters
        ----------
        X : data frame or array of shape (n_rows, n_columns), lazy frame, path or source
            The table. Rows that are not in memory are counted by their engine, for ``target`` as a
            name and without ``interactions`` or ``partitions``; the other methods need the rows.

        Returns
        -------
        self
            The fitted estimator.
        """
        table, rows, features, counts = self._fit_features(X, y, target, sample_weight)
        weights = self._weights_of(features)
        self._store(table.library, rows.classes, rows.counts(), features, counts, weights)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Count more rows in the parts found before; the first call finds them.

        Parts stay as they are: pass them as ``partitions``, or make the first batch large. The
        counts, costs and levels of ``partitions_``, ``levels_`` and ``summary`` are those of all
        rows so far. Counts of single values are not kept: ``n_values`` is that of the batch with
        most, and edits that need them ask for ``recount``.

        Parameters
        ----------
        classes : array-like of shape (n_classes,), default=None
            All classes that later calls may hold, at the first call; by default those of y.

        Returns
        -------
        self
            The fitted estimator.
        """
        who = f"{type(self).__name__}.partial_fit"
        check_in_memory(who, X)
        if self.shares == "averaged":
            raise ValueError(
                f"{who}: shares='averaged' needs all rows at once, since the mean over partitions "
                "is not a sum over batches; use fit, or shares='counted'."
            )
        announced = None if classes is None else _read_classes(who, classes)
        if not hasattr(self, "classes_"):
            return self._count_first(who, X, y, announced, sample_weight)
        table = read_fitted_columns(self, who, X)
        rows = read_target(who, y, sample_weight)
        check_lengths(who, "X", table.n_rows, rows)
        if announced is not None:
            _among(who, class_rows(rows.codes[:0], announced), self.classes_)
        rows, _ = _among(who, rows, self.classes_)
        coder = Coder(who, table)
        more = [count_more(who, feature, coder, rows) for feature in self._features]
        features = [add_rows(*pair) for pair in zip(self._features, more, strict=True)]
        pairs = zip(self._counts, more, strict=True)
        counts = [held + batch.counts() for held, batch in pairs]
        class_counts = self.class_count_ + rows.counts()
        library = table.library
        self._store(library, self.classes_, class_counts, features, counts, self.weights_)
        return self

    def _count_first(
        self, who: str, X: Any, y: Any, announced: NDArray[Any] | None, sample_weight: Any
    ) -> Self:
        """Find the parts on the first batch."""
        table, rows, features, _ = self._fit_features(X, y, None, sample_weight, "partial_fit")
        if announced is not None:
            for name, partition in (self.partitions or {}).items():
                check_given_classes(who, name, partition, announced)
        rows, place = _among(who, rows, rows.classes if announced is None else announced)
        wider = [in_classes(feature, rows.classes, place, rows.event) for feature in features]
        counts = [feature.counts() for feature in wider]
        weights = self._weights_of(features)
        self._store(table.library, rows.classes, rows.counts(), wider, counts, weights)
        return self

    def _weights_of(self, features: list[Feature]) -> NDArray[np.float64]:
        """Weigh every term alike; a grid stands for both of its columns, which then count for 0."""
        weights = np.ones(len(features))
        if self.interactions == "grid":
            inside = [
                k for feature in features if len(feature.members) > 1 for k in feature.members
            ]
            weights[inside] = 0.0
        return weights


def _read_classes(who: str, classes: Any) -> NDArray[Any]:
    """Read the classes that are announced: labels of one type, none missing."""
    labels = list(classes) if hasattr(classes, "__iter__") else classes
    cells = np.empty(len(labels) if isinstance(labels, list) else 0, dtype=object)
    cells[:] = labels
    if not len(cells) or gaps_among(cells).any():
        refuse(who, "classes", "a list of class labels, none of them missing", classes)
    return read_target(f"{who}: classes", labels).classes


def _among(who: str, rows: TargetRows, classes: Any) -> tuple[TargetRows, NDArray[np.int64]]:
    """Express a target in given classes; also the place of each of its classes among them."""
    known = np.unique(np.asarray(classes))
    place = {label: i for i, label in enumerate(known.tolist())}
    new = [label for label in rows.classes.tolist() if label not in place]
    if new:
        raise ValueError(
            f"{who}: y must hold classes of the first call, "
            f"{', '.join(map(repr, known.tolist()))}; got {new[0]!r}. Announce every class by "
            "`classes` at the first call, or fit again."
        )
    places = np.array([place[label] for label in rows.classes.tolist()], dtype=np.int64)
    codes = places.astype(np.uint16)[rows.codes]
    return class_rows(codes, known, rows.weights, rows.kept), places
