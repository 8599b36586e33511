"""Out-of-fold rates and weights of evidence."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline

import partage as pt
from helpers import assert_refuses


def mixed_table(n=600, n_classes=2, seed=0):
    """Numbers with gaps and special values, categories with rare values, and a constant."""
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 80, n).astype(float)
    city = rng.choice([f"c{i}" for i in range(60)], n, p=np.arange(1, 61) / 1830)
    y = (rng.random(n) < np.where(age < 40, 0.7, 0.2)).astype(int) + (n_classes - 2) * (city > "c5")
    age[rng.random(n) < 0.1] = np.nan
    age[rng.random(n) < 0.1] = -999.0
    month = rng.integers(0, 3, n).astype(float)
    return pd.DataFrame({"age": age, "city": city, "one": 1.0, "month": month}), y


def hand_made(model, X, y, n_folds, weights=None):
    """Fit a model without each fold and transform its rows."""
    plain = clone(model).set_params(cross_fit=None)
    out = None
    splitter = StratifiedKFold(n_folds, shuffle=True, random_state=0)
    for train, test in splitter.split(y, y):
        weight = None if weights is None else weights[train]
        fitted = clone(plain).fit(X.iloc[train], y[train], sample_weight=weight)
        values = fitted.transform(X.iloc[test])
        if out is None:
            out = np.full((len(X), values.shape[1]), np.nan)
        out[test] = values
    return out


MODELS = [
    (pt.TablePartitioner(special_values=[-999.0]), ["age", "city", "one"]),
    (pt.TablePartitioner(method="none", woe_sign=-1, positive=0), ["age", "city"]),
    (pt.TablePartitioner(monotonic="auto", by="month", max_parts=4, n_jobs=2), ["age", "month"]),
    (pt.Discretizer(missing="merge", special_values=[-999.0]), ["age", "one"]),
    (pt.Grouper(method="chaid"), ["city"]),
]


@pytest.mark.parametrize("output", ["rate", "woe"])
@pytest.mark.parametrize(("model", "columns"), MODELS)
def test_fit_transform_equals_a_loop_over_the_folds(model, columns, output):
    X, y = mixed_table()
    model = clone(model).set_params(output=output, cross_fit=4)
    expected = hand_made(model, X[columns], y, 4)
    found = model.fit_transform(X[columns], y)
    np.testing.assert_array_equal(found, expected)
    assert (found != model.transform(X[columns])).any()


def test_several_classes_and_weights_equal_the_loop():
    X, y = mixed_table(n_classes=3)
    weights = np.random.default_rng(1).integers(1, 4, len(y)).astype(float)
    for output in ("rate", "woe"):
        model = pt.TablePartitioner(output=output, cross_fit=3)
        found = model.fit_transform(X, y, sample_weight=weights)
        np.testing.assert_array_equal(found, hand_made(model, X, y, 3, weights))
        assert found.shape == (len(X), len(model.get_feature_names_out()))


@pytest.mark.parametrize("model", [pt.TablePartitioner(), pt.TablePartitioner(method="none")])
def test_fit_then_transform_uses_all_rows(model):
    X, y = mixed_table()
    crossed = clone(model).set_params(output="woe", cross_fit=5)
    plain = clone(model).set_params(output="woe")
    expected = plain.fit(X, y).transform(X)
    np.testing.assert_array_equal(crossed.fit(X, y).transform(X), expected)
    crossed.fit_transform(X, y)
    np.testing.assert_array_equal(crossed.transform(X), expected)
    np.testing.assert_array_equal(plain.fit_transform(X, y), expected)


def test_evidence_of_noise_tells_nothing_out_of_fold():
    plain, crossed = [], []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 300, (1_000, 1)).astype(str)
        y = rng.integers(0, 2, 1_000)
        model = pt.Grouper(method="none", output="woe")
        plain.append(roc_auc_score(y, model.fit_transform(X, y)))
        crossed.append(roc_auc_score(y, model.set_params(cross_fit=5).fit_transform(X, y)))
    assert min(plain) > 0.7
    assert np.mean(crossed) < 0.51
    assert max(crossed) < 0.55


def test_rows_of_zero_weight_are_told_by_all_others():
    X, y = mixed_table()
    weights = np.ones(len(y))
    weights[::7] = 0.0
    counted = weights > 0
    model = pt.TablePartitioner(output="woe", cross_fit=4)
    found = model.fit_transform(X, y, sample_weight=weights)
    np.testing.assert_array_equal(found[~counted], model.transform(X[~counted]))
    np.testing.assert_array_equal(found[counted], hand_made(model, X[counted], y[counted], 4))


def test_dropped_columns_are_those_of_all_rows():
    X, y = mixed_table()
    model = pt.TablePartitioner(output="woe", cross_fit=4, drop_uninformative=True)
    found = model.set_output(transform="pandas").fit_transform(X, y)
    whole = pt.TablePartitioner(output="woe", cross_fit=4).fit_transform(X, y)
    assert list(found.columns) == ["age"]
    np.testing.assert_array_equal(found["age"], whole[:, 0])


def test_target_may_be_a_column():
    X, y = mixed_table()
    model = pt.TablePartitioner(output="woe", cross_fit=4)
    expected = model.fit_transform(X, y)
    np.testing.assert_array_equal(model.fit_transform(X.assign(y=y), target="y"), expected)
    plain = pt.TablePartitioner()
    np.testing.assert_array_equal(
        plain.fit_transform(X.assign(y=y), target="y"), plain.fit(X, y).transform(X)
    )


def test_pipeline_trains_on_rows_out_of_fold():
    X, y = mixed_table()
    encoder = pt.TablePartitioner(method="none", output="woe", cross_fit=5)
    model = make_pipeline(encoder, LogisticRegression()).fit(X, y)
    alone = LogisticRegression().fit(clone(encoder).fit_transform(X, y), y)
    np.testing.assert_array_equal(model[-1].coef_, alone.coef_)


def test_one_class_gives_no_evidence():
    X, y = mixed_table()
    out = pt.TablePartitioner(output="woe", cross_fit=3).fit_transform(X, np.zeros_like(y))
    assert not out.any()


def test_saved_estimator_keeps_its_folds(tmp_path):
    X, y = mixed_table()
    model = pt.TablePartitioner(output="woe", cross_fit=3).fit(X, y)
    model.save(tmp_path / "model.json")
    again = pt.load(tmp_path / "model.json")
    assert again.cross_fit == 3
    np.testing.assert_array_equal(again.transform(X), model.transform(X))


@pytest.mark.parametrize("cls", [pt.Discretizer, pt.Grouper, pt.TablePartitioner])
@pytest.mark.parametrize("wrong", [1, 0, -2, 2.0, True, "5"])
def test_number_of_folds_is_checked(cls, wrong):
    assert_refuses(
        lambda: cls(output="woe", cross_fit=wrong).fit([[1.0], [2.0]] * 9, [0, 1] * 9),
        ValueError,
        f"{cls.__name__}: cross_fit must be an integer of at least 2 or None; got {wrong!r}.",
    )


@pytest.mark.parametrize("output", ["code", "onehot", "label"])
def test_other_outputs_refuse_folds(output):
    assert_refuses(
        lambda: pt.Grouper(output=output, cross_fit=5).fit_transform(
            [["a"], ["b"]] * 9, [0, 1] * 9
        ),
        ValueError,
        "Grouper: cross_fit is for output='rate', 'woe', 'averaged', 'mean' or 'median'; got "
        f"output={output!r}, whose parts differ from fold to fold. Use one of these, or leave "
        "cross_fit out.",
    )


def test_class_of_few_rows_is_refused():
    y = ["rare"] * 4 + ["often"] * 20
    assert_refuses(
        lambda: pt.Discretizer(output="woe", cross_fit=5).fit_transform(
            np.arange(24.0)[:, None], y
        ),
        ValueError,
        "Discretizer.fit_transform: cross_fit=5 needs as many rows of each class; class 'rare' "
        "has 4. Use fewer folds, or join rare classes.",
    )


def test_lazy_tables_are_refused():
    lazy = pl.LazyFrame({"x": [1.0, 2.0] * 9, "y": [0, 1] * 9})
    assert_refuses(
        lambda: pt.Discretizer(output="woe", cross_fit=5).fit_transform(lazy, target="y"),
        TypeError,
        "Discretizer.fit_transform with cross_fit=5: the rows of X must be in memory; got a "
        "LazyFrame. Collect a lazy frame (X.collect()), or read the file with polars or pandas, "
        "first.",
    )


def test_scorecard_refuses_folds():
    X, y = mixed_table()
    maker = pt.TablePartitioner(output="woe", cross_fit=5)
    assert_refuses(
        lambda: pt.Scorecard(partitioner=maker).fit(X, y),
        ValueError,
        "Scorecard: partitioner must have cross_fit=None, since points are those of all rows; "
        "got cross_fit=5.",
    )
