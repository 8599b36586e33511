"""What is chosen by held-out rows: how far levels are drawn to 0, and which columns enter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from partage._estimators.additive.cells import CodedColumn
from partage._estimators.additive.core import PLAIN, VALUES, WIDTHS, CoreModel, Prior
from partage._estimators.additive.folds import Folds
from partage._support.parallel import Cancel
from partage._support.portable import log

SHORT = 8  # cycles of a fit that is only judged
COARSE = 5e-3
_LEAST_EVIDENCE = -2.197  # nats of a column: it is nine times as probable that it has no effect
FACTORS = (1.0, 1.15, 1.3, 1.5, 1.75, 2.0, 2.5, 3.0)


@dataclass(frozen=True)
class Choice:
    """What held-out rows say.

    Attributes
    ----------
    prior : Prior
        Deviations of the levels of categories and of curves.
    factor : float
        Number that all terms are multiplied by.
    entry : str
        Which columns enter: ``"all"``, ``"paid"`` (those that pay for being named) or ``"none"``.
    pairs : str
        Which pairs enter: ``"no"``, ``"paid"``, or ``"strongest"``, as many as there may be.
    losses : dict of str to float
        Mean loss of the held-out rows under each choice.
    """

    prior: Prior
    factor: float
    entry: str
    pairs: str
    losses: dict[str, float]


def price_of_naming(n_known: int, n_named: int) -> float:
    """Nats that naming one more of the known costs, the strongest first.

    Half of the probability is on none at all, the rest even on their number, then on which.
    """
    if n_named == 0:
        return 2.0 * log(max(n_known, 2))
    return log((n_known - n_named) / (n_named + 1.0)) if n_named < n_known else 0.0


def that_pay(evidence: NDArray[np.float64], n_known: int | None = None) -> list[int]:
    """Which of some candidates, or of all that are known, pay for being named, strongest first."""
    chosen: list[int] = []
    for k in np.argsort(-evidence, kind="stable").tolist():
        price = max(price_of_naming(n_known or len(evidence), len(chosen)), 0.0)
        if evidence[k] <= price:
            break
        chosen.append(k)
    return chosen


def choose(folds: Folds, usable: list[int], n_jobs: int) -> Choice:
    """Choose a prior, a factor and the columns that enter by short fits of the columns."""
    priors = _priors(folds.columns, usable)

    def losses(
        model: CoreModel, train: NDArray[np.float64], test: NDArray[np.float64], cancel: Cancel
    ) -> object:
        """Losses of none, then by factor of those that pay and of all under each prior."""
        model.start(train)
        none = model.held.loss(test)
        found = []
        for prior in priors:
            model.start(train)
            model.fit(usable, prior, most=SHORT, tolerance=COARSE, cancel=cancel)
            found.append(model.losses(test, FACTORS))
            if prior == PLAIN:
                active = named(model, usable, "paid")
                model.fit(active, prior, most=SHORT, tolerance=COARSE, cancel=cancel)
                paid = model.losses(test, FACTORS)
        return [[none] * len(FACTORS), paid, *found]

    return _best(folds.judge(losses, n_jobs), priors, folds.total, len(usable))


def named(model: CoreModel, active: Sequence[int], entry: str) -> list[int]:
    """Say which columns stay: those that pay, or all but those that are hardly probable."""
    evidence = model.evidence(active)
    if entry == "paid":
        return sorted(active[k] for k in that_pay(evidence))
    # Values of a category are shrunk one by one: their evidence says little where each has few
    # rows, and held-out rows have spoken for them.
    return [
        t
        for t, nats in zip(active, evidence, strict=True)
        if nats > _LEAST_EVIDENCE or model.columns[t].n_ordered == 0
    ]


def doubt(saved: NDArray[np.float64]) -> float:
    """Deviation of the sum of what folds save; 0 of one fold."""
    return float(np.sqrt(len(saved)) * saved.std(ddof=1)) if len(saved) > 1 else 0.0


def _priors(columns: Sequence[CodedColumn], usable: Sequence[int]) -> list[Prior]:
    """Priors from which held-out rows choose."""
    has_values = any(columns[t].weights[columns[t].n_ordered :].sum() > 0 for t in usable)
    has_curves = any(columns[t].n_ordered > 1 for t in usable)
    values = VALUES if has_values else (PLAIN.value,)
    found = [Prior(value, PLAIN.width) for value in values]
    if has_curves:
        found += [Prior(value, width) for width in WIDTHS[1:] for value in values[-2:]]
    return found


def _best(
    of_folds: NDArray[np.float64], priors: list[Prior], total: float, n_usable: int
) -> Choice:
    """Choose by the losses of folds, which stand by fold, prior and factor."""
    n_folds = len(of_folds)
    sums = of_folds.sum(axis=0)
    plain, unchanged = priors.index(PLAIN), FACTORS.index(1.0)
    none, paid, whole = sums[0, 0], sums[1], sums[2:]
    factors = whole.argmin(axis=1)
    best = _best_prior(of_folds[:, 2 + np.arange(len(priors)), factors], priors)
    # Columns are left out by what the plain prior says of them, both sides with the best factor.
    of_paid = of_folds[:, 1, int(np.argmin(paid))]
    saved = of_folds[:, 2 + plain, int(np.argmin(whole[plain]))] - of_paid
    entry = "paid" if saved.sum() > 2.0 * doubt(saved) else "all"
    # The first column pays twice the logarithm of their number; held-out rows must save that too.
    least = min(float(whole[:, unchanged].min()), float(paid[unchanged]))
    if none - least <= price_of_naming(max(n_usable, 2), 0) / n_folds:
        entry = "none"
    losses = {"none": none / total, "paid": paid.min() / total, "all": whole.min() / total}
    found = {name: float(loss) for name, loss in losses.items()}
    return Choice(priors[best], FACTORS[factors[best]], entry, "no", found)


def _best_prior(of_folds: NDArray[np.float64], priors: list[Prior]) -> int:
    """Which prior does best; wide curves must do clearly better, since they are less smooth."""
    sums = of_folds.sum(axis=0)
    is_wide = np.array([prior.width != PLAIN.width for prior in priors])
    best = int(np.argmin(np.where(is_wide, np.inf, sums)))
    if not is_wide.any():
        return best
    wide = int(np.argmin(np.where(is_wide, sums, np.inf)))
    saved = of_folds[:, best] - of_folds[:, wide]
    return wide if saved.sum() > doubt(saved) else best


__all__ = ["FACTORS", "Choice", "choose", "doubt", "named", "price_of_naming", "that_pay"]
