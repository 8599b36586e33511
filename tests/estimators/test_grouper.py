"""Grouper: groups of the values of every column of a table."""

import json
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

OUTPUTS = ["code", "onehot", "label", "rate", "woe"]
SOME_METHODS = ["modl", "modl-standard", "chaid", "khiops"]


@pytest.fixture(scope="module")
def trips():
    """Make a table (a telling column of 30 values, a noisy one, numbers) and its classes."""
    rng = np.random.default_rng(3)
    city = rng.integers(0, 30, 800)
    y = np.where(rng.random(800) < np.array([0.1, 0.5, 0.9])[city % 3], "yes", "no")
    frame = pd.DataFrame(
        {
            "city": [f"city {i}" for i in city],
            "noise": rng.choice(list("abcdefgh"), 800),
            "zone": city % 3,
        }
    )
    return frame, y


def as_rows(frame):
    """Values of a frame or an array, as nested lists."""
    if isinstance(frame, pa.Table):
        frame = frame.to_pandas()
    return np.asarray(frame).tolist()


def test_every_column_has_the_groups_of_group(trips):
    X, y = trips
    enc = pt.Grouper().fit(X, y)
    assert list(enc.partitions_) == ["city", "noise", "zone"]
    for name in X:
        assert enc.partitions_[name].to_dict() == pt.group(X[name], y).to_dict()


def test_telling_column_has_its_three_groups_and_noise_has_one(trips):
    enc = pt.Grouper().fit(*trips)
    parts = enc.partitions_
    assert [p.n_parts for p in parts.values()] == [3, 1, 3]
    assert parts["zone"].groups == ((0,), (1,), (2,))


def test_fitted_attributes_are_those_of_scikit_learn(trips):
    X, y = trips
    enc = pt.Grouper().fit(X, y)
    assert enc.n_features_in_ == 3
    assert enc.feature_names_in_.tolist() == ["city", "noise", "zone"]
    assert enc.classes_.tolist() == ["no", "yes"]
    assert enc.levels_.tolist() == [p.level for p in enc.partitions_.values()]


@pytest.mark.parametrize("dtype", [object, str])
def test_array_columns_are_named_as_scikit_learn_names_them(trips, dtype):
    X, y = trips
    enc = pt.Grouper().fit(X[["city", "noise"]].to_numpy().astype(dtype), y)
    assert list(enc.partitions_) == ["x0", "x1"]
    assert enc.get_feature_names_out().tolist() == ["x0", "x1"]
    assert not hasattr(enc, "feature_names_in_")
    assert enc.partitions_["x0"].groups == pt.group(X["city"], y).groups


def test_codes_are_those_of_assign(trips):
    X, y = trips
    enc = pt.Grouper().fit(X, y)
    codes = np.asarray(enc.transform(X))
    assert codes.dtype.kind == "i"
    for j, name in enumerate(X):
        assert codes[:, j].tolist() == enc.partitions_[name].assign(X[name]).tolist()


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("with_gaps", [False, True])
def test_fit_transform_equals_fit_then_transform(trips, output, with_gaps):
    X, y = trips
    X = X.astype(object).mask(X == "a") if with_gaps else X
    enc = pt.Grouper(output=output)
    assert as_rows(enc.fit_transform(X, y)) == as_rows(clone(enc).fit(X, y).transform(X))


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("classes", [2, 3])
def test_names_out_are_as_many_as_columns_out(trips, output, classes):
    X, y = trips
    y = y if classes == 2 else np.where(X["noise"] == "a", "maybe", y)
    enc = pt.Grouper(output=output).fit(X, y)
    names = enc.get_feature_names_out()
    assert len(set(names)) == len(names) == np.asarray(enc.transform(X)).shape[1]


NEW = pd.DataFrame({"city": ["city 1", None, "nowhere"], "noise": ["a"] * 3, "zone": [0, 0, 0]})


def test_unseen_value_has_a_code_of_its_own_and_zeros_for_bits(trips):
    X, y = trips
    enc = pt.Grouper(method="modl-standard").fit(X, y)
    k = enc.partitions_["city"].n_parts
    assert np.asarray(enc.transform(NEW))[:, 0].tolist() == [1, k, k + 1]
    bits = np.asarray(enc.set_params(output="onehot").transform(NEW))[:, : k + 1]
    assert bits.tolist() == [[0, 1, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]]


def test_missing_and_unseen_values_without_training_rows_have_the_prior_and_no_evidence(trips):
    X, y = trips
    enc = pt.Grouper(method="modl-standard", output="woe").fit(X, y)
    assert np.asarray(enc.transform(NEW))[1:, 0].tolist() == [0, 0]
    rates = np.asarray(enc.set_params(output="rate").transform(NEW))[1:, :2]
    prior = (y == "yes").mean()
    assert rates == pytest.approx(np.array([[1 - prior, prior]] * 2))


def test_unseen_value_has_the_numbers_of_the_garbage_group():
    x = [*["a", "b"] * 300, *(f"rare {i}" for i in range(60))]
    y = [*["no", "yes"] * 300, *["no", "yes", "yes"] * 20]
    X = pd.DataFrame({"x": x})
    for output in OUTPUTS:
        enc = pt.Grouper(output=output).fit(X, y)
        assert enc.partitions_["x"].garbage is not None
        out = as_rows(enc.transform(pd.DataFrame({"x": ["unheard of", "rare 3"]})))
        assert out[0] == out[1]


@pytest.mark.parametrize("output", ["rate", "woe"])
def test_transform_gives_the_numbers_of_the_table(trips, output):
    X, y = trips
    X = X[["city"]].mask(X["city"] == "city 4")
    enc = pt.Grouper(method="modl-standard", output=output).fit(X, y)
    p = enc.partitions_["city"]
    new = pd.concat([X, pd.DataFrame({"city": ["nowhere"]})])
    out = np.asarray(enc.transform(new))
    row_of = p.assign(new["city"])
    table = p.table()
    assert len(table) == p.n_parts + 3
    shown = [table[name].to_numpy()[row_of] for name in table if table[name].dtype.kind == "f"]
    for j in range(out.shape[1]):
        assert any(np.array_equal(column, out[:, j]) for column in shown)


def test_label_names_the_values_of_the_group(trips):
    X, y = trips
    out = np.asarray(pt.Grouper(output="label").fit(X, y).transform(X))
    assert all("0" in text for text in out[X["zone"] == 0, 2])
    assert len(set(out[:, 2])) == 3


@pytest.mark.parametrize("n_jobs", [2, -1])
@pytest.mark.parametrize("method", SOME_METHODS)
def test_number_of_jobs_changes_no_bit(trips, method, n_jobs):
    X, y = trips
    one = pt.Grouper(method=method, n_jobs=1).fit(X, y)
    many = pt.Grouper(method=method, n_jobs=n_jobs).fit(X, y)
    for name in X:
        assert one.partitions_[name].to_dict() == many.partitions_[name].to_dict()


def test_level_does_not_depend_on_the_other_columns(trips):
    X, y = trips
    together = pt.Grouper().fit(X, y).partitions_["city"].level
    assert together == pt.Grouper().fit(X[["city"]], y).partitions_["city"].level


def test_summary_lists_the_most_informative_column_first(trips):
    X, y = trips
    summary = pt.Grouper().fit(X, y).summary()
    assert summary["column"].tolist() == ["zone", "city", "noise"]
    assert summary["level"].tolist() == sorted(summary["level"], reverse=True)


@pytest.mark.parametrize(
    "frame",
    [pd.DataFrame, pl.from_pandas, pa.Table.from_pandas],
    ids=["pandas", "polars", "pyarrow"],
)
def test_frames_of_any_library_give_the_same_codes(trips, frame):
    X, y = trips
    enc = pt.Grouper().fit(frame(X), y)
    plain = pt.Grouper().fit(X, y)
    assert as_rows(enc.transform(frame(X))) == as_rows(plain.transform(X))
    costs = [[p.cost for p in e.partitions_.values()] for e in (enc, plain)]
    assert costs[0] == costs[1]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.from_pandas], ids=["pandas", "polars"])
def test_target_may_be_a_column_of_the_table(trips, frame):
    X, y = trips
    enc = pt.Grouper().fit(frame(X.assign(answer=y)), target="answer")
    assert list(enc.partitions_) == list(X.columns)
    assert as_rows(enc.transform(frame(X))) == as_rows(pt.Grouper().fit_transform(X, y))


def test_weights_equal_repetitions(trips):
    X, y = trips
    weight = np.random.default_rng(0).integers(0, 4, len(y))
    weighted = pt.Grouper().fit(X, y, sample_weight=weight)
    repeated = pt.Grouper().fit(X.loc[X.index.repeat(weight)], np.repeat(y, weight))
    for name in X:
        one, other = weighted.partitions_[name], repeated.partitions_[name]
        assert (one.cost, one.groups) == (other.cost, other.groups)


def test_fitted_estimator_survives_pickling(trips):
    X, y = trips
    enc = pt.Grouper(output="woe").fit(X, y)
    back = pickle.loads(pickle.dumps(enc))
    assert as_rows(back.transform(X)) == as_rows(enc.transform(X))


def test_partitions_survive_json(trips):
    enc = pt.Grouper().fit(*trips)
    text = json.dumps({name: p.to_dict() for name, p in enc.partitions_.items()})
    back = {name: pt.from_dict(d) for name, d in json.loads(text).items()}
    assert back["zone"].groups == enc.partitions_["zone"].groups


def test_clone_keeps_the_parameters_and_forgets_the_fit(trips):
    enc = pt.Grouper(method="modl-standard", max_parts=3).fit(*trips)
    copy = clone(enc)
    assert copy.get_params() == enc.get_params()
    assert not hasattr(copy, "partitions_")


@pytest.mark.parametrize("output", ["onehot", "woe", "rate"])
def test_works_in_a_pipeline_and_a_grid_search(trips, output):
    X, y = trips
    pipe = make_pipeline(pt.Grouper(output=output), LogisticRegression())
    grid = GridSearchCV(pipe, {"grouper__method": ["modl", "modl-standard"]}, cv=3).fit(X, y)
    assert grid.best_score_ > 0.7


def test_works_in_a_column_transformer(trips):
    X, y = trips
    out = make_column_transformer((pt.Grouper(), ["city"]), remainder="drop")
    out = out.set_output(transform="pandas").fit_transform(X, y)
    assert list(out.columns) == ["grouper__city"]


@pytest.mark.parametrize(
    ("container", "kind"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame)]
)
@pytest.mark.parametrize("output", OUTPUTS)
def test_set_output_chooses_the_frame(trips, container, kind, output):
    X, y = trips
    enc = pt.Grouper(output=output).set_output(transform=container).fit(X, y)
    out = enc.transform(X)
    assert isinstance(out, kind)
    assert list(out.columns) == enc.get_feature_names_out().tolist()


def test_column_without_information_is_kept(trips):
    X, y = trips
    X = X.assign(constant="same", empty=None)
    enc = pt.Grouper().fit(X, y)
    assert [enc.partitions_[name].n_parts for name in ("noise", "constant", "empty")] == [1, 1, 1]
    codes = np.asarray(enc.transform(X))
    assert set(codes[:, 3]) == {0}
    assert set(codes[:, 4]) == {1}


def test_limits_hold_for_every_column(trips):
    enc = pt.Grouper(max_parts=2, min_part_size=0.2).fit(*trips)
    assert all(p.n_parts <= 2 for p in enc.partitions_.values())
    assert all(p.counts.sum(axis=1).min() >= 160 for p in enc.partitions_.values())
