"""Costs of grids, straight from their formulas, and the best grid by enumeration."""

from bisect import bisect_left
from collections import Counter
from itertools import combinations, pairwise, product
from math import ceil, inf, lgamma, log, log2

from reference.counting import bounded, iterated_logs, log_bell, unbounded

LOG_2 = log(2)


def log_factorial(x):
    return lgamma(x + 1)


def log_binomial(n, k):
    return log_factorial(n) - log_factorial(k) - log_factorial(n - k)


def universal(n):
    """Rissanen's code as MODL's garbage group uses it."""
    return log(2.865) + LOG_2 * iterated_logs(n)


def class_length(counts):
    n, j = sum(counts), len(counts)
    return log_binomial(n + j - 1, j - 1) + log_factorial(n) - sum(map(log_factorial, counts))


def cells_of(parts, labels, weights, n_classes):
    """Weight of each class in each cell that holds rows."""
    cells = {}
    for i, label in enumerate(labels):
        cell = tuple(axis[i] for axis in parts)
        cells.setdefault(cell, [0.0] * n_classes)[label] += weights[i]
    return cells


def frequencies(column, weights):
    found = Counter()
    for value, weight in zip(column, weights, strict=True):
        found[value] += weight
    return found


def garbage_structure(column, parts, weights, n_groups):
    """MODL's price of groups with a garbage group, at the cheapest threshold."""
    sizes = frequencies(column, weights)
    group_of = dict(zip(column, parts, strict=True))
    best = inf
    for threshold in [1, *(int(size) + 1 for size in sizes.values())]:
        rare = {value for value, size in sizes.items() if size < threshold}
        if len({group_of[value] for value in rare}) > 1:
            continue
        n_values = len(sizes) - len(rare) + bool(rare)
        if n_values < n_groups:
            continue
        price = LOG_2 + (universal(threshold) if threshold >= 2 else 0.0)
        best = min(best, price + log(n_values) + log_bell(n_values, n_groups))
    return best


def modl_axis(column, parts, weights, is_ordered, has_target):
    """MODL's price of the parts of one axis; None are rows set aside, of one kind."""
    kept = [i for i, part in enumerate(parts) if part >= 0]
    n = sum(weights[i] for i in kept)
    k = len({parts[i] for i in kept})
    values = {column[i] for i in kept}
    aside = LOG_2 if len(kept) < len(parts) else 0.0
    if is_ordered:
        return aside + log(n) + (log_binomial(n + k - 1, k - 1) if has_target else 0.0)
    if not has_target:
        return aside + log(len(values)) + log_bell(len(values), k)
    take = [[sequence[i] for i in kept] for sequence in (column, parts, weights)]
    return aside + garbage_structure(*take, k)


def joint_cells(columns, parts, weights, is_ordered):
    """Cost of the rows without a target, given the parts: cells, then each axis."""
    n = sum(weights)
    sizes = frequencies(zip(*parts, strict=True), weights)
    n_cells = 1
    for axis in parts:
        n_cells *= len(set(axis))
    cost = log_factorial(n + n_cells - 1) - log_factorial(n_cells - 1)
    cost -= sum(map(log_factorial, sizes.values()))
    for column, axis, ordered in zip(columns, parts, is_ordered, strict=True):
        values = {}
        for value, part in zip(column, axis, strict=True):
            values.setdefault(part, set()).add(value)
        for part, size in frequencies(axis, weights).items():
            if part < 0:
                continue
            v = 1 if ordered else len(values[part])
            cost += log_factorial(size + v - 1) - log_factorial(v - 1)
        if not ordered:
            shown = [
                (value, w)
                for value, w, part in zip(column, weights, axis, strict=True)
                if part >= 0
            ]
            cost -= sum(map(log_factorial, frequencies(*zip(*shown, strict=True)).values()))
    return cost


def quantile_ends(column, weights, g):
    """Values that end the 2^g quantiles by Khiops' rule."""
    sizes = sorted(frequencies(column, weights).items())
    total, cumulated, sums = sum(weights), 0, []
    for _, size in sizes:
        cumulated += size
        sums.append(cumulated)
    n = min(2**g, total)
    ends = set()
    for q in range(1, int(n)):
        target = int(total * q / n + (-1e-10 if q - 1 < n / 2 else 1e-10) + 0.5)
        at = bisect_left(sums, target)
        if at > 0 and target - sums[at - 1] <= sums[at] - target:
            at -= 1
        ends.add(sizes[at][0])
    ends.discard(sizes[-1][0])
    return ends


def khiops_groups(n_values, sizes):
    """Khiops 11's price of groups of so many values each, with the best garbage group or none."""
    k = len(sizes)
    gate = LOG_2 if n_values > 7 else 0.0
    best = gate + bounded(k - 1, n_values - 1) + log_bell(n_values, k)
    for size in sizes if k >= 3 else ():
        kept = n_values - size
        if kept < k - 1:
            continue
        price = gate + bounded(kept - 1, n_values - 2) + kept * log(n_values) - log_factorial(kept)
        best = min(best, price + bounded(k - 2, kept - 1) + log_bell(kept, k - 1))
    return best


def khiops_axis(column, parts, weights, is_ordered, g):
    """Khiops 11's price of the parts of one axis at a granularity; infinite if it has none."""
    k = len(set(parts))
    if k == 1:
        return 0.0
    n = sum(weights)
    part_of = dict(zip(column, parts, strict=True))
    if is_ordered:
        v = min(2**g, n)
        values = sorted(part_of)
        ends = {a for a, b in pairwise(values) if part_of[a] != part_of[b]}
        if not ends <= quantile_ends(column, weights, g) or k > v:
            return inf
        return bounded(k - 1, v - 1) + (k - 1) * log(v - 1) - log_factorial(k - 1)
    fine = g if 2**g < n else g - 1
    sizes = frequencies(column, weights)
    rare = {value for value, size in sizes.items() if size < ceil(n / 2**fine)}
    if len({part_of[value] for value in rare}) > 1:
        return inf
    kept = [part for value, part in part_of.items() if value not in rare]
    kept += [part_of[next(iter(rare))]] if rare else []
    return khiops_groups(len(kept), list(Counter(kept).values()))


def khiops_cost(columns, parts, labels, weights, n_classes, is_ordered, n_columns=2):
    """Cost of a grid under Khiops 11: the least over granularities."""
    n = sum(weights)
    n_cut = sum(len(set(axis)) > 1 for axis in parts)
    choice = unbounded(n_cut) - log_factorial(n_cut) + n_cut * log(n_columns) if n_cut else 0.0
    axes = list(zip(columns, parts, is_ordered, strict=True))
    if labels is None:
        prior = LOG_2 + choice
        for column, axis, ordered in axes:
            k, v = len(set(axis)), len(set(column))
            if k > 1:
                sizes = Counter(dict(zip(column, axis, strict=True)).values()).values()
                prior += bounded(k - 1, n - 1) if ordered else khiops_groups(v, list(sizes))
        return prior + joint_cells(columns, parts, weights, is_ordered)
    data = sum(map(class_length, cells_of(parts, labels, weights, n_classes).values()))
    if n_cut == 0:
        return LOG_2 + data
    most = max(1, ceil(log2(n)))
    priors = [
        bounded(g, most) + sum(khiops_axis(c, axis, weights, o, g) for c, axis, o in axes)
        for g in range(1, most + 1)
    ]
    return LOG_2 + log(n_columns + 1) + choice + min(priors) + data


def modl_cost(columns, parts, labels, weights, n_classes, is_ordered):
    """Cost of a grid under MODL; a part below 0 holds rows set aside."""
    cost = sum(
        modl_axis(column, axis, weights, ordered, labels is not None)
        for column, axis, ordered in zip(columns, parts, is_ordered, strict=True)
    )
    if labels is None:
        return cost + joint_cells(columns, parts, weights, is_ordered)
    return cost + sum(map(class_length, cells_of(parts, labels, weights, n_classes).values()))


def line_partitions(n):
    """Every partition of n values in order."""
    for k in range(n):
        for cuts in combinations(range(1, n), k):
            yield [sum(v >= cut for cut in cuts) for v in range(n)]


def set_partitions(n):
    """Every partition of n values in any order."""

    def extend(parts, used):
        if len(parts) == n:
            yield list(parts)
            return
        for part in range(used + 1):
            yield from extend([*parts, part], max(used, part + 1))

    yield from extend([0], 1)


def best_by_enumeration(columns, labels, n_classes, is_ordered, cost=modl_cost):
    """Least cost over all grids of columns of codes 0, 1, ..., and its number of cells."""
    weights = [1.0] * len(columns[0])
    partitions = [
        list((line_partitions if ordered else set_partitions)(max(column) + 1))
        for column, ordered in zip(columns, is_ordered, strict=True)
    ]
    best = inf, 0
    for grid in product(*partitions):
        parts = [[p[v] for v in column] for p, column in zip(grid, columns, strict=True)]
        n_cells = (max(grid[0]) + 1) * (max(grid[1]) + 1)
        best = min(best, (cost(columns, parts, labels, weights, n_classes, is_ordered), n_cells))
    return best
