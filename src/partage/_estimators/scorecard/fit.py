"""The columns of a scorecard: as many parts as wanted, and the weight of their evidence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression

from partage._estimators.fit import Opened
from partage._estimators.plan import check_plan
from partage._partitions.partition import Partition
from partage._search.limits import check_limits
from partage.exceptions import NotPartitionableError

_LEAST_SHARE = 0.05  # of the rows in each part of a column that is divided on demand


def divide_further(
    who: str, parameters: Mapping[str, Any], opened: Opened, found: list[Partition], least: int
) -> list[Partition]:
    """Divide columns of fewer parts into so many, or as near as values and limits allow."""
    limits = check_limits(who, max_parts=parameters["max_parts"])
    given = parameters["partitions"] or {}
    partitions = list(found)
    for i, partition in enumerate(found):
        limit = limits.of(partition.name).max_parts
        most = min(least, partition.n_values, least if limit is None else limit)
        for n_parts in range(most, partition.n_parts, -1):
            if partition.name in given:
                break
            divided = _divide(who, parameters, opened, i, n_parts)
            if divided is not None:
                partitions[i] = divided
                break
    return partitions


def _divide(
    who: str, parameters: Mapping[str, Any], opened: Opened, index: int, n_parts: int
) -> Partition | None:
    """Divide a column into exactly this many parts of some size; None if that is not possible."""
    size = parameters["min_part_size"]
    size = _LEAST_SHARE if size is None else size
    asked: dict[str, Any] = {"n_parts": n_parts, "max_parts": None, "min_part_size": size}
    plan = check_plan("TablePartitioner", {**parameters, **asked, "target_type": None})
    column = plan.read(who, opened.table, index)
    try:
        return plan.fit(who, column, opened.rows, None, opened.table.library)
    except NotPartitionableError:
        return None


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
