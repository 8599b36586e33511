"""How the columns of a scorecard are weighed, and what a validator asks of their weights."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from partage._display.tables import why_one_part
from partage._estimators.scorecard.fit import (
    LEAST_SHARE,
    LEVEL_0,
    Rows,
    evidence_of,
    has_points,
    share_of_values,
)
from partage._estimators.scorecard.held_out import HeldOut
from partage._estimators.scorecard.regression import Evidence
from partage._estimators.scorecard.selection import Rules, Selected, select
from partage._estimators.scorecard.statistics import correlations, inflation, information_value
from partage._partitions.partition import Partition

__all__ = ["Weights", "weigh_columns"]

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Weights:
    """Weights of all columns.

    Attributes
    ----------
    coef, errors, inflation : ndarray of shape (n_columns,)
        Weight of the evidence, 0 for columns left out; its standard error and variance inflation
        factor, NaN where there is none.
    intercept, intercept_error : float
        Log-odds of the event where all evidence is 0, and their standard error.
    correlation : ndarray of shape (n_kept, n_kept)
        Correlations of the evidence of the columns that are kept.
    reasons : dict of str to str
        Why each other column was left out.
    ridge : float
        Factor of half the squares of the weights; 0 where the likelihood alone decided.
    """

    coef: Vector
    errors: Vector
    inflation: Vector
    intercept: float
    intercept_error: float
    correlation: Vector
    reasons: dict[str, str]
    ridge: float = 0.0

    def to_plain(self) -> dict[str, Any]:
        """Give lists and numbers; NaN is None."""
        return {
            "coef": self.coef.tolist(),
            "errors": _without_nan(self.errors),
            "inflation": _without_nan(self.inflation),
            "intercept": [self.intercept],
            "intercept_error": _without_nan(np.array([self.intercept_error])),
            "correlation": self.correlation.tolist(),
            "reasons": dict(self.reasons),
            "ridge": self.ridge,
        }

    @classmethod
    def from_plain(cls, data: dict[str, Any], n_columns: int) -> Weights:
        """Read what `to_plain` gave."""
        coef, errors, inflation = (
            _read(data[name], (n_columns,), name) for name in ("coef", "errors", "inflation")
        )
        n_kept = int(np.count_nonzero(coef))
        (intercept,) = _read(data["intercept"], (1,), "intercept")
        (intercept_error,) = _read(data["intercept_error"], (1,), "intercept_error")
        if not np.isfinite([*coef, intercept]).all():
            raise ValueError("weights must be finite")
        flat = np.array(data["correlation"], dtype=np.float64).reshape(n_kept, n_kept)
        reasons = {str(name): str(why) for name, why in dict(data["reasons"]).items()}
        ridge = float(data["ridge"])
        return cls(coef, errors, inflation, intercept, intercept_error, flat, reasons, ridge)


def _without_nan(values: Vector) -> list[float | None]:
    return [None if math.isnan(value) else value for value in values.tolist()]


def _read(plain: Any, shape: tuple[int, ...], what: str) -> Vector:
    """Read numbers, None for NaN."""
    found = np.array([math.nan if v is None else v for v in plain], dtype=np.float64)
    if found.shape != shape:
        raise ValueError(f"{what} do not fit the rest")
    return found


def weigh_columns(
    partitions: dict[str, Partition],
    rows: Rows,
    rules: Rules,
    estimator: Any,
    held_out: HeldOut | None,
    left_out: Mapping[str, str],
) -> Weights:
    """Choose columns, and weigh their evidence by maximum likelihood or by an estimator.

    ``left_out`` are columns that are not to be chosen, and why.
    """
    found, names = list(partitions.values()), list(partitions)
    used = [i for i, p in enumerate(found) if has_points(p) and p.name not in left_out]
    reasons = {
        name: left_out.get(name) or f"{LEVEL_0}: {_why_no_points(p)}"
        for i, (name, p) in enumerate(partitions.items())
        if i not in used
    }
    evidence = evidence_of(found, rows, used)
    values = [information_value(found[i]) for i in used]
    selected, weighed = select(evidence, [names[i] for i in used], values, rules)
    if held_out is not None:
        kept = dict(zip((used[i] for i in selected.kept), weighed.coef.tolist(), strict=True))
        judged = held_out.judge(found, kept, rules.evidence_sign)
        compared = {used[i] for i in selected.compared}
        unpaid = {names[i]: why for i, why in judged.items() if i in compared}
        if unpaid:
            left_out = {**left_out, **unpaid}
            return weigh_columns(partitions, rows, rules, estimator, None, left_out)
    coef, errors = weighed.coef, weighed.errors()[0]
    intercept, intercept_error = weighed.intercept, weighed.errors()[1]
    if estimator is not None and selected.kept:
        coef, intercept = _weigh_by(estimator, evidence, rules, selected)
        errors, intercept_error = np.full(len(coef), np.nan), math.nan
    places = [used[i] for i in selected.kept]
    correlation = correlations(evidence.take(selected.kept))
    reasons |= {names[used[i]]: why for i, why in selected.reasons.items()}
    reasons = {name: reasons[name] for name in names if name in reasons}
    return Weights(
        coef=_spread(coef, places, len(found), 0.0),
        errors=_spread(errors, places, len(found), np.nan),
        inflation=_spread(inflation(correlation), places, len(found), np.nan),
        intercept=float(intercept),
        intercept_error=intercept_error,
        correlation=correlation,
        reasons=reasons,
        ridge=weighed.ridge,
    )


def _why_no_points(partition: Partition) -> str:
    """Say why rows do not differ in a column."""
    share = share_of_values(partition)
    if 0.0 < share < LEAST_SHARE:
        return f"{share:.1%} of the rows have a value, fewer than a part must hold"
    return why_one_part(partition) or "its rows lie in one part"


def _spread(values: Vector, places: list[int], n: int, otherwise: float) -> Vector:
    """Put values at their places among all columns."""
    found = np.full(n, otherwise)
    found[places] = values
    return found


def _weigh_by(
    estimator: Any, evidence: Evidence, rules: Rules, selected: Selected
) -> tuple[Vector, float]:
    """Weigh columns by an estimator of scikit-learn; columns of the wrong sign are left out."""
    while True:
        own = evidence.take(selected.kept)
        others = own.sizes - own.events
        sizes = np.concatenate([others, own.events])
        held = sizes > 0
        X = np.hstack([own.columns, own.columns]).T[held]
        y = np.repeat([0, 1], len(own.sizes))[held]
        model = clone(estimator).fit(X, y, sample_weight=sizes[held])
        coef = np.asarray(model.coef_[0], dtype=np.float64)
        wrong = coef * rules.sign
        if not rules.sign or wrong.min() >= 0.0 or len(coef) == 1:
            return coef, float(model.intercept_[0])
        place = selected.kept[int(np.argmin(wrong))]
        selected.drop(place, "its weight beside the others has the wrong sign")
