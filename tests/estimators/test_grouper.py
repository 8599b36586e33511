"""Grouper: groups of the values of every column of a table."""

import numpy as np
import pandas as pd
import pytest

import partage as pt
from helpers import frame_rows
from partage._support.checks import CLASS_OUTPUTS


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


@pytest.mark.parametrize("dtype", [object, str])
def test_array_columns_are_named_as_scikit_learn_names_them(trips, dtype):
    X, y = trips
    enc = pt.Grouper().fit(X[["city", "noise"]].to_numpy().astype(dtype), y)
    assert list(enc.partitions_) == ["x0", "x1"]
    assert enc.get_feature_names_out().tolist() == ["x0", "x1"]
    assert not hasattr(enc, "feature_names_in_")
    assert enc.partitions_["x0"].groups == pt.group(X["city"], y).groups


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
    for output in CLASS_OUTPUTS:
        enc = pt.Grouper(output=output).fit(X, y)
        assert enc.partitions_["x"].garbage is not None
        out = frame_rows(enc.transform(pd.DataFrame({"x": ["unheard of", "rare 3"]})))
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


def test_summary_lists_the_most_informative_column_first(trips):
    X, y = trips
    summary = pt.Grouper().fit(X, y).summary()
    assert summary["column"].tolist() == ["zone", "city", "noise"]
    assert summary["level"].tolist() == sorted(summary["level"], reverse=True)


def test_bits_of_values_that_are_written_alike_have_names_of_their_own():
    X = pd.DataFrame({"c": ["0", "0", 0, "0"]}, dtype=object)
    enc = pt.Grouper(method="none", output="onehot").fit(X, [1, 1, 0, 1])
    names = enc.get_feature_names_out().tolist()
    assert names == ["c_{0}_0", "c_{0}_1", "c_missing"]
    assert enc.transform(X).tolist() == [[0, 1, 0], [0, 1, 0], [1, 0, 0], [0, 1, 0]]
