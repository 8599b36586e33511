"""Six grouping methods on coded waves: one fold of one data set, by one method (Boullé, 2005)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

import partage as pt
from partage import _core
from partage._estimators.bayes.selective import make_posteriors, select_by_lift
from partage._search.settings import check_group_settings
from partage._targets.classes import class_rows
from partage.experiments.data import load_set

__all__ = ["METHODS", "WaveSet", "try_grouping", "try_selection"]

# The paper's names, in its order, and ours.
METHODS = {
    "MODL": "modl",
    "MODLS": "modl-standard",
    "CHAID": "chaid",
    "Tschuprow": "tschuprow",
    "Khiops": "khiops",
    "NoGrouping": "none",
}
_N_CLASSES = 3
_SEED = 1  # of the folds


@dataclass(frozen=True)
class WaveSet:
    """All products of ``dimension`` attributes of the waves, each in ``bins`` of equal width."""

    dimension: int
    bins: int

    @property
    def name(self) -> str:
        """Name the data set as the paper does."""
        return f"{self.dimension}D, {self.bins} bins"


@cache
def load_waves(data: Path | None) -> tuple[NDArray[np.float64], NDArray[np.uint16]]:
    """Return the 5000 rows of the UCI sample, or of ours where it is not there."""
    try:
        found = load_set("waveform", data)
    except FileNotFoundError:
        X, y = pt.datasets.make_waveform(5000, seed=0)
        return X, y.astype(np.uint16)
    return found.numeric(), found.y.astype(np.uint16)


def code_attributes(X: NDArray[np.float64], waves: WaveSet) -> NDArray[np.uint32]:
    """Return the values of all attributes of a set: one row of codes for each attribute."""
    low, high = X.min(axis=0), X.max(axis=0)
    bins = np.minimum((X - low) / (high - low) * waves.bins, waves.bins - 1).astype(np.uint32)
    columns = []
    for members in combinations(range(X.shape[1]), waves.dimension):
        codes = np.zeros(len(X), dtype=np.uint32)
        for k in members:
            codes = codes * np.uint32(waves.bins) + bins[:, k]
        columns.append(codes)
    return np.array(columns)


@dataclass(frozen=True)
class _Fold:
    """Codes of training and test rows, their classes, and the groups that training gave."""

    train: NDArray[np.uint32]
    test: NDArray[np.uint32]
    y_train: NDArray[np.uint16]
    y_test: NDArray[np.uint16]
    groups: list[NDArray[np.int64]]  # of each value; the number of groups where it is unseen
    n_groups: NDArray[np.int64]
    seconds: float  # to group


def try_grouping(
    dimension: int, bins: int, method: str, fold: int, n_folds: int, *, data: Path | None
) -> dict[str, float]:
    """Group every attribute; measure the groups, both divergences and naive Bayes."""
    held = _make_fold(WaveSet(dimension, bins), method, fold, n_folds, data)
    n_values = [len(np.unique(column)) for column in held.train]
    divergences = np.array([_diverge(held, k) for k in range(len(held.train))])
    tables = _tables(held)
    return {
        "values": float(np.mean(n_values)),
        "groups": float(held.n_groups.mean()),
        "kl_printed": float(divergences[:, 0].mean()),
        "kl_reversed": float(divergences[:, 1].mean()),
        "train": _accuracy(held, tables, is_train=True),
        "test": _accuracy(held, tables, is_train=False),
        "seconds": held.seconds,
    }


def try_selection(
    dimension: int, bins: int, method: str, fold: int, n_folds: int, *, data: Path | None
) -> dict[str, float]:
    """Group every attribute, select attributes by lift area, and by description length."""
    held = _make_fold(WaveSet(dimension, bins), method, fold, n_folds, data)
    tables = _tables(held)
    told = [k for k, table in enumerate(tables) if len(table) > 2]
    if not told:
        share = float((held.y_test == np.bincount(held.y_train).argmax()).mean())
        names = ("train", "test", "mdl_train", "mdl_test")
        return dict.fromkeys(names, share) | {"selected": 0.0, "mdl_selected": 0.0}
    codes = np.array([held.groups[k][held.train[k]] for k in told], dtype=np.uint32)
    rows = class_rows(held.y_train, np.arange(_N_CLASSES))
    posteriors = make_posteriors(codes, [np.exp(tables[k]) for k in told], rows)
    chosen, order = select_by_lift(posteriors, len(told), None, 1)
    weights = np.zeros(len(tables))
    weights[told] = chosen
    found = {
        "train": _accuracy(held, tables, is_train=True, weights=weights),
        "test": _accuracy(held, tables, is_train=False, weights=weights),
        "selected": float(len(order)),
    }
    if method == "modl":
        gains = [_gain(tables[k], codes[i], held.y_train) for i, k in enumerate(told)]
        by_gain = np.argsort(-np.array(gains), kind="stable").astype(np.uint32)
        weights[told] = posteriors.weigh(by_gain, len(tables), 3, None)
        found["mdl_train"] = _accuracy(held, tables, is_train=True, weights=weights)
        found["mdl_test"] = _accuracy(held, tables, is_train=False, weights=weights)
        found["mdl_selected"] = float((weights > 0).sum())
    return found


def _make_fold(waves: WaveSet, method: str, fold: int, n_folds: int, data: Path | None) -> _Fold:
    """Split the rows and group the values of every attribute on the training rows."""
    X, y = load_waves(data)
    codes = code_attributes(X, waves)
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=_SEED)
    train, test = list(folds.split(X, y))[fold]
    held = np.ascontiguousarray(codes[:, train])
    start = time.process_time()
    groups, n_groups = _group(held, y[train], waves.bins**waves.dimension, method)
    seconds = time.process_time() - start
    return _Fold(held, codes[:, test], y[train], y[test], groups, n_groups, seconds)


def _group(
    codes: NDArray[np.uint32], labels: NDArray[np.uint16], n_values: int, method: str
) -> tuple[list[NDArray[np.int64]], NDArray[np.int64]]:
    """Return the group of every value of each attribute, and the numbers of groups."""
    if method == "none":
        is_held = np.array([np.bincount(column, minlength=n_values) > 0 for column in codes])
        held = is_held.sum(axis=1)
        return list(np.where(is_held, is_held.cumsum(axis=1) - 1, held[:, None])), held
    parameters = check_group_settings(
        "reproduce", method=method, n_parts=None, max_parts=None,
        min_part_size=None, missing="separate", method_params=None, special_values=None,
        special="separate",
    ).parameters  # fmt: skip
    sizes = np.full(len(codes), n_values, dtype=np.int64)
    found, n_groups, garbage, _, _ = _core.group_columns(
        codes, sizes, labels, None, _N_CLASSES, method, parameters, None
    )
    unseen = np.where(garbage >= 0, garbage, n_groups)
    table = found.reshape(len(codes), n_values).astype(np.int64)
    return list(np.where(table >= 0, table, unseen[:, None])), np.asarray(n_groups)


def _count(codes: NDArray[Any], labels: NDArray[np.uint16], n_codes: int) -> NDArray[np.float64]:
    """Count the classes of each code."""
    pairs = codes.astype(np.int64) * _N_CLASSES + labels
    counts = np.bincount(pairs, minlength=n_codes * _N_CLASSES)
    return counts.reshape(n_codes, _N_CLASSES).astype(np.float64)


def _diverge(held: _Fold, k: int) -> tuple[float, float]:
    """Mean over test rows of the divergence between the shares of classes: both readings.

    As printed, D(p || q) of the shares p of the group on training rows and the shares q of the
    value on test rows, by Laplace. Reversed, D(q || p) with Laplace on training rows.
    """
    groups, n_groups = held.groups[k], int(held.n_groups[k])
    on_train = _count(groups[held.train[k]], held.y_train, n_groups + 1)
    on_train[n_groups] = on_train.sum(axis=0)  # an unseen value: the shares of all rows
    values, places = np.unique(held.test[k], return_inverse=True)
    on_test = _count(places, held.y_test, len(values))
    sizes = on_test.sum(axis=1, keepdims=True)
    group = on_train[groups[values]]
    totals = group.sum(axis=1, keepdims=True)
    weights = sizes[:, 0] / sizes.sum()
    printed = _divergence(group / totals, (on_test + 1) / (sizes + _N_CLASSES))
    turned = _divergence(on_test / sizes, (group + 1) / (totals + _N_CLASSES))
    return float(weights @ printed), float(weights @ turned)


def _divergence(p: NDArray[np.float64], q: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the Kullback-Leibler divergence of each row, in nats."""
    logs = np.zeros_like(p)
    np.log(p / q, out=logs, where=p > 0)
    return np.asarray((p * logs).sum(axis=1))


def _tables(held: _Fold) -> list[NDArray[np.float64]]:
    """Return log P(group | class) by Laplace for each attribute; unseen values add 0."""
    tables = []
    for k, groups in enumerate(held.groups):
        n_groups = int(held.n_groups[k])
        counts = _count(groups[held.train[k]], held.y_train, n_groups + 1)[:n_groups] + 1.0
        logs = np.log(counts) - np.log(counts.sum(axis=0))
        tables.append(np.vstack([logs, np.zeros(_N_CLASSES)]))
    return tables


def _accuracy(
    held: _Fold,
    tables: Sequence[NDArray[np.float64]],
    *,
    is_train: bool,
    weights: NDArray[np.float64] | None = None,
) -> float:
    """Return the accuracy of naive Bayes with weights of the attributes, 1 each by default."""
    codes, labels = (held.train, held.y_train) if is_train else (held.test, held.y_test)
    prior = np.log(np.bincount(held.y_train, minlength=_N_CLASSES))
    scores = np.tile(prior, (len(labels), 1))
    for k, table in enumerate(tables):
        weight = 1.0 if weights is None else weights[k]
        if weight > 0:
            _core.add_by_code(scores, held.groups[k][codes[k]], weight * table)
    return float((scores.argmax(axis=1) == labels).mean())


def _gain(
    table: NDArray[np.float64], codes: NDArray[np.uint32], labels: NDArray[np.uint16]
) -> float:
    """Return the information of an attribute on the class, which orders the attributes."""
    return float(table[codes, labels].sum() - np.log(np.exp(table[codes]).mean(axis=1)).sum())
