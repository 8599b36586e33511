"""Measures of a card against independent formulas; monitoring; summaries of columns."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy.stats import ks_2samp
from sklearn.metrics import log_loss, roc_auc_score

import partage as pt
from helpers import assert_refuses


@pytest.fixture(scope="module")
def loans():
    rng = np.random.default_rng(12)
    n = 1_200
    X = pd.DataFrame(rng.normal(size=(n, 3)), columns=["a", "b", "c"])
    X.loc[::9, "b"] = np.nan
    odds = X["a"] + 0.5 * X["b"].fillna(1) - 0.7
    y = np.where(rng.random(n) < 1 / (1 + np.exp(-odds)), "late", "fine")
    return X, y, rng.choice(["2024", "2025"], n)


@pytest.fixture(scope="module")
def card(loans):
    return pt.Scorecard(rounded=True, positive="late").fit(loans[0][:800], loans[1][:800])


def test_measures_follow_their_formulas(loans, card):
    X, y, _ = loans
    found = card.performance(X[800:], y[800:]).measures.iloc[0]
    points, event = card.points(X[800:]), y[800:] == "late"
    chance = card.predict_proba(X[800:])[:, list(card.classes_).index("late")]
    area = roc_auc_score(event, -points)
    assert found["auc"] == pytest.approx(area, rel=1e-12)
    assert found["gini"] == pytest.approx(2 * area - 1, rel=1e-12)
    assert found["ks"] == pytest.approx(ks_2samp(points[event], points[~event]).statistic, rel=1e-9)
    assert found["log_loss"] == pytest.approx(log_loss(event, chance), rel=1e-9)
    odds = np.log(chance / (1 - chance))
    peer = sm.Logit(event.astype(float), sm.add_constant(odds)).fit(disp=False, tol=1e-14)
    assert found["slope"] == pytest.approx(peer.params[1], rel=1e-9)
    assert found["intercept"] == pytest.approx(peer.params[0], rel=1e-9, abs=1e-9)
    bands = card.performance(X[800:], y[800:], n_draws=0).gains
    inside = [(points >= a) & (points <= b) for a, b in bands[["points_from", "points_to"]].values]
    gaps = [abs((chance[rows] - event[rows]).sum()) for rows in inside]
    assert found["calibration_error"] == pytest.approx(sum(gaps) / len(points), rel=1e-9)
    assert found["auc_low"] < found["auc"] < found["auc_high"]
    again = card.performance(X[800:], y[800:]).measures.iloc[0]
    assert found.equals(again)  # the draws have a seed
    assert found["rows"] == 400
    assert found["events"] == event.sum()


def test_gains_and_cutoffs_follow_their_formulas(loans, card):
    X, y, _ = loans
    performance = card.performance(X, y, n_draws=0)
    points, event = card.points(X), y == "late"
    chance = card.predict_proba(X)[:, list(card.classes_).index("late")]
    for row in performance.gains.to_dict("records"):
        inside = (points >= row["points_from"]) & (points <= row["points_to"])
        below = points <= row["points_to"]
        assert row["weight"] == inside.sum()
        assert row["events"] == event[inside].sum()
        assert row["expected_rate"] == pytest.approx(chance[inside].mean(), rel=1e-9)
        assert row["event_rate"] == pytest.approx(event[inside].mean(), rel=1e-12)
        assert row["gain"] == pytest.approx(event[below].sum() / event.sum(), rel=1e-12)
        assert row["share"] == pytest.approx(below.mean(), rel=1e-12)
        assert row["lift"] == pytest.approx(event[inside].mean() / event.mean(), rel=1e-12)
        lift = event[below].mean() / event.mean()
        assert row["cumulative_lift"] == pytest.approx(lift, rel=1e-12)
        distance = event[below].sum() / event.sum() - (~event[below]).sum() / (~event).sum()
        assert row["ks"] == pytest.approx(distance, abs=1e-12)
    assert performance.gains["weight"].sum() == len(X)
    for row in performance.cutoffs.to_dict("records")[1:]:
        refused = points < row["points"]
        assert row["accepted"] == pytest.approx((~refused).mean(), rel=1e-12)
        assert row["accepted_event_rate"] == pytest.approx(event[~refused].mean(), rel=1e-12)
        assert row["refused_event_rate"] == pytest.approx(event[refused].mean(), rel=1e-12)
        caught, lost = event[refused].sum() / event.sum(), (~event[refused]).sum() / (~event).sum()
        assert row["events_refused"] == pytest.approx(caught, rel=1e-12)
        assert row["others_refused"] == pytest.approx(lost, rel=1e-12)


def test_periods_are_judged_apart(loans, card):
    X, y, when = loans
    performance = card.performance(X.assign(year=when), y, by="year")
    assert performance.by == "year"
    assert performance.measures["period"].tolist() == ["2024", "2025"]
    one = card.performance(X[when == "2024"], y[when == "2024"], n_draws=0).measures.iloc[0]
    both = performance.measures.iloc[0]
    assert both["auc"] == one["auc"]
    assert both["psi"] == one["psi"]
    twice = card.performance(X, y, sample_weight=np.full(len(X), 2.0), n_draws=0).measures.iloc[0]
    plain = card.performance(X, y, n_draws=0).measures.iloc[0]
    assert twice["auc"] == pytest.approx(plain["auc"], rel=1e-12)
    assert twice["log_loss"] == pytest.approx(plain["log_loss"], rel=1e-12)
    _, ax = plt.subplots()
    for draw in (performance.plot, performance.plot_gains, performance.plot_calibration):
        assert draw(ax) is ax
    plt.close("all")
    assert_refuses(
        lambda: card.performance(X, y, by=when[:5]),
        ValueError,
        "Scorecard.performance: by must have a period for each of the 1200 rows; got 5.",
    )


def test_stability_of_points_follows_its_formula(loans, card):
    X, y, _ = loans
    same = card.performance(X[:800], y[:800], n_draws=0).measures.iloc[0]
    assert same["psi"] == pytest.approx(0, abs=1e-12)
    cuts, fitted = card._score_bands
    sizes = np.bincount(np.searchsorted(cuts, card.points(X[800:])), minlength=len(fitted))
    p, q = ((s + 0.5) / (s + 0.5).sum() for s in (fitted, sizes))
    wanted = ((q - p) * np.log(q / p)).sum()
    found = card.performance(X[800:], y[800:], n_draws=0).measures.iloc[0]
    assert found["psi"] == pytest.approx(wanted, rel=1e-9)


def test_monitoring_shows_columns_points_and_rates(loans, card):
    X, y, when = loans
    found = card.monitor(X.assign(year=when), y, by="year")
    assert set(found.frame["column"]) == {*card.points_, "(score)"}
    assert found.frame.index.tolist() == list(range(len(found.frame)))
    parts = found.parts
    name = next(iter(card.points_))
    for year in ("2024", "2025"):
        own = parts[(parts["column"] == name) & (parts["period"] == year)]
        codes = card[name].assign(X[name])
        inside = (codes == 0) & (when == year)
        first = own.iloc[0]
        assert first["rows"] == inside.sum()
        assert first["share"] == pytest.approx(inside.sum() / (when == year).sum(), rel=1e-12)
        assert first["event_rate"] == pytest.approx((y[inside] == "late").mean(), rel=1e-12)
        assert own["share"].sum() == pytest.approx(1, rel=1e-12)
        fitted = np.bincount(card[name].assign(X[name][:800]), minlength=len(own))
        sizes = np.array([fitted, own["rows"].to_numpy()])
        sizes = sizes[:, sizes.any(axis=0)] + 0.5
        p, q = sizes / sizes.sum(axis=1, keepdims=True)
        index = found.frame.set_index(["column", "period"]).loc[(name, year), "psi"]
        assert index == pytest.approx(((q - p) * np.log(q / p)).sum(), rel=1e-9)
    _, ax = plt.subplots()
    assert found.plot(ax=ax) is ax
    assert found.plot_rates(name, ax=ax) is ax
    plt.close("all")
    assert "event_rate" not in card.monitor(X, by=when).parts


def test_summaries_of_two_classes_have_gini_and_distance(loans):
    X, y, _ = loans
    enc = pt.TablePartitioner(positive="late").fit(X, y)
    summary = enc.summary().set_index("column")
    for name in X:
        p = enc[name]
        rates = p.code_rates()[:, p.event][p.assign(X[name])]
        event = y == "late"
        gini = 2 * roc_auc_score(event, rates) - 1
        assert summary.loc[name, "gini"] == pytest.approx(gini, abs=1e-9)
        distance = ks_2samp(rates[event], rates[~event]).statistic
        assert summary.loc[name, "ks"] == pytest.approx(distance, abs=1e-9)
        assert summary.loc[name, "iv"] == pytest.approx(p.table()["iv"].iloc[-1], rel=1e-12)
    three = pt.TablePartitioner().fit(X, np.arange(len(X)) % 3).summary()
    assert "gini" not in three
