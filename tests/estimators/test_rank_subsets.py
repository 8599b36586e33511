"""``rank_subsets``: which columns, together, tell the classes apart."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.special import gammaln

import partage as pt
from helpers import assert_refuses


@pytest.fixture(scope="module")
def xor():
    X, y = pt.datasets.make_xor(150, 0, n_irrelevant=1)
    return pd.DataFrame(X, columns=["left", "right", "noise"]), y


def test_a_pair_that_says_all_together_stands_before_its_columns(xor):
    ranking = pt.rank_subsets(*xor)
    assert ranking["columns"][0] == ["left", "right"]
    assert ranking["level"][0] > 0.2
    alone = ranking[ranking["size"] == 1]
    assert alone["level"].tolist() == [0, 0, 0]
    assert alone["columns"].tolist() == [["left"], ["right"], ["noise"]]


def test_rows_are_ranked_by_level_then_size(xor):
    ranking = pt.rank_subsets(*xor, max_size=3)
    keys = [(-round(level, 9), size) for level, size in ranking[["level", "size"]].to_numpy()]
    assert keys == sorted(keys)
    assert sorted(ranking["columns"].map(tuple)) == sorted(
        [
            ("left",), ("right",), ("noise",), ("left", "right"), ("left", "noise"),
            ("right", "noise"), ("left", "right", "noise"),
        ]
    )  # fmt: skip


def test_each_row_is_the_partition_of_its_columns(xor):
    df, y = xor
    row = pt.rank_subsets(df, y, min_size=2).iloc[0]
    model = pt.GraphPartitioner(method="bipartition", scale="minmax").fit(df[row["columns"]], y)
    assert row["counts"] == model.partition_.counts.tolist()
    assert row["level"] == model.partition_.level
    assert row["cost"] == model.partition_.cost
    assert row["parts"] == model.partition_.n_parts == len(row["counts"])
    assert row["accuracy"] == pytest.approx((model.predict(df[row["columns"]]) == y).mean())


def test_irises_are_told_apart_as_in_the_paper(iris):
    df, y = iris
    search = pt.GraphPartitioner(method="agglomerative", scale="minmax", init="balls", moves=False)
    ranking = pt.rank_subsets(df, y, max_size=4, partitioner=search)
    found = {tuple(row.columns): row.counts for row in ranking.itertuples()}
    # Table 1: all four attributes tell the irises apart; petal width nearly does.
    assert sorted(found[tuple(df.columns)]) == [[0, 0, 50], [0, 50, 0], [50, 0, 0]]
    assert sorted(found["petal width (cm)",]) == [[0, 2, 50], [0, 48, 0], [50, 0, 0]]
    sepals = sorted(found["sepal length (cm)", "sepal width (cm)"])
    assert len(sepals) == 2
    assert sum(map(max, sepals)) == pytest.approx(99, abs=2)


def test_the_number_of_threads_changes_nothing(iris):
    one = pt.rank_subsets(*iris, max_size=2)
    two = pt.rank_subsets(*iris, max_size=2, n_jobs=2)
    pd.testing.assert_frame_equal(one, two)


def test_the_partitioner_of_the_user_is_used_and_left_alone(xor):
    model = pt.GraphPartitioner(method="bipartition", null_prior="half")
    ranking = pt.rank_subsets(*xor, partitioner=model)
    assert not hasattr(model, "labels_")
    df, y = xor
    fitted = pt.GraphPartitioner(method="bipartition", null_prior="half").fit(
        df[["left", "right"]], y
    )
    row = ranking[ranking["columns"].map(["left", "right"].__eq__)].iloc[0]
    assert row["counts"] == fitted.partition_.counts.tolist()


@pytest.mark.parametrize(
    "make", [pl.from_pandas, pa.Table.from_pandas, np.asarray], ids=["polars", "pyarrow", "numpy"]
)
def test_frames_come_back_in_their_library(xor, make):
    df, y = xor
    expected = pt.rank_subsets(df, y)
    found = pt.rank_subsets(make(df), y)
    as_pandas = found if isinstance(found, pd.DataFrame) else found.to_pandas()
    assert as_pandas["level"].tolist() == expected["level"].tolist()
    is_array = make is np.asarray
    assert list(as_pandas["columns"][0]) == (["x0", "x1"] if is_array else ["left", "right"])
    assert type(found).__module__.split(".")[0] == (
        "pandas" if is_array else make.__module__.split(".")[0]
    )


def test_max_size_beyond_the_columns_means_all_of_them(iris):
    df, y = iris
    assert len(pt.rank_subsets(df.iloc[:, :2], y, max_size=9)) == 3


def test_progress_is_shown_on_demand(xor, capsys):
    pt.rank_subsets(*xor)
    assert capsys.readouterr() == ("", "")
    pt.rank_subsets(*xor, verbose=True)
    shown = capsys.readouterr()
    assert not shown.out
    assert "6/6" in shown.err


def test_one_class_only_is_one_group_everywhere(xor):
    df, _ = xor
    ranking = pt.rank_subsets(df, np.zeros(len(df)))
    assert set(ranking["parts"]) == {1}
    assert ranking["columns"].map(len).tolist() == [1, 1, 1, 2, 2, 2]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_size": 0}, "rank_subsets: max_size must be an integer of at least 1; got 0."),
        ({"min_size": 1.0}, "rank_subsets: min_size must be an integer of at least 1; got 1.0."),
        (
            {"min_size": 3},
            "rank_subsets: min_size must not exceed max_size; got min_size=3 and max_size=2.",
        ),
        (
            {"min_size": 4, "max_size": 4},
            "rank_subsets: min_size must not exceed the number of columns; got min_size=4, "
            "X has 3.",
        ),
        (
            {"partitioner": "gabriel"},
            "rank_subsets: partitioner must be a GraphPartitioner or None; got 'gabriel'.",
        ),
        (
            {"model": "tree"},
            "rank_subsets: model must be 'graph', 'grid' or 'both'; got 'tree'.",
        ),
        ({"n_jobs": 0}, "rank_subsets: n_jobs must be an integer other than 0 or None; got 0."),
        ({"verbose": "yes"}, "rank_subsets: verbose must be True or False; got 'yes'."),
    ],
)
def test_bad_parameters_are_refused(xor, options, message):
    assert_refuses(lambda: pt.rank_subsets(*xor, **options), ValueError, message)


def test_too_many_subsets_are_refused_before_any_work():
    wide = np.zeros((2, 200))
    assert_refuses(
        lambda: pt.rank_subsets(wide, [0, 1], max_size=4),
        ValueError,
        "rank_subsets: there must be at most 1000000 subsets; 200 columns have 66018450 of 1 to 4. "
        "Lower max_size, or pass the columns that matter.",
    )


def test_rows_and_classes_must_match(xor):
    df, y = xor
    assert_refuses(
        lambda: pt.rank_subsets(df, y[:-1]),
        ValueError,
        "rank_subsets: X and y must have the same number of rows; got inconsistent numbers of "
        "samples: [150, 149].",
    )


def _grid_length(counts):
    """Length of a grid of two columns and its classes, straight from the formula of the paper."""
    n = counts.sum()
    cells = counts.reshape(-1, counts.shape[-1])
    sizes, n_classes = cells.sum(axis=1), counts.shape[-1]
    axes = sum(math.log(n) + math.log(math.comb(n + k - 1, k - 1)) for k in counts.shape[:2])
    priors = sum(math.log(math.comb(size + n_classes - 1, n_classes - 1)) for size in sizes)
    labels = gammaln(sizes + 1).sum() - gammaln(cells + 1).sum()
    return axes + priors + labels


def test_grids_and_graphs_are_lengths_of_the_same_classes(xor):
    df, y = xor
    both = pt.rank_subsets(df, y, model="both")
    rows = {(tuple(row.columns), row.model): row for row in both.itertuples()}
    assert len(both) == len(rows) == 12
    assert [*both["columns"][:2]] == [["left", "right"]] * 2
    found = pt.grid(df["left"], df["right"], y)
    row = rows[("left", "right"), "grid"]
    assert row.cost == pytest.approx(_grid_length(found.counts.astype(int)))
    assert row.counts == found.counts.reshape(-1, 2).astype(int).tolist()
    alone = pt.discretize(df["left"], y)
    assert rows[("left",), "grid"].cost == alone.cost
    # One group is as long for a graph as for one column, and levels are shares of that length.
    null_cost = rows[("left",), "graph"].cost
    assert null_cost == pytest.approx(alone.null_cost)
    assert row.level == pytest.approx(1 - row.cost / null_cost)
    graphs = both[both["model"] == "graph"].reset_index(drop=True)
    pd.testing.assert_frame_equal(graphs, pt.rank_subsets(df, y))


def test_grids_of_wide_subsets_do_not_exist(xor):
    grids = pt.rank_subsets(*xor, max_size=3, model="grid")
    assert set(grids["size"]) == {1, 2}
    assert set(pt.rank_subsets(*xor, max_size=3, model="both")["size"]) == {1, 2, 3}
    assert_refuses(
        lambda: pt.rank_subsets(*xor, min_size=3, max_size=3, model="grid"),
        ValueError,
        "rank_subsets: model='grid' divides one or two columns; got min_size=3. Lower it, or use "
        "model='graph'.",
    )


def test_grids_take_categories(xor):
    df, y = xor
    mixed = df.assign(city=np.where(df["left"] > df["left"].median(), "high", "low"))
    ranked = pt.rank_subsets(mixed[["city", "right"]], y, model="grid")
    assert ranked["columns"][0] == ["city", "right"]
    assert ranked["cost"][0] == pt.grid(mixed["city"], mixed["right"], y).cost


def test_grids_of_gaps_are_refused_by_column(xor):
    df, y = xor
    gaps = df.assign(left=df["left"].where(np.arange(len(df)) > 2))
    assert_refuses(
        lambda: pt.rank_subsets(gaps, y, model="grid"),
        ValueError,
        "rank_subsets: X must hold no missing values, since all subsets are compared on the same "
        "rows; column 'left' holds 3. Fill them, or drop these rows.",
    )
