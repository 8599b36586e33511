"""toad's Combiner: ChiMerge, default options."""

from importlib.metadata import version

import pandas as pd
from toad.transform import Combiner

NAME = "toad"
VERSION = version("toad")


def fit(X, y):
    return Combiner().fit(pd.DataFrame(X), y)


def parts(fitted):
    return [len(cuts) + 1 for cuts in fitted.export().values()]


def codes(fitted, X):
    return fitted.transform(pd.DataFrame(X)).to_numpy().astype(int)
