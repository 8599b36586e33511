"""Products of columns: which are kept, and what they tell."""

import numpy as np
import pandas as pd
import pytest

import partage as pt
from helpers import draw_codes, sweep
from partage._data.table import read_table
from partage._estimators.bayes.features import Coder


def test_a_pair_that_tells_together_becomes_a_product():
    X, y = pt.datasets.make_xor(2000, 0, n_irrelevant=4)
    X_test, y_test = pt.datasets.make_xor(2000, 1, n_irrelevant=4)
    alone = pt.NaiveBayesClassifier().fit(X, y)
    assert alone.products_ == {}
    assert alone.score(X_test, y_test) < 0.6
    for size in (2, 3):
        model = pt.NaiveBayesClassifier(interactions=size).fit(X, y)
        assert list(model.products_) == [("x0", "x1")]
        assert model.score(X_test, y_test) > 0.95
    np.testing.assert_allclose(model.feature_importances_, [0.5, 0.5, 0, 0, 0, 0])
    groups = model.products_["x0", "x1"]
    assert groups.level > 0.7
    assert groups.counts.sum() == 2000
    codes = model._features[-1].codes(Coder("test", read_table("test", X)))
    counted = np.array([np.bincount(y[codes == k], minlength=2) for k in range(groups.n_parts)])
    np.testing.assert_array_equal(groups.counts, counted)


def test_a_triple_is_kept_where_no_pair_tells():
    rng = np.random.default_rng(0)
    X = rng.integers(2, size=(4000, 4)).astype(str)
    y = (X[:, 0] == "1") ^ (X[:, 1] == "1") ^ (X[:, 2] == "1")
    model = pt.NaiveBayesClassifier(interactions=3).fit(X, y)
    assert list(model.products_) == [("x0", "x1", "x2")]
    assert model.score(X, y) == 1.0


def test_products_of_independent_columns_are_not_kept():
    rng = np.random.default_rng(1)
    y = rng.integers(2, size=3000)
    X = y[:, None] * rng.random(4) + rng.normal(size=(3000, 4))
    assert pt.NaiveBayesClassifier(interactions=2).fit(X, y).products_ == {}


def test_products_take_gaps_unseen_cells_and_rare_values():
    rng = np.random.default_rng(2)
    n = 4000
    town = rng.choice([f"t{i}" for i in range(30)], p=np.arange(1, 31) / 465, size=n).astype(object)
    sign = rng.choice(["+", "-"], size=n).astype(object)
    y = (np.char.str_len(town.astype(str)) == 2) ^ (sign == "+") ^ (rng.random(n) < 0.05)
    town[:60] = None
    frame = pd.DataFrame({"town": town, "sign": sign})
    model = pt.NaiveBayesClassifier(interactions=2).fit(frame, y)
    assert list(model.products_) == [("town", "sign")]
    odd = pd.DataFrame({"town": ["nowhere", None, "t1"], "sign": ["?", "+", None]})
    proba = model.predict_proba(odd)
    assert np.isfinite(proba).all()


def test_progress_of_products_is_told(capsys):
    X, y = pt.datasets.make_xor(300, 0, n_irrelevant=1)
    for verbose in (True, 1):
        pt.NaiveBayesClassifier(interactions=3, verbose=verbose).fit(X, y)
        told = capsys.readouterr().err
        assert "0 of 3 pairs" in told
        assert "0 of 1 triples" in told
    pt.NaiveBayesClassifier(interactions=3, verbose=0).fit(X, y)
    assert capsys.readouterr().err == ""


def test_a_column_may_be_called_like_a_product(tmp_path):
    X, y = pt.datasets.make_xor(1000, 0, n_irrelevant=1)
    X = pd.DataFrame(X, columns=["a", "b", "a x b"])
    model = pt.SelectiveNaiveBayesClassifier(interactions=2).fit(X, y)
    assert model.selected_features_ == [("a", "b")]
    assert list(model.partitions_) == ["a", "b", "a x b"]
    assert sorted(model.summary()["column"]) == ["a", "a x b", "a x b", "b"]
    model.save(tmp_path / "model.json")
    again = pt.load(tmp_path / "model.json")
    assert again.selected_features_ == [("a", "b")]
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


def test_memory_counts_the_cells_of_products_too():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({name: rng.integers(0, 900, 2_000).astype(str) for name in "abcd"})
    model = pt.NaiveBayesClassifier(method="none", interactions=2, max_memory=4e6)
    with pytest.raises(MemoryError, match="interactions=2 must fit into max_memory"):
        model.fit(X, rng.integers(0, 2, 2_000))


def test_a_column_that_tells_nothing_makes_no_product():
    rng = np.random.default_rng(0)
    a = rng.normal(size=400)
    X = pd.DataFrame({"a": a, "constant": 1.0, "coin": rng.integers(0, 2, 400)})
    # Bins of a that lie apart tell the same: their grouping is no merit of a second column.
    y = (rng.random(400) < np.where(np.abs(a) < 0.7, 0.35, 0.65)).astype(int)
    assert not pt.NaiveBayesClassifier(interactions=2).fit(X, y).products_


@pytest.mark.parametrize(("shape", "interactions"), [((500, 60), 2), ((300, 16), 3)])
def test_noise_makes_no_products(shape, interactions):
    for seed in sweep(range(2)):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=shape), rng.integers(0, 2, shape[0])
        assert not pt.NaiveBayesClassifier(interactions=interactions).fit(X, y).products_


def test_products_beyond_the_memory_are_refused():
    X, y = draw_codes()
    with pytest.raises(MemoryError) as caught:
        pt.NaiveBayesClassifier(interactions=2, max_memory=1000).fit(X, y)
    assert str(caught.value) == (
        "NaiveBayesClassifier.fit: interactions=2 must fit into max_memory; 500 rows of 6 columns "
        "need 0.0229 MB, max_memory is 0.000954 MB. Raise it, or pass fewer columns or rows."
    )
