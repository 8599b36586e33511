"""Which columns have points: signs, redundancy, limits, and the reason of each that has none."""

import re

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from sklearn.linear_model import LogisticRegression

import partage as pt
from helpers import assert_refuses
from partage._estimators.scorecard.regression import Evidence, weigh
from partage._estimators.scorecard.selection import Rules, select


def table(n=800, seed=0):
    """Columns that count, one twice, one reversed by another, and noise."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"good": rng.normal(size=n), "fair": rng.normal(size=n)})
    X["twin"] = X["good"]
    X["shadow"] = X["good"] + 0.5 * rng.normal(size=n)
    X["noise"] = rng.normal(size=n)
    X["constant"] = 1.0
    odds = 2.5 * X["good"] + 0.4 * X["fair"] - 1.2 * X["shadow"] - 0.5
    return X, (rng.random(n) < 1 / (1 + np.exp(-odds))).astype(int)


def reasons(card):
    found = card.summary().set_index("column")["why"]
    return {name: why for name, why in found.items() if why}


def test_more_risk_never_has_more_points():
    X, y = table()
    free = pt.Scorecard(signs=None, selection=None, min_iv=0).fit(X, y)
    assert (free.coef_ < 0).any()  # the trap is there
    card = pt.Scorecard(selection=None, min_iv=0).fit(X, y)
    assert (card.coef_ >= 0).all()
    for name, points in card.points_.items():
        p = card.partitions_[name]
        held = p.own_tally().weight > 0
        order = np.argsort(p.code_woe(p.event)[held], kind="stable")
        assert (np.diff(points[held][order]) <= 1e-9).all()
    assert "its weight beside the others has the wrong sign" in reasons(card).values()


def test_weights_are_those_of_statsmodels():
    X, y = table(seed=2)
    card = pt.Scorecard(ridge=0).fit(X, y)
    summary = card.summary().set_index("column")
    evidence = np.column_stack(
        [card[name].code_woe(1)[card[name].assign(X[name])] for name in card.points_]
    )
    peer = sm.Logit(y, sm.add_constant(evidence)).fit(disp=False, tol=1e-14, method="newton")
    own = summary.loc[["(intercept)", *card.points_]]
    assert own["coefficient"].to_numpy() == pytest.approx(peer.params, rel=1e-9)
    assert own["standard_error"].to_numpy() == pytest.approx(peer.bse, rel=1e-9)
    assert own["p_value"].to_numpy() == pytest.approx(peer.pvalues, rel=1e-9, abs=1e-300)
    assert summary["standard_error"][list(reasons(card))].isna().all()


@pytest.mark.parametrize("ridge", [1.0, 20.0])
def test_weights_are_shrunk_by_the_ridge(ridge):
    """Derivatives of the likelihood, by statsmodels, and of the price balance at the weights."""
    X, y = table(seed=2)
    card = pt.Scorecard(ridge=ridge).fit(X, y)
    own = card.summary().set_index("column").loc[["(intercept)", *card.points_]]
    coef = own["coefficient"].to_numpy()
    evidence = np.column_stack(
        [card[name].code_woe(1)[card[name].assign(X[name])] for name in card.points_]
    )
    peer = sm.Logit(y, sm.add_constant(evidence))
    price = np.append(0.0, np.full(len(coef) - 1, ridge))
    assert peer.score(coef) == pytest.approx(price * coef, abs=1e-7)
    covariance = np.linalg.inv(np.diag(price) - peer.hessian(coef))
    assert own["standard_error"].to_numpy() == pytest.approx(np.sqrt(np.diag(covariance)), rel=1e-9)
    plain = pt.Scorecard(ridge=0).fit(X, y)
    assert np.abs(card.coef_).sum() < np.abs(plain.coef_).sum()
    assert list(card.points_) == list(plain.points_)  # the ridge does not select


def test_every_column_left_out_has_a_reason():
    X, y = table()
    card = pt.Scorecard().fit(X, y)
    found = reasons(card)
    assert set(card.points_) | set(found) == set(X)
    assert set(card.points_) & set(found) == set()
    assert found["constant"] == "level 0: one value only"
    assert found["twin"] == "redundant with 'good' (correlation 1.00)"
    limited = pt.Scorecard(max_columns=1).fit(X, y)
    assert len(limited.points_) == 1
    assert "beyond max_columns=1" in reasons(limited).values()
    strict = reasons(pt.Scorecard(min_iv=0.5).fit(X, y))
    assert strict["noise"].startswith("IV 0.0")
    assert strict["noise"].endswith("is below 0.5")


def choose(X, y, values, **rules):
    """Select among columns whose evidence is given."""
    asked = {"selection": "mdl", "sign": 1, "evidence_sign": 1, "max_columns": None, "min_iv": 0.0}
    evidence = Evidence(np.ascontiguousarray(X.T), np.ones(len(y)), y.astype(float))
    selected, weighed = select(evidence, list("abcd"), values, Rules(**(asked | rules)))
    assert (weighed.coef > 0).all()
    return selected


def test_inflated_columns_are_left_out():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(1_000, 3))
    X = np.column_stack([X, X.sum(axis=1) + 0.2 * rng.normal(size=len(X))])
    y = rng.random(len(X)) < 1 / (1 + np.exp(-X[:, 3]))
    assert np.abs(np.corrcoef(X.T) - np.eye(4)).max() < 0.7  # no pair says the same
    found = choose(X, y, [0.3, 0.4, 0.2, 1.0])
    assert next(iter(found.reasons)) == 2  # the weakest of those
    assert re.fullmatch(r"VIF \d\d\.\d is above 10", found.reasons[2])


def test_columns_that_save_no_bits_are_left_out():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(500, 3))
    y = rng.random(500) < 1 / (1 + np.exp(-X[:, 0]))
    own = Evidence(np.ascontiguousarray(X.T), np.ones(500), y.astype(float))
    found = choose(X, y, [0.3, 0.2, 0.2])
    free = weigh(own)
    wald = (free.coef / free.errors()[0]) ** 2 / 2 / np.log(2)
    assert (wald[1:] < 0.5).any()  # one at least must leave
    assert found.kept[0] == 0
    for place, why in found.reasons.items():
        assert place in (1, 2)
        assert re.fullmatch(
            r"p-value 0\.\d{3}: it saves 0\.[0-4]\d bits beside the others|"
            "its weight beside the others has the wrong sign",
            why,
        )


@pytest.mark.parametrize("selection", ["mdl", "stepwise", "lasso", None])
def test_selections_keep_what_counts(selection):
    X, y = table(seed=4)
    card = pt.Scorecard(selection=selection).fit(X, y)
    assert "good" in card.points_
    assert (card.coef_ >= 0).all()
    if selection is not None:
        assert "twin" not in card.points_
    p_values = card.summary().set_index("column")["p_value"][list(card.points_)]
    if selection == "stepwise":
        assert (p_values <= 0.05).all()


def test_lasso_and_steps_say_why():
    rng = np.random.default_rng(8)
    X = pd.DataFrame({"a": rng.normal(size=600)})
    for name in "bcdefgh":
        X[name] = X["a"] + rng.normal(size=600)  # says something alone, and nothing beside it
    y = (rng.random(600) < 1 / (1 + np.exp(-1.5 * X["a"]))).astype(int)
    parts = {"partitioner": pt.TablePartitioner(max_parts=2), "min_parts": 2}
    steps = reasons(pt.Scorecard(selection="stepwise", min_iv=0, **parts).fit(X, y))
    lasso = reasons(pt.Scorecard(selection="lasso", min_iv=0, **parts).fit(X, y))
    assert any(why.startswith("p-value ") and why.endswith("above 0.05") for why in steps.values())
    assert "the lasso gives it no weight" in lasso.values()


def test_an_estimator_weighs_what_is_selected():
    X, y = table(seed=1)
    card = pt.Scorecard(estimator=LogisticRegression(C=0.1), selection=None, min_iv=0).fit(X, y)
    assert (card.coef_ >= 0).all()
    summary = card.summary().set_index("column")
    assert summary["standard_error"].isna().all()
    free = pt.Scorecard(
        estimator=LogisticRegression(C=0.1), selection=None, min_iv=0, signs=None
    ).fit(X, y)
    assert np.count_nonzero(free.coef_) >= np.count_nonzero(card.coef_)


def test_order_of_rows_changes_no_bit():
    X, y = table(n=700)
    order = np.random.default_rng(0).permutation(len(X))
    one, two = pt.Scorecard().fit(X, y), pt.Scorecard().fit(X.iloc[order], y[order])
    assert one.coef_.tolist() == two.coef_.tolist()
    assert one.intercept_.tolist() == two.intercept_.tolist()
    assert one.summary().equals(two.summary())


def test_names_that_are_not_there():
    X, y = table(n=300)
    names = "'good', 'fair', 'twin', 'shadow', 'noise', 'constant'"
    assert_refuses(
        lambda: pt.Scorecard(override={"god": {0: 1}}).fit(X, y),
        ValueError,
        f"Scorecard.fit: override must name columns of X; got 'god', X has {names}.",
    )
    partition = pt.discretize(X["good"], y)
    assert_refuses(
        lambda: pt.Scorecard(partitions={"god": partition}).fit(X, y),
        ValueError,
        f"Scorecard.fit: partitions must name columns of X; got 'god', X has {names}.",
    )
