"""``Settings``: the parameters of a method on one kind of column, checked once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from partage._search.aside import SpecialValues, check_aside
from partage._search.limits import RULES, Limits, LimitsByColumn, check_limits
from partage._search.methods import ANY, LINE, Method, methods, names
from partage._spaces.space import Watch
from partage._support.checks import CUT_STYLES, check_choice, listed, refuse
from partage._targets.target import Target

# What every public function and estimator means where nothing is given.
DEFAULTS: dict[str, Any] = {
    "method": "modl",
    "search": "auto",
    **dict.fromkeys(RULES),
    "missing": "separate",
    "special_values": None,
    "special": "separate",
    "method_params": None,
    "cut_style": "midpoint",
}
_KINDS = {"class": "classes", "number": "numbers"}
_LINE_ONLY = ("search", "user_cuts", "candidate_cuts", "cut_style", "round_cuts")


@dataclass(frozen=True)
class Settings:
    """Parameters of a method, checked.

    Attributes
    ----------
    method : Method
        How partitions are judged and searched.
    search : str
        The search, ``"auto"`` for the method's own.
    limits : LimitsByColumn
        What the parts of each column must satisfy.
    missing : str
        What becomes of missing values.
    params : mapping or None
        Parameters of the method, as given.
    parameters : tuple of float
        The same, as the core takes them.
    special_values : tuple, or mapping of tuples by column
        Values that are kept out of the search.
    special : str
        What becomes of them.
    cut_style : str
        Where between two neighbouring values a cut is placed.
    watch : callable or None
        Is shown each column with its space, before the search.
    with_curve : bool
        Whether partitions carry the curve of averaged shares.
    known : dict or None
        Keeps the optima of numbers without limits, for other limits on the same rows.
    """

    method: Method
    search: str
    limits: LimitsByColumn
    missing: str = "separate"
    params: Mapping[str, Any] | None = None
    parameters: tuple[float, ...] = ()
    special_values: SpecialValues = ()
    special: str = "separate"
    cut_style: str = "midpoint"
    watch: Watch | None = None
    with_curve: bool = False
    known: dict[Any, Any] | None = None

    def with_search(self, search: str) -> Settings:
        """Search in another way."""
        return replace(self, search=search)

    def serving(self, who: str, target: Target) -> Settings:
        """Take the method as it serves a target; one that does not is refused."""
        known = methods(target, self.method.space)
        name = self.method.name
        if name not in known:
            raise ValueError(
                f"{who}: method={name!r} is not for a y of {_KINDS[target.kind]}; use one of "
                f"{', '.join(map(repr, known))}."
            )
        if target.kind == "number" and self.limits.asks("min_class_count"):
            raise ValueError(
                f"{who}: min_class_count is for classes, and y is a number; use min_part_size."
            )
        if target.joins and self.limits.asks("min_class_count"):
            raise ValueError(
                f"{who}: min_class_count is not for target_type='ordered', of which classes are "
                "joined; use min_part_size."
            )
        if self.search != "auto" and self.search not in known[name].searches:
            allowed = (*known[name].searches, "auto")
            refuse(who, f"search for method={name!r}", listed(allowed), self.search)
        return self if known[name] is self.method else replace(self, method=known[name])


def check_settings(who: str, space: str = LINE, /, **given: Any) -> Settings:
    """Check the parameters of a method on a line, or on values that join in any way.

    What is not given has its default.
    """
    known = [name for name in DEFAULTS if space == LINE or name not in _LINE_ONLY]
    for name in given:
        if name not in known:
            raise TypeError(f"{who}: options must be among {', '.join(known)}; got {name!r}.")
    asked = DEFAULTS | given
    kept = {name: asked[name] for name in RULES if space == LINE or name not in _LINE_ONLY}
    limits = check_limits(who, **kept)
    method = _check_method(who, asked["method"], asked["search"], limits, space)
    for each in limits.all():
        _check_number_of_groups(who, method, each)
    numbers = method.numbers(who, asked["method_params"])
    values = check_aside(who, asked["missing"], asked["special_values"], asked["special"])
    return Settings(
        method,
        asked["search"],
        limits,
        asked["missing"],
        asked["method_params"],
        tuple(numbers),
        values,
        asked["special"],
        check_choice(who, "cut_style", asked["cut_style"], CUT_STYLES),
    )


def check_group_settings(who: str, **given: Any) -> Settings:
    """Check the parameters of a method on values that join in any way."""
    return check_settings(who, ANY, **given)


def _check_method(who: str, method: Any, search: Any, limits: LimitsByColumn, space: str) -> Method:
    """Refuse unknown methods, impossible pairs and a missing size."""
    known = methods(space=space)
    name = check_choice(who, "method", method, names(space))
    if name not in known:
        return Method(name, "", space, reads="moments")  # until the target is known
    found = known[name]
    if search != "auto" and search not in found.searches:
        refuse(who, f"search for method={method!r}", listed((*found.searches, "auto")), search)
    common = limits.of("")
    if found.needs_size and common.n_parts is None and common.max_parts is None:
        raise ValueError(
            f"{who}: method={method!r} needs n_parts or max_parts, since more parts never lower "
            "its cost; got neither."
        )
    return found


def _check_number_of_groups(who: str, method: Method, limits: Limits) -> None:
    """Refuse limits that a method of two groups cannot keep."""
    if method.n_groups != 2:
        return
    for name, is_wrong in (
        ("n_parts", limits.n_parts not in (None, 2)),
        ("max_parts", limits.max_parts == 1),
    ):
        if is_wrong:
            raise ValueError(
                f"{who}: method={method.name!r} makes two groups; got {name}="
                f"{getattr(limits, name)}. Use another method."
            )


__all__ = ["DEFAULTS", "Settings", "check_group_settings", "check_settings"]
