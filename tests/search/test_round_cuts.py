"""Round cuts within a budget: against the enumeration of all partitions, and under other limits."""

import itertools
import math
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import partage as pt
from helpers import assert_refuses, examples
from partage._data.column import Kind
from partage._data.cut_places import round_cut
from reference.criteria import COSTS
from reference.cut_places import decimal_of, digits_of, roundest_number
from reference.searches import contiguous_partitions

BIT = math.log(2)


@pytest.fixture(scope="module")
def amounts():
    """Amounts in cents, and a class that changes near 20 and 60."""
    rng = np.random.default_rng(0)
    x = np.round(rng.lognormal(3, 1.2, 3000), 2)
    rate = np.select([x < 20.01, x < 59.6], [0.2, 0.6], 0.9)
    return x, (rng.random(3000) < rate).astype(int)


def counts_of(x, y, cuts):
    """Class counts between cuts."""
    codes = np.searchsorted(cuts, x, side="left")
    return np.array(
        [
            [(codes == k).sum() - y[codes == k].sum(), y[codes == k].sum()]
            for k in range(len(cuts) + 1)
        ],
        dtype=float,
    )


def roundest_by_enumeration(x, y, bits, criterion):
    """Costs and levels of the cuts that the definition allows: several where costs tie."""
    values = [float(v) for v in np.unique(x)]
    pairs = list(itertools.pairwise(values))
    cuts = [roundest_number(decimal_of(low), decimal_of(high)) for low, high in pairs]
    level_of = {start + 1: digits_of(cut) for start, cut in enumerate(cuts)}
    costs = {}
    for starts in contiguous_partitions(len(values)):
        chosen = [float(cuts[start - 1]) for start in starts[1:]]
        costs[frozenset(starts[1:])] = COSTS[criterion](counts_of(x, y, chosen))
    best = min(costs.values())
    slack = 1e-9 * abs(best)
    most = best + bits * (BIT if criterion == "modl" else 1.0) + slack

    def go_on(optimum, kept):
        """Levels and costs that are reached from an optimum whose kept cuts stay."""
        if optimum == kept:
            return {(tuple(sorted(level_of[start] for start in optimum)), costs[optimum])}
        within = [
            (max(level_of[start] for start in cut - kept), cost, cut)
            for cut, cost in costs.items()
            if len(cut) == len(optimum) and kept <= cut and cost <= most
        ]
        lowest = min(level for level, _, _ in within)
        if lowest == max(level_of[start] for start in optimum - kept):
            chosen = [optimum]  # it cannot be rounder
        else:
            least = min(cost for level, cost, _ in within if level == lowest)
            near = [c for level, cost, c in within if level == lowest and cost <= least + slack]
            chosen = near
        found = set()
        for cut in chosen:
            found |= go_on(cut, kept | {s for s in cut - kept if level_of[s] == lowest})
        return found

    optima = [cut for cut, cost in costs.items() if cost <= best + slack]
    fewest = min(map(len, optima))
    return set().union(*(go_on(cut, frozenset()) for cut in optima if len(cut) == fewest))


@settings(max_examples=examples(60), deadline=None)
@given(
    values=st.lists(st.integers(1, 400), min_size=2, max_size=8, unique=True),
    scale=st.sampled_from([1.0, 10.0, 0.01]),
    seed=st.integers(0, 1000),
    bits=st.sampled_from([0.0, 0.5, 2.0, 20.0]),
    criterion=st.sampled_from(["modl", "gini"]),
)
def test_round_cuts_are_those_of_the_enumeration(values, scale, seed, bits, criterion):
    rng = np.random.default_rng(seed)
    x = np.repeat(np.array(values) * scale if scale >= 1 else np.array(values) / 100, 12)
    y = (rng.random(len(x)) < rng.choice([0.05, 0.5, 0.95], len(values)).repeat(12)).astype(int)
    y[:2] = 0, 1
    p = pt.discretize(x, y, round_cuts=bits, method=criterion)
    wanted = roundest_by_enumeration(x, y, bits, criterion)
    levels = tuple(sorted(digits_of(decimal_of(cut)) for cut in p.cuts.tolist()))
    assert p.is_optimal
    assert any(levels == one and p.cost == pytest.approx(cost, rel=1e-9) for one, cost in wanted)
    assert p.price <= bits + 1e-6
    assert p.counts.tolist() == counts_of(x, y, p.cuts).tolist()


def test_larger_budgets_give_rounder_cuts(amounts):
    x, y = amounts
    free = pt.discretize(x, y)
    found = {bits: pt.discretize(x, y, round_cuts=bits) for bits in (0, 1, 5)}
    assert [p.n_parts for p in found.values()] == [free.n_parts] * 3
    for bits, p in found.items():
        assert p.price <= bits
        assert p.cost == pytest.approx(free.cost + p.price * BIT, rel=1e-12)
        assert p.is_optimal
    levels = [max(digits_of(decimal_of(cut)) for cut in p.cuts.tolist()) for p in found.values()]
    assert levels == sorted(levels, reverse=True)
    assert levels[0] > levels[-1]
    assert found[0].counts.tolist() == free.counts.tolist()
    assert found[5].labels() == ["(-inf, 20]", "(20, 60]", "(60, inf)"]


def test_user_cuts_and_trends_stay(amounts):
    x, y = amounts
    p = pt.discretize(x, y, round_cuts=5, user_cuts=[33.333], monotonic="ascending")
    assert 33.333 in p.cuts
    others = [cut for cut in p.cuts.tolist() if cut != 33.333]
    assert max(digits_of(decimal_of(cut)) for cut in others) <= 2
    limited = pt.discretize(x, y, user_cuts=[33.333], monotonic="ascending")
    assert p.cost <= limited.cost + 5 * BIT
    assert p.constraints["round_cuts"] == 5.0
    rates = p.table()["rate_1"].tolist()[: p.n_parts]
    assert rates == sorted(rates)


def test_estimators_take_budgets_by_column(amounts):
    x, y = amounts
    frame = pd.DataFrame({"a": x, "b": x, "c": np.where(x > 30, "big", "small")})
    enc = pt.TablePartitioner(round_cuts={"a": 5}).fit(frame, y)
    assert enc["a"].labels() == ["(-inf, 20]", "(20, 60]", "(60, inf)"]
    assert enc["b"].cuts.tolist() == pt.discretize(x, y).cuts.tolist()
    by_parts = pt.Discretizer(round_cuts=5)
    for rows in (slice(0, 1000), slice(1000, None)):
        by_parts.partial_fit(frame[["a"]].iloc[rows], y[rows])
    assert by_parts["a"].cuts.tolist() == enc["a"].cuts.tolist()
    counted = pt.Contingency.of(frame.assign(y=y), "a", "y")
    assert counted.discretize(round_cuts=5).cuts.tolist() == enc["a"].cuts.tolist()
    weights = np.full(len(x), 1.0)
    weighed = pt.discretize(x, y, round_cuts=5, sample_weight=weights)
    assert weighed.cuts.tolist() == enc["a"].cuts.tolist()


def test_dates_are_cut_at_starts_of_years_if_that_is_cheap():
    rng = np.random.default_rng(1)
    days = pd.Timestamp("2015-06-01") + pd.to_timedelta(rng.integers(0, 3000, 2000), unit="D")
    y = (rng.random(2000) < np.where(days < pd.Timestamp("2019-01-03"), 0.3, 0.7)).astype(int)
    p = pt.discretize(days, y, round_cuts=10)
    assert p.labels() == ["(-inf, 2019-01-01]", "(2019-01-01, inf)"]


def test_special_values_missing_ones_and_constants_are_no_matter():
    x = [1.0, 2.0, np.nan, -999.0] * 10
    y = [0, 1, 0, 1] * 10
    p = pt.discretize(x, y, round_cuts=1, special_values=[-999])
    assert p.cuts.tolist() == [1.0]
    assert pt.discretize([7.0] * 9, [0, 1, 0] * 3, round_cuts=1).n_parts == 1
    assert pt.discretize([np.nan] * 4, [0, 1, 0, 1], round_cuts=1).n_parts == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"round_cuts": -1},
            "discretize: round_cuts must be a number of bits of at least 0, or None; got -1.",
        ),
        (
            {"round_cuts": math.nan},
            "discretize: round_cuts must be a number of bits of at least 0, or None; got nan.",
        ),
        (
            {"round_cuts": True},
            "discretize: round_cuts must be a number of bits of at least 0, or None; got True.",
        ),
        (
            {"round_cuts": 1, "candidate_cuts": [2]},
            "discretize: round_cuts and candidate_cuts exclude each other: the candidates say "
            "which cuts there may be. Leave one of the two out.",
        ),
        (
            {"round_cuts": 1, "method": "mdlpc"},
            "discretize, column 'x': round_cuts needs a method that judges whole partitions: "
            "'modl', 'khiops11', 'fusinter', 'chi2', 'tschuprow', 'cramer', 'entropy', 'gini', "
            "'averaged'; got method='mdlpc'.",
        ),
        (
            {"cut_style": "round"},
            "discretize: cut_style must be 'midpoint' or 'simple'; got 'round'.",
        ),
    ],
)
def test_what_cannot_be_is_refused(options, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        pt.discretize([1.0, 2.0, 3.0], [0, 1, 1], **options)


def test_budgets_of_columns_are_refused_where_there_are_none():
    frame = pd.DataFrame({"a": ["u", "v", "w"] * 3})
    with pytest.raises(
        TypeError,
        match=r"^TablePartitioner.fit: round_cuts are for numbers; column 'a' holds categories\.$",
    ):
        pt.TablePartitioner(round_cuts={"a": 1}).fit(frame, [0, 1, 1] * 3)
    assert_refuses(
        lambda: pt.Grouper(round_cuts=1), TypeError, "Grouper: there is no parameter 'round_cuts'."
    )


def test_the_level_of_a_cut_counts_its_digits():
    kind = Kind("number")
    levels = {30.0: 0, 35.0: 1, 34.0: 2, 33.0: 3, 105.0: 4, 1.25: 4, 104.0: 5, 0.0003: 0, -20.0: 0}
    found = {cut: round_cut(kind, cut, math.nextafter(cut, math.inf)) for cut in levels}
    assert found == {cut: (level, cut) for cut, level in levels.items()}


def test_averaged_parts_are_cut_at_round_numbers(amounts):
    x, y = amounts
    free = pt.discretize(x, y, method="averaged", n_parts=3)
    p = pt.discretize(x, y, method="averaged", n_parts=3, round_cuts=10)
    levels = [digits_of(decimal_of(cut)) for cut in p.cuts.tolist()]
    assert max(levels) < max(digits_of(decimal_of(cut)) for cut in free.cuts.tolist())
    assert p.n_parts == 3
