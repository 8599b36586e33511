"""Discretizer: intervals of every column of a table."""

import json
import math
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

import partage as pt
from partage._search import methods


def as_rows(frame):
    """Values of a frame or an array, as nested lists."""
    if isinstance(frame, pa.Table):
        frame = frame.to_pandas()
    return np.asarray(frame).tolist()


def test_every_column_has_the_intervals_of_discretize(iris):
    X, y = iris
    enc = pt.Discretizer().fit(X, y)
    assert list(enc.partitions_) == list(X.columns)
    for name in X:
        assert enc.partitions_[name].to_dict() == pt.discretize(X[name], y).to_dict()


def test_fitted_attributes_are_those_of_scikit_learn(iris):
    X, y = iris
    enc = pt.Discretizer().fit(X, y)
    assert enc.n_features_in_ == 4
    assert enc.feature_names_in_.tolist() == list(X.columns)
    assert enc.classes_.tolist() == [0, 1, 2]
    assert len(enc.levels_) == 4


def test_array_columns_are_named_as_scikit_learn_names_them(iris):
    X, y = iris
    enc = pt.Discretizer().fit(X.to_numpy(), y)
    assert list(enc.partitions_) == ["x0", "x1", "x2", "x3"]
    assert enc.get_feature_names_out().tolist() == ["x0", "x1", "x2", "x3"]
    assert not hasattr(enc, "feature_names_in_")


@pytest.mark.parametrize("names", [[0, 1], [("a", "b"), ("a", "c")]], ids=["numbers", "tuples"])
def test_frame_whose_names_are_no_text_is_read_like_an_array(steps, names):
    X, y = steps
    enc = pt.Discretizer().fit(X.set_axis(pd.Index(names), axis=1), y)
    assert list(enc.partitions_) == ["x0", "x1"]
    expected = pt.Discretizer().fit(X.to_numpy(), y)
    assert enc.levels_.tolist() == expected.levels_.tolist()


def test_frame_may_mix_kinds_of_columns():
    y = [0] * 8 + [1] * 8
    X = pd.DataFrame(
        {
            "day": pd.date_range("2020-01-01", periods=16).astype("datetime64[s]"),
            "flag": [False] * 8 + [True] * 8,
            "count": pd.array([*range(15), None], dtype="Int64"),
            "size": np.arange(16, dtype=np.float32),
        }
    )
    codes = np.asarray(pt.Discretizer().fit_transform(X, y))
    assert codes.tolist() == [[0] * 4] * 8 + [[1] * 4] * 7 + [[1, 1, 2, 1]]


def test_codes_are_those_of_assign(iris):
    X, y = iris
    enc = pt.Discretizer().fit(X, y)
    codes = np.asarray(enc.transform(X))
    assert codes.dtype.kind == "i"
    for j, name in enumerate(X):
        assert codes[:, j].tolist() == enc.partitions_[name].assign(X[name]).tolist()


@pytest.mark.parametrize("output", ["code", "onehot", "label", "rate", "woe"])
@pytest.mark.parametrize("with_gaps", [False, True])
def test_fit_transform_equals_fit_then_transform(steps, output, with_gaps):
    X, y = steps
    X = X.mask(X > 2) if with_gaps else X
    enc = pt.Discretizer(output=output)
    assert as_rows(enc.fit_transform(X, y)) == as_rows(clone(enc).fit(X, y).transform(X))


@pytest.mark.parametrize("output", ["code", "onehot", "label", "rate", "woe"])
@pytest.mark.parametrize("classes", [2, 3])
def test_names_out_are_as_many_as_columns_out(iris, output, classes):
    X, y = iris
    X, y = X[y < classes], y[y < classes]
    enc = pt.Discretizer(output=output).fit(X, y)
    names = enc.get_feature_names_out()
    assert len(set(names)) == len(names) == np.asarray(enc.transform(X)).shape[1]


def test_onehot_has_a_column_per_part_and_one_for_missing(steps):
    X, y = steps
    enc = pt.Discretizer(output="onehot").fit(X, y)
    p = enc.partitions_["signal"]
    rows = np.array([[0.0, 0.0], [math.nan, 0.0]])
    out = np.asarray(enc.transform(pd.DataFrame(rows, columns=X.columns)))
    assert out.shape == (2, p.n_parts + 1 + enc.partitions_["noise"].n_parts + 1)
    assert out[0, : p.n_parts + 1].argmax() == p.assign([0.0])[0]
    assert out[1, : p.n_parts + 1].tolist() == [0] * p.n_parts + [1]
    assert out.sum(axis=1).tolist() == [2, 2]


def test_rate_is_the_class_shares_of_the_part(steps):
    X, y = steps
    enc = pt.Discretizer(output="rate").fit(X, y)
    p = enc.partitions_["signal"]
    out = np.asarray(enc.transform(X))
    shares = p.counts / p.counts.sum(axis=1, keepdims=True)
    expected = shares[p.assign(X["signal"]), 1]
    matching = [j for j in range(out.shape[1]) if np.allclose(out[:, j], expected, atol=1e-15)]
    assert len(matching) == 1


def test_woe_is_the_formula_of_the_design(steps):
    X, y = steps
    enc = pt.Discretizer(output="woe").fit(X, y)
    p = enc.partitions_["signal"]
    n0, n1 = p.counts.sum(axis=0)
    woe = np.log(((p.counts[:, 1] + 0.5) / n1) / ((p.counts[:, 0] + 0.5) / n0))
    out = np.asarray(enc.transform(X))
    assert out[:, 0] == pytest.approx(woe[p.assign(X["signal"])], abs=1e-14)


def test_missing_code_without_training_rows_has_the_prior_and_no_evidence(steps):
    X, y = steps
    gap = pd.DataFrame({"signal": [math.nan], "noise": [math.nan]})
    woe = np.asarray(pt.Discretizer(output="woe").fit(X, y).transform(gap))
    assert woe.tolist() == [[0.0, 0.0]]
    rate = np.asarray(pt.Discretizer(output="rate").fit(X, y).transform(gap))
    assert np.isclose(rate, (y == "yes").mean()).any()


def test_label_is_the_readable_interval(steps):
    X, y = steps
    enc = pt.Discretizer(output="label").fit(X, y)
    labels = np.asarray(enc.transform(X))[:, 0]
    assert all(text[0] == "(" and "," in text for text in labels)
    table = enc.partitions_["signal"].table().astype(str).to_string()
    assert all(text in table for text in set(labels))


@pytest.mark.parametrize("output", ["rate", "woe"])
def test_transform_gives_the_numbers_of_the_table(steps, output):
    X, y = steps
    X = X.mask(X > 1.5)
    enc = pt.Discretizer(output=output).fit(X[["signal"]], y)
    p = enc.partitions_["signal"]
    out = np.asarray(enc.transform(X[["signal"]]))
    row_of = p.assign(X["signal"])
    table = p.table()
    shown = [table[name].to_numpy()[row_of] for name in table if table[name].dtype.kind == "f"]
    for j in range(out.shape[1]):
        assert any(np.array_equal(column, out[:, j]) for column in shown)


@pytest.mark.parametrize("n_jobs", [2, -1])
@pytest.mark.parametrize("method", ["modl", "mdlpc", "fusinter", "chimerge"])
def test_number_of_jobs_changes_no_bit(iris, method, n_jobs):
    X, y = iris
    one = pt.Discretizer(method=method, n_jobs=1).fit(X, y)
    many = pt.Discretizer(method=method, n_jobs=n_jobs).fit(X, y)
    for name in X:
        assert one.partitions_[name].to_dict() == many.partitions_[name].to_dict()


@pytest.mark.parametrize("method", [name for name in methods() if name != "chi2"])
def test_every_method_fits_a_table(iris, method):
    X, y = iris
    enc = pt.Discretizer(method=method).fit(X, y)
    assert np.asarray(enc.transform(X)).shape == X.shape
    assert enc.levels_.tolist() == [p.level for p in enc.partitions_.values()]
    assert ((enc.levels_ >= 0) & (enc.levels_ <= 1)).all()


def test_level_does_not_depend_on_the_other_columns(iris):
    X, y = iris
    together = pt.Discretizer().fit(X, y)
    alone = pt.Discretizer().fit(X.iloc[:, [2]], y)
    name = X.columns[2]
    assert together.partitions_[name].level == alone.partitions_[name].level


def test_summary_lists_the_most_informative_column_first(iris):
    X, y = iris
    enc = pt.Discretizer().fit(X, y)
    summary = enc.summary()
    assert len(summary) == 4
    assert summary["level"].tolist() == sorted(summary["level"], reverse=True)
    assert "petal" in summary.iloc[0].astype(str).str.cat()


@pytest.mark.parametrize(
    "frame",
    [pd.DataFrame, pl.from_pandas, pa.Table.from_pandas],
    ids=["pandas", "polars", "pyarrow"],
)
def test_frames_of_any_library_give_the_same_codes(steps, frame):
    X, y = steps
    enc = pt.Discretizer().fit(frame(X), y)
    plain = pt.Discretizer().fit(X.to_numpy(), y)
    assert list(enc.partitions_) == list(X.columns)
    assert as_rows(enc.transform(frame(X))) == as_rows(plain.transform(X.to_numpy()))
    costs = [[p.cost for p in e.partitions_.values()] for e in (enc, plain)]
    assert costs[0] == costs[1]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.from_pandas], ids=["pandas", "polars"])
def test_target_may_be_a_column_of_the_table(steps, frame):
    X, y = steps
    table = frame(X.assign(answer=y))
    enc = pt.Discretizer().fit(table, target="answer")
    assert list(enc.partitions_) == ["signal", "noise"]
    expected = pt.Discretizer().fit(frame(X), y).partitions_["signal"]
    assert enc.partitions_["signal"].to_dict() == expected.to_dict()
    assert as_rows(enc.transform(frame(X))) == as_rows(pt.Discretizer().fit_transform(X, y))


def test_weights_equal_repetitions(steps):
    X, y = steps
    weight = np.random.default_rng(0).integers(0, 4, len(y))
    weighted = pt.Discretizer().fit(X, y, sample_weight=weight)
    repeated = pt.Discretizer().fit(X.loc[X.index.repeat(weight)], np.repeat(y, weight))
    for name in X:
        one, other = weighted.partitions_[name], repeated.partitions_[name]
        assert (one.cost, one.cuts.tolist()) == (other.cost, other.cuts.tolist())


def test_fitted_estimator_survives_pickling(steps):
    X, y = steps
    enc = pt.Discretizer(output="woe").fit(X, y)
    back = pickle.loads(pickle.dumps(enc))
    assert as_rows(back.transform(X)) == as_rows(enc.transform(X))


def test_clone_keeps_the_parameters_and_forgets_the_fit(steps):
    enc = pt.Discretizer(method="fusinter", max_parts=3, method_params={"alpha": 0.9}).fit(*steps)
    copy = clone(enc)
    assert copy.get_params() == enc.get_params()
    assert not hasattr(copy, "partitions_")


@pytest.mark.parametrize("output", ["onehot", "woe", "rate"])
def test_works_in_a_pipeline_and_a_grid_search(steps, output):
    X, y = steps
    pipe = make_pipeline(pt.Discretizer(output=output), LogisticRegression())
    grid = GridSearchCV(pipe, {"discretizer__method": ["modl", "mdlpc"]}, cv=3).fit(X, y)
    assert grid.best_score_ > 0.6


def test_works_in_a_column_transformer(steps):
    X, y = steps
    out = make_column_transformer((pt.Discretizer(), ["signal"]), remainder="drop")
    out = out.set_output(transform="pandas").fit_transform(X, y)
    assert list(out.columns) == ["discretizer__signal"]


@pytest.mark.parametrize(
    ("container", "kind"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame)]
)
@pytest.mark.parametrize("output", ["code", "onehot", "label", "rate", "woe"])
def test_set_output_chooses_the_frame(steps, container, kind, output):
    X, y = steps
    enc = pt.Discretizer(output=output).set_output(transform=container).fit(X, y)
    out = enc.transform(X)
    assert isinstance(out, kind)
    assert list(out.columns) == enc.get_feature_names_out().tolist()
    if container == "pandas":
        assert out.index.equals(X.index)


def test_partitions_survive_json(steps):
    enc = pt.Discretizer().fit(*steps)
    text = json.dumps({name: p.to_dict() for name, p in enc.partitions_.items()})
    back = {name: pt.from_dict(d) for name, d in json.loads(text).items()}
    assert back["signal"].to_dict() == enc.partitions_["signal"].to_dict()


def test_column_without_information_is_kept(steps):
    X, y = steps
    X = X.assign(constant=1.0, empty=math.nan)
    enc = pt.Discretizer().fit(X, y)
    assert [enc.partitions_[name].n_parts for name in ("noise", "constant", "empty")] == [1, 1, 1]
    codes = np.asarray(enc.transform(X))
    assert codes.shape == X.shape
    assert set(codes[:, 2]) == {0}
    assert set(codes[:, 3]) == {1}


def test_limits_hold_for_every_column(iris):
    X, y = iris
    enc = pt.Discretizer(max_parts=2, min_part_size=0.2).fit(X, y)
    assert all(p.n_parts <= 2 for p in enc.partitions_.values())
    assert all(p.counts.sum(axis=1).min() >= 30 for p in enc.partitions_.values())
