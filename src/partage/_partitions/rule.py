"""The rules of a partition: which value has which code, told once for every printer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from partage._data.categories import type_of
from partage._data.column import Kind
from partage._partitions.groups import Groups
from partage._partitions.intervals import Intervals


@dataclass(frozen=True)
class Rules:
    """A decision list: the first rule that a value meets gives its code.

    Special values come first, then missing ones; then come the cuts, or the values of each code;
    what no rule names is unseen.

    Attributes
    ----------
    name : str
        Name of the column.
    special : tuple of (value, code)
        Values that are told apart before anything else.
    missing : int or None
        Code of missing values; None where they are refused.
    kind : Kind or None
        What the cuts mean; None where single values are told apart.
    cuts : tuple
        Increasing cuts as the user knows them: x has the code of the first cut with ``x <= cut``.
    values : tuple of (code, tuple of values)
        Values of each code.
    otherwise : int
        Code of what is left: above the last cut, or unseen.
    types : tuple of str
        Types of the values that are told apart, by name.
    """

    name: str
    special: tuple[tuple[Any, int], ...]
    missing: int | None
    kind: Kind | None
    cuts: tuple[Any, ...]
    values: tuple[tuple[int, tuple[Any, ...]], ...]
    otherwise: int
    types: tuple[str, ...] = ()

    @property
    def may_be_nan(self) -> bool:
        """Whether the column may hold floats."""
        return self.kind.is_float if self.kind is not None else self.types == ("number",)


def rules_of(partition: Intervals | Groups) -> Rules:
    """Tell which value has which code."""
    missing = None if partition.missing == "error" else partition.missing_code
    special = tuple(zip(partition.special_values, partition.special_codes, strict=True))
    if isinstance(partition, Intervals):
        cuts = tuple(partition.cuts)
        return Rules(partition.name, special, missing, partition.kind, cuts, (), len(cuts))
    unseen = partition.unseen_code
    members = [list(group) for group in partition.groups]
    for value, code in partition.absent:
        members[code].append(value)
    # What has the code of unseen values need not be named.
    values = tuple((k, tuple(group)) for k, group in enumerate(members) if k != unseen and group)
    types = tuple(sorted({type_of(value) for group in members for value in group}))
    # A list of special values for a whole table names some that a column cannot hold.
    special = tuple((v, code) for v, code in special if not types or type_of(v) in types)
    return Rules(partition.name, special, missing, None, (), values, unseen, types)
