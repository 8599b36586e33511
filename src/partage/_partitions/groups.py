"""``Groups``: groups of the values of a category."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage._data.categories import CategoryColumn, key_of
from partage._partitions.costs import (
    Price,
    costs_in_groups,
    group_price,
    line_costs,
    structure_of_groups,
)
from partage._partitions.partition import Partition, settings_of
from partage._partitions.value_groups import ValueGroups
from partage._search.methods import ANY, Method, methods

if TYPE_CHECKING:
    from partage._partitions.recount import Recounted
    from partage._search.aside import Aside
    from partage._search.limits import Limits
    from partage._search.settings import Settings
    from partage._spaces.space import Space
    from partage._targets.target import TargetRows


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

    rule: ValueGroups

    @property
    def groups(self) -> tuple[tuple[Any, ...], ...]:
        """The values of each group."""
        return self.rule.groups

    @property
    def garbage(self) -> int | None:
        """Index of the garbage group."""
        return self.rule.garbage

    @property
    def is_ordered(self) -> bool:
        """Whether the values have an order, of which groups are ranges."""
        return self.rule.is_ordered

    @property
    def absent(self) -> tuple[tuple[Any, int], ...]:
        """Declared values that no row held, and their codes."""
        return self.rule.absent

    @property
    def unseen_code(self) -> int:
        """Code of a value that training did not hold: the garbage group's, or K + 1."""
        return self.rule.unseen_code

    @property
    def _method(self) -> Method:
        return methods(self.target, ANY)[self.method]

    def _price(self, fitted: Partition) -> Price:
        return self._own_price if fitted is self else group_price(self, fitted)

    @cached_property
    def _own_price(self) -> Price:
        """Price of the groups with their own counts, which takes a look at every value."""
        return group_price(self, self)

    def _costs_elsewhere(self, present: NDArray[np.float64], beside: Aside) -> tuple[float, float]:
        if self._method.reading is not None:
            return self._price(self).modl(present, beside)
        return (
            line_costs(present, beside)
            if self.is_ordered
            else costs_in_groups(self, present, beside)
        )

    def _check_values_kept(self, who: str) -> None:
        method = self._method
        if method.is_modl and method.reading is None and not self.is_ordered:
            from partage._partitions.edit import kept_units

            kept_units(who, self)  # the code of groups depends on the frequencies of the values

    def _structure(self) -> float:
        return structure_of_groups(self)

    def _divisions(self) -> Iterator[tuple[str, float]]:
        from partage._partitions.group_steps import group_splits

        return group_splits(self)

    def _moves(self) -> Iterator[tuple[str, float]]:
        from partage._partitions.group_steps import value_moves

        return value_moves(self)

    def _settings(self) -> Settings:
        return settings_of(self)

    def _column_of(self, units: Space) -> CategoryColumn:
        codes = np.arange(units.n_units, dtype=np.int32)
        return CategoryColumn(self.name, list(units.values), codes, self.is_ordered)

    def _as_locked(self, locked: Sequence[Any]) -> tuple[dict[str, Any], NDArray[np.int64]]:
        from partage._partitions.group_edits import check_locked

        return {}, check_locked(self, locked)

    def _with_locked(self, found: Groups, outside: NDArray[np.int64]) -> dict[str, Any]:
        from partage._partitions.group_edits import with_locked

        return with_locked(self, found, outside)

    def _recounted(self, column: Any, target: TargetRows, *, keeps_values: bool) -> Recounted:
        from partage._partitions.recount import recount_groups

        return recount_groups(self, column, target, keeps_values=keeps_values)

    def _why_uncertain(self) -> str | None:
        if self.is_ordered and self.method != "none":
            return None
        return (
            "an order of its values, as an ordered categorical series has it, and a method other "
            f"than 'none'; got {'an' if self.is_ordered else 'no'} order and "
            f"method={self.method!r}"
        )

    def _line_method(self, who: str) -> tuple[str, list[float]]:  # noqa: ARG002  # no parameter
        return "modl", []  # ordered values are grouped by MODL whatever the method

    def _border_places(self, units: Space) -> NDArray[np.int64]:
        place = {key_of(value): i for i, value in enumerate(units.values)}
        ends: list[int] = [0]
        for group in self.groups[:-1]:
            ends.append(max([ends[-1], *(place[k] + 1 for k in map(key_of, group) if k in place)]))
        return np.array(ends[1:], dtype=np.int64)

    def _border_values(self) -> list[Any]:
        return [group[-1] for group in self.groups[:-1]]

    def _named_places(
        self,
        who: str,  # noqa: ARG002  # only numbers have cuts
        units: Space,  # noqa: ARG002
        limits: Limits,  # noqa: ARG002
    ) -> dict[str, NDArray[np.int64] | None]:
        return {"user_cuts": None, "candidate_cuts": None}

    def _rule_of_blocks(self, units: Space, starts: NDArray[np.int64]) -> ValueGroups:
        return self._rule_of_values(units.values, starts)

    def _rule_of_values(self, values: tuple[Any, ...], starts: NDArray[np.int64]) -> ValueGroups:
        """Rule that has a code for each block of values."""
        groups = tuple(values[a:b] for a, b in itertools.pairwise(starts.tolist()))
        apart = self.rule.with_aside([None] * len(self.rule.aside_parts))
        rule = replace(apart, groups=groups, garbage=None, absent=())
        heads = [rule.codes_of(group[:1])[0] for group in self.groups]
        return replace(rule, absent=tuple((value, heads[k]) for value, k in self.absent))

    def split(self, part: int, at: Any, *, reason: str = "", who: str = "") -> Groups:
        """Take values of a group out into a group of their own, numbered behind it.

        Parameters
        ----------
        part : int
            Number of the group.
        at : value or list of values
            What leaves.
        reason, who : str, default=""
            Why, and who edits; kept in ``history`` with the time.

        Returns
        -------
        Groups
            A new partition; its ``history`` holds the price in bits.
        """
        from partage._partitions.edit import Note
        from partage._partitions.group_edits import split_group

        return split_group(self, part, at, Note.now("Groups.split", reason, who))

    def move(self, value: Any, to: int, *, reason: str = "", who: str = "") -> Groups:
        """Move values into another group; a group left empty is gone.

        Parameters
        ----------
        value : object or list
            A value of the training column, or several.
        to : int
            Number of the group it joins.
        reason, who : str, default=""
            Why, and who edits; kept in ``history`` with the time.

        Returns
        -------
        Groups
            A new partition; its ``history`` holds the price in bits.
        """
        from partage._partitions.edit import Note
        from partage._partitions.group_edits import move

        return move(self, value, to, Note.now("Groups.move", reason, who))
