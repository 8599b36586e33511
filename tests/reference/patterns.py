"""Patterns by their definitions: every conjunction of literals is looked at.

``literals`` is a table of booleans, columns 2k and 2k + 1 for a condition and its opposite.
"""

import itertools
import math

import numpy as np


def covered(literals, term):
    """Which rows satisfy every literal of a term."""
    return literals[:, list(term)].all(axis=1)


def is_pattern(literals, positive, term, min_precision):
    """Whether a term covers rows of the class, in at least that share of all it covers."""
    rows = covered(literals, term)
    n = (rows & positive).sum()
    return bool(n > 0 and n >= min_precision * rows.sum() - 1e-9)


def is_prime(literals, positive, term, min_precision):
    """Whether a term is a pattern and no longer one without any of its literals."""
    return is_pattern(literals, positive, term, min_precision) and not any(
        is_pattern(literals, positive, [k for k in term if k != out], min_precision) for out in term
    )


def prime_patterns(literals, positive, max_degree, min_precision=1.0):
    """All prime patterns of at most so many literals."""
    n = literals.shape[1]
    return [
        term
        for degree in range(1, max_degree + 1)
        for term in itertools.combinations(range(n), degree)
        if is_prime(literals, positive, term, min_precision)
    ]


def best_patterns(literals, positive, terms, n_best):
    """For each row of the class its widest patterns; the union, widest first."""

    def rank(term):
        rows = covered(literals, term)
        return (-(rows & positive).sum(), (rows & ~positive).sum(), len(term), term)

    kept = set()
    for row in np.flatnonzero(positive):
        fitting = [term for term in terms if literals[row, list(term)].all()]
        kept |= set(sorted(fitting, key=rank)[:n_best])
    return sorted(kept, key=rank)


def gain(literals, positive, term, max_degree):
    """Nats that a term saves of the description of a class, less its own length."""

    def length(rows):
        n, k = rows.sum(), (rows & positive).sum()
        return math.log(n + 1) + math.log(math.comb(n, k))

    inside = covered(literals, term)
    everything = np.ones(len(positive), dtype=bool)
    saved = length(everything) - length(inside) - length(~inside)
    n, d = literals.shape[1] // 2, len(term)
    own = math.log(2) + math.log(max_degree) + math.log(math.comb(n, d)) + d * math.log(2)
    is_for = (inside & positive).sum() * len(positive) > inside.sum() * positive.sum()
    return (saved if is_for else -saved) - own


def priced_patterns(literals, positive, max_degree):
    """All terms that pay for themselves, and do not cover what they cover with a literal fewer."""
    found = {}
    for degree in range(1, max_degree + 1):
        for term in itertools.combinations(range(literals.shape[1]), degree):
            if len({k // 2 for k in term}) < degree:
                continue
            value = gain(literals, positive, term, max_degree)
            if value > 0:
                found[term] = value
    return found
