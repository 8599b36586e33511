"""What the parameters of an estimator say of the columns of a table: how each is partitioned."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from partage._data.categories import as_kind
from partage._data.column_kinds import ColumnKinds
from partage._data.table import CategoryColumn, NumberColumn, Table, read_measured
from partage._partitions.averages import smoothed
from partage._partitions.find import fit_column
from partage._partitions.given import read_given, take_given
from partage._partitions.partition import Partition
from partage._search.aside import levels_with_special, special_of
from partage._search.limits import RULES, check_by, check_limits, check_tolerance
from partage._search.methods import ANY, LINE, names
from partage._search.settings import DEFAULTS as OF_METHODS
from partage._search.settings import Settings, check_settings
from partage._spaces.space import Watch
from partage._support.checks import (
    KINDS,
    MEASURED,
    TARGET_TYPES,
    check_choice,
    check_names,
    listed,
    refuse,
)
from partage._support.parallel import Cancel
from partage._targets.target import TargetRows
from partage.engines.source import LazyColumns

__all__ = ["Plan", "check_partitions", "check_plan"]

# What an estimator means that does not have a parameter.
DEFAULTS: dict[str, Any] = {
    **OF_METHODS,
    **dict.fromkeys(("partitions", "kinds", "ordered", "by")),
    "by_tolerance": 0.0,
}
_CUTS = ("user_cuts", "candidate_cuts", "round_cuts")
_NUMBERS_ONLY = ("search", *_CUTS, "cut_style")
_BY_COLUMN = (*RULES, "special_values", "kinds", "ordered", "partitions")
_OUTPUTS = ("output", "shares", "target_type")  # of some estimators; None for the others
_PLAIN = {type(None), bool, int, float, str}


@dataclass(frozen=True)
class Plan:
    """Checked parameters of both kinds of columns, and those of single ones.

    ``takes`` says which columns are partitioned as what: all as ``"numbers"``, all as
    ``"categories"``, or each by its ``"kinds"``. Settings of a kind that is not taken are None.
    """

    takes: str
    numbers: Settings | None
    categories: Settings | None
    kinds: ColumnKinds
    partitions: Mapping[str, Partition]
    by: Any
    by_tolerance: float
    by_column: Mapping[str, Mapping[str, Any]]
    keeps_values: bool  # whether numbers become one part for each value
    target_type: str | None = None  # what y is; None where only classes are known

    def check_columns(self, who: str, columns: Table | LazyColumns) -> None:
        """Refuse parameters by column that name one the table has not."""
        for parameter, given in self.by_column.items():
            check_names(who, parameter, given, columns)

    def watched(self, watch: Watch) -> Plan:
        """Show each column and its space to someone, before the search."""
        numbers = self.numbers and replace(self.numbers, watch=watch)
        categories = self.categories and replace(self.categories, watch=watch)
        return replace(self, numbers=numbers, categories=categories)

    def knowing(self, known: dict[Any, Any]) -> Plan:
        """Keep the optima of numbers without limits, for another plan on the same rows."""
        return replace(self, numbers=self.numbers and replace(self.numbers, known=known))

    def kind(
        self, who: str, columns: Table | LazyColumns, index: int
    ) -> tuple[str | None, list[Any] | None]:
        """How a column is read: its kind, None for categories as they come, and its order."""
        if self.takes == "numbers":
            return "numeric", None
        name = columns.names[index]
        order = self.kinds.ordered.get(name)
        kind: str | None = None
        if self.takes == "kinds":
            kind = self.kinds.kind(columns, index)
            if kind == "datetime" and isinstance(columns, LazyColumns):
                columns.check_times(who, index)
                kind = "numeric"
            if kind in MEASURED and self.keeps_values:
                kind = "categorical"
        if order is not None and kind not in MEASURED:
            assert self.categories is not None
            special = special_of(self.categories.special_values, name)
            order = levels_with_special(list(order), special)
        return kind, order

    def read(self, who: str, table: Table, index: int) -> NumberColumn | CategoryColumn:
        """Read one column as its partition needs it."""
        given = self.partitions.get(table.names[index])
        if given is not None:
            return read_given(who, table, index, given)
        kind, order = self.kind(who, table, index)
        if kind in MEASURED:
            return read_measured(who, table, index, str(kind))
        return as_kind(who, table.categories(who, index), kind, order)

    def fit(
        self,
        who: str,
        column: NumberColumn | CategoryColumn,
        target: TargetRows,
        cancel: Cancel | None,
        library: str,
    ) -> Partition:
        """Partition one column that was read, or count it in the partition that was given."""
        given = self.partitions.get(column.name)
        if given is not None:
            return self._with_curve(take_given(who, given, column, target))
        settings = self.numbers if isinstance(column, NumberColumn) else self.categories
        assert settings is not None
        if isinstance(column, CategoryColumn):
            if self.numbers is not None:
                _check_no_cuts(who, column.name, self.numbers.limits.given)
            if not column.is_ordered:
                settings = replace(settings, limits=settings.limits.for_unordered())
        return fit_column(who, column, target, settings, cancel=cancel, library=library)

    def _with_curve(self, given: Partition) -> Partition:
        """Let the parts of a given partition stand for a curve, where one is needed."""
        is_needed = self.numbers is not None and self.numbers.with_curve
        if not is_needed or given.curve is not None or not given.rule.is_measured:
            return given
        return replace(given, curve=smoothed(given))


def check_plan(who: str, parameters: Mapping[str, Any], takes: str = "kinds") -> Plan:
    """Check the parameters of an estimator; those that it does not have are the defaults."""
    names, take = _taken(tuple(parameters))
    values = take(parameters)
    # Many small fits ask the same: what holds no list or table is checked once.
    are_plain = _PLAIN.issuperset(map(type, values))
    return (_plan_of if are_plain else _plan_of.__wrapped__)(who, takes, names, *values)


@functools.lru_cache(maxsize=64)
def _taken(given: tuple[str, ...]) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]:
    """Names of the parameters that a plan reads, of those that are given, and what takes them."""
    names = tuple(name for name in (*DEFAULTS, *_OUTPUTS) if name in given)
    if len(names) > 1:
        return names, operator.itemgetter(*names)
    return names, lambda parameters: tuple(parameters[name] for name in names)


@functools.lru_cache(maxsize=64, typed=True)
def _plan_of(who: str, takes: str, names: tuple[str, ...], *values: Any) -> Plan:
    """Check parameters; the others are the defaults, or None where they say what is put out."""
    given = {**DEFAULTS, **dict.fromkeys(_OUTPUTS), **dict(zip(names, values, strict=True))}
    partitions = check_partitions(who, given["partitions"])
    if given["by"] is not None:
        check_by(who, check_limits(who, monotonic=given["monotonic"]))
    kinds = ColumnKinds.check(who, given["kinds"], given["ordered"])
    numbers, categories = _check_both(who, given, takes)
    if numbers is not None and "averaged" in (given["output"], given["shares"]):
        numbers = replace(numbers, with_curve=True)
    return Plan(
        takes=takes,
        numbers=numbers,
        categories=categories,
        kinds=kinds,
        partitions=partitions,
        by=given["by"],
        by_tolerance=check_tolerance(who, given["by_tolerance"]),
        by_column={k: given[k] for k in _BY_COLUMN if isinstance(given[k], Mapping)},
        keeps_values=given["method"] == "none",
        target_type=_check_target_type(who, given["target_type"], (numbers, categories)),
    )


def _check_target_type(
    who: str, given: Any, settings: tuple[Settings | None, Settings | None]
) -> str | None:
    """Check what y is; estimators that know classes only do not ask."""
    if given is None:
        return None
    asked = check_choice(who, "target_type", given, TARGET_TYPES)
    # A method that no class serves says what y is.
    reads_numbers = any(one is not None and one.method.reads == "moments" for one in settings)
    return "number" if asked == "auto" and reads_numbers else asked


def check_partitions(who: str, partitions: Any) -> Mapping[str, Partition]:
    """Take a dict of partitions by column, or None for an empty one."""
    if partitions is not None and not (
        isinstance(partitions, Mapping)
        and all(isinstance(p, Partition) for p in partitions.values())
    ):
        refuse(who, "partitions", "a dict of partitions by column, or None", partitions)
    return partitions or {}


def _check_both(
    who: str, given: Mapping[str, Any], takes: str
) -> tuple[Settings | None, Settings | None]:
    """Check the settings of the kinds of columns that are taken."""
    by_kind = _methods_by_kind(who, given) if takes == "kinds" else {}
    shared = {name: given[name] for name in OF_METHODS}
    numbers = categories = None
    if takes != "categories":
        numbers = check_settings(who, LINE, **(shared | by_kind.get("numeric", {})))
        if takes == "kinds" and not isinstance(numbers.special_values, Mapping):
            # A list for every column may hold text, which no number equals.
            special = (v for v in numbers.special_values if not isinstance(v, (str, bytes)))
            numbers = replace(numbers, special_values=tuple(special))
    if takes != "numbers":
        asked = shared | by_kind.get("categorical", {})
        asked = {name: value for name, value in asked.items() if name not in _NUMBERS_ONLY}
        categories = check_settings(who, ANY, **asked)
    return numbers, categories


def _methods_by_kind(who: str, given: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Give the method of each kind of column and its parameters; MODL where it knows none."""
    known = {"numeric": names(), "categorical": names(ANY)}
    method, params = given["method"], given["method_params"]
    if isinstance(method, Mapping):
        return {
            kind: {
                "method": _take(who, "method", method, kind, "modl"),
                "method_params": _take(who, "method_params", params, kind, None),
            }
            for kind in known
        }
    if not any(method in of_kind for of_kind in known.values()):
        every = listed(list(dict.fromkeys(known["numeric"] + known["categorical"])))
        refuse(who, "method", f"{every}, or a dict of kinds", method)
    chosen = {"method": method, "method_params": params}
    default = {"method": "modl", "method_params": None}
    return {kind: chosen if method in of_kind else default for kind, of_kind in known.items()}


def _take(who: str, name: str, given: Any, kind: str, default: Any) -> Any:
    """Take the entry of a kind from a dict of kinds."""
    if given is None:
        return default
    wrong = (
        [key for key in given if key not in KINDS[:2]] if isinstance(given, Mapping) else [given]
    )
    if wrong:
        refuse(who, name, "a dict with the keys 'numeric' and 'categorical'", given)
    return given.get(kind, default)


def _check_no_cuts(who: str, name: str, given: Mapping[str, Any]) -> None:
    """Refuse cuts of a column of categories."""
    for parameter in _CUTS:
        if isinstance(given[parameter], Mapping) and name in given[parameter]:
            raise TypeError(
                f"{who}: {parameter} are for numbers; column {name!r} holds categories."
            )
