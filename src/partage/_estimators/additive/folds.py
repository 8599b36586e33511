"""Rows that are held out, fold by fold, to choose by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from partage._estimators.additive.cells import CodedColumn
from partage._estimators.additive.core import CoreModel, LearnedRows
from partage._support.parallel import Cancel, run_all
from partage._targets.folds import deal_weights, mix


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
    """Deal rows to folds, by what they hold."""
    mixed = mix(np.ascontiguousarray(rows.y).view(np.uint64))
    for column in columns:
        mixed = mix(mixed ^ column.codes.astype(np.uint64))
    weights, n_folds = deal_weights(mixed, rows.weights)
    held = weights.sum(axis=1)
    taken = slice(None) if held.all() else np.flatnonzero(held)
    weights, held = weights[taken], held[taken]
    some, fewer = _some_rows(rows, columns, taken, held)
    return Folds(some, fewer, weights[:, :n_folds])


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
