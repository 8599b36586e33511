"""Which columns of a scorecard are weighed, and why the others are not."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from partage._estimators.scorecard.regression import (
    Evidence,
    Weighed,
    derivatives,
    score_tests,
    weigh,
)
from partage._estimators.scorecard.statistics import correlations, inflation, p_values

__all__ = ["SELECTIONS", "Rules", "Selected", "select"]

_BIT = math.log(2.0)
_LEAST_SAVED = 0.1  # bits: a column that saves fewer is left out under "mdl"
_MOST_CORRELATED = 0.98  # of the evidence of two columns that say the same
_MOST_INFLATED = 10.0
_LARGEST_P = 0.05
_N_LASSO = 20  # prices tried, from one that leaves nothing out of nothing to a hundredth of it


@dataclass(frozen=True)
class Rules:
    """What the parameters of a scorecard say of its columns."""

    selection: str | None
    sign: int  # of the weights: 1, -1, or 0 for any
    evidence_sign: int  # that weights have where more evidence means more risk
    max_columns: int | None
    min_iv: float
    ridge: float = 0.0  # of the weights of the columns that were selected


@dataclass
class Selected:
    """Columns that are weighed, by place, and why each other column is not.

    ``compared`` are those that were compared beside each other, neither useless nor redundant.
    """

    kept: list[int]
    reasons: dict[int, str] = field(default_factory=dict)
    compared: list[int] = field(default_factory=list)

    def drop(self, place: int, reason: str) -> None:
        """Leave a column out."""
        self.kept.remove(place)
        self.reasons[place] = reason


def select(
    evidence: Evidence, names: Sequence[str], values: Sequence[float], rules: Rules
) -> tuple[Selected, Weighed]:
    """Choose columns by the rules, and weigh them; ``values`` are their information values."""
    selected = Selected(list(range(evidence.n_columns)))
    for i in list(selected.kept):
        if values[i] < rules.min_iv:
            selected.drop(i, f"IV {values[i]:.4f} is below {rules.min_iv:g}")
    if rules.selection is not None:
        _drop_redundant(evidence, names, values, selected)
        selected.compared = list(selected.kept)
        weighed = SELECTIONS[rules.selection](evidence, rules, selected)
    else:
        weighed = weigh(evidence.take(selected.kept), rules.sign)
    weighed = _limit(evidence, values, rules, selected, weighed)
    weighed = _drop_held(evidence, rules, selected, weighed)
    if rules.ridge:
        # Columns are tested by the likelihood alone, and their weights are shrunk afterwards.
        weighed = weigh(evidence.take(selected.kept), rules.sign, ridge=rules.ridge)
        weighed = _drop_held(evidence, rules, selected, weighed, rules.ridge)
    return selected, weighed


def _drop_redundant(
    evidence: Evidence, names: Sequence[str], values: Sequence[float], selected: Selected
) -> None:
    """Leave out columns that stronger ones already hold."""
    if not selected.kept:
        return
    correlation = correlations(evidence)
    strong: list[int] = []
    for i in sorted(selected.kept, key=lambda k: -values[k]):
        like = max(strong, key=lambda k: abs(correlation[i, k]), default=None)
        if like is not None and abs(correlation[i, like]) >= _MOST_CORRELATED:
            found = f"correlation {correlation[i, like]:.2f}"
            selected.drop(i, f"redundant with {names[like]!r} ({found})")
        else:
            strong.append(i)
    while True:
        kept = selected.kept
        factors = inflation(correlation[np.ix_(kept, kept)])
        inflated = [k for k, f in enumerate(factors) if f > _MOST_INFLATED]
        if not inflated:
            return
        weakest = min(inflated, key=lambda k: values[kept[k]])
        selected.drop(kept[weakest], f"VIF {factors[weakest]:.1f} is above {_MOST_INFLATED:g}")


def _drop_held(
    evidence: Evidence, rules: Rules, selected: Selected, weighed: Weighed, ridge: float = 0.0
) -> Weighed:
    """Leave out columns that their sign, or the others, hold at 0."""
    held = [k for k, is_free in zip(selected.kept, weighed.is_free, strict=True) if not is_free]
    for i in held:
        selected.drop(
            i,
            "its weight beside the others has the wrong sign"
            if rules.sign
            else "the others hold all of it",
        )
    return weigh(evidence.take(selected.kept), rules.sign, ridge=ridge) if held else weighed


def _backward(
    evidence: Evidence,
    rules: Rules,
    selected: Selected,
    reason: Callable[[float], str | None],
) -> Weighed:
    """Leave out the column of the least Wald statistic, one by one, while there is a reason."""
    weighed = _drop_held(evidence, rules, selected, _weigh_from(evidence, rules, selected, None))
    while len(selected.kept) > 1:
        statistics = (weighed.coef / weighed.errors()[0]) ** 2
        least = int(np.argmin(statistics))
        why = reason(float(statistics[least]))
        if why is None:
            break
        start = np.delete(weighed.coef, least), weighed.intercept
        selected.drop(selected.kept[least], why)
        weighed = _weigh_from(evidence, rules, selected, start)
        weighed = _drop_held(evidence, rules, selected, weighed)
    return weighed


def _weigh_from(
    evidence: Evidence,
    rules: Rules,
    selected: Selected,
    start: tuple[NDArray[np.float64], float] | None,
) -> Weighed:
    return weigh(evidence.take(selected.kept), rules.sign, start)


def _by_length(evidence: Evidence, rules: Rules, selected: Selected) -> Weighed:
    """Keep the columns that shorten the description of the classes."""

    def reason(statistic: float) -> str | None:
        bits = statistic / 2.0 / _BIT
        p = float(p_values(np.array([math.sqrt(statistic)]), np.array([1.0]))[0])
        text = f"p-value {p:.3f}: it saves {bits:.2f} bits beside the others"
        return text if bits < _LEAST_SAVED else None

    return _backward(evidence, rules, selected, reason)


def _by_steps(evidence: Evidence, rules: Rules, selected: Selected) -> Weighed:
    """Add the column of the least p-value, then leave out those above the limit, and so on."""
    candidates = list(selected.kept)
    inside: list[int] = []
    removed: dict[int, float] = {}  # once out, a column stays out: steps end
    while True:
        best, p = _best_to_add(evidence, rules, inside, [c for c in candidates if c not in removed])
        if best is None or p > _LARGEST_P:
            break
        inside.append(best)
        while True:
            weighed = weigh(evidence.take(inside), rules.sign)
            found = p_values(weighed.coef, weighed.errors()[0])
            found = np.where(np.isnan(found), 1.0, found)
            worst = int(np.argmax(found))
            if found[worst] <= _LARGEST_P:
                break
            removed[inside.pop(worst)] = float(found[worst])
            if not inside:
                break
    for i in candidates:
        if i not in inside:
            p = removed[i] if i in removed else _best_to_add(evidence, rules, inside, [i])[1]
            selected.drop(i, f"p-value {p:.3f} is above {_LARGEST_P:g}")
    return weigh(evidence.take(selected.kept), rules.sign)


def _best_to_add(
    evidence: Evidence, rules: Rules, inside: list[int], others: list[int]
) -> tuple[int | None, float]:
    """Column whose score test is most significant in the direction it may have, and its p-value."""
    others = [i for i in others if i not in inside]
    if not others:
        return None, 1.0
    weighed = weigh(evidence.take(inside), rules.sign)
    tests = score_tests(evidence.take([*inside, *others]), weighed)
    tests = np.where(tests * rules.sign < 0.0, 0.0, tests)
    if not tests.any():
        return None, 1.0
    best = int(np.argmax(np.abs(tests)))
    p = float(p_values(tests[best : best + 1], np.array([1.0]))[0])
    return others[best], p


def _by_lasso(evidence: Evidence, rules: Rules, selected: Selected) -> Weighed:
    """Take the columns that a price of their weights leaves, at the price of the lowest BIC."""
    kept = list(selected.kept)
    own, sign = evidence.take(kept), rules.evidence_sign
    total, n_events = own.sizes.sum(), own.events.sum()
    slope, _ = derivatives(
        own, np.zeros(len(kept)), float(np.log(n_events / (total - n_events))), 0.0
    )
    most = float(max((-slope[1:] * sign).max(initial=0.0), 1e-12))
    best: tuple[float, NDArray[np.bool_]] | None = None
    start = None
    for price in np.geomspace(most, most / 100.0, _N_LASSO):
        priced = weigh(own, sign, start, float(price))
        start = priced.coef, priced.intercept
        used = priced.coef != 0.0
        plain = weigh(own.take(np.flatnonzero(used)), rules.sign)
        length = plain.loss + 0.5 * math.log(total) * np.count_nonzero(used)
        if best is None or length < best[0] - 1e-9:
            best = length, used
    assert best is not None
    for i, is_used in zip(kept, best[1], strict=True):
        if not is_used:
            selected.drop(i, "the lasso gives it no weight")
    return weigh(evidence.take(selected.kept), rules.sign)


def _limit(
    evidence: Evidence,
    values: Sequence[float],
    rules: Rules,
    selected: Selected,
    weighed: Weighed,
) -> Weighed:
    """Leave out the weakest columns beyond the number that is allowed."""
    most = rules.max_columns
    if most is None or len(selected.kept) <= most:
        return weighed
    weighed = _drop_held(evidence, rules, selected, weighed)
    while len(selected.kept) > most:
        if rules.selection is None:
            place = int(np.argmin([values[i] for i in selected.kept]))
        else:
            place = int(np.argmin((weighed.coef / weighed.errors()[0]) ** 2))
        selected.drop(selected.kept[place], f"beyond max_columns={most}")
        weighed = _weigh_from(evidence, rules, selected, None)
        weighed = _drop_held(evidence, rules, selected, weighed)
    return weighed


SELECTIONS: dict[str, Callable[[Evidence, Rules, Selected], Weighed]] = {
    "mdl": _by_length,
    "stepwise": _by_steps,
    "lasso": _by_lasso,
}
