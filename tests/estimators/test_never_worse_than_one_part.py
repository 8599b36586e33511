"""No default result of any estimator costs more than one part."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import partage as pt

SLACK = 1e-12


def draw_table(seed):
    """Numbers and categories with gaps, ties, noise or signal, and a target of 2 to 4 classes."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 150))
    y = rng.integers(0, rng.integers(2, 5), n)
    signal = rng.choice([0.0, 0.5, 3.0])
    x = np.round(rng.normal(size=n) + signal * y, int(rng.integers(0, 4)))
    values = np.array([*"abcdefghijkl", None], dtype=object)
    city = values[(rng.integers(0, 13, n) + (y if signal else 0)) % 13]
    gaps = rng.random(n) < rng.choice([0.0, 0.1, 0.6])
    return pd.DataFrame({"x": np.where(gaps, np.nan, x), "city": city}), y


@given(seed=st.integers(0, 2**32))
def test_columns(seed):
    """Missing rows have a part of their own by default; one part beside it is what to beat."""
    X, y = draw_table(seed)
    for p, one in (
        (pt.discretize(X["x"], y), pt.discretize(X["x"], y, max_parts=1)),
        (pt.group(X["city"], y), pt.group(X["city"], y, max_parts=1)),
    ):
        assert p.cost <= one.cost * (1 + SLACK)
        if not p.missing_counts.any():
            assert p.cost <= p.null_cost * (1 + SLACK)
    table = pt.TablePartitioner().fit(X, y)
    assert table["x"].cost == pt.discretize(X["x"], y).cost
    assert table["city"].cost == pt.group(X["city"], y).cost


@pytest.mark.parametrize("method", ["bipartition", "agglomerative", "prototypes"])
@given(seed=st.integers(0, 2**32))
def test_graphs(method, seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(2, 40)), int(rng.integers(1, 4))
    X = np.round(rng.normal(size=(n, d)), int(rng.integers(0, 3)))
    y = (X[:, 0] > 0) ^ (rng.random(n) < rng.choice([0.0, 0.2, 0.5]))
    found = pt.GraphPartitioner(method=method).fit(X, y).partition_
    assert found.cost <= found.null_cost * (1 + SLACK)
    assert (found.level == 0) == (found.n_parts == 1 or found.cost >= found.null_cost * (1 - SLACK))


def test_graph_of_3000_rows_of_two_columns():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 2))
    y = rng.random(3000) < 0.2 + 0.1 * (X[:, 0] > 0)
    found = pt.GraphPartitioner().fit(X, y).partition_
    assert found.cost <= found.null_cost
    paper = pt.GraphPartitioner(prune=False).fit(X, y).partition_
    assert paper.n_parts > found.n_parts
