"""optbinning's optimal binning, default options."""

from importlib.metadata import version

import numpy as np
from optbinning import MulticlassOptimalBinning, OptimalBinning

NAME = "optbinning"
VERSION = version("optbinning")
GROUPS_CATEGORIES = True


def fit(X, y):
    is_binary = len(np.unique(y)) == 2
    if X.dtype == object:
        if not is_binary:
            raise NotImplementedError("groups of categories for two classes only")
        return [OptimalBinning(dtype="categorical").fit(x, y) for x in X.T]
    binning = OptimalBinning if is_binary else MulticlassOptimalBinning
    return [binning().fit(x, y) for x in X.T]


def parts(fitted):
    return [len(binning.splits) + (binning.dtype != "categorical") for binning in fitted]


def codes(fitted, X):
    columns = zip(fitted, X.T, strict=True)
    return np.stack([binning.transform(x, metric="indices") for binning, x in columns]).T
