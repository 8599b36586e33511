"""Groups by the criteria that judge intervals too, against every division and a program."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings

import partage as pt
from partage import _core
from reference.criteria import COSTS
from reference.groups import grouping_of, hidden_groups, join, rows_of, set_partitions
from strategies import tables

SERVE_ANY = [row["name"] for row in _core.criteria() if "any" in row["spaces"]]
# Those that value frequencies, or are no sum, have tests of their own.
OTHERS = ("modl", "khiops11", "tschuprow", "cramer")
NAMES = [
    row["name"]
    for row in _core.groupings()
    if row["criterion"] == row["name"] and row["name"] not in OTHERS
]


def group(units, method, **options):
    """Group the values of a table of class counts, and check what the result says of itself."""
    p = pt.group(*rows_of(units), method=method, **options)
    grouping = grouping_of(p.groups)
    assert sorted(itertools.chain(*grouping)) == list(range(len(units)))
    params = options.get("method_params") or {}
    assert p.cost == pytest.approx(COSTS[method](join(units, grouping), **params), rel=1e-11)
    assert p.null_cost == pytest.approx(COSTS[method](units.sum(axis=0)[None, :], **params))
    return p


def lowest_cost(units, method, allows=None, **params):
    """Lowest cost of all divisions of the values that are allowed."""
    n = len(units)
    members = [[i for i in range(n) if bits >> i & 1] for bits in range(1 << n)]
    costs = []
    for groups in set_partitions(n):
        parts = join(units, [members[bits] for bits in groups])
        if allows is None or allows(parts):
            costs.append(COSTS[method](parts, **params))
    return min(costs)


def lowest_by_share(units, method):
    """Lowest cost for two classes and a cost that is a sum: a program along the class shares."""
    order = np.argsort(units[:, 1] / units.sum(axis=1), kind="stable")
    sums = np.vstack([np.zeros(2), np.cumsum(units[order], axis=0)])
    price = np.log(units.sum())
    impurity = {
        "gini": lambda row: row.sum() - (row**2).sum() / row.sum(),
        "entropy": lambda row: -sum(c * np.log(c / row.sum()) for c in row if c > 0),
    }[method]
    best = [0.0]
    for end in range(1, len(sums)):
        best.append(min(best[i] + impurity(sums[end] - sums[i]) + price for i in range(end)))
    return best[-1]


def test_every_criterion_for_values_in_any_order_is_a_method_for_groups():
    assert set(SERVE_ANY) <= {row["name"] for row in _core.groupings()}
    assert {"gini", "entropy", "fusinter"} <= set(NAMES)


@pytest.mark.parametrize("method", NAMES)
@settings(max_examples=60)
@given(units=tables(max_units=6, max_classes=4))
def test_groups_of_few_values_have_the_lowest_cost_of_all_divisions(method, units):
    p = group(units, method)
    assert p.cost == pytest.approx(lowest_cost(units, method), rel=1e-9, abs=1e-12)
    assert p.is_optimal is True


@pytest.mark.parametrize("method", NAMES)
@pytest.mark.parametrize("limits", [{"n_parts": 2}, {"max_parts": 2}, {"min_part_size": 12}])
def test_limits_hold_and_the_optimum_is_found_within_them(method, limits):
    for seed in range(6):
        units = hidden_groups(np.random.default_rng(seed), 6, 2 + seed % 2, 3, 8)
        if units.sum() < 24:
            continue

        def allows(parts):
            most = limits.get("n_parts", limits.get("max_parts", len(parts)))
            small = parts.sum(axis=1).min() < limits.get("min_part_size", 0)
            return (
                len(parts) >= limits.get("n_parts", 1)
                and len(parts) <= most
                and not (small and len(parts) > 1)
            )

        p = group(units, method, **limits)
        assert allows(p.counts)
        assert p.cost == pytest.approx(lowest_cost(units, method, allows), rel=1e-9)


@pytest.mark.parametrize("method", ["gini", "entropy"])
@pytest.mark.parametrize("n_values", [13, 60, 200])
def test_groups_by_two_classes_are_intervals_of_their_shares_and_proven(method, n_values):
    units = hidden_groups(np.random.default_rng(n_values), n_values, 2, 4, 20)
    p = group(units, method)
    assert p.is_optimal is True
    assert p.cost == pytest.approx(lowest_by_share(units, method), rel=1e-9)


@pytest.mark.parametrize("method", NAMES)
@pytest.mark.parametrize("n_values", [40, 400])
def test_groups_by_more_classes_cost_no_more_than_the_hidden_ones(method, n_values):
    rng = np.random.default_rng(n_values)
    shares = rng.dirichlet(np.full(4, 0.4), size=4)
    hidden = np.arange(n_values) % 4
    units = np.array([rng.multinomial(rng.integers(20, 200), shares[k]) for k in hidden])
    planted = join(units, [np.flatnonzero(hidden == k) for k in range(4)])
    p = group(units, method)
    assert p.is_optimal is False
    assert p.cost <= COSTS[method](planted) * (1 + 1e-9)


def test_fusinter_reads_its_parameters_for_groups_too():
    units = hidden_groups(np.random.default_rng(3), 7, 3, 3, 15)
    for params in ({"alpha": 0.6, "lambda": 2.0}, {"entropy": "shannon"}):
        p = group(units, "fusinter", method_params=params)
        assert p.cost == pytest.approx(lowest_cost(units, "fusinter", **params), rel=1e-9)
