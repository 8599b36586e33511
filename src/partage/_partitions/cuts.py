"""``Cuts``: the rule of intervals, in which a value lies on one side of each cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from partage._data.column import Kind, NumberColumn
from partage._data.cut_text import cut_text
from partage._data.keys import cut_keys, keys_like
from partage._data.table import read_column
from partage._partitions.rule import Decisions, Rule, check_no_missing
from partage._search.aside import codes_of_special, special_keys

if TYPE_CHECKING:
    from partage._data.table import Table


@dataclass(frozen=True, eq=False)
class Cuts(Rule):
    """A value x lies in part k if ``cuts[k-1] < x <= cuts[k]``.

    Attributes
    ----------
    kind : Kind
        What the keys of the column stand for.
    cut_keys : ndarray of shape (K - 1,)
        Increasing keys of the cuts.
    cut_style : {"midpoint", "simple"}
        Where between two neighbouring values further cuts are placed.
    """

    kind: Kind = field(default=Kind("number"))
    cut_keys: NDArray[Any] = field(default_factory=lambda: np.empty(0))
    cut_style: str = "midpoint"

    most_explained: ClassVar[int] = 5000

    @property
    def n_parts(self) -> int:
        """Number of intervals."""
        return len(self.cut_keys) + 1

    @property
    def column_kind(self) -> str:
        """Kind of the column: numeric, datetime or duration."""
        return self.kind.name if self.kind.name in ("datetime", "duration") else "numeric"

    @property
    def is_measured(self) -> bool:
        """Whether the column holds numbers or times: always, for cuts."""
        return True

    @property
    def is_line(self) -> bool:
        """Whether only neighbours may be merged: always, for intervals."""
        return True

    @property
    def described(self) -> str:
        """What the rule holds, in a message."""
        return f"intervals of {self.kind.plural}"

    @property
    def cuts(self) -> NDArray[Any]:
        """Increasing cuts of the type of the column."""
        return self.kind.show(self.cut_keys)

    def border_texts(self) -> list[str]:
        """Text of each cut, the same in every output."""
        return [cut_text(cut) for cut in self.cuts]

    @property
    def border_keys(self) -> NDArray[Any]:
        """Keys of the cuts."""
        return self.cut_keys

    def shown_values(self, keys: NDArray[Any]) -> list[Any]:
        """Values of keys, as a data frame takes them."""
        values = self.kind.show(np.ascontiguousarray(keys))
        if values.dtype.kind in "mM":
            values = values.astype(f"{values.dtype.kind}8[us]")
        return list(values.tolist())

    def axis_positions(self, keys: NDArray[Any]) -> NDArray[np.float64]:
        """Place keys on an axis, as ``border_positions`` does."""
        return self.kind.positions(np.ascontiguousarray(keys).ravel()).reshape(np.shape(keys))

    def has_borders(self, cuts: Sequence[Any]) -> bool:
        """Whether these are among the cuts."""
        keys = cut_keys(type(self).__name__, "user_cuts", self.name, cuts, self.kind)
        return bool(np.isin(keys, self.cut_keys).all())

    def border_positions(self) -> NDArray[np.float64]:
        """Cuts as places on an axis."""
        return self.kind.positions(self.cut_keys)

    def labels(self) -> list[str]:
        """Readable intervals ``(a, b]``; what is printed is the cut itself.

        Up to the cut -inf lies that value alone, shown as ``{-inf}``; above the cut inf lies
        nothing, shown as ``{}``.
        """
        shown = self.border_texts()
        lows = ["-inf", *shown]
        ends = [*(f"{cut}]" for cut in shown), "inf)"]
        labels = [f"({low}, {end}" for low, end in zip(lows, ends, strict=True)]
        if shown and shown[0] == "-inf":
            labels[0] = "{-inf}"
        if shown and shown[-1] == "inf":
            labels[-1] = "{}"
        return labels

    def decisions(self) -> Decisions:
        """Give the cuts as a decision list."""
        special, missing = self._decided_aside()
        cuts = tuple(self.cuts)
        return Decisions(self.name, special, missing, self.kind, cuts, (), len(cuts))

    def read(self, who: str, x: Any) -> NumberColumn:
        """Read a column as the user gives it."""
        return read_column(who, x, self.name, self.kind)

    def read_from(self, who: str, table: Table, index: int) -> NumberColumn:
        """Read a column of a table."""
        return table.column(who, index, self.kind)

    def check(self, who: str, column: NumberColumn) -> None:
        """Refuse values that cannot be compared with the cuts."""
        keys_like(who, column, self.kind)

    def check_known(self, who: str, column: NumberColumn) -> None:
        """Refuse values that no part takes: there are none on a line."""

    def assign(self, who: str, column: NumberColumn) -> NDArray[np.int64]:
        """Interval of each value, or its code beside them."""
        compared = keys_like(who, column, self.kind)
        codes = compared.assign(self.cut_keys, self.missing_code)
        if self.missing == "error":
            check_no_missing(who, compared)
        special = self.special_places(column)
        if special is not None:
            held = special >= 0
            codes[held] = np.array(self.special_codes, dtype=np.int64)[special[held]]
        return codes

    def special_places(self, column: NumberColumn) -> NDArray[np.int64] | None:
        """Which special value each row holds, -1 for none; None where none is named."""
        if not self.special_values:
            return None
        return codes_of_special(column, self._special_keys, self.kind)

    @cached_property
    def _special_keys(self) -> list[Any]:
        """Keys of the special values."""
        return special_keys("Intervals", self.name, self.special_values, self.kind)

    def joined(self, place: Sequence[int]) -> Cuts:
        """Drop the cuts between parts that take the same number."""
        parts = [None if part is None else place[part] for part in self.aside_parts]
        kept = self.cut_keys[np.diff(np.asarray(place, dtype=np.int64)) > 0]
        return replace(self.with_aside(parts), cut_keys=kept)
