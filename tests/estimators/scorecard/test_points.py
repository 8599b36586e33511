"""Points: rounding loses little, overrides are kept, neutral points mean no evidence."""

import itertools

import numpy as np
import pandas as pd
import pytest

import partage as pt
from helpers import assert_refuses
from partage._estimators.scorecard import rounding
from partage._estimators.scorecard.fit import Rows
from partage._estimators.scorecard.rounding import round_points


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
    assert np.abs(errors).max() <= 2.0
    assert abs(errors.mean()) < 0.1
    nearest = sum((np.round(exact.points_[c]) - exact.points_[c])[exact[c].assign(X[c])] for c in X)
    assert np.abs(errors).max() < np.abs(nearest).max()


def drawn(seed, n_columns, n_rows=60, n_parts=5):
    """Points of parts, and rows that hold them."""
    rng = np.random.default_rng(seed)
    points = {f"x{k}": rng.normal(30, 20, n_parts) for k in range(n_columns)}
    codes = rng.integers(0, n_parts, (n_columns, n_rows))
    return points, Rows(codes, rng.integers(1, 5, n_rows).astype(float), np.zeros(n_rows))


def errors_of(points, found, rows):
    """Errors of the sums of the rows, and their mean."""
    errors = sum((found[name] - points[name])[rows.codes[k]] for k, name in enumerate(points))
    return errors, float((errors * rows.sizes).sum() / rows.sizes.sum())


def lowest_error(points, rows):
    """Lowest largest error over the fractions at which columns are rounded, all of them tried.

    Only those whose mean error is at most 0.05, after a shift by a whole number, are looked at.
    """
    ways = [
        [np.floor(p - edge) + 1 - p for edge in np.unique(p - np.floor(p))] for p in points.values()
    ]
    best = np.inf
    for chosen in itertools.product(*ways):
        errors = sum(way[code] for way, code in zip(chosen, rows.codes, strict=True))
        mean = (errors * rows.sizes).sum() / rows.sizes.sum()
        if abs(mean - round(mean)) <= 0.05:
            best = min(best, np.abs(errors - round(mean)).max())
    return best


def test_rounding_is_near_the_best_of_all_fractions():
    ratios = []
    for seed in range(12):
        points, rows = drawn(seed, 4)
        errors, mean = errors_of(points, round_points(points, rows, range(4)), rows)
        assert abs(mean) <= 0.05
        ratios.append(np.abs(errors).max() / lowest_error(points, rows))
    assert min(ratios) >= 1 - 1e-9
    assert np.mean(ratios) <= 1.01


@pytest.mark.parametrize("n_columns", [1, 2, 10])
@pytest.mark.parametrize("seed", range(3))
def test_rounding_keeps_the_order_and_the_distances(seed, n_columns):
    """More points stay more, and the errors of the parts of a column differ by less than 1."""
    points, rows = drawn(seed, n_columns)
    points["x0"][3] = points["x0"][1]
    found = round_points(points, rows, range(n_columns))
    for name, exact in points.items():
        order = np.argsort(exact, kind="stable")
        assert (np.diff(found[name][order]) >= 0).all()
        assert np.ptp(found[name] - exact) < 1.0
    assert found["x0"][3] == found["x0"][1]


def test_parts_without_rows_keep_their_order():
    points, rows = drawn(4, 3, n_parts=9)
    rows.codes[0] = rows.codes[0] // 3 * 3  # of nine parts three have rows
    found = round_points(points, rows, range(3))
    order = np.argsort(points["x0"])
    assert (np.diff(found["x0"][order]) >= 0).all()
    assert np.abs(found["x0"] - points["x0"]).max() < 2.0


def test_rounding_of_many_rows(monkeypatch):
    """More rows have fewer proposals, and the points are still better than the nearest."""
    points, rows = drawn(0, 6, n_rows=2_000)
    full, _ = errors_of(points, round_points(points, rows, range(6)), rows)
    nearest, _ = errors_of(points, {name: np.round(p) for name, p in points.items()}, rows)
    monkeypatch.setattr(rounding, "_PROPOSED_ROWS", 2_000 * 1_000)
    few, mean = errors_of(points, round_points(points, rows, range(6)), rows)
    assert abs(mean) <= 0.05
    assert np.abs(full).max() <= np.abs(few).max() + 1e-9
    assert np.abs(few).max() < np.abs(nearest).max()


def test_rounding_does_not_depend_on_whole_points():
    """Whole numbers added to the points of a column are added to the rounded ones."""
    points, rows = drawn(1, 5)
    points = {name: np.round(p * 64) / 64 for name, p in points.items()}
    found = round_points(points, rows, range(5))
    moved = {name: p + 1_000 * k for k, (name, p) in enumerate(points.items())}
    again = round_points(moved, rows, range(5))
    for k, name in enumerate(points):
        assert (again[name] - 1_000 * k).tolist() == found[name].tolist()


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
