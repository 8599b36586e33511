"""Finding the parts of a column that was read."""

from __future__ import annotations

from partage._data.categories import Categories
from partage._data.column import Column
from partage._partitions.find_groups import find_groups
from partage._partitions.find_intervals import find_intervals
from partage._partitions.partition import Partition
from partage._search.settings import Settings
from partage._support.parallel import Cancel
from partage._targets.target import TargetRows


def fit_column(
    who: str,
    column: Column | Categories,
    rows: TargetRows,
    settings: Settings,
    *,
    cancel: Cancel | None = None,
    library: str = "pandas",
) -> Partition:
    """Find the partition of one column that was read."""
    if isinstance(column, Column):
        return find_intervals(who, column, rows, settings, cancel, library)
    return find_groups(who, column, rows, settings, cancel, library)


__all__ = ["fit_column"]
