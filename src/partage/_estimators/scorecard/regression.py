"""Logistic regression of few columns, whose weights may be held to one sign.

All sums run in a fixed order and none is left to a library of linear algebra, so that the same
rows give the same bits whatever is installed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

__all__ = ["Evidence", "Weighed", "derivatives", "factor", "invert", "score_tests", "weigh"]

Vector = NDArray[np.float64]

_MOST_STEPS = 60
_MOST_HALVINGS = 40
_CLOSE = 1e-9  # a Newton step so small, of the weights, is the last one
_NO_PIVOT = 1e-10  # of a diagonal: less is a column that others already hold
_RIDGE = 1.0  # of the squares of the weights, halved, where rows are separated


@dataclass(frozen=True)
class Evidence:
    """Evidence of each column in rows that differ, how much they weigh, and their events."""

    columns: Vector  # of shape (n_columns, n_rows)
    sizes: Vector
    events: Vector

    def take(self, columns: NDArray[np.int64] | list[int]) -> Evidence:
        """Take some of the columns."""
        return replace(self, columns=self.columns[columns])

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return len(self.columns)


@dataclass(frozen=True)
class Weighed:
    """Weights of columns, and what is known of them.

    Attributes
    ----------
    coef : ndarray of shape (n_columns,)
        Weight of each column; 0 for those that are held there.
    intercept : float
        Log-odds of the event where all evidence is 0.
    is_free : ndarray of bool
        Whether the column was weighed, and not held at 0 by its sign or by the others.
    covariance : ndarray of shape (1 + n_free, 1 + n_free)
        Inverse of the information: of the intercept, then of the free columns.
    loss : float
        Minus the log-likelihood of the rows, in nats.
    ridge : float
        Factor of half the squares of the weights; 0 where the likelihood alone decides.
    """

    coef: Vector
    intercept: float
    is_free: NDArray[np.bool_]
    covariance: Vector
    loss: float
    ridge: float = 0.0

    def errors(self) -> tuple[Vector, float]:
        """Give the standard errors of the columns, NaN for those not free, and of the intercept."""
        found = np.full(len(self.coef), np.nan)
        roots = np.sqrt(np.diagonal(self.covariance))
        found[self.is_free] = roots[1:]
        return found, float(roots[0])


def weigh(
    evidence: Evidence,
    sign: int = 0,
    start: tuple[Vector, float] | None = None,
    lasso: float = 0.0,
    ridge: float = 0.0,
) -> Weighed:
    """Weigh columns by maximum likelihood; ``sign`` 1 or -1 holds their weights to it, 0 does not.

    ``ridge`` times half the squares of the weights are added to the loss, and at least once where
    the likelihood has no maximum, since columns separate the classes. ``lasso`` is a price of the
    sizes of weights that are held to a sign.
    """
    if start is None:
        total, n_events = evidence.sizes.sum(), evidence.events.sum()
        start = np.zeros(evidence.n_columns), float(np.log(n_events) - np.log(total - n_events))
    found = _descend(evidence, sign, (ridge, lasso), start)
    if found is None:
        found = _descend(evidence, sign, (max(ridge, _RIDGE), lasso), start, last=True)
    assert found is not None
    return found


def _descend(
    evidence: Evidence,
    sign: int,
    prices: tuple[float, float],
    start: tuple[Vector, float],
    *,
    last: bool = False,
) -> Weighed | None:
    """Take Newton's steps among the columns that are not held at 0; None where they never end."""
    coef, intercept = start
    ridge, lasso = prices
    is_said = _said_by_others(evidence, ridge)
    for _ in range(_MOST_STEPS):
        slope, information = derivatives(evidence, coef, intercept, ridge)
        slope[1:] += lasso * sign
        is_held = is_said | ((coef == 0.0) & (slope[1:] * sign >= 0.0) if sign else False)
        is_free, root = factor(information, np.append(False, is_held))
        if (is_free[1:] == is_held).any():
            break  # the rows are separated: weights that grow without end leave no information
        move = np.zeros(len(coef) + 1)
        move[is_free] = solve(root, slope[is_free])
        coef, intercept = _move(evidence, (coef, intercept), move, sign, prices)
        if np.abs(move).max() <= _CLOSE * (1.0 + np.abs(coef).max(initial=0.0)):
            last = True
            break
    if not last:
        return None
    _, information = derivatives(evidence, coef, intercept, ridge)
    is_free, root = factor(information, np.append(False, coef == 0.0))
    loss = _loss(evidence, coef, intercept)
    return Weighed(coef, intercept, is_free[1:], invert(root), loss, ridge)


def _said_by_others(evidence: Evidence, ridge: float) -> NDArray[np.bool_]:
    """Whether the columns before one already hold all of it."""
    spread = evidence.sizes / 4.0
    information = _information(evidence.columns, spread, ridge)
    is_free, _ = factor(information, np.zeros(len(information), dtype=bool))
    return ~is_free[1:]


def derivatives(
    evidence: Evidence, coef: Vector, intercept: float, ridge: float
) -> tuple[Vector, Vector]:
    """First and second derivatives of the loss, by the intercept, then by the columns."""
    chances = expit(_scores(evidence, coef, intercept))
    excess = evidence.sizes * chances - evidence.events
    slope = (evidence.columns * excess).sum(axis=1) + ridge * coef
    spread = evidence.sizes * chances * (1.0 - chances)
    return np.append(excess.sum(), slope), _information(evidence.columns, spread, ridge)


def score_tests(evidence: Evidence, weighed: Weighed) -> Vector:
    """Test columns behind those that were weighed: standard errors by which each would gain weight.

    Positive for a positive weight; 0 for columns that the others hold.
    """
    n = 1 + len(weighed.coef)
    n_added = evidence.n_columns + 1 - n
    coef = np.append(weighed.coef, np.zeros(n_added))
    slope, information = derivatives(evidence, coef, weighed.intercept, weighed.ridge)
    is_free, root = factor(information[:n, :n], np.append(False, ~weighed.is_free))
    places = np.flatnonzero(is_free)
    found = np.zeros(n_added)
    for k in range(n_added):
        own, cross = information[n + k, n + k], information[places, n + k]
        left = own - (cross * solve(root, cross)).sum()
        if left > _NO_PIVOT * own:
            found[k] = -slope[n + k] / np.sqrt(left)
    return found


def _move(
    evidence: Evidence,
    at: tuple[Vector, float],
    move: Vector,
    sign: int,
    prices: tuple[float, float],
) -> tuple[Vector, float]:
    """Go along a step, as far as the loss falls; weights stop at 0 if they are held to a sign."""
    coef, intercept = at
    loss = _loss(evidence, coef, intercept, prices)
    share = 1.0
    for _ in range(_MOST_HALVINGS):
        there = coef - share * move[1:]
        if sign:
            there = np.where(there * sign > 0.0, there, 0.0)
        level = float(intercept - share * move[0])
        if _loss(evidence, there, level, prices) <= loss * (1.0 + 1e-14):
            return there, level
        share /= 2.0
    return at


def _scores(evidence: Evidence, coef: Vector, intercept: float) -> Vector:
    """Log-odds of each row, its columns added in their order."""
    scores = np.full(len(evidence.sizes), intercept)
    for weight, column in zip(coef, evidence.columns, strict=True):
        if weight != 0.0:
            scores += weight * column
    return scores


def _loss(
    evidence: Evidence, coef: Vector, intercept: float, prices: tuple[float, float] = (0.0, 0.0)
) -> float:
    """Minus the log-likelihood, in nats, and the prices of the squares and sizes of the weights."""
    scores = _scores(evidence, coef, intercept)
    losses = evidence.sizes * np.logaddexp(0.0, scores) - evidence.events * scores
    ridge, lasso = prices
    return float(losses.sum() + ridge / 2.0 * (coef * coef).sum() + lasso * np.abs(coef).sum())


def _information(columns: Vector, spread: Vector, ridge: float) -> Vector:
    """Second derivatives of the loss: of the intercept, then of the columns."""
    n = len(columns)
    found = np.empty((n + 1, n + 1))
    found[0, 0] = spread.sum()
    for j in range(n):
        scaled = columns[j] * spread
        found[0, j + 1] = scaled.sum()
        found[j + 1, j + 1 :] = (columns[j:] * scaled).sum(axis=1)
        found[j + 1, j + 1] += ridge
    return np.triu(found) + np.triu(found, 1).T


def factor(matrix: Vector, is_held: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], Vector]:
    """Give the root of a matrix without what is held, or is already said by columns before."""
    is_free = ~is_held
    places = np.flatnonzero(is_free)
    rest = matrix[np.ix_(places, places)].copy()
    limits = _NO_PIVOT * np.diagonal(rest)
    root = np.zeros_like(rest)
    kept = []
    for k in range(len(places)):
        pivot = rest[k, k]
        if not pivot > limits[k]:
            is_free[places[k]] = False
            continue
        root[k:, k] = rest[k:, k] / np.sqrt(pivot)
        rest[k + 1 :, k + 1 :] -= np.multiply.outer(root[k + 1 :, k], root[k + 1 :, k])
        kept.append(k)
    return is_free, root[np.ix_(kept, kept)]


def solve(root: Vector, right: Vector) -> Vector:
    """Solve root root' x = right, for a lower triangular root."""
    found = right.astype(np.float64)
    n = len(found)
    for k in range(n):
        found[k] /= root[k, k]
        found[k + 1 :] -= root[k + 1 :, k] * found[k]
    for k in reversed(range(n)):
        found[k] /= root[k, k]
        found[:k] -= root[k, :k] * found[k]
    return found


def invert(root: Vector) -> Vector:
    """Invert root root', for a lower triangular root."""
    inverse = np.array([solve(root, unit) for unit in np.eye(len(root))]).reshape(root.shape)
    return np.asarray((inverse + inverse.T) / 2.0)
