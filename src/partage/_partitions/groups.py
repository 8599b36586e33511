"""Groups of the values of a category."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage._data.categories import Categories, check_types, key_of, type_of
from partage._data.table import read_categories
from partage._partitions.partition import Partition, check_no_missing

if TYPE_CHECKING:
    from partage._data.table import Table

MOST_SHOWN = 4  # values that a label names


@dataclass(frozen=True, eq=False, repr=False)
class Groups(Partition):
    """Groups of the values of one column, as found by ``partage.group``.

    Attributes
    ----------
    groups : tuple of tuples
        The values of each group; every value of the training column is listed.
    garbage : int or None
        Index of the garbage group, which holds the rare values and takes unseen ones.

    Examples
    --------
    >>> import partage as pt
    >>> colour = ["red", "blue", "pink", "navy"] * 25
    >>> p = pt.group(colour, ["warm", "cold", "warm", "cold"] * 25)
    >>> p.groups
    (('blue', 'navy'), ('pink', 'red'))
    >>> p.assign(["red", "navy", None, "gold"])
    array([1, 0, 2, 3])
    """

    groups: tuple[tuple[Any, ...], ...] = ()
    garbage: int | None = None
    is_ordered: bool = field(default=False)
    absent: tuple[tuple[Any, int], ...] = ()  # declared values that no row held, and their codes

    @property
    def unseen_code(self) -> int:
        """Code of a value that training did not hold: the garbage group's, or K + 1."""
        return self.n_parts + 1 if self.garbage is None else self.garbage

    def labels(self) -> list[str]:
        """Readable groups; a long one names its first values."""
        return [_show(group) for group in self.groups]

    @property
    def has_unseen(self) -> bool:
        """Whether unseen values stand among the codes: always, for groups."""
        return True

    def _unseen_counts(self) -> NDArray[np.float64]:
        """Class weights of unseen values: none, or those of the garbage group."""
        return np.zeros(len(self.classes)) if self.garbage is None else self.counts[self.garbage]

    def split(self, part: int, at: Any) -> Groups:
        """Take values of a group out into a group of their own, numbered behind it.

        Parameters
        ----------
        part : int
            Number of the group.
        at : value or list of values
            What leaves.

        Returns
        -------
        Groups
            A new partition; its ``history`` tells the price in bits.
        """
        from partage._partitions.edit import split_group

        return split_group(self, part, at)

    def move(self, value: Any, to: int) -> Groups:
        """Move a value into another group; a group left empty is gone.

        Parameters
        ----------
        value : object
            A value of the training column.
        to : int
            Number of the group it joins.

        Returns
        -------
        Groups
            A new partition; its ``history`` tells the price in bits.
        """
        from partage._partitions.edit import move

        return move(self, value, to)

    @cached_property
    def _types(self) -> set[str]:
        """Types of the values that were fitted."""
        values = [value for group in self.groups for value in group]
        return {type_of(value) for value in [*values, *(value for value, _ in self.absent)]}

    @cached_property
    def _code_of(self) -> dict[tuple[str, Any], int]:
        """Code of each value."""
        codes = {key_of(value): code for value, code in self.absent}
        codes |= {key_of(v): k for k, group in enumerate(self.groups) for v in group}
        special = zip(self.special_values, self.special_codes, strict=True)
        return codes | {key_of(value): code for value, code in special}

    def _assign_given(self, who: str, x: Any) -> NDArray[np.int64]:
        return self._assign_categories(who, read_categories(who, x, self.name))

    def _assign_from(self, who: str, table: Table, index: int) -> NDArray[np.int64]:
        return self._assign_categories(who, table.categories(who, index))

    def _assign_categories(self, who: str, column: Categories) -> NDArray[np.int64]:
        code_of = self._code_of
        keys = [key_of(value) for value in column.values]
        if not any(key in code_of for key in keys):
            check_types(who, column.name, self._types, {kind for kind, _ in keys})
        unseen = self.unseen_code
        lookup = [code_of.get(key, unseen) for key in keys]
        if self.missing == "error":
            check_no_missing(who, column)
        return np.array([*lookup, self.missing_code], dtype=np.int64)[column.codes]


def _show(group: tuple[Any, ...]) -> str:
    """Name a group by its values."""
    shown = ", ".join(str(value) for value in group[:MOST_SHOWN])
    more = len(group) - MOST_SHOWN
    return f"{{{shown}, +{more} more}}" if more > 0 else f"{{{shown}}}"
