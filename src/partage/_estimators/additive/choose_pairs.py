"""Which pairs enter, chosen by held-out rows: those that pay, or as many as there may be."""

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

_SHORT = 4  # cycles of a fit with pairs that is only judged


def choose_pairs(
    folds: Folds, choice: Choice, usable: Sequence[int], most: int, n_jobs: int
) -> Choice:
    """Say which pairs enter, and settle the factor with them.

    One pair alone may say too little to pay for its name where many together say something.
    """

    def losses(
        model: CoreModel, train: NDArray[np.float64], test: NDArray[np.float64], cancel: Cancel
    ) -> object:
        """Losses, by factor, with pairs that pay and with the strongest."""

        def fitted(terms: Sequence[int]) -> list[float]:
            model.fit(terms, choice.prior, most=_SHORT, tolerance=COARSE, cancel=cancel)
            return model.losses(test, FACTORS)

        model.start(train)
        model.fit(usable, choice.prior, most=SHORT, tolerance=COARSE, cancel=cancel)
        active = named(model, usable, choice.entry)
        ranked, n_paid = rank_pairs(model, usable)
        terms = [pair.term for pair in add_pairs(model, ranked[:most])]
        return [fitted([*active, *terms[:n_paid]]), fitted([*active, *terms])]

    of_folds = folds.judge(losses, n_jobs)
    sums = of_folds.sum(axis=0)
    paid, strongest = (int(np.argmin(row)) for row in sums)
    saved = of_folds[:, 0, paid] - of_folds[:, 1, strongest]
    is_many = saved.sum() > doubt(saved)
    of_pairs = {"pairs": sums[1].min() / folds.total, "paid pairs": sums[0].min() / folds.total}
    return replace(
        choice,
        factor=FACTORS[strongest if is_many else paid],
        pairs="strongest" if is_many else "paid",
        losses=choice.losses | {name: float(loss) for name, loss in of_pairs.items()},
    )


__all__ = ["choose_pairs"]
