"""A target that is a number: what users see of it."""

import json
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.linear_model import Ridge
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

import partage as pt
from helpers import assert_refuses

N = 600


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    city = rng.choice(["Lyon", "Paris", "Nice", "Lille", "Brest"], N)
    level = {"Lyon": 0, "Paris": 0, "Nice": 2, "Lille": 2, "Brest": 4}
    age = rng.uniform(18, 80, N)
    age[rng.uniform(size=N) < 0.1] = np.nan
    y = 3 * (age > 50) + np.array([level[c] for c in city]) + rng.normal(size=N)
    return pd.DataFrame({"age": age, "city": city, "noise": rng.normal(size=N)}), y


def test_stats_are_those_of_the_rows(data):
    X, y = data
    p = pt.discretize(X["age"], y)
    assert (p.target_type, p.n_parts) == ("number", 2)
    assert p.classes.tolist() == []
    codes = p.assign(X["age"])
    for k in range(p.n_parts):
        rows, stats = y[codes == k], p.stats.iloc[k]
        assert stats["rows"] == len(rows)
        assert stats["mean"] == pytest.approx(rows.mean(), rel=1e-12)
        assert stats["std"] == pytest.approx(rows.std(), rel=1e-9)
        assert (stats["min"], stats["max"]) == (rows.min(), rows.max())
        for name, share in (("q25", 0.25), ("median", 0.5), ("q75", 0.75)):
            assert stats[name] == np.quantile(rows, share, method="inverted_cdf")
    table = p.table()
    assert table["part"].tolist()[-2:] == ["missing", "total"]
    assert table["mean"].iloc[-1] == pytest.approx(y.mean())
    assert table["mean"].iloc[-2] == pytest.approx(y[np.isnan(X["age"])].mean())
    assert table["bits"].iloc[:-1].sum() == pytest.approx(table["bits"].iloc[-1])
    assert table["bits"].iloc[-1] == pytest.approx((p.null_cost - p.cost) / np.log(2))


def test_groups_are_ordered_by_their_means(data):
    X, y = data
    p = pt.group(X["city"], y)
    assert [set(group) for group in p.groups] == [{"Lyon", "Paris"}, {"Nice", "Lille"}, {"Brest"}]
    assert (np.diff(p.stats["mean"]) > 0).all()
    assert p.assign(["Brest", "Oslo"]).tolist() == [2, 4]


def test_whole_numbers_are_classes_unless_told():
    x, y = np.arange(60.0), np.repeat([0, 1, 2], 20)
    assert pt.discretize(x, y).target_type == "class"
    assert pt.discretize(x, y.astype(float)).target_type == "class"
    p = pt.discretize(x, y, target_type="number")
    assert (p.target_type, p.n_parts) == ("number", 3)
    assert p.stats["mean"].tolist() == [0, 1, 2]
    for given in (pl.Series(y + 0.5), pd.Series(y + 0.5), (y + 0.5).tolist()):
        assert pt.discretize(x, given).stats["mean"].tolist() == [0.5, 1.5, 2.5]


def test_outputs_are_means_in_every_export(data):
    X, y = data
    table = pt.TablePartitioner(output="mean").fit(X, y)
    out = table.transform(X)
    assert table.get_feature_names_out().tolist() == ["age", "city", "noise"]
    codes = table["age"].assign(X["age"])
    assert out[:, 0] == pytest.approx([y[codes == code].mean() for code in codes])
    scope = {}
    exec(table.to_python(), scope)  # the source that it writes
    rows = [scope["transform"](row) for row in X.to_dict("records")]
    assert [list(row.values()) for row in rows] == out.tolist()
    duckdb = pytest.importorskip("duckdb")
    found = duckdb.sql(table.to_sql(table="X")).fetchall()
    assert [list(row) for row in found] == out.tolist()
    lazy = table.transform(pl.from_pandas(X, nan_to_null=True).lazy()).collect()
    assert lazy["city"].to_list() == out[:, 1].tolist()
    unseen = table.transform(X.assign(city="Oslo"))[:, 1]
    assert unseen == pytest.approx(np.full(N, y.mean()))
    median = clone(table).set_params(output="median").fit(X, y).transform(X)
    assert median[0, 0] == np.quantile(y[codes == codes[0]], 0.5, method="inverted_cdf")


def test_means_out_of_fold_see_no_row_of_their_own(data):
    X, y = data
    model = pt.TablePartitioner(output="mean", cross_fit=5)
    out = model.fit_transform(X, y)
    assert out.shape == (N, 3)
    assert not np.array_equal(out, model.transform(X))
    assert np.corrcoef(out[:, 0], y)[0, 1] > 0.5


def test_parts_feed_a_regression(data):
    X, y = data
    model = make_pipeline(pt.TablePartitioner(output="onehot"), Ridge())
    assert cross_val_score(model, X, y).mean() > 0.7


def test_partitions_are_saved_and_pickled(data, tmp_path):
    X, y = data
    model = pt.TablePartitioner(output="mean").fit(X, y, sample_weight=np.ones(N))
    model.save(tmp_path / "model.json")
    read = pt.load(tmp_path / "model.json")
    assert read.transform(X).tolist() == model.transform(X).tolist()
    for name, p in model.partitions_.items():
        assert read[name] == p
        assert pickle.loads(pickle.dumps(p)) == p
        again = pt.from_dict(json.loads(json.dumps(p.to_dict())))
        assert again == p
        assert again.table().equals(p.table())
        assert p.recount(X[name], y).table().equals(p.table())


@pytest.mark.parametrize("change", ["cells", "center", "moments", "code"])
def test_damaged_files_are_refused(data, change):
    X, y = data
    plain = json.loads(json.dumps(pt.discretize(X["age"], y).to_dict()))
    bad = {"cells": {"lows": [1]}, "center": float("inf"), "moments": [[1]], "code": "other"}
    plain["number"][change] = bad[change]
    with pytest.raises(pt.exceptions.PartageError, match="the data are damaged"):
        pt.from_dict(plain)


def test_edits_have_prices_and_a_way_back(data):
    X, y = data
    for method in ("modl", "modl-scores", "modl-classes"):
        p = pt.discretize(X["age"], y, method=method)
        worse = p.merge(0, 1)
        assert worse.history[-1].price == pytest.approx((worse.cost - p.cost) / np.log(2))
        assert worse.undo() == p
        facts = p.explain().facts
        for name in ("merges", "more", "moves"):
            assert facts[name][0][1] > 0
        cut = p.split(1, at=60)
        assert cut.n_parts == 3
        shown = dict(facts["more"])
        assert min(shown.values()) <= cut.history[-1].price
        action, price = facts["more"][0]
        part, at = eval(action.replace("split", "").replace("at=", ""))  # two numbers
        assert p.split(part, at=at).history[-1].price == pytest.approx(price)
    g = pt.group(X["city"], y, method="modl-scores")
    moved = g.move("Brest", to=0)
    assert moved.history[-1].price > 0
    assert g.explain().facts["runner_up"][1] > 0


def test_new_data_have_levels_and_stability(data):
    X, y = data
    p = pt.discretize(X["age"], y)
    table = p.table(X["age"][:300], y[:300])
    assert table["psi"].iloc[-1] < 0.1
    assert p.psi(X["age"]) == pytest.approx(0)
    assert 0.2 < p.expected_level(300) < p.level
    model = pt.Discretizer().fit(X[["age", "noise"]], y)
    months = np.repeat(["a", "b"], N // 2)
    frame = model.monitor(X[["age", "noise"]], y, by=months).frame
    assert frame["level"].iloc[0] > 0.2


def test_missing_and_special_values_join_or_stay(data):
    X, y = data
    apart = pt.discretize(X["age"], y)
    joined = pt.discretize(X["age"], y, missing="merge")
    assert (apart.missing_part, joined.missing_part) == (None, 0)
    odd = X["age"].fillna(-999)
    special = pt.discretize(odd, y, special_values=[-999])
    assert special.cuts.tolist() == apart.cuts.tolist()
    assert special.cost == pytest.approx(apart.cost)
    nothing = pt.discretize(np.full(N, np.nan), y)
    assert (nothing.n_parts, nothing.level) == (1, 0.0)


def test_a_constant_number_is_one_part():
    p = pt.discretize(np.arange(9.0), np.full(9, 0.5))
    assert (p.n_parts, p.level) == (1, 0.0)
    assert "there is one value of the target only" in str(p.explain())


def test_plot_draws_a_box_for_each_part(data):
    pytest.importorskip("matplotlib").use("Agg")
    X, y = data
    ax = pt.discretize(X["age"], y, name="age").plot()
    assert [tick.get_text() for tick in ax.get_xticklabels()][-1] == "missing"
    assert ax.get_title().startswith("age: 2 parts")


REFUSED = [
    ({"method": "fusinter"}, "method='fusinter' is not for a y of numbers; use one of "
     "'modl', 'modl-scores', 'modl-classes', 'modl-grid', 'mean', 'poisson', 'gamma', "
     "'tweedie', 'averaged', 'equal-width', 'equal-frequency'."),
    ({"min_class_count": 5}, "min_class_count is for classes, and y is a number; use "
     "min_part_size."),
    ({"target_type": "float"}, "target_type must be 'auto', 'class', 'number' or 'ordered'; got "
     "'float'."),
    ({"target_type": "class"}, "Unknown label type: continuous; y must hold class labels, got "
     "numbers such as 0.5. If y is an amount, take TablePartitioner(target_type='number'), "
     "PointsRegressor or AdditiveRegressor; or discretize it first."),
]  # fmt: skip


@pytest.mark.parametrize(("given", "message"), REFUSED)
def test_discretize_refuses_what_numbers_have_not(given, message):
    y = [0.5, 1.25, 2.5, 3.0]
    assert_refuses(
        lambda: pt.discretize([1, 2, 3, 4], y, **given), ValueError, f"discretize: {message}"
    )


BAD = [
    ([1.5, float("nan")], ValueError, "Input y contains NaN; drop these rows."),
    ([1.5, float("inf")], ValueError, "Input y contains infinity or a value too large for "
     "dtype('float64'); clip it to a number."),
    (["a", "b"], TypeError, "y must hold numbers for target_type='number'; got 'a'. For "
     "classes leave target_type out, or take a classifier."),
    ([1e300, 2.0], ValueError, "y must hold numbers whose squares are numbers; the greatest in "
     "size is 1e+300. Divide all by one number."),
    ([1e-200, 2e-200], ValueError, "y must hold numbers whose squares are numbers; the greatest in "
     "size is 2e-200. Multiply all by one number."),
    (np.array([1j, 2]), ValueError, "Complex data not supported; y must hold numbers."),
    ([], ValueError, "y must hold at least one row; got 0 sample(s)."),
]  # fmt: skip


@pytest.mark.parametrize(("y", "error", "message"), BAD)
def test_bad_numbers_are_refused(y, error, message):
    assert_refuses(
        lambda: pt.discretize([1, 2][: len(y)], y, target_type="number"),
        error,
        f"discretize: {message}",
    )


def test_estimators_refuse_what_numbers_have_not(data):
    X, y = data
    cases = [
        ({"output": "woe"}, "output='woe' is for classes, and y is a number; use output='mean'."),
        ({"output": "rate"}, "output='rate' is for classes, and y is a number; use output='mean'."),
    ]
    for given, message in cases:
        assert_refuses(
            lambda given=given: pt.TablePartitioner(**given).fit(X, y),
            ValueError,
            f"TablePartitioner: {message}",
        )
    assert_refuses(
        lambda: pt.TablePartitioner(output="mean").fit(X, np.arange(N) % 2),
        ValueError,
        "TablePartitioner: output='mean' is for a y of numbers, and y holds classes; use "
        "output='rate', or target_type='number'.",
    )
    assert_refuses(
        lambda: pt.TablePartitioner(positive=1).fit(X, y),
        ValueError,
        "TablePartitioner.fit: positive names a class, and y is a number; got 1. Leave it out.",
    )


def test_given_partitions_are_of_the_same_target(data):
    X, y = data
    p = pt.discretize(X["age"], y).merge(0, 1)
    kept = pt.TablePartitioner(partitions={"age": p}).fit(X, y)
    assert kept["age"].n_parts == 1
    assert_refuses(
        lambda: pt.TablePartitioner(partitions={"age": p}).fit(X, np.arange(N) % 2),
        ValueError,
        "TablePartitioner.fit: partitions['age'] must be of the target of y; it was made with a "
        "target_type of 'number', and y is of 'class'. Partition the column with this y, or set "
        "target_type.",
    )


def test_summary_says_that_noise_tells_nothing(data):
    X, y = data
    table = pt.TablePartitioner(n_jobs=2).fit(X, y)
    assert table.summary()["why"].tolist() == ["", "", "says nothing about the target"]
    assert table.classes_.tolist() == []
    assert table.levels_[2] == 0.0


def test_a_stats_frame_of_classes_is_refused():
    p = pt.discretize([1, 2, 3, 4], list("aabb"), name="x")
    assert_refuses(
        lambda: p.stats,
        ValueError,
        "Intervals.stats: the target must be a number; column 'x' has classes. Their counts are "
        "in `counts`, and in `table()`.",
    )


def test_threads_change_nothing(data):
    X, y = data
    one, two = (pt.TablePartitioner(n_jobs=n, output="averaged").fit(X, y) for n in (1, 2))
    assert one.to_dict()["columns"] == two.to_dict()["columns"]
