"""Figures of graphs as models: never worse than one group, log-loss, and what a level is worth."""

import gzip
import itertools
import json

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

import partage as pt
from binarization import _folder
from figure import Figure

# Every table of the catalogue with at least four numeric columns that a reader may know.
TABLES = (
    "abalone", "adult", "allhypo", "breast-w", "bupa", "ecoli", "german-numeric", "glass",
    "heart-disease", "heart-statlog", "ionosphere", "iris", "letter", "page-blocks", "pima",
    "segmentation", "vehicle", "waveform", "wine", "yeast",
)  # fmt: skip
MOST_ROWS = 1_500
SEEDS = range(30, 40)


def load_numbers(name):
    """Numeric columns of a set of the catalogue, gaps filled by the median, and the classes."""
    folder = _folder()
    entries = json.loads((folder / "catalogue.json").read_text(encoding="utf-8"))["datasets"]
    entry = next(entry for entry in entries if entry["name"] == name)
    with gzip.open(folder / entry["file"], "rt", encoding="utf-8") as file:
        frame = pd.read_csv(file)
    numeric = [column["name"] for column in entry["columns"] if column["kind"] == "numeric"]
    X = frame[numeric].apply(pd.to_numeric, errors="coerce")
    X = X.fillna(X.median()).dropna(axis=1)
    return X.to_numpy(dtype=float), frame[entry.get("target") or "class"].astype(str).to_numpy()


def _halves(name, seed):
    """Draw two halves of at most 1,500 rows; classes that the first lacks are left out."""
    X, y = load_numbers(name)
    rows = np.random.default_rng(seed).permutation(len(y))[:MOST_ROWS]
    X, y = X[rows], y[rows]
    half = len(y) // 2
    known = np.isin(y[half:], y[:half])
    return X[:half], y[:half], X[half:][known], y[half:][known]


def _loss(shares, labels, classes):
    """Mean logarithm of the share of the own class, in nats."""
    own = shares[np.arange(len(labels)), np.searchsorted(classes, labels)]
    return -np.log(np.clip(own, 1e-15, 1.0)).mean()


def _before(X, y):
    """Fit what the default was: balls of columns as they are."""
    return pt.GraphPartitionClassifier(method="bipartition", scale=None).fit(X, y)


def graph_log_loss():
    """Held-out log-loss of the default against that of before, whose shares were not smoothed."""
    rows, n_lower, worst = [], 0, -np.inf
    for name in TABLES:
        losses = []
        for seed in SEEDS:
            X, y, X_new, y_new = _halves(name, seed)
            model = pt.GraphPartitionClassifier().fit(X, y)
            old = _before(X, y)
            raw = old.partition_.rates[old._parts("before", X_new, None)]
            counts = model.partition_.counts.sum(axis=0)
            prior = np.tile(counts / counts.sum(), (len(y_new), 1))
            losses.append(
                [
                    _loss(model.predict_proba(X_new), y_new, model.classes_),
                    _loss(raw, y_new, old.classes_),
                    _loss(prior, y_new, model.classes_),
                ]
            )
        now, before, shares = np.mean(losses, axis=0)
        n_lower += now < before
        worst = max(worst, now - shares)
        rows += [
            Figure(f"{name}, log-loss", now, "nats"),
            Figure(f"{name}, log-loss before", before, "nats"),
            Figure(f"{name}, log-loss of the class shares", shares, "nats"),
        ]
    return [
        *rows,
        Figure("tables of 20 with a lower log-loss", n_lower, "tables", "at least", 15),
        Figure("log-loss above that of the class shares, worst", worst, "nats", limit=0.01),
    ]


def _level_and_information(method, name):
    """Level of a fit, and the share of the held-out log-loss of the class shares that it saves."""
    X, y, X_new, y_new = _halves(name, SEEDS[0])
    model = pt.GraphPartitionClassifier(method=method).fit(X, y)
    counts = model.partition_.counts.sum(axis=0)
    prior = np.tile(counts / counts.sum(), (len(y_new), 1))
    loss = _loss(model.predict_proba(X_new), y_new, model.classes_)
    return model.partition_.level, 1.0 - loss / _loss(prior, y_new, model.classes_)


def graph_levels():
    """Whether levels order tables, and methods on a table, as held-out information does."""
    found = {
        method: np.array([_level_and_information(method, name) for name in TABLES])
        for method in ("auto", "bipartition", "prototypes", "agglomerative")
    }
    rows = []
    for method, pairs in found.items():
        rank = spearmanr(*pairs.T).statistic
        case = f"20 tables, {method}, rank correlation of level and held-out information"
        rows.append(Figure(case, rank, "", "at least", 0.8))
        rows.append(Figure(f"20 tables, {method}, mean level", pairs[:, 0].mean(), ""))
        case = f"20 tables, {method}, mean held-out information"
        rows.append(Figure(case, pairs[:, 1].mean(), "of the log-loss"))
    for one, other in itertools.combinations(("bipartition", "prototypes", "agglomerative"), 2):
        rank = spearmanr(*np.concatenate([found[one], found[other]]).T).statistic
        rows.append(Figure(f"levels of {one} and {other} taken together", rank, ""))
        level, information = (found[one] - found[other]).T
        share = np.mean(level * information >= 0)
        case = f"tables on which the higher level of {one} and {other} says more of new rows"
        rows.append(Figure(case, len(TABLES) * share, "of 20"))
    return rows


def graph_never_worse():
    """Cost of every default fit against that of one group: 200 random and 20 real tables."""
    n_worse = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        n, d = int(rng.integers(5, 400)), int(rng.integers(1, 6))
        X = np.round(rng.normal(size=(n, d)), int(rng.integers(0, 4)))
        y = (X.sum(axis=1) > 0) ^ (rng.random(n) < rng.choice([0.0, 0.2, 0.5]))
        found = pt.GraphPartitioner().fit(X, y).partition_
        n_worse += found.cost > found.null_cost * (1 + 1e-12)
    for name in TABLES:
        X, y, _, _ = _halves(name, 0)
        for method in ("auto", "bipartition"):
            found = pt.GraphPartitioner(method=method).fit(X, y).partition_
            n_worse += found.cost > found.null_cost * (1 + 1e-12)
    return [Figure("default fits that cost more than one group", n_worse, "fits", limit=0)]


FIGURES = (graph_log_loss, graph_levels, graph_never_worse)
