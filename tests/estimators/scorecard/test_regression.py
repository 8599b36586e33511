"""Weights of columns: equal to statsmodels, signs by an independent optimizer, fixed bits."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.optimize import minimize
from scipy.stats import norm
from statsmodels.stats.outliers_influence import variance_inflation_factor

from partage._estimators.scorecard.regression import Evidence, weigh
from partage._estimators.scorecard.statistics import correlations, inflation, p_values


def draw(seed, n=800, p=6, weighted=True):
    """Rows with correlated columns, whole weights and classes."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    X[:, 1] += 0.8 * X[:, 0]
    slopes = rng.normal(size=p)
    y = (rng.random(n) < 1 / (1 + np.exp(-X @ slopes + 0.4))).astype(float)
    weights = rng.integers(1, 5, n).astype(float) if weighted else np.ones(n)
    return X, y, weights, Evidence(np.ascontiguousarray(X.T), weights, weights * y)


@pytest.mark.parametrize("seed", range(4))
def test_weights_and_errors_are_those_of_statsmodels(seed):
    X, y, weights, evidence = draw(seed)
    found = weigh(evidence)
    model = sm.GLM(y, sm.add_constant(X), family=sm.families.Binomial(), freq_weights=weights)
    peer = model.fit(tol=1e-14, maxiter=100)
    errors, first = found.errors()
    assert found.coef == pytest.approx(peer.params[1:], rel=1e-9)
    assert found.intercept == pytest.approx(peer.params[0], rel=1e-9)
    assert errors == pytest.approx(peer.bse[1:], rel=1e-9)
    assert first == pytest.approx(peer.bse[0], rel=1e-9)
    assert -found.loss == pytest.approx(peer.llf, rel=1e-12)
    assert p_values(found.coef, errors) == pytest.approx(peer.pvalues[1:], rel=1e-9)
    assert p_values(np.array([1.0]), np.array([0.4])) == pytest.approx(2 * norm.sf(2.5), rel=1e-12)


def test_inflation_is_that_of_statsmodels():
    X, _, _, evidence = draw(7, weighted=False)
    whole = sm.add_constant(X)
    peer = [variance_inflation_factor(whole, j + 1) for j in range(X.shape[1])]
    assert inflation(correlations(evidence)) == pytest.approx(peer, rel=1e-9)
    assert correlations(evidence) == pytest.approx(np.corrcoef(X.T), abs=1e-12)
    twice = Evidence(np.vstack([X.T, X.T[:1] - X.T[2:3]]), evidence.sizes, evidence.events)
    found = inflation(correlations(twice))
    assert np.isinf(found[[0, 2, -1]]).all()
    assert np.isfinite(found[[1, 3, 4, 5]]).all()


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("seed", range(4))
def test_weights_that_keep_their_sign_are_the_best(seed, sign):
    X, y, weights, evidence = draw(seed)

    def loss(theta):
        scores = theta[0] + X @ theta[1:]
        excess = weights * (1 / (1 + np.exp(-scores)) - y)
        value = (weights * (np.logaddexp(0, scores) - y * scores)).sum()
        return value, np.append(excess.sum(), X.T @ excess)

    bound = (0, None) if sign > 0 else (None, 0)
    bounds = [(None, None), *[bound] * X.shape[1]]
    options = {"maxiter": 10_000, "ftol": 1e-16, "gtol": 1e-11}
    peer = minimize(loss, np.zeros(7), jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    found = weigh(evidence, sign)
    assert (found.coef * sign >= 0).all()
    assert (found.coef == 0).any()  # some are held
    assert found.loss <= peer.fun + 1e-9
    assert found.coef == pytest.approx(peer.x[1:], abs=1e-5)
    free = weigh(evidence.take(np.flatnonzero(found.is_free)))
    assert free.coef.tolist() == pytest.approx(found.coef[found.is_free].tolist(), rel=1e-12)


def test_rows_that_are_separated_have_finite_weights():
    x = np.arange(20.0) - 9.5
    found = weigh(Evidence(x[None], np.ones(20), (x > 0).astype(float)))
    assert found.ridge == 1.0
    assert 0.5 < found.coef[0] < 5


def test_columns_that_others_hold_have_no_weight():
    X, _, _, evidence = draw(3)
    twice = Evidence(np.vstack([X.T, X.T[:1] + X.T[1:2]]), evidence.sizes, evidence.events)
    found = weigh(twice)
    assert found.is_free.tolist() == [True] * 6 + [False]
    assert found.coef[:6] == pytest.approx(weigh(evidence).coef, rel=1e-9)


def test_a_column_that_separates_part_of_the_rows_keeps_its_weight():
    """Parts without a single event let a weight grow without end, until no information is left."""
    rng = np.random.default_rng(0)
    strong = np.repeat([-6.0, 0.0, 6.0], [90, 20, 90])
    weak = rng.normal(size=200)
    chance = np.where(strong == 0, 1 / (1 + np.exp(-weak)), strong > 0)
    y = (rng.random(200) < chance).astype(float)
    found = weigh(Evidence(np.array([weak, strong]), np.ones(200), y), 1)
    assert found.ridge == 1.0
    assert found.is_free.tolist() == [True, True]
    assert found.coef[1] > 0.3
