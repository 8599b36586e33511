"""More rows in the same parts: counts of several batches, added up."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._categories import key_of
from partage._costs import modl_costs, own_costs
from partage._features import (
    Coder,
    ColumnFeature,
    Feature,
    ProductFeature,
    count_codes,
)
from partage._given_partitions import read_like
from partage._new_data import UNKNOWN, count_column
from partage._partitions import Partition
from partage._spaces import line_from_counts
from partage._targets import ClassTarget
from partage._units import Units

__all__ = ["add_rows", "count_more", "in_classes"]

_ROWS = ("rows", "missing_rows", "special_rows")


def count_more(who: str, feature: Feature, coder: Coder, rows: ClassTarget) -> Feature:
    """Count a feature's parts on other rows; their costs are not those of these rows."""
    if isinstance(feature, ColumnFeature):
        column = read_like(who, coder.table, feature.index, feature.partition)
        return replace(feature, partition=count_column(who, feature.partition, column, rows))
    codes = feature.codes(coder)
    codes = codes if rows.kept is None else codes[rows.kept]
    counts = count_codes(feature, coder, rows)[: feature.n_parts]
    n_rows = np.bincount(codes, minlength=feature.n_parts)[: feature.n_parts]
    return replace(feature, groups=replace(feature.groups, counts=counts, rows=n_rows))


def add_rows(feature: Feature, more: Feature, most_bytes: int) -> Feature:
    """Add the counts of the same feature on more rows."""
    if isinstance(feature, ColumnFeature):
        assert isinstance(more, ColumnFeature)
        both = _add_counts(feature.partition, more.partition)
        return replace(feature, partition=both._with_units_of_at_most(most_bytes))
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
    n = len(classes)
    changes = {name: _widen(held, places, n) for name, held in _counted(partition).items()}
    units = partition.units
    if units is not None:
        units = replace(units, line=line_from_counts(_widen(units.counts(), places, n)).line)
    changed = {**changes, "classes": classes, "event": event, "units": units}
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
    added = _counted(more)
    changes: dict[str, Any] = {n: held + added[n] for n, held in _counted(partition).items()}
    changes |= {name: getattr(partition, name) + getattr(more, name) for name in _ROWS}
    units = None
    if partition.units is not None and more.units is not None:
        both = _add_values if hasattr(partition, "groups") else _add_ranges
        units = both(partition.units, more.units)
    n_values = max(partition.n_values, more.n_values, 0 if units is None else units.n_units)
    if hasattr(partition, "groups"):
        changes["groups"] = more.groups
        if units is not None and partition.is_ordered:
            units = units.in_order([value for group in more.groups for value in group])
    return _with_costs(partition, {**changes, "units": units, "n_values": n_values})


def _counted(partition: Partition) -> dict[str, NDArray[np.float64]]:
    """Class weights of the parts and of what lies beside them, by the names of the fields."""
    special = partition.special_counts.reshape(-1, len(partition.classes))
    return {
        "counts": partition.counts,
        "missing_counts": partition.missing_counts,
        "special_counts": special,
    }


def _with_costs(partition: Partition, changes: dict[str, Any]) -> Partition:
    """Change what was counted, and price it anew."""
    rough = replace(partition, **changes, **UNKNOWN)
    cost, null_cost, level = own_costs(rough, modl_costs(rough, partition))
    return replace(rough, cost=cost, null_cost=null_cost, level=level)


def _rows_of(units: Units) -> NDArray[np.int64]:
    """Rows of each unit."""
    return units.row_counts(np.arange(units.n_units + 1))


def _add_ranges(one: Units, other: Units) -> Units:
    """Add the counts of single values on a line; those within a range of values join it."""
    if one.n_units == 0 or other.n_units == 0:
        return other if one.n_units == 0 else one
    values, added = other.lows, other.counts()
    after = np.searchsorted(one.lows, values, side="right")
    place = after - 1
    joins = (place >= 0) & (values <= one.highs[place])
    at, new = after[~joins], values[~joins]

    def add(held: NDArray[Any], more: NDArray[Any]) -> NDArray[Any]:
        np.add.at(held, place[joins], more[joins])
        return np.insert(held, at, more[~joins], axis=0)

    rows = None
    if one.rows is not None or other.rows is not None:
        rows = add(_rows_of(one).copy(), _rows_of(other))
    line = line_from_counts(add(one.counts().copy(), added)).line
    lows, highs = np.insert(one.lows, at, new), np.insert(one.highs, at, new)
    return Units(line, lows, highs, rows, (), one.is_exact)


def _add_values(one: Units, other: Units) -> Units:
    """Add the counts of values of a category."""
    place = {key_of(value): i for i, value in enumerate(one.values)}
    keys_of_other = list(map(key_of, other.values))
    new = [v for v, key in zip(other.values, keys_of_other, strict=True) if key not in place]
    to = np.array([place.setdefault(key, len(place)) for key in keys_of_other], dtype=np.int64)
    counts = np.zeros((len(place), int(one.line.n_classes)))
    counts[: one.n_units] = one.counts()
    counts[to] += other.counts()
    rows = None
    if one.rows is not None or other.rows is not None:
        rows = np.zeros(len(place), dtype=np.int64)
        rows[: one.n_units] = _rows_of(one)
        rows[to] += _rows_of(other)
    keys = np.arange(len(place))
    return Units(line_from_counts(counts).line, keys, keys, rows, (*one.values, *new))
