"""Targets that declare an order: the event is their last class, wherever one is told."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import partage as pt
from helpers import assert_refuses

LEVELS = ["good", "bad"]  # the last one is not the last in the alphabet


@pytest.fixture(scope="module")
def loans():
    """Return debts, towns and text classes; the more debt, the more often "bad"."""
    rng = np.random.default_rng(2)
    debt = rng.integers(0, 100, 900).astype(float)
    town = np.where(rng.random(900) < 0.5, "Lyon", "Nice")
    is_bad = rng.random(900) < 0.1 + 0.5 * (debt > 50) + 0.3 * (town == "Nice")
    return pd.DataFrame({"debt": debt, "town": town}), np.where(is_bad, "bad", "good")


TARGETS = {
    "series": lambda y: pd.Series(pd.Categorical(y, LEVELS, ordered=True)),
    "categorical": lambda y: pd.Categorical(y, LEVELS, ordered=True),
    "index": lambda y: pd.CategoricalIndex(y, LEVELS, ordered=True),
    "enum": lambda y: pl.Series(y, dtype=pl.Enum(LEVELS)),
    "with an absent level": lambda y: pd.Categorical(y, ["best", *LEVELS], ordered=True),
}


@pytest.mark.parametrize("make", TARGETS.values(), ids=TARGETS)
def test_event_is_the_last_class_of_the_declared_order(loans, make):
    X, text = loans
    y = make(text)
    p = pt.discretize(X["debt"], y, monotonic="ascending")
    assert p.n_parts > 1
    assert p.classes.tolist() == ["bad", "good"]
    table = p.table()[: p.n_parts]
    assert table["event_rate"].tolist() == table["rate_bad"].tolist()
    assert table["event_rate"].is_monotonic_increasing
    assert table["woe"].is_monotonic_increasing
    assert pt.group(X["town"], y).groups == (("Lyon",), ("Nice",))
    evidence = pt.TablePartitioner(output="woe").fit(X, y)
    wanted = pt.TablePartitioner(output="woe", positive="bad").fit(X, text)
    np.testing.assert_array_equal(evidence.transform(X), wanted.transform(X))
    assert evidence.classes_.tolist() == ["bad", "good"]


def test_a_named_event_comes_before_the_order(loans):
    X, text = loans
    y = pd.Categorical(text, LEVELS, ordered=True)
    enc = pt.Discretizer(positive="good").fit(X[["debt"]], y)
    assert enc.partitions_["debt"].event == 1


@pytest.mark.parametrize("text_of", [str, str.upper])
def test_without_an_order_the_event_is_the_second_class(loans, text_of):
    X, text = loans
    y = pd.Categorical([text_of(label) for label in text])
    p = pt.discretize(X["debt"], y)
    assert p.classes[p.event] == text_of("good")
    assert pt.group(X["town"], y).groups == (("Nice",), ("Lyon",))


def test_the_order_of_a_bare_categorical_column_is_seen(loans):
    X, text = loans
    size = pd.Categorical(np.where(X["debt"] > 50, "L", "S"), ["S", "L"], ordered=True)
    p = pt.group(size, text)
    assert p.is_ordered
    assert p.groups == (("S",), ("L",))


def test_scorecards_count_points_against_the_declared_event(loans, tmp_path):
    X, text = loans
    card = pt.Scorecard().fit(X, pd.Categorical(text, LEVELS, ordered=True))
    wanted = pt.Scorecard(positive="bad").fit(X, text)
    assert card.event_ == "bad"
    np.testing.assert_allclose(card.points(X), wanted.points(X), rtol=1e-12)
    np.testing.assert_allclose(card.predict_proba(X), wanted.predict_proba(X), rtol=1e-12)
    card.save(tmp_path / "card.json")
    again = pt.load(tmp_path / "card.json")
    assert again.event_ == "bad"
    np.testing.assert_array_equal(again.points(X), card.points(X))


def test_pieces_files_and_engines_keep_the_order(loans, tmp_path):
    X, text = loans
    frame = pl.from_pandas(X).with_columns(y=pl.Series(text, dtype=pl.Enum(LEVELS)))
    whole = pt.TablePartitioner(output="woe").fit(frame, target="y")
    wanted = whole.transform(X)
    lazy = pt.TablePartitioner(output="woe").fit(frame.lazy(), target="y")
    np.testing.assert_array_equal(lazy.transform(X), wanted)
    pieces = pt.TablePartitioner(output="woe").partial_fit(frame[:400], target="y")
    pieces.partial_fit(frame[400:], target="y")
    np.testing.assert_array_equal(pieces.transform(X), wanted)
    counts = pt.Contingency.of(frame, "debt", "y")
    counts.save(tmp_path / "counts.npz")
    p = pt.Contingency.load(tmp_path / "counts.npz").discretize(monotonic="ascending")
    assert p.classes[p.event] == "bad"
    assert p.table()["event_rate"][: p.n_parts].is_sorted()


def test_pieces_of_another_order_are_refused(loans):
    X, text = loans
    one, two = (
        pt.Contingency.of(X.assign(y=pd.Categorical(text, levels, ordered=True)), "debt", "y")
        for levels in (LEVELS, LEVELS[::-1])
    )
    assert_refuses(
        lambda: one + two,
        ValueError,
        "Contingency: the classes must have one order throughout; 'bad' has the ranks 1 and 0. "
        "Declare the same categories in all pieces.",
    )
