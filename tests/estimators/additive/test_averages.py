"""The averages in the core against sums over every partition, division and field."""

import numpy as np
import pytest

from partage import _core
from reference.additive import averaged_curve, averaged_field, averaged_rectangles, mixed

WALKS, HEIGHTS = np.array([0.25, 1.0, 4.0]), np.array([0.5, 1.5])


def centred(levels, weights):
    return levels - np.average(levels, weights=weights)


def fit_once(rows, add, n_cells):
    """Levels after one step from no effect: numbers of variance 1, mean 0, whole weights."""
    codes, y = rows
    model = _core.AdditiveModel("normal", y, 1, None)
    term = add(model, codes.astype(np.uint32))
    model.start(np.ones(len(y)))
    model.fit(np.array([term], np.uint32), WALKS, HEIGHTS, 0.7, 1, 0.0, 1, None)
    return np.asarray(model.means(term))[:n_cells], model.evidence(term)


def drawn_rows(n_cells, seed):
    rng = np.random.default_rng(seed)
    codes = np.concatenate([np.arange(n_cells), rng.integers(0, n_cells, 30)])
    y = rng.normal(size=len(codes)) + 2.0 * (codes > n_cells // 2)
    y -= y.mean()
    return codes, y


@pytest.mark.parametrize("seed", range(5))
def test_curves_are_means_over_all_partitions_and_walks(seed):
    n = 7
    codes, y = drawn_rows(n, seed)
    steps = np.random.default_rng(seed).uniform(0.05, 0.3, n - 1)
    found, evidence = fit_once((codes, y), lambda model, c: model.add_line(c, n, n, steps, 0), n)
    pulls, weights = np.bincount(codes, y), np.bincount(codes).astype(float)
    wanted, log = averaged_curve(pulls, weights, steps, WALKS)
    # Parts that are hardly probable are left out of the mean.
    assert found == pytest.approx(centred(wanted, weights), abs=5e-3)
    assert evidence == pytest.approx(log + 0.5 * np.log(1 + weights.sum()), abs=1e-9)


@pytest.mark.parametrize("shape", [(1, 4), (2, 3), (3, 3)])
def test_pairs_are_means_over_fields_and_all_divisions(shape):
    n = shape[0] * shape[1]
    codes, y = drawn_rows(n, sum(shape))
    found, evidence = fit_once(
        (codes, y), lambda model, c: model.add_pair(c, *shape, True, True), n
    )
    pulls = np.bincount(codes, y, n).reshape(shape)
    weights = np.bincount(codes, minlength=n).astype(float).reshape(shape)
    field, boxes = (
        averaged_field(pulls, weights, WALKS),
        averaged_rectangles(pulls, weights, HEIGHTS),
    )
    wanted, log = mixed([(mean, one - np.log(2)) for mean, one in (field, boxes)])
    assert found == pytest.approx(centred(wanted.ravel(), weights.ravel()), abs=1e-8)
    assert evidence == pytest.approx(log + 0.5 * np.log(1 + 4 * weights.sum()), abs=1e-8)


def test_values_without_an_order_are_drawn_to_zero():
    codes, y = drawn_rows(5, 1)
    found, _ = fit_once((codes, y), lambda model, c: model.add_values(c, 5), 5)
    weights = np.bincount(codes)
    wanted = np.bincount(codes, y) / (weights + 1 / 0.7**2)
    assert found == pytest.approx(centred(wanted, weights), abs=1e-12)


def test_a_falling_curve_falls():
    codes, y = drawn_rows(7, 2)
    found, _ = fit_once(
        (codes, y), lambda model, c: model.add_line(c, 7, 7, np.full(6, 0.15), -1), 7
    )
    assert (np.diff(found) <= 1e-12).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: m.add_line(np.zeros(3, np.uint32), 2, 2, np.ones(1), 0), "codes differ"),
        (lambda m: m.add_values(np.full(4, 2, np.uint32), 2), "a code has no cell"),
        (lambda m: m.add_line(np.zeros(4, np.uint32), 2, 2, np.ones(3), 0), "cells and steps"),
        (lambda m: m.start(np.ones(3)), "weights differ from rows"),
        (lambda m: m.start(np.zeros(4)), "there must be rows"),
        (lambda m: m.loss(np.ones(2)), "weights differ from rows"),
        (lambda m: m.stretch(0.0, 1), "the factor must be positive"),
        (
            lambda m: m.fit(np.zeros(0, np.uint32), WALKS, HEIGHTS, 0.7, 1, 0.1, 1, None),
            "start comes before fit",
        ),
    ],
)
def test_the_core_refuses_what_does_not_fit_together(call, message):
    model = _core.AdditiveModel("two classes", np.array([0.0, 1.0, 1.0, 0.0]), 1, None)
    with pytest.raises(ValueError, match=message):
        call(model)


def test_the_core_refuses_rows_of_no_law():
    with pytest.raises(ValueError, match="no such law"):
        _core.AdditiveModel("other", np.zeros(2), 1, None)
    with pytest.raises(ValueError, match="y must hold classes"):
        _core.AdditiveModel("two classes", np.array([0.0, 2.0]), 1, None)
    with pytest.raises(ValueError, match="y must be finite"):
        _core.AdditiveModel("normal", np.array([0.0, np.inf]), 1, None)
    with pytest.raises(ValueError, match="outputs do not fit"):
        _core.AdditiveModel("classes", np.zeros(2), 1, None)


@pytest.mark.parametrize(("law", "n_outputs"), [("two classes", 1), ("classes", 3)])
def test_stretched_terms_lose_what_was_said_and_keep_the_shares_of_classes(law, n_outputs):
    codes, _ = drawn_rows(6, 1)
    y = (codes % max(n_outputs, 2)).astype(float)
    model = _core.AdditiveModel(law, y, n_outputs, None)
    term = model.add_values(codes.astype(np.uint32), 6)
    ones = np.ones(len(y))
    model.start(ones)
    model.fit(np.array([term], np.uint32), WALKS, HEIGHTS, 0.7, 20, 1e-9, 1, None)
    before, intercept = np.asarray(model.means(term)), np.asarray(model.intercept())

    def scores(factor, shared):
        return shared + factor * before.reshape(6, n_outputs)[codes]

    def loss(found):
        odds = np.column_stack([np.zeros(len(y)), found]) if n_outputs == 1 else found
        logs = odds - np.log(np.exp(odds).sum(axis=1, keepdims=True))
        return -logs[np.arange(len(y)), y.astype(int)].sum()

    for factor in (1.0, 2.0):
        assert model.loss(ones, factor) == pytest.approx(loss(scores(factor, intercept)))
    model.stretch(2.0, 1)
    assert np.asarray(model.means(term)) == pytest.approx(2.0 * before)
    found = scores(2.0, np.asarray(model.intercept()))
    assert model.loss(ones) == pytest.approx(loss(found))
    odds = np.column_stack([np.zeros(len(y)), found]) if n_outputs == 1 else found
    shares = np.exp(odds) / np.exp(odds).sum(axis=1, keepdims=True)
    assert shares.mean(axis=0) == pytest.approx(np.bincount(y.astype(int)) / len(y), abs=1e-4)
