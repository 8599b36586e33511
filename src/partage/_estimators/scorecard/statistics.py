"""What is known of the columns of a scorecard: information, correlation, inflation, p-values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import erfc

from partage._display.tables import strength
from partage._estimators.scorecard.regression import Evidence, factor, invert
from partage._partitions.partition import Partition

__all__ = ["correlations", "inflation", "information_value", "p_values"]


def information_value(partition: Partition) -> float:
    """Information value of a column, of missing and special values too."""
    return strength(partition)["iv"]


def correlations(evidence: Evidence) -> NDArray[np.float64]:
    """Correlations of the evidence of columns over the rows."""
    total = evidence.sizes.sum()
    means = (evidence.columns * evidence.sizes).sum(axis=1) / total
    centered = evidence.columns - means[:, None]
    n = evidence.n_columns
    products = np.empty((n, n))
    for j in range(n):
        products[j, j:] = (centered[j:] * (centered[j] * evidence.sizes)).sum(axis=1)
        products[j:, j] = products[j, j:]
    roots = np.sqrt(np.diagonal(products))
    roots = np.where(roots > 0.0, roots, 1.0)
    return np.asarray(products / np.multiply.outer(roots, roots))


def inflation(correlation: NDArray[np.float64]) -> NDArray[np.float64]:
    """Variance inflation factor of each column; infinite where others hold all of it."""
    found = np.full(len(correlation), np.inf)
    is_free, root = factor(correlation, np.zeros(len(correlation), dtype=bool))
    if is_free.all():
        return np.asarray(np.diagonal(invert(root)).copy())
    for j in range(len(correlation)):
        others = [k for k in range(len(correlation)) if k != j]
        order = [*others, j]
        free, moved = factor(correlation[np.ix_(order, order)], np.zeros(len(order), dtype=bool))
        if free[-1]:
            found[j] = invert(moved)[-1, -1]
    return found


def p_values(coef: NDArray[np.float64], errors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probability of a weight at least so far from 0 if the truth were 0; NaN without an error."""
    return np.asarray(erfc(np.abs(coef / errors) / np.sqrt(2.0)))
