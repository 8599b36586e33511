"""Parts looked for again from their counts: the same as a fit of the rows under these limits."""

import re

import numpy as np
import pandas as pd
import pytest

import partage as pt

LIMITS = [
    {"max_parts": 3},
    {"n_parts": 4},
    {"max_parts": 5, "monotonic": "ascending"},
    {"min_part_size": 0.15},
    {"min_class_count": 90, "max_parts": 6},
    {"round_cuts": 20.0},
]


def ages(n=3000, seed=0):
    rng = np.random.default_rng(seed)
    age = np.round(rng.normal(40, 12, n), 1)
    late = (rng.random(n) < 1 / (1 + np.exp(-(age - 40) / 8))).astype(int)
    return np.where(rng.random(n) < 0.05, np.nan, age), late


def towns(n=3000, seed=1):
    rng = np.random.default_rng(seed)
    town = rng.integers(0, 40, n)
    late = (rng.random(n) < np.array([0.1, 0.4, 0.7])[town % 3]).astype(int)
    return np.array([f"t{i}" for i in town]), late


@pytest.mark.parametrize("limits", LIMITS, ids=str)
@pytest.mark.parametrize("seed", [3, 4])
def test_intervals_are_those_of_a_fit_under_the_limits(limits, seed):
    x, y = ages(seed=seed)
    start = pt.discretize(x, y, name="age").merge(0, 1)
    again, fitted = start.optimize(**limits), pt.discretize(x, y, name="age", **limits)
    assert again.cuts.tolist() == fitted.cuts.tolist()
    assert again.cost == pytest.approx(fitted.cost, rel=1e-12)
    assert again.is_optimal == fitted.is_optimal
    assert dict(again.constraints) == dict(fitted.constraints)
    assert again.price == pytest.approx(fitted.price, abs=1e-6)
    assert np.array_equal(again.counts, fitted.counts)
    assert again.undo() == start


def test_groups_are_those_of_a_fit_under_the_limits():
    x, y = towns()
    start = pt.group(x, y, name="town").move(["t0", "t3"], to=1)
    again, fitted = start.optimize(max_parts=2), pt.group(x, y, name="town", max_parts=2)
    assert again.groups == fitted.groups
    assert again.cost == pytest.approx(fitted.cost, rel=1e-12)


def test_ordered_groups_and_numbers_are_found_again():
    x, y = ages()
    letters = np.array(list("abcdefgh"))[
        np.clip((np.nan_to_num(x, nan=40) - 10) / 9, 0, 7).astype(int)
    ]
    size = pd.Series(pd.Categorical(letters, ordered=True))
    p = pt.group(size, y).optimize(max_parts=2, monotonic="ascending")
    assert p.groups == pt.group(size, y, max_parts=2, monotonic="ascending").groups
    amount = np.nan_to_num(x, nan=3.0) + np.random.default_rng(1).normal(0, 5, len(x))
    q = pt.discretize(x, amount).optimize(max_parts=3)
    assert q.cuts.tolist() == pt.discretize(x, amount, max_parts=3).cuts.tolist()


def test_locked_cuts_stay_and_moving_one_afterwards_is_a_violation():
    x, y = ages()
    start = pt.discretize(x, y, name="age").set_cuts([22, 33, 50])
    again = start.optimize(locked=[33], max_parts=4)
    fitted = pt.discretize(x, y, user_cuts=[33], max_parts=4)
    assert again.cuts.tolist() == fitted.cuts.tolist()
    assert 33 in again.cuts
    assert again.history[-1].action == "optimize(max_parts=4, locked=[33])"
    assert again.set_cuts([30, 50]).violations == ("user_cuts",)
    assert again.optimize(max_parts=4).violations == ()


def test_locked_groups_stay_and_the_others_are_the_best_of_their_values():
    x, y = towns()
    start = pt.group(x, y).move(["t0", "t3"], to=1)
    kept = set(start.groups[1])
    again = start.optimize(locked=[1])
    assert kept in [set(group) for group in again.groups]
    others = ~np.isin(x, list(kept))
    alone = {frozenset(group) for group in pt.group(x[others], y[others]).groups}
    assert {frozenset(group) for group in again.groups} == alone | {frozenset(kept)}
    assert sorted(v for group in again.groups for v in group) == sorted(set(x))


def test_missing_values_are_set_apart_again():
    x, y = ages()
    start = pt.discretize(x, y, name="age")
    joined = start.merge(2, "missing")
    apart = joined.set_apart("missing", reason="policy", who="Ada")
    assert apart.missing_part is None
    assert np.array_equal(apart.counts, start.counts)
    assert apart.cost == pytest.approx(start.cost, rel=1e-12)
    assert apart.history[-1].price == pytest.approx(-joined.history[-1].price, abs=1e-6)
    assert (apart.history[-1].action, apart.history[-1].who) == ("set_apart('missing')", "Ada")
    assert joined.optimize(max_parts=2).missing_part is not None


@pytest.mark.parametrize(
    ("act", "error", "message"),
    [
        (
            lambda p, _: p.set_apart("missing"),
            ValueError,
            "Intervals.set_apart: beside must name values that were merged with a part of column "
            "'age' (none was); got 'missing'.",
        ),
        (
            lambda p, _: p.optimize(parts=3),
            TypeError,
            "Intervals.optimize: limits must be among n_parts, max_parts, min_part_size, "
            "min_class_count, monotonic, candidate_cuts, round_cuts; got 'parts'.",
        ),
        (
            lambda p, _: p.set_cuts([20, 40]).optimize(locked=[30]),
            ValueError,
            "Intervals.optimize: locked must hold cuts of column 'age', 20, 40; got [30].",
        ),
        (
            lambda _, g: g.optimize(locked=[0, 1, 2]),
            ValueError,
            "Groups.optimize: locked must leave a group to change; got all 3.",
        ),
        (
            lambda _, g: g.optimize(max_parts=0),
            ValueError,
            "Groups.optimize: max_parts must be an integer of at least 1 or None; got 0.",
        ),
        (
            lambda _, g: g.move(["t0", "t1"], to=0),
            ValueError,
            "Groups.move: to must be another group than that of 't0'; got 0.",
        ),
        (
            lambda _, g: g.move([], to=0),
            ValueError,
            "Groups.move: value must name values of column 'town'; got none.",
        ),
    ],
)
def test_what_cannot_be_done_is_refused(act, error, message):
    p = pt.discretize(*ages(), name="age")
    g = pt.group(*towns(), name="town")
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        act(p, g)
