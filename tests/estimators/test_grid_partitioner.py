"""``GridPartitioner``, and grids as terms of naive Bayes."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.metrics import log_loss
from sklearn.utils.estimator_checks import check_estimator

import partage as pt


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(rng.random((1500, 5)), columns=list("abcde"))
    frame["town"] = rng.choice(["Lyon", "Nice", "Paris"], 1500)
    law = (frame["a"] > 0.5) ^ (frame["town"] == "Paris")
    law = np.where(rng.random(1500) < 0.3, frame["c"] > 0.6, law)
    return frame, np.where(law, "yes", "no")


def test_pairs_that_interact_become_features(table):
    frame, y = table
    enc = pt.GridPartitioner(max_pairs=1).fit(frame, y)
    assert list(enc.grids_) == [("a", "town")]
    assert enc.get_feature_names_out().tolist() == ["a x town"]
    codes = enc.transform(frame)
    assert np.array_equal(codes[:, 0], enc.grids_["a", "town"].assign(frame["a"], frame["town"]))
    assert enc.summary()["cells"].tolist() == [4]


@pytest.mark.parametrize("output", ["onehot", "rate", "woe", "label"])
def test_outputs(table, output):
    frame, y = table
    enc = pt.GridPartitioner(output=output).fit(frame, y)
    found = enc.transform(frame)
    assert found.shape == (1500, len(enc.get_feature_names_out()))
    if output == "onehot":
        assert (found.sum(axis=1) == len(enc.grids_)).all()
    if output == "rate":
        assert log_loss(y == "yes", found[:, 0]) < 0.62
    if output == "woe":
        assert np.corrcoef(found[:, 0], y == "yes")[0, 1] > 0.3


def test_pairs_may_be_named(table):
    frame, y = table
    enc = pt.GridPartitioner(pairs=[("b", "c"), ("a", "town")]).fit(frame, y)
    assert list(enc.grids_) == [("b", "c"), ("a", "town")]
    message = "GridPartitioner.fit: pairs must name columns of X; got 'townn'; did you mean 'town'?"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        pt.GridPartitioner(pairs=[("a", "townn")]).fit(frame, y)
    message = "GridPartitioner: pairs must be 'auto' or a list of pairs of columns; got 'all'."
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        pt.GridPartitioner(pairs="all").fit(frame, y)


def test_noise_gives_no_features():
    rng = np.random.default_rng(1)
    enc = pt.GridPartitioner().fit(rng.random((300, 6)), rng.integers(0, 2, 300))
    assert enc.grids_ == {}
    assert enc.transform(rng.random((4, 6))).shape == (4, 0)


def test_scikit_learn_accepts_it():
    check_estimator(pt.GridPartitioner(), on_skip=None)
    clone(pt.GridPartitioner(max_pairs=3))


def test_naive_bayes_takes_grids_in_the_place_of_their_columns(table):
    frame, y = table
    plain = pt.NaiveBayesClassifier().fit(frame[:1000], y[:1000])
    grids = pt.NaiveBayesClassifier(interactions="grid").fit(frame[:1000], y[:1000])
    assert list(grids.products_) == [("a", "town")]
    weights = dict(zip([*frame.columns, "grid"], grids.weights_, strict=True))
    assert weights["a"] == weights["town"] == 0
    assert weights["c"] == weights["grid"] == 1
    losses = [log_loss(y[1000:], model.predict_proba(frame[1000:])) for model in (plain, grids)]
    assert losses[1] < losses[0] - 0.1
    assert np.allclose(grids.predict_proba(frame[:5]).sum(axis=1), 1)


def test_naive_bayes_with_grids_is_saved(table, tmp_path):
    frame, y = table
    model = pt.NaiveBayesClassifier(interactions="grid").fit(frame, y)
    model.save(tmp_path / "model.json")
    read = pt.load(tmp_path / "model.json")
    assert np.array_equal(read.predict_proba(frame), model.predict_proba(frame))


def test_selective_naive_bayes_takes_no_grids(table):
    frame, y = table
    message = "SelectiveNaiveBayesClassifier: interactions must be 1, 2 or 3; got 'grid'."
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        pt.SelectiveNaiveBayesClassifier(interactions="grid").fit(frame, y)


@pytest.fixture(scope="module")
def mixed():
    """Two pairs that interact, of numbers with gaps and of texts with quotes."""
    rng = np.random.default_rng(21)
    n = 900
    frame = pd.DataFrame(
        {
            "a": np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n).round(2)),
            "b b": rng.choice(["it's", 'say "x"', "z"], n),
            "c": rng.integers(0, 50, n),
            "d": rng.random(n).round(3),
        }
    )
    first = (frame["a"] > 0) ^ (frame["b b"] == "z")
    second = (frame["c"] > 20) ^ (frame["d"] > 0.4)
    y = np.select([first & second, first | second], ["high", "mid"], "low")
    return frame, y


@pytest.mark.parametrize("output", ["code", "onehot", "rate", "woe", "label"])
def test_files_sql_and_python_give_what_transform_gives(mixed, output, tmp_path):
    duckdb = pytest.importorskip("duckdb")
    frame, y = mixed
    enc = pt.GridPartitioner(output=output, pairs=[("a", "b b"), ("c", "d")]).fit(frame, y)
    wanted = enc.transform(frame)
    names = enc.get_feature_names_out().tolist()
    enc.save(tmp_path / "m.json")
    again = pt.load(tmp_path / "m.json")
    assert again.get_feature_names_out().tolist() == names
    np.testing.assert_array_equal(again.transform(frame), wanted)
    assert again.summary().equals(enc.summary())
    t = frame.assign(place=range(len(frame)))  # noqa: F841  # the query reads it
    found = duckdb.sql(enc.to_sql(keep="place")).df().sort_values("place")
    scope = {}
    exec(enc.to_python(), scope)
    rows = pd.DataFrame(
        [scope["transform"](row) for row in frame.to_dict("records")], columns=names
    )
    for got in (found[names], rows):
        if output == "label":
            assert (got.to_numpy() == wanted).all()
        else:
            np.testing.assert_allclose(got.to_numpy(dtype=float), wanted.astype(float), rtol=1e-12)


def test_a_file_that_does_not_fit_and_nothing_to_write_are_refused(mixed):
    frame, y = mixed
    enc = pt.GridPartitioner(pairs=[("a", "b b")]).fit(frame, y)
    data = enc.to_dict()
    data["columns"] = [{"name": "c"}]
    with pytest.raises(ValueError, match=r"^grids must be of pairs of the columns$"):
        pt.GridPartitioner()._restore_fitted(data)
    rng = np.random.default_rng(1)
    none = pt.GridPartitioner().fit(frame[["c", "d"]], rng.integers(0, 2, len(frame)))
    for write in (none.to_sql, none.to_python):
        with pytest.raises(
            ValueError,
            match=rf"^GridPartitioner\.{write.__name__}: no pair was worth naming, so that there "
            r"is nothing to write\.$",
        ):
            write()
