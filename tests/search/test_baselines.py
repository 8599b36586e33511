"""Equal width and equal frequency: the baselines that do not look at the classes."""

import math

import numpy as np
import pytest

import partage as pt

BASELINES = ["equal-width", "equal-frequency"]
CLASSES = [[0, 1] * 8, [0] * 8 + [1] * 8]


@pytest.mark.parametrize("y", CLASSES)
def test_equal_frequency_gives_parts_of_equal_size(y):
    x = np.concatenate([np.linspace(0, 1, 12), [10.0] * 4])
    p = pt.discretize(x, y, method="equal-frequency", n_parts=4)
    assert p.counts.sum(axis=1).tolist() == [4, 4, 4, 4]


@pytest.mark.parametrize("y", CLASSES)
def test_equal_width_separates_the_values_of_equal_stretches(y):
    x = np.array([0, 0.2, 2.4, 2.6, 3, 4.9, 5.1, 7.4, 7.6, 9, 9.9, 10, 10, 10, 10, 10])
    p = pt.discretize(x, y, method="equal-width", n_parts=4)
    assert p.counts.sum(axis=1).tolist() == [3, 3, 2, 8]


def test_equal_frequency_never_separates_equal_values():
    x = np.array([1.0] * 9 + [2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0])
    p = pt.discretize(x, CLASSES[0], method="equal-frequency", max_parts=4)
    assert p.counts[0].sum() >= 9


@pytest.mark.parametrize("method", BASELINES)
@pytest.mark.parametrize(
    "x",
    [
        np.arange(16.0),
        np.arange(16) + 2**60,
        np.arange(16, dtype=np.uint64) + np.uint64(2**63),
        np.arange("2020-01-01", "2020-01-17", dtype="M8[D]"),
        np.linspace(-1, 1, 16) * 1.7e308,
    ],
    ids=["floats", "large integers", "unsigned integers", "dates", "huge floats"],
)
def test_even_values_of_any_kind_give_even_parts(method, x):
    p = pt.discretize(x, CLASSES[0], method=method, n_parts=4)
    assert p.counts.sum(axis=1).tolist() == [4, 4, 4, 4]


@pytest.mark.parametrize("method", BASELINES)
def test_infinities_fall_into_the_outer_parts(method):
    x = np.array([-math.inf] * 2 + list(range(12)) + [math.inf] * 2)
    p = pt.discretize(x, CLASSES[0], method=method, n_parts=4)
    assert p.n_parts == 4
    assert p.assign([-math.inf, math.inf]).tolist() == [0, 3]


@pytest.mark.parametrize("method", BASELINES)
def test_minimum_size_is_honoured(method):
    x = np.array([0, 1, 2, 3, 4, 5, 6, 7, 100, 350, 700, 1000, 1001, 1002, 1003, 1004.0])
    p = pt.discretize(x, CLASSES[0], method=method, max_parts=8, min_part_size=4)
    assert p.counts.sum(axis=1).min() >= 4
    assert p.n_parts > 1


@pytest.mark.parametrize("method", BASELINES)
def test_cost_and_level_are_those_of_modl(method):
    p = pt.discretize(np.arange(16.0), CLASSES[1], method=method, n_parts=2)
    modl = pt.discretize(np.arange(16.0), CLASSES[1], n_parts=2)
    assert p.cuts.tolist() == modl.cuts.tolist()
    assert (p.cost, p.null_cost, p.level) == (modl.cost, modl.null_cost, modl.level)
    assert p.is_optimal == (p.gap == 0.0)
