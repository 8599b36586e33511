"""Averaged shares of cells, and the parts that summarise them, by enumeration."""

import itertools
import math

import numpy as np

from reference.constraints import follows, rates_of
from reference.runs import merge_units


def cells(units, most=128, rows_of_cell=4):
    """First unit of each cell: of all numbers of quantiles, the finest that most cells hold.

    The number of cells never falls with the number of quantiles in the tables of the tests.
    """
    ends = [float(end) for end in np.cumsum(np.sum(units, axis=1))]
    finest = max(int(ends[-1] / rows_of_cell), 1)
    most = min(most, finest)
    found = _at_quantiles(ends, most)
    for n in range(most, finest + 1):
        more = _at_quantiles(ends, n)
        if len(more) > most or len(found) == most:
            break
        found = more
    return found


def _at_quantiles(ends, n):
    """First units after the borders nearest to the quantiles, the lower one on a tie."""
    starts = {0}
    for i in range(1, n):
        wanted = ends[-1] * i / n
        nearest = min(range(len(ends)), key=lambda unit: (abs(ends[unit] - wanted), unit))
        starts.add(nearest + 1)
    return sorted(starts - {len(ends)})


def log_prior(n_cells):
    """Logarithm of the prior weight of 1, 2, ... parts of cells."""
    return np.array([-math.log(n_cells * math.comb(n_cells - 1, k)) for k in range(n_cells)])


def information(rows):
    """Nats that knowing the set saves of the entropy of the classes."""
    shares = rows.sum(axis=0) / rows.sum()
    sizes = rows.sum(axis=1, keepdims=True)
    return float(
        sum(
            n * math.log(n / (size * p))
            for row, (size,) in zip(rows, sizes, strict=True)
            for n, p in zip(row, shares, strict=True)
            if n > 0
        )
    )


def best_summary(rows, counts, n_parts, **limits):
    """Most information that so many parts of the cells can keep under limits; None for none.

    Trends hold for averaged and counted shares; floors for what was counted.
    """
    best = None
    for inner in itertools.combinations(range(1, len(rows)), n_parts - 1):
        starts = [0, *inner]
        parts, held = merge_units(rows, starts), merge_units(counts, starts)
        trend = limits.get("monotonic")
        if (
            held.sum(axis=1).min() >= limits.get("min_part_size", 0)
            and held.min() >= limits.get("min_class_count", 0)
            and (trend is None or follows(trend, [rates_of(parts), rates_of(held)]))
        ):
            best = max(information(parts), -math.inf if best is None else best)
    return best
