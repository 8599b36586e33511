"""Folds of the rows: dealt at random, or by what the rows hold."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from partage._targets.target import TargetRows

__all__ = ["N_FOLDS", "deal_folds", "deal_weights", "mix"]

N_FOLDS = 5
_ONE_FOLD_FROM = 20_000  # rows from which one fold is held out instead of five
_MOST_ROWS = 100_000  # that are looked at to choose


def deal_folds(who: str, target: TargetRows, n_folds: int) -> NDArray[np.int64]:
    """Fold of each row, the classes spread evenly; -1 for rows of zero weight, never learned."""
    if target.values is not None:
        return _deal_evenly(who, target, n_folds)
    from sklearn.model_selection import StratifiedKFold

    n_rows = np.bincount(target.codes, minlength=target.n_classes)
    if n_rows.min() < n_folds:
        rarest = target.classes.tolist()[int(n_rows.argmin())]
        raise ValueError(
            f"{who}: cross_fit={n_folds} needs as many rows of each class; class {rarest!r} has "
            f"{n_rows.min()}. Use fewer folds, or join rare classes."
        )
    folds = np.empty(target.n_rows, dtype=np.int64)
    # Shuffled, since tables are often sorted; the seed is fixed, so that results repeat.
    splitter = StratifiedKFold(n_folds, shuffle=True, random_state=0)
    for fold, (_, members) in enumerate(splitter.split(target.codes, target.codes)):
        folds[members] = fold
    return _over_table(target, folds)


def _deal_evenly(who: str, target: TargetRows, n_folds: int) -> NDArray[np.int64]:
    """Fold of each row of a number."""
    from sklearn.model_selection import KFold

    if target.n_rows < n_folds:
        raise ValueError(
            f"{who}: cross_fit={n_folds} needs as many rows; got {target.n_rows}. Use fewer folds."
        )
    folds = np.empty(target.n_rows, dtype=np.int64)
    for fold, (_, members) in enumerate(KFold(n_folds, shuffle=True, random_state=0).split(folds)):
        folds[members] = fold
    return _over_table(target, folds)


def _over_table(target: TargetRows, folds: NDArray[np.int64]) -> NDArray[np.int64]:
    """Folds of the rows of the table, -1 for those of zero weight."""
    if target.kept is None:
        return folds
    out = np.full(len(target.kept), -1, dtype=np.int64)
    out[target.kept] = folds
    return out


def deal_weights(
    mixed: NDArray[np.uint64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], int]:
    """Weight of each row in each fold, and how many of the folds are to be held out.

    Rows lie in the order of words that look drawn, the same ones side by side, and every unit of
    weight goes to the next fold: neither the order of the rows matters, nor whether a row stands
    twice or weighs twice. Of very many rows some lie in no fold.
    """
    n_rows = len(mixed)
    order = np.argsort(mixed, kind="stable")
    step = -(-n_rows // _MOST_ROWS)
    stretch = max(1.0, n_rows / weights.sum())
    ends = np.cumsum(weights[order]) * stretch
    starts = np.append(0.0, ends[:-1])
    folds = np.empty((n_rows, N_FOLDS))
    for fold in range(N_FOLDS):
        lengths = _length(ends, fold, N_FOLDS * step) - _length(starts, fold, N_FOLDS * step)
        folds[order, fold] = np.maximum(lengths, 0.0) / stretch
    return folds, 1 if weights.sum() >= _ONE_FOLD_FROM else N_FOLDS


def _length(ends: NDArray[np.float64], place: int, period: int) -> NDArray[np.float64]:
    """Length below each end of the units that have this place in each period."""
    whole = np.floor(ends / period)
    return np.asarray(whole + np.clip(ends - period * whole - place, 0.0, 1.0))


def mix(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Spread bits over a whole word."""
    bits = bits * np.uint64(0x9E3779B97F4A7C15) + np.uint64(0x7F4A7C15)
    bits = (bits ^ (bits >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return np.asarray(bits ^ (bits >> np.uint64(32)))
