"""Logistic regression on the parts of columns and of pairs of columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

import partage as pt
from partage._features import Coder
from partage._inputs import read_table


class PairRegression:
    """A regression on one bit for each part of each column and informative pair."""

    def __init__(self, regression: Any) -> None:
        self.regression = regression

    def fit(self, X: Any, y: Any) -> PairRegression:
        """Partition columns and pairs as naive Bayes does, and fit the regression."""
        self.bayes_ = pt.NaiveBayesClassifier(interactions=2).fit(X, y)
        self.regression.fit(self._bits(X), y)
        self.classes_, self.coef_ = self.regression.classes_, self.regression.coef_
        return self

    def predict_proba(self, X: Any) -> Any:
        """Return the probability of each class."""
        return self.regression.predict_proba(self._bits(X))

    def _bits(self, X: Any) -> Any:
        """Give the bits of each row."""
        coder = Coder("PairRegression", read_table("PairRegression", X))
        found = []
        for feature, (table, _) in zip(self.bayes_._features, self.bayes_._tables, strict=True):
            codes = feature.codes(coder)
            starts, n = np.arange(len(codes) + 1), len(codes)
            found.append(sparse.csr_array((np.ones(n), codes, starts), shape=(n, len(table))))
        return sparse.csr_array(sparse.hstack(found))
