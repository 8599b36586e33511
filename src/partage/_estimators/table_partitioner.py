"""``TablePartitioner``: every column of a mixed table, each by its kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from partage._data.column_kinds import ColumnKinds
from partage._data.table import Categories, Column, Table
from partage._estimators.base import BasePartitioner
from partage._estimators.fit_columns import PartitionsColumns
from partage._partitions.find import fit_column
from partage._partitions.partition import Partition
from partage._search.aside import levels_with_special, special_of
from partage._search.limits import check_by, check_limits
from partage._search.methods import group_methods, methods
from partage._search.settings import Settings, check_group_settings, check_settings
from partage._support.checks import (
    KINDS,
    MEASURED,
    OUTPUTS,
    check_choice,
    check_cross_fit,
    check_names,
    check_sign,
    listed,
    refuse,
)
from partage._support.parallel import Cancel
from partage._targets.target import TargetRows
from partage.engines.source import LazyColumns


@dataclass(frozen=True)
class _Plan:
    """Settings of both kinds of columns, and what the user said of single ones.

    The settings of a kind are None where the method does not know it.
    """

    numbers: Settings | None
    categories: Settings | None
    kinds: Mapping[str, str]
    ordered: Mapping[str, list[Any]]


class PartitionsByKind(PartitionsColumns):
    """Fits the partition of each column of a mixed table by its kind."""

    def _check(self, who: str) -> _Plan:
        shared = {
            "search": "auto",
            "n_parts": self.n_parts,
            "max_parts": self.max_parts,
            "min_part_size": self.min_part_size,
            "missing": self.missing,
            "special_values": self.special_values,
            "special": self.special,
            "min_class_count": getattr(self, "min_class_count", None),
            "monotonic": getattr(self, "monotonic", None),
        }
        cuts = {name: getattr(self, name, None) for name in ("user_cuts", "candidate_cuts")}
        if getattr(self, "by", None) is not None:
            check_by(who, check_limits(who, monotonic=shared["monotonic"]))
        by_kind = self._methods_by_kind(who)
        named = ColumnKinds.check(who, self.kinds, self.ordered)
        numbers = categories = None
        if "numeric" in by_kind:
            numbers = check_settings(who, **shared, **cuts, **by_kind["numeric"])
            if not isinstance(numbers.special_values, Mapping):
                # A list for every column may hold text, which no number equals.
                special = (v for v in numbers.special_values if not isinstance(v, (str, bytes)))
                numbers = replace(numbers, special_values=tuple(special))
        if "categorical" in by_kind:
            categories = check_group_settings(who, **shared, **by_kind["categorical"])
        return _Plan(numbers, categories, named.kinds, named.ordered)

    def _methods_by_kind(self, who: str) -> dict[str, dict[str, Any]]:
        """Return the method and its parameters for each kind of column that it knows."""
        known = {"numeric": list(methods()), "categorical": list(group_methods())}
        if isinstance(self.method, Mapping):
            return {
                kind: {
                    "method": _take(who, "method", self.method, kind, "modl"),
                    "method_params": _take(who, "method_params", self.method_params, kind, None),
                }
                for kind in known
            }
        if not any(self.method in names for names in known.values()):
            names = listed(list(dict.fromkeys(known["numeric"] + known["categorical"])))
            refuse(who, "method", f"{names}, or a dict of kinds", self.method)
        chosen = {"method": self.method, "method_params": self.method_params}
        return {kind: chosen for kind, names in known.items() if self.method in names}

    def _check_table(self, who: str, table: Table, settings: Any) -> None:
        for parameter, given in (("kinds", settings.kinds), ("ordered", settings.ordered)):
            check_names(who, parameter, given, table)

    def _kind(self, who: str, table: Any, index: int, settings: Any) -> tuple[str | None, Any]:
        name = table.names[index]
        order = settings.ordered.get(name)
        kind = settings.kinds.get(name, "ordered" if order else table.kind(index))
        if kind == "datetime" and isinstance(table, LazyColumns):
            table.check_times(who, index)
            kind = "numeric"
        if kind in MEASURED and self.method == "none":
            kind = "categorical"
        if (settings.numbers if kind in MEASURED else settings.categories) is None:
            of = "numbers" if kind in MEASURED else "categories"
            raise ValueError(
                f"{who}: method={self.method!r} knows no {of}, and column {name!r} holds them; "
                'choose one for each kind, such as method={"numeric": "modl", "categorical": '
                '"chaid"}.'
            )
        if order is not None and kind not in MEASURED:
            special = special_of(settings.categories.special_values, name)
            order = levels_with_special(list(order), special)
        return kind, order

    def _find(
        self,
        who: str,
        column: Column | Categories,
        target: TargetRows,
        settings: Any,
        cancel: Cancel | None,
        library: str,
    ) -> Partition:
        if isinstance(column, Column):
            return fit_column(who, column, target, settings.numbers, cancel=cancel, library=library)
        chosen = settings.categories
        if settings.numbers is not None:
            _check_no_cuts(who, column.name, settings.numbers.limits.given)
        if not column.is_ordered:
            chosen = replace(chosen, limits=chosen.limits.without_trend_for_all())
        return fit_column(who, column, target, chosen, cancel=cancel, library=library)


def _check_no_cuts(who: str, name: str, given: Mapping[str, Any]) -> None:
    """Refuse cuts of a column of categories."""
    for parameter in ("user_cuts", "candidate_cuts"):
        if isinstance(given[parameter], Mapping) and name in given[parameter]:
            raise TypeError(
                f"{who}: {parameter} are for numbers; column {name!r} holds categories."
            )


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


class TablePartitioner(PartitionsByKind, BasePartitioner):
    """Partition every column of a table: numbers into intervals, categories into groups.

    A scikit-learn transformer. Numbers, dates and times become intervals; text, booleans and
    categories become groups; ordered categories become groups of neighbouring ranks.

    Parameters
    ----------
    method : str or dict, default="modl"
        How partitions are judged: one of the methods of ``discretize`` and ``group``, or one for
        each kind, such as ``{"numeric": "mdlpc", "categorical": "chaid"}``. ``"none"`` makes one
        part of each value, of numbers too.
    method_params : dict, default=None
        Parameters of the method; where ``method`` is a dict, a dict of such dicts.
    kinds : dict, default=None
        Kind of single columns, by name: ``"numeric"``, ``"categorical"``, ``"ordered"`` or
        ``"datetime"``, which reads text of ISO 8601 as times. Others follow their dtype.
    ordered : dict, default=None
        Order of the values of single columns, by name.
    drop_uninformative : bool, default=False
        Whether ``transform`` leaves out columns of level 0.
    n_parts : int or dict, default=None
        Exact number of parts of each column.
    max_parts : int or dict, default=None
        Upper limit for the number of parts of each column.
    min_part_size : int, float or dict, default=None
        Least weight of a part; below 1 a fraction of the rows that are not missing.
    min_class_count : int, float, list or dict, default=None
        Least weight of each class in a part, one number for all classes or one for each; below 1 a
        fraction of the rows of that class. Of numbers and ordered categories.
    monotonic : {"ascending", "descending", "peak", "valley", "auto"} or dict, default=None
        How the rate of the last of two classes (the mean rank of more, if they have an order) must
        go from part to part. Of numbers and ordered categories.
    by : str, default=None
        Name of the column of segments, such as months, in each of which the rates must be monotonic
        too; it is partitioned like any other.
    user_cuts : dict, default=None
        Cuts of numeric columns that are always kept; others may be added.
    candidate_cuts : dict, default=None
        The only cuts, beside ``user_cuts``, that may be made.
    missing : {"separate", "merge", "error"}, default="separate"
        Missing values keep a code of their own, join the part where they cost least, or raise.
    special_values : list or dict, default=None
        Codes that stand for no measurement, such as -999; a list for all columns, or lists by name.
    special : {"separate", "merge"}, default="separate"
        Each special value keeps a code of its own, or joins the part where it costs least.
    output : {"code", "onehot", "label", "rate", "woe", "sparse"}, default="code"
        What ``transform`` gives: part codes; one column of bits per part and one for missing
        values; readable parts; class shares; weight of evidence; the bits as a sparse array of
        SciPy.
    positive : class, default=None
        The event of two classes, whose rate and weight of evidence are shown; by default the second
        class, or the last one of a target that is an ordered categorical series.
    woe_sign : {1, -1}, default=1
        -1 turns the weight of evidence: a high one then speaks for the other class.
    cross_fit : int, default=None
        Number of folds, with ``output="rate"`` or ``"woe"``: ``fit_transform`` then gives each row
        the rate or evidence of parts learned without its fold. ``transform`` uses all rows.
    n_jobs : int, default=None
        Columns treated side by side, in threads; None is one, -1 all cores. The result is the same.

    Attributes
    ----------
    partitions_ : dict of str to Intervals or Groups
        The partition of each column.
    levels_ : ndarray of shape (n_columns,)
        Level of each column: 0 is no information on the class.
    classes_ : ndarray
        The classes of the target.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        Names of the columns, where all were text.

    Examples
    --------
    >>> import pandas as pd
    >>> import partage as pt
    >>> df = pd.DataFrame({"age": range(40), "city": ["Lyon", "Paris"] * 20})
    >>> enc = pt.TablePartitioner().fit(df, [0] * 20 + [1] * 20)
    >>> enc.summary()[["column", "kind", "parts"]]
      column         kind  parts
    0    age      numeric      2
    1   city  categorical      1
    """

    def __init__(
        self,
        *,
        method="modl",
        method_params=None,
        kinds=None,
        ordered=None,
        drop_uninformative=False,
        n_parts=None,
        max_parts=None,
        min_part_size=None,
        min_class_count=None,
        monotonic=None,
        by=None,
        user_cuts=None,
        candidate_cuts=None,
        missing="separate",
        special_values=None,
        special="separate",
        output="code",
        positive=None,
        woe_sign=1,
        cross_fit=None,
        n_jobs=None,
    ):
        self.method = method
        self.method_params = method_params
        self.kinds = kinds
        self.ordered = ordered
        self.drop_uninformative = drop_uninformative
        self.n_parts = n_parts
        self.max_parts = max_parts
        self.min_part_size = min_part_size
        self.min_class_count = min_class_count
        self.monotonic = monotonic
        self.by = by
        self.user_cuts = user_cuts
        self.candidate_cuts = candidate_cuts
        self.missing = missing
        self.special_values = special_values
        self.special = special
        self.output = output
        self.positive = positive
        self.woe_sign = woe_sign
        self.cross_fit = cross_fit
        self.n_jobs = n_jobs

    def _check(self, who: str) -> _Plan:
        check_choice(who, "output", self.output, OUTPUTS)
        check_sign(who, "woe_sign", self.woe_sign)
        check_cross_fit(who, self.cross_fit, self.output)
        if not isinstance(self.drop_uninformative, (bool, np.bool_)):
            refuse(who, "drop_uninformative", "True or False", self.drop_uninformative)
        return super()._check(who)

    def _kept(self) -> list[bool]:
        if not self.drop_uninformative:
            return super()._kept()
        return [partition.level > 0 for partition in self.partitions_.values()]
