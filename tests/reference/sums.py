"""Sums over all partitions of a line, by enumeration: each weighs exp(-cost)."""

import math
from types import SimpleNamespace

import numpy as np

from reference.constraints import satisfies
from reference.criteria import log_binomial, part_length
from reference.searches import contiguous_partitions


def part_costs(units, criterion):
    """Cost of every part [a, b) of consecutive units, without the cost of the number of parts."""
    n_units = len(units)
    found = {}
    for a in range(n_units):
        for b in range(a + 1, n_units + 1):
            row = units[a:b].sum(axis=0)
            if criterion == "modl":
                found[a, b] = part_length(row)
            else:
                found[a, b] = -sum(c * math.log(c / row.sum()) for c in row if c > 0)
    return found


def log_prior_of(criterion, n_parts, n_samples):
    """Minus the cost of a number of parts."""
    if criterion == "modl":
        return -math.log(n_samples) - log_binomial(n_samples + n_parts - 1, n_parts - 1)
    return -n_parts * math.log(n_samples)


def weighed_partitions(units, criterion="modl", log_prior=None, log_places=None, limits=None):
    """Parts of every admissible partition and the logarithm of its weight."""
    costs = part_costs(units, criterion)
    for starts in contiguous_partitions(len(units)):
        if limits and not satisfies(starts, units, limits):
            continue
        if log_prior is not None and len(starts) > len(log_prior):
            continue
        parts = list(zip(starts, [*starts[1:], len(units)], strict=True))
        weight = -math.fsum(costs[part] for part in parts)
        if log_places is not None:
            weight += sum(log_places[start - 1] for start in starts[1:])
        if log_prior is None:
            weight += log_prior_of(criterion, len(parts), np.sum(units))
        else:
            weight += log_prior[len(parts) - 1]
        yield parts, weight


def sum_partitions(units, criterion="modl", **options):
    """Everything that the sums say: total, numbers of parts, cuts, parts, averaged shares."""
    units = np.asarray(units, dtype=float)
    n_units, n_classes = units.shape
    partitions = list(weighed_partitions(units, criterion, **options))
    highest = max(weight for _, weight in partitions)
    total = math.fsum(math.exp(weight - highest) for _, weight in partitions)
    n_parts = np.zeros(n_units)
    cuts = np.zeros(n_units - 1)
    parts = np.zeros((n_units, n_units + 1))
    shares = np.zeros((n_units, n_classes))
    squares = np.zeros((n_units, n_classes))
    for found, weight in partitions:
        p = math.exp(weight - highest) / total
        n_parts[len(found) - 1] += p
        for a, b in found:
            alphas = units[a:b].sum(axis=0) + 1
            n = alphas.sum()
            if a > 0:
                cuts[a - 1] += p
            parts[a, b] += p
            shares[a:b] += p * alphas / n
            squares[a:b] += p * alphas * (alphas + 1) / (n * (n + 1))
    return SimpleNamespace(
        log_total=highest + math.log(total),
        n_parts=n_parts,
        cuts=cuts,
        parts=parts,
        shares=shares,
        squares=squares,
        partitions=[(found, math.exp(weight - highest) / total) for found, weight in partitions],
    )


def stretch(summed, units, cut, level):
    """Borders around a cut that hold one with that probability and the fewest rows between."""
    n_units = len(units)
    weights = np.asarray(units, dtype=float).sum(axis=1)
    best = None
    for low in range(1, cut + 1):
        for high in range(cut, n_units):
            held = math.fsum(
                p
                for parts, p in summed.partitions
                if any(low <= a <= high for a, _ in parts if a > 0)
            )
            if held < level - 1e-12:
                continue
            key = (weights[low:high].sum(), -held)
            if best is None or key < best[0]:
                best = (key, (low, high))
    return None if best is None else best[1]
