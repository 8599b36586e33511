"""NaiveBayesClassifier: its estimates, its predictions, what it says of a row."""

import pickle
import re
from math import fsum, log

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import CategoricalNB

import partage as pt
from helpers import FULL, assert_refuses, draw_codes
from reference.bayes import naive_bayes


@pytest.mark.parametrize("n_classes", [1, 2, 3, 7])
def test_on_coded_data_it_is_the_categorical_naive_bayes_of_scikit_learn(n_classes):
    X, y = draw_codes(n_classes=n_classes)
    ours = pt.NaiveBayesClassifier(method="none").fit(X, y)
    theirs = CategoricalNB(alpha=1).fit(X, y)
    np.testing.assert_allclose(ours.class_log_prior_, theirs.class_log_prior_, rtol=1e-12)
    for mine, other in zip(by_value(ours), theirs.feature_log_prob_, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-12)
    np.testing.assert_allclose(
        ours.predict_joint_log_proba(X), theirs.predict_joint_log_proba(X), rtol=1e-12
    )
    np.testing.assert_allclose(
        ours.predict_log_proba(X), theirs.predict_log_proba(X), rtol=0, atol=1e-12
    )
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def by_value(model):
    """Return the tables of the columns, their parts in the order of the values."""
    pairs = zip(model.feature_log_prob_, model.partitions_.values(), strict=True)
    return [table[:, np.argsort([group[0] for group in p.groups])] for table, p in pairs]


def test_weights_are_those_of_scikit_learn_and_of_repeated_rows():
    X, y = draw_codes()
    weights = np.random.default_rng(1).integers(0, 4, size=len(y))
    weights[:5] = 1
    ours = pt.NaiveBayesClassifier(method="none").fit(X, y, sample_weight=weights)
    theirs = CategoricalNB(alpha=1).fit(X, y, sample_weight=weights)
    repeated = pt.NaiveBayesClassifier(method="none").fit(
        np.repeat(X, weights, axis=0), np.repeat(y, weights)
    )
    wanted = theirs.predict_log_proba(X)
    np.testing.assert_allclose(ours.predict_log_proba(X), wanted, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(ours.predict_log_proba(X), repeated.predict_log_proba(X))


def test_estimates_are_those_of_the_slow_twin_on_the_parts(people):
    X, y = people
    model = pt.NaiveBayesClassifier().fit(X, y)
    columns, n_parts = [], []
    for name, partition in model.partitions_.items():
        columns.append(partition.assign(X[name]))
        n_parts.append(partition.n_parts + (partition.missing_rows > 0))
    labels = np.searchsorted(model.classes_, y)
    prior, tables = naive_bayes(columns, labels, 2, n_parts)
    np.testing.assert_allclose(model.class_log_prior_, prior, rtol=1e-13)
    for mine, twin in zip(model.feature_log_prob_, tables, strict=True):
        np.testing.assert_allclose(mine, twin, rtol=1e-12, atol=1e-13)
    scores = prior + sum(t[:, c].T for t, c in zip(tables, columns, strict=True))
    np.testing.assert_allclose(model.predict_joint_log_proba(X), scores, rtol=1e-12)


def test_laplace_worked_by_hand():
    # Class a: one x of two rows, K = 2: (1 + 1) / (2 + 2). Class b: three y of three.
    column = [["x"], ["y"], ["y"], ["y"], ["y"]]
    model = pt.NaiveBayesClassifier(method="none").fit(column, list("aabbb"))
    np.testing.assert_allclose(np.exp(model.class_log_prior_), [2 / 5, 3 / 5])
    groups = model.partitions_["x0"].groups
    found = {groups[k][0]: np.exp(model.feature_log_prob_[0][:, k]) for k in range(2)}
    np.testing.assert_allclose(found["x"], [2 / 4, 1 / 5])
    np.testing.assert_allclose(found["y"], [2 / 4, 4 / 5])
    assert model.predict_proba([["x"]])[0, 0] == pytest.approx(0.4 * 0.5 / (0.4 * 0.5 + 0.6 * 0.2))


def test_missing_and_unseen_values_never_fail(people):
    X, y = people
    model = pt.NaiveBayesClassifier().fit(X, y)
    strange = pd.DataFrame({"age": [np.nan], "city": ["Atlantis"], "noise": [np.nan]})
    nothing = model.predict_log_proba(strange)[0]
    gap = model.partitions_["age"].n_parts
    wanted = model.class_log_prior_ + model.feature_log_prob_[0][:, gap]
    np.testing.assert_allclose(nothing, wanted - np.log(np.exp(wanted).sum()), rtol=1e-12)


def test_a_gap_that_training_did_not_hold_says_nothing(steps):
    X, y = steps
    model = pt.NaiveBayesClassifier().fit(X, y)
    assert model.feature_log_prob_[0].shape == (2, model.partitions_["signal"].n_parts)
    row = pd.DataFrame({"signal": [np.nan], "noise": [np.nan]})
    np.testing.assert_allclose(model.predict_log_proba(row)[0], model.class_log_prior_, rtol=1e-12)


def test_merged_gaps_have_the_evidence_of_their_part(people):
    X, y = people
    model = pt.NaiveBayesClassifier(missing="merge").fit(X[["age"]], y)
    partition = model.partitions_["age"]
    (table,) = model.feature_log_prob_
    assert table.shape == (2, partition.n_parts)
    row = pd.DataFrame({"age": [np.nan]})
    wanted = model.class_log_prior_ + table[:, partition.missing_part]
    np.testing.assert_allclose(model.predict_joint_log_proba(row)[0], wanted, rtol=1e-12)


def test_special_values_are_parts_of_their_own(people):
    X, y = people
    X = X[["age"]].fillna(-99.0)
    model = pt.NaiveBayesClassifier(special_values=[-99.0]).fit(X, y)
    held = (X["age"] == -99).to_numpy()
    n_parts = model.partitions_["age"].n_parts + 1
    wanted = log((held[y == "yes"].sum() + 1) / ((y == "yes").sum() + n_parts))
    assert model.feature_log_prob_[0][1, -1] == pytest.approx(wanted)


def test_thousands_of_columns_stay_finite_and_exact():
    n = 10_000 if FULL else 2_000
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=60)
    X = np.where(rng.random((60, n)) < 0.6, y[:, None], rng.integers(3, size=(60, n)))
    names = [f"x{k}" for k in range(n)]
    one = pt.group([0, 1, 2], [0, 1, 2], method="none")
    given = {name: one._renamed(name) for name in names}
    model = pt.NaiveBayesClassifier(method="none", partitions=given).fit(X, y)
    found = model.predict_log_proba(X[:3])
    assert np.isfinite(found).all()
    assert found.min() < -1000  # where probabilities themselves are 0
    codes = one.assign([0, 1, 2])
    for i in range(3):
        tables = zip(model.feature_log_prob_, codes[X[i]], strict=True)
        terms = np.array([table[:, code] for table, code in tables])
        exact = np.array([fsum([model.class_log_prior_[j], *terms[:, j]]) for j in range(3)])
        exact -= exact.max()
        exact -= np.log(np.exp(exact).sum())
        np.testing.assert_allclose(found[i], exact, rtol=1e-10, atol=1e-9)


def test_neither_the_order_of_rows_nor_the_number_of_threads_changes_a_bit(people):
    X, y = people
    model = pt.NaiveBayesClassifier(interactions=2).fit(X, y)
    wanted = model.predict_log_proba(X)
    order = np.random.default_rng(0).permutation(len(y))
    for other in (
        pt.NaiveBayesClassifier(interactions=2).fit(X.iloc[order], y[order]),
        pt.NaiveBayesClassifier(interactions=2, n_jobs=3).fit(X, y),
    ):
        np.testing.assert_array_equal(other.predict_log_proba(X), wanted)


def test_explanations_sum_to_the_prediction(people):
    X, y = people
    model = pt.NaiveBayesClassifier().fit(X, y)
    row = X.iloc[[7]]
    found = model.explain(row)
    assert list(found.columns) == ["column", "value", "part", "evidence"]
    assert found["column"][0] == "(prior)"
    logs = model.predict_log_proba(row)[0]
    assert found["evidence"].sum() == pytest.approx(logs[1] - logs[0])
    strength = found["evidence"][1:].abs()
    assert strength.is_monotonic_decreasing
    for same in (row.iloc[0].to_dict(), row.iloc[0], row.iloc[0].tolist()):
        pd.testing.assert_frame_equal(model.explain(same), found)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", "tuple"])
def test_a_row_with_names_is_explained_by_them(people, library):
    X, y = people
    model = pt.NaiveBayesClassifier().fit(X, y)
    row = X.dropna().iloc[[7]]
    wanted = model.explain(row)
    mixed = row.assign(id=1)[["id", "noise", "city", "age"]]
    given = {
        "pandas": lambda: mixed,
        "polars": lambda: pl.DataFrame(mixed.to_dict("list")),
        "pyarrow": lambda: pa.table(mixed.to_dict("list")),
        "tuple": lambda: next(mixed.itertuples()),
    }[library]()
    pd.testing.assert_frame_equal(model.explain(given), wanted)
    pd.testing.assert_frame_equal(model.explain(mixed.iloc[0]), wanted)


def test_a_frame_goes_by_order_where_the_fitted_columns_had_no_names():
    X, y = draw_codes()
    model = pt.NaiveBayesClassifier(method="none").fit(X, y)
    wanted = model.explain(X[3])
    frame = pd.DataFrame(X[3:4])
    for same in (frame, frame.set_axis(list("abcdef"), axis=1), X[3:4], X[3:4].tolist()):
        pd.testing.assert_frame_equal(model.explain(same), wanted)
    turned = frame.set_axis([f"x{k}" for k in range(6)], axis=1).iloc[:, ::-1]
    pd.testing.assert_frame_equal(model.explain(turned), wanted)


def test_explanations_of_several_classes_sum_to_the_posterior(iris):
    X, y = iris
    model = pt.NaiveBayesClassifier().fit(X, y)
    found = model.explain(X.iloc[[60]])
    names = [f"evidence_{j}" for j in range(3)]
    sums = found[names].sum().to_numpy()
    logs = model.predict_log_proba(X.iloc[[60]])[0]
    np.testing.assert_allclose(sums - sums.max(), logs - logs.max(), rtol=1e-10, atol=1e-10)
    assert set(found["part"][1:]) <= {
        label for p in model.partitions_.values() for label in p.labels()
    }


def test_explanations_come_in_the_library_of_the_table(people):
    X, y = people
    frame = pl.DataFrame({"age": X["age"].to_list(), "city": X["city"].fillna("").to_list()})
    model = pt.NaiveBayesClassifier().fit(frame, y)
    assert isinstance(model.explain({"age": 40.0, "city": None}), pl.DataFrame)
    assert isinstance(model.summary(), pl.DataFrame)


def test_importances_sum_to_one_and_noise_has_none(people):
    X, y = people
    model = pt.NaiveBayesClassifier().fit(X, y)
    found = model.feature_importances_
    assert found.sum() == pytest.approx(1.0)
    assert found[2] == 0.0
    assert found[:2].min() > 0.1


def test_importance_of_a_perfect_and_a_useless_column_worked_by_hand():
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 50)
    model = pt.NaiveBayesClassifier(method="none").fit(X, X[:, 0])
    np.testing.assert_allclose(model.feature_importances_, [1.0, 0.0], atol=1e-12)


def test_it_clones_pickles_and_takes_a_target_by_name(people):
    X, y = people
    frame = X.assign(buys=y)
    model = clone(pt.NaiveBayesClassifier(interactions=2)).fit(frame, target="buys")
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


def test_summary_ranks_columns():
    X, y = pt.datasets.make_waveform(800, 0)
    table = pt.NaiveBayesClassifier().fit(X, y).summary()
    assert list(table.columns) == ["column", "level", "parts", "weight"]
    assert table["level"].is_monotonic_decreasing


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (
            {"interactions": 4},
            "NaiveBayesClassifier: interactions must be 1, 2 or 3, or 'grid'; got 4.",
        ),
        (
            {"interactions": True},
            "NaiveBayesClassifier: interactions must be 1, 2 or 3, or 'grid'; got True.",
        ),
        *(
            (
                {"interactions": size},
                f"NaiveBayesClassifier: interactions must be 1, 2 or 3, or 'grid'; got {size!r}.",
            )
            for size in (None, "2", [2], 1.5)
        ),
        (
            {"verbose": "yes"},
            "NaiveBayesClassifier: verbose must be True, False or an integer; got 'yes'.",
        ),
        (
            {"max_memory": -1},
            "NaiveBayesClassifier: max_memory must be a number of bytes above 0; got -1.",
        ),
        (
            {"partitions": [1]},
            "NaiveBayesClassifier: partitions must be a dict of partitions by column, or None; "
            "got [1].",
        ),
        ({"missing": "drop"}, "NaiveBayesClassifier: missing must be"),
    ],
)
def test_bad_parameters_are_refused(parameters, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        pt.NaiveBayesClassifier(**parameters).fit(*draw_codes())


def test_an_unfitted_model_says_so():
    model = pt.NaiveBayesClassifier()
    X, _ = draw_codes()
    for ask in (model.predict, model.predict_proba, model.predict_log_proba, model.explain):
        with pytest.raises(NotFittedError, match="NaiveBayesClassifier instance is not fitted yet"):
            ask(X)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            [1, 2],
            "NaiveBayesClassifier.explain: row must hold 6 values, one for each column; got 2.",
        ),
        (
            {"x0": 1},
            "NaiveBayesClassifier.explain: row must name every column; 'x1' is not there.",
        ),
        (np.zeros((2, 6)), "NaiveBayesClassifier.explain: row must be one row; got 2."),
        (
            np.zeros((1, 7)),
            "NaiveBayesClassifier.explain: row must hold 6 values, one for each column; got 7.",
        ),
    ],
)
def test_rows_that_cannot_be_explained_are_refused(row, message):
    model = pt.NaiveBayesClassifier().fit(*draw_codes())
    with pytest.raises(ValueError, match=re.escape(message)):
        model.explain(row)


def test_a_frame_without_a_fitted_column_is_not_explained(people):
    X, y = people
    model = pt.NaiveBayesClassifier().fit(X, y)
    assert_refuses(
        lambda: model.explain(X.iloc[[0]].drop(columns="noise")),
        ValueError,
        "NaiveBayesClassifier.explain: row must name every column; 'noise' is not there.",
    )
    assert_refuses(
        lambda: model.explain(pd.concat([X.iloc[[0]], X.iloc[[0]]], axis=1)),
        ValueError,
        "NaiveBayesClassifier.explain: column names must differ; 'age' stands more than once. "
        "Rename one of them.",
    )


@pytest.mark.parametrize("row", [None, 3, b"abcdef", {1, 2, 3, 4, 5, 6}, np.array(3), iter([1])])
def test_what_is_no_row_is_not_explained(row):
    model = pt.NaiveBayesClassifier().fit(*draw_codes())
    assert_refuses(
        lambda: model.explain(row),
        TypeError,
        "NaiveBayesClassifier.explain: row must be a dict, a data frame of one row, a series or a "
        f"list of values; got {type(row).__name__}.",
    )
