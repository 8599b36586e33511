"""The data sets of Mayoraz and Moreira (1999) as they took them, and the work on each."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import ClassifierMixin
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import partage as pt
from partage.experiments.data import DataSet, load_set

__all__ = ["LEVELS", "Row", "binarize", "cross_validate", "sizes_in_other_orders"]

LEVELS = (1, 2, 3, 4)
_KINDS = {"numeric": "numeric", "ordered": "ordered", "nominal": "categorical"}
# Where the paper must have taken another kind than the documentation gives, to reach its D.
_OTHER_KINDS = {
    "abalone": {"sex": "ordered"},
    "anneal": dict.fromkeys(("formability", "enamelability", "bore", "packing"), "categorical"),
}
# Columns of two values that the documentation declares with more: the paper counts both.
_DECLARED_WIDER = {
    "anneal": ("family", "condition", "enamelability", "bw_me", "oil", "packing"),
    "mushroom": ("gill_attachment", "gill_spacing"),
    "soybean": (
        "plant.stand", "hail", "plant.growth", "leaf.shread", "leaf.malf", "stem", "lodging",
        "fruiting.bodies", "mycelium", "sclerotia", "seed", "mold.growth", "seed.discolor",
        "seed.size", "shriveling",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Row:
    """What a data set gave: candidates, and sizes and seconds of every method and level."""

    name: str
    n_rows: int
    n_candidates: int
    sizes: dict[str, list[int]]
    seconds: dict[str, list[float]]


def _take(name: str, data: Path | None) -> tuple[DataSet, dict[str, str]]:
    """Load a data set, and the kinds that the paper took its columns for."""
    found = load_set(name, data)
    kinds = {column: _KINDS[kind] for column, kind in found.kinds.items()}
    if name == "mushroom":
        # The documentation lists the gap as a value.
        found.X["stalk_root"] = found.X["stalk_root"].fillna("?")
    return found, kinds | _OTHER_KINDS.get(name, {})


def binarize(name: str, data: Path | None) -> dict[str, Any]:
    """Choose discriminants by every method and level; plain data."""
    found, kinds = _take(name, data)
    sizes: dict[str, list[int]] = {}
    seconds: dict[str, list[float]] = {}
    n_candidates = 0
    for method in ("ideal-by-attribute", "ideal", "greedy", "simple-greedy"):
        for level in LEVELS[:1] if method == "simple-greedy" else LEVELS:
            binarizer = pt.DataBinarizer(method=method, consistency=level, kinds=kinds)
            start = time.perf_counter()
            binarizer.fit(found.X, found.y)
            seconds.setdefault(method, []).append(time.perf_counter() - start)
            sizes.setdefault(method, []).append(len(binarizer.discriminants_))
            n_candidates = binarizer.n_candidates_
    return {
        "name": name,
        "n_rows": len(found.y),
        "n_candidates": n_candidates + len(_DECLARED_WIDER.get(name, ())),
        "sizes": sizes,
        "seconds": seconds,
    }


def sizes_in_other_orders(name: str, n_orders: int, data: Path | None) -> list[list[int]]:
    """Sizes of IDEAL by attribute where ties of merit fall otherwise.

    Columns change places, orders are turned round and words get other names, which changes nothing
    but the order of ties.
    """
    found, kinds = _take(name, data)
    rng = np.random.default_rng(0)
    sizes = []
    for _ in range(n_orders):
        X = pd.DataFrame(
            {
                column: _disguise(found.X[column], kinds[column], rng)
                for column in rng.permutation(found.X.columns)
            }
        )
        fitted = [
            pt.DataBinarizer(method="ideal-by-attribute", consistency=c, kinds=kinds).fit(
                X, found.y
            )
            for c in LEVELS
        ]
        sizes.append([len(binarizer.discriminants_) for binarizer in fitted])
    return sizes


def _disguise(values: pd.Series[Any], kind: str, rng: np.random.Generator) -> pd.Series[Any]:
    """Write the values of a column otherwise."""
    if kind == "categorical":
        known = values.dropna().unique()
        places = rng.permutation(len(known))
        names = {value: f"{k:05d}" for value, k in zip(known, places, strict=True)}
        return values.map(names, na_action="ignore").astype(object)
    if rng.random() < 0.5:
        return values
    if kind == "numeric":
        return -values
    ranks = values.cat if hasattr(values, "cat") else values.astype("category").cat
    return ranks.set_categories(ranks.categories[::-1], ordered=True)


def cross_validate(name: str, model: str, seed: int, data: Path | None) -> dict[str, Any]:
    """Accuracy of a model over ten stratified folds, and the mean size of what it learnt."""
    found = load_set(name, data)
    folds = StratifiedKFold(10, shuffle=True, random_state=seed)
    right, n_patterns, n_conditions = 0, [], []
    for learn, test in folds.split(found.X, found.y):
        fitted = _model(model, found).fit(found.X.iloc[learn], found.y[learn])
        right += int((fitted.predict(found.X.iloc[test]) == found.y[test]).sum())
        if isinstance(fitted, pt.LADClassifier):
            n_patterns.append(len(fitted.patterns_))
            n_conditions.append(len(fitted.binarizer_.discriminants_))
    return {
        "accuracy": right / len(found.y),
        "patterns": float(np.mean(n_patterns)) if n_patterns else 0.0,
        "conditions": float(np.mean(n_conditions)) if n_conditions else 0.0,
    }


def _model(name: str, found: DataSet) -> Pipeline | ClassifierMixin:
    """Make a model by its name on the page."""
    if name.startswith("LAD"):
        return pt.LADClassifier(
            consistency=int(name[-1]),
            discriminants="cover",
            patterns="prime",
            theory="all",
            cut_style="midpoint",
        )
    numeric = [column for column, kind in found.kinds.items() if kind != "nominal"]
    nominal = [column for column, kind in found.kinds.items() if kind == "nominal"]
    prepared = ColumnTransformer(
        [
            ("numbers", make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), numeric),
            ("words", OneHotEncoder(handle_unknown="ignore", sparse_output=False), nominal),
        ]
    )
    models: dict[str, ClassifierMixin] = {
        "tree": DecisionTreeClassifier(random_state=0),
        "1-NN": KNeighborsClassifier(1),
        "naive Bayes": GaussianNB(),
    }
    return make_pipeline(prepared, models[name])
