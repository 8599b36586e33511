"""How certain parts of a number are: sums over all partitions against enumeration."""

import math
import re

import numpy as np
import pandas as pd
import pytest

import partage as pt
from helpers import FULL
from reference.constraints import follows
from reference.numbers import averaged_mean, classes_cost, log_factorial, score_partitions

N_CASES = 60 if FULL else 12


def _line(seed):
    rng = np.random.default_rng([31, seed])
    n = int(rng.integers(8, 60))
    x = rng.integers(0, 8, n).astype(float)
    y = np.round(rng.normal(size=n) + rng.choice([0, 1, 3]) * (x > 3), int(rng.integers(0, 4)))
    return x, y + 0.25


@pytest.mark.parametrize("seed", range(N_CASES))
def test_scores_against_all_partitions(seed):
    x, y = _line(seed)
    p = pt.discretize(x, y, method="modl-scores")
    found = p.certainty()
    partitions = list(score_partitions(x, y))
    costs = np.array([cost for _, cost in partitions])
    weights = np.exp(costs.min() - costs)
    shares = weights / weights.sum()
    assert found.log_evidence == pytest.approx(-costs.min() + math.log(weights.sum()), abs=1e-8)
    sizes = np.bincount([len(cuts) + 1 for cuts, _ in partitions], shares)
    for k, probability in found.n_parts.items():
        assert probability == pytest.approx(sizes[k], abs=1e-9)
    values = np.unique(x)
    borders = (values[1:] + values[:-1]) / 2
    expected = [sum(shares[i] for i, (c, _) in enumerate(partitions) if b in c) for b in borders]
    assert found.boundaries["probability"].to_numpy() == pytest.approx(expected, abs=1e-9)
    means = [
        sum(s * averaged_mean(x, y, c, v) for s, (c, _) in zip(shares, partitions, strict=True))
        for v in values
    ]
    assert found.means(values) == pytest.approx(means, abs=1e-8)


@pytest.mark.parametrize("seed", range(N_CASES))
def test_classes_against_all_partitions(seed):
    x, y = _line(seed)
    p = pt.discretize(x, y, method="modl-classes", n_parts=2)
    found = pt.discretize(x, y, method="modl-classes", n_parts=2).certainty()
    bins = np.searchsorted(p.target_cuts, y)
    costs = {}
    for cuts, _ in score_partitions(x, y):
        if len(cuts) == 1:
            table = np.zeros((2, len(p.target_cuts) + 1))
            np.add.at(table, (np.searchsorted(cuts, x), bins), 1)
            costs[float(cuts[0])] = classes_cost(table, p.target.n_grid)
    lowest = min(costs.values())
    weights = {cut: math.exp(lowest - cost) for cut, cost in costs.items()}
    total = sum(weights.values())
    assert found.log_evidence == pytest.approx(math.log(total) - lowest, abs=1e-8)
    expected = [weight / total for weight in weights.values()]
    assert found.boundaries["probability"].to_numpy() == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("trend", ["ascending", "descending", "peak", "valley"])
@pytest.mark.parametrize("seed", range(3))
def test_classes_under_a_trend_of_means_against_all_partitions(trend, seed):
    rng = np.random.default_rng([32, seed])
    x = rng.integers(0, 7, 80).astype(float)
    y = rng.normal(size=80) * np.where(x > 3, 4, 1) + 0.2 * x
    p = pt.discretize(x, y, method="modl-classes", monotonic=trend)
    found = p.certainty()
    bins = np.searchsorted(p.target_cuts, y)
    costs, sizes = [], []
    for cuts, _ in score_partitions(x, y):
        codes = np.searchsorted(cuts, x)
        means = [y[codes == k].mean() for k in range(len(cuts) + 1)]
        if follows(trend, [[(mean, 0.0) for mean in means]]):
            table = np.zeros((len(means), len(p.target_cuts) + 1))
            np.add.at(table, (codes, bins), 1)
            is_one = len(means) == 1  # needs no intervals of ranks
            null = math.log(80) + log_factorial(80)
            costs.append(null if is_one else classes_cost(table, p.target.n_grid))
            sizes.append(len(means))
    weights = np.exp(min(costs) - np.array(costs))
    expected = np.bincount(sizes, weights / weights.sum())
    assert found.log_evidence == pytest.approx(math.log(weights.sum()) - min(costs), abs=1e-8)
    assert set(found.n_parts) == set(np.flatnonzero(expected))
    for k, probability in found.n_parts.items():
        assert probability == pytest.approx(expected[k], abs=1e-9)


def test_one_part_of_classes_costs_what_all_rows_do():
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 3, 40).astype(float), rng.normal(size=40)
    p = pt.discretize(x, y, max_parts=1, method="modl-classes")
    assert p.cost == pytest.approx(math.log(40) + log_factorial(40))
    assert p.certainty().log_evidence == pytest.approx(-p.cost, abs=1e-8)


def test_the_code_that_was_chosen_is_named_in_the_probability():
    x, y = _line(3)
    scores = pt.discretize(x, y, method="modl-scores", n_parts=3)
    either = pt.discretize(x, y, n_parts=3)
    if either.code == "scores":
        gap = scores.certainty().log_evidence - either.certainty().log_evidence
        assert gap == pytest.approx(math.log(2), abs=1e-8)


def test_missing_values_are_a_set_beside_the_parts():
    x, y = _line(5)
    x[::7] = np.nan
    p = pt.discretize(x, y, method="modl-scores")
    q = pt.discretize(np.where(np.isnan(x), -99, x), y, method="modl-scores", special_values=[-99])
    one, other = p.certainty(), q.certainty()
    assert one.n_parts == other.n_parts
    held = y[np.isnan(x)]
    expected = (held.sum() + y.mean()) / (len(held) + 1)
    assert one.means([np.nan])[0] == pytest.approx(expected)
    assert other.means([-99])[0] == pytest.approx(expected)


@pytest.mark.parametrize("limits", [{"monotonic": "ascending"}, {"max_parts": 2}, {"n_parts": 3}])
def test_limits_hold_for_all_partitions(limits):
    rng = np.random.default_rng(4)
    x = rng.integers(0, 6, 60).astype(float)
    y = rng.normal(size=60) + 0.3 * x
    found = pt.discretize(x, y, method="modl-scores", **limits).certainty()
    shares, sizes = [], []
    for cuts, cost in score_partitions(x, y):
        codes = np.searchsorted(cuts, x)
        means = [y[codes == k].mean() for k in range(len(cuts) + 1)]
        rises = "monotonic" not in limits or (np.diff(means) >= 0).all()
        if (
            rises
            and len(means) <= limits.get("max_parts", 9)
            and len(means) == limits.get("n_parts", len(means))
        ):
            shares.append(cost)
            sizes.append(len(means))
    weights = np.exp(min(shares) - np.array(shares))
    expected = np.bincount(sizes, weights / weights.sum())
    for k, probability in found.n_parts.items():
        assert probability == pytest.approx(expected[k], abs=1e-9)


def test_many_values_are_looked_at_in_part_and_the_order_of_rows_is_nothing():
    rng = np.random.default_rng(6)
    x = rng.uniform(size=2500)
    y = rng.normal(size=2500) + 2 * (x > 0.4)
    order = rng.permutation(2500)
    one = pt.discretize(x, y, method="modl-scores").certainty()
    other = pt.discretize(x[order], y[order], method="modl-scores").certainty()
    assert not one.is_exact
    assert one.n_parts == other.n_parts
    assert (one.means(x) == other.means(x)).all()
    assert (one.bands(x) == other.bands(x)).all()
    low, high = one.cuts[["low90", "high90"]].to_numpy()[0]
    assert low < float(one.cuts["cut"][0]) < high
    assert 0.39 < low < high < 0.41
    assert one.means([0.1, 0.9]) == pytest.approx([0, 2], abs=0.15)


def test_ranks_alone_decide_what_is_probable():
    x, y = _line(8)
    plain = pt.discretize(x, y).certainty()
    grown = pt.discretize(x, np.exp(y)).certainty()
    assert plain.n_parts == grown.n_parts
    assert plain.log_evidence == grown.log_evidence
    assert plain.boundaries.equals(grown.boundaries)


def test_a_file_keeps_the_certainty():
    x, y = _line(9)
    p = pt.discretize(x, y)
    found = p.certainty()
    again = pt.from_dict(p.to_dict()).certainty()
    values = np.unique(x)
    assert again.means(values).tolist() == found.means(values).tolist()
    assert again.n_parts == found.n_parts
    damaged = p.to_dict()
    damaged["certainty"]["shares"][0][0] = math.nan
    with pytest.raises(pt.exceptions.PartageError, match="shares are no such numbers"):
        pt.from_dict(damaged)


def test_ordered_categories_and_the_picture():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    rng = np.random.default_rng(2)
    size = pd.Series(
        pd.Categorical(rng.choice(["s", "m", "l"], 300), ["s", "m", "l"], ordered=True)
    )
    y = rng.normal(size=300) + (size == "l")
    found = pt.group(size, y).certainty()
    assert found.informative > 0.99
    assert found.means(["l"])[0] > found.means(["s"])[0] + 0.5
    axes = found.plot()
    assert axes.get_ylabel() == "averaged mean"
    assert (
        pt.discretize(rng.uniform(size=300), y).certainty().plot().get_ylabel() == "averaged mean"
    )


def test_messages():
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 9, 200).astype(float), rng.normal(size=200)
    cases = {
        "Certainty.rates: output='rate' is for classes, and y is a number; use output='mean'.": (
            lambda: pt.discretize(x, y).certainty().rates([1])
        ),
        "Certainty.means: output='mean' is for a y of numbers, and y holds classes; use "
        "output='rate', or target_type='number'.": (
            lambda: pt.discretize(x, y > 0).certainty().means([1])
        ),
        "Intervals.certainty: column 'x' needs a method whose cost is the length of a code, "
        "'modl', 'modl-scores' or 'modl-classes'; got method='equal-width'.": (
            lambda: pt.discretize(x, y, method="equal-width", max_parts=3).certainty()
        ),
    }
    for message, call in cases.items():
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            call()
