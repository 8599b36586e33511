"""SelectiveNaiveBayesClassifier: which columns it takes, and with which weight."""

import math
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import log_loss

import partage as pt
from helpers import assert_refuses
from partage._partitions.pairs import count_worth_naming
from reference.bayes import lift_area, naive_bayes, posterior_odds


@pytest.fixture(scope="module")
def waves():
    return pt.datasets.make_waveform(1200, 3), pt.datasets.make_waveform(3000, 4)


def coded_columns(model, X):
    """Return the codes of informative columns, their numbers of parts and names."""
    kept = {name: p for name, p in model.partitions_.items() if p.n_parts > 1}
    codes = [p.assign(X[:, int(name[1:])]) for name, p in kept.items()]
    return codes, [p.n_parts for p in kept.values()], list(kept)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_lift_selection_is_that_of_the_slow_twin(waves, n_classes):
    (X, y), _ = waves
    rows = y < n_classes
    X, y = X[rows][:400, 2:14], y[rows][:400]
    model = pt.SelectiveNaiveBayesClassifier(selection="lift").fit(X, y)
    codes, n_parts, names = coded_columns(model, X)
    prior, tables = naive_bayes(codes, y, n_classes, n_parts)
    scores = np.tile(prior, (len(y), 1))
    terms = [table[:, c].T for table, c in zip(tables, codes, strict=True)]

    def area(s):
        return lift_area(posterior_odds(s).round(9), y)

    best, selected = area(scores), []
    while len(selected) < len(terms):
        areas = [-1.0 if k in selected else area(scores + t) for k, t in enumerate(terms)]
        k = int(np.argmax(areas))
        if areas[k] <= best + 1e-9:
            break
        best = areas[k]
        selected.append(k)
        scores = scores + terms[k]
    assert model.selected_features_ == [names[k] for k in selected]
    np.testing.assert_allclose(model.predict_joint_log_proba(X), scores, rtol=1e-10)


def test_a_copy_of_a_column_is_not_selected_twice():
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=1000)
    x = y + rng.normal(size=1000)
    X = np.column_stack([x, x, rng.normal(size=1000)])
    for selection in ("lift", "mdl"):
        model = pt.SelectiveNaiveBayesClassifier(selection=selection).fit(X, y)
        assert model.selected_features_ == ["x0"]
        np.testing.assert_array_equal(model.weights_ > 0, [True, False, False])


def test_weights_of_redundant_columns_are_shared_and_help(waves):
    (X, y), (X_test, y_test) = waves
    plain = pt.NaiveBayesClassifier().fit(X, y)
    lift = pt.SelectiveNaiveBayesClassifier(selection="lift").fit(X, y)
    mdl = pt.SelectiveNaiveBayesClassifier().fit(X, y)
    losses = [log_loss(y_test, m.predict_proba(X_test)) for m in (plain, lift, mdl)]
    assert losses[2] < min(losses[:2])
    assert mdl.score(X_test, y_test) > plain.score(X_test, y_test)
    assert ((mdl.weights_ * 8) % 1 == 0).all()
    assert ((mdl.weights_ >= 0) & (mdl.weights_ <= 1)).all()
    by_weight = [mdl.weights_[int(name[1:])] for name in mdl.selected_features_]
    assert by_weight == sorted(by_weight, reverse=True)


def test_selection_by_description_length_does_not_overfit_hundreds_of_columns():
    rng = np.random.default_rng(0)
    X, y = pt.datasets.make_waveform(400, 5)
    X_test, y_test = pt.datasets.make_waveform(3000, 6)
    noise, noise_test = rng.integers(6, size=(400, 120)), rng.integers(6, size=(3000, 120))
    columns = [f"x{i}" for i in range(141)]
    train = pd.DataFrame(np.column_stack([X, noise]), columns=columns)
    test = pd.DataFrame(np.column_stack([X_test, noise_test]), columns=columns)
    kinds = dict.fromkeys(columns[21:], "categorical")
    method = {"numeric": "modl", "categorical": "none"}  # noise is left in six parts
    lift, mdl = (
        pt.SelectiveNaiveBayesClassifier(selection=s, method=method, kinds=kinds).fit(train, y)
        for s in ("lift", "mdl")
    )
    gaps = [m.score(train, y) - m.score(test, y_test) for m in (lift, mdl)]
    assert sum(name in kinds for name in mdl.selected_features_) == 0
    assert sum(name in kinds for name in lift.selected_features_) > 5
    assert gaps[1] < gaps[0]
    assert mdl.score(test, y_test) > lift.score(test, y_test)


@pytest.mark.parametrize("selection", ["lift", "mdl"])
def test_neither_the_order_of_rows_nor_the_number_of_threads_changes_a_bit(waves, selection):
    (X, y), (X_test, _) = waves
    order = np.random.default_rng(0).permutation(len(y))
    model = pt.SelectiveNaiveBayesClassifier(selection=selection).fit(X, y)
    shuffled = pt.SelectiveNaiveBayesClassifier(selection=selection).fit(X[order], y[order])
    threads = pt.SelectiveNaiveBayesClassifier(selection=selection, n_jobs=3).fit(X, y)
    for other in (shuffled, threads):
        assert other.selected_features_ == model.selected_features_
        np.testing.assert_array_equal(
            other.predict_log_proba(X_test), model.predict_log_proba(X_test)
        )


@pytest.mark.parametrize("selection", ["lift", "mdl"])
def test_weights_of_rows_are_repetitions(waves, selection):
    (X, y), _ = waves
    X, y = X[:300], y[:300]
    weights = np.random.default_rng(0).integers(0, 3, size=300)
    weighted = pt.SelectiveNaiveBayesClassifier(selection=selection).fit(
        X, y, sample_weight=weights
    )
    repeated = pt.SelectiveNaiveBayesClassifier(selection=selection).fit(
        np.repeat(X, weights, axis=0), np.repeat(y, weights)
    )
    assert weighted.selected_features_ == repeated.selected_features_
    np.testing.assert_array_equal(weighted.weights_, repeated.weights_)


@pytest.mark.parametrize("selection", ["lift", "mdl"])
def test_without_information_nothing_is_selected(selection):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.integers(2, size=200)
    model = pt.SelectiveNaiveBayesClassifier(selection=selection).fit(X, y)
    assert model.selected_features_ == []
    np.testing.assert_array_equal(model.feature_importances_, 0.0)
    np.testing.assert_allclose(model.predict_log_proba(X), model.class_log_prior_ + 0 * X[:, :2])
    one = pt.SelectiveNaiveBayesClassifier(selection=selection).fit(X, np.zeros(200))
    assert (one.predict(X) == 0).all()


def test_products_are_selected_by_their_names():
    X, y = pt.datasets.make_xor(1500, 0, n_irrelevant=2)
    model = pt.SelectiveNaiveBayesClassifier(interactions=2, selection="mdl").fit(X, y)
    assert model.selected_features_ == [("x0", "x1")]
    assert model.summary()["column"][0] == "x0 x x1"


def test_at_most_so_many_are_selected(waves):
    (X, y), _ = waves
    every = pt.SelectiveNaiveBayesClassifier(selection="lift").fit(X, y)
    few = pt.SelectiveNaiveBayesClassifier(selection="lift", max_features=3).fit(X, y)
    assert few.selected_features_ == every.selected_features_[:3]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (
            {"selection": "aic"},
            "SelectiveNaiveBayesClassifier: selection must be 'lift' or 'mdl'; got 'aic'.",
        ),
        (
            {"max_features": 0},
            "SelectiveNaiveBayesClassifier: max_features must be an integer of at least 1 or None; "
            "got 0.",
        ),
    ],
)
def test_bad_parameters_are_refused(waves, parameters, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        pt.SelectiveNaiveBayesClassifier(**parameters).fit(*waves[0])


def test_codes_beyond_the_memory_are_refused(waves):
    with pytest.raises(MemoryError, match=r"codes of 1200 rows of \d+ columns must fit into max_m"):
        pt.SelectiveNaiveBayesClassifier(max_memory=100).fit(*waves[0])


def test_a_limit_of_columns_is_for_lift_only():
    X, y = pt.datasets.make_waveform(100, 0)
    assert_refuses(
        lambda: pt.SelectiveNaiveBayesClassifier(max_features=3).fit(X, y),
        ValueError,
        "SelectiveNaiveBayesClassifier: max_features is for selection='lift'; got 3 with "
        "selection='mdl', which weighs all columns at once. Leave it out, or use "
        "selection='lift'.",
    )


def test_description_length_selects_no_noise_where_columns_outnumber_rows():
    for seed in range(3):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(100, 1000)), rng.integers(0, 2, 100)
        model = pt.SelectiveNaiveBayesClassifier(selection="mdl").fit(X, y)
        assert (model.levels_ > 0).any()
        assert model.selected_features_ == []


def test_those_worth_their_names_are_as_many_as_shorten_the_description_most():
    rng = np.random.default_rng(0)
    for n in (1, 5, 40):
        saved = np.sort(rng.exponential(3, rng.integers(1, n + 1)))[::-1]
        lengths = [math.log(math.comb(n, s)) - saved[:s].sum() for s in range(len(saved) + 1)]
        n_named, price = count_worth_naming(saved, n)
        assert n_named == np.argmin(lengths)
        if n_named:
            assert price == pytest.approx(math.log((n - n_named + 1) / n_named))
