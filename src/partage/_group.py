"""``group``: groups of the values of one categorical column."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._beside import (
    Beside,
    SpecialValues,
    check_special,
    count_beside,
    levels_with_special,
    merge_beside,
    special_of,
    take_special,
)
from partage._categories import Categories, in_given_order, key_of
from partage._constrained import (
    Answer,
    Question,
    find_under_limits,
    price_in_bits,
    trend_guard,
)
from partage._discretize import check_lengths
from partage._groups import Groups
from partage._inputs import frame_library, read_categories
from partage._limits import Limits, Rules, check_rules
from partage._params import MISSING, SPECIAL, check_choice
from partage._search import (
    check_method_params,
    explain_limits,
    level_of,
    part_length,
    partition_cost,
)
from partage._spaces import LineSpace, Watch, unordered_space
from partage._targets import ClassTarget, read_target
from partage._trends import class_scores, segments_at
from partage._units import Units
from partage.exceptions import NotPartitionableError

_NONE = {
    "meaning": "one group for each value",
    "criterion": "modl",
    "n_groups": 0,
    "parameters": [],
}


@functools.cache
def _methods() -> dict[str, dict[str, Any]]:
    """Describe every method, asked from the core once."""
    return {row["name"]: row for row in _core.groupings()} | {"none": _NONE}


def group_methods() -> dict[str, str]:
    """Name the methods for groups and say in a line what each is."""
    return {name: str(row["meaning"]) for name, row in _methods().items()}


def method_criterion(method: str) -> str:
    """Name the criterion whose cost the results of a method carry."""
    return str(_methods()[method]["criterion"])


@dataclass(frozen=True)
class GroupSettings:
    """Parameters of a grouping method, checked."""

    method: str
    rules: Rules
    missing: str
    parameters: list[float]
    special_values: SpecialValues = ()
    special: str = "separate"
    watch: Watch | None = None  # is shown each column with its space, before the search


def check_group_settings(
    who: str,
    *,
    method: Any,
    search: Any,
    n_parts: Any,
    max_parts: Any,
    min_part_size: Any,
    missing: Any,
    method_params: Any,
    special_values: Any,
    special: Any,
    min_class_count: Any = None,
    monotonic: Any = None,
) -> GroupSettings:
    """Check the parameters that ``group`` and ``Grouper`` share."""
    check_choice(who, "method", method, list(group_methods()))
    check_choice(who, "search", search, ["auto"])
    parameters = check_method_params(who, method, method_params, _methods()[method]["parameters"])
    rules = check_rules(
        who,
        n_parts=n_parts,
        max_parts=max_parts,
        min_part_size=min_part_size,
        min_class_count=min_class_count,
        monotonic=monotonic,
    )
    for limits in rules.all():
        _check_number_of_groups(who, method, limits)
    check_choice(who, "missing", missing, MISSING)
    check_choice(who, "special", special, SPECIAL)
    values = check_special(who, special_values)
    return GroupSettings(method, rules, missing, parameters, values, special)


def _check_number_of_groups(who: str, method: str, limits: Limits) -> None:
    """Refuse limits that a method of two groups cannot keep."""
    if _methods()[method]["n_groups"] != 2:
        return
    for name, is_wrong in (
        ("n_parts", limits.n_parts not in (None, 2)),
        ("max_parts", limits.max_parts == 1),
    ):
        if is_wrong:
            raise ValueError(
                f"{who}: method={method!r} makes two groups; got {name}={getattr(limits, name)}. "
                "Use another method."
            )


def group(
    x: Any,
    y: Any,
    *,
    method: str = "modl",
    search: str = "auto",
    n_parts: int | None = None,
    max_parts: int | None = None,
    min_part_size: float | None = None,
    min_class_count: Any = None,
    monotonic: str | None = None,
    missing: str = "separate",
    special_values: Any = None,
    special: str = "separate",
    method_params: Mapping[str, Any] | None = None,
    sample_weight: Any = None,
    ordered: Sequence[Any] | None = None,
    name: str | None = None,
) -> Groups:
    """Group the values of one categorical column by what they say of a class.

    Parameters
    ----------
    x : array-like
        The column: text, numbers, booleans or a mixture; an array, a list, or a series of pandas,
        polars or pyarrow. None and NaN are missing, the empty string is a value.
    y : array-like
        The class of each row: text, integers or booleans, without gaps.
    method : str, default="modl"
        How groupings are judged. ``"modl"`` puts rare values into a garbage group if that pays,
        ``"modl-standard"`` does not. ``"chaid"``, ``"tschuprow"``, ``"cramer"``, ``"khiops"`` and
        ``"gain-ratio"`` merge groups step by step; ``"one-against-rest"``, ``"forward"`` and
        ``"cart"`` make two groups; ``"none"`` keeps one group for each value.
    search : {"auto"}, default="auto"
        How groupings are searched: exactly for two classes and for a dozen values; else from
        several orders of the values, improved until no move helps.
    n_parts : int, default=None
        Make exactly so many groups.
    max_parts : int, default=None
        Make at most so many groups.
    min_part_size : int or float, default=None
        Least weight of a group; below 1 a fraction of the rows that are not missing.
    min_class_count : int, float or list, default=None
        Least weight of each class in a group, of ordered values only; as for ``discretize``.
    monotonic : {"ascending", "descending", "peak", "valley", "auto"}, default=None
        How the class rate must go from group to group, of ordered values only; as for
        ``discretize``.
    missing : {"separate", "merge", "error"}, default="separate"
        Missing values keep a code of their own, join the group where they cost least, or raise.
    special_values : list or dict, default=None
        Values that are no values, such as "not asked"; a dict gives them by column name. They are
        kept out of the groups.
    special : {"separate", "merge"}, default="separate"
        Each special value keeps a code of its own, or joins the group where it costs least.
    method_params : dict, default=None
        Parameters of the method: ``alpha`` of CHAID (0.05; lower gives fewer groups); of Khiops
        ``min_expected`` (5), ``confidence`` (0.95) and ``noise`` (``"table"`` or ``"permute"``).
    sample_weight : array-like, default=None
        Frequency of each row, not negative.
    ordered : sequence, default=None
        The values in their order: groups are then intervals of it. Ordered categories of pandas and
        polars keep theirs.
    name : str, default=None
        Name of the column in results and messages; by default the name of the series.

    Returns
    -------
    Groups
        The partition: ``groups``, ``garbage``, ``counts``, ``cost``, ``level``, ``assign``,
        ``table``, ``plot``.

    References
    ----------
    M. Boullé, A Bayes optimal approach for partitioning the values of categorical attributes,
    Journal of Machine Learning Research 6, 2005.

    Examples
    --------
    >>> import partage as pt
    >>> city = ["Lyon", "Paris", "Nice", "Lille"] * 30
    >>> p = pt.group(city, ["yes", "no", "yes", "no"] * 30)
    >>> p.groups
    (('Lille', 'Paris'), ('Lyon', 'Nice'))
    """
    who = "group"
    settings = check_group_settings(
        who,
        method=method,
        search=search,
        n_parts=n_parts,
        max_parts=max_parts,
        min_part_size=min_part_size,
        min_class_count=min_class_count,
        monotonic=monotonic,
        missing=missing,
        special_values=special_values,
        special=special,
        method_params=method_params,
    )
    column = read_categories(who, x, name)
    if ordered is not None:
        apart = special_of(settings.special_values, column.name)
        column = in_given_order(who, column, levels_with_special(list(ordered), apart))
    target = read_target(who, y, sample_weight)
    check_lengths(who, "x", len(column.codes), target)
    return find_groups(who, column, target, settings, None, frame_library(x))


def find_groups(
    who: str,
    column: Categories,
    target: ClassTarget,
    settings: GroupSettings,
    cancel: _core.Cancel | None,
    library: str,
) -> Groups:
    """Group the values of one column that was read."""
    column = column.take(target.kept)
    is_missing = column.codes < 0
    n_missing = int(is_missing.sum())
    if settings.missing == "error" and n_missing:
        raise ValueError(
            f"{who}: column {column.name!r} must hold no missing values with missing='error'; "
            f"got {n_missing}. Fill them, or use missing='separate' or 'merge'."
        )
    values = special_of(settings.special_values, column.name)
    column, special = take_special(column, values)
    space = unordered_space(column, target)
    if settings.watch is not None:
        settings.watch(column, space)
    limits = settings.rules.of(column.name)
    question = _question(f"{who}, column {column.name!r}", space, column, target, limits, cancel)
    found = _find(question, column, settings)
    present = _sum_rows(space, found.group_of, found.n_groups)
    if not column.is_ordered:
        found = found.in_order(_order_of_groups(present))
        present = _sum_rows(space, found.group_of, found.n_groups)
    beside = count_beside(target, is_missing, special, len(values))
    guard = None
    if found.answer is not None:
        others = -1 if special is None else np.where(special >= 0, special + 1, -1)
        place = np.where(is_missing, 0, others).astype(np.int64)
        guard = trend_guard(question, found.answer, place, beside.rows)
    beside = _merge(question.who, beside, present, settings, column, guard)
    cost, null_cost, level = _costs(space, found, present, beside, column, settings)
    rows = _count_rows(column, target, found, present)
    members: list[list[Any]] = [[] for _ in range(found.n_groups)]
    for value, k in zip(column.values, found.group_of.tolist(), strict=True):
        members[k].append(value)
    return Groups(
        name=column.name,
        method=settings.method,
        classes=target.classes,
        counts=beside.merged(present),
        cost=cost,
        null_cost=null_cost,
        level=level,
        is_optimal=found.is_optimal and not beside.has_merged,
        price=found.price,
        gap=0.0 if found.is_optimal else found.gap,
        constraints=limits.given() | found.trend,
        rows=beside.merged_rows(rows),
        n_values=len(column.values),
        missing=settings.missing,
        library=library,
        groups=tuple(map(tuple, members)),
        garbage=found.garbage,
        is_ordered=column.is_ordered,
        absent=_codes_of_absent(column, found.group_of),
        units=Units.of(space, space.unit_rows, tuple(column.values)),
        **beside.as_fields(values),
    )


def _count_rows(
    column: Categories, target: ClassTarget, found: _Found, present: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Count the rows of each group, which without weights are its counts."""
    if target.weights is None and target.rows is None:
        return np.asarray(present.sum(axis=1).astype(np.int64))
    group_of = np.append(found.group_of, found.n_groups)  # missing values last
    return target.count_rows(group_of[column.codes], found.n_groups + 1)[:-1]


def _codes_of_absent(
    column: Categories, group_of: NDArray[np.int64]
) -> tuple[tuple[Any, int], ...]:
    """Give declared values that no row holds the group of the nearer neighbour in rank."""
    if not column.values or len(column.levels) <= len(column.values):
        return ()
    rank = {key_of(level): i for i, level in enumerate(column.levels)}
    ranks = np.array([rank[key_of(value)] for value in column.values])
    absent = [level for level in column.levels if rank[key_of(level)] not in set(ranks.tolist())]
    places = np.array([rank[key_of(level)] for level in absent])
    above = np.searchsorted(ranks, places)
    low = np.maximum(above - 1, 0)
    high = np.minimum(above, len(ranks) - 1)
    # As a cut at the middle: the lower neighbour up to half way.
    lower = (2 * places <= ranks[low] + ranks[high]) & (above > 0)
    codes = np.where(lower, group_of[low], group_of[high])
    return tuple(zip(absent, codes.tolist(), strict=True))


@dataclass(frozen=True)
class _Found:
    """Groups of the values: the group of each, the garbage group, the cost of present rows."""

    group_of: NDArray[np.int64]
    n_groups: int
    garbage: int | None
    cost: float
    is_optimal: bool

    price: float | None = 0.0
    gap: float | None = None
    answer: Answer | None = None  # of ordered values

    @property
    def trend(self) -> dict[str, str]:
        """Trend that was found, where one was asked for."""
        named = None if self.answer is None else self.answer.trend
        return {} if named is None else {"monotonic": named}

    def in_order(self, order: NDArray[np.int64]) -> _Found:
        """Give the groups new numbers."""
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        garbage = None if self.garbage is None else int(place[self.garbage])
        return replace(self, group_of=place[self.group_of], garbage=garbage)


def _question(
    who: str,
    space: LineSpace,
    column: Categories,
    target: ClassTarget,
    limits: Limits,
    cancel: _core.Cancel | None,
) -> Question:
    """Ask for the groups of one column."""
    if not column.is_ordered:
        for name in ("min_class_count", "monotonic"):
            if getattr(limits, name) is not None:
                raise ValueError(
                    f"{who}: {name} is for numbers and ordered values; these have no order. Give "
                    "it with ordered=, or leave it out."
                )
    segments = None
    if limits.monotonic is not None and target.segments is not None and space.n_units > 0:
        scores = class_scores(who, target)
        segments = segments_at(target, scores, column.codes.astype(np.int64), space.n_units)
    return Question(
        who, space, target, "modl", "auto", None, limits, segments=segments, cancel=cancel
    )


def _find(question: Question, column: Categories, settings: GroupSettings) -> _Found:
    """Group the values that are not missing."""
    limits = question.limits
    n_values = len(column.values)
    if n_values == 0 and (limits.n_parts or 1) == 1:
        return _Found(np.empty(0, dtype=np.int64), 1, None, 0.0, True)
    if settings.method == "none":
        _check_one_each(question.who, n_values, limits)
        group_of = np.arange(n_values)
        return _Found(group_of, n_values, None, math.nan, False, None)
    if not column.is_ordered:
        found = _find_unordered(question, settings, limits)
        if limits.is_free:
            return found
        if _methods()[settings.method]["criterion"] != "modl":
            return replace(found, price=None)
        free = _find_unordered(question, settings, Limits())
        bound = free.cost if free.is_optimal else None
        gap = None if bound is None else price_in_bits(found.cost, bound, "modl")
        return replace(found, price=price_in_bits(found.cost, free.cost, "modl"), gap=gap)
    answer = find_under_limits(question)
    n_groups = len(answer.counts)
    group_of = np.searchsorted(answer.starts, np.arange(n_values), side="right") - 1
    cost = partition_cost(answer.counts, "modl")
    price, gap = 0.0, None
    if answer.free_counts is not None:
        price = price_in_bits(cost, partition_cost(answer.free_counts, "modl"), "modl")
    if answer.bound is not None:
        gap = price_in_bits(cost, answer.bound, "modl")
    return _Found(group_of, n_groups, None, cost, answer.is_optimal, price, gap, answer)


def _find_unordered(question: Question, settings: GroupSettings, limits: Limits) -> _Found:
    """Group values that touch each other in any way."""
    space = question.space
    weight = limits.min_weight(space.total_weight)
    try:
        codes, n_groups, garbage, _, cost, is_optimal = _core.group(
            space.line,
            settings.method,
            settings.parameters,
            limits.n_parts or 0,
            limits.max_parts or 0,
            weight,
            question.cancel,
        )
    except _core.NotPossible:
        raise NotPartitionableError(explain_limits(question.who, space, limits, weight)) from None
    found_garbage = None if garbage < 0 else int(garbage)
    return _Found(codes.astype(np.int64), int(n_groups), found_garbage, cost, bool(is_optimal))


def _check_one_each(who: str, n_values: int, limits: Limits) -> None:
    """Refuse limits that one group for each value breaks."""
    for name, limit in (("n_parts", limits.n_parts), ("max_parts", limits.max_parts)):
        if limit is not None and (limit < n_values or (name == "n_parts" and limit != n_values)):
            raise NotPartitionableError(
                f"{who}: method='none' makes one group for each of the {n_values} values; "
                f"got {name}={limit}. Use another method."
            )


def _sum_rows(space: LineSpace, group_of: NDArray[np.int64], n_groups: int) -> NDArray[np.float64]:
    """Class weights of groups."""
    out = np.zeros((n_groups, len(space.missing_counts)))
    if len(group_of):
        np.add.at(out, group_of, space.counts(np.arange(space.n_units + 1, dtype=np.uint32)))
    return out


def _order_of_groups(counts: NDArray[np.float64]) -> NDArray[np.int64]:
    """Order groups by the share of the last class, ties by size."""
    sizes = counts.sum(axis=1)
    shares = counts[:, -1] / np.where(sizes > 0, sizes, 1.0)
    return np.lexsort((sizes, shares))


def _own_criterion(settings: GroupSettings, column: Categories) -> str | None:
    """Name the criterion whose cost a result carries; None for MODL, which judges ordered ones."""
    criterion = method_criterion(settings.method)
    return None if criterion == "modl" or column.is_ordered else criterion


def _merge(
    who: str,
    beside: Beside,
    present: NDArray[np.float64],
    settings: GroupSettings,
    column: Categories,
    guard: Any,
) -> Beside:
    """Merge missing and special rows where that was asked for."""
    criterion = _own_criterion(settings, column)

    def judge(counts: NDArray[np.float64]) -> float:
        if criterion is None:
            return sum(map(part_length, counts))
        return partition_cost(counts, criterion)

    merges = [settings.missing == "merge"]
    merges += [settings.special == "merge"] * (len(beside.counts) - 1)
    return merge_beside(beside, present, merges, judge, guard, who)


def _costs(
    space: LineSpace,
    found: _Found,
    present: NDArray[np.float64],
    beside: Beside,
    column: Categories,
    settings: GroupSettings,
) -> tuple[float, float, float]:
    """Cost, cost of one group, and level, which is MODL's whatever the method."""
    cost, null_cost = _modl_costs(space, found, present, beside, column, settings)
    level = level_of(cost, null_cost)
    criterion = _own_criterion(settings, column)
    if criterion is None:
        return cost, null_cost, level
    judged = beside.merged(present)
    own_null = partition_cost(judged.sum(axis=0)[None, :], criterion)
    return partition_cost(judged, criterion), own_null, level


def _modl_costs(
    space: LineSpace,
    found: _Found,
    present: NDArray[np.float64],
    beside: Beside,
    column: Categories,
    settings: GroupSettings,
) -> tuple[float, float]:
    """Cost and cost of one group under MODL; other rows are described beside the groups."""
    others = beside.counts.sum(axis=0)
    everything = part_length(present.sum(axis=0) + others)
    n_values = len(column.values)
    if n_values == 0:
        is_one = np.count_nonzero(beside.counts.any(axis=1)) == 1
        return everything if is_one else beside.cost(1), everything
    if column.is_ordered:
        null_structure = math.log(present.sum() + others.sum())
        structure = partition_cost(present, "modl") - sum(map(part_length, present))
    elif settings.method == "modl":
        null_structure = _core.null_cost_of_garbage_groups(space.line) - part_length(
            present.sum(axis=0)
        )
        structure = found.cost - sum(map(part_length, present))
    else:
        null_structure = math.log(n_values)
        structure = null_structure + _core.log_set_partitions(n_values, found.n_groups)
    cost = structure + sum(map(part_length, beside.merged(present)))
    return cost + beside.cost(len(present)), null_structure + everything


__all__ = ["GroupSettings", "check_group_settings", "find_groups", "group", "group_methods"]
