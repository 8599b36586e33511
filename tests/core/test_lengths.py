"""Lengths and structure costs that the core computes for Python."""

import math

import numpy as np
import pytest
from scipy.special import gammaln

from partage import _core


def test_part_lengths_follow_the_formula() -> None:
    rng = np.random.default_rng(3)
    counts = rng.integers(0, 50, size=(200, 4)).astype(float)
    counts[0] = 0.0
    sizes = counts.sum(axis=1)
    expected = gammaln(sizes + 4) - gammaln(4) - gammaln(counts + 1).sum(axis=1)
    np.testing.assert_allclose(_core.part_lengths(counts), expected, rtol=1e-13, atol=1e-12)


def test_lengths_and_structure_add_to_the_cost() -> None:
    rng = np.random.default_rng(3)
    counts = rng.integers(1, 50, size=(7, 3)).astype(float)
    structure = _core.structure_cost(7, counts.sum(axis=0).tolist())
    total = structure + _core.part_lengths(counts).sum()
    assert total == pytest.approx(_core.cost(counts, "modl", []), rel=1e-14)


def test_structure_of_values_in_any_order() -> None:
    # Four values form 1 + 7 partitions of at most two groups.
    found = _core.structure_cost(2, [5.0, 6.0], n_values=4)
    assert found == pytest.approx(math.log(4) + math.log(8))


def test_binomials_and_universal_lengths() -> None:
    assert _core.log_binomial(10, 3) == pytest.approx(math.log(120))
    assert _core.universal_length(1) == pytest.approx(math.log2(2.865))
    assert _core.universal_length(16) == pytest.approx(math.log2(2.865) + 4 + 2 + 1)


def _values(weights: list[float]) -> _core.Line:
    n = len(weights)
    codes = (np.arange(n) % 2).astype(np.uint16)
    starts = np.arange(n + 1, dtype=np.uint32)
    return _core.line_from_entries(codes, np.array(weights), starts, 2)


def test_structure_of_garbage_groups_takes_the_cheapest_threshold() -> None:
    values = _values([9.0, 1.0, 1.0, 12.0, 3.0])
    bit = math.log(2)

    def price(threshold: float, n_values: int) -> float:
        choice = bit * (1 + (_core.universal_length(threshold) if threshold >= 2 else 0))
        return choice + math.log(n_values) + _core.log_set_partitions(n_values, 2)

    # The three rare values are in one group: the thresholds 1, 2 and 4 are open, 10 is not.
    group_of = np.array([0, 1, 1, 0, 1])
    expected = min(price(1, 5), price(2, 4), price(4, 3))
    assert _core.garbage_structure(values, group_of, 2) == pytest.approx(expected)
    apart = np.array([0, 0, 1, 0, 1])
    assert _core.garbage_structure(values, apart, 2) == pytest.approx(price(1, 5))
