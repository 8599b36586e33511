"""Folds of the rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from partage._targets.target import TargetRows


def deal_folds(who: str, target: TargetRows, n_folds: int) -> NDArray[np.int64]:
    """Fold of each row, the classes spread evenly; -1 for rows of zero weight, never learned."""
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
    if target.kept is None:
        return folds
    out = np.full(len(target.kept), -1, dtype=np.int64)
    out[target.kept] = folds
    return out
