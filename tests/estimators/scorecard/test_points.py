"""Points: rounding loses little, overrides are kept, neutral points mean no evidence."""

import numpy as np
import pandas as pd
import pytest

import partage as pt
from helpers import assert_refuses
from partage._estimators.scorecard.fit import Rows
from partage._estimators.scorecard.points import round_points


def loans(n=1_000, p=10, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n, p)), columns=[f"x{k}" for k in range(p)])
    odds = X.to_numpy() @ rng.uniform(0.3, 0.8, p)
    return X, (rng.random(n) < 1 / (1 + np.exp(-odds))).astype(int)


def test_rounded_points_are_near_the_exact_ones():
    X, y = loans()
    exact = pt.Scorecard(selection=None).fit(X, y)
    card = pt.Scorecard(selection=None, rounded=True).fit(X, y)
    errors = card.points(X) - exact.points(X)
    assert all((points == np.round(points)).all() for points in card.points_.values())
    assert len(card.points_) == 10
    assert np.abs(errors).max() <= 2.5
    assert abs(errors.mean()) < 0.1
    nearest = sum((np.round(exact.points_[c]) - exact.points_[c])[exact[c].assign(X[c])] for c in X)
    assert np.abs(errors).max() < np.abs(nearest).max()


@pytest.mark.parametrize("seed", range(5))
def test_rounding_of_one_column_is_the_best(seed):
    """With one column the largest error is at most a half, as of the nearest whole numbers."""
    rng = np.random.default_rng(seed)
    points = {"a": rng.normal(0, 20, 5)}
    codes = np.arange(5)[None]
    rows = Rows(codes, np.ones(5), np.zeros(5))
    found = round_points(points, rows, [0])["a"]
    assert np.abs(found - points["a"]).max() <= 1.0
    assert abs((found - points["a"]).mean()) <= 0.5


def test_neutral_points_and_range():
    X, y = loans(n=400, p=3)
    card = pt.Scorecard(selection=None).fit(X, y)
    share = (card.cutoff_ - card._scale().factor * card.intercept_[0]) / 3
    assert list(card.neutral_points_.values()) == pytest.approx([share] * 3, rel=1e-12)
    low, high = card.score_range_
    points = card.points(X)
    assert low <= points.min() <= points.max() <= high
    assert low == pytest.approx(sum(p.min() for p in card.points_.values()))
    summary = card.summary().set_index("column")
    assert summary.loc[list(card.points_), "neutral"].tolist() == pytest.approx([share] * 3)


def test_points_of_a_part_can_be_set():
    X, y = loans(n=400, p=3)
    card = pt.Scorecard(rounded=True, selection=None).fit(X, y)
    best = int(np.argmax(card.points_["x0"]))
    top = float(card.points_["x0"].max()) + 7
    asked = {"x0": {best: top, "missing": card.points_["x0"][-1]}}
    other = pt.Scorecard(rounded=True, selection=None, override=asked).fit(X, y)
    assert other.points_["x0"][best] == top
    assert (
        np.delete(other.points_["x0"], best).tolist()
        == np.delete(card.points_["x0"], best).tolist()
    )
    is_there = card["x0"].assign(X["x0"]) == best
    assert (other.points(X) - card.points(X)).tolist() == np.where(is_there, 7.0, 0.0).tolist()


def test_points_that_break_the_sign():
    X, y = loans(n=400, p=2)
    card = pt.Scorecard(rounded=True, selection=None).fit(X, y)
    p, points = card["x0"], card.points_["x0"]
    risky, safe = int(np.argmax(p.shares[:, 1])), int(np.argmin(p.shares[:, 1]))
    asked = {"x0": {risky: 900}}
    labels = p.labels()
    first = next(k for k in range(p.n_parts) if p.code_woe(1)[k] < p.code_woe(1)[risky])
    assert first != risky
    assert safe != risky
    assert_refuses(
        lambda: pt.Scorecard(rounded=True, selection=None, override=asked).fit(X, y),
        ValueError,
        f"Scorecard.fit: override['x0'][{risky}] must not give more points to more risk; got 900, "
        f"so that {labels[risky]} has 900 points and {labels[first]}, of less risk, "
        f"{points[first]:g}. Choose other points, or set signs=None.",
    )
    free = pt.Scorecard(rounded=True, selection=None, override=asked, signs=None).fit(X, y)
    assert free.points_["x0"][risky] == 900
    assert_refuses(
        lambda: pt.Scorecard(selection=None, override={"x0": {9: 1}}).fit(X, y),
        ValueError,
        f"Scorecard.fit: override['x0'] must name parts from 0 to {p.n_parts - 1}, or 'missing'; "
        "got 9.",
    )


def test_columns_without_points_have_none_to_set():
    X, y = loans(n=300, p=2)
    X["one"] = 1.0
    assert_refuses(
        lambda: pt.Scorecard(override={"one": {0: 3}}).fit(X, y),
        ValueError,
        "Scorecard.fit: override must name columns that have points; 'one' is left out: level 0: "
        "one value only.",
    )
