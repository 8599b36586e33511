"""How the terms of an additive model are found, one step after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from partage._estimators.additive.cells import CodedColumn
from partage._estimators.additive.choose import Choice, choose, named, that_pay
from partage._estimators.additive.choose_pairs import choose_pairs
from partage._estimators.additive.core import PLAIN, CoreModel, LearnedRows, Prior
from partage._estimators.additive.folds import make_folds
from partage._estimators.additive.pairs import FoundPair, add_pairs, rank_pairs
from partage._estimators.additive.terms import Term, column_term, pair_term

_FIRST = 12  # cycles before pairs are looked for


@dataclass(frozen=True)
class Learned:
    """The terms of a model, what all rows share, and what held-out rows chose."""

    terms: list[Term]
    intercept: NDArray[np.float64]
    choice: Choice
    dispersion: float


def learn(
    rows: LearnedRows,
    columns: Sequence[CodedColumn],
    wanted: Sequence[tuple[int, int]] | None,
    most_pairs: int,
    scale: float,
    n_jobs: int,
) -> Learned:
    """Find the terms: columns that enter, then pairs on what they leave."""
    usable = [t for t, column in enumerate(columns) if column.is_informative]
    choice = _choose(rows, columns, usable, 0 if wanted is not None else most_pairs, n_jobs)
    model = CoreModel(rows, columns, n_jobs)
    model.start()
    active = usable if choice.entry != "none" else []
    model.fit(active, choice.prior, most=_FIRST)
    active = named(model, active, choice.entry)
    model.fit(active, choice.prior, most=_FIRST)
    if wanted is not None:
        pairs = add_pairs(model, wanted)
    elif choice.pairs == "strongest":
        pairs = add_pairs(model, rank_pairs(model, usable)[0][:most_pairs])
    elif choice.pairs == "no":
        pairs = []
    else:
        pairs = _fit_pairs(model, active, usable, most_pairs, choice.prior)
    model.fit([*active, *(pair.term for pair in pairs)], choice.prior)
    model.held.stretch(choice.factor, n_jobs)
    return Learned(
        _terms(model, active, pairs, scale),
        np.array(model.held.intercept()),
        choice,
        float(model.held.dispersion),
    )


def _choose(
    rows: LearnedRows,
    columns: Sequence[CodedColumn],
    usable: list[int],
    most_pairs: int,
    n_jobs: int,
) -> Choice:
    """Let held-out rows choose."""
    if not usable:
        return Choice(PLAIN, 1.0, "none", "no", {})
    folds = make_folds(rows, columns)
    choice = choose(folds, usable, n_jobs)
    if most_pairs < 1 or len(usable) < 2:
        return choice
    if choice.entry == "none":  # a look at all rows first: of noise, nothing is to be judged
        model = CoreModel(rows, columns, n_jobs)
        model.start()
        if rank_pairs(model, usable)[1] == 0:
            return replace(choice, pairs="no")
    return choose_pairs(folds, choice, usable, most_pairs, n_jobs)


def _fit_pairs(
    model: CoreModel,
    active: Sequence[int],
    usable: Sequence[int],
    most: int,
    prior: Prior,
) -> list[FoundPair]:
    """Find pairs on what the columns leave, fit them, and keep those that still pay.

    The second time, pairs are looked for that others hid the first time.
    """
    pairs: list[FoundPair] = []
    n_known = len(usable) * (len(usable) - 1) // 2
    for _ in range(2):
        known = {(pair.first, pair.second) for pair in pairs}
        known |= {(b, a) for a, b in known}
        ranked, n_paid = rank_pairs(model, usable)
        fresh = [one for one in ranked[: min(n_paid, most)] if one not in known]
        if not fresh:
            break
        pairs += add_pairs(model, fresh)
        model.fit([*active, *(pair.term for pair in pairs)], prior, most=_FIRST)
        evidence = model.evidence([pair.term for pair in pairs])
        pairs = [pairs[k] for k in that_pay(evidence, n_known)[:most]]
        model.fit([*active, *(pair.term for pair in pairs)], prior, most=_FIRST)
    return pairs


def _terms(
    model: CoreModel, active: Sequence[int], pairs: Sequence[FoundPair], scale: float
) -> list[Term]:
    """Make the terms of a fitted model, the columns first."""
    found = []
    for t in active:
        evidence = float(model.held.evidence(t))
        found.append(
            column_term(model.columns[t], model.levels(t), model.variances(t), evidence, scale)
        )
    for pair, codes in zip(pairs, _codes_of(model, pairs), strict=True):
        columns = [model.columns[t] for t in (pair.first, pair.second)]
        levels = model.levels(pair.term), model.variances(pair.term)
        evidence = float(model.held.evidence(pair.term))
        found.append(
            pair_term(columns, pair.axes, levels, codes, model.rows.weights, evidence, scale)
        )
    return found


def _codes_of(model: CoreModel, pairs: Sequence[FoundPair]) -> list[NDArray[np.uint32]]:
    """Cells of the rows of some pairs, which the model keeps in the order it got them."""
    return [model.kept[pair.term - len(model.columns)] for pair in pairs]


__all__ = ["Learned", "learn"]
