"""Logistic regression on the parts of columns and of pairs of columns."""

from __future__ import annotations

from typing import Any

import numpy as np

import partage as pt
from partage._data.table import read_table
from partage._display.outputs import sparse_bits
from partage._estimators.bayes.features import Coder


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
        sizes = [len(table) for table, _ in self.bayes_._tables]
        starts = np.cumsum([0, *sizes])
        codes = [feature.codes(coder) for feature in self.bayes_._features]
        columns = [found + start for found, start in zip(codes, starts, strict=False)]
        return sparse_bits(np.column_stack(columns), int(starts[-1]))
