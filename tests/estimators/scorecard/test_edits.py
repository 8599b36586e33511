"""Edits reach the card: a new fit, what it changes, and never stale points."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest

import partage as pt
from helpers import assert_refuses


@pytest.fixture(scope="module")
def loans():
    rng = np.random.default_rng(2)
    n = 900
    X = pd.DataFrame({"age": rng.integers(18, 80, n).astype(float), "income": rng.normal(size=n)})
    X["city"] = rng.choice(["Lyon", "Nice", "Paris"], n)
    odds = (X["age"] < 30) * 1.5 - X["income"] + (X["city"] == "Nice") - 1
    return X, (rng.random(n) < 1 / (1 + np.exp(-odds))).astype(int)


@pytest.fixture(scope="module")
def card(loans):
    return pt.Scorecard(rounded=True, selection=None).fit(*loans)


def test_an_edit_gives_a_card_of_the_edited_parts(loans, card):
    X, y = loans
    edited = card.edit("age", lambda p: p.merge(0, 1, reason="policy", who="Ada"))
    assert edited is not card
    assert edited["age"].n_parts == card["age"].n_parts - 1
    assert edited["income"] == card["income"]
    by_hand = pt.Scorecard(
        rounded=True,
        selection=None,
        partitions={**card.partitions_, "age": card["age"].merge(0, 1)},
    ).fit(X, y)
    assert edited.coef_.tolist() == by_hand.coef_.tolist()
    assert edited.points(X).tolist() == by_hand.points(X).tolist()
    (edit,) = edited["age"].history
    assert (edit.action, edit.reason, edit.who) == ("merge(0, 1)", "policy", "Ada")


def test_an_edit_shows_what_changed(loans, card):
    X, y = loans
    edited = card.edit("age", lambda p: p.merge(0, 1, reason="policy"))
    changes = edited.changes_
    assert changes.edit.startswith("age: merge(0, 1): ")
    assert "for 'policy'" in changes.edit
    measures = changes.measures.set_index("measure")
    assert list(measures.index) == ["auc", "gini", "ks", "log_loss"]
    for when, one in (("before", card), ("after", edited)):
        found = one.performance(X, y, n_draws=0).measures.iloc[0]
        assert measures[when].tolist() == [found[name] for name in measures.index]
    assert (measures["after"] - measures["before"]).tolist() == measures["change"].tolist()
    assert changes.columns.set_index("column").loc["age", "parts_after"] == edited["age"].n_parts
    assert set(changes.points["card"]) == {"before", "after"}
    assert changes.edit in repr(changes)
    assert "log_loss" in repr(changes)
    assert "<table>" in changes._repr_html_()


def test_edits_are_saved_with_their_reasons(tmp_path, loans, card):
    X, y = loans
    edited = card.edit("city", lambda p: p.merge(0, 1, reason="too few", who="Ada"))
    edited.save(tmp_path / "card.json")
    back = pt.load(tmp_path / "card.json")
    assert back.points(X).tolist() == edited.points(X).tolist()
    assert back.summary().equals(edited.summary())
    assert [repr(e) for e in back["city"].history] == [repr(e) for e in edited["city"].history]
    assert "for 'too few' by Ada" in repr(back["city"].history[0])
    assert_refuses(
        lambda: back.edit("age", lambda p: p.merge(0, 1)),
        ValueError,
        "Scorecard.edit: X must be given; this card comes from a file, which does not hold the "
        "rows of the fit.",
    )
    again = back.edit("age", lambda p: p.merge(0, 1), X, y)
    assert (
        again.points(X).tolist() == edited.edit("age", lambda p: p.merge(0, 1)).points(X).tolist()
    )


def test_rows_of_the_fit_are_not_pickled(loans, card):
    X, _ = loans
    back = pickle.loads(pickle.dumps(card))
    assert not hasattr(back, "_given")
    assert back.points(X).tolist() == card.points(X).tolist()
    assert len(pickle.dumps(card)) < len(pickle.dumps((card, loans)))


def test_replaced_parts_are_never_used_with_stale_points(loans, card):
    X, y = loans
    stale = copy.copy(card)
    stale.partitions_ = {**card.partitions_, "age": card["age"].merge(0, 1)}
    end = (
        "partitions_ must be those of the fit, whose points the card has; 'age' was replaced. Use "
        "card.edit('age', ...), or fit again with partitions=."
    )
    calls = {
        "points": lambda: stale.predict(X),
        "table": stale.table,
        "summary": stale.summary,
        "to_sql": stale.to_sql,
        "to_python": stale.to_python,
        "to_pmml": stale.to_pmml,
        "reasons": lambda: stale.reasons(X),
        "explain": lambda: stale.explain(X.iloc[0]),
        "performance": lambda: stale.performance(X, y),
        "monitor": lambda: stale.monitor(X, by=np.zeros(len(X))),
        "document": lambda: stale.document("card.html"),
        "edit": lambda: stale.edit("age", lambda p: p),
        "plot": stale.plot,
    }
    for name, call in calls.items():
        assert_refuses(call, ValueError, f"Scorecard.{name}: {end}")


def test_an_edit_must_give_a_partition(card):
    assert_refuses(
        lambda: card.edit("age", lambda _: None),
        TypeError,
        "Scorecard.edit: change must give a partition of column 'age', such as "
        "lambda p: p.merge(2, 3); got NoneType.",
    )
    with pytest.raises(KeyError, match="no column 'aeg' was fitted; did you mean 'age'"):
        card.edit("aeg", lambda p: p)
