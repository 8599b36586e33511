"""Figures of the naive Bayes classifiers.

Ratios are of CPU time, both sides measured in turn in this process; the selection is of wall time.
"""

from itertools import combinations

import numpy as np
import pandas as pd
from sklearn.naive_bayes import CategoricalNB

import partage as pt
from figure import Figure
from timing import interleave, ratios

N_ROWS = 1_000_000


def _mixed(n_rows=N_ROWS, n_numbers=20, n_categories=10):
    """Make a table of numbers and categories, half of them telling of two classes."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=n_rows)
    columns = {}
    for k in range(n_numbers):
        columns[f"n{k}"] = rng.normal(size=n_rows) + (k % 2) * 0.1 * k * y
    for k in range(n_categories):
        values = rng.integers(20, size=n_rows)
        told = rng.random(n_rows) < (k % 2) * 0.05 * k
        columns[f"c{k}"] = pd.Categorical.from_codes(
            np.where(told, y * 10, values), categories=[f"v{i}" for i in range(20)]
        )
    return pd.DataFrame(columns), y


def bayes_fit():
    X, y = _mixed()
    fit, cut = interleave(
        lambda: pt.NaiveBayesClassifier().fit(X, y),
        lambda: pt.TablePartitioner().fit(X, y),
        seconds=60,
        least=2,
    )
    best, middle = ratios(fit.cpu, cut.cpu)
    return [
        Figure("fit, 1M x 30 mixed", best, "x TablePartitioner", limit=1.3, median=middle),
        Figure("fit, 1M x 30 mixed, seconds of CPU", min(fit.cpu), "s"),
    ]


def bayes_predict():
    X, y = _mixed()
    model = pt.NaiveBayesClassifier().fit(X, y)
    partitioner = pt.TablePartitioner().fit(X, y)
    codes = np.ascontiguousarray(partitioner.transform(X))
    theirs = CategoricalNB().fit(codes, y)
    coded = pt.NaiveBayesClassifier(method="none").fit(codes, y)
    ours, ours_coded, other = interleave(
        lambda: model.predict(X),
        lambda: coded.predict(codes),
        lambda: theirs.predict(codes),
        seconds=60,
        least=2,
    )
    mixed, coded_ratio = ratios(ours.cpu, other.cpu), ratios(ours_coded.cpu, other.cpu)
    unit = "x CategoricalNB on codes"
    return [
        Figure("predict, 1M mixed rows, from the table", mixed[0], unit, limit=2, median=mixed[1]),
        Figure(
            "predict, 1M rows, from codes", coded_ratio[0], unit, limit=2, median=coded_ratio[1]
        ),
    ]


def bayes_selection():
    """Select among all triples of the waves in four bins: 1330 attributes, 5000 rows, 3 classes."""
    X, y = pt.datasets.make_waveform(5000, 0)
    low, high = X.min(axis=0), X.max(axis=0)
    bins = np.minimum((X - low) / (high - low) * 4, 3).astype(np.int64)
    frame = pd.DataFrame(
        {
            f"{a} {b} {c}": (bins[:, a] * 4 + bins[:, b]) * 4 + bins[:, c]
            for a, b, c in combinations(range(21), 3)
        }
    )
    kinds = dict.fromkeys(frame.columns, "categorical")
    figures = []
    for selection in ("lift", "mdl"):
        model = pt.SelectiveNaiveBayesClassifier(selection=selection, kinds=kinds, n_jobs=2)
        (times,) = interleave(lambda made=model: made.fit(frame, y), seconds=1, least=1)
        case = f"{selection}, 1330 attributes, 5000 rows, 2 threads, partitions included"
        figures.append(Figure(case, min(times.wall), "s", limit=10))
        figures.append(Figure(f"{case}, CPU", min(times.cpu), "s"))
        figures.append(Figure(f"{case}, selected", len(model.selected_features_), "attributes"))
    return figures


FIGURES = (bayes_fit, bayes_predict, bayes_selection)
