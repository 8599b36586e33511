"""Naive Bayes, lift areas and weights of columns, slow and plain."""

from math import comb, lgamma, log, log1p

import numpy as np


def naive_bayes(columns, labels, n_classes, n_parts):
    """Logarithms of the prior (J,) and of P(part | class), one (J, parts) for each column."""
    sizes = [sum(label == j for label in labels) for j in range(n_classes)]
    prior = [log(size / len(labels)) for size in sizes]
    tables = []
    for codes, K in zip(columns, n_parts, strict=True):
        table = [[0.0] * K for _ in range(n_classes)]
        for j in range(n_classes):
            for k in range(K):
                both = sum(
                    code == k and label == j for code, label in zip(codes, labels, strict=True)
                )
                table[j][k] = log((both + 1) / (sizes[j] + K))
        tables.append(np.array(table))
    return np.array(prior), tables


def posterior_odds(scores):
    """Odds against each class, one column per class; they order the rows, the likeliest first."""
    scores = np.asarray(scores)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    with np.errstate(divide="ignore"):
        return (weights.sum(axis=1, keepdims=True) - weights) / weights


def lift_area(odds, labels, weights=None):
    """Area under the lift curve, averaged over the classes by frequency.

    The curve of a class goes through the rows from the likeliest to the least likely, tied rows in
    one step: the share of all rows on the abscissa, the share of its own rows on the ordinate.
    """
    labels = np.asarray(labels)
    weights = np.ones(len(labels)) if weights is None else np.asarray(weights)
    total = weights.sum()
    area = 0.0
    for j in range(odds.shape[1]):
        own = weights[labels == j].sum()
        if own == 0:
            continue
        x = y = curve = 0.0
        for score in np.unique(odds[:, j]):
            tied = odds[:, j] == score
            next_x = x + weights[tied].sum() / total
            next_y = y + weights[tied & (labels == j)].sum() / own
            curve += (next_x - x) * (y + next_y) / 2
            x, y = next_x, next_y
        area += own / total * curve
    return area


def selection_prior(n_columns, total):
    """Price of a sum of weights: log(p+1) + log C(p+s-1, s), by the gamma function."""
    p, s = n_columns, total
    if s == int(s):
        return log1p(p) + log(comb(p + int(s) - 1, int(s)))
    return log1p(p) + lgamma(p + s) - lgamma(p) - lgamma(s + 1)


def weighted_cost(weights, prior, tables, columns, labels, row_weights=None):
    """Describe the classes given weights of the columns: the length in nats."""
    rows = range(len(labels))
    row_weights = [1.0] * len(labels) if row_weights is None else row_weights
    loss = 0.0
    for i in rows:
        scores = prior.copy()
        for weight, table, codes in zip(weights, tables, columns, strict=True):
            scores = scores + weight * table[:, codes[i]]
        top = scores.max()
        loss -= row_weights[i] * (scores[labels[i]] - top - log(np.exp(scores - top).sum()))
    return loss + selection_prior(len(tables), float(sum(weights)))
