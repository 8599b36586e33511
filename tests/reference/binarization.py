"""Binarization by its definitions: every pair of rows of different classes is listed.

Candidates are columns of a table of 1, 0 and NaN (missing); ``owner`` tells the attribute of each.
"""

import itertools

import numpy as np


def threshold_candidates(values, y):
    """Midpoints between neighbouring values, unless both hold one and the same class only."""
    values = np.asarray(values, dtype=float)
    distinct = sorted(set(values[~np.isnan(values)].tolist()))
    classes = [set(np.asarray(y)[values == v].tolist()) for v in distinct]
    return [
        (low + high) / 2
        for low, high, a, b in zip(distinct, distinct[1:], classes, classes[1:], strict=False)
        if not (a == b and len(a) == 1)
    ]


def candidates(columns, y):
    """Names, bits and owners of all candidates of (name, kind, values) columns.

    Numbers and ranks of ordered values are ``"ordered"``, the others ``"unordered"``.
    """
    names, bits, owner = [], [], []
    for index, (name, kind, values) in enumerate(columns):
        if kind == "ordered":
            numbers = np.array([np.nan if v is None else v for v in values], dtype=float)
            found = [
                (f"{name} > {repr(cut).removesuffix('.0')}", numbers > cut)
                for cut in threshold_candidates(values, y)
            ]
            gone = np.isnan(numbers)
        else:
            distinct = sorted({v for v in values if v is not None})
            distinct = distinct if len(distinct) > 2 else distinct[1:]
            found = [(f"{name} = {v}", np.array([u == v for u in values])) for v in distinct]
            gone = np.array([v is None for v in values])
        for label, holds in found:
            names.append(label)
            bits.append(np.where(gone, np.nan, holds))
            owner.append(index)
    table = np.array(bits, dtype=float).T if bits else np.zeros((len(y), 0))
    return names, table, np.array(owner, dtype=int)


def separations(bits, y, owner=None, directions=None):
    """Pairs of rows of different classes, and which candidates separate each."""
    pairs = [(i, k) for i, k in itertools.combinations(range(len(y)), 2) if y[i] != y[k]]
    if not pairs:
        return pairs, np.zeros((0, bits.shape[1]), dtype=bool)
    first, second = (np.array(side) for side in zip(*pairs, strict=True))
    apart = np.abs(bits[first] - bits[second]) == 1  # NaN, a missing value, equals nothing
    if directions is not None:
        rises = np.array([y[i] < y[k] for i, k in pairs])[:, None]
        upward = (bits[first] < bits[second]) == rises
        for tau, attribute in enumerate(owner):
            sign = directions.get(int(attribute), 0)
            if sign:
                apart[:, tau] &= upward[:, tau] == (sign > 0)
    return pairs, apart


def is_consistent(apart, kept, c):
    """Whether each pair has c separators, or as many as all candidates give."""
    return bool((apart[:, kept].sum(axis=1) >= np.minimum(c, apart.sum(axis=1))).all())


def is_irredundant(apart, kept, c):
    """Whether no kept candidate can be spared."""
    return not any(is_consistent(apart, [k for k in kept if k != tau], c) for tau in kept)


def local_conflicts(apart, owner, kept, tau):
    """Pairs that a candidate separates and no other kept one of its attribute does."""
    others = [k for k in kept if k != tau and owner[k] == owner[tau]]
    return apart[:, tau] & ~apart[:, others].any(axis=1)


def count_attributes(apart, owner, kept):
    """Attributes of which some kept candidate separates each pair."""
    counts = np.zeros(len(apart), dtype=int)
    for attribute in set(owner.tolist()):
        counts += apart[:, [k for k in kept if owner[k] == attribute]].any(axis=1)
    return counts


def ideal(apart, owner, c, *, by_attribute=False, merit="local", tolerance=0.0, patience=None):
    """IDEAL: test candidates by least merit, each once, and drop those that can be spared."""
    n = apart.shape[1]
    kept, untested = list(range(n)), list(range(n))
    wanted = np.minimum(c, _count(apart, owner, range(n), by_attribute))
    in_a_row = 0
    while untested and (patience is None or in_a_row < patience):
        worth = [
            local_conflicts(apart, owner, kept, tau).sum()
            if merit == "local"
            else apart[:, tau].sum()
            for tau in untested
        ]
        tau = untested.pop(int(np.argmin(worth)))
        left = [k for k in kept if k != tau]
        n_short = (_count(apart, owner, left, by_attribute) < wanted).sum()
        if n_short <= tolerance * len(apart):
            kept, in_a_row = left, 0
        else:
            in_a_row += 1
    return kept


def _count(apart, owner, kept, by_attribute):
    kept = list(kept)
    return count_attributes(apart, owner, kept) if by_attribute else apart[:, kept].sum(axis=1)


def greedy(apart, c):
    """Take the candidate that separates most pairs with fewer than c separators, while any does."""
    chosen = []
    while True:
        is_short = apart[:, chosen].sum(axis=1) < c
        gains = apart[is_short].sum(axis=0)
        gains[chosen] = 0
        if not len(gains) or gains.max() == 0:
            return chosen
        chosen.append(int(np.argmax(gains)))
