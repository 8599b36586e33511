"""Methods: what the core lists, which targets and spaces each serves, and its parameters."""

from __future__ import annotations

import functools
import numbers
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from partage import _core
from partage._search.baselines import BASELINES
from partage._search.readings import SUMMED, Reading, reading_of
from partage._support.checks import listed, refuse
from partage._targets.target import Target

LINE, ANY = "line", "any"  # neighbours join, or any values do
_PROGRAMS = ("exact", "bottom-up", "top-down", "coarse")
# Methods for a number, and the spaces they serve.
_NUMBERS: dict[str, tuple[str, ...]] = {
    "modl": (LINE, ANY),
    "modl-scores": (LINE, ANY),
    "modl-classes": (LINE, ANY),
    "modl-grid": (LINE, ANY),
    "mean": (LINE, ANY),
    "poisson": (LINE, ANY),
    "gamma": (LINE, ANY),
    "tweedie": (LINE, ANY),
    "averaged": (LINE,),
    **dict.fromkeys(BASELINES, (LINE,)),
    "none": (ANY,),
}
_MEANINGS = {
    "modl": "shortest description of the ranks of a number: the cheaper of two codes",
    "modl-scores": "normal scores of the ranks: a level for each part, one spread for all",
    "modl-classes": "intervals of the ranks, which parts tell like classes",
    "modl-grid": "intervals of the ranks as published: any, told by their rows",
    "mean": "squared errors of a number around the mean of each part",
    "poisson": "counts of events, over an exposure: a rate for each part",
    "gamma": "positive amounts whose deviation grows with their mean",
    "tweedie": "amounts that may be zero, over an exposure: a mean for each part",
}
_AVERAGED_MEANS = "parts that summarise the mean of all partitions, and carry its means"


@dataclass(frozen=True)
class Method:
    """A method on one kind of space.

    Attributes
    ----------
    name, meaning : str
        Its name, and a line on it.
    space : str
        ``"line"`` or ``"any"``.
    searches : tuple of str
        Searches it allows, its own first.
    reads : str
        Statistics it needs: ``"counts"`` or ``"moments"``.
    criterion : str
        Criterion whose cost its results carry.
    unit : str
        Unit of that cost: ``"nats"`` or ``"own"``.
    needs_size : bool
        Whether more parts never cost more, so that their number must be given.
    n_groups : int
        Number of groups it always makes; 0 where it chooses.
    parameters : tuple of dict
        What ``method_params`` may hold.
    averages : bool
        Whether its parts summarise averaged shares, and carry them.
    reading : Reading or None
        What it reads of a number; None for classes.
    reads_values : bool
        Whether it reads the values of the column itself, beside the classes.
    """

    name: str
    meaning: str
    space: str
    searches: tuple[str, ...] = ()
    reads: str = "counts"
    criterion: str = "modl"
    unit: str = "nats"
    needs_size: bool = False
    n_groups: int = 0
    parameters: tuple[dict[str, Any], ...] = ()
    averages: bool = False
    reading: Reading | None = None
    reads_values: bool = False

    @property
    def has_own_cost(self) -> bool:
        """Whether its results carry another cost than MODL's."""
        return self.criterion != "modl" and self.reading is None

    @property
    def reads_line(self) -> bool:
        """Whether it reads the classes of the values alone, in their order."""
        return self.reading is None and not self.reads_values

    @property
    def is_modl(self) -> bool:
        """Whether it looks for the shortest description under MODL, and its prices are MODL's."""
        return self.judges_partitions and not self.has_own_cost

    @property
    def judges_partitions(self) -> bool:
        """Whether it is itself the criterion of its results."""
        return self.criterion == self.name

    @property
    def is_probable(self) -> bool:
        """Whether partitions cost the length of a code, so that exp(-cost) is a probability."""
        if self.reading is not None:
            return self.name in SUMMED
        return self.averages or (self.judges_partitions and self.unit == "nats")

    @functools.cached_property
    def defaults(self) -> tuple[float, ...]:
        """Numbers the core takes where no parameter is given."""
        return tuple(self.numbers(self.name, None))

    def numbers(self, who: str, params: Mapping[str, Any] | None) -> list[float]:
        """Turn ``method_params`` into the numbers the core takes, defaults filled in."""
        rules = {rule["name"]: rule for rule in self.parameters}
        if params is not None and not isinstance(params, Mapping):
            refuse(who, "method_params", "a dict or None", params)
        given = dict(params or {})
        for name in given:
            if name not in rules:
                has = listed(list(rules)) if rules else "none"
                raise ValueError(
                    f"{who}: method_params of method={self.name!r} may hold {has}; got {name!r}."
                )
        return [
            _number(who, rule, given.get(name, rule["default"])) for name, rule in rules.items()
        ]


@functools.cache
def _all_methods() -> dict[str, dict[str, Method]]:
    """Take the lists of the core, once: the methods of each kind of space."""
    rows = [row for row in _core.criteria() if LINE in row["spaces"] and row["reads"] == "counts"]
    line = {row["name"]: _criterion(row) for row in rows}
    for name, meaning in BASELINES.items():
        line[name] = Method(name, meaning, LINE)
    line["averaged"] = _averaged()
    mixed = next(row for row in _core.criteria() if row["name"] == "contrast")
    line["contrast"] = replace(_criterion(mixed), reads="counts", reads_values=True)
    groups = {row["name"]: _grouping(row, line) for row in _core.groupings()}
    groups["none"] = Method("none", "one group for each value", ANY)
    return {LINE: line, ANY: groups}


def _criterion(row: Mapping[str, Any]) -> Method:
    """Describe a criterion of the line."""
    own = bool(row["own_cost"])
    return Method(
        row["name"],
        row["meaning"],
        LINE,
        tuple(row["searches"]),
        row["reads"],
        row["name"] if own else "modl",
        row["unit"] if own else "nats",
        bool(row["needs_size"]),
        0,
        tuple(row["parameters"]),
    )


def _averaged() -> Method:
    """Describe the parts that summarise averaged shares."""
    keep = {
        "name": "keep",
        "meaning": "share of the information of the averaged shares that the parts keep",
        "default": 0.99,
        "low": 0.0,
        "high": 1.0,
        "low_included": False,
        "high_included": True,
        "words": [],
    }
    meaning = "parts that summarise the mean of all partitions, and carry its shares"
    return Method("averaged", meaning, LINE, ("exact",), parameters=(keep,), averages=True)


def _grouping(row: Mapping[str, Any], line: Mapping[str, Method]) -> Method:
    """Describe a method for groups."""
    criterion = str(row["criterion"])
    unit = line[criterion].unit if criterion in line else "own"
    return Method(
        row["name"],
        row["meaning"],
        ANY,
        (),
        row.get("reads", "counts"),
        criterion,
        unit,
        False,
        int(row["n_groups"]),
        tuple(row["parameters"]),
    )


def methods(target: Target | None = None, space: str = LINE) -> dict[str, Method]:
    """Methods that serve a kind of space, and a target where one is given."""
    found = _all_methods()[space]
    if target is None:
        return found
    if "moments" in target.offers:
        return _of_numbers(cast("Any", target), space)
    if target.joins:
        return _of_ordered(target, space)
    return _of_offers(target.offers, space)


@functools.cache
def _of_offers(offers: frozenset[str], space: str) -> dict[str, Method]:
    """Methods that read what a target offers."""
    found = _all_methods()[space]
    return {name: method for name, method in found.items() if method.reads in offers}


def names(space: str = LINE) -> list[str]:
    """Names of the methods of a kind of space, for any target."""
    numbers = (name for name, spaces in _NUMBERS.items() if space in spaces)
    return list(dict.fromkeys([*_all_methods()[space], *numbers]))


@functools.lru_cache(maxsize=64)
def _of_numbers(target: Target, space: str) -> dict[str, Method]:
    """Make the methods that read a number; those that do not judge by it have its prices."""
    judging = set(_MEANINGS)
    found = {
        name: Method(
            name,
            meaning,
            space,
            _PROGRAMS if space == LINE and name in judging else (),
            "moments",
            name if name in judging else "modl",
            reading=reading_of(target, name if name in judging else "modl-scores"),
        )
        for name, (meaning, spaces) in _number_meanings().items()
        if space in spaces
    }
    if "averaged" in found:
        own = replace(_averaged(), meaning=_AVERAGED_MEANS, reads="moments")
        found["averaged"] = replace(own, reading=found["averaged"].reading)
    return found


def _of_ordered(target: Target, space: str) -> dict[str, Method]:
    """Make the methods that read classes with an order."""
    from partage._search.ordered import Joined

    meaning = "shortest description of ordered classes, of which neighbours may be joined"
    searches = _PROGRAMS if space == LINE else ()
    return {"modl": Method("modl", meaning, space, searches, reading=Joined(target))}


def _number_meanings() -> dict[str, tuple[str, tuple[str, ...]]]:
    """Say what the methods for numbers are, and which spaces they serve."""
    others = {"none": "one group for each value", "averaged": _AVERAGED_MEANS}
    known = {**BASELINES, **others, **_MEANINGS}
    return {name: (known[name], spaces) for name, spaces in _NUMBERS.items()}


def group_methods() -> dict[str, Method]:
    """Methods for values that join in any way."""
    return methods(space=ANY)


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


__all__ = ["ANY", "LINE", "Method", "group_methods", "methods", "names"]
