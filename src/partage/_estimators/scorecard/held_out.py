"""Columns that say nothing alone, judged in rows that their parts were not found on.

Where a column is divided although nothing was found in it, its evidence in the same rows looks
strong whether or not it means anything. Here its parts are found anew without some rows, fold by
fold, and the rows left out say what its evidence is worth. Many such columns may count together
although none can be told from noise alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._estimators.fit import Opened
from partage._estimators.plan import check_plan
from partage._estimators.scorecard.fit import LEVEL_0, divide_again
from partage._estimators.scorecard.regression import Evidence, score_tests, weigh
from partage._partitions.partition import Partition
from partage._support.parallel import Cancel, run_all
from partage._targets.folds import deal_weights, mix
from partage._targets.target import TargetRows

__all__ = ["HeldOut", "hold_out"]

Vector = NDArray[np.float64]

# Standard errors of evidence in rows held out. It is found on the other folds, which overlap, so
# that noise deviates by 1.2 to 1.3 of them rather than by 1.
_LEAST_ALONE = 3.0  # of a column that stays by itself
_LEAST_TOGETHER = 1.0  # of all others, which stay or go together
_TINY = 1e-9  # of a weight: what is left of one that lies in one fold


@dataclass(frozen=True)
class HeldOut:
    """Evidence of weak columns in rows that were held out.

    Attributes
    ----------
    columns : list of int
        Places of the columns.
    evidence : ndarray of shape (n_columns, n_entries)
        Their evidence; a row of some weight may lie in several folds, with an entry in each.
    codes : ndarray of shape (n_all_columns, n_entries)
        Codes of the parts of all columns.
    sizes, events : ndarray of shape (n_entries,)
        Weight of the entries, and of those that are events.
    """

    columns: list[int]
    evidence: Vector
    codes: NDArray[np.int64]
    sizes: Vector
    events: Vector

    def judge(
        self, partitions: Sequence[Partition], coef: Mapping[int, float], sign: int
    ) -> dict[int, str]:
        """Say which weak columns do not pay, and why.

        ``coef`` are the weights of the columns of a card, and ``sign`` is that of evidence that
        means more risk.
        """
        strong = [
            partitions[i].code_woe(partitions[i].event)[self.codes[i]]
            for i in coef
            if i not in self.columns
        ]
        alone = self._test(strong, self.evidence * sign)
        left = np.flatnonzero(alone < _LEAST_ALONE)
        weights = np.array([coef.get(i, 0.0) for i in self.columns])
        weighed = weights[:, None] * self.evidence
        strong += list(np.delete(self.evidence, left, axis=0))
        (rest,) = self._test(strong, weighed[left].sum(axis=0)[None])
        if rest >= _LEAST_TOGETHER:
            return {}
        return {self.columns[k]: _why(alone[k], rest, len(left)) for k in left}

    def _test(self, strong: list[Vector], added: Vector) -> Vector:
        """Give the standard errors by which each of some columns pays beside strong ones."""
        columns = np.vstack([*strong, added])
        evidence = Evidence(columns, self.sizes, self.events)
        weighed = weigh(evidence.take(list(range(len(strong)))))
        return score_tests(evidence, weighed)


def _why(alone: float, rest: float, n_left: int) -> str:
    """Say why a weak column is left out."""
    found = f"{LEVEL_0}, and it does not pay in rows held out: z {alone:.1f}"
    if n_left == 1:
        return found
    return f"{found}, and {rest:.1f} for the {n_left} columns like it together"


def hold_out(
    who: str,
    parameters: Mapping[str, Any],
    opened: Opened,
    weak: Mapping[int, Partition],
    codes: NDArray[np.int64],
    n_jobs: int,
) -> HeldOut:
    """Find the parts of weak columns anew, without each fold of the rows."""
    rows, table = opened.rows, opened.table
    dealt, n_folds = _deal(who, parameters, opened, weak, codes)
    row, fold = np.nonzero(dealt[:, :n_folds])
    total = dealt.sum(axis=1)

    def one(index: int, _: Cancel) -> Vector:
        found = np.zeros(len(row))
        for k in range(n_folds):
            left = total - dealt[:, k]
            others = replace(opened, rows=_lighter(rows, np.where(left > _TINY * total, left, 0.0)))
            p = divide_again(who, parameters, others, index, weak[index])
            if p is not None:
                own = rows.kept_of(p._assign_from(who, table, index))
                is_out = fold == k
                found[is_out] = p.code_woe(weak[index].event)[own[row[is_out]]]
        return found

    columns = list(weak)
    evidence = np.array(run_all(one, columns, n_jobs)).reshape(len(columns), len(row))
    sizes = dealt[row, fold]
    events = np.where(rows.codes[row] == rows.event, sizes, 0.0)
    return HeldOut(columns, evidence, codes[:, row], sizes, events)


def _deal(
    who: str,
    parameters: Mapping[str, Any],
    opened: Opened,
    weak: Mapping[int, Partition],
    codes: NDArray[np.int64],
) -> tuple[Vector, int]:
    """Deal rows to folds by what they hold: values of weak columns, parts of the others."""
    rows = opened.rows
    plan = check_plan("TablePartitioner", {**parameters, "target_type": None})
    mixed = mix(rows.codes.astype(np.uint64))
    for i, of_parts in enumerate(codes):
        words = of_parts
        if i in weak:
            column = plan.read(who, opened.table, i)
            keys = np.where(column.missing_mask(), 0, column.sort_keys)
            keys = keys.astype(np.float64) + 0.0 if keys.dtype.kind == "f" else keys
            wide = keys if keys.dtype.itemsize == 8 else keys.astype(np.int64)
            words = mix(rows.kept_of(wide).view(np.uint64)).view(np.int64) ^ of_parts
        mixed = mix(mixed ^ words.view(np.uint64))
    weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights
    return deal_weights(mixed, weights)


def _lighter(rows: TargetRows, weights: Vector) -> TargetRows:
    """Give rows other weights, and leave out those of none."""
    is_left = weights > 0.0
    is_out = np.ones(rows.n_table_rows, dtype=bool)
    is_out[slice(None) if rows.kept is None else rows.kept] = ~is_left
    left = rows.without(is_out)
    return left if rows.weights is None else replace(left, weights=weights[is_left])
