"""optbinning's MDLP; it only gives cuts, so NumPy assigns the values.

Its entropy counts the class as a number, 0 or 1, so it is not run on more classes.
"""

from importlib.metadata import version

import numpy as np
from optbinning import MDLP

NAME = "optbinning MDLP"
VERSION = version("optbinning")


def fit(X, y):
    if y.max() > 1:
        raise NotImplementedError("its entropy is that of two classes")
    return [np.asarray(MDLP().fit(x, y).splits) for x in X.T]


def parts(fitted):
    return [len(cuts) + 1 for cuts in fitted]


def codes(fitted, X):
    return np.stack([np.searchsorted(cuts, x) for cuts, x in zip(fitted, X.T, strict=True)]).T
