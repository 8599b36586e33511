"""Other rows beside those that were fitted: a holdout, periods, new data, counted in the parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from partage._data.table import read_table
from partage._partitions.other_rows import (
    expected_level,
    level_on,
    lost,
    stability,
    target_like,
)
from partage._partitions.partition import Partition
from partage._report.facts import OnSample, Sample
from partage._targets.tally import Tally


@dataclass(frozen=True)
class CountedSample:
    """Rows of a sample in the codes of every column."""

    name: str
    n_rows: int
    has_target: bool
    tallies: dict[str, Tally]

    def described(self) -> Sample:
        """Describe the sample itself."""
        first = next(iter(self.tallies.values()))
        totals = []
        if self.has_target and first.moments is None:
            totals = first.class_counts.sum(axis=0).tolist()
        return Sample(self.name, self.n_rows, totals)


def count_sample(
    name: str,
    partitions: dict[str, Partition],
    X: Any,
    y: Any = None,
    sample_weight: Any = None,
) -> CountedSample:
    """Count the rows of a sample, by class where its target is given."""
    who = f"report of {name!r}"
    table = read_table(who, X)
    weights = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    target = None
    found: dict[str, Tally] = {}
    for column, partition in partitions.items():
        codes = partition._assign_from(who, table, table.names.index(column))
        n_codes = len(partition.code_labels())
        if y is None:
            rows = np.bincount(codes, minlength=n_codes).astype(np.int64)
            sizes = np.bincount(codes, weights, minlength=n_codes).astype(np.float64)
            found[column] = Tally(rows, sizes)
            continue
        if target is None:
            target = target_like(who, partition, y, weights)
        found[column] = target.tally(target.kept_of(codes), n_codes)
    return CountedSample(name, table.n_rows, y is not None, found)


def on_sample(partition: Partition, counted: CountedSample, codes: list[int]) -> OnSample:
    """Describe the parts of a column on a sample."""
    found = counted.tallies[partition.name]
    psi = float(stability(partition.own_tally(), found).sum())
    rows = found.rows[codes].tolist()
    if not counted.has_target:
        return OnSample(rows, [], psi)
    return OnSample(
        rows,
        _shown(partition, found.take(codes)),
        psi,
        level_on(partition, found),
        expected_level(partition, float(found.weight.sum())),
        lost(partition, found),
    )


def _shown(partition: Partition, tally: Tally) -> list[list[float]]:
    """Give the counts of the classes in each part, or the mean of a number, NaN without rows."""
    told = partition.target.describe(tally, tally.total())
    shown = told.amounts["mean"][:, None] if told.amounts else told.counts
    return [list(row) for row in shown.tolist()]
