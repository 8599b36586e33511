"""Tables that additive models are compared on: nine of the catalogue, three laws with a pair.

Constants of the curves were chosen on german, pima, heart-disease and on other draws of the laws;
what held-out rows choose from (widths, factors, pairs), on other tables of the catalogue, after
split 0 of german, checkerboard and vehicle was seen.
"""

import json
import os
from pathlib import Path

import numpy as np
import pandas as pd

CATALOGUE = (
    "german",
    "crx",
    "pima",
    "heart-disease",
    "breast-w",
    "adult",
    "vehicle",
    "waveform",
    "page-blocks",
)
LAWS = ("checkerboard", "product", "rings")
MOST_ROWS = 8000
TRAIN = 0.7
LEAST_OF_CLASS = 10  # rows; rarer classes are left out


def names():
    """Names of the tables that are at hand."""
    return [*(CATALOGUE if "PARTAGE_DATA" in os.environ else ()), *LAWS]


def law(name, seed):
    """Draw rows of a law with one pair, one curve, one weak column and five of noise."""
    rng = np.random.default_rng([seed, LAWS.index(name)])
    X = rng.uniform(-1, 1, (4000, 8))
    one, two = X[:, 0], X[:, 1]
    effect = {
        "checkerboard": 2 * np.sign(np.sin(5 * one) * np.sin(5 * two)),
        "product": 4 * one * two,
        "rings": 2 * np.sign(np.hypot(one, two) - 0.75),
    }[name]
    score = effect + np.sin(3 * X[:, 2]) + 0.5 * X[:, 3]
    y = np.where(rng.uniform(size=4000) < 1 / (1 + np.exp(-score)), "yes", "no")
    return pd.DataFrame(X, columns=[f"x{i}" for i in range(8)]), y


def read(name, seed):
    """Columns and classes of a table: numbers, and text with None for gaps."""
    if name in LAWS:
        return law(name, seed)
    folder = Path(os.environ["PARTAGE_DATA"])
    entries = json.loads((folder / "catalogue.json").read_text(encoding="utf-8"))["datasets"]
    entry = next(one for one in entries if one["name"] == name)
    frame = pd.read_csv(
        folder / entry["file"], dtype=str, keep_default_na=False, na_values=["", "?"]
    )
    y = frame.iloc[:, -1].to_numpy().astype(str)
    X = frame.iloc[:, :-1].copy()
    for column in X.columns:
        numbers = pd.to_numeric(X[column], errors="coerce")
        if numbers.notna().sum() == X[column].notna().sum():
            X[column] = numbers.astype(float)
        else:
            X[column] = X[column].astype(object).where(X[column].notna(), None)
    return X, y


def split(name, seed):
    """Training and test rows of one split."""
    X, y = read(name, seed)
    classes, counts = np.unique(y, return_counts=True)
    kept = np.flatnonzero(np.isin(y, classes[counts >= LEAST_OF_CLASS]))
    rows = np.random.default_rng([20261117, seed]).permutation(kept)[:MOST_ROWS]
    n = int(TRAIN * len(rows))
    train, test = rows[:n], rows[n:]
    return (
        (X.iloc[train].reset_index(drop=True), y[train]),
        (X.iloc[test].reset_index(drop=True), y[test]),
    )
