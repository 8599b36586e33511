"""Rules: which value of a column has which code."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from partage._data.column import Kind

if TYPE_CHECKING:
    from partage._data.categories import CategoryColumn
    from partage._data.column import NumberColumn
    from partage._data.table import Table


@dataclass(frozen=True)
class Decisions:
    """A rule as a decision list, which SQL, Python source and lazy expressions print.

    The first decision that a value meets gives its code: special values come first, then missing
    ones, then the cuts, or the values of each code; what none of them names is unseen.

    Attributes
    ----------
    name : str
        Name of the column.
    special : tuple of (value, code)
        Values that are compared before anything else.
    missing : int or None
        Code of missing values; None where they are refused.
    kind : Kind or None
        What the cuts mean; None where single values are compared.
    cuts : tuple
        Increasing cuts as the user knows them: x has the code of the first cut with ``x <= cut``.
    values : tuple of (code, tuple of values)
        Values of each code.
    otherwise : int
        Code of what is left: above the last cut, or unseen.
    types : tuple of str
        Types of the values that are compared, by name.
    foreign : tuple of (value, code)
        Special values of another type than all others, such as -999 among texts.
    """

    name: str
    special: tuple[tuple[Any, int], ...]
    missing: int | None
    kind: Kind | None
    cuts: tuple[Any, ...]
    values: tuple[tuple[int, tuple[Any, ...]], ...]
    otherwise: int
    types: tuple[str, ...] = ()
    foreign: tuple[tuple[Any, int], ...] = ()

    @property
    def may_be_nan(self) -> bool:
        """Whether the column may hold floats."""
        return self.kind.is_float if self.kind is not None else self.types == ("number",)


@dataclass(frozen=True, eq=False)
class Rule(ABC):
    """Which value of a column has which code.

    Codes 0 to K - 1 are those of the parts. Missing values have the code K, unseen ones K + 1 and
    special ones those from K + 2 on, unless they were merged with a part.

    Attributes
    ----------
    name : str
        Name of the column.
    missing : {"separate", "merge", "error"}
        What becomes of missing values.
    missing_part : int or None
        Part that missing values were merged with.
    special_values : tuple
        Codes that stand for no value, such as -999, in the order they were named.
    special_parts : tuple
        Part that each special value was merged with, or None.
    """

    name: str
    missing: str = "separate"
    missing_part: int | None = None
    special_values: tuple[Any, ...] = ()
    special_parts: tuple[int | None, ...] = ()

    noun: ClassVar[str] = "part"
    most_explained: ClassVar[int] = 0  # values whose steps are explained in no time

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    @property
    def is_of_columns(self) -> bool:
        """Whether values of columns decide the part of a row."""
        return True

    @property
    @abstractmethod
    def n_parts(self) -> int:
        """Number of parts, K."""

    @property
    @abstractmethod
    def column_kind(self) -> str:
        """Kind of the column: numeric, datetime, duration, ordered or categorical."""

    @property
    @abstractmethod
    def is_measured(self) -> bool:
        """Whether the column holds numbers or times, which are compared with cuts."""

    @property
    @abstractmethod
    def is_line(self) -> bool:
        """Whether only neighbouring parts may be merged."""

    @property
    @abstractmethod
    def described(self) -> str:
        """What the rule holds, in a message."""

    @abstractmethod
    def labels(self) -> list[str]:
        """Readable name of each part."""

    @abstractmethod
    def decisions(self) -> Decisions:
        """Give the rule as a decision list."""

    @abstractmethod
    def read(self, who: str, x: Any) -> Any:
        """Read a column as the user gives it."""

    @abstractmethod
    def read_from(self, who: str, table: Table, index: int) -> Any:
        """Read a column of a table."""

    @abstractmethod
    def check(self, who: str, column: Any) -> None:
        """Refuse a column whose values the parts cannot hold, with a TypeError."""

    @abstractmethod
    def assign(self, who: str, column: Any) -> NDArray[np.int64]:
        """Code of each value of a column that was read."""

    @abstractmethod
    def check_known(self, who: str, column: Any) -> None:
        """Refuse values that no part takes."""

    @abstractmethod
    def joined(self, place: Sequence[int]) -> Self:
        """Join parts: ``place`` holds the new number of each; the rows beside stay where they are.

        What was merged with a part follows it.
        """

    def codes_of(self, values: Sequence[Any]) -> list[int]:
        """Code of some values."""
        who = type(self).__name__
        codes: list[int] = self.assign(who, self.read(who, list(values))).tolist()
        return codes

    def members(self) -> tuple[tuple[Any, ...], ...]:
        """Values that each part lists; none for an interval."""
        return ((),) * self.n_parts

    @property
    def border_keys(self) -> NDArray[Any]:
        """Keys between which the values of a part lie; none where parts list their values."""
        return np.empty(0)

    def border_positions(self) -> NDArray[np.float64]:
        """Borders as places on an axis; none where parts list their values."""
        return np.empty(0)

    def border_texts(self) -> list[str]:
        """Text of each border, the same in every output; none where parts list their values."""
        return []

    def has_borders(self, cuts: Sequence[Any]) -> bool:
        """Whether parts end at all of these cuts."""
        return not cuts

    def shown_values(self, keys: NDArray[Any]) -> list[Any]:
        """Values of keys of the column, as a data frame takes them."""
        raise NotImplementedError

    def axis_positions(self, keys: NDArray[Any]) -> NDArray[np.float64]:
        """Places of keys on an axis."""
        raise NotImplementedError

    def axis_labels(self) -> list[str] | None:
        """Names of the places 0, 1, ... of an axis; None where it has numbers."""
        return None

    @property
    def unseen_part(self) -> int | None:
        """Part that takes values which training did not hold."""
        return None

    @property
    def may_be_unseen(self) -> bool:
        """Whether a value can be unseen."""
        return False

    @property
    def has_unseen(self) -> bool:
        """Whether the code K + 1 of unseen values stands among the codes."""
        return self.may_be_unseen or bool(self.special_values)

    @property
    def missing_code(self) -> int:
        """Code of missing values: K, or the code of the part they were merged with."""
        return self.n_parts if self.missing_part is None else self.missing_part

    @property
    def special_codes(self) -> tuple[int, ...]:
        """Code of each special value: from K + 2 on, or the code of the part it was merged with."""
        first = self.n_parts + 2
        return tuple(
            first + i if part is None else part for i, part in enumerate(self.special_parts)
        )

    @property
    def aside_parts(self) -> tuple[int | None, ...]:
        """Part that missing values, then each special value, were merged with, or None."""
        return (self.missing_part, *self.special_parts)

    def with_aside(
        self, parts: Sequence[int | None], special_values: tuple[Any, ...] | None = None
    ) -> Self:
        """Merge missing values, then each special value, with these parts."""
        values = self.special_values if special_values is None else special_values
        if values == self.special_values and tuple(parts) == self.aside_parts:
            return self
        special = tuple(parts[1:])
        return replace(self, missing_part=parts[0], special_values=values, special_parts=special)

    def homes(self) -> list[int | None]:
        """Part that each code was merged with; None for parts and for codes kept apart."""
        unseen = [self.unseen_part] if self.has_unseen else []
        return [*[None] * self.n_parts, self.missing_part, *unseen, *self.special_parts]

    def shown_codes(self) -> list[int]:
        """Codes that have a row in a table: those that were not merged and can occur."""
        never = -1 if self.may_be_unseen or not self.has_unseen else self.n_parts + 1
        homes = enumerate(self.homes())
        return [code for code, home in homes if home is None and code != never]

    def aside_labels(self) -> list[str]:
        """Readable names of the rows beside the parts: missing, then special values."""
        return ["missing", *(f"special {value}" for value in self.special_values)]

    def code_labels(self) -> list[str]:
        """Readable name of each code: parts, missing, unseen if it can be, special values."""
        unseen = ["unseen"] if self.has_unseen else []
        missing, *special = self.aside_labels()
        return [*self.labels(), missing, *unseen, *special]

    def _decided_aside(self) -> tuple[tuple[tuple[Any, int], ...], int | None]:
        """Codes of special values, and of missing ones unless these are refused."""
        special = tuple(zip(self.special_values, self.special_codes, strict=True))
        return special, None if self.missing == "error" else self.missing_code


def check_no_missing(who: str, column: NumberColumn | CategoryColumn) -> None:
    """Refuse missing values under ``missing="error"``."""
    n_missing = int(column.missing_mask().sum())
    if n_missing:
        raise ValueError(
            f"{who}: column {column.name!r} must hold no missing values with missing='error'; "
            f"got {n_missing}. Fill them, or use missing='separate' or 'merge'."
        )
