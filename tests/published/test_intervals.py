"""Numbers printed in the papers, or settled in the design, about intervals of a number."""

import numpy as np
import pytest

import partage as pt
from helpers import sweep
from reference.runs import units_of
from reference.searches import bottom_up, exhaustive, mdlpc

SMALL = ["bupa", "glass", "heart-statlog", "iris", "wine"]


@pytest.mark.parametrize(
    ("column", "cuts"), list(enumerate([(5.55, 6.15), (2.95, 3.35), (2.45, 4.75), (0.8, 1.75)]))
)
def test_mdlpc_cuts_iris_as_published(iris, column, cuts):
    p = pt.discretize(iris[0].iloc[:, column], iris[1], method="mdlpc")
    assert p.cuts == pytest.approx(cuts, abs=1e-12)


def test_fusinter_optimum_lies_inside_a_run():
    x, y = np.arange(22.0), [0] * 21 + [1]
    p = pt.discretize(x, y, method="fusinter", search="exact")
    assert p.cuts.tolist() == [19.5]
    assert p.cost == pytest.approx(0.148734, abs=5e-7)


def test_fusinter_merging_runs_stops_at_the_border():
    x, y = np.arange(22.0), [0] * 21 + [1]
    p = pt.discretize(x, y, method="fusinter", search="bottom-up")
    assert p.cuts.tolist() == [20.5]
    assert p.cost == pytest.approx(0.149488, abs=5e-7)


def test_modl_with_two_parts_is_lowest_over_values():
    y = [int(c) for c in "000010000"]
    p = pt.discretize(np.arange(9.0), y, n_parts=2)
    assert p.cost == pytest.approx(9.4696, abs=5e-5)
    assert p.is_optimal is True


@pytest.mark.parametrize("seed", sweep(range(20), 5))
@pytest.mark.parametrize("method", ["modl", "mdlpc"])
def test_noise_stays_uncut(method, seed):
    rng = np.random.default_rng(seed)
    p = pt.discretize(rng.random(2000), rng.integers(0, 2, 2000), method=method)
    assert p.n_parts == 1


@pytest.mark.parametrize("name", SMALL)
def test_mdlpc_equals_its_twin_on_real_columns(read_data, name):
    X, y = read_data(name)
    for column in X:
        known = X[column].notna()
        values, units = units_of(X[column][known], y[known])
        expected = [(values[i - 1] + values[i]) / 2 for i in mdlpc(units)[1:]]
        p = pt.discretize(X[column], y, method="mdlpc")
        assert p.cuts == pytest.approx(expected, rel=1e-12), column


@pytest.mark.parametrize("name", [*SMALL, "pima", "vehicle", "waveform", "segmentation", "abalone"])
def test_auto_reaches_the_exact_cost_of_real_columns(read_data, name):
    X, y = read_data(name)
    for column in X:
        found = pt.discretize(X[column], y)
        exact = pt.discretize(X[column], y, search="exact")
        assert exact.is_optimal is True
        assert found.cost >= exact.cost - 1e-9 * exact.cost, column
        assert found.cost - exact.cost <= 1e-3 * max(exact.null_cost - exact.cost, 0) + 1e-9, column


@pytest.mark.parametrize("method", ["modl", "fusinter", "gini", "entropy", "tschuprow"])
@pytest.mark.parametrize("column", range(4))
def test_bottom_up_equals_its_twin_on_iris(iris, method, column):
    x = iris[0].iloc[:, column]
    values, units = units_of(x, iris[1])
    # Uneven weights let no two merges tie.
    weight = np.random.default_rng(0).uniform(1, 2, size=len(values))
    p = pt.discretize(
        x,
        iris[1],
        method=method,
        search="bottom-up",
        sample_weight=weight[np.searchsorted(values, x)],
    )
    expected = bottom_up(units * weight[:, None], method)
    assert [0, *np.searchsorted(values, p.cuts)] == expected


def test_modl_of_petal_width_is_the_optimum(iris):
    _, units = units_of(iris[0].iloc[:, 3], iris[1])
    p = pt.discretize(iris[0].iloc[:, 3], iris[1], search="exact")
    lowest = min(exhaustive(units, "modl", n_parts=k)[1] for k in range(1, 5))
    assert p.n_parts <= 4
    assert p.cost == pytest.approx(lowest, rel=1e-9)
