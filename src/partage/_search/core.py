"""The one road to the compiled searches: methods, limits, costs."""

from __future__ import annotations

import functools
import math
import numbers
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._search.baselines import BASELINES, find_baseline
from partage._search.limits import Limits, Rules
from partage._spaces.space import LineSpace
from partage._support.checks import listed, refuse
from partage.exceptions import NotPartitionableError


@dataclass(frozen=True)
class Found:
    """What a search found: first unit of each part (then the end), their class weights, proof."""

    starts: NDArray[np.uint32]
    counts: NDArray[np.float64]
    cost: float
    is_optimal: bool


@functools.cache
def _criteria() -> dict[str, dict[str, Any]]:
    """Describe every criterion, asked from the core once."""
    return {row["name"]: row for row in _core.criteria()}


@functools.cache
def methods() -> dict[str, tuple[str, ...]]:
    """Name the methods for intervals and the searches each allows, its own first."""
    found = {name: tuple(row["searches"]) for name, row in _criteria().items()}
    return found | dict.fromkeys(BASELINES, ())


def method_meanings() -> dict[str, str]:
    """Say in a line what each method is."""
    found = {name: str(row["meaning"]) for name, row in _criteria().items()}
    return found | BASELINES


def judges_partitions(method: str) -> bool:
    """Whether results of a method carry its own cost; else they carry MODL's."""
    return method in _criteria() and bool(_criteria()[method]["own_cost"])


def check_method(who: str, method: object, search: object, rules: Rules) -> None:
    """Refuse unknown methods, impossible pairs and a missing size."""
    known = methods()
    if not isinstance(method, str) or method not in known:
        refuse(who, "method", listed(list(known)), method)
    allowed = known[str(method)]
    if search != "auto" and search not in allowed:
        names = listed((*allowed, "auto"))
        refuse(who, f"search for method={method!r}", names, search)
    needs_size = method in _criteria() and _criteria()[str(method)]["needs_size"]
    limits = rules.of("")
    if needs_size and limits.n_parts is None and limits.max_parts is None:
        raise ValueError(
            f"{who}: method={method!r} needs n_parts or max_parts, since more parts never lower "
            "its cost; got neither."
        )


def parameter_rules(method: str) -> list[dict[str, Any]]:
    """Describe the parameters of a method for intervals."""
    return list(_criteria().get(method, {}).get("parameters", []))


def check_method_params(
    who: str, method: str, params: Mapping[str, Any] | None, described: list[dict[str, Any]]
) -> list[float]:
    """Turn ``method_params`` into the numbers the core takes, defaults filled in."""
    rules = {rule["name"]: rule for rule in described}
    if params is not None and not isinstance(params, Mapping):
        refuse(who, "method_params", "a dict or None", params)
    given = dict(params or {})
    for name in given:
        if name not in rules:
            has = listed(list(rules)) if rules else "none"
            raise ValueError(
                f"{who}: method_params of method={method!r} may hold {has}; got {name!r}."
            )
    return [_number(who, rule, given.get(name, rule["default"])) for name, rule in rules.items()]


def _number(who: str, rule: dict[str, Any], value: Any) -> float:
    """Check one method parameter; a word becomes its index."""
    name = f"method_params[{rule['name']!r}]"
    if rule["words"]:
        if value not in rule["words"]:
            refuse(who, name, listed(rule["words"]), value)
        return float(rule["words"].index(value))
    low, high = rule["low"], rule["high"]
    is_number = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if (
        not is_number
        or not low <= value <= high
        or (value == low and not rule["low_included"])
        or (value == high and not rule["high_included"])
    ):
        left = "[" if rule["low_included"] else "("
        right = "]" if rule["high_included"] else ")"
        refuse(who, name, f"a number in {left}{low:g}, {high:g}{right}", value)
    return float(value)


def find_partition(
    space: LineSpace,
    criterion: str,
    search: str = "auto",
    limits: Limits | None = None,
    params: Mapping[str, Any] | None = None,
    *,
    who: str = "find_partition",
    cancel: _core.Cancel | None = None,
    constraints: _core.Constraints | None = None,
) -> Found:
    """Partition a line of units."""
    limits = limits or Limits()
    if criterion in BASELINES:
        wanted = limits.n_parts or limits.max_parts
        weight = limits.min_weight(space.total_weight)
        starts = find_baseline(space, criterion, wanted, weight)
        if limits.n_parts is not None and len(starts) - 1 < limits.n_parts:
            raise NotPartitionableError(
                f"{who}: method={criterion!r} leaves n_parts={limits.n_parts} intervals only "
                f"{len(starts) - 1} that hold enough rows; use max_parts to allow fewer parts."
            )
        counts = space.counts(starts)
        return Found(starts, counts, partition_cost(counts, "modl"), False)
    numbers_ = check_method_params(who, criterion, params, parameter_rules(criterion))
    min_weight = limits.min_weight(space.total_weight)
    try:
        starts, counts, is_optimal = _core.search(
            space.line,
            criterion,
            numbers_,
            search,
            limits.n_parts or 0,
            limits.max_parts or 0,
            min_weight,
            cancel,
            constraints,
        )
    except _core.NotPossible:
        raise NotPartitionableError(explain_limits(who, space, limits, min_weight)) from None
    judge = criterion if judges_partitions(criterion) else "modl"
    judge_params = params if judge == criterion else None
    return Found(starts, counts, partition_cost(counts, judge, judge_params), bool(is_optimal))


def explain_limits(who: str, space: LineSpace, limits: Limits, min_weight: float) -> str:
    """Name the limit in the way."""
    n_parts = limits.n_parts or 1
    if n_parts > space.n_units:
        return (
            f"{who}: n_parts must be at most the number of distinct values, {space.n_units}; "
            f"got {n_parts}. Use max_parts to allow fewer parts."
        )
    return (
        f"{who}: min_part_size leaves no way to make n_parts={n_parts} parts of a weight of at "
        f"least {min_weight:g} out of {space.total_weight:g}; lower one of the two."
    )


def partition_cost(
    counts: NDArray[np.float64], criterion: str, params: Mapping[str, Any] | None = None
) -> float:
    """Cost of a partition, from the class weights of its parts."""
    table = np.ascontiguousarray(counts, dtype=np.float64)
    rules = parameter_rules(criterion)
    numbers_ = check_method_params("partition_cost", criterion, params, rules)
    return float(_core.cost(table, criterion, numbers_))


def level_of(cost: float, null_cost: float) -> float:
    """Level of a partition under MODL: the share of the null cost it saves, 0 for rounding."""
    level = 1.0 - cost / null_cost if null_cost > 0 else 0.0
    return level if level > 1e-12 else 0.0


def part_length(row: NDArray[np.float64]) -> float:
    """Measure one row of class weights under MODL: its description length L, in nats."""
    total = float(row.sum())
    if total == 0.0:
        return 0.0
    # A partition of one part costs log N + L.
    return partition_cost(row[None, :], "modl") - math.log(total)
