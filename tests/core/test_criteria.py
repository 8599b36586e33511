"""Every criterion of the core against its slow twin."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from partage import _core
from partage._search.core import partition_cost
from partage._search.methods import methods
from reference.criteria import COSTS, exact_modl
from strategies import tables

PARAMS = [
    ("fusinter", {"alpha": 0.9, "lambda": 0.5}),
    ("fusinter", {"entropy": "shannon"}),
    ("fusinter", {"entropy": "quadratic", "alpha": 0.5, "lambda": 3.0}),
]
ENTRIES = {row["name"]: row for row in _core.criteria()}
WHOLE = [
    name for name, row in ENTRIES.items() if row["own_cost"] and row["reads"] == "counts"
]  # those that read a number are in test_numbers.py


@pytest.mark.parametrize("criterion", WHOLE)
@given(parts=tables(max_count=30))
def test_core_gives_the_cost_of_the_formula(criterion, parts):
    expected = COSTS[criterion](parts)
    assert partition_cost(parts, criterion) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(("criterion", "params"), PARAMS)
@given(parts=tables(max_count=30))
def test_core_reads_the_parameters_of_a_criterion(criterion, params, parts):
    expected = COSTS[criterion](parts, **params)
    numbers = methods()[criterion].numbers("test", params)
    assert partition_cost(parts, criterion, numbers) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("criterion", WHOLE)
@given(parts=tables(max_units=4), scale=st.floats(0.1, 50))
def test_core_continues_the_formula_between_whole_counts(criterion, parts, scale):
    expected = COSTS[criterion](parts * scale)
    assert partition_cost(parts * scale, criterion) == pytest.approx(expected, rel=1e-11, abs=1e-11)


@pytest.mark.parametrize("criterion", WHOLE)
@given(parts=tables(min_classes=3), data=st.data())
def test_relabelled_classes_have_the_same_cost(criterion, parts, data):
    order = data.draw(st.permutations(range(parts.shape[1])))
    relabelled = partition_cost(parts[:, order], criterion)
    assert relabelled == pytest.approx(partition_cost(parts, criterion), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("criterion", WHOLE)
@given(parts=tables())
def test_reversed_parts_have_the_same_cost(criterion, parts):
    turned = partition_cost(parts[::-1], criterion)
    assert turned == pytest.approx(partition_cost(parts, criterion), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("n", [10, 999, 1000, 4096, 65_537])
def test_modl_is_exact_for_small_and_large_counts(n):
    parts = np.array([[n, n // 3], [1, n // 7 + 2]], dtype=float)
    assert partition_cost(parts, "modl") == pytest.approx(exact_modl(parts), rel=1e-13)


def test_modl_of_a_hundred_million_rows_keeps_its_digits():
    n = 10**8
    parts = np.array([[n, 0], [0, n]], dtype=float)
    expected = math.log(2 * n) + math.log(2 * n + 1) + 2 * math.log(n + 1)
    assert partition_cost(parts, "modl") == pytest.approx(expected, abs=1e-5)


def test_modl_of_a_hundred_classes_is_the_formula():
    parts = np.random.default_rng(3).integers(0, 9, size=(5, 120)).astype(float)
    assert partition_cost(parts, "modl") == pytest.approx(exact_modl(parts), rel=1e-12)


def test_every_criterion_that_judges_partitions_has_a_twin():
    assert {"modl", "gini"} <= set(WHOLE) <= set(COSTS)


def test_entries_say_what_a_criterion_reads_and_serves():
    searches = {row["name"] for row in _core.searches()}
    for name, row in ENTRIES.items():
        assert row["searches"], name
        assert set(row["searches"]) <= searches - {"auto"}
        assert row["reads"] in ("counts", "moments")
        assert row["unit"] in ("nats", "own")
        assert "line" in row["spaces"]
        assert set(row["spaces"]) <= {"line", "any"}
    in_nats = [name for name, row in ENTRIES.items() if row["unit"] == "nats"]
    assert in_nats == ["modl", "khiops11", "entropy", "scores", "rates", "tweedie", "contrast"]
