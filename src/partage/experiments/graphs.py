"""What the experiments on graphs share: data sets as points, and cross-validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.impute import SimpleImputer
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import MinMaxScaler

from partage._estimators.graph_partition_classifier import GraphPartitionClassifier
from partage._graphs.costs import partition_cost
from partage.experiments.data import load_set

__all__ = ["Fold", "cross_validate", "describe", "load_points", "mean_of"]

# Test and training accuracy of the partition and of the nearest neighbour; number of groups, their
# cost, and that of the classes taken as groups.
Fold = dict[str, float]


def load_points(
    name: str, columns: Sequence[str] | None, data: Path | None
) -> tuple[NDArray[np.float64], NDArray[Any]]:
    """Load the numeric columns of a data set, or the named ones, and its classes."""
    found = load_set(name, data)
    if columns is None:
        return found.numeric(), found.y
    points = found.X[list(columns)].astype(str).apply(pd.to_numeric, errors="coerce")
    return points.to_numpy(dtype=float), found.y


def cross_validate(
    X: NDArray[np.float64],
    y: NDArray[Any],
    options: Mapping[str, Any],
    n_folds: int,
    seed: int,
) -> list[Fold]:
    """Fit the partition and the nearest neighbour on every stratified fold."""
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
    return [
        _evaluate(X[train], y[train], X[test], y[test], options)
        for train, test in folds.split(X, y)
    ]


def _evaluate(
    X: NDArray[np.float64],
    y: NDArray[Any],
    X_test: NDArray[np.float64],
    y_test: NDArray[Any],
    options: Mapping[str, Any],
) -> Fold:
    """Fit on one part and score on both."""
    filler = SimpleImputer(strategy="median").fit(X)
    X, X_test = filler.transform(X), filler.transform(X_test)
    partition = GraphPartitionClassifier(**{"scale": None, **options}).fit(X, y)
    if options.get("scale") == "minmax":
        scaler = MinMaxScaler().fit(X)
        near, near_test = scaler.transform(X), scaler.transform(X_test)
    else:
        near, near_test = X, X_test
    nearest = KNeighborsClassifier(1).fit(near, y)
    return {
        "test": float(partition.score(X_test, y_test)),
        "train": float(partition.score(X, y)),
        "groups": float(partition.partition_.n_parts),
        "cost": float(partition.partition_.cost),
        "class_cost": partition_cost(partition.graph_, y, y, grouping=partition.grouping).cost,
        "nn_test": float(nearest.score(near_test, y_test)),
        "nn_train": float(nearest.score(near, y)),
    }


def mean_of(folds: Sequence[Fold], what: str) -> float:
    """Return the mean of a figure; robustness is test accuracy over training accuracy."""
    return float(np.mean(_values(folds, what)))


def describe(folds: Sequence[Fold], what: str, digits: int = 2) -> str:
    """Write a figure as mean ± standard deviation over the folds."""
    values = _values(folds, what)
    return f"{np.mean(values):.{digits}f} ± {np.std(values, ddof=1):.{digits}f}"


def _values(folds: Sequence[Fold], what: str) -> NDArray[np.float64]:
    """Return a figure of every fold."""
    if what.endswith("robustness"):
        prefix = what.removesuffix("robustness")
        return _values(folds, f"{prefix}test") / _values(folds, f"{prefix}train")
    return np.array([fold[what] for fold in folds])
