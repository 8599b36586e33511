"""``output="label"`` in a frame: ordered categories, which boosted trees take as they are."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.pipeline import make_pipeline

import partage as pt


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(7)
    y = rng.integers(0, 2, 900)
    age = rng.integers(18, 80, 900) + 20.0 * y
    age[::50] = np.nan
    city = np.where(rng.random(900) < 0.7, np.where(y, "Lyon", "Nice"), "Metz")
    return pd.DataFrame({"age": age, "city": city}), y


def test_labels_are_ordered_categories_of_pandas(table):
    X, y = table
    X = X.set_axis(np.arange(900) + 5, axis=0)
    enc = pt.TablePartitioner(output="label").set_output(transform="pandas")
    found = enc.fit_transform(X, y)
    assert found.index.equals(X.index)
    assert list(found) == ["age", "city"]
    assert found["age"].cat.ordered
    labels = enc["age"].code_labels()
    assert list(found["age"].cat.categories) == labels
    assert (found["age"].cat.codes == enc["age"].assign(X["age"])).all()
    pd.testing.assert_frame_equal(enc.transform(X), found)


def test_labels_are_ordered_categories_of_polars(table):
    X, y = table
    enc = pt.TablePartitioner(output="label").set_output(transform="polars").fit(X, y)
    found = enc.transform(pl.from_pandas(X))
    assert found.schema["age"] == pl.Enum(enc["age"].code_labels())


def test_without_a_frame_labels_are_text(table):
    X, y = table
    found = pt.TablePartitioner(output="label").fit_transform(X, y)
    assert isinstance(found, np.ndarray)
    assert isinstance(found[0, 0], str)


def test_boosted_trees_of_scikit_learn_take_them(table):
    X, y = table
    enc = pt.TablePartitioner(output="label").set_output(transform="pandas")
    trees = HistGradientBoostingClassifier(categorical_features="from_dtype", max_iter=20)
    model = make_pipeline(enc, trees).fit(X, y)
    assert model.score(X, y) > 0.75
    assert trees.is_categorical_.all()


def test_lightgbm_takes_them(table):
    lightgbm = pytest.importorskip("lightgbm")
    X, y = table
    enc = pt.TablePartitioner(output="label").set_output(transform="pandas")
    found = enc.fit_transform(X, y)
    model = lightgbm.LGBMClassifier(n_estimators=20, verbose=-1, n_jobs=1).fit(found, y)
    assert model.score(found, y) > 0.75
