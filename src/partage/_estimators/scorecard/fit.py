"""The columns of a scorecard: as many parts as wanted, and the weight of their evidence."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression

from partage._data.table import Table
from partage._estimators.table_partitioner import TablePartitioner
from partage._partitions.partition import Partition
from partage._search.limits import check_limits
from partage._targets.target import TargetRows
from partage.exceptions import NotPartitionableError

_LEAST_SHARE = 0.05  # of the rows in each part of a column that is divided on demand


def divide_further(
    who: str, maker: TablePartitioner, table: Table, rows: TargetRows, least: int
) -> dict[str, Partition]:
    """Return the partitions that were found; columns of fewer parts are divided further."""
    partitions: dict[str, Partition] = dict(maker.partitions_)
    rules = check_limits(who, max_parts=maker.max_parts)
    for i, (name, found) in enumerate(partitions.items()):
        # As many parts as wanted, or as near as values and limits allow.
        limit = rules.of(name).max_parts
        most = min(least, found.n_values, least if limit is None else limit)
        for n_parts in range(most, found.n_parts, -1):
            divided = _divide(who, maker, table, i, rows, n_parts)
            if divided is not None:
                partitions[name] = divided._marked(found.event, found.woe_sign)
                break
    return partitions


def _divide(
    who: str,
    maker: TablePartitioner,
    table: Table,
    index: int,
    rows: TargetRows,
    n_parts: int,
) -> Partition | None:
    """Divide a column into exactly this many parts of some size; None if that is not possible."""
    size = _LEAST_SHARE if maker.min_part_size is None else maker.min_part_size
    again = clone(maker).set_params(n_parts=n_parts, max_parts=None, min_part_size=size)
    settings = again._check("TablePartitioner")
    column = again._read(who, table, index, settings)
    try:
        found: Partition = again._find(who, column, rows, settings, None, table.library)
    except NotPartitionableError:
        return None
    return found


def weigh_columns(
    partitions: dict[str, Partition],
    codes: NDArray[np.int64],
    labels: NDArray[np.int64],
    weights: NDArray[np.float64] | None,
    estimator: Any,
) -> tuple[NDArray[np.float64], float]:
    """Fit the logistic regression on the evidence of the columns that say anything."""
    found = list(partitions.values())
    # A column whose rows all have one code does not distinguish them.
    used = [i for i, p in enumerate(found) if np.count_nonzero(p.own_tally().rows) > 1]
    coef = np.zeros(len(found))
    # Equal rows become one with their weight, in a fixed order: the order of rows is no matter.
    rows = np.column_stack([codes[:, used], labels])
    distinct, place = np.unique(rows, axis=0, return_inverse=True)
    sizes = np.bincount(place.ravel(), weights, minlength=len(distinct)).astype(np.float64)
    label = distinct[:, -1]
    if not used:
        n_event = sizes[label == 1].sum()
        return coef, float(np.log(n_event) - np.log(sizes.sum() - n_event))
    evidence = np.column_stack(
        [found[i].code_woe(found[i].event)[distinct[:, k]] for k, i in enumerate(used)]
    )
    model = LogisticRegression(max_iter=1000) if estimator is None else estimator
    model = clone(model).fit(evidence, label, sample_weight=sizes)
    coef[used] = model.coef_[0]
    return coef, float(model.intercept_[0])
