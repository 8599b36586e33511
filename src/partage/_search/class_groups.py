"""Groups of values that tell intervals of the ranks of a number like classes.

Ranges of the mean score do not hold every grouping: values may differ in the spread or in the tails
of a number. Values are grouped by intervals of the ranks as by classes, and intervals are found for
the groups, in turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._search.lowest import apart_of
from partage._search.rank_classes import best_intervals
from partage._search.readings import Asked, Classes, Reading
from partage._support.portable import LOG_2

_GRIDS = (4, 16)  # intervals of even frequency to start from
_MOST_TURNS = 4
_LEAST_ROWS = 4.0  # of an interval


def find_class_groups(
    reading: Classes, asked: Asked
) -> Iterator[tuple[NDArray[np.int64], float, Reading]]:
    """Give groups of the units with their cost and the intervals that go with them."""
    cells, space, limits = reading.target.cells, asked.space, asked.limits
    apart = apart_of(space)
    for n_grid in _GRIDS:
        starts = cells.even(n_grid).tolist()
        if n_grid * _LEAST_ROWS > space.total_weight or len(starts) < 3:
            continue
        for _ in range(_MOST_TURNS):
            told = replace(reading, target=reading.target.told("classes", starts[1:-1], n_grid))
            place = np.repeat(np.arange(told.n_classes), np.diff(told.starts)).astype(np.uint16)
            codes, n_groups, *_ = _core.group(
                space.line.joined(place, told.n_classes),
                "modl-standard",
                [],
                limits.n_parts or 0,
                limits.max_parts or 0,
                limits.min_weight(space.total_weight),
                asked.cancel,
            )
            group_of = codes.astype(np.int64)
            counts = space.joined(group_of, int(n_groups)).class_counts
            cost = told.costs(counts, apart, len(apart) * LOG_2, space.n_units)[0]
            yield group_of, cost, told
            sets = np.ascontiguousarray(np.vstack([counts, apart]))
            found, n_grid = best_intervals(told, sets, n_grid)
            if n_groups < 2 or found == starts:
                break
            starts = found


__all__ = ["find_class_groups"]
