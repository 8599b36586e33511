"""partage: MODL, the default search."""

from importlib.metadata import version

import numpy as np

import partage as pt

NAME = "partage"
VERSION = version("partage")


def fit(X, y):
    return [pt.discretize(x, y) for x in X.T]


def parts(fitted):
    return [intervals.n_parts for intervals in fitted]


def codes(fitted, X):
    return np.stack([intervals.assign(x) for intervals, x in zip(fitted, X.T, strict=True)]).T
