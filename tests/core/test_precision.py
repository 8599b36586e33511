"""Costs against arithmetic of 50 digits, for weights from 1e-3 to 1e15."""

import random
from itertools import pairwise

import numpy as np
import pytest

import partage as pt
from partage import _core

mp = pytest.importorskip("mpmath")


def exact_length(row):
    """MODL's length of a part from its formula, in 50 digits."""
    with mp.workdps(50):
        counts = [mp.mpf(count) for count in row]
        n, n_classes = sum(counts), len(counts)
        inside = sum(mp.loggamma(count + 1) for count in counts)
        return mp.loggamma(n + n_classes) - mp.loggamma(n_classes) - inside


def exact_cost(rows):
    with mp.workdps(50):
        n, k = sum(mp.mpf(count) for row in rows for count in row), len(rows)
        choices = mp.loggamma(n + k) - mp.loggamma(n + 1) - mp.loggamma(k)
        return mp.log(n) + choices + sum(map(exact_length, rows))


def draw(choice, n_classes):
    """Weights of every size, often nearly pure."""
    kinds = [
        0.0,
        1.0,
        choice.random(),
        10 ** choice.uniform(-3, 15),
        float(choice.randrange(10**9)),
    ]
    row = [choice.choice(kinds) for _ in range(n_classes)]
    if choice.random() < 0.4:
        row = [0.0] * (n_classes - 1) + [float(round(10 ** choice.uniform(0, 15)))]
    row[0] += 0.5
    return row


def test_lengths_of_parts_are_exact_to_1e_12():
    choice = random.Random(7)
    for _ in range(400):
        row = draw(choice, choice.choice([1, 2, 2, 3, 7, 60]))
        found = float(_core.part_lengths(np.array([row]))[0])
        assert found == pytest.approx(float(exact_length(row)), rel=1e-12, abs=1e-300)


def test_costs_of_partitions_are_exact_to_1e_12():
    choice = random.Random(8)
    for _ in range(200):
        n_classes = choice.choice([2, 3])
        rows = [draw(choice, n_classes) for _ in range(choice.choice([1, 2, 5, 40]))]
        found = _core.cost(np.array(rows), "modl", [])
        assert found == pytest.approx(float(exact_cost(rows)), rel=1e-12)


@pytest.mark.parametrize("scale", [1.0, 1e9, 1e12, 1e14])
def test_huge_weights_lose_no_cut_of_a_nearly_pure_column(scale):
    # The classes differ by few rows among very many: costs stay small, differences of
    # log-factorials would drown them.
    x = np.repeat(np.arange(8.0), 2)
    y = np.tile(["a", "b"], 8)
    weights = np.array([scale, 0] * 4 + [scale, 3] * 4, dtype=float)
    weights[1:8:2] = 0.0
    p = pt.discretize(x, y, sample_weight=weights)
    counts = weights.reshape(8, 2)
    every = [[0, *cut, 8] for cut in ([], *([i] for i in range(1, 8)))]
    costs = [exact_cost([counts[a:b].sum(axis=0) for a, b in pairwise(cuts)]) for cuts in every]
    assert p.cost <= float(min(costs)) + 1e-9 * abs(float(min(costs)))


def test_costs_beyond_1e9_nats_are_not_called_proven():
    x = np.repeat(np.arange(6.0), 2)
    y = ["a", "b"] * 6
    p = pt.discretize(x, y, sample_weight=np.full(12, 1e13))
    assert not p.is_optimal
    assert p.gap >= 1e-9 * p.cost / np.log(2) * 0.999
    small = pt.discretize(x, y, sample_weight=np.full(12, 1e3))
    assert small.is_optimal
    assert small.gap == 0.0
