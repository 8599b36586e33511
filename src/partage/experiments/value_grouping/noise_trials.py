"""One fold of selection among noise: naive Bayes and both selections on permuted copies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold

import partage as pt
from partage._estimators.bayes.features import Feature
from partage.experiments.value_grouping.trials import WaveSet, code_attributes, load_waves

__all__ = ["MEASURES", "MODELS", "SEED", "try_noise"]

MODELS = ("naive Bayes", "lift", "description length", "description length, all may enter")
MEASURES = ("selected", "noise", "train", "test", "train_loss", "test_loss")
SEED = 1  # of the folds, and of the copies


class _Unguarded(pt.SelectiveNaiveBayesClassifier):
    """A selection that any column of several parts may enter, whatever these cost."""

    def _candidates(self, features: list[Feature]) -> NDArray[np.uint32]:
        levels = np.array([feature.level for feature in features])
        return np.argsort(-levels, kind="stable").astype(np.uint32)


def try_noise(
    dimension: int, bins: int, method: str, copies: int, fold: int, n_folds: int, *,
    data: Path | None,
) -> list[list[float]]:  # fmt: skip
    """Measure naive Bayes and both selections on one fold: a row for each model."""
    X, y = load_waves(data)
    own = code_attributes(X, WaveSet(dimension, bins))
    rng = np.random.default_rng(SEED)
    noise = [rng.permutation(column) for _ in range(copies) for column in own]
    names = [f"own{k}" for k in range(len(own))] + [f"noise{k}" for k in range(len(noise))]
    table = pd.DataFrame(np.array([*own, *noise]).T, columns=names)
    train, test = list(StratifiedKFold(n_folds, shuffle=True, random_state=SEED).split(X, y))[fold]
    kinds = None if method == "none" else dict.fromkeys(names, "categorical")
    options: dict[str, Any] = {"method": method, "kinds": kinds}
    plain = pt.NaiveBayesClassifier(**options).fit(table.iloc[train], y[train])
    given = {"partitions": plain.partitions_, **options}
    models: list[Any] = [
        plain,
        pt.SelectiveNaiveBayesClassifier(selection="lift", **given),
        pt.SelectiveNaiveBayesClassifier(selection="mdl", **given),
        _Unguarded(selection="mdl", **given),
    ]
    for model in models[1:]:
        model.fit(table.iloc[train], y[train])
    return [[*_count_kept(model), *_measure(model, table, y, train, test)] for model in models]


def _count_kept(model: Any) -> tuple[float, float]:
    """Count the attributes that a model uses, and those of them that are noise."""
    names = np.array(list(model.partitions_))
    n_parts = np.array([partition.n_parts for partition in model.partitions_.values()])
    used = names[(model.weights_ > 0) & (n_parts > 1)]
    return float(len(used)), float(np.char.startswith(used, "noise").sum())


def _measure(
    model: Any, table: pd.DataFrame, y: NDArray[np.uint16], *samples: NDArray[np.int64]
) -> list[float]:
    """Return the accuracies, then the log-losses, on samples of the rows."""
    accuracies, losses = [], []
    for rows in samples:
        shares = model.predict_proba(table.iloc[rows])
        accuracies.append(float((model.classes_[shares.argmax(axis=1)] == y[rows]).mean()))
        losses.append(float(log_loss(y[rows], shares)))
    return accuracies + losses
