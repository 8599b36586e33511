"""What is chosen by held-out rows: how far categories are drawn to 0, and which columns enter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from partage._estimators.additive.cells import CodedColumn
from partage._estimators.additive.core import VALUES, CoreModel, LearnedRows
from partage._support.parallel import Cancel, run_all
from partage._support.portable import log

N_FOLDS = 5
ONE_FOLD_FROM = 20_000  # rows from which one fold is held out instead of five
MOST_ROWS = 100_000  # that are looked at to choose
_SHORT = 8  # cycles of a fit that is only judged
_COARSE = 5e-3


@dataclass(frozen=True)
class Choice:
    """What held-out rows say.

    Attributes
    ----------
    value : float
        Deviation of the levels of categories.
    entry : str
        Which columns enter: ``"all"``, ``"paid"`` (those that pay for being named) or ``"none"``.
    losses : dict of str to float
        Mean loss of the held-out rows under each choice.
    """

    value: float
    entry: str
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


def choose(
    rows: LearnedRows, columns: Sequence[CodedColumn], usable: list[int], n_jobs: int
) -> Choice:
    """Choose by rows that are held out of short fits."""
    folds, taken = deal_rows(rows, columns)
    n_folds = 1 if rows.weights.sum() >= ONE_FOLD_FROM else N_FOLDS
    rows, columns = _some_rows(rows, columns, taken, folds.sum(axis=1))
    needs_values = any(columns[t].weights[columns[t].n_ordered :].sum() > 0 for t in usable)
    values = VALUES if needs_values else (VALUES[1],)

    def judge(fold: int, cancel: Cancel) -> NDArray[np.float64]:
        model = CoreModel(rows, columns)
        test = np.ascontiguousarray(folds[:, fold])
        train = np.maximum(rows.weights - test, 0.0)
        model.start(train)
        found = [model.held.loss(test)]
        for value in values:
            model.start(train)
            model.fit(usable, value, most=_SHORT, tolerance=_COARSE, cancel=cancel)
            found.append(model.held.loss(test))
            if value == VALUES[1]:
                paid = that_pay(model.evidence(usable))
                active = sorted(usable[k] for k in paid)
                model.fit(active, value, most=_SHORT, tolerance=_COARSE, cancel=cancel)
                fewer = model.held.loss(test)
        return np.array([test.sum(), fewer, *found])

    of_folds = np.array(run_all(judge, range(n_folds), n_jobs))
    total, paid, none, *whole = of_folds.sum(axis=0).tolist()
    best = int(np.argmin(whole))
    middle = values.index(VALUES[1])
    saved = of_folds[:, 3 + middle] - of_folds[:, 1]  # by leaving columns out
    doubt = float(np.sqrt(n_folds) * saved.std(ddof=1)) if n_folds > 1 else 0.0
    entry = "paid" if saved.sum() > 2.0 * doubt else "all"
    # The first column pays twice the logarithm of their number; held-out rows must save that too.
    if none - min(whole[best], paid) <= price_of_naming(max(len(usable), 2), 0) / n_folds:
        entry = "none"
    losses = {"none": none / total, "paid": paid / total, "all": whole[best] / total}
    return Choice(values[best], entry, losses)


def deal_rows(
    rows: LearnedRows, columns: Sequence[CodedColumn]
) -> tuple[NDArray[np.float64], NDArray[np.int64] | slice]:
    """Weight of each row in each fold, and which rows are looked at; there may be fewer.

    Rows lie in an order that looks drawn, the same ones side by side, and every unit of weight goes
    to the next fold: neither the order of the rows matters, nor whether a row stands twice or
    weighs twice.
    """
    mixed = _mix(np.ascontiguousarray(rows.y).view(np.uint64))
    for column in columns:
        mixed = _mix(mixed ^ column.codes.astype(np.uint64))
    order = np.argsort(mixed, kind="stable")
    step = -(-rows.n_rows // MOST_ROWS)
    stretch = max(1.0, rows.n_rows / rows.weights.sum())
    ends = np.cumsum(rows.weights[order]) * stretch
    starts = np.append(0.0, ends[:-1])
    folds = np.empty((rows.n_rows, N_FOLDS))
    for fold in range(N_FOLDS):
        lengths = _length(ends, fold, N_FOLDS * step) - _length(starts, fold, N_FOLDS * step)
        folds[order, fold] = np.maximum(lengths, 0.0) / stretch
    taken = slice(None) if step == 1 else np.flatnonzero(folds.sum(axis=1) > 0)
    return folds[taken], taken


def _length(ends: NDArray[np.float64], place: int, period: int) -> NDArray[np.float64]:
    """Length below each end of the units that have this place in each period."""
    whole = np.floor(ends / period)
    return np.asarray(whole + np.clip(ends - period * whole - place, 0.0, 1.0))


def _mix(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Spread bits over a whole word."""
    bits = bits * np.uint64(0x9E3779B97F4A7C15) + np.uint64(0x7F4A7C15)
    bits = (bits ^ (bits >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return np.asarray(bits ^ (bits >> np.uint64(32)))


def _some_rows(
    rows: LearnedRows,
    columns: Sequence[CodedColumn],
    taken: NDArray[np.int64] | slice,
    weights: NDArray[np.float64],
) -> tuple[LearnedRows, Sequence[CodedColumn]]:
    """Take some rows, with other weights."""
    offsets = rows.offsets
    if offsets is not None:
        offsets = np.ascontiguousarray(offsets.reshape(rows.n_rows, -1)[taken]).ravel()
    some = LearnedRows(rows.law, rows.y[taken], weights, rows.n_outputs, offsets)
    fewer = []
    for column in columns:
        codes = column.codes[taken]
        held = np.bincount(codes, weights, column.n_cells).astype(np.float64)
        fewer.append(CodedColumn(column.partition, codes, held, column.trend))
    return some, fewer


__all__ = ["Choice", "choose", "deal_rows", "price_of_naming", "that_pay"]
