"""Discretizer: intervals of every column of a table."""

import math

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

import partage as pt
from partage._search.methods import methods


def test_every_column_has_the_intervals_of_discretize(iris):
    X, y = iris
    enc = pt.Discretizer().fit(X, y)
    assert list(enc.partitions_) == list(X.columns)
    for name in X:
        assert enc.partitions_[name].to_dict() == pt.discretize(X[name], y).to_dict()


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


@pytest.mark.parametrize("method", [name for name in methods() if name != "chi2"])
def test_every_method_fits_a_table(iris, method):
    X, y = iris
    enc = pt.Discretizer(method=method).fit(X, y)
    assert np.asarray(enc.transform(X)).shape == X.shape
    assert enc.levels_.tolist() == [p.level for p in enc.partitions_.values()]
    assert ((enc.levels_ >= 0) & (enc.levels_ <= 1)).all()


def test_first_piece_too_small_to_judge_is_counted():
    x, y = np.arange(40.0)[:, None], np.repeat([0, 1], 20)
    pieces = pt.Discretizer(min_part_size=10)
    with pytest.warns(UserWarning, match="min_part_size is in the way.*add more pieces"):
        pieces.partial_fit(x[:5], y[:5])
    with pytest.raises(NotFittedError):
        pieces.transform(x)
    pieces.partial_fit(x[5:], y[5:])
    whole = pt.Discretizer(min_part_size=10).fit(x, y)
    assert pieces["x0"].cuts.tolist() == whole["x0"].cuts.tolist()
    assert pieces["x0"].counts.tolist() == whole["x0"].counts.tolist()
