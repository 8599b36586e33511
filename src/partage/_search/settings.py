"""Methods for intervals, and the parameters that they take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from partage._search.aside import SpecialValues, check_beside
from partage._search.core import check_method, check_method_params, parameter_rules
from partage._search.limits import Rules, check_rules
from partage._spaces.space import Watch


@dataclass(frozen=True)
class Settings:
    """Parameters of a method, checked."""

    method: str
    search: str
    rules: Rules
    missing: str
    params: Mapping[str, Any] | None
    special_values: SpecialValues = ()
    special: str = "separate"
    watch: Watch | None = None  # is shown each column with its space, before the search


def check_settings(
    who: str,
    *,
    method: Any,
    search: Any,
    missing: Any,
    method_params: Any,
    special_values: Any,
    special: Any,
    **limits: Any,
) -> Settings:
    """Check the parameters that ``discretize`` and ``Discretizer`` share."""
    rules = check_rules(who, **limits)
    check_method(who, method, search, rules)
    check_method_params(who, method, method_params, parameter_rules(method))
    values = check_beside(who, missing, special_values, special)
    return Settings(method, search, rules, missing, method_params, values, special)
