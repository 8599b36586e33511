"""Costs of whole partitions (lower is better), each straight from its formula.

Every function takes the (K, J) class counts of the parts of a partition.
"""

import math

import numpy as np

from reference.counting import bounded, log_bell


def log_factorial(n):
    """Natural logarithm of n!, of the gamma function between whole numbers."""
    return math.lgamma(n + 1)


def log_binomial(n, k):
    """Natural logarithm of the number of ways to choose k among n."""
    return log_factorial(n) - log_factorial(k) - log_factorial(n - k)


def part_length(row):
    """L of MODL: nats that describe the classes of the rows of one part."""
    n, J = sum(row), len(row)
    multinomial = log_factorial(n) - sum(log_factorial(count) for count in row)
    return log_binomial(n + J - 1, J - 1) + multinomial


def modl(parts):
    """MODL: log N + log C(N+K-1, K-1) + sum of L."""
    K, N = len(parts), np.sum(parts)
    return math.log(N) + log_binomial(N + K - 1, K - 1) + sum(part_length(row) for row in parts)


def exact_modl(parts):
    """MODL with exact integers: one logarithm per factor, no gamma function."""
    rows = [[int(count) for count in row] for row in parts]
    K, J, N = len(rows), len(rows[0]), sum(map(sum, rows))
    cost = math.log(N) + math.log(math.comb(N + K - 1, K - 1))
    for row in rows:
        n = sum(row)
        orders = math.factorial(n) // math.prod(math.factorial(count) for count in row)
        cost += math.log(math.comb(n + J - 1, J - 1)) + math.log(orders)
    return cost


def khiops11(parts, granularity=0, columns=1, values=0, garbage=0):
    """Khiops 11: log 2 for one part; more are described by granularity, number and places."""
    K, N = len(parts), np.sum(parts)
    cost = math.log(2) + sum(part_length(row) for row in parts)
    if K == 1:
        return cost
    finest = max(1, math.ceil(math.log2(N)))
    g = min(granularity or finest, finest)
    cost += math.log(columns) + bounded(g, finest)
    if not values:
        V = max(min(2**g, N), 2)
        return cost + bounded(K - 1, V - 1) + (K - 1) * math.log(V - 1) - log_factorial(K - 1)
    cost += math.log(2) if values > 7 else 0.0
    if not garbage:
        return cost + bounded(K - 1, values - 1) + log_bell(values, K)
    kept = values - garbage
    cost += bounded(kept - 1, values - 2) + kept * math.log(values) - log_factorial(kept)
    return cost + bounded(K - 2, kept - 1) + log_bell(kept, K - 1)


def fusinter(parts, alpha=0.975, entropy="quadratic", **lambda_param):
    """FUSINTER: the uncertainty of smoothed shares, plus a price for small parts."""
    lam = lambda_param.get("lambda", 1.0)
    N, J = np.sum(parts), np.shape(parts)[1]
    cost = 0.0
    for row in parts:
        n = sum(row)
        shares = [(count + lam) / (n + J * lam) for count in row]
        if entropy == "quadratic":
            uncertainty = sum(share * (1 - share) for share in shares)
        else:
            uncertainty = -sum(share * math.log2(share) for share in shares if share > 0)
        cost += alpha * n / N * uncertainty + (1 - alpha) * J * lam / n
    return cost


def gini(parts):
    """Gini impurity of the parts, plus log N for every part."""
    impurity = sum(sum(row) - sum(count**2 for count in row) / sum(row) for row in parts)
    return impurity + len(parts) * math.log(np.sum(parts))


def entropy(parts):
    """Entropy of the parts in nats, plus log N for every part."""
    nats = 0.0
    for row in parts:
        nats -= sum(count * math.log(count / sum(row)) for count in row if count > 0)
    return nats + len(parts) * math.log(np.sum(parts))


def chi_square(parts):
    """Chi-square of independence; a cell without expected count contributes 0."""
    parts = np.asarray(parts, dtype=float)
    expected = np.outer(parts.sum(axis=1), parts.sum(axis=0)) / parts.sum()
    used = expected > 0
    return float(((parts[used] - expected[used]) ** 2 / expected[used]).sum())


def _is_single(parts):
    """Whether a partition has one part or one class: nothing to associate."""
    return min(np.shape(parts)) == 1


def tschuprow(parts):
    """Tschuprow's -T²."""
    if _is_single(parts):
        return 0.0
    K, J = np.shape(parts)
    return -chi_square(parts) / (np.sum(parts) * math.sqrt((K - 1) * (J - 1)))


def cramer(parts):
    """Cramér's -V²."""
    if _is_single(parts):
        return 0.0
    K, J = np.shape(parts)
    return -chi_square(parts) / (np.sum(parts) * min(K - 1, J - 1))


def chi2(parts):
    """Minus the chi-square of the partition."""
    return -chi_square(parts)


def caim(parts):
    """Minus CAIM: the mean over the parts of (largest class count)² / size."""
    return -sum(max(row) ** 2 / sum(row) for row in parts) / len(parts)


def cacc(parts):
    """Minus CACC: sqrt(Y' / (Y' + M)) with Y' = chi-square / log K."""
    if _is_single(parts):
        return 0.0
    scaled = chi_square(parts) / math.log(len(parts))
    return -math.sqrt(scaled / (scaled + np.sum(parts)))


def ameva(parts):
    """Minus Ameva: chi-square / (K (J - 1))."""
    if _is_single(parts):
        return 0.0
    K, J = np.shape(parts)
    return -chi_square(parts) / (K * (J - 1))


COSTS = {
    "modl": modl,
    "khiops11": khiops11,
    "fusinter": fusinter,
    "gini": gini,
    "entropy": entropy,
    "tschuprow": tschuprow,
    "cramer": cramer,
    "chi2": chi2,
    "caim": caim,
    "cacc": cacc,
    "ameva": ameva,
}
