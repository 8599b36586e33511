"""Classes with an order, of which parts may tell neighbours as one."""

import numpy as np
import pandas as pd
import pytest

import partage as pt
from helpers import FULL
from reference.numbers import lowest_ordered_cost, ordered_cost

N_SEEDS = 60 if FULL else 20


def graded(seed, n=160, n_values=6, n_classes=5, border=None):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, n_values, n)
    border = border or int(rng.integers(1, n_classes))
    y = rng.integers(0, n_classes, n)
    high = rng.integers(border, n_classes, n)
    return x, np.where((x > 2) & (rng.uniform(size=n) < 0.6), high, y)


def table_of(x, y):
    table = np.zeros((x.max() + 1, y.max() + 1))
    np.add.at(table, (x, y), 1)
    return table


def test_costs_are_those_of_enumeration():
    equal = 0
    for seed in range(N_SEEDS):
        x, y = graded(seed)
        p = pt.discretize(x.astype(float), y, target_type="ordered")
        starts = [0, *(p.target.joined or ())] if p.n_parts > 1 else [0]
        table = table_of(p.assign(x.astype(float)), y)
        assert p.cost == pytest.approx(ordered_cost(table, starts), rel=1e-9)
        lowest = lowest_ordered_cost(table_of(x, y))
        assert p.cost >= lowest * (1 - 1e-9)
        equal += p.cost <= lowest * (1 + 1e-9)
        assert not p.is_optimal or p.cost <= lowest * (1 + 1e-9)
    assert equal >= 0.95 * N_SEEDS


def test_one_border_of_many_grades_takes_less():
    costs = dict.fromkeys(("ordered", "class"), 0.0)
    for seed in range(10):
        rng = np.random.default_rng(seed)
        x = rng.uniform(size=1000)
        y = rng.integers(0, 10, 1000)
        y = np.where((x > 0.5) & (rng.uniform(size=1000) < 0.5), rng.integers(5, 10, 1000), y)
        for kind in costs:
            costs[kind] += pt.discretize(x, y, target_type=kind).cost
    assert costs["ordered"] < costs["class"] - 10


def test_a_partition_names_its_target():
    x, y = graded(0)
    for asked in ("ordered", "class", "number"):
        p = pt.discretize(x.astype(float), y, target_type=asked)
        assert (p.target_type, pt.from_dict(p.to_dict()).target_type) == (asked, asked)


def test_noise_stays_whole():
    cut = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        x, y = rng.uniform(size=200), rng.integers(0, 6, 200)
        cut += pt.discretize(x, y, target_type="ordered").n_parts > 1
    assert cut <= 1


def test_an_ordered_categorical_has_its_own_order():
    x, y = graded(3, n=600, border=3)
    names = ["worst", "bad", "fair", "good", "best"]
    given = pd.Series(pd.Categorical.from_codes(y, names, ordered=True))
    p = pt.discretize(x.astype(float), y, target_type="ordered")
    q = pt.discretize(x.astype(float), given, target_type="ordered", monotonic="ascending")
    assert p.cuts.tolist() == q.cuts.tolist()
    assert p.cost == pytest.approx(q.cost)
    assert p.target.joined == q.target.joined
    assert pt.from_dict(q.to_dict()) == q
    assert str(q.explain())
    falling = pt.discretize(x.astype(float), given, target_type="ordered", monotonic="descending")
    assert falling.n_parts == 1
    grouped = pt.group(x.astype(str), y, target_type="ordered")
    assert [sorted(g) for g in grouped.groups] == [["0", "1", "2"], ["3", "4", "5"]]


def test_level_is_on_the_scale_of_classes():
    x, y = graded(1, n=800, border=3)
    p, q = (pt.discretize(x.astype(float), y, target_type=kind) for kind in ("ordered", "class"))
    assert p.null_cost == pytest.approx(q.null_cost)
    assert p.level >= q.level - 1e-3
    assert p.counts.shape[1] == 5
    assert "do not tell apart" in str(p.explain()) or len(p.target.joined) == 4
    rates = p.certainty().rates(x)
    assert rates.shape == (800, 5)
    np.testing.assert_allclose(rates.sum(axis=1), 1)
    inside = p.target.of_each_class(np.ones((1, len(p.target.starts))), p.total())
    assert inside.sum() == pytest.approx(len(p.target.starts))


REFUSED = [
    (
        {"y": list("abab")},
        "target_type='ordered' needs classes with an order: numbers, or an ordered categorical "
        "series; got text such as 'a'.",
    ),
    (
        {"min_class_count": 1},
        "min_class_count is not for target_type='ordered', of which classes are joined; use "
        "min_part_size.",
    ),
    (
        {"method": "mdlpc"},
        "method='mdlpc' is not for a y of classes; use one of 'modl'.",
    ),
]


@pytest.mark.parametrize(("given", "message"), REFUSED)
def test_what_an_order_has_not_is_refused(given, message):
    given = {"y": [0, 1, 2, 1], "target_type": "ordered", **given}
    with pytest.raises(ValueError) as error:  # noqa: PT011  # the whole text follows
        pt.discretize([1, 2, 3, 4], **given)
    assert str(error.value) == f"discretize: {message}"


def test_pieces_cannot_be_added():
    model = pt.Discretizer(target_type="ordered")
    with pytest.raises(ValueError, match=r"^Discretizer\.partial_fit: target_type='ordered' needs"):
        model.partial_fit([[1.0], [2.0]], [0, 1])
