"""Folds of the rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from partage._targets.target import TargetRows


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
