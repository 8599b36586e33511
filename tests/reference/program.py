"""Fischer's dynamic program, one table per number of parts: the optimum of a longer line."""

import math

import numpy as np

from reference.criteria import COSTS, log_binomial, part_length


def _part_cost(criterion, row, n_samples):
    """Share of one part in the cost of a partition."""
    if criterion == "modl":
        return part_length(row)
    if criterion == "fusinter":
        # Among all rows the entropy weighs alpha n / N; alone, alpha: scale it back.
        price = COSTS["fusinter"]([row], alpha=0.0) * 0.025
        return COSTS["fusinter"]([row], alpha=1.0) * 0.975 * sum(row) / n_samples + price
    return COSTS[criterion]([row]) - math.log(sum(row))


def _structure_cost(criterion, n_parts, n_samples):
    """Cost of a number of parts."""
    if criterion == "modl":
        return math.log(n_samples) + log_binomial(n_samples + n_parts - 1, n_parts - 1)
    return 0.0 if criterion == "fusinter" else n_parts * math.log(n_samples)


def lowest_costs(units, criterion):
    """Lowest cost of each number of parts, 1 to the number of units."""
    n_units, n_samples = len(units), np.sum(units)
    cumulated = np.vstack([np.zeros(np.shape(units)[1]), np.cumsum(units, axis=0)])
    part = np.full((n_units + 1, n_units + 1), math.inf)
    for first in range(n_units):
        for end in range(first + 1, n_units + 1):
            part[first, end] = _part_cost(criterion, cumulated[end] - cumulated[first], n_samples)
    best = part[0]
    costs = [best[n_units]]
    for _ in range(1, n_units):
        best = (best[:, None] + part).min(axis=0)
        costs.append(best[n_units])
    return [cost + _structure_cost(criterion, k, n_samples) for k, cost in enumerate(costs, 1)]
