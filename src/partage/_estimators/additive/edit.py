"""Edits of terms, each with its price: flat, monotone, few parts; and all terms made simple."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._estimators.additive.cells import TRENDS
from partage._estimators.additive.join import code_places, join_line, join_parts, join_values
from partage._estimators.additive.terms import Name, Term, flat_partition, join_cells
from partage._support.checks import check_count, refuse


@dataclass(frozen=True)
class Changes:
    """What an edit of an additive model changes.

    Attributes
    ----------
    edit : str
        What was done.
    loss_before, loss_after : float
        Mean loss of the rows, as ``measure`` names it.
    measure : str
        ``"log-loss"``, ``"squared error"`` or ``"deviance"``.
    price : float
        What the edit costs: ``loss_after - loss_before``; below 0 where it saves something.
    kept : float
        Share of what the terms save against none that is kept.
    numbers_before, numbers_after : int
        Numbers that a person reads.
    """

    edit: str
    loss_before: float
    loss_after: float
    measure: str
    kept: float
    numbers_before: int
    numbers_after: int

    @property
    def price(self) -> float:
        """What the edit costs."""
        return self.loss_after - self.loss_before

    def __repr__(self) -> str:
        return (
            f"{self.edit}: {self.measure} {self.loss_before:.5f} -> {self.loss_after:.5f} "
            f"({self.price:+.5f}), {self.kept:.2%} of what the terms save is kept; "
            f"{self.numbers_before} -> {self.numbers_after} numbers to read"
        )


def edited_term(who: str, term: Term, change: Any) -> Term | None:
    """Give a term another shape; None where it is gone."""
    if isinstance(change, str) and change == "flat":
        return None
    if isinstance(change, str) and change in TRENDS:
        return _monotone(who, term, TRENDS[change])
    is_number = isinstance(change, (int, np.integer)) and not isinstance(change, bool)
    if not is_number or change < 1:
        must = "'flat', 'ascending', 'descending' or the number of parts, at least 1"
        refuse(who, "change", must, change)
    return simple_term(term, int(change), 1.0)


def _monotone(who: str, term: Term, sign: int) -> Term:
    """Make a curve rise or fall: least squares by the rows of its parts."""
    axis = term.axes[0]
    if term.is_pair or not axis.rule.is_line:
        raise ValueError(
            f"{who}: a trend is for the curve of a column with an order; {term.label!r} is "
            f"{'a pair' if term.is_pair else 'of categories'}."
        )
    n = axis.n_parts
    levels = term.contributions.copy()
    for j in range(term.n_outputs):
        levels[:n, j] = _pooled(term.weights[:n], sign * levels[:n, j]) * sign
    return replace(term, contributions=levels + 0.0)


def _pooled(weights: NDArray[np.float64], levels: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rising levels nearest to these."""
    pools: list[list[float]] = []
    for weight, level in zip(np.maximum(weights, 1e-12).tolist(), levels.tolist(), strict=True):
        pools.append([weight, level, 1])
        while len(pools) > 1 and pools[-2][1] > pools[-1][1]:
            one, two = pools.pop(), pools.pop()
            total = one[0] + two[0]
            pools.append([total, (one[0] * one[1] + two[0] * two[1]) / total, one[2] + two[2]])
    return np.repeat([pool[1] for pool in pools], [int(pool[2]) for pool in pools])


def simple_term(term: Term, max_parts: int | None, keep: float) -> Term:
    """Join the parts of a term; of a pair, those of one column, then those of the other."""
    if not term.is_pair:
        place = join_cells(term.axes[0], term.weights, term.contributions, max_parts, keep)
        return _joined(term, 0, place)
    for i in (0, 1):
        n = term.axes[i].n_parts
        levels = np.moveaxis(term.contributions, i, 0)[:n].reshape(n, -1)
        join = join_line if term.axes[i].rule.is_line else join_values
        held = term.weights.sum(axis=1 - i)[:n]
        term = _joined(term, i, join(held, levels, max_parts, keep))
    return term


def _joined(term: Term, i: int, place: NDArray[np.int64]) -> Term:
    """Join the parts of one axis."""
    axis = term.axes[i]
    codes = code_places(axis, place)
    n = int(codes.max()) + 1
    axes = list(term.axes)
    axes[i] = join_parts(axis, place.tolist())
    held = np.maximum(term.weights, 1e-9)[..., None]
    shape = list(term.contributions.shape)
    shape[i] = n
    sums, squares, total = np.zeros(shape), np.zeros(shape), np.zeros(shape[:-1])
    spread = np.moveaxis(held * term.deviations**2, i, 0)
    np.add.at(np.moveaxis(sums, i, 0), codes, np.moveaxis(held * term.contributions, i, 0))
    np.add.at(np.moveaxis(squares, i, 0), codes, spread)
    np.add.at(np.moveaxis(total, i, 0), codes, np.moveaxis(held[..., 0], i, 0))
    weights = np.zeros(shape[:-1])
    np.add.at(np.moveaxis(weights, i, 0), codes, np.moveaxis(term.weights, i, 0))
    return replace(
        term,
        axes=tuple(axes),
        contributions=sums / total[..., None] + 0.0,
        deviations=np.sqrt(squares / total[..., None]),
        weights=weights,
    )


def with_terms(model: Any, terms: Mapping[Name, Term], edit: str, given: tuple[Any, ...]) -> Any:
    """Give a model with other terms, which says what it loses on some rows."""
    new = copy.copy(model)
    if hasattr(model, "_given"):
        new._given = model._given  # which a copy leaves out
    partitions = {
        name: terms[name].axes[0] if name in terms else flat_partition(partition)
        for name, partition in model.partitions_.items()
    }
    new._store(model._library, partitions, dict(terms), model.intercept_)
    who = f"{type(model).__name__}.edit"
    bare = copy.copy(model)
    bare._store(model._library, model.partitions_, {}, model.intercept_)
    before, after, none = (one._mean_loss(who, given) for one in (model, new, bare))
    new.changes_ = Changes(
        edit,
        before,
        after,
        model._measure(),
        float((none - after) / (none - before)) if none > before else 1.0,
        sum(term.n_numbers for term in model.terms_.values()),
        sum(term.n_numbers for term in terms.values()),
    )
    return new


def check_simple(who: str, max_parts: Any, keep: Any) -> tuple[int | None, float]:
    """Check how simple terms shall be."""
    is_share = isinstance(keep, (int, float, np.number)) and not isinstance(keep, bool)
    if not is_share or not 0 < keep <= 1:
        refuse(who, "keep", "a share above 0 and at most 1", keep)
    return check_count(who, "max_parts", max_parts), float(keep)


__all__ = ["Changes", "check_simple", "edited_term", "simple_term", "with_terms"]
