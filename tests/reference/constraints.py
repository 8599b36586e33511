"""Constraints on whole partitions, and the cheapest of all that satisfy them.

A partition is the list of the first units of its parts. Rates are mean scores: class j scores j.
"""

import itertools
import math

import numpy as np
import scipy.stats

from reference.criteria import COSTS, chi_square, log_binomial, part_length
from reference.runs import merge_units
from reference.searches import contiguous_partitions, is_lower


def rates_of(parts, margin=0.0):
    """Mean score of each part and how far it may be off; None where it has no rows."""
    return [
        (float(row @ np.arange(len(row)) / row.sum()), margin / math.sqrt(row.sum()))
        if row.sum()
        else None
        for row in parts
    ]


def margin_of(table, tolerance):
    """Margin of a segment at weight 1: z sd / sqrt(2), with the spread of its scores."""
    counts = np.sum(table, axis=0)
    scores = np.repeat(np.arange(len(counts)), counts.astype(int))
    z = scipy.stats.norm.ppf((1 + tolerance) / 2)
    return float(z * np.std(scores) / math.sqrt(2))


def _rises(rates):
    """Whether rates never fall beyond their margins, parts without rows left out."""
    known = [rate for rate in rates if rate is not None]
    return all(a - more <= b + slack for (a, more), (b, slack) in itertools.pairwise(known))


def _turned(rates):
    return [None if rate is None else (-rate[0], rate[1]) for rate in rates]


def _turns_at(rates, turn):
    """Whether rates rise up to a part and fall from then on."""
    left = [rate for rate in rates[: turn + 1] if rate is not None]
    right = [rate for rate in rates[turn + 1 :] if rate is not None]
    return _rises(left) and _rises(_turned([*left[-1:], *right]))


def follows(trend, series):
    """Whether every series of rates follows a trend; all of them turn at the same part."""
    if trend == "ascending":
        return all(_rises(rates) for rates in series)
    if trend == "peak":
        return any(all(_turns_at(rates, k) for rates in series) for k in range(len(series[0])))
    if trend == "auto":
        return follows("peak", series) or follows("valley", series)
    names = {"descending": "ascending", "valley": "peak"}
    return follows(names[trend], [_turned(rates) for rates in series])


def satisfies(starts, units, limits, segments=None, tolerance=0.0):
    """Whether a partition satisfies every constraint."""
    parts = merge_units(units, starts)
    borders = limits.get("candidate_cuts")
    fixed = limits.get("user_cuts", [])
    series = [rates_of(parts)]
    for table in segments or []:
        margin = margin_of(table, tolerance) if tolerance else 0.0
        series.append(rates_of(merge_units(table, starts), margin))
    return (
        len(parts) == limits.get("n_parts", len(parts))
        and len(parts) <= limits.get("max_parts", len(parts))
        and parts.sum(axis=1).min() >= limits.get("min_part_size", 0)
        and (parts.min(axis=0) >= limits.get("min_class_count", 0)).all()
        and set(fixed) <= set(starts)
        and (borders is None or set(starts) <= {0, *borders, *fixed})
        and ("monotonic" not in limits or follows(limits["monotonic"], series))
    )


def cheapest(units, criterion, limits, segments=None, tolerance=0.0):
    """Lowest cost of all partitions that satisfy the constraints; infinite where none does."""
    lowest = math.inf
    for starts in contiguous_partitions(len(units)):
        if satisfies(starts, units, limits, segments, tolerance):
            cost = COSTS[criterion](merge_units(units, starts))
            lowest = cost if is_lower(cost, lowest) else lowest
    return lowest


def cost_with_empty_parts(parts, criterion, n_empty):
    """Cost of a partition with parts without rows besides."""
    K, N = len(parts) + n_empty, np.sum(parts)
    if criterion == "modl":
        return math.log(N) + log_binomial(N + K - 1, K - 1) + sum(map(part_length, parts))
    assert criterion == "tschuprow"
    n_classes = np.shape(parts)[1]
    return -chi_square(parts) / (N * math.sqrt((K - 1) * (n_classes - 1)))
