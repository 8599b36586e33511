"""Codes of the ranks of a number, straight from their formulas; slow."""

import itertools
from statistics import NormalDist

import numpy as np
from scipy.special import gammaln


def log_factorial(n):
    return float(gammaln(n + 1.0))


def log_binomial(n, k):
    return log_factorial(n) - log_factorial(k) - log_factorial(n - k)


def structure(n, n_parts):
    """Price of the cuts of a line of n rows."""
    return np.log(n) + log_binomial(n + n_parts - 1, n_parts - 1)


def group_structure(n_values, n_groups):
    """Price of groups of values: log I + log of the ways to divide I values into at most K."""
    ways = sum(stirling(n_values, k) for k in range(1, n_groups + 1))
    return np.log(n_values) + np.log(ways)


def stirling(n, k):
    """Ways to divide n values into k groups."""
    if k in (0, n):
        return int(k == n)
    return k * stirling(n - 1, k) + stirling(n - 1, k - 1)


def normal_scores(y):
    """Mean and mean square of a standard normal on the ranks of each row, ties spread."""
    normal = NormalDist()
    n = len(y)

    def edge(rank):
        if rank in (0, n):
            return 0.0, 0.0
        a = normal.inv_cdf(rank / n)
        return normal.pdf(a), a * normal.pdf(a)

    z1, z2 = np.empty(n), np.empty(n)
    for i, value in enumerate(y):
        low, high = np.sum(y < value), np.sum(y <= value)
        p = (high - low) / n
        (f, af), (g, bg) = edge(int(low)), edge(int(high))
        z1[i], z2[i] = (f - g) / p, 1 + (af - bg) / p
    return z1, z2


def scores_cost(parts, z1, z2, price):
    """Length of scores in parts (lists of rows), levels and their number; ``price`` of the rest."""
    n = len(z1)
    left = sum(z2[rows].sum() - z1[rows].sum() ** 2 / (len(rows) + 1) for rows in parts)
    levels = sum(0.5 * np.log(1 + len(rows)) for rows in parts)
    return (n - 1) / 2 * np.log(left) + levels + price + 0.5 * np.log(len(parts))


def line_cost(x, y, cuts):
    """Cost of cuts of x under the scores of y; one part costs log N + log N!."""
    z1, z2 = normal_scores(y)
    codes = np.searchsorted(cuts, x)
    parts = [np.flatnonzero(codes == k) for k in np.unique(codes)]
    n = len(y)
    alone = scores_cost([np.arange(n)], z1, z2, structure(n, 1))
    found = scores_cost(parts, z1, z2, structure(n, len(parts)))
    return np.log(n) + log_factorial(n) + found - alone


def lowest_line_cost(x, y):
    """Lowest cost over all intervals."""
    values = np.unique(x)
    borders = (values[1:] + values[:-1]) / 2
    return min(
        line_cost(x, y, borders[list(chosen)])
        for k in range(len(values))
        for chosen in itertools.combinations(range(len(borders)), k)
    )


def lowest_group_cost(x, y):
    """Lowest cost over all groups of values."""
    z1, z2 = normal_scores(y)
    values, n = sorted(set(x)), len(y)
    alone = scores_cost([np.arange(n)], z1, z2, group_structure(len(values), 1))
    lowest = np.inf
    for groups in set_partitions(values):
        parts = [np.flatnonzero(np.isin(x, group)) for group in groups]
        price = group_structure(len(values), len(groups))
        lowest = min(lowest, scores_cost(parts, z1, z2, price) - alone)
    return np.log(n) + log_factorial(n) + lowest


def set_partitions(values):
    """All ways to divide values into groups."""
    if not values:
        yield []
        return
    first, rest = values[0], values[1:]
    for groups in set_partitions(rest):
        yield [[first], *groups]
        for i, group in enumerate(groups):
            yield [*groups[:i], [first, *group], *groups[i + 1 :]]


def known_totals(n_sets, n_classes):
    """R(K, L): what class totals being known takes from the laws of parts."""
    if n_sets < 2 or n_classes < 2:
        return 0.0
    k, size = n_sets, n_classes
    spread = 0.5 * (size - 1) * np.log(size * (size + 1) / (2 * np.pi))
    return 0.5 * (size - 1) * np.log(k) + 0.5 * np.log(size) + spread - log_factorial(size - 1)


def classes_cost(table, n_grid):
    """Length of parts that tell intervals of ranks like classes."""
    table = np.asarray(table, dtype=float)
    n, (n_parts, size) = table.sum(), table.shape
    cost = structure(n, n_parts) + np.log(n_grid) + log_binomial(n_grid - 1, size - 1)
    cost += known_totals(n_parts, size) - log_binomial(n + size - 1, size - 1)
    sizes = table.sum(axis=1)
    cost += np.sum(gammaln(sizes + size) - gammaln(size))  # log C(n+L-1, L-1) + log n!
    cost -= gammaln(table + 1).sum()
    return cost + gammaln(table.sum(axis=0) + 1).sum()


def score_partitions(x, y):
    """Cuts of every partition of the values of x, and its cost under the scores of y."""
    values = np.unique(x)
    borders = (values[1:] + values[:-1]) / 2
    for k in range(len(values)):
        for chosen in itertools.combinations(range(len(borders)), k):
            cuts = borders[list(chosen)]
            yield cuts, line_cost(x, y, cuts)


def averaged_mean(x, y, cuts, at):
    """Mean of y in the part of x that holds a value, one more row of the mean of all y added."""
    held = y[np.searchsorted(cuts, x) == np.searchsorted(cuts, at)]
    return (held.sum() + y.mean()) / (len(held) + 1)


def averaged_over_cells(x, y, starts, rounds=40):
    """Averaged mean of each cell of x, straight from the definition.

    Partitions of C cells into K parts cost log C + log C(C-1, K-1), then for each part
    spread / (2 σ²) + ½ log(1 + n), where σ² is the mean of what all of them leave.
    """
    z1, z2 = normal_scores(y)
    cell = np.searchsorted(starts, x, side="right") - 1
    n_cells, n = len(starts), len(y)
    partitions = [
        (0, *chosen, n_cells)
        for k in range(n_cells)
        for chosen in itertools.combinations(range(1, n_cells), k)
    ]
    left, rest, means = [], [], []
    for edges in partitions:
        parts = [(cell >= a) & (cell < b) for a, b in itertools.pairwise(edges)]
        left.append(sum(z2[p].sum() - z1[p].sum() ** 2 / (p.sum() + 1) for p in parts))
        price = np.log(n_cells) + log_binomial(n_cells - 1, len(parts) - 1)
        rest.append(price + sum(0.5 * np.log(1 + p.sum()) for p in parts))
        level = [(y[p].sum() + y.mean()) / (p.sum() + 1) for p in parts]
        means.append(np.repeat(level, np.diff(edges)))
    left, rest = np.array(left), np.array(rest)
    best = None
    for start in (left[0], left[-1]):  # one part, and all cells apart
        expected = start
        for _ in range(rounds):
            slope = (n - 1) / 2 / expected
            logs = -slope * left - rest
            weights = np.exp(logs - logs.max())
            expected = (weights * left).sum() / weights.sum()
        height = (n - 1) / 2 * np.log(slope) + logs.max() + np.log(weights.sum())
        if best is None or height > best[0]:
            best = height, weights / weights.sum()
    return best[1] @ np.array(means)


def grid_cost(table):
    """Length of a table of parts and intervals of ranks, as published."""
    table = np.asarray(table, dtype=float)
    n, (n_parts, size) = table.sum(), table.shape
    if n_parts == 1:
        return 2 * np.log(n) + log_factorial(n)
    sizes = table.sum(axis=1)
    cost = 2 * np.log(n) + log_binomial(n + n_parts - 1, n_parts - 1)
    cost += np.sum(gammaln(sizes + size) - gammaln(size)) - gammaln(table + 1).sum()
    return cost + gammaln(table.sum(axis=0) + 1).sum()


def mean_cost(parts, y):
    """Length of a number in parts (lists of rows), without their places."""
    away = y - y.mean()
    left = sum((away[p] ** 2).sum() - away[p].sum() ** 2 / (len(p) + 1) for p in parts)
    return (len(y) - 1) / 2 * np.log(left) + sum(0.5 * np.log(1 + len(p)) for p in parts)


def mean_floor(y):
    """Rows of a part, at least."""
    z = (y - y.mean()) / y.std()
    return max(5, 3 * (z**3).mean() ** 2, 0.5 * ((z**4).mean() - 3))


def rate_cost(parts, events, exposure, dispersion):
    """Length of events in parts (lists of rows), without their places."""
    rate = events.sum() / exposure.sum()
    cost = 0.0
    for p in parts:
        s, w = events[p].sum() / dispersion, exposure[p].sum() / dispersion
        cost += -gammaln(1 + s) + np.log(rate) + (1 + s) * np.log(1 / rate + w)
    return cost


def poisson_dispersion(events, exposure):
    """Pearson's chi-square of one part for each degree of freedom, at least 1."""
    expected = exposure * events.sum() / exposure.sum()
    return max(1.0, ((events - expected) ** 2 / expected).sum() / (len(events) - 1))


def tweedie_cost(parts, amounts, exposure, dispersion):
    """Length of amounts in parts (lists of rows), without their places and what all share."""
    unit = exposure.mean()
    mean = amounts.sum() / exposure.sum()
    cost = 0.0
    for p in parts:
        s, w = amounts[p].sum() + mean * unit, exposure[p].sum() + unit
        own = 4 * np.sqrt(amounts[p] * exposure[p]).sum()
        cost += (4 * np.sqrt(s * w) - 4 * unit * np.sqrt(mean) - own) / dispersion
        cost += 0.5 * np.log(w / unit)
    return cost


def tweedie_dispersion(amounts, exposure):
    """Pearson's chi-square of one part for each degree of freedom, variances being mean^1.5."""
    mean = amounts.sum() / exposure.sum()
    expected = exposure * mean
    return ((amounts - expected) ** 2 / (exposure * mean**1.5)).sum() / (len(amounts) - 1)


def lowest_cost(x, cost, price, allowed=lambda _: True, groups=False):
    """Lowest cost of all intervals or groups of values, one of which costs log N + log N!."""
    values, n = sorted(set(x)), len(x)
    if groups:
        divisions = set_partitions(values)
    else:
        divisions = (
            [values[a:b] for a, b in itertools.pairwise((0, *cuts, len(values)))]
            for cuts in _subsets(range(1, len(values)))
        )
    everything = [np.arange(n)]
    lowest = 0.0
    for division in divisions:
        parts = [np.flatnonzero(np.isin(x, part)) for part in division]
        if len(parts) > 1 and allowed(parts):
            gain = cost(everything) + price(1) - cost(parts) - price(len(parts))
            lowest = min(lowest, -gain)
    return np.log(n) + log_factorial(n) + lowest


def ordered_cost(table, starts):
    """Length of parts (rows) that tell ordered classes joined at some starts, each once inside."""
    table = np.asarray(table, dtype=float)
    n, (n_parts, size) = table.sum(), table.shape
    totals = table.sum(axis=0)
    if n_parts == 1:
        return np.log(n) + _class_length(totals)
    joined = np.add.reduceat(table, starts, axis=1)
    cost = structure(n, n_parts) + sum(_class_length(row) for row in joined)
    cost += np.log(size) + log_binomial(size - 1, len(starts) - 1)
    return cost + sum(_class_length(run) for run in np.split(totals, starts[1:]))


def _class_length(counts):
    """MODL's length of the classes of one part."""
    n, size = np.sum(counts), len(counts)
    return log_binomial(n + size - 1, size - 1) + gammaln(n + 1) - gammaln(np.add(counts, 1)).sum()


def lowest_ordered_cost(table):
    """Lowest cost over all intervals of the rows of a table and all ways to join its columns."""
    n_units, size = np.shape(table)
    return min(
        ordered_cost(np.add.reduceat(table, [0, *cuts], axis=0), [0, *starts])
        for cuts in _subsets(range(1, n_units))
        for starts in _subsets(range(1, size))
        if starts or not cuts
    )


__all__ = [
    "averaged_mean",
    "averaged_over_cells",
    "classes_cost",
    "grid_cost",
    "known_totals",
    "line_cost",
    "lowest_cost",
    "lowest_group_cost",
    "lowest_line_cost",
    "lowest_ordered_cost",
    "mean_cost",
    "mean_floor",
    "ordered_cost",
    "poisson_dispersion",
    "rate_cost",
    "score_partitions",
]


def even_ends(counts, n_grid):
    """Last values of at most n intervals of even frequency but the last: each ends nearest."""
    ends = np.cumsum(counts)
    wanted = ends[-1] * np.arange(1, n_grid) / n_grid
    nearest = {int(np.argmin(np.abs(ends - share))) for share in wanted}
    return sorted(nearest - {len(ends) - 1})


def lowest_classes_cost(x, y):
    """Lowest cost over all intervals of x, and all of y on grids of 2, 4, 8, ... intervals."""
    (xs, rows), (ys, columns) = (np.unique(one, return_inverse=True) for one in (x, y))
    table = np.zeros((len(xs), len(ys)))
    np.add.at(table, (rows, columns), 1)
    n = len(x)
    lowest = np.log(n) + log_factorial(n)
    for n_grid in 2 ** np.arange(1, 12):
        if n_grid > 2 and (4 * n_grid > n or n_grid > 2 ** np.ceil(np.log2(len(ys)))):
            break
        for ends in _subsets(even_ends(table.sum(axis=0), n_grid)):
            if not ends:
                continue
            joined = np.add.reduceat(table, [0, *(end + 1 for end in ends)], axis=1)
            for cuts in _subsets(range(1, len(xs))):
                if cuts:
                    parts = np.add.reduceat(joined, [0, *cuts], axis=0)
                    lowest = min(lowest, classes_cost(parts, n_grid))
    return lowest


def _subsets(items):
    """All subsets, each in order."""
    items = list(items)
    for k in range(len(items) + 1):
        yield from itertools.combinations(items, k)


__all__ = [
    "classes_cost",
    "known_totals",
    "line_cost",
    "lowest_classes_cost",
    "lowest_group_cost",
    "lowest_line_cost",
]
