"""optbinning's optimal binning, default options."""

from importlib.metadata import version

import numpy as np
from optbinning import MulticlassOptimalBinning, OptimalBinning

NAME = "optbinning"
VERSION = version("optbinning")


def fit(X, y):
    binning = OptimalBinning if len(np.unique(y)) == 2 else MulticlassOptimalBinning
    return [binning().fit(x, y) for x in X.T]


def parts(fitted):
    return [len(binning.splits) + 1 for binning in fitted]


def codes(fitted, X):
    columns = zip(fitted, X.T, strict=True)
    return np.stack([binning.transform(x, metric="indices") for binning, x in columns]).T
