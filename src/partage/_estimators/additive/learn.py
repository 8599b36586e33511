"""How the terms of an additive model are found, one step after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from partage._estimators.additive.cells import CodedColumn
from partage._estimators.additive.choose import Choice, choose, that_pay
from partage._estimators.additive.core import CoreModel, LearnedRows
from partage._estimators.additive.pairs import FoundPair, add_pairs, find_pairs
from partage._estimators.additive.terms import Term, column_term, pair_term

_FIRST = 12  # cycles before pairs are looked for
_LEAST_EVIDENCE = -2.197  # nats of a column: it is nine times as probable that it has no effect


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
    choice = choose(rows, columns, usable, n_jobs) if usable else Choice(0.7, "none", {})
    model = CoreModel(rows, columns, n_jobs)
    model.start()
    active = usable if choice.entry != "none" else []
    model.fit(active, choice.value, most=_FIRST)
    active = _named(model, active, choice.entry)
    model.fit(active, choice.value, most=_FIRST)
    pairs = _fit_pairs(model, active, usable, wanted, most_pairs, choice.value)
    model.fit([*active, *(pair.term for pair in pairs)], choice.value)
    return Learned(
        _terms(model, active, pairs, scale),
        np.array(model.held.intercept()),
        choice,
        float(model.held.dispersion),
    )


def _named(model: CoreModel, active: Sequence[int], entry: str) -> list[int]:
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


def _fit_pairs(
    model: CoreModel,
    active: Sequence[int],
    usable: Sequence[int],
    wanted: Sequence[tuple[int, int]] | None,
    most: int,
    value: float,
) -> list[FoundPair]:
    """Find pairs on what the columns leave, fit them, and keep those that still pay.

    The second time, pairs are looked for that others hid the first time.
    """
    if wanted is not None:
        return add_pairs(model, wanted)
    pairs: list[FoundPair] = []
    n_known = len(usable) * (len(usable) - 1) // 2
    for _ in range(2):
        known = {(pair.first, pair.second) for pair in pairs}
        known |= {(b, a) for a, b in known}
        fresh = [one for one in find_pairs(model, usable, most) if one not in known]
        if not fresh:
            break
        pairs += add_pairs(model, fresh)
        model.fit([*active, *(pair.term for pair in pairs)], value, most=_FIRST)
        evidence = model.evidence([pair.term for pair in pairs])
        pairs = [pairs[k] for k in that_pay(evidence, n_known)[:most]]
        model.fit([*active, *(pair.term for pair in pairs)], value, most=_FIRST)
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
