"""Trials of "When is the optimum worth it?": what each unit of work does."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

import partage as pt
from partage.experiments.data import load_set

__all__ = [
    "CRITERIA",
    "DISCRETIZERS",
    "GREEDY",
    "LEARNERS",
    "N_TEST",
    "SHAPES",
    "compare_searches",
    "try_learners",
]

Shares = Callable[[NDArray[np.float64]], NDArray[np.float64]]

# Share of class 1 along a column uniform in [0, 1].
SHAPES: dict[str, Shares] = {
    "two pieces": lambda x: np.where(x < 0.37, 0.1, 0.9),
    "five pieces": lambda x: np.array([0.1, 0.8, 0.2, 0.9, 0.15])[(5 * x).astype(int)],
    "slope": lambda x: x,
    "waves": lambda x: 0.5 + 0.45 * np.sin(12 * np.pi * x),
    "pockets": lambda x: np.where(np.abs(x * 10 % 1 - 0.5) < 0.04, 1.0, 0.1),
}
CRITERIA = ("modl", "fusinter")
GREEDY = ("bottom-up", "top-down")
N_TEST = 20_000

# Discretizers of the second table: method and search, or how many bins.
DISCRETIZERS: dict[str, dict[str, Any]] = {
    "MODL, optimum": {"method": "modl", "search": "exact"},
    "MODL, bottom-up": {"method": "modl", "search": "bottom-up"},
    "FUSINTER, optimum": {"method": "fusinter", "search": "exact"},
    "FUSINTER, bottom-up": {"method": "fusinter", "search": "bottom-up"},
    "MDLPC": {"method": "mdlpc"},
    "ChiMerge": {"method": "chimerge"},
    "10 of equal frequency": {"method": "equal-frequency", "max_parts": 10},
    "10 of equal width": {"method": "equal-width", "max_parts": 10},
}
LEARNERS = ("tree", "naive Bayes", "logistic regression")


def compare_searches(shape: str, noise: float, n_rows: int, n_seeds: int) -> dict[str, Any]:
    """Compare greedy searches with the exact one on samples of one kind; means."""
    found: dict[str, Any] = {c: {s: [] for s in GREEDY} for c in CRITERIA}
    for seed in range(n_seeds):
        x, y = _draw_rows(shape, noise, n_rows, seed)
        x_test, y_test = _draw_rows(shape, noise, N_TEST, 1000 + seed)
        for criterion in CRITERIA:
            best = pt.discretize(x, y, method=criterion, search="exact")
            for search in GREEDY:
                p = pt.discretize(x, y, method=criterion, search=search)
                found[criterion][search].append(
                    (
                        (p.cost - best.cost) / abs(best.cost),
                        p.cost <= best.cost * (1 + 1e-9),
                        _loss(p, x_test, y_test) - _loss(best, x_test, y_test),
                        p.n_parts - best.n_parts,
                    )
                )
    names = ("gap", "optimal", "loss", "parts")
    return {
        c: {s: dict(zip(names, np.mean(found[c][s], axis=0), strict=True)) for s in GREEDY}
        for c in CRITERIA
    }


def _draw_rows(
    shape: str, noise: float, n_rows: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Draw a column and its classes."""
    rng = np.random.default_rng(seed)
    x = rng.random(n_rows)
    share = (1 - noise) * SHAPES[shape](x) + noise / 2
    y = (rng.random(n_rows) < share).astype(np.int64)
    y[:2] = 0, 1  # both classes are there
    return x, y


def _loss(p: pt.Intervals, x: NDArray[np.float64], y: NDArray[np.int64]) -> float:
    """Return the log-loss of a partition on fresh rows."""
    counts = p.counts + 1.0
    shares = counts / counts.sum(axis=1, keepdims=True)
    return float(-np.log(shares[p.assign(x), y]).mean())


def try_learners(
    name: str, discretizer: str, fold: int, n_folds: int, *, data: Path | None
) -> dict[str, Any]:
    """Discretize a fold and train three learners: accuracy and log-loss of each."""
    held = load_set(name, data)
    X = held.numeric()
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # classes of one row, in no fold twice
        train, test = list(folds.split(X, held.y))[fold]
    cutter = pt.Discretizer(**DISCRETIZERS[discretizer])
    codes = cutter.fit(X[train], held.y[train]).transform(X[train])
    codes_test = cutter.transform(X[test])
    n_codes = [p.n_parts + 1 for p in cutter.partitions_.values()]
    bits = OneHotEncoder(categories=[np.arange(n) for n in n_codes], sparse_output=False)
    models = {
        "tree": DecisionTreeClassifier(min_samples_leaf=5, random_state=0),
        "naive Bayes": CategoricalNB(min_categories=n_codes),
        "logistic regression": make_pipeline(bits, LogisticRegression(max_iter=500)),
    }
    found: dict[str, Any] = {"parts": float(np.mean(n_codes) - 1)}
    for learner, model in models.items():
        proba = model.fit(codes, held.y[train]).predict_proba(codes_test)
        loss = log_loss(held.y[test], proba, labels=model.classes_)
        right = model.classes_[proba.argmax(axis=1)] == held.y[test]
        found[learner] = (float(right.mean()), float(loss))
    return found
