"""Columns that are counted together, by the codes of their values: of rows, or of an engine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._data.categories import CategoryColumn, key_of
from partage._data.column import NumberColumn
from partage._partitions.grid_axes import parts_of_values
from partage._partitions.partition import Partition
from partage._search.grids import GridRows
from partage._spaces.space import Space
from partage._targets.target import TargetRows

Column = NumberColumn | CategoryColumn
N_SCREENED = 32  # quantiles of a number while all pairs are looked at
_MANY = 20_000  # values beyond which looking them up in order is quicker


@dataclass(frozen=True)
class CodedColumns:
    """Columns in codes of their quantiles or values, and where the cuts between these lie."""

    rows: GridRows
    cuts: tuple[NDArray[Any] | None, ...]  # keys of the cuts of coarse numbers

    def parts_of(self, axis: int, partition: Partition) -> NDArray[np.uint32]:
        """Part of each code of a column in its own partition."""
        cuts = self.cuts[axis]
        of_values = parts_of_values(partition)
        if cuts is None:
            return of_values
        last = np.searchsorted(_space(partition).keys, cuts, side="right") - 1
        return np.asarray(of_values[np.append(last, len(of_values) - 1)])


class JointColumns(ABC):
    """Columns and their target, which can be counted together.

    Attributes
    ----------
    own : sequence of Partition
        The partition of each column alone.
    has_y : bool
        Whether there is a target.
    n_rows : int
        Rows that count.
    library : str
        Library that tables of results are made in.
    is_in_memory : bool
        Whether several threads may count at once.
    """

    own: Sequence[Partition]
    has_y: bool
    n_rows: int
    library: str
    is_in_memory: bool = True

    @abstractmethod
    def by_value(self, places: Sequence[int]) -> tuple[list[Partition], GridRows]:
        """Count columns by their values; their own partitions, on the units that are counted."""

    @abstractmethod
    def by_quantile(self, places: Sequence[int], most: int) -> CodedColumns:
        """Count columns by values, or by quantiles where a number has more values than that."""

    @abstractmethod
    def groups(self, pairs: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """Places of the pairs that are counted by one call: all, or each alone."""


@dataclass(frozen=True)
class RowColumns(JointColumns):
    """Columns whose rows are in memory."""

    who: str
    columns: Sequence[Column]
    own: Sequence[Partition]
    rows: TargetRows
    has_y: bool
    library: str = "pandas"

    @property
    def n_rows(self) -> int:  # type: ignore[override]  # of the rows
        """Rows that count."""
        return self.rows.n_rows

    def by_value(self, places: Sequence[int]) -> tuple[list[Partition], GridRows]:
        """Count columns by their values."""
        own = [self.own[k] for k in places]
        return own, self._coded(places, [None] * len(places)).counted()

    def by_quantile(self, places: Sequence[int], most: int) -> CodedColumns:
        """Count columns by values, or by quantiles where a number has more values than that."""
        ends = [coarse_ends(self.own[k], most) for k in places]
        return CodedColumns(self._coded(places, ends), tuple(ends))

    def groups(self, pairs: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """All pairs at once: each column is coded once."""
        return [np.arange(len(pairs))]

    def _coded(self, places: Sequence[int], ends: Sequence[NDArray[Any] | None]) -> GridRows:
        """Code the rows of some columns."""
        coded = [
            value_codes(self.who, self.columns[k].take(self.rows.kept), self.own[k], own_ends)
            for k, own_ends in zip(places, ends, strict=True)
        ]
        own = [self.own[k] for k in places]
        return entries_of(coded, own, ends, self.rows, self.has_y)


def coarse_ends(partition: Partition, most: int) -> NDArray[Any] | None:
    """Greatest keys of ranges of numbers that count as one value; None where there are few.

    Beyond the first look the cuts of the column alone lie between ranges.
    """
    units = _space(partition)
    if not partition.rule.is_measured or units.n_units <= most:
        return None
    own_cuts = partition._border_places(units) if most > N_SCREENED else ()
    places = np.unique([*units.quantiles(most)[1:-1], *own_cuts]).astype(np.int64)
    return np.asarray(units.keys[places - 1])


def entries_of(
    coded: Sequence[tuple[NDArray[np.uint32], int]],
    own: Sequence[Partition],
    ends: Sequence[NDArray[Any] | None],
    rows: TargetRows,
    has_y: bool,
) -> GridRows:
    """Put codes and the target together."""
    sizes = [
        _space(partition).n_units if own_ends is None else len(own_ends) + 1
        for partition, own_ends in zip(own, ends, strict=True)
    ]
    return GridRows(
        np.ascontiguousarray(np.vstack([codes for codes, _ in coded])),
        tuple(sizes),
        tuple(n_aside for _, n_aside in coded),
        tuple(_space(partition).is_line for partition in own),
        rows.codes if has_y else None,
        rows.weights,
        rows.n_classes if has_y else 1,
        rows.rows,
    )


def _space(partition: Partition) -> Space:
    """Values of a column, which its own partition was found on."""
    assert partition.units is not None
    return partition.units


def value_codes(
    who: str, column: Column, partition: Partition, ends: NDArray[Any] | None = None
) -> tuple[NDArray[np.uint32], int]:
    """Value of each row, then the sets aside that hold rows; and how many these are.

    ``ends`` are the greatest keys of ranges of numbers that count as one value.
    """
    space = _space(partition)
    rule = partition.rule.with_aside([None] * len(partition.rule.aside_parts))
    parts = rule.assign(who, column)
    if isinstance(column, NumberColumn):
        if ends is None:
            codes = _ranks(space.keys, column.keys + 0)
        else:
            codes = column.assign(np.ascontiguousarray(ends), 0)
    else:
        place = {key_of(value): i for i, value in enumerate(space.values)}
        lookup = [place.get(key_of(value), 0) for value in column.values]
        codes = np.array([*lookup, 0], dtype=np.int64)[column.codes]
    n_values = space.n_units if ends is None else len(ends) + 1
    return with_aside_codes(codes, parts, partition.n_parts, n_values)


def with_aside_codes(
    codes: NDArray[np.int64], parts: NDArray[np.int64], n_parts: int, n_values: int
) -> tuple[NDArray[np.uint32], int]:
    """Give the sets aside that hold rows the codes behind the values; and how many these are."""
    is_aside = parts >= n_parts
    if not is_aside.any():
        return codes.astype(np.uint32), 0
    kinds, sets = np.unique(parts[is_aside], return_inverse=True)
    codes = codes.copy()
    codes[is_aside] = n_values + sets
    return codes.astype(np.uint32), len(kinds)


def _ranks(values: NDArray[Any], keys: NDArray[Any]) -> NDArray[np.int64]:
    """Place of each key among the sorted values; in their order, where there are many."""
    if len(values) < _MANY:
        return np.searchsorted(values, keys)
    order = np.argsort(keys)
    ranks = np.empty(len(keys), dtype=np.int64)
    ranks[order] = np.searchsorted(values, keys[order])
    return ranks


__all__ = [
    "N_SCREENED",
    "CodedColumns",
    "Column",
    "JointColumns",
    "RowColumns",
    "coarse_ends",
    "entries_of",
    "value_codes",
    "with_aside_codes",
]
