"""``ValueGroups``: the rule of groups, in which each value is listed in one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from partage._data.categories import CategoryColumn, check_types, key_of, type_of
from partage._data.table import read_categories
from partage._partitions.rule import Decisions, Rule, check_no_missing

if TYPE_CHECKING:
    from partage._data.table import Table

MOST_SHOWN = 4  # values that a label names


@dataclass(frozen=True, eq=False)
class ValueGroups(Rule):
    """A value has the code of the group that lists it.

    Attributes
    ----------
    groups : tuple of tuples
        The values of each group.
    garbage : int or None
        Index of the garbage group, which holds the rare values and takes unseen ones.
    is_ordered : bool
        Whether the values have an order, of which groups are ranges.
    absent : tuple of (value, code)
        Declared values that no row held.
    """

    groups: tuple[tuple[Any, ...], ...] = ()
    garbage: int | None = None
    is_ordered: bool = False
    absent: tuple[tuple[Any, int], ...] = ()

    noun: ClassVar[str] = "group"
    most_explained: ClassVar[int] = 500

    @property
    def n_parts(self) -> int:
        """Number of groups."""
        return len(self.groups)

    @property
    def column_kind(self) -> str:
        """Kind of the column: ordered or categorical."""
        return "ordered" if self.is_ordered else "categorical"

    @property
    def is_measured(self) -> bool:
        """Whether the column holds numbers or times that are compared with cuts: never."""
        return False

    @property
    def is_line(self) -> bool:
        """Whether only neighbours may be merged: groups of ordered values."""
        return self.is_ordered

    @property
    def described(self) -> str:
        """What the rule holds, in a message."""
        return f"groups such as {self.labels()[0]}"

    @property
    def may_be_unseen(self) -> bool:
        """Whether a value can be unseen: always, for groups."""
        return True

    @property
    def unseen_part(self) -> int | None:
        """The garbage group."""
        return self.garbage

    @property
    def unseen_code(self) -> int:
        """Code of a value that training did not hold: the garbage group's, or K + 1."""
        return self.n_parts + 1 if self.garbage is None else self.garbage

    def shown_values(self, keys: NDArray[Any]) -> list[Any]:
        """Values at some places of the order."""
        values = [value for group in self.groups for value in group]
        return [values[key] for key in keys.tolist()]

    def axis_positions(self, keys: NDArray[Any]) -> NDArray[np.float64]:
        """Places in the order of the values."""
        return np.asarray(keys, dtype=np.float64)

    def axis_labels(self) -> list[str] | None:
        """Name each value."""
        return [str(value) for group in self.groups for value in group]

    def labels(self) -> list[str]:
        """Readable groups; a long one names its first values."""
        return [_show(group) for group in self.groups]

    def members(self) -> tuple[tuple[Any, ...], ...]:
        """Values of each group."""
        return self.groups

    def decisions(self) -> Decisions:
        """Give the values of each group as a decision list."""
        special, missing = self._decided_aside()
        unseen = self.unseen_code
        members = [list(group) for group in self.groups]
        for value, code in self.absent:
            members[code].append(value)
        # What has the code of unseen values need not be named.
        values = tuple(
            (k, tuple(group)) for k, group in enumerate(members) if k != unseen and group
        )
        types = tuple(sorted({type_of(value) for group in members for value in group}))
        known = [(v, code) for v, code in special if not types or type_of(v) in types]
        foreign = [(v, code) for v, code in special if types and type_of(v) not in types]
        return Decisions(
            self.name, tuple(known), missing, None, (), values, unseen, types, tuple(foreign)
        )

    def read(self, who: str, x: Any) -> CategoryColumn:
        """Read a column as the user gives it."""
        return read_categories(who, x, self.name)

    def read_from(self, who: str, table: Table, index: int) -> CategoryColumn:
        """Read a column of a table."""
        return table.categories(who, index)

    def check(self, who: str, column: CategoryColumn) -> None:
        """Refuse a column none of whose values is of a type that is known."""
        types = {type_of(value) for value in column.values}
        known = self._types | {type_of(value) for value in self.special_values}
        if types and known and not types & known:
            raise TypeError(f"{who}: {self.described} do not fit column {column.name!r}.")

    def assign(self, who: str, column: CategoryColumn) -> NDArray[np.int64]:
        """Group of each value, or its code beside them."""
        code_of = self.code_of
        keys = [key_of(value) for value in column.values]
        if not any(key in code_of for key in keys):
            check_types(who, column.name, self._types, {kind for kind, _ in keys})
        unseen = self.unseen_code
        lookup = [code_of.get(key, unseen) for key in keys]
        if self.missing == "error":
            check_no_missing(who, column)
        return np.array([*lookup, self.missing_code], dtype=np.int64)[column.codes]

    def unseen_values(self, column: CategoryColumn) -> list[Any]:
        """Values of a column that are neither special nor in a group."""
        known = self.group_of.keys() | {key_of(value) for value in self.special_values}
        return [value for value in column.values if key_of(value) not in known]

    def check_known(self, who: str, column: CategoryColumn) -> None:
        """Refuse values of no group, unless a garbage group takes them."""
        unseen = self.unseen_values(column)
        if unseen and self.garbage is None:
            raise ValueError(
                f"{who}: every value must be in a group of column {self.name!r}; got "
                f"{unseen[0]!r}. Drop its rows, or group the column again."
            )

    def codes_of(self, values: Sequence[Any]) -> list[int]:
        """Code of some values that are known."""
        return [self.code_of[key_of(value)] for value in values]

    @cached_property
    def code_of(self) -> dict[tuple[str, Any], int]:
        """Code of each value, by its key."""
        codes = {key_of(value): code for value, code in self.absent}
        codes |= {key_of(v): k for k, group in enumerate(self.groups) for v in group}
        special = zip(self.special_values, self.special_codes, strict=True)
        return codes | {key_of(value): code for value, code in special}

    @cached_property
    def group_of(self) -> dict[tuple[str, Any], int]:
        """Group of each value that the groups list, by its key."""
        return {key_of(v): k for k, group in enumerate(self.groups) for v in group}

    @cached_property
    def _types(self) -> set[str]:
        """Types of the values that were fitted."""
        values = [value for group in self.groups for value in group]
        return {type_of(value) for value in [*values, *(value for value, _ in self.absent)]}

    def with_values(self, part: int, values: Sequence[Any]) -> ValueGroups:
        """Append values to a group."""
        groups = list(self.groups)
        groups[part] = (*groups[part], *values)
        return replace(self, groups=tuple(groups))

    def joined(self, place: Sequence[int]) -> ValueGroups:
        """Put the values of groups that take the same number together."""
        parts = [None if part is None else place[part] for part in self.aside_parts]
        members: list[tuple[Any, ...]] = [()] * (max(place) + 1)
        for k, group in enumerate(self.groups):
            members[place[k]] = (*members[place[k]], *group)
        return replace(
            self.with_aside(parts),
            groups=tuple(members),
            garbage=None if self.garbage is None else place[self.garbage],
            absent=tuple((value, place[code]) for value, code in self.absent),
        )


def _show(group: tuple[Any, ...]) -> str:
    """Name a group by its values."""
    shown = ", ".join(str(value) for value in group[:MOST_SHOWN])
    more = len(group) - MOST_SHOWN
    return f"{{{shown}, +{more} more}}" if more > 0 else f"{{{shown}}}"
