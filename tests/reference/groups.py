"""Groups of categorical values: costs, optima and merging, straight from the definitions.

``units`` are the (I, J) class counts of the values.  A grouping is a tuple of groups, a group a
tuple of increasing indices of values.  Of steps whose costs tie within 1e-9 relative, ``leftmost``
takes the first; ``reachable`` tries each.
"""

import functools
import itertools
import math

import numpy as np
from scipy.special import gammaln, log_ndtr, logsumexp
from scipy.stats import chi2 as chi2_law

from reference.counting import log_bell
from reference.criteria import COSTS, chi_square, part_length
from reference.searches import bits, is_allowed, is_lower, leftmost, reachable, split_gain

LOG_2 = math.log(2)


def rows_of(units):
    """Column of names v0, v1, ... and classes 0, 1, ... whose class counts are the units."""
    units = np.asarray(units, dtype=int)
    value, label = np.indices(units.shape)
    names = np.array([f"v{i}" for i in range(len(units))])
    return np.repeat(names[value.ravel()], units.ravel()), np.repeat(label.ravel(), units.ravel())


def grouping_of(groups):
    """Read groups of the names that `rows_of` makes."""
    return tuple(sorted(tuple(sorted(int(name[1:]) for name in group)) for group in groups))


def join(units, grouping):
    """Class counts of the groups."""
    units = np.asarray(units)
    return np.array([units[list(group)].sum(axis=0) for group in grouping])


def hidden_groups(rng, n_values, n_classes, n_groups=3, size=8.0):
    """Class counts of values of a few hidden groups, of frequencies from rare to frequent."""
    shares = rng.dirichlet(np.full(n_classes, 0.5), size=n_groups)
    frequencies = 1 + rng.poisson(size * rng.gamma(0.4, 2.5, size=n_values))
    hidden = rng.integers(0, n_groups, size=n_values)
    units = np.array(
        [rng.multinomial(n, shares[k]) for n, k in zip(frequencies, hidden, strict=True)]
    )
    for j in np.flatnonzero(units.sum(axis=0) == 0):
        units[j % n_values, j] = 1
    return units


def universal_code(n):
    """Bits of Rissanen's universal code of an integer: log2(2.865) + log2 n + log2 log2 n + ..."""
    length = math.log2(2.865)
    term = math.log2(n)
    while term > 0:
        length += term
        term = math.log2(term)
    return length


def standard_cost(units, grouping):
    """MODL without garbage: log I + log B(I, K) + sum of L."""
    structure = math.log(len(units)) + log_bell(len(units), len(grouping))
    return structure + sum(part_length(row) for row in join(units, grouping))


def thresholds(units):
    """Every frequency below which some other set of values is garbage; 1 is no garbage."""
    return [1, *sorted({math.floor(sum(row)) + 1 for row in units})]


def atoms(units, threshold):
    """Values of I(F): each frequent value, and all those of lower frequency together."""
    rare = tuple(i for i, row in enumerate(units) if sum(row) < threshold)
    frequent = [(i,) for i in range(len(units)) if i not in rare]
    return [*frequent, rare] if rare else frequent


def threshold_cost(threshold):
    """Nats that tell the threshold: one bit, and where there is garbage the universal code."""
    return LOG_2 + (LOG_2 * universal_code(threshold) if threshold >= 2 else 0.0)


def garbage_cost(units, grouping, threshold):
    """MODL with the values below a frequency as one value, counted in I(F)."""
    kept = atoms(units, threshold)
    if any(not any(set(atom) <= set(group) for group in grouping) for atom in kept):
        return math.inf
    structure = math.log(len(kept)) + log_bell(len(kept), len(grouping))
    lengths = sum(part_length(row) for row in join(units, grouping))
    return threshold_cost(threshold) + structure + lengths


@functools.cache
def set_partitions(n):
    """Every division of n values into groups, a group as the bits of its values."""
    if n == 0:
        return [()]
    last = 1 << (n - 1)
    found = []
    for groups in set_partitions(n - 1):
        for i, group in enumerate(groups):
            found.append((*groups[:i], group | last, *groups[i + 1 :]))
        found.append((*groups, last))
    return found


def subset_rows(units):
    """Class counts of every set of values, indexed by its bits."""
    rows = np.zeros((1, np.shape(units)[1]))
    for row in np.asarray(units):
        rows = np.vstack([rows, rows + row])
    return rows


def by_enumeration(units, **limits):
    """Lowest log I + log B(I, K) + sum of L of all allowed divisions, going through them all."""
    rows = subset_rows(units)
    length = [part_length(row) if any(row) else 0.0 for row in rows]
    lowest = math.inf
    for groups in set_partitions(len(units)):
        if limits and not is_allowed(rows[list(groups)], **limits):
            continue
        cost = log_bell(len(units), len(groups)) + sum(length[group] for group in groups)
        lowest = min(lowest, cost)
    return math.log(len(units)) + lowest


@functools.cache
def _first_groups(n):
    """For every set of n values, its subsets that hold its lowest value."""
    subsets = [np.zeros(0, dtype=np.int64)]
    for whole in range(1, 1 << n):
        low = whole & -whole
        rest, found = whole ^ low, []
        sub = rest
        while True:
            found.append(sub | low)
            if sub == 0:
                break
            sub = (sub - 1) & rest
        subsets.append(np.array(found))
    return subsets


def by_subsets(units):
    """Lowest log I + log B(I, K) + sum of L, by a program over sets of values: O(3^I I)."""
    n = len(units)
    length = np.array([part_length(row) if any(row) else 0.0 for row in subset_rows(units)])
    # best[s, k]: lowest sum of L of the values s in exactly k groups.
    best = np.full((1 << n, n + 1), math.inf)
    best[0, 0] = 0.0
    for whole, first in enumerate(_first_groups(n)):
        if whole:
            reached = length[first, None] + best[whole ^ first, :-1]
            best[whole, 1:] = reached.min(axis=0)
    costs = [best[-1, k] + log_bell(n, k) for k in range(1, n + 1)]
    return math.log(n) + min(costs)


def by_class_share(units):
    """Lowest log I + log B(I, K) + sum of L for two classes: groups are contiguous by share.

    One more group never lowers the K-term, so the program stops where that alone is too much.
    """
    units = np.asarray(units, dtype=float)
    n = len(units)
    ordered = units[np.argsort(units[:, 1] / units.sum(axis=1), kind="stable")]
    cumulated = np.vstack([np.zeros(2), np.cumsum(ordered, axis=0)])
    counts = cumulated[None, :] - cumulated[:, None]
    with np.errstate(invalid="ignore"):
        lengths = gammaln(counts.sum(axis=2) + 2) - gammaln(counts + 1).sum(axis=2)
    lengths[np.tril_indices(n + 1)] = math.inf
    free = np.zeros(n + 1)
    for end in range(1, n + 1):
        free[end] = (free[:end] + lengths[:end, end]).min()
    best = lengths[0]
    lowest = best[n]
    for k in range(2, n + 1):
        if free[n] + log_bell(n, k) >= lowest:
            break
        best = (best[:, None] + lengths).min(axis=0)
        lowest = min(lowest, best[n] + log_bell(n, k))
    return math.log(n) + lowest


def lowest_standard(units, divide=by_enumeration, **limits):
    """Lowest cost of MODL without garbage."""
    return divide(units, **limits)


def lowest_garbage(units, divide=by_enumeration, **limits):
    """Lowest cost of MODL over all thresholds and all divisions of what each keeps."""
    costs = [
        threshold_cost(threshold) + divide(join(units, atoms(units, threshold)), **limits)
        for threshold in thresholds(units)
    ]
    return min(costs)


def null_standard(units):
    """Cost of one group: log I + L."""
    return standard_cost(units, [tuple(range(len(units)))])


def null_garbage(units):
    """Cost of the cheapest code of one group, over all thresholds."""
    whole = [tuple(range(len(units)))]
    return min(garbage_cost(units, whole, threshold) for threshold in thresholds(units))


def cheapest_threshold(units, grouping):
    """Cost of a grouping at its cheapest threshold, and every threshold tied at that cost."""
    costs = {F: garbage_cost(units, grouping, F) for F in thresholds(units)}
    lowest = min(costs.values())
    return lowest, [F for F, cost in costs.items() if not is_lower(lowest, cost)]


def log_p_value(chi2, df):
    """Natural logarithm of the upper tail of the chi-square law, a finite sum of positive terms."""
    x = chi2 / 2
    if df == 0 or x == 0:
        return 0.0
    if df % 2 == 0:
        powers, tail = np.arange(df // 2), []
    else:
        powers = np.arange(1, (df + 1) // 2) - 0.5
        tail = [LOG_2 + log_ndtr(-math.sqrt(chi2))]
    return float(logsumexp([*tail, *(-x + powers * math.log(x) - gammaln(powers + 1))]))


def table_log_p_value(parts):
    """Logarithm of the p-value of the chi-square of a table, with (K-1)(J-1) degrees of freedom."""
    K, J = np.shape(parts)
    return log_p_value(chi_square(parts), (K - 1) * (J - 1))


def ward(first, second, totals):
    """Chi-square lost by a merge: d = n_a n_b / (n_a + n_b) sum of (p_aj - p_bj)^2 / p_j."""
    a, b, p = first.sum(), second.sum(), totals / totals.sum()
    used = p > 0
    gaps = (first / a - second / b)[used] ** 2 / p[used]
    return float(a * b / (a + b) * gaps.sum())


def singles(units):
    """One group per value."""
    return tuple((i,) for i in range(len(units)))


def merged(grouping, a, b):
    """Join two groups; groups stay in the order of their first values."""
    rest = [group for i, group in enumerate(grouping) if i not in (a, b)]
    return tuple(sorted([*rest, tuple(sorted(grouping[a] + grouping[b]))]))


def cheapest(candidates, cost_of):
    """Return the candidates tied at the lowest cost, in the order tried, and that cost."""
    costs = [(cost_of(candidate), candidate) for candidate in candidates]
    lowest = min((cost for cost, _ in costs), default=math.inf)
    return [candidate for cost, candidate in costs if not is_lower(lowest, cost)], lowest


def merging(units, pair_cost, accepts, walk, start=None, fewest=1):
    """Join the two groups of lowest pair cost, as long as that is accepted.

    ``pair_cost(first, second)`` takes the class counts of two groups; ``accepts(before, after,
    cost)`` the class counts of all groups and the pair's cost.
    """

    def step(grouping):
        if len(grouping) <= fewest:
            return []
        parts = join(units, grouping)
        pairs = itertools.combinations(range(len(grouping)), 2)
        best, lowest = cheapest(pairs, lambda pair: pair_cost(parts[pair[0]], parts[pair[1]]))
        joined = [merged(grouping, *pair) for pair in best]
        return [after for after in joined if accepts(parts, join(units, after), lowest)]

    return walk(singles(units) if start is None else start, step)


def pair_p_value(first, second):
    """P-value of two groups being alike; degrees of freedom: classes present in either, less 1."""
    df = np.count_nonzero(first + second) - 1
    return 1.0 if df == 0 else float(chi2_law.sf(chi_square([first, second]), df))


def chaid(units, alpha=0.05, walk=leftmost):
    """CHAID: join the pair of largest p-value while it is above alpha; no group is split again."""
    return merging(
        units,
        lambda first, second: -pair_p_value(first, second),
        lambda _before, _after, cost: -cost > alpha,
        walk,
    )


def association(units, criterion, walk=leftmost):
    """Tschuprow or Cramér: join the pair of smallest loss while T² or V² does not fall."""
    totals = np.sum(units, axis=0)

    def accepts(before, after, _):
        return not is_lower(COSTS[criterion](before), COSTS[criterion](after))

    return merging(units, lambda a, b: ward(a, b, totals), accepts, walk, fewest=2)


def pooled(units, least=5.0):
    """One group per value, but one for all values expected below the least count in some class."""
    units = np.asarray(units, dtype=float)
    expected = units.sum(axis=1) * units.sum(axis=0).min() / units.sum()
    rare = tuple(np.flatnonzero(expected < least).tolist())
    kept = [(i,) for i in range(len(units)) if i not in rare]
    return tuple(sorted([*kept, rare] if rare else kept))


def khiops(units, max_delta, walk=leftmost):
    """Khiops 2004: join the pair of smallest loss while the table's p-value decreases.

    Rare values are pooled first; a merge that loses less than max_delta is always done.
    """
    totals = np.sum(units, axis=0)

    def accepts(before, after, loss):
        return loss < max_delta or is_lower(table_log_p_value(after), table_log_p_value(before))

    return merging(units, lambda a, b: ward(a, b, totals), accepts, walk, start=pooled(units))


def khiops_losses(units):
    """Chi-square lost at each merge down to one group: the values of max_delta that matter."""
    totals, losses = np.sum(units, axis=0), []

    def accepts(_before, _after, loss):
        losses.append(loss)
        return True

    merging(units, lambda a, b: ward(a, b, totals), accepts, leftmost, start=pooled(units))
    return losses


def information_gain(parts):
    """Bits per row gained on the class by knowing the group."""
    parts = np.asarray(parts, dtype=float)
    inside = sum(row.sum() / parts.sum() * bits(row) for row in parts)
    return bits(parts.sum(axis=0)) - inside


def minus_gain_ratio(parts):
    """Minus the gain over the entropy of the groups' sizes, of at least two groups."""
    sizes = np.sum(parts, axis=1)
    return -information_gain(parts) / bits(sizes)


def gain_ratio_merging(units, walk=leftmost):
    """C4.5's groups: the merge of best gain ratio, while it does not fall, never below two."""

    def step(grouping):
        if len(grouping) <= 2:
            return []
        pairs = itertools.combinations(range(len(grouping)), 2)
        candidates = [merged(grouping, *pair) for pair in pairs]
        best, lowest = cheapest(candidates, lambda groups: minus_gain_ratio(join(units, groups)))
        return [] if is_lower(minus_gain_ratio(join(units, grouping)), lowest) else best

    return walk(singles(units), step)


def two_groups(units, chosen):
    """Put the chosen values against the rest."""
    rest = tuple(i for i in range(len(units)) if i not in chosen)
    return tuple(sorted([tuple(chosen), rest]))


def chosen_gain(units, chosen):
    """Information gain of the chosen values against the rest."""
    return split_gain(*join(units, two_groups(units, chosen)))


def one_against_rest(units):
    """Every value of largest information gain against the rest, as groupings."""
    best, _ = cheapest(singles(units), lambda chosen: -chosen_gain(units, chosen))
    return [two_groups(units, chosen) for chosen in best]


def forward(units, walk=reachable):
    """Best value against the rest, joined by the value of largest gain while the gain grows."""

    def step(chosen):
        rest = [i for i in range(len(units)) if i not in chosen]
        if len(rest) < 2:
            return []
        grown = [tuple(sorted([*chosen, i])) for i in rest]
        best, lowest = cheapest(grown, lambda taken: -chosen_gain(units, taken))
        return best if not chosen or is_lower(lowest, -chosen_gain(units, chosen)) else []

    return [two_groups(units, chosen) for chosen in walk((), step)]


def gini_impurity(parts):
    """Gini impurity of the groups, each weighed by its rows."""
    return sum(sum(row) - sum(count**2 for count in row) / sum(row) for row in parts)


def lowest_gini(units):
    """Gini impurity of the best two groups, of all of them."""
    values = range(1, len(units))
    chosen = itertools.chain.from_iterable(itertools.combinations(values, k) for k in values)
    return min(gini_impurity(join(units, two_groups(units, group))) for group in chosen)
