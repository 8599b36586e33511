"""Folds of the rows, and the target without the rows of one of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from partage._targets.target import ClassTarget


def deal_folds(who: str, target: ClassTarget, n_folds: int) -> NDArray[np.int64]:
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


def without_rows(target: ClassTarget, is_out: NDArray[np.bool_]) -> ClassTarget:
    """Leave rows of the table out of the target; the classes stay."""
    kept = ~is_out if target.kept is None else target.kept & ~is_out
    among = kept if target.kept is None else kept[target.kept]
    segments = target.segments
    if segments is not None:
        segments = np.unique(segments[among], return_inverse=True)[1].astype(np.int64)
    return replace(
        target,
        codes=target.codes[among],
        weights=None if target.weights is None else target.weights[among],
        kept=kept,
        segments=segments,
    )


__all__ = ["deal_folds", "without_rows"]
