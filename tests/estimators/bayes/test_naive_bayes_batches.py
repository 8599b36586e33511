"""Naive Bayes on partitions that are given, and on rows that come in batches."""

import re

import numpy as np
import pandas as pd
import pytest

import partage as pt
from helpers import assert_refuses, draw_codes


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
    assert taken.undo(2) == found._renamed("age")
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
    X, y = draw_codes()
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


def test_partitions_of_a_column_that_is_not_there_are_refused():
    known = {"frob": pt.discretize([1, 2], [0, 1])}
    assert_refuses(
        lambda: pt.NaiveBayesClassifier(partitions=known).fit(*draw_codes()),
        ValueError,
        "NaiveBayesClassifier.fit: partitions must name columns of X; got 'frob', X has 'x0', "
        "'x1', 'x2', 'x3', 'x4', 'x5'.",
    )


def test_a_new_class_in_a_later_batch_is_refused():
    X, y = draw_codes()
    model = pt.NaiveBayesClassifier().partial_fit(X, y)
    message = (
        "NaiveBayesClassifier.partial_fit: y must hold classes of the first call, 0, 1, 2; got 9. "
        "Announce every class by `classes` at the first call, or fit again."
    )
    with pytest.raises(ValueError, match=re.escape(message)):
        model.partial_fit(X[:2], [0, 9])
    with pytest.raises(ValueError, match=re.escape(message)):
        model.partial_fit(X[:2], [0, 1], classes=[0, 9])
