"""What the terms of naive Bayes look at: columns by their parts, and products of columns."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from partage._data.table import Table
from partage._partitions.averages import as_averaged
from partage._partitions.partition import Partition
from partage._search.core import part_length
from partage._support.portable import log, logs
from partage._targets.target import TargetRows

__all__ = [
    "Coder",
    "ColumnFeature",
    "Feature",
    "ProductFeature",
    "cells_of",
    "count_codes",
    "log_table",
    "n_codes",
    "saved_nats",
    "structure_of",
]


class Coder:
    """Codes of the columns of one table; those of a coding that several features use, once."""

    def __init__(self, who: str, table: Table) -> None:
        self._who = who
        self.table = table
        self._kept: dict[int, NDArray[np.int64]] = {}

    def codes(self, partition: Partition, index: int) -> NDArray[np.int64]:
        """Codes of a column."""
        return partition._assign_from(self._who, self.table, index)

    def kept_codes(self, partition: Partition, index: int) -> NDArray[np.int64]:
        """Codes of a column, remembered for the next product that has it."""
        if id(partition) not in self._kept:
            self._kept[id(partition)] = self.codes(partition, index)
        return self._kept[id(partition)]

    def value(self, index: int) -> Any:
        """First value of a column, as the user knows it."""
        source = self.table.source
        return source[0, index] if isinstance(source, np.ndarray) else self.table.series(index)[0]


@dataclass(frozen=True)
class ColumnFeature:
    """A column and its partition; ``is_averaged`` where its averaged shares count."""

    index: int
    partition: Partition
    is_averaged: bool = False

    @functools.cached_property
    def coding(self) -> Partition:
        """The parts whose shares count."""
        found: Partition = (
            as_averaged("fit", self.partition) if self.is_averaged else self.partition
        )
        return found

    @property
    def name(self) -> str:
        """Name of the column."""
        return self.partition.name

    @property
    def members(self) -> tuple[int, ...]:
        """Positions of the columns it looks at."""
        return (self.index,)

    @property
    def level(self) -> float:
        """Level of the partition."""
        return self.partition.level

    @property
    def n_parts(self) -> int:
        """Number of parts."""
        return self.partition.n_parts

    def labels(self) -> list[str]:
        """Readable name of each code."""
        return self.coding.code_labels()

    def own_codes(self) -> list[int]:
        """Codes that rows are counted under: parts, missing and special values kept apart."""
        partition = self.coding
        missing = [partition.missing_code] if partition.missing_part is None else []
        apart = zip(partition.special_codes, partition.special_parts, strict=True)
        apart_codes = (code for code, part in apart if part is None)
        return [*range(partition.n_parts), *missing, *apart_codes]

    def counts(self) -> NDArray[np.float64]:
        """Class weights under each code, as the partition was fitted."""
        counts = np.zeros((len(self.labels()), len(self.coding.classes)))
        own = self.own_codes()
        sets = self.coding.shown_tally() if self.is_averaged else self.coding.code_tally()
        counts[own] = sets.class_counts[own]
        return counts

    def codes(self, coder: Coder) -> NDArray[np.int64]:
        """Code of each row."""
        return coder.codes(self.coding, self.index)

    def value(self, coder: Coder) -> Any:
        """Value of the first row."""
        return coder.value(self.index)


@dataclass(frozen=True)
class ProductFeature:
    """Cells of two or three coded columns, in groups; cells that training did not hold are unseen.

    ``codings`` are the partitions that make the cells, ``group_of`` the group of each cell.
    """

    members: tuple[int, ...]
    codings: tuple[Partition, ...]
    group_of: NDArray[np.int64]
    groups: Partition
    is_averaged: ClassVar[bool] = False

    @property
    def name(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(coding.name for coding in self.codings)

    @property
    def level(self) -> float:
        """Level of the groups."""
        return self.groups.level

    @property
    def n_parts(self) -> int:
        """Number of groups."""
        return self.groups.n_parts

    def labels(self) -> list[str]:
        """Readable name of each code."""
        return [*self.groups.labels(), "unseen"]

    def own_codes(self) -> list[int]:
        """Codes that rows are counted under."""
        return list(range(self.n_parts))

    def counts(self) -> NDArray[np.float64]:
        """Class weights under each code, as the groups were fitted."""
        return np.vstack([self.groups.counts, np.zeros(len(self.groups.classes))])

    def codes(self, coder: Coder) -> NDArray[np.int64]:
        """Code of each row."""
        codes = [
            coder.kept_codes(coding, index)
            for coding, index in zip(self.codings, self.members, strict=True)
        ]
        return self.group_of[cells_of(codes, [n_codes(coding) for coding in self.codings])]

    def value(self, coder: Coder) -> Any:
        """Values of the first row."""
        return tuple(coder.value(index) for index in self.members)


Feature = ColumnFeature | ProductFeature


def n_codes(partition: Partition) -> int:
    """Count the codes that a partition may give."""
    return len(partition.code_labels())


def cells_of(codes: list[Any], sizes: list[int]) -> NDArray[np.int64]:
    """Give each row the number of its cell, whose digits are its codes."""
    cells: NDArray[np.int64] = codes[0].astype(np.int64)
    for column, size in zip(codes[1:], sizes[1:], strict=True):
        cells = cells * size + column
    return cells


def structure_of(partition: Partition) -> float:
    """Price the parts of a partition under MODL, in nats, without what they hold."""
    return partition._structure()


def saved_nats(feature: Feature) -> float:
    """Nats of the description of the classes that the parts of a feature save, under MODL."""
    totals = feature.counts().sum(axis=0)
    return feature.level * (log(totals.sum()) + part_length(totals))


def count_codes(feature: Feature, coder: Coder, target: TargetRows) -> NDArray[np.float64]:
    """Weight of each class under each code; what has no part of its own is not counted."""
    codes = feature.codes(coder)
    codes = codes if target.kept is None else codes[target.kept]
    n_labels = len(feature.labels())
    pairs = codes * target.n_classes + target.codes
    counts = np.bincount(pairs, target.weights, minlength=n_labels * target.n_classes)
    table = counts.astype(np.float64).reshape(n_labels, target.n_classes)
    is_own = np.zeros(n_labels, dtype=bool)
    is_own[feature.own_codes()] = True
    table[~is_own] = 0.0
    return table


def log_table(feature: Feature, counts: NDArray[np.float64]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return log P(code | class) by Laplace, one row per code, and the codes that have one.

    Averaged shares are taken as they are. Codes without training rows, be they parts or not, and
    unseen values add 0 to every class.
    """
    own = np.array(feature.own_codes())
    counted = own[counts[own].any(axis=1)]
    table = np.zeros(counts.shape)
    held = counts[counted] + (0.0 if feature.is_averaged else 1.0)
    table[counted] = logs(held) - logs(held.sum(axis=0))
    return table, counted
