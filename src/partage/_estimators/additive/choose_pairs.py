"""Which pairs enter, chosen by held-out rows: none, those that pay, or as many as may be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from partage._estimators.additive.choose import COARSE, FACTORS, SHORT, Choice, doubt, named
from partage._estimators.additive.core import CoreModel
from partage._estimators.additive.folds import Folds
from partage._estimators.additive.pairs import add_pairs, rank_pairs
from partage._support.parallel import Cancel

_NAMES = ("no", "paid", "strongest")
_SHORT = 4  # cycles of a fit with pairs that is only judged


def choose_pairs(
    folds: Folds, choice: Choice, usable: Sequence[int], most: int, n_jobs: int
) -> Choice:
    """Say which pairs enter, and settle the factor with them.

    One pair alone may say too little to pay for its name where many together say something. Without
    columns that enter, only those that pay do.
    """

    def losses(
        model: CoreModel, train: NDArray[np.float64], test: NDArray[np.float64], cancel: Cancel
    ) -> object:
        """Losses, by factor, without pairs, with those that pay and with the strongest."""

        def fitted(terms: Sequence[int]) -> list[float]:
            model.fit(terms, choice.prior, most=_SHORT, tolerance=COARSE, cancel=cancel)
            return model.losses(test, FACTORS)

        model.start(train)
        active: Sequence[int] = []
        if choice.entry != "none":
            model.fit(usable, choice.prior, most=SHORT, tolerance=COARSE, cancel=cancel)
            active = named(model, usable, choice.entry)
        ranked, n_paid = rank_pairs(model, usable)
        terms = [pair.term for pair in add_pairs(model, ranked[:most])]
        return [fitted([*active, *terms[:n]]) for n in (0, min(n_paid, most), len(terms))]

    of_folds = folds.judge(losses, n_jobs)
    sums = of_folds.sum(axis=0)
    factors = sums.argmin(axis=1)
    best = 1 if sums[1].min() < sums[0].min() else 0
    saved = of_folds[:, best, factors[best]] - of_folds[:, 2, factors[2]]
    if choice.entry != "none" and saved.sum() > doubt(saved):
        best = 2
    of_pairs = {f"{name} pairs": float(x) for name, x in zip(_NAMES, sums.min(axis=1), strict=True)}
    return replace(
        choice,
        factor=FACTORS[factors[best]],
        pairs=_NAMES[best],
        losses=choice.losses | {name: loss / folds.total for name, loss in of_pairs.items()},
    )


__all__ = ["choose_pairs"]
