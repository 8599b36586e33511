"""Discriminants: conditions on one column, and the columns as codes between them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._data.categories import CategoryColumn, check_types, key_of
from partage._data.column import Kind
from partage._data.column_kinds import ColumnKinds
from partage._data.cut_places import place_cuts
from partage._data.cut_text import cut_text
from partage._data.table import NumberColumn, Table, read_measured
from partage._partitions.cuts import Cuts
from partage._partitions.find import fit_column
from partage._search.settings import check_group_settings, check_settings
from partage._spaces.make import space_of
from partage._support.checks import MEASURED
from partage._support.parallel import Cancel, run_all
from partage._targets.target import TargetRows


@dataclass(frozen=True)
class Discriminant:
    """One condition on one column that a row satisfies or not; a missing value satisfies none.

    Attributes
    ----------
    column : str
        Name of the column.
    kind : {"threshold", "value"}
        Whether the condition is ``column > value`` or ``column = value``.
    value : object
        The threshold, of the type of the column (for an ordered category, its highest level that
        does not satisfy the condition), or the value.
    merit : float
        Pairs of rows of different classes that it separates and no other discriminant of its
        column does; with ``merit="global"``, all the pairs it separates.

    Examples
    --------
    >>> import partage as pt
    >>> b = pt.DataBinarizer().fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
    >>> d = b.discriminants_[0]
    >>> str(d), d.kind, d.value, d.merit
    ('x0 > 2.5', 'threshold', 2.5, 2.0)
    """

    column: str
    kind: str
    value: Any
    merit: float = 0.0
    column_idx: int = field(default=0, repr=False)
    at: int = field(default=0, repr=False)  # among the candidates of the column

    def __str__(self) -> str:
        return f"{self.column} {'>' if self.kind == 'threshold' else '='} {self.value_text}"

    def negated(self) -> str:
        """Write the opposite condition."""
        return f"{self.column} {'<=' if self.kind == 'threshold' else '!='} {self.value_text}"

    @property
    def value_text(self) -> str:
        """Write the value so that it can be read back."""
        if self.kind == "threshold":
            return cut_text(self.value)
        return repr(float(self.value)) if isinstance(self.value, float) else str(self.value)


class Attribute(Protocol):
    """A column as codes; code ``n_codes`` is a missing or an unknown value."""

    @property
    def n_codes(self) -> int:
        """Number of codes."""

    @property
    def is_ordered(self) -> bool:
        """Whether its candidates are thresholds between codes, rather than codes."""

    @property
    def has_order(self) -> bool:
        """Whether its values are ordered for the user."""

    def codes(self, who: str, table: Table, index: int) -> NDArray[np.int64]:
        """Codes of the rows of a table."""

    def describe(self, at: int) -> tuple[str, Any]:
        """Kind and value of a candidate."""

    def known(self) -> list[tuple[Any, int]]:
        """Each value with its code; none where codes are intervals."""

    def of_parts(self, found: Any) -> NDArray[np.bool_]:
        """Which candidates lie between the parts of a partition of the column."""


@dataclass(frozen=True)
class Numbers:
    """Numbers, dates and times between boundary points."""

    kind: Kind
    cut_keys: NDArray[Any]
    is_ordered: bool = True
    has_order: bool = True

    @property
    def n_codes(self) -> int:
        """Number of intervals between the candidates."""
        return len(self.cut_keys) + 1

    def codes(self, who: str, table: Table, index: int) -> NDArray[np.int64]:
        """Interval of each row."""
        return self.codes_of(who, table.column(who, index, self.kind))

    def codes_of(self, who: str, column: NumberColumn) -> NDArray[np.int64]:
        """Interval of each row of a column that was read."""
        return Cuts(column.name, kind=self.kind, cut_keys=self.cut_keys).assign(who, column)

    def describe(self, at: int) -> tuple[str, Any]:
        """Name a threshold."""
        cut = self.kind.show(self.cut_keys[at : at + 1])[0]
        return "threshold", float(cut) if isinstance(cut, np.floating) else cut

    def known(self) -> list[tuple[Any, int]]:
        """None: codes are intervals."""
        return []

    def of_parts(self, found: Any) -> NDArray[np.bool_]:
        """Candidates that are cuts of a partition."""
        return np.isin(self.cut_keys, found.rule.cut_keys)


@dataclass(frozen=True)
class Levels:
    """Ordered categories between boundary points: the code of each level, in order."""

    levels: tuple[Any, ...]
    level_codes: NDArray[np.int64]
    is_ordered: bool = True
    has_order: bool = True

    @property
    def n_codes(self) -> int:
        """Number of ranges between the candidates."""
        return int(self.level_codes[-1]) + 1 if len(self.level_codes) else 1

    def codes(self, who: str, table: Table, index: int) -> NDArray[np.int64]:
        """Range of each row."""
        return self.codes_of(who, table.categories(who, index))

    def codes_of(self, who: str, column: CategoryColumn) -> NDArray[np.int64]:
        """Range of each row of a column that was read."""
        known = {key_of(level): code for level, code in self.known()}
        return _look_up(who, column, known, self.n_codes)

    def describe(self, at: int) -> tuple[str, Any]:
        """Name the highest level below a threshold."""
        return "threshold", self.levels[int(np.flatnonzero(self.level_codes == at)[-1])]

    def known(self) -> list[tuple[Any, int]]:
        """Each level with its code."""
        return list(zip(self.levels, self.level_codes.tolist(), strict=True))

    def of_parts(self, found: Any) -> NDArray[np.bool_]:
        """Candidates that are borders of groups of levels."""
        parts = found.assign(list(self.levels))
        ends = np.flatnonzero(np.diff(self.level_codes))  # the last level below each candidate
        return np.asarray(parts[ends] != parts[ends + 1])


@dataclass(frozen=True)
class Values:
    """Values without an order; of two values, the second is the one candidate."""

    values: tuple[Any, ...]
    has_order: bool = False

    @property
    def n_codes(self) -> int:
        """Number of values."""
        return len(self.values)

    @property
    def is_ordered(self) -> bool:
        """Whether one condition is enough; for a single value, none is needed."""
        return len(self.values) < 3

    def codes(self, who: str, table: Table, index: int) -> NDArray[np.int64]:
        """Place of each row's value."""
        return self.codes_of(who, table.categories(who, index))

    def codes_of(self, who: str, column: CategoryColumn) -> NDArray[np.int64]:
        """Place of each row's value in a column that was read."""
        known = {key_of(value): code for value, code in self.known()}
        return _look_up(who, column, known, self.n_codes)

    def describe(self, at: int) -> tuple[str, Any]:
        """Name a value."""
        return "value", self.values[at + 1 if self.is_ordered else at]

    def known(self) -> list[tuple[Any, int]]:
        """Each value with its code."""
        return [(value, code) for code, value in enumerate(self.values)]

    def of_parts(self, found: Any) -> NDArray[np.bool_]:
        """All values, where a partition has more than one group of them."""
        return np.full(n_candidates(self), found.n_parts > 1)


def _look_up(
    who: str, column: CategoryColumn, known: dict[Any, int], missing: int
) -> NDArray[np.int64]:
    """Code of each row, by its value."""
    keys = [key_of(value) for value in column.values]
    check_types(who, column.name, {kind for kind, _ in known}, {kind for kind, _ in keys})
    codes = [known.get(key, missing) for key in keys]
    return np.array([*codes, missing], dtype=np.int64)[column.codes]


def read_attribute(
    who: str, table: Table, index: int, kinds: ColumnKinds, target: TargetRows, cut_style: str
) -> Attribute:
    """Find the candidates of a column: boundary points of an order, or every value."""
    kind = kinds.kind(table, index)
    if kind in MEASURED:
        column = _read_numbers(who, table, index, kinds).take(target.kept)
        space = space_of(column, target)
        starts = space.line.runs()[1:-1].astype(np.int64)
        cuts = place_cuts(column.kind, space.keys[starts - 1], space.keys[starts], cut_style)
        return Numbers(column.kind, cuts)
    values = kinds.categories(who, table, index).take(target.kept)
    if kind == "categorical":
        return Values(tuple(values.values))
    return _read_levels(values, target)


def _read_numbers(who: str, table: Table, index: int, kinds: ColumnKinds) -> NumberColumn:
    """Read a numeric column; say so where it is one by declaration only."""
    name = table.names[index]
    try:
        return read_measured(who, table, index, kinds.kind(table, index))
    except TypeError as error:
        if kinds.kinds.get(name) != "numeric":
            raise
        raise TypeError(
            f"{who}: kinds[{name!r}] says 'numeric', but the column holds text; convert it to "
            "numbers, or say 'categorical' or 'ordered'."
        ) from error


def _read_levels(values: CategoryColumn, target: TargetRows) -> Levels:
    """Join levels that no boundary point parts; a level that no row holds follows its rank."""
    space = space_of(values, target)
    starts = space.line.runs()[1:-1] if values.values else np.empty(0, dtype=np.int64)
    code_of_used = np.searchsorted(starts, np.arange(len(values.values)), side="right")
    levels = values.levels or tuple(values.values)
    rank = {key_of(value): i for i, value in enumerate(values.values)}
    codes, last = [], 0
    for level in levels:
        place = rank.get(key_of(level))
        last = last if place is None else int(code_of_used[place])
        codes.append(last)
    return Levels(tuple(levels), np.array(codes, dtype=np.int64))


def candidates_of_parts(
    who: str,
    table: Table,
    attributes: list[Attribute],
    kinds: ColumnKinds,
    target: TargetRows,
    cut_style: str,
    n_jobs: int,
) -> NDArray[np.uint8]:
    """Which candidates MODL keeps: its cuts, and the values of columns that it groups."""

    def find(index: int, cancel: Cancel) -> NDArray[np.bool_]:
        is_measured = kinds.kind(table, index) in MEASURED
        column = (
            _read_numbers(who, table, index, kinds)
            if is_measured
            else kinds.categories(who, table, index)
        )
        settings = (
            check_settings(who, cut_style=cut_style) if is_measured else check_group_settings(who)
        )
        found = fit_column(who, column, target, settings, cancel=cancel)
        return attributes[index].of_parts(found)

    masks = run_all(find, range(len(attributes)), n_jobs)
    return np.concatenate([np.empty(0, dtype=bool), *masks]).astype(np.uint8)


def code_table(who: str, attributes: list[Attribute], table: Table) -> NDArray[np.uint32]:
    """Codes of every row and column."""
    codes = np.empty((table.n_rows, len(attributes)), dtype=np.uint32)
    for index, attribute in enumerate(attributes):
        codes[:, index] = attribute.codes(who, table, index)
    return codes


def make_examples(
    attributes: list[Attribute],
    codes: NDArray[np.uint32],
    target: TargetRows,
    directions: NDArray[np.int8],
) -> _core.Examples:
    """Hand the rows to the core."""
    return _core.make_examples(
        np.ascontiguousarray(codes),
        target.codes,
        target.weights,
        np.array([attribute.n_codes for attribute in attributes], dtype=np.uint32),
        np.array([attribute.is_ordered for attribute in attributes], dtype=np.uint8),
        directions,
    )


def n_candidates(attribute: Attribute) -> int:
    """Count the candidates of a column."""
    return max(0, attribute.n_codes - 1) if attribute.is_ordered else attribute.n_codes


def list_discriminants(
    names: list[str], attributes: list[Attribute], kept: NDArray[np.uint8], merits: Any
) -> tuple[Discriminant, ...]:
    """Describe the candidates that were kept, in the order of columns and values."""
    found: list[Discriminant] = []
    first = 0
    for index, attribute in enumerate(attributes):
        n = n_candidates(attribute)
        for at in np.flatnonzero(kept[first : first + n]).tolist():
            kind, value = attribute.describe(at)
            merit = float(merits[len(found)])
            found.append(Discriminant(names[index], kind, value, merit, index, at))
        first += n
    return tuple(found)


def satisfied(
    discriminants: tuple[Discriminant, ...],
    attributes: list[Attribute],
    codes: NDArray[np.uint32],
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which rows satisfy each discriminant, and which satisfy its opposite; missing: neither."""
    holds = np.zeros((len(codes), len(discriminants)), dtype=bool, order="F")
    fails = np.zeros_like(holds)
    for k, discriminant in enumerate(discriminants):
        attribute = attributes[discriminant.column_idx]
        column = codes[:, discriminant.column_idx]
        present = column < attribute.n_codes
        at = discriminant.at
        holds[:, k] = present & (column > at if attribute.is_ordered else column == at)
        fails[:, k] = present & ~holds[:, k]
    return holds, fails
