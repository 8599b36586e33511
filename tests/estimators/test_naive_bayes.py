"""NaiveBayesClassifier: its estimates, its predictions, what it says of a row."""

import pickle
import re
from dataclasses import replace
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
from helpers import assert_refuses
from reference.bayes import naive_bayes


def coded(seed=0, n_rows=500, n_columns=6, n_values=5, n_classes=3):
    """Draw codes, every value of every column held, the first column telling of the class."""
    rng = np.random.default_rng(seed)
    X = rng.integers(n_values, size=(n_rows, n_columns))
    y = rng.integers(n_classes, size=n_rows)
    X[:, 0] = np.where(rng.random(n_rows) < 0.5, y, X[:, 0])
    X[:n_values] = np.arange(n_values)[:, None]
    return X, y


@pytest.fixture(scope="module")
def people():
    """Draw a mixed table with gaps, and two classes."""
    rng = np.random.default_rng(4)
    n = 1500
    y = rng.random(n) < 0.4
    age = np.where(y, rng.normal(50, 9, n), rng.normal(38, 9, n))
    age[rng.random(n) < 0.1] = np.nan
    city = np.where(rng.random(n) < 0.5, np.where(y, "Nice", "Lyon"), "Paris").astype(object)
    city[rng.random(n) < 0.05] = None
    frame = pd.DataFrame({"age": age, "city": city, "noise": rng.normal(size=n)})
    return frame, np.where(y, "yes", "no")


@pytest.mark.parametrize("n_classes", [1, 2, 3, 7])
def test_on_coded_data_it_is_the_categorical_naive_bayes_of_scikit_learn(n_classes):
    X, y = coded(n_classes=n_classes)
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
    X, y = coded()
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


def test_ten_thousand_columns_stay_finite_and_exact():
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=60)
    X = np.where(rng.random((60, 10_000)) < 0.6, y[:, None], rng.integers(3, size=(60, 10_000)))
    names = [f"x{k}" for k in range(10_000)]
    one = pt.group([0, 1, 2], [0, 1, 2], method="none")
    given = {name: replace(one, name=name) for name in names}
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


@pytest.mark.parametrize("seed", [0, 1])
def test_given_partitions_go_by_their_keys_and_are_counted_anew(people, seed):
    X, y = people
    weights = np.random.default_rng(seed).integers(0, 3, len(y))
    few = X[:300]
    given = {
        "age": pt.discretize(few["age"].to_numpy(), y[:300]),
        "city": pt.group(few["city"].tolist(), y[:300]),
        "noise": pt.discretize(few["noise"].tolist(), y[:300], n_parts=3, method="equal-width"),
    }
    model = pt.NaiveBayesClassifier(partitions=given).fit(X, y, sample_weight=weights)
    assert list(model.partitions_) == list(X.columns)
    labels = np.searchsorted(model.classes_, y)
    for table, (name, p) in zip(model.feature_log_prob_, model.partitions_.items(), strict=True):
        assert p.name == name
        assert p.labels() == given[name].labels()
        codes = given[name].assign(X[name])
        counts = np.zeros((codes.max() + 1, 2))
        np.add.at(counts, (codes, labels), weights)
        np.testing.assert_array_equal(p.counts, counts[: p.n_parts])
        np.testing.assert_allclose(
            np.exp(table.T), (counts + 1) / (counts + 1).sum(axis=0), rtol=1e-12
        )
        assert p.level == given[name].recount(X[name], y, sample_weight=weights).level
    assert model.feature_importances_.sum() == pytest.approx(1.0)
    turned = pt.NaiveBayesClassifier(partitions=dict(reversed(given.items())))
    turned.fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(turned.predict_proba(X), model.predict_proba(X))
    assert len(model.explain(X.iloc[[0]])) == 4


def test_a_given_partition_of_the_same_rows_keeps_its_edits(people):
    X, y = people
    found = pt.discretize(X["age"].to_numpy(), y)
    edited = found.merge(0, 1).split(0, at=30.0)
    model = pt.NaiveBayesClassifier(partitions={"age": edited}).fit(X, y)
    taken = model.partitions_["age"]
    assert [edit.action for edit in taken.history] == [edit.action for edit in edited.history]
    assert taken.undo(2) == replace(found, name="age")
    assert taken.undo(1).undo(1).name == "age"
    again = pt.NaiveBayesClassifier(partitions={"age": edited}).fit(X[:700], y[:700])
    assert again.partitions_["age"].history == ()


def test_a_given_partition_may_know_classes_that_y_has_not(people):
    X, y = people
    more = np.where(np.arange(len(y)) % 3 == 0, "maybe", y)
    given = {"age": pt.discretize(X["age"], more), "city": pt.group(X["city"], more)}
    model = pt.NaiveBayesClassifier(partitions=given).fit(X, y)
    assert model.partitions_["age"].classes.tolist() == ["no", "yes"]
    assert model.partitions_["city"].counts.shape[1] == 2


@pytest.mark.parametrize(
    ("name", "make", "got", "held", "made_by"),
    [
        ("age", lambda X, y: pt.group(X["city"], y), "groups such as {", "numbers", "discretize"),
        ("city", lambda X, y: pt.discretize(X["age"], y), "intervals of n", "categories", "group"),
        (
            "age",
            lambda X, y: pt.discretize(pd.to_datetime(X["age"] * 1e9), y),
            "intervals of dates or times",
            "numbers",
            "discretize",
        ),
    ],
)
def test_a_given_partition_of_another_kind_is_refused(people, name, make, got, held, made_by):
    X, y = people
    message = (
        rf"^NaiveBayesClassifier\.fit: partitions\['{name}'\] must fit its column; got "
        rf"{re.escape(got)}.*, and column '{name}' holds {held}\. Give a partition that {made_by} "
        r"made of this column, or leave it out\.$"
    )
    with pytest.raises(TypeError, match=message):
        pt.NaiveBayesClassifier(partitions={name: make(X, y)}).fit(X, y)


def test_a_given_partition_of_other_classes_is_refused(people):
    X, y = people
    given = {"age": pt.discretize(X["age"], y == "yes")}
    message = (
        "partitions['age'] must be of the classes of y; it was made with False, True, y has {} "
        "too. Partition the column with this y, or give y the same labels."
    )
    assert_refuses(
        lambda: pt.NaiveBayesClassifier(partitions=given).fit(X, y),
        ValueError,
        "NaiveBayesClassifier.fit: " + message.format("'no'"),
    )
    assert_refuses(
        lambda: pt.NaiveBayesClassifier(partitions=given).partial_fit(
            X, y == "yes", classes=[0, 1, 2]
        ),
        ValueError,
        "NaiveBayesClassifier.partial_fit: " + message.format("2"),
    )


def batches(seed, n=900):
    """Draw a table of all kinds, with gaps and special values, three classes and weights."""
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=n)
    number = np.where(rng.random(n) < 0.1, np.nan, (y + rng.normal(size=n)).round(2))
    number[rng.random(n) < 0.1] = -99.0
    size = pd.Categorical.from_codes(
        np.clip(y + rng.integers(0, 3, n), 0, 4), ["xs", "s", "m", "l", "xl"], ordered=True
    )
    town = np.array([f"t{k}" for k in np.minimum(y * 3 + rng.geometric(0.3, n), 12)], dtype=object)
    town[rng.random(n) < 0.1] = None
    day = pd.Timestamp("2026-01-01") + pd.to_timedelta(rng.integers(0, 60, n) * (y + 1), unit="D")
    X = pd.DataFrame({"number": number, "size": size, "town": town, "day": day})
    return X, y, rng.integers(1, 4, n)


@pytest.mark.parametrize("ways", ["separate", "merge"])
@pytest.mark.parametrize("has_weights", [False, True])
def test_partitions_tell_of_all_batches(ways, has_weights):
    X, y, weights = batches(0)
    weights = weights if has_weights else np.ones(len(y), dtype=int)
    first = pt.NaiveBayesClassifier(
        special_values={"number": [-99.0]}, missing=ways, special=ways
    ).fit(X[:300], y[:300])
    whole = pt.NaiveBayesClassifier(partitions=first.partitions_)
    whole.fit(X, y, sample_weight=weights if has_weights else None)
    model = pt.NaiveBayesClassifier(partitions=first.partitions_)
    for rows in (slice(0, 250), slice(250, 251), slice(251, 700), slice(700, None)):
        model.partial_fit(
            X[rows],
            y[rows],
            classes=[0, 1, 2],
            sample_weight=weights[rows] if has_weights else None,
        )
    for name, p in model.partitions_.items():
        other = whole.partitions_[name]
        assert p.labels() == other.labels()
        np.testing.assert_array_equal(p.code_counts(), other.code_counts())
        np.testing.assert_array_equal(p.code_rows(), other.code_rows())
        np.testing.assert_array_equal(p.missing_counts, other.missing_counts)
        assert p.n_values <= other.n_values
        assert (p.cost, p.null_cost, p.level) == pytest.approx(
            (other.cost, other.null_cost, other.level), rel=1e-12
        )
        assert p.totals().sum() == weights.sum()
    np.testing.assert_allclose(model.levels_, whole.levels_)
    pd.testing.assert_frame_equal(model.summary(), whole.summary())
    np.testing.assert_array_equal(model.predict_proba(X), whole.predict_proba(X))


def test_values_of_later_batches_are_asked_for_by_edits_that_need_them(steps):
    X, y = steps
    half = len(y) // 2
    model = pt.NaiveBayesClassifier().partial_fit(X[:half], y[:half])
    p = model.partial_fit(X[half:], y[half:]).partitions_["signal"]
    assert p.merge(0, 1).n_parts == p.n_parts - 1
    with pytest.raises(ValueError, match=r"recount\(x, y\)"):
        p.split(0, at=float(p.cuts[0]) - 1.0)
    whole = p.recount(X["signal"], y)
    np.testing.assert_array_equal(whole.counts, p.counts)
    assert whole.level == pytest.approx(p.level)


def test_products_tell_of_all_batches():
    X, y = pt.datasets.make_xor(2000, 0, n_irrelevant=1)
    model = pt.NaiveBayesClassifier(interactions=2).partial_fit(
        X[:1000], y[:1000], classes=[0, 1, 2]
    )
    before = model.products_["x0", "x1"]
    model.partial_fit(X[1000:], y[1000:])
    after = model.products_["x0", "x1"]
    assert before.counts.sum() == before.rows.sum() == 1000
    assert after.counts.sum() == after.rows.sum()
    assert 1900 < after.counts.sum() <= 2000  # cells that the first batch did not hold are unseen
    assert after.level > before.level > 0.5
    assert model.summary()["level"][0] == after.level


def test_a_loaded_model_goes_on_where_the_saved_one_stopped(tmp_path):
    X, y, _ = batches(1)
    model = pt.NaiveBayesClassifier().partial_fit(X[:500], y[:500])
    model.save(tmp_path / "model.json")
    again = pt.load(tmp_path / "model.json")
    for one in (model, again):
        one.partial_fit(X[500:], y[500:])
    np.testing.assert_allclose(again.levels_, model.levels_, rtol=1e-12)
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize("classes", [[0, 1, 2, None], [0.0, 1.0, 2.0, np.nan], [], 3])
def test_announced_classes_are_labels(classes):
    X, y = coded()
    assert_refuses(
        lambda: pt.NaiveBayesClassifier().partial_fit(X, y, classes=classes),
        ValueError,
        "NaiveBayesClassifier.partial_fit: classes must be a list of class labels, none of them "
        f"missing; got {classes!r}.",
    )


def test_errors_of_the_first_batch_name_the_call(people):
    X, y = people
    with pytest.raises(ValueError, match=r"^NaiveBayesClassifier\.partial_fit: X and y must have"):
        pt.NaiveBayesClassifier().partial_fit(X, y[:-1])
    with pytest.raises(MemoryError, match=r"^NaiveBayesClassifier\.partial_fit: interactions=2"):
        pt.NaiveBayesClassifier(interactions=2, max_memory=9).partial_fit(X, y)


def test_batches_count_as_one_table_for_given_partitions(people):
    X, y = people
    first = pt.NaiveBayesClassifier().fit(X, y)
    given = pt.NaiveBayesClassifier(partitions=first.partitions_)
    for rows in (slice(None, 400), slice(400, 410), slice(410, None)):
        given.partial_fit(X[rows], y[rows], classes=["yes", "no"])
    np.testing.assert_array_equal(given.classes_, first.classes_)
    np.testing.assert_allclose(given.predict_log_proba(X), first.predict_log_proba(X), rtol=1e-12)


def test_a_first_batch_of_one_class_learns_the_other_later(people):
    X, y = people
    model = pt.NaiveBayesClassifier(partitions=pt.NaiveBayesClassifier().fit(X, y).partitions_)
    model.partial_fit(X[y == "no"], y[y == "no"], classes=["no", "yes"])
    assert (model.predict(X) == "no").all()
    np.testing.assert_array_equal(model.predict_proba(X)[:, 1], 0.0)
    model.partial_fit(X[y == "yes"], y[y == "yes"])
    whole = pt.NaiveBayesClassifier().fit(X, y)
    np.testing.assert_allclose(model.predict_log_proba(X), whole.predict_log_proba(X), rtol=1e-12)


def test_batches_keep_weights_and_count_gaps_that_come_later(steps):
    X, y = steps
    model = pt.NaiveBayesClassifier().fit(X, y)
    n_parts = model.partitions_["signal"].n_parts
    gaps = pd.DataFrame({"signal": [np.nan] * 4, "noise": [0.0] * 4})
    model.partial_fit(gaps, ["yes"] * 4, sample_weight=[2, 2, 1, 0])
    table = np.exp(model.feature_log_prob_[0])
    n_yes = (y == "yes").sum() + 5
    assert table[1, n_parts] == pytest.approx((5 + 1) / (n_yes + n_parts + 1))


def test_an_unseen_value_of_a_later_batch_is_counted_nowhere(people):
    X, y = people
    model = pt.NaiveBayesClassifier(method={"categorical": "modl-standard"}).fit(X, y)
    before = model.feature_log_prob_[1]
    row = pd.DataFrame({"age": [40.0], "city": ["Atlantis"], "noise": [0.0]})
    model.partial_fit(row, ["yes"])
    np.testing.assert_array_equal(model.feature_log_prob_[1], before)


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
    X, y = coded()
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
    codes = model._features[-1].codes(pt._features.Coder("test", pt._inputs.read_table("test", X)))
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
    assert model.selected_ == [("a", "b")]
    assert list(model.partitions_) == ["a", "b", "a x b"]
    assert sorted(model.summary()["column"]) == ["a", "a x b", "a x b", "b"]
    model.save(tmp_path / "model.json")
    again = pt.load(tmp_path / "model.json")
    assert again.selected_ == [("a", "b")]
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


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
        ({"interactions": 4}, "NaiveBayesClassifier: interactions must be 1, 2 or 3; got 4."),
        ({"interactions": True}, "NaiveBayesClassifier: interactions must be 1, 2 or 3; got True."),
        *(
            (
                {"interactions": size},
                f"NaiveBayesClassifier: interactions must be 1, 2 or 3; got {size!r}.",
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
        pt.NaiveBayesClassifier(**parameters).fit(*coded())


def test_partitions_of_a_column_that_is_not_there_are_refused():
    known = {"frob": pt.discretize([1, 2], [0, 1])}
    assert_refuses(
        lambda: pt.NaiveBayesClassifier(partitions=known).fit(*coded()),
        ValueError,
        "NaiveBayesClassifier.fit: partitions must name columns of X; got 'frob', X has 'x0', "
        "'x1', 'x2', 'x3', 'x4', 'x5'.",
    )


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
    for seed in range(2):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=shape), rng.integers(0, 2, shape[0])
        assert not pt.NaiveBayesClassifier(interactions=interactions).fit(X, y).products_


def test_products_beyond_the_memory_are_refused():
    X, y = coded()
    with pytest.raises(MemoryError) as caught:
        pt.NaiveBayesClassifier(interactions=2, max_memory=1000).fit(X, y)
    assert str(caught.value) == (
        "NaiveBayesClassifier.fit: interactions=2 must fit into max_memory; 500 rows of 6 columns "
        "need 0.0229 MB, max_memory is 0.000954 MB. Raise it, or pass fewer columns or rows."
    )


def test_a_new_class_in_a_later_batch_is_refused():
    X, y = coded()
    model = pt.NaiveBayesClassifier().partial_fit(X, y)
    message = (
        "NaiveBayesClassifier.partial_fit: y must hold classes of the first call, 0, 1, 2; got 9. "
        "Announce every class by `classes` at the first call, or fit anew."
    )
    with pytest.raises(ValueError, match=re.escape(message)):
        model.partial_fit(X[:2], [0, 9])
    with pytest.raises(ValueError, match=re.escape(message)):
        model.partial_fit(X[:2], [0, 1], classes=[0, 9])


def test_an_unfitted_model_says_so():
    model = pt.NaiveBayesClassifier()
    X, _ = coded()
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
    model = pt.NaiveBayesClassifier().fit(*coded())
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
    model = pt.NaiveBayesClassifier().fit(*coded())
    assert_refuses(
        lambda: model.explain(row),
        TypeError,
        "NaiveBayesClassifier.explain: row must be a dict, a data frame of one row, a series or a "
        f"list of values; got {type(row).__name__}.",
    )
