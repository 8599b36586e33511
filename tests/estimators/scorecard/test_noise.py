"""Columns that say nothing alone: which of them have points is decided by rows held out."""

import numpy as np
import pandas as pd
import pytest

import partage as pt


def table(n_rows, n_real=0, n_noise=10, effect=0.8, seed=0):
    """Numbers that count, and numbers and texts that do not."""
    rng = np.random.default_rng([seed, n_rows, n_real])
    X = pd.DataFrame({f"real{k}": rng.normal(size=n_rows) for k in range(n_real)})
    odds = effect * X.to_numpy().reshape(n_rows, n_real).sum(axis=1) - 0.8
    for k in range(n_noise):
        drawn = rng.normal(size=n_rows) if k % 3 else rng.choice(list("abcdefgh"), n_rows)
        X[f"noise{k}"] = drawn
    return X, (rng.random(n_rows) < 1 / (1 + np.exp(-odds))).astype(int)


def weights(card, start=""):
    """Columns that have a weight."""
    names = np.array(list(card.partitions_))
    return [name for name in names[card.coef_[0] != 0.0] if name.startswith(start)]


@pytest.mark.parametrize("selection", ["mdl", "stepwise", "lasso"])
def test_noise_is_left_out_with_a_reason(selection):
    X, y = table(600, n_real=3, seed=1)
    card = pt.Scorecard(selection=selection).fit(X, y)
    assert weights(card) == ["real0", "real1", "real2"]
    summary = card.summary().set_index("column")
    whys = summary.loc[[name for name in X if name.startswith("noise")], "why"]
    assert whys.str.len().all()
    if selection == "mdl":
        assert whys.str.startswith("level 0, and it does not pay in rows held out: z ").any()
    free = pt.Scorecard(selection=None).fit(X, y)
    assert len(weights(free, "noise")) > 5  # which looks like evidence in the rows of the fit


def test_noise_alone_is_left_out_whole_in_most_draws():
    found = [len(weights(pt.Scorecard().fit(*table(500, seed=seed)))) for seed in range(10)]
    assert np.sum(np.array(found) == 0) > 5


def test_many_weak_columns_stay_together():
    X, y = table(1_500, n_real=20, n_noise=0, effect=0.13, seed=2)
    card = pt.Scorecard().fit(X, y)
    whole = [name for name, p in card.partitions_.items() if p.level == 0]
    assert len(whole) >= 15  # nothing is found in them alone
    assert len(set(weights(card)) & set(whole)) >= 10


def test_verdict_does_not_depend_on_the_order_of_rows_nor_on_weights_as_repetitions():
    X, y = table(500, n_real=2, n_noise=4, seed=3)
    times = np.random.default_rng(0).integers(1, 3, len(y))
    repeated = np.random.default_rng(1).permutation(np.repeat(np.arange(len(y)), times))
    many = pt.Scorecard().fit(X.iloc[repeated], y[repeated])
    few = pt.Scorecard().fit(X, y, sample_weight=times.astype(float))
    assert many.summary()["why"].tolist() == few.summary()["why"].tolist()
    assert many.coef_ == pytest.approx(few.coef_, rel=1e-9)


def test_columns_left_out_stay_out_of_an_edited_card():
    X, y = table(600, n_real=3, seed=1)
    card = pt.Scorecard().fit(X, y)
    edited = card.edit("real0", lambda p: p.merge(0, 1))
    assert weights(edited) == weights(card)
    assert "rows held out" in edited.summary().set_index("column")["why"]["noise1"]
    back = card.edit("noise1", lambda p: p.merge(0, 1))  # its parts are now the user's
    assert "rows held out" not in back.summary().set_index("column")["why"]["noise1"]
