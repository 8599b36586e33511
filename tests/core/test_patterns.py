"""Patterns of the core against their definitions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import examples
from partage import _core
from reference import patterns as slow

BUDGET = 10**9


@st.composite
def binary_tables(draw, max_rows=70, max_conditions=4):
    """Draw rows of true, false and missing conditions, and which rows are of the class."""
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    n = draw(st.integers(2, max_rows))
    bits = rng.integers(0, 2, size=(n, draw(st.integers(1, max_conditions))))
    gone = rng.random(bits.shape) < draw(st.sampled_from([0.0, 0.2]))
    rule = bits[:, 0] == 1 if draw(st.booleans()) else bits.sum(axis=1) % 2 == 1
    positive = rule ^ (rng.random(n) < draw(st.sampled_from([0.0, 0.1, 0.4])))
    positive[0], positive[1] = True, False
    return (bits == 1) & ~gone, (bits == 0) & ~gone, positive


def find(holds, fails, positive, *, wide=False, degree=3, precision=1.0, n_best=2, weights=None):
    flat = [np.ascontiguousarray(side.T).view(np.uint8).ravel() for side in (holds, fails)]
    literals = _core.Literals(*flat, len(holds), weights)
    kind = "maximal" if wide else "prime"
    mask = positive.astype(np.uint8)
    found = _core.find_patterns(
        literals, mask, kind, degree, precision, 0.0, n_best, 1.0, BUDGET, None
    )
    return [some[:3] for some in found]


def as_literals(holds, fails):
    table = np.empty((len(holds), 2 * holds.shape[1]), dtype=bool)
    table[:, 0::2], table[:, 1::2] = holds, fails
    return table


def test_definitions_worked_by_hand():
    # Class: a and not b. Literals a, not a, b, not b.
    bits = np.array([[1, 0], [1, 1], [0, 0], [0, 1]]) == 1
    literals = as_literals(bits, ~bits)
    positive = np.array([True, False, False, False])
    assert slow.prime_patterns(literals, positive, 2) == [(0, 3)]
    assert slow.prime_patterns(literals, ~positive, 2) == [(1,), (2,)]
    assert slow.best_patterns(literals, ~positive, [(1,), (2,)], 1) == [(1,), (2,)]


@settings(max_examples=examples(80))
@given(
    table=binary_tables(),
    degree=st.integers(1, 4),
    precision=st.sampled_from([1.0, 0.9, 0.7]),
    n_best=st.integers(1, 4),
)
def test_enumerated_patterns_are_the_widest_prime_ones(table, degree, precision, n_best):
    holds, fails, positive = table
    literals = as_literals(holds, fails)
    primes = slow.prime_patterns(literals, positive, degree, precision)
    wanted = slow.best_patterns(literals, positive, primes, n_best)
    found = find(*table, degree=degree, precision=precision, n_best=n_best)
    enumerated = {term for term, _, _ in found} & set(primes)
    assert enumerated >= set(wanted)
    # The others were grown from rows that no enumerated pattern covers.
    alone = positive.copy()
    for term in primes:
        alone &= ~slow.covered(literals, term)
    for term, _, _ in found:
        if term not in wanted:
            assert (slow.covered(literals, term) & alone).any()


@settings(max_examples=examples(80))
@given(table=binary_tables(), wide=st.booleans(), precision=st.sampled_from([1.0, 0.8]))
def test_every_pattern_is_prime_and_counted_right(table, wide, precision):
    holds, fails, positive = table
    literals = as_literals(holds, fails)
    found = find(*table, wide=wide, precision=precision)
    assert len({term for term, _, _ in found}) == len(found)
    for term, n_positive, n_negative in found:
        rows = slow.covered(literals, term)
        assert n_positive == (rows & positive).sum()
        assert n_negative == (rows & ~positive).sum()
        assert term == () or slow.is_prime(literals, positive, term, precision)


@settings(max_examples=examples(60))
@given(table=binary_tables(), wide=st.booleans())
def test_every_row_that_conditions_tell_from_the_others_is_covered(table, wide):
    holds, fails, positive = table
    literals = as_literals(holds, fails)
    found = find(*table, wide=wide, degree=2)
    covered = np.zeros(len(positive), dtype=bool)
    for term, _, _ in found:
        covered |= slow.covered(literals, term)
    for row in np.flatnonzero(positive):
        own = np.flatnonzero(literals[row])
        is_alone = not (slow.covered(literals, own) & ~positive).any()
        if is_alone and not covered[row]:
            pytest.fail(f"row {row} is not covered")


@given(table=binary_tables(max_rows=20), weights=st.data())
def test_whole_weights_are_repetitions(table, weights):
    n = len(table[2])
    counts = np.array(weights.draw(st.lists(st.integers(1, 3), min_size=n, max_size=n)))
    repeated = [np.repeat(side, counts, axis=0) for side in table]
    for wide in (False, True):
        assert find(*table, wide=wide, weights=counts.astype(float)) == find(*repeated, wide=wide)


def test_a_budget_lowers_the_degree_but_not_below_two():
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2, size=(60, 10)) == 1
    positive = rng.random(60) < 0.5
    flat = [np.ascontiguousarray(side.T).view(np.uint8).ravel() for side in (bits, ~bits)]
    literals = _core.Literals(*flat, 60, None)
    mask = positive.astype(np.uint8)
    few = _core.find_patterns(literals, mask, "prime", 4, 1.0, 0.0, 50, 1.0, 1, None)
    two = _core.find_patterns(literals, mask, "prime", 2, 1.0, 0.0, 50, 1.0, 10**9, None)
    four = _core.find_patterns(literals, mask, "prime", 4, 1.0, 0.0, 50, 1.0, 10**9, None)
    assert [some[:3] for some in few] == [some[:3] for some in two]
    assert [some[:3] for some in four] != [some[:3] for some in two]


@pytest.mark.parametrize("seed", range(12))
def test_priced_patterns_are_the_best_of_each_row(seed):
    rng = np.random.default_rng(seed)
    n, n_conditions, n_best = 90, 5, 3
    holds = rng.random((n, n_conditions)) < 0.5
    is_known = rng.random((n, n_conditions)) < 0.95
    rule = holds[:, 0] & ~holds[:, 1] if seed % 2 else holds[:, 2]
    positive = rule ^ (rng.random(n) < 0.1)
    sides = (holds & is_known, ~holds & is_known)
    table = np.empty((n, 2 * n_conditions), dtype=bool)
    table[:, 0::2], table[:, 1::2] = sides
    flat = [np.asfortranarray(side).ravel(order="F").view(np.uint8) for side in sides]
    core = _core.Literals(*flat, n, None)
    mask = positive.astype(np.uint8)
    found = _core.find_patterns(core, mask, "priced", 3, 0.0, 0.0, n_best, 1.0, 10**9, None)
    every = slow.priced_patterns(table, positive, 3)
    for term, positives, negatives, gain, length in found:
        rows = slow.covered(table, term)
        assert positives == (rows & positive).sum()
        assert negatives == (rows & ~positive).sum()
        assert gain == pytest.approx(every[tuple(term)])
        assert length > 0
    terms = {tuple(term) for term, *_ in found}
    # Each row of the class keeps its best, of those that cover alike the one that saves most.
    for row in np.flatnonzero(positive):
        alike = {}
        for term, value in every.items():
            rows = slow.covered(table, term)
            if rows[row]:
                key = ((rows & positive).sum(), (rows & ~positive).sum())
                alike[key] = max(alike.get(key, 0.0), value)
        best = sorted(alike.values(), reverse=True)[:n_best]
        kept = [every[term] for term in terms if slow.covered(table, term)[row]]
        for value in best:
            assert any(abs(value - other) < 1e-9 for other in kept)
