"""More rows in the same parts: counts of several batches, added up."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._estimators.bayes.features import (
    Coder,
    ColumnFeature,
    Feature,
    ProductFeature,
    count_codes,
)
from partage._partitions.costs import repriced
from partage._partitions.partition import Partition
from partage._partitions.recount import count_column
from partage._spaces.space import line_of
from partage._targets.classes import class_target
from partage._targets.tally import Tally
from partage._targets.target import TargetRows

__all__ = ["add_rows", "count_more", "in_classes"]


def count_more(who: str, feature: Feature, coder: Coder, rows: TargetRows) -> Feature:
    """Count a feature's parts on other rows; their costs are not those of these rows."""
    if isinstance(feature, ColumnFeature):
        column = feature.partition.rule.read_from(who, coder.table, feature.index)
        found = count_column(who, feature.partition, column, rows, keeps_values=False)
        return replace(feature, partition=found)
    codes = feature.codes(coder)
    codes = codes if rows.kept is None else codes[rows.kept]
    counts = count_codes(feature, coder, rows)[: feature.n_parts]
    n_rows = np.bincount(codes, minlength=feature.n_parts)[: feature.n_parts]
    aside = feature.groups.tally.take(slice(feature.n_parts, None))
    tally = Tally.of_counts(counts, n_rows).concat(aside)
    return replace(feature, groups=replace(feature.groups, tally=tally))


def add_rows(feature: Feature, more: Feature) -> Feature:
    """Add the counts of the same feature on more rows.

    The counts of single values, which edits ask for, are let go: with them a batch would take as
    long as all rows before it.
    """
    if isinstance(feature, ColumnFeature):
        assert isinstance(more, ColumnFeature)
        return replace(feature, partition=_add_counts(feature.partition, more.partition))
    assert isinstance(more, ProductFeature)
    return replace(feature, groups=_add_counts(feature.groups, more.groups))


def in_classes(
    feature: Feature, classes: NDArray[Any], places: NDArray[np.int64], event: int
) -> Feature:
    """Express a feature in more classes than it was counted with."""
    if isinstance(feature, ColumnFeature):
        return replace(feature, partition=_in_classes(feature.partition, classes, places, event))
    return replace(feature, groups=_in_classes(feature.groups, classes, places, event))


def _in_classes(
    partition: Any, classes: NDArray[Any], places: NDArray[np.int64], event: int
) -> Any:
    """Express a partition in more classes than it was counted with."""
    if np.array_equal(partition.classes, classes):
        return partition
    n, tally, units = len(classes), partition.tally, partition.units
    if units is not None:
        units = replace(units, line=line_of(_widen(units.counts(), places, n)))
    changed = {
        "tally": Tally.of_counts(_widen(tally.class_counts, places, n), tally.rows),
        "target": class_target(classes, None, event, partition.woe_sign),
        "units": units,
    }
    return _with_costs(partition, changed)


def _widen(
    counts: NDArray[np.float64], places: NDArray[np.int64], n_classes: int
) -> NDArray[np.float64]:
    """Give counts a column for every class; those they have go to their places."""
    wider = np.zeros((*counts.shape[:-1], n_classes))
    wider[..., places] = counts
    return wider


def _add_counts(partition: Any, more: Any) -> Any:
    """Add the counts of the same parts on more rows."""
    changes = {
        "tally": partition.tally + more.tally,
        "rule": more.rule,
        "n_values": max(partition.n_values, more.n_values),
        "units": None,
    }
    return _with_costs(partition, changes)


def _with_costs(partition: Partition, changes: dict[str, Any]) -> Partition:
    """Change what was counted, and price it again."""
    rough = replace(partition, **changes, found=partition.found.elsewhere())
    counted: Partition = repriced(rough, partition)
    return counted
