"""scikit-learn's decision tree with 16 leaves, one tree per column."""

from importlib.metadata import version

import numpy as np
from sklearn.tree import DecisionTreeClassifier

NAME = "scikit-learn tree"
VERSION = version("scikit-learn")


def fit(X, y):
    return [DecisionTreeClassifier(max_leaf_nodes=16).fit(x[:, None], y) for x in X.T]


def parts(fitted):
    return [tree.get_n_leaves() for tree in fitted]


def codes(fitted, X):
    leaves = [tree.apply(x[:, None]) for tree, x in zip(fitted, X.T, strict=True)]
    return np.stack(leaves).T
