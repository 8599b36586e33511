"""Methods for groups, and their parameters."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from partage import _core
from partage._search.aside import SpecialValues, check_beside
from partage._search.core import check_method_params
from partage._search.limits import Limits, Rules, check_rules
from partage._spaces.space import Watch
from partage._support.checks import check_choice

_NONE = {
    "meaning": "one group for each value",
    "criterion": "modl",
    "n_groups": 0,
    "parameters": [],
}


@functools.cache
def described_methods() -> dict[str, dict[str, Any]]:
    """Describe every method, asked from the core once."""
    return {row["name"]: row for row in _core.groupings()} | {"none": _NONE}


def group_methods() -> dict[str, str]:
    """Name the methods for groups and say in a line what each is."""
    return {name: str(row["meaning"]) for name, row in described_methods().items()}


def method_criterion(method: str) -> str:
    """Name the criterion whose cost the results of a method carry."""
    return str(described_methods()[method]["criterion"])


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
    missing: Any,
    method_params: Any,
    special_values: Any,
    special: Any,
    **given: Any,
) -> GroupSettings:
    """Check the parameters that ``group`` and ``Grouper`` share."""
    check_choice(who, "method", method, list(group_methods()))
    check_choice(who, "search", search, ["auto"])
    parameters = check_method_params(
        who, method, method_params, described_methods()[method]["parameters"]
    )
    rules = check_rules(who, **given)
    for limits in rules.all():
        _check_number_of_groups(who, method, limits)
    values = check_beside(who, missing, special_values, special)
    return GroupSettings(method, rules, missing, parameters, values, special)


def _check_number_of_groups(who: str, method: str, limits: Limits) -> None:
    """Refuse limits that a method of two groups cannot keep."""
    if described_methods()[method]["n_groups"] != 2:
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
