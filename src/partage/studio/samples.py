"""Other rows than those of the fit, kept as counts: a holdout and periods follow every edit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from partage._data.categories import CategoryColumn
from partage._data.column import NumberColumn
from partage._data.table import read_table
from partage._partitions.other_rows import target_like
from partage._partitions.partition import Partition
from partage._report.samples import CountedSample
from partage._spaces.count import count_entries
from partage._targets.target import TargetRows

__all__ = ["KeptSample", "keep_sample"]

_MOST_ENTRIES = 20_000  # of a column, from which values that no cut can part are joined


@dataclass(frozen=True)
class KeptSample:
    """Rows of a sample, counted by value and class in every column.

    Attributes
    ----------
    name : str
        What the sample is called.
    n_rows : int
        Its rows.
    entries : dict
        The values of each column with their target, one entry for each pair.
    """

    name: str
    n_rows: int
    entries: dict[str, tuple[NumberColumn | CategoryColumn, TargetRows]]

    def counted(self, partition: Partition) -> CountedSample:
        """Count the sample in the parts of a column."""
        column, rows = self.entries[partition.name]
        codes = partition.rule.assign("studio", column)
        tally = rows.tally(codes, len(partition.code_labels()))
        return CountedSample(self.name, self.n_rows, True, {partition.name: tally})


def keep_sample(
    name: str, partitions: dict[str, Partition], X: Any, y: Any, sample_weight: Any = None
) -> KeptSample:
    """Count the rows of a sample."""
    who = f"studio, {name}"
    table = read_table(who, X)
    target = target_like(who, next(iter(partitions.values())), y, sample_weight)
    found = {}
    for column, partition in partitions.items():
        read = partition.rule.read_from(who, table, table.names.index(column))
        entries, rows = count_entries(read, target)
        if len(rows.codes) > _MOST_ENTRIES:
            entries, rows = count_entries(_joined(partition, entries), rows)
        found[column] = entries, rows
    return KeptSample(name, table.n_rows, found)


def _joined(partition: Partition, column: Any) -> Any:
    """Put values into one that the fit counted together: no cut can part them."""
    units = partition.units
    if units is None or units.is_exact or not partition.rule.is_measured:
        return column
    place = np.minimum(np.searchsorted(units.highs, column.keys), units.n_units - 1)
    inside = (units.lows[place] <= column.keys) & ~column.missing_mask()
    special = partition.rule.special_places(column)  # type: ignore[attr-defined]  # of numbers
    if special is not None:
        inside &= special < 0
    return replace(column, keys=np.where(inside, units.highs[place], column.keys))
