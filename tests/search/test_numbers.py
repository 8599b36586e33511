"""A target that is a number: its codes against their formulas and against exhaustive search."""

import math

import numpy as np
import pytest

import partage as pt
from partage import _core
from partage._targets.numbers import number_rows
from reference.numbers import (
    classes_cost,
    known_totals,
    line_cost,
    lowest_group_cost,
    lowest_line_cost,
    normal_scores,
)

X = np.arange(40.0)
Y = np.where(X < 20, 0.0, 3.0) + ((7 * np.arange(40)) % 11) / 5


def test_scores_of_the_worked_case():
    z1, z2 = normal_scores(Y)
    assert z1[0] == pytest.approx(-2.0627128075, abs=1e-9)
    assert z2[0] == pytest.approx(4.3928606428, abs=1e-9)
    rows = number_rows(Y)
    table = rows.target.normal_scores[rows.codes]
    assert table[:, 0] == pytest.approx(z1, abs=1e-9)
    assert table[:, 1] == pytest.approx(z2, abs=1e-9)
    assert table.sum(axis=0) == pytest.approx([0, 40], abs=1e-9)


def test_costs_of_the_worked_case():
    p = pt.discretize(X, Y, method="modl-scores")
    assert p.cuts.tolist() == [19.5]
    assert p.null_cost - p.cost == pytest.approx(77.4788148427 - 64.5492332028, abs=1e-9)
    assert p.level == pytest.approx(0.4761129032, abs=1e-9)
    assert p.is_optimal
    assert p.code == "scores"
    q = pt.discretize(X, Y, method="modl-classes")
    assert q.cuts.tolist() == [19.5]
    assert q.cost == pytest.approx(95.8123928136, abs=1e-9)
    assert q.null_cost == pytest.approx(114.0095191689, abs=1e-9)
    assert q.level == pytest.approx(0.5974179362, abs=1e-9)
    assert (q.code, q.target_cuts.tolist()) == ("classes", [2.5])
    both = pt.discretize(X, Y)
    assert both.cost == pytest.approx(min(p.cost, q.cost) + math.log(2), abs=1e-9)


def test_known_totals_of_classes():
    assert known_totals(2, 2) == pytest.approx(0.6700883820, abs=1e-9)
    assert known_totals(5, 8) == pytest.approx(6.6833537874, abs=1e-9)
    grid = math.log(16) + math.log(math.comb(15, 7))
    assert _core.price_of_rank_classes(16, 8, 5) - grid == pytest.approx(6.6833537874, abs=1e-9)


@pytest.mark.parametrize("seed", range(60))
def test_scores_of_a_line_have_the_lowest_cost_of_all(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(6, 40))
    x = rng.integers(0, 7, n).astype(float)
    y = np.round(rng.normal(size=n) + rng.choice([0, 2]) * (x > 3), int(rng.integers(0, 3))) + 0.5
    p = pt.discretize(x, y, method="modl-scores")
    assert p.is_optimal
    assert p.cost == pytest.approx(lowest_line_cost(x, y), rel=1e-9)
    assert p.cost == pytest.approx(line_cost(x, y, p.cuts), rel=1e-9)


@pytest.mark.parametrize("seed", range(30))
def test_scores_of_groups_have_the_lowest_cost_of_all(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(8, 40))
    x = rng.choice(list("abcdef"), n)
    level = dict(zip("abcdef", rng.choice([0, 2, 4], 6), strict=True))
    y = rng.normal(size=n) + np.array([level[v] for v in x])
    p = pt.group(x, y, method="modl-scores")
    assert p.is_optimal
    assert p.cost == pytest.approx(lowest_group_cost(x, y), rel=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_classes_cost_what_their_formula_says(seed):
    rng = np.random.default_rng(seed)
    x = rng.uniform(size=120)
    y = rng.normal(size=120) * np.where(x > 0.6, 5, 1)
    p = pt.discretize(x, y, method="modl-classes")
    table = np.histogram2d(p.assign(x), np.searchsorted(p.target_cuts, y))[0]
    codes, bins = p.assign(x), np.searchsorted(p.target_cuts, y)
    table = np.zeros((p.n_parts, len(p.target_cuts) + 1))
    np.add.at(table, (codes, bins), 1)
    if p.n_parts > 1:
        assert p.cost == pytest.approx(classes_cost(table, p.target.n_grid), rel=1e-9)


@pytest.mark.parametrize("method", ["modl", "modl-scores", "modl-classes"])
@pytest.mark.parametrize("n", [300, 3000])
def test_ranks_alone_decide_bit_for_bit(method, n):
    rng = np.random.default_rng(n)
    x = rng.uniform(size=n)
    y = rng.normal(size=n) + (x > 0.4)
    ranks = np.argsort(np.argsort(y)) + 0.5
    plain = pt.discretize(x, y, method=method)
    order = rng.permutation(n)
    others = [
        pt.discretize(x, np.exp(y), method=method),
        pt.discretize(x, ranks, method=method),
        pt.discretize(x[order], y[order], method=method),
    ]
    for other in others:
        assert other.cuts.tolist() == plain.cuts.tolist()
        assert (other.cost, other.level) == (plain.cost, plain.level)
    assert others[2] == plain


def test_weights_are_repeated_rows():
    rng = np.random.default_rng(5)
    x, w = rng.integers(0, 9, 80).astype(float), rng.integers(1, 5, 80)
    y = rng.normal(size=80) + (x > 4)
    p = pt.discretize(x, y, sample_weight=w)
    q = pt.discretize(np.repeat(x, w), np.repeat(y, w))
    assert p.cuts.tolist() == q.cuts.tolist()
    assert p.cost == pytest.approx(q.cost, rel=1e-12)
    for name in ("mean", "std", "min", "median", "max"):
        assert p.stats[name].tolist() == pytest.approx(q.stats[name].tolist())


@pytest.mark.parametrize("search", ["exact", "coarse", "bottom-up", "top-down"])
def test_searches_find_a_plain_shift(search):
    rng = np.random.default_rng(0)
    x = rng.uniform(size=2000)
    y = rng.normal(size=2000) + 3 * (x > 0.25)
    p = pt.discretize(x, y, search=search)
    assert p.n_parts == 2
    assert p.cuts[0] == pytest.approx(0.25, abs=0.01)


def test_a_pocket_and_a_variance_are_found():
    rng = np.random.default_rng(2)
    x = rng.uniform(size=1000)
    pocket = rng.normal(size=1000) + 4 * ((x > 0.5) & (x < 0.52))
    assert pt.discretize(x, pocket).n_parts == 3
    spread = rng.normal(size=1000) * np.where(x > 0.5, 3, 1)
    p = pt.discretize(x, spread)
    assert (p.n_parts, p.code) == (2, "classes")
    assert "they may differ in spread rather than in mean" in str(p.explain())
    assert pt.discretize(x, spread, method="modl-scores").n_parts == 1


LAWS = {
    "normal": lambda rng, n: rng.normal(size=n),
    "t2": lambda rng, n: rng.standard_t(2, size=n),
    "lognormal": lambda rng, n: rng.lognormal(0, 2, size=n),
    "zeros95": lambda rng, n: np.where(rng.uniform(size=n) < 0.95, 0, rng.gamma(2, size=n)),
    "zeros50": lambda rng, n: np.where(rng.uniform(size=n) < 0.5, 0, rng.lognormal(size=n)),
    "negbin": lambda rng, n: rng.negative_binomial(0.3, 0.375, size=n),
    "ones": lambda rng, n: rng.uniform(size=n) < 0.01,
}


@pytest.mark.parametrize("law", LAWS)
def test_noise_is_left_in_one_part(law):
    n_cut = 0
    for seed in range(40):
        rng = np.random.default_rng([seed, 100])
        y = LAWS[law](rng, 100).astype(float)
        n_cut += pt.discretize(rng.uniform(size=100), y, target_type="number").n_parts > 1
    assert n_cut <= 2  # of 40; benchmarks/number_figures.py counts more


@pytest.mark.parametrize("trend", ["ascending", "descending", "peak", "valley"])
@pytest.mark.parametrize("method", ["modl", "modl-scores", "modl-classes"])
def test_means_follow_a_trend(trend, method):
    rng = np.random.default_rng(4)
    x = rng.uniform(size=600)
    y = np.sin(9 * x) + 0.3 * rng.normal(size=600)
    p = pt.discretize(x, y, method=method, monotonic=trend, max_parts=6)
    steps = np.diff(p.stats["mean"])
    signs = {"ascending": [1], "descending": [-1], "peak": [1, -1], "valley": [-1, 1]}[trend]
    turns = [s for i, s in enumerate(np.sign(steps)) if i == 0 or s != np.sign(steps)[i - 1]]
    assert all(turn in signs for turn in turns)
    assert len(turns) <= len(signs)
    assert p.constraints["monotonic"] == trend
    assert p.violations == ()


@pytest.mark.parametrize("gaps", [0.0, 0.2])
@pytest.mark.parametrize("seed", range(6))
def test_the_cheaper_code_of_a_long_column_is_chosen(seed, gaps):
    rng = np.random.default_rng([24, seed])
    x = rng.uniform(size=3000)
    signal = (np.sin(3 * np.pi * x), 3 * np.maximum(x - 0.5, 0), (5 * x).astype(int) % 3)[seed % 3]
    noise = rng.normal(size=3000)
    y = signal + noise if seed < 3 else noise * np.exp(signal)
    x[rng.uniform(size=3000) < gaps] = np.nan
    codes = [pt.discretize(x, y, method=f"modl-{code}") for code in ("scores", "classes")]
    cheaper = min(codes, key=lambda p: p.cost)
    p = pt.discretize(x, y)
    assert p.cost == pytest.approx(cheaper.cost + math.log(2), rel=1e-12)
    assert (p.code, p.cuts.tolist()) == (cheaper.code, cheaper.cuts.tolist())
