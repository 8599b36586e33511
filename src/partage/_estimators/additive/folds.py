"""Rows that are held out, fold by fold, to choose by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from partage._estimators.additive.cells import CodedColumn
from partage._estimators.additive.core import CoreModel, LearnedRows
from partage._support.parallel import Cancel, run_all

N_FOLDS = 5
ONE_FOLD_FROM = 20_000  # rows from which one fold is held out instead of five
MOST_ROWS = 100_000  # that are looked at to choose


@dataclass(frozen=True)
class Folds:
    """Rows that are looked at to choose, and the weight of each in each fold."""

    rows: LearnedRows
    columns: Sequence[CodedColumn]
    weights: NDArray[np.float64]

    @property
    def n(self) -> int:
        """Number of folds."""
        return int(self.weights.shape[1])

    @property
    def total(self) -> float:
        """Weight of all rows that are held out."""
        return float(self.weights.sum())

    def judge(
        self,
        losses: Callable[[CoreModel, NDArray[np.float64], NDArray[np.float64], Cancel], object],
        n_jobs: int,
    ) -> NDArray[np.float64]:
        """Give the losses of each fold, from a model, its weights and those of held-out rows."""

        def one(fold: int, cancel: Cancel) -> object:
            test = np.ascontiguousarray(self.weights[:, fold])
            train = np.maximum(self.rows.weights - test, 0.0)
            return losses(CoreModel(self.rows, self.columns), train, test, cancel)

        return np.array(run_all(one, range(self.n), n_jobs), dtype=np.float64)


def make_folds(rows: LearnedRows, columns: Sequence[CodedColumn]) -> Folds:
    """Deal rows to folds."""
    weights, taken = _deal_rows(rows, columns)
    n_folds = 1 if rows.weights.sum() >= ONE_FOLD_FROM else N_FOLDS
    some, fewer = _some_rows(rows, columns, taken, weights.sum(axis=1))
    return Folds(some, fewer, weights[:, :n_folds])


def _deal_rows(
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


__all__ = ["Folds", "make_folds"]
