"""What needs the rows themselves refuses tables that are not in memory, everywhere alike."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import partage as pt
from helpers import assert_refuses

FITTED = {
    "NaiveBayesClassifier": (
        lambda: pt.NaiveBayesClassifier(),
        ["predict", "predict_proba", "explain"],
    ),
    "SelectiveNaiveBayesClassifier": (lambda: pt.SelectiveNaiveBayesClassifier(), ["predict"]),
    "Scorecard": (lambda: pt.Scorecard(), ["points", "predict"]),
    "DataBinarizer": (lambda: pt.DataBinarizer(), ["transform"]),
    "LADClassifier": (lambda: pt.LADClassifier(), ["predict"]),
    "GraphPartitioner": (lambda: pt.GraphPartitioner(), ["transform", "predict"]),
    "GraphPartitionClassifier": (lambda: pt.GraphPartitionClassifier(), ["predict"]),
}
COUNTS = {"NaiveBayesClassifier"}  # all they fit on


@pytest.fixture(scope="module")
def table():
    """Return a table of which one column tells the class."""
    rng = np.random.default_rng(1)
    x, noise = rng.normal(size=(2, 300))
    label = np.where(x + 0.3 * rng.normal(size=300) > 0, "yes", "no")
    month = np.repeat(["may", "june"], 150)
    return pl.DataFrame({"x": x, "noise": noise, "label": label, "month": month})


@pytest.fixture
def path(table, tmp_path):
    """Return the path of a file of the table without its months."""
    file = tmp_path / "table.parquet"
    table.drop("month").write_parquet(file)
    return str(file)


def assert_wants_rows(call, method, got):
    with pytest.raises(TypeError) as caught:
        call()
    who, _, rest = str(caught.value).partition(": ")
    assert who.split(".")[0] == method.split(".")[0]
    assert rest == (
        f"the rows of X must be in memory; got {got}. Collect a lazy frame (X.collect()), or read "
        "the file with polars or pandas, first."
    )


@pytest.mark.parametrize("name", FITTED)
def test_estimators_of_rows_say_what_to_do(table, path, name):
    make, methods = FITTED[name]
    rows = table.drop("month")
    lazy, X = rows.lazy(), rows.drop("label")
    if name not in COUNTS:
        for data, got in ((lazy, "a LazyFrame"), (path, f"the path {path!r}")):
            assert_wants_rows(lambda data=data: make().fit(data, target="label"), name, got)
            assert_wants_rows(lambda data=data: make().fit(data, rows["label"]), name, got)
    model = make().fit(X.to_pandas(), rows["label"].to_pandas())
    for method in methods:
        call = getattr(model, method)
        assert_wants_rows(lambda call=call: call(X.lazy()), name, "a LazyFrame")
        assert_wants_rows(lambda call=call: call(path), name, f"the path {path!r}")


def test_naive_bayes_counts_columns_but_not_their_products(table, path):
    rows = table.drop("month")
    wanted = pt.NaiveBayesClassifier().fit(rows, target="label")
    for data in (rows.lazy(), path):
        found = pt.NaiveBayesClassifier().fit(data, target="label")
        np.testing.assert_array_equal(
            found.predict_proba(rows.drop("label")), wanted.predict_proba(rows.drop("label"))
        )
    name = "NaiveBayesClassifier"
    parts = wanted.partitions_
    for model in (
        pt.NaiveBayesClassifier(interactions=2),
        pt.NaiveBayesClassifier(partitions=parts),
    ):
        assert_wants_rows(lambda m=model: m.fit(rows.lazy(), target="label"), name, "a LazyFrame")
    for model in (pt.NaiveBayesClassifier(), wanted):
        assert_wants_rows(
            lambda m=model: m.partial_fit(rows.lazy(), rows["label"]), name, "a LazyFrame"
        )


@pytest.mark.parametrize("function", [pt.rank_subsets, lambda X, _: pt.gabriel_graph(X)])
def test_functions_of_rows_say_what_to_do(table, function):
    with pytest.raises(TypeError, match=r": the rows of X must be in memory; got a LazyFrame\. "):
        function(table.select("x", "noise").lazy(), table["label"])


def test_monitor_reads_the_columns_it_needs(table, tmp_path):
    enc = pt.TablePartitioner().fit(table.drop("month"), target="label")
    wanted = enc.monitor(table, target="label", by="month").frame
    file = tmp_path / "months.parquet"
    table.with_columns(other=pl.lit(1)).write_parquet(file)
    lazy = enc.monitor(pl.scan_parquet(file), target="label", by="month").frame
    assert lazy.equals(wanted)
    found = enc.monitor(str(file), target="label", by="month").frame
    assert isinstance(found, pd.DataFrame)
    assert found.to_dict("list") == wanted.to_dict(as_series=False)
    name = "TablePartitioner"
    for options in (
        {"y": table["label"], "by": "month"},
        {"by": table["month"]},
        {"by": "month", "sample_weight": np.ones(300)},
    ):
        assert_wants_rows(
            lambda o=options: enc.monitor(table.drop("label").lazy(), **o), name, "a LazyFrame"
        )
    assert_refuses(
        lambda: enc.monitor(table.lazy(), target="label", by="week"),
        ValueError,
        "TablePartitioner.monitor: by must be a column of X, or its values; got 'week'.",
    )
