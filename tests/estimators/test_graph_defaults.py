"""What graphs do by default, and how their parts are described."""

import numpy as np
import pandas as pd
import pytest

import partage as pt


@pytest.mark.parametrize(("n", "d", "method"), [(300, 2, "bipartition"), (100, 3, "prototypes")])
def test_method_is_chosen_by_the_size_of_the_table(n, d, method):
    rng = np.random.default_rng(0)
    X = rng.random((n, d))
    model = pt.GraphPartitioner().fit(X, (X[:, 0] > 0.5).astype(int))
    assert model.partition_.method == method
    assert hasattr(model, "nodes_") == (method == "bipartition")


def test_many_rows_of_two_columns_get_prototypes():
    X = np.random.default_rng(0).random((5001, 2))
    assert pt.GraphPartitioner().fit(X, (X[:, 0] > 0.5)).partition_.method == "prototypes"


def test_a_graph_that_is_asked_for_is_made():
    X = np.random.default_rng(0).random((100, 3))
    y = (X[:, 0] > 0.5).astype(int)
    assert pt.GraphPartitioner(graph="knn").fit(X, y).partition_.method == "bipartition"


def test_columns_of_unlike_ranges_are_standardised():
    rng = np.random.default_rng(0)
    X = rng.random((200, 2))
    y = (X[:, 0] > 0.5).astype(int)
    even = pt.GraphPartitioner().fit(X, y)
    assert even.scale_ is None
    wide = X * [1, 1000]
    model = pt.GraphPartitioner().fit(wide, y)
    assert model.scale_ == "standard"
    given = pt.GraphPartitioner(scale="standard").fit(wide, y)
    assert np.array_equal(model.labels_, given.labels_)
    assert model.partition_.level > pt.GraphPartitioner(scale=None).fit(wide, y).partition_.level


def test_parts_are_described_in_the_columns():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.random((400, 3)), columns=["a", "b", "c"])
    y = ((X["a"] > 0.6) & (X["b"] <= 0.5)).astype(int)
    model = pt.GraphPartitioner(scale=None).fit(X, y)
    found = model.describe()
    assert found["count"].tolist() == model.partition_.counts.sum(axis=1).tolist()
    for row in found.itertuples():
        rows = np.ones(len(X), dtype=bool)
        for condition in row.conditions.split(" and ") if row.conditions != "all" else []:
            name, sign, value = condition.split(" ")
            above = X[name] > float(value)
            rows &= (above if sign == ">" else ~above).to_numpy()
        inside = model.labels_ == row.part
        assert row.covered == pytest.approx((rows & inside).sum() / inside.sum())
        assert row.purity == pytest.approx((rows & inside).sum() / rows.sum())
        assert row.label == np.bincount(y[inside]).argmax()
    half = pt.GraphPartitioner().fit(X[["a", "b"]], (X["a"] > 0.5).astype(int)).describe()
    large = half[half["count"] > 100]
    assert len(large) == 2
    assert large["conditions"].str.match(r"^a (>|<=) 0\.5\d*$").all()
    assert large["covered"].min() > 0.9
    assert large["purity"].min() > 0.9


def test_parts_of_a_graph_without_a_table_have_no_columns():
    model = pt.GraphPartitioner(graph=[(0, 1), (1, 2)]).fit(None, [0, 0, 1])
    with pytest.raises(ValueError, match="have no columns") as caught:
        model.describe()
    assert str(caught.value) == (
        "GraphPartitioner.describe: parts of a graph without a table have no columns."
    )
