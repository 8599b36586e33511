"""Kinds of the columns of a mixed table: what the user says of them, else what their dtypes say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from partage._data.categories import CategoryColumn, in_given_order
from partage._data.table import Table
from partage._support.checks import KINDS, check_choice, check_names, refuse


@dataclass(frozen=True)
class ColumnKinds:
    """Kinds of single columns, and orders of their values, by name."""

    kinds: Mapping[str, str]
    ordered: Mapping[str, list[Any]]

    @classmethod
    def check(cls, who: str, kinds: Any, ordered: Any) -> ColumnKinds:
        """Check the parameters ``kinds`` and ``ordered``."""
        for name, given in (("kinds", kinds), ("ordered", ordered)):
            if given is not None and not isinstance(given, Mapping):
                refuse(who, name, "a dict or None", given)
        found = cls(dict(kinds or {}), dict(ordered or {}))
        for name, kind in found.kinds.items():
            check_choice(who, f"kinds[{name!r}]", kind, KINDS)
        return found

    def check_names(self, who: str, table: Table) -> None:
        """Refuse columns that the table has not."""
        check_names(who, "kinds", self.kinds, table)
        check_names(who, "ordered", self.ordered, table)

    def kind(self, table: Any, index: int) -> str:
        """Kind of a column."""
        name = table.names[index]
        own = "ordered" if name in self.ordered else str(table.kind(index))
        return self.kinds.get(name, own)

    def categories(self, who: str, table: Table, index: int) -> CategoryColumn:
        """Read a column that is not numeric."""
        values = table.categories(who, index)
        order = self.ordered.get(table.names[index])
        if order is not None:
            return in_given_order(who, values, list(order))
        kind = self.kind(table, index)
        if kind == "ordered" and not values.is_ordered:
            return in_given_order(who, values, values.values)
        return values.unordered() if kind == "categorical" else values
