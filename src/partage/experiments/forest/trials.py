"""Trials of "Why not just a forest?": the models, and one fold of a data set for one of them."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

import partage as pt
from partage.experiments.data import load_set
from partage.experiments.forest.ebm import ExplainableBoosting
from partage.experiments.forest.pairs import PairRegression

__all__ = ["MODELS", "MOST_ROWS", "count_parts", "try_model"]

MOST_ROWS = {"LAD": 3000}  # beyond, a model is left out: patterns are enumerated


def try_model(
    name: str, model: str, fold: int, n_folds: int, *, data: Path | None
) -> dict[str, float | str]:
    """Fit a model on one fold; empty where it is left out, its words where it refuses the rows."""
    held = load_set(name, data)
    if len(held.y) > MOST_ROWS.get(model, len(held.y)):
        return {}
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", UserWarning)  # classes of one row, in no fold twice
        train, test = list(folds.split(held.X, held.y))[fold]
        made = MODELS[model]()
        start = time.process_time()
        try:
            made.fit(held.X.iloc[train], held.y[train])
            middle = time.process_time()
            proba = made.predict_proba(held.X.iloc[test])
        except ValueError as error:
            return {"error": str(error)}
        end = time.process_time()
    seconds = getattr(made, "seconds_", (middle - start, end - middle))
    known = np.isin(held.y[test], made.classes_)
    y = held.y[test][known]
    return {
        "loss": float(log_loss(y, proba[known], labels=made.classes_)),
        "auc": _auc(y, proba[known], made.classes_),
        "accuracy": float((made.classes_[proba[known].argmax(axis=1)] == y).mean()),
        "parts": float(count_parts(made)),
        "fit": seconds[0],
        "predict": seconds[1],
    }


def _auc(y: NDArray[Any], proba: NDArray[np.float64], classes: NDArray[Any]) -> float:
    """Return the area under the ROC curve: of two classes, or the mean of one against the rest."""
    shares, areas = [], []
    for j, label in enumerate(classes):
        is_class = y == label
        if is_class.any() and not is_class.all():
            shares.append(is_class.mean())
            areas.append(roc_auc_score(is_class, proba[:, j]))
    return float(np.average(areas, weights=shares)) if areas else 0.5


def count_parts(model: Any) -> int:
    """Count what a human must read to know the model."""
    if isinstance(model, Pipeline):
        model = model[-1]
    if hasattr(model, "n_numbers_"):
        return int(model.n_numbers_)
    if hasattr(model, "estimators_"):
        return sum(tree.get_n_leaves() for tree in model.estimators_)
    if hasattr(model, "_predictors"):
        return sum(tree.get_n_leaf_nodes() for group in model._predictors for tree in group)
    if hasattr(model, "patterns_"):
        return len(model.patterns_)
    if hasattr(model, "terms_"):
        return sum(term.n_numbers for term in model.terms_.values())
    if hasattr(model, "partitions_"):
        found = zip(model.feature_log_prob_, model.weights_, strict=True)
        return sum(t.shape[1] for t, weight in found if weight > 0 and t.shape[1] > 1)
    if hasattr(model, "coef_"):
        return int(np.count_nonzero(model.coef_))
    return int(np.prod(model.theta_.shape))


def _raw(*, scale: bool, sparse: bool) -> ColumnTransformer:
    """Prepare raw columns: numbers filled, categories as bits."""
    numbers = make_column_selector(dtype_include=np.number)
    others = make_column_selector(dtype_exclude=np.number)
    steps: list[Any] = [SimpleImputer(strategy="median", keep_empty_features=True)]
    steps += [StandardScaler()] if scale else []
    bits = OneHotEncoder(handle_unknown="ignore", sparse_output=sparse)
    return ColumnTransformer([("numbers", make_pipeline(*steps), numbers), ("bits", bits, others)])


def _find_numbers(frame: pd.DataFrame) -> list[str]:
    """Name the columns that hold a number: boosting stops at one that holds none."""
    numbers = frame.select_dtypes(include=np.number)
    return list(numbers.columns[numbers.notna().any()])


def _coded() -> ColumnTransformer:
    """Prepare columns for trees: numbers with gaps, categories as codes."""
    others = make_column_selector(dtype_exclude=np.number)
    codes = OrdinalEncoder(
        handle_unknown="use_encoded_value", unknown_value=-1, encoded_missing_value=-2
    )
    return ColumnTransformer([("numbers", "passthrough", _find_numbers), ("codes", codes, others)])


_BINS = {"numeric": "equal-frequency", "categorical": "none"}


def _regression() -> LogisticRegression:
    """Make a logistic regression."""
    return LogisticRegression(max_iter=300)


MODELS: dict[str, Callable[[], Any]] = {
    "NB raw": lambda: make_pipeline(
        _raw(scale=False, sparse=False), GaussianNB(var_smoothing=1e-3)
    ),
    "NB on bins": lambda: pt.NaiveBayesClassifier(method=_BINS),
    "NB on parts": lambda: pt.NaiveBayesClassifier(),
    "NB on parts and pairs": lambda: pt.NaiveBayesClassifier(interactions=2),
    "selective NB, lift": lambda: pt.SelectiveNaiveBayesClassifier(selection="lift"),
    "selective NB": lambda: pt.SelectiveNaiveBayesClassifier(selection="mdl"),
    "selective NB, pairs": lambda: pt.SelectiveNaiveBayesClassifier(
        selection="mdl", interactions=2
    ),
    "LR raw": lambda: make_pipeline(_raw(scale=True, sparse=True), _regression()),
    "LR on bins": lambda: make_pipeline(
        pt.TablePartitioner(method=_BINS, output="sparse"), _regression()
    ),
    "LR on parts": lambda: make_pipeline(pt.TablePartitioner(output="sparse"), _regression()),
    "LR on parts and pairs": lambda: PairRegression(_regression()),
    "additive": lambda: pt.AdditiveClassifier(),
    "EBM": ExplainableBoosting,
    "LAD": lambda: pt.LADClassifier(),
    "forest": lambda: make_pipeline(_coded(), RandomForestClassifier(200, random_state=0)),
    "boosting": lambda: make_pipeline(_coded(), HistGradientBoostingClassifier(random_state=0)),
}
