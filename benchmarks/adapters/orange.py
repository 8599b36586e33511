"""Orange's EntropyMDL: the method of Fayyad and Irani."""

from importlib.metadata import version

import numpy as np
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from Orange.preprocess.discretize import EntropyMDL

NAME = "Orange"
VERSION = version("Orange3")


def fit(X, y):
    columns = [ContinuousVariable(f"x{i}") for i in range(X.shape[1])]
    target = DiscreteVariable("y", values=[str(label) for label in range(y.max() + 1)])
    table = Table.from_numpy(Domain(columns, target), X, y)
    return [EntropyMDL()(table, column).compute_value for column in columns]


def parts(fitted):
    return [len(discretizer.points) + 1 for discretizer in fitted]


def codes(fitted, X):
    columns = zip(fitted, X.T, strict=True)
    return np.stack([discretizer.transform(x) for discretizer, x in columns]).T.astype(int)
