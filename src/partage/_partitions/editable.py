"""Parts that can be edited: each edit gives a new partition, with its price in bits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self, cast

from partage._partitions.parts import Parts


@dataclass(frozen=True, eq=False, repr=False)
class EditableParts(Parts):
    """What edits every partition of a column knows."""

    @cached_property
    def _modl_costs(self) -> tuple[float, float]:
        """Cost and cost of one part under MODL, in nats, which the price of every edit is from."""
        from partage._partitions.costs import modl_costs

        return modl_costs(cast("Any", self))

    def _check_columns(self, action: str) -> None:
        """Refuse what needs a rule in columns."""
        if not self.rule.is_of_columns:
            raise TypeError(
                f"{type(self).__name__}.{action}: this needs a rule in columns; got "
                f"{self.rule.described}, found by {self.method}."
            )

    def _check_values_kept(self, who: str) -> None:
        """Refuse a merge whose price needs the counts of the values, where none were kept."""

    def merge(self, *parts: int | str, reason: str = "", who: str = "") -> Self:
        """Merge parts into one.

        Parameters
        ----------
        *parts : int or str
            Numbers of the parts: neighbours on a line, any for unordered groups. ``"missing"``
            beside one part puts missing values into it, ``"special -999"`` those of that special
            value; ``table`` names them so.
        reason, who : str, default=""
            Why, and who edits; kept in ``history`` with the time.

        Returns
        -------
        Intervals or Groups
            A new partition; its ``history`` holds the price in bits.
        """
        from partage._partitions.edit import merge

        self._check_columns("merge")
        edited: Self = merge(self, parts, reason, who)
        return edited

    def set_apart(self, beside: str, *, reason: str = "", who: str = "") -> Self:
        """Take missing or special values out of the part that they were merged with.

        Parameters
        ----------
        beside : str
            ``"missing"``, or ``"special -999"`` for a special value; ``table`` names them so.
        reason, who : str, default=""
            Why, and who edits; kept in ``history`` with the time.

        Returns
        -------
        Intervals or Groups
            A new partition, in which they have a code of their own.
        """
        from partage._partitions.edit import set_apart

        self._check_columns("set_apart")
        edited: Self = set_apart(self, beside, reason, who)
        return edited

    def optimize(self, *, locked: Any = (), reason: str = "", who: str = "", **limits: Any) -> Self:
        """Look for the best parts again: under other limits, with some of the parts fixed.

        Parameters
        ----------
        locked : sequence, default=()
            What stays: cuts of intervals, numbers of groups.
        reason, who : str, default=""
            Why, and who edits; kept in ``history`` with the time.
        **limits
            ``n_parts``, ``max_parts``, ``min_part_size``, ``min_class_count``, ``monotonic``,
            ``candidate_cuts`` or ``round_cuts``; those that the parts were found with hold unless
            they are given anew, None takes one away.

        Returns
        -------
        Intervals or Groups
            A new partition of the same rows, an edit like others: ``undo`` takes it back.
            Missing and special values that were merged join the part where they cost least.
        """
        from partage._partitions.find_again import find_again

        self._check_columns("optimize")
        edited: Self = find_again(self, locked, limits, reason, who)
        return edited

    def undo(self, steps: int = 1) -> Self:
        """Take the last edits back.

        Parameters
        ----------
        steps : int, default=1
            How many edits.

        Returns
        -------
        Intervals or Groups
            The partition as it was before them.
        """
        from partage._partitions.edit import undo

        before: Self = undo(self, steps)
        return before
