"""``discretize``: intervals of one numeric column."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._inputs import Column, frame_library, read_column
from partage._params import MISSING, check_choice, check_count, check_size
from partage._partitions import Intervals, check_no_missing
from partage._search import (
    Limits,
    check_method,
    check_method_params,
    find_partition,
    judges_partitions,
    level_of,
    parameter_rules,
    part_length,
    partition_cost,
)
from partage._spaces import ordered_space
from partage._targets import ClassTarget, read_target

_ONE_BIT = math.log(2)


@dataclass(frozen=True)
class Settings:
    """Parameters of a method, checked."""

    method: str
    search: str
    limits: Limits
    missing: str
    params: Mapping[str, Any] | None


def check_settings(
    who: str,
    *,
    method: Any,
    search: Any,
    n_parts: Any,
    max_parts: Any,
    min_part_size: Any,
    missing: Any,
    method_params: Any,
) -> Settings:
    """Check the parameters that ``discretize`` and ``Discretizer`` share."""
    limits = Limits(
        check_count(who, "n_parts", n_parts),
        check_count(who, "max_parts", max_parts),
        check_size(who, "min_part_size", min_part_size),
    )
    check_method(who, method, search, limits)
    check_method_params(who, method, method_params, parameter_rules(method))
    check_choice(who, "missing", missing, MISSING)
    return Settings(method, search, limits, missing, method_params)


def discretize(
    x: Any,
    y: Any,
    *,
    method: str = "modl",
    search: str = "auto",
    n_parts: int | None = None,
    max_parts: int | None = None,
    min_part_size: float | None = None,
    missing: str = "separate",
    method_params: Mapping[str, Any] | None = None,
    sample_weight: Any = None,
    name: str | None = None,
) -> Intervals:
    """Cut one numeric column into the intervals that matter for a class.

    Parameters
    ----------
    x : array-like
        The column: numbers, booleans, dates, times or decimals; an array, a list, or a series of
        pandas, polars or pyarrow. NaN and null are missing, infinities are values.
    y : array-like
        The class of each row: text, integers or booleans, without gaps.
    method : str, default="modl"
        How partitions are judged; ``partage methods`` lists them. ``"modl"`` needs no parameter and
        leaves a column without information in one part.
    search : str, default="auto"
        How partitions are searched: ``"exact"`` proves the optimum, ``"coarse"`` solves a joined
        column exactly and refines, ``"bottom-up"`` merges, ``"top-down"`` splits, ``"auto"`` takes
        the best that is affordable.
    n_parts : int, default=None
        Make exactly so many parts.
    max_parts : int, default=None
        Make at most so many parts.
    min_part_size : int or float, default=None
        Least weight of a part; below 1 a fraction of the rows that are not missing.
    missing : {"separate", "merge", "error"}, default="separate"
        Missing values keep a code of their own, join the part where they cost least, or raise.
    method_params : dict, default=None
        Parameters of the method, such as ``{"alpha": 0.9}`` for ``"fusinter"``.
    sample_weight : array-like, default=None
        Frequency of each row, not negative. Whole numbers give exactly the result of repeated rows;
        larger weights are more evidence, so that scaling them changes the result.
    name : str, default=None
        Name of the column in results and messages; by default the name of the series.

    Returns
    -------
    Intervals
        The partition: ``cuts``, ``counts``, ``cost``, ``level``, ``assign``, ``table``, ``plot``.

    References
    ----------
    M. Boullé, MODL: a Bayes optimal discretization method for continuous attributes, Machine
    Learning 65, 2006. D. A. Zighed, R. Rakotomalala, F. Feschet, Optimal multiple intervals
    discretization of continuous attributes for supervised learning, KDD 1997.

    Examples
    --------
    >>> import partage as pt
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> p = pt.discretize(X[:, 3], y, name="petal width")
    >>> p.cuts
    array([0.8 , 1.75])
    >>> p.counts.astype(int).tolist()
    [[50, 0, 0], [0, 49, 5], [0, 1, 45]]
    """
    who = "discretize"
    settings = check_settings(
        who,
        method=method,
        search=search,
        n_parts=n_parts,
        max_parts=max_parts,
        min_part_size=min_part_size,
        missing=missing,
        method_params=method_params,
    )
    column = read_column(who, x, name)
    target = read_target(who, y, sample_weight)
    check_lengths(who, "x", len(column.keys), target)
    return find_intervals(who, column, target, settings, None, frame_library(x))


def check_lengths(who: str, name: str, n_rows: int, target: ClassTarget) -> None:
    """Refuse a target of another length than the data."""
    n_labels = target.n_rows if target.kept is None else len(target.kept)
    if n_rows != n_labels:
        raise ValueError(
            f"{who}: {name} and y must have the same number of rows; got inconsistent numbers of "
            f"samples: [{n_rows}, {n_labels}]."
        )


def find_intervals(
    who: str,
    column: Column,
    target: ClassTarget,
    settings: Settings,
    cancel: _core.Cancel | None,
    library: str,
) -> Intervals:
    """Partition one column that was read."""
    column = column.take(target.kept)
    if settings.missing == "error":
        check_no_missing(who, column)
    space = ordered_space(column, target)
    starts, is_optimal = np.array([0, space.n_units], dtype=np.uint32), True
    counts = np.zeros((1, target.n_classes))
    if space.n_units > 0 or (settings.limits.n_parts or 1) > 1:
        found = find_partition(
            space,
            settings.method,
            settings.search,
            settings.limits,
            settings.params,
            who=f"{who}, column {column.name!r}",
            cancel=cancel,
        )
        starts, counts, is_optimal = found.starts, found.counts, found.is_optimal
    present, missing_counts = counts, space.missing_counts
    missing_part = None
    if settings.missing == "merge" and missing_counts.any() and present.any():
        missing_part = _part_for_missing(present, missing_counts, settings)
        counts = _merged(present, missing_counts, missing_part)
        is_optimal = is_optimal and len(counts) == 1
    costs = _costs(present, missing_counts, missing_part, settings)
    cut_keys = np.array(
        [column.kind.cut_between(*space.values[i - 1 : i + 1].tolist()) for i in starts[1:-1]],
        dtype=np.float64 if column.kind.is_float else np.int64,
    )
    rows, missing_rows = _rows(column, cut_keys, counts, missing_counts, target, missing_part)
    return Intervals(
        name=column.name,
        method=settings.method,
        classes=target.classes,
        counts=counts,
        missing_counts=missing_counts,
        cost=costs[0],
        null_cost=costs[1],
        level=costs[2],
        is_optimal=is_optimal,
        rows=rows,
        missing_rows=missing_rows,
        n_values=space.n_units,
        missing=settings.missing,
        missing_part=missing_part,
        library=library,
        kind=column.kind,
        cut_keys=cut_keys,
    )


def _merged(
    counts: NDArray[np.float64], missing: NDArray[np.float64], part: int
) -> NDArray[np.float64]:
    """Count the missing rows in one part."""
    merged = counts.copy()
    merged[part] += missing
    return merged


def _part_for_missing(
    counts: NDArray[np.float64], missing: NDArray[np.float64], settings: Settings
) -> int:
    """Part that missing values join at the lowest cost, the leftmost on a tie."""
    own = judges_partitions(settings.method)
    judge, params = (settings.method, settings.params) if own else ("modl", None)
    costs = [partition_cost(_merged(counts, missing, k), judge, params) for k in range(len(counts))]
    return int(np.argmin(costs))


def _costs(
    present: NDArray[np.float64],
    missing: NDArray[np.float64],
    missing_part: int | None,
    settings: Settings,
) -> tuple[float, float, float]:
    """Cost, cost of one part, and level; missing values are described beside the parts."""
    everything = (present.sum(axis=0) + missing)[None, :]
    null = partition_cost(everything, "modl")
    if not missing.any():
        cost = partition_cost(present, "modl")
    elif not present.any():
        cost = null
    elif missing_part is None:
        cost = _ONE_BIT + partition_cost(present, "modl") + part_length(missing)
    else:
        merged = _merged(present, missing, missing_part)
        cost = _ONE_BIT + math.log(len(present)) + partition_cost(merged, "modl")
    level = level_of(cost, null)
    if settings.method == "modl" or not judges_partitions(settings.method) or not present.any():
        return cost, null, level
    judged = present if missing_part is None else _merged(present, missing, missing_part)
    own = partition_cost(judged, settings.method, settings.params)
    own_null = partition_cost(judged.sum(axis=0)[None, :], settings.method, settings.params)
    return own, own_null, level


def _rows(
    column: Column,
    cut_keys: NDArray[Any],
    counts: NDArray[np.float64],
    missing_counts: NDArray[np.float64],
    target: ClassTarget,
    missing_part: int | None,
) -> tuple[NDArray[np.int64], int]:
    """Training rows of each part and of missing values, whatever they weigh."""
    if target.weights is None:
        return counts.sum(axis=1).astype(np.int64), int(missing_counts.sum())
    codes = np.asarray(_core.assign_parts(column.keys, cut_keys, 0))
    is_missing = column.missing_mask()
    rows = np.bincount(codes[~is_missing], minlength=len(counts)).astype(np.int64)
    n_missing = int(is_missing.sum())
    if missing_part is not None:
        rows[missing_part] += n_missing
    return rows, n_missing


__all__ = ["Settings", "check_settings", "discretize", "find_intervals"]
