"""``GraphPartitionRegressor``: a number whose ranks the parts of a graph tell."""

import math

import matplotlib.pyplot as plt
import numpy as np
import polars as pl
import pytest
from matplotlib.collections import PathCollection
from sklearn.model_selection import cross_val_score

import partage as pt
from helpers import assert_refuses


def squares(n, seed, spread=1.0):
    """Draw points of a square, a number that is high in two opposite quarters."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, 2))
    high = (X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)
    return X, 3.0 * high + spread * rng.normal(size=n)


def price_of_intervals(n_grid, n_intervals, n_parts):
    """Nats for the intervals: their grid, which borders, and what known totals take (the notes)."""
    price = math.log(n_grid) + math.log(math.comb(n_grid - 1, n_intervals - 1))
    if n_parts < 2 or n_intervals < 2:
        return price
    free = n_intervals - 1
    ratio = math.log(n_intervals * (n_intervals + 1) / (2 * math.pi))
    known = free / 2 * math.log(n_parts) + math.log(n_intervals) / 2 + free / 2 * ratio
    return price + known - math.lgamma(n_intervals)


@pytest.mark.parametrize("method", ["bipartition", "agglomerative", "prototypes"])
def test_the_cost_is_that_of_all_ranks_with_the_intervals_paid(method):
    X, y = squares(300, 0)
    model = pt.GraphPartitionRegressor(method=method).fit(X, y)
    found, n = model.partition_, len(y)
    assert found.n_parts > 1
    intervals = np.searchsorted(model.target_cuts_, y)
    n_intervals = len(model.target_cuts_) + 1
    classes = pt.GraphPartitioner(method=method).fit(X, intervals).partition_
    assert np.array_equal(classes.counts, found.counts)
    # The grid is not shown: the cheapest on which these cuts are borders is the one taken.
    prices = [
        price_of_intervals(grid, n_intervals, found.n_parts)
        for grid in (2, 4, 8, 16, 32)
        if grid >= n_intervals
    ]
    gain = found.null_cost - found.cost
    assert found.null_cost == pytest.approx(math.log(n) + math.lgamma(n + 1))
    assert min(abs(classes.null_cost - classes.cost - price - gain) for price in prices) < 1e-9
    assert found.level == pytest.approx(1 - math.exp(-2 * gain / n))


def test_the_mean_of_the_nearest_part_is_predicted():
    X, y = squares(800, 1, spread=0.5)
    model = pt.GraphPartitionRegressor().fit(X, y)
    for part in range(model.partition_.n_parts):
        assert model.means_[part] == pytest.approx(y[model.labels_ == part].mean())
    assert np.array_equal(model.predict(X), model.means_[model.labels_])
    new, truth = squares(800, 2, spread=0.0)
    assert np.abs(model.predict(new) - truth).mean() < 0.5
    assert not hasattr(model, "classes_")
    assert cross_val_score(pt.GraphPartitionRegressor(), X, y).mean() > 0.6


def test_a_number_that_the_rows_say_nothing_of_leaves_one_part():
    n_parts = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        y = rng.standard_t(2, 200)
        model = pt.GraphPartitionRegressor(null_prior="half").fit(rng.random((200, 2)), y)
        n_parts.append(model.partition_.n_parts)
        assert model.partition_.cost <= model.partition_.null_cost
    assert n_parts.count(1) >= 19


def test_only_ranks_decide_on_the_parts():
    X, y = squares(400, 3)
    plain = pt.GraphPartitionRegressor().fit(X, y)
    bent = pt.GraphPartitionRegressor().fit(X, np.exp(y))
    assert np.array_equal(plain.labels_, bent.labels_)
    assert plain.partition_.cost == bent.partition_.cost
    y[0] = 1e9
    far = pt.GraphPartitionRegressor().fit(X, y)
    assert far.partition_.level == pytest.approx(plain.partition_.level, abs=0.02)


def test_weights_are_repeated_rows():
    X, y = squares(200, 4)
    weights = np.random.default_rng(0).integers(0, 3, 200)
    light = pt.GraphPartitionRegressor().fit(X, y, sample_weight=weights)
    rows = np.repeat(np.arange(200), weights)
    heavy = pt.GraphPartitionRegressor().fit(X[rows], y[rows])
    assert light.partition_.cost == heavy.partition_.cost
    assert light.means_ == pytest.approx(heavy.means_)
    assert (light.labels_[weights == 0] == -1).all()


def test_parts_are_described_with_their_mean():
    X, y = squares(400, 5)
    frame = pl.DataFrame({"a": X[:, 0], "b": X[:, 1], "price": y})
    model = pt.GraphPartitionRegressor().fit(frame, target="price")
    shown = model.describe()
    assert isinstance(shown, pl.DataFrame)
    assert shown["mean"].to_list() == model.means_.tolist()
    assert shown["count"].sum() == 400
    assert "label" not in shown.columns


def test_a_constant_number_is_one_part():
    X, _ = squares(50, 6)
    model = pt.GraphPartitionRegressor().fit(X, np.full(50, 2.5))
    assert model.partition_.n_parts == 1
    assert model.predict(X[:3]).tolist() == [2.5, 2.5, 2.5]
    assert model.partition_.level == 0


def test_text_is_refused():
    X, _ = squares(4, 7)
    assert_refuses(
        lambda: pt.GraphPartitionRegressor().fit(X, ["a", "b", "a", "b"]),
        TypeError,
        "GraphPartitionRegressor.fit: y must hold numbers for target_type='number'; got 'a'. For "
        "classes leave target_type out, or take a classifier.",
    )


def test_picture_has_the_colours_of_means():
    X, y = squares(300, seed=3, spread=0.2)
    model = pt.GraphPartitionRegressor().fit(X, y)
    ax = model.plot()
    (dots,) = [found for found in ax.collections if isinstance(found, PathCollection)]
    assert len(model.means_) > 1
    assert np.array_equal(dots.get_array(), model.predict(X))
    assert ax.get_legend() is None  # intervals of ranks are no classes
    assert dots.colorbar.ax.get_ylabel() == "mean of the part"
    plt.close("all")
