"""partage: MODL, the default search; groups for text."""

from importlib.metadata import version

import numpy as np

import partage as pt

NAME = "partage"
VERSION = version("partage")
GROUPS_CATEGORIES = True


def fit(X, y):
    find = pt.group if X.dtype == object else pt.discretize
    return [find(x, y) for x in X.T]


def parts(fitted):
    return [partition.n_parts for partition in fitted]


def codes(fitted, X):
    return np.stack([partition.assign(x) for partition, x in zip(fitted, X.T, strict=True)]).T
