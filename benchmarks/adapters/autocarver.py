"""AutoCarver: the carver of the kind of target, default options, without a development set."""

from importlib.metadata import version

import numpy as np
import pandas as pd
from AutoCarver import BinaryCarver, Features, MulticlassCarver

NAME = "AutoCarver"
VERSION = version("AutoCarver")


def _frame(X):
    """Frame with text names, which the library asks for."""
    return pd.DataFrame(X, columns=[f"x{i}" for i in range(X.shape[1])])


def fit(X, y):
    frame = _frame(X)
    carver = BinaryCarver if len(np.unique(y)) == 2 else MulticlassCarver
    return carver(Features(numericals=list(frame.columns))).fit(frame, pd.Series(y))


def parts(fitted):
    return [len(feature.labels) for feature in fitted.features]


def codes(fitted, X):
    return fitted.transform(_frame(X)).to_numpy().astype(int)
