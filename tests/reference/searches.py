"""Searches over the contiguous partitions of a line of units, straight from their definitions.

A partition is the list of the first units of its parts; ``starts[0]`` is 0.  Among steps whose
costs are equal within 1e-9 relative, ``leftmost`` takes the first; ``reachable`` tries each.
"""

import itertools
import math

import numpy as np
from scipy.stats import chi2 as chi2_law

from reference.criteria import COSTS, chi_square
from reference.runs import merge_units, run_starts

TIE = 1e-9


def is_lower(cost, best):
    """Whether a cost is lower than the best one by more than a tie."""
    return cost < best - TIE * max(abs(cost), abs(best)) if math.isfinite(best) else cost < best


def contiguous_partitions(n_units, n_parts=None):
    """Every list of starts (of n_parts parts), fewest parts first, then leftmost cuts first."""
    for n_cuts in range(n_units) if n_parts is None else [n_parts - 1]:
        for cuts in itertools.combinations(range(1, n_units), n_cuts):
            yield [0, *cuts]


def is_allowed(parts, n_parts=None, max_parts=None, min_part_size=None):
    """Whether a partition respects the limits."""
    return (
        (n_parts is None or len(parts) == n_parts)
        and (max_parts is None or len(parts) <= max_parts)
        and (min_part_size is None or parts.sum(axis=1).min() >= min_part_size)
    )


def exhaustive(units, criterion, params=None, **limits):
    """Return the cheapest of all allowed partitions; None where the limits allow none."""
    best, best_cost = None, math.inf
    for starts in contiguous_partitions(len(units), limits.get("n_parts")):
        parts = merge_units(units, starts)
        if not is_allowed(parts, **limits):
            continue
        cost = COSTS[criterion](parts, **(params or {}))
        if is_lower(cost, best_cost):
            best, best_cost = starts, cost
    return best, best_cost


def leftmost(state, step):
    """Take the first of the tied steps until there is none."""
    while steps := step(state):
        state = steps[0]
    return list(state)


def reachable(state, step):
    """Take every one of the tied steps until there is none: all partitions that can end it."""
    ends, seen, waiting = [], {state}, [state]
    while waiting:
        state = waiting.pop()
        steps = step(state)
        if not steps:
            ends.append(list(state))
        waiting.extend(set(steps) - seen)
        seen.update(steps)
    return ends


def bottom_up(units, criterion, params=None, walk=leftmost):
    """From the runs, merge the neighbours of lowest whole cost, while it does not increase.

    A tie takes the fewest parts; T² and V² never merge below two parts.
    """
    cost_of = _cost_of(units, criterion, params)
    fewest = 2 if criterion in ("tschuprow", "cramer") else 1

    def step(starts):
        merged = [starts[:i] + starts[i + 1 :] for i in range(1, len(starts))]
        best, lowest = _lowest(merged, cost_of)
        stops = len(starts) <= fewest or is_lower(cost_of(starts), lowest)
        return [] if stops else best

    return walk(tuple(run_starts(units)), step)


def top_down(units, criterion, params=None, walk=leftmost, borders=None, n_free=1):
    """From one part, add the cut that lowers the whole cost most, while it decreases.

    Cuts up to n_free parts need no decrease; candidates are all units, or the borders given.
    """
    cost_of = _cost_of(units, criterion, params)
    borders = range(len(units)) if borders is None else borders

    def step(starts):
        cut = [tuple(sorted([*starts, i])) for i in borders if i not in starts]
        best, lowest = _lowest(cut, cost_of)
        pays = is_lower(lowest, cost_of(starts)) or len(starts) < n_free
        return best if cut and pays else []

    return walk((0,), step)


def caim_family(units, criterion, walk=leftmost):
    """CAIM, CACC: cuts are accepted up to one part per class, then while the cost decreases.

    Ameva asks for a decrease at every cut.  Candidates are the borders of runs.
    """
    n_free = 1 if criterion == "ameva" else np.shape(units)[1]
    return top_down(units, criterion, walk=walk, borders=run_starts(units), n_free=n_free)


def chimerge(units, confidence=0.95, walk=leftmost):
    """Merge the neighbours of lowest chi-square while it is below the quantile."""
    n_classes = np.shape(units)[1]
    threshold = chi2_law.ppf(confidence, n_classes - 1) if n_classes > 1 else math.inf

    def step(starts):
        parts = merge_units(units, starts)
        merged = range(1, len(starts))
        best, lowest = _lowest(merged, lambda i: chi_square(parts[i - 1 : i + 1]))
        return [starts[:i] + starts[i + 1 :] for i in best] if lowest < threshold else []

    return walk(tuple(run_starts(units)), step)


def bits(row):
    """Class entropy of a row of counts, in bits."""
    n = sum(row)
    return -sum(count / n * math.log2(count / n) for count in row if count > 0)


def split_gain(left, right):
    """Information gained by a cut, in bits per row."""
    whole = left + right
    n = whole.sum()
    return bits(whole) - left.sum() / n * bits(left) - right.sum() / n * bits(right)


def mdlpc_accepts(left, right):
    """Apply the test of Fayyad and Irani, with the classes present in the interval."""
    whole = left + right
    n = whole.sum()
    c, c1, c2 = (np.count_nonzero(row) for row in (whole, left, right))
    delta = math.log2(3**c - 2) - (c * bits(whole) - c1 * bits(left) - c2 * bits(right))
    return split_gain(left, right) > (math.log2(n - 1) + delta) / n


def mdlpc_cuts(sides):
    """Cuts of largest gain, where their description length accepts them."""
    best, _ = _lowest(range(len(sides)), lambda i: -split_gain(*sides[i]))
    return [i for i in best if mdlpc_accepts(*sides[i])]


def gain_ratio_cuts(sides):
    """Cuts of best ratio among those of at least average gain, where N gain > log2(cuts)."""
    gains = [split_gain(*pair) for pair in sides]
    sizes = [[row.sum() for row in pair] for pair in sides]
    fair = [i for i, gain in enumerate(gains) if gain >= np.mean(gains) - 1e-12]
    best, _ = _lowest(fair, lambda i: -gains[i] / bits(sizes[i]))
    return [i for i in best if sum(sizes[i]) * gains[i] > math.log2(len(sides)) + 1e-12]


def recursions(units, choose, first=0):
    """Every end of recursive cutting, the one of leftmost cuts first."""
    units = np.asarray(units, dtype=float)
    sides = [(units[:i].sum(axis=0), units[i:].sum(axis=0)) for i in range(1, len(units))]
    cuts = [i + 1 for i in choose(sides)] if sides else []
    if not cuts:
        return [[first]]
    return [
        left + right
        for cut in cuts
        for left in recursions(units[:cut], choose, first)
        for right in recursions(units[cut:], choose, first + cut)
    ]


def mdlpc(units):
    """Recursive cuts of Fayyad and Irani."""
    return recursions(units, mdlpc_cuts)[0]


def gain_ratio(units):
    """Recursive cuts of C4.5's gain ratio."""
    return recursions(units, gain_ratio_cuts)[0]


def _cost_of(units, criterion, params):
    """Make the function that costs a list of starts."""
    return lambda starts: COSTS[criterion](merge_units(units, starts), **(params or {}))


def _lowest(candidates, cost_of):
    """Return the candidates tied at the lowest cost, in the order tried, and that cost."""
    costs = [(cost_of(candidate), candidate) for candidate in candidates]
    lowest = min((cost for cost, _ in costs), default=math.inf)
    return [candidate for cost, candidate in costs if not is_lower(lowest, cost)], lowest
