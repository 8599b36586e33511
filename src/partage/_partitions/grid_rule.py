"""``GridRule``: the rule of a grid, a rule for each of its columns."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage._partitions.rule import Decisions, Rule

if TYPE_CHECKING:
    from partage._data.table import Table


@dataclass(frozen=True, eq=False)
class GridRule(Rule):
    """Which rows of several columns have which code: that of the first column counts most.

    Attributes
    ----------
    rules : tuple of Rule
        The rule of each column.
    """

    rules: tuple[Rule, ...] = ()

    @property
    def n_codes(self) -> tuple[int, ...]:
        """Codes of each column: its parts, missing, unseen, then special values."""
        return tuple(rule.n_parts + 2 + len(rule.special_values) for rule in self.rules)

    @property
    def n_parts(self) -> int:
        """Number of codes, those of missing and unseen values included."""
        return int(np.prod(self.n_codes, dtype=np.int64))

    @property
    def is_of_columns(self) -> bool:
        """Whether values of one column decide the part of a row: those of several do."""
        return False

    @property
    def column_kind(self) -> str:
        """Kind of what is divided."""
        return "grid"

    @property
    def is_measured(self) -> bool:
        """Whether there is one column of numbers or times: never."""
        return False

    @property
    def is_line(self) -> bool:
        """Whether only neighbours may be merged: that is asked of each axis."""
        return False

    @property
    def described(self) -> str:
        """What the rule holds, in a message."""
        return f"a grid of {len(self.rules)} columns"

    def cells(self) -> list[tuple[int, ...]]:
        """Codes on each axis of the codes 0, 1, ..."""
        return list(itertools.product(*map(range, self.n_codes)))

    def axis_labels_of(self, axis: int) -> list[str]:
        """Readable name of each code of an axis."""
        rule = self.rules[axis]
        missing, *special = rule.aside_labels()
        return [*rule.labels(), missing, "unseen", *special]

    def labels(self) -> list[str]:
        """Readable name of each code."""
        names = [self.axis_labels_of(axis) for axis in range(len(self.rules))]
        return [" x ".join(labels) for labels in itertools.product(*names)]

    def join_codes(self, codes: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
        """Code of each row from those on the axes."""
        joined = np.zeros(len(codes[0]), dtype=np.int64)
        for n, own in zip(self.n_codes, codes, strict=True):
            joined = joined * n + own
        return joined

    def read(self, who: str, x: Any) -> list[Any]:
        """Read the columns as the user gives them."""
        columns = [rule.read(who, column) for rule, column in zip(self.rules, x, strict=True)]
        lengths = sorted({len(column.missing_mask()) for column in columns})
        if len(lengths) > 1:
            raise ValueError(
                f"{who}: the columns must have the same number of rows; got {lengths[0]} and "
                f"{lengths[-1]}."
            )
        return columns

    def assign(self, who: str, column: list[Any]) -> NDArray[np.int64]:
        """Code of each row of columns that were read."""
        pairs = zip(self.rules, column, strict=True)
        return self.join_codes([rule.assign(who, own) for rule, own in pairs])

    def decisions(self) -> Decisions:
        """Give the rule as a decision list: each column has its own."""
        raise NotImplementedError

    def read_from(self, who: str, table: Table, index: int) -> Any:
        """Read a column of a table: a grid has several."""
        raise NotImplementedError

    def check(self, who: str, column: Any) -> None:
        """Refuse a column."""
        raise NotImplementedError

    def check_known(self, who: str, column: Any) -> None:
        """Refuse values that no part takes."""
        raise NotImplementedError

    def joined(self, place: Sequence[int]) -> GridRule:
        """Join parts: that is asked of an axis."""
        raise NotImplementedError


__all__ = ["GridRule"]
