"""Bottom-up, top-down and the methods that judge single steps, against their slow twins."""

import numpy as np
import pytest
from hypothesis import given, settings

from helpers import cost_of, examples, search
from reference.criteria import COSTS
from reference.runs import merge_units
from reference.searches import (
    bottom_up,
    caim_family,
    chimerge,
    exhaustive,
    gain_ratio_cuts,
    leftmost,
    mdlpc,
    mdlpc_cuts,
    reachable,
    recursions,
    top_down,
)
from strategies import large_table, tables

MERGED = [
    ("modl", None),
    ("fusinter", None),
    ("fusinter", {"entropy": "shannon", "alpha": 0.9}),
    ("gini", None),
    ("entropy", None),
    ("tschuprow", None),
    ("cramer", None),
]
CUT = [case for case in MERGED if case[0] not in ("tschuprow", "cramer")]
# Method -> its search, and every partition its steps may end with where some of them tie.
STEPS = {
    "mdlpc": ("top-down", lambda units: recursions(units, mdlpc_cuts)),
    "gain-ratio": ("top-down", lambda units: recursions(units, gain_ratio_cuts)),
    "chimerge": ("bottom-up", lambda units: chimerge(units, walk=reachable)),
    "caim": ("top-down", lambda units: caim_family(units, "caim", walk=reachable)),
    "cacc": ("top-down", lambda units: caim_family(units, "cacc", walk=reachable)),
    "ameva": ("top-down", lambda units: caim_family(units, "ameva", walk=reachable)),
}


@pytest.mark.parametrize(("criterion", "params"), MERGED)
@settings(max_examples=examples(100))
@given(units=tables(max_units=10))
def test_bottom_up_takes_the_merges_of_its_twin(criterion, params, units):
    found = search(units, criterion, "bottom-up", params)
    assert found.starts.tolist() in bottom_up(units, criterion, params, walk=reachable)


@pytest.mark.parametrize(("criterion", "params"), CUT)
@settings(max_examples=examples(100))
@given(units=tables(max_units=10))
def test_top_down_takes_the_cuts_of_its_twin(criterion, params, units):
    found = search(units, criterion, "top-down", params)
    assert found.starts.tolist() in top_down(units, criterion, params, walk=reachable)


@pytest.mark.parametrize("method", STEPS)
@settings(max_examples=examples(150))
@given(units=tables(max_units=10))
def test_step_method_takes_the_steps_of_its_twin(method, units):
    how, twin = STEPS[method]
    assert search(units, method, how).starts.tolist() in twin(units)


@pytest.mark.parametrize("method", STEPS)
@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_step_method_takes_the_steps_of_its_twin_on_a_long_line(method, n_classes):
    how, twin = STEPS[method]
    units = uneven(large_table(60, n_classes, seed=10 + n_classes))
    assert search(units, method, how).starts.tolist() in twin(units)


@pytest.mark.parametrize(("criterion", "params"), MERGED)
@pytest.mark.parametrize("n_classes", [2, 4])
def test_bottom_up_takes_the_merges_of_its_twin_on_a_long_line(criterion, params, n_classes):
    units = uneven(large_table(40, n_classes, seed=20 + n_classes))
    found = search(units, criterion, "bottom-up", params)
    assert found.starts.tolist() == bottom_up(units, criterion, params)


@pytest.mark.parametrize(("criterion", "params"), CUT)
@pytest.mark.parametrize("n_classes", [2, 4])
def test_top_down_takes_the_cuts_of_its_twin_on_a_long_line(criterion, params, n_classes):
    units = uneven(large_table(60, n_classes, seed=30 + n_classes))
    found = search(units, criterion, "top-down", params)
    assert found.starts.tolist() == top_down(units, criterion, params)


def uneven(units):
    """Weigh the units by numbers that let no two steps tie."""
    return units * np.random.default_rng(0).uniform(1, 2, size=(len(units), 1))


TIED = {
    "modl": [[0, 0, 0, 3], [3, 0, 0, 0], [0, 0, 1, 0], [0, 2, 0, 0]],
    "entropy": [[1, 0, 3], [2, 0, 0], [0, 1, 0]],
    "tschuprow": [[1, 4, 1, 0], [1, 1, 1, 1], [1, 0, 1, 4]],
}


@pytest.mark.parametrize("criterion", TIED)
def test_bottom_up_merges_the_leftmost_of_tied_pairs(criterion):
    units = np.array(TIED[criterion])
    assert len(bottom_up(units, criterion, walk=reachable)) > 1
    found = search(units, criterion, "bottom-up")
    assert found.starts.tolist() == bottom_up(units, criterion, walk=leftmost)


def test_top_down_cuts_at_the_leftmost_of_tied_cuts():
    units = np.array([[0, 0, 3], [0, 2, 0], [0, 0, 1], [2, 0, 0], [0, 0, 1]])
    assert len(caim_family(units, "caim", walk=reachable)) > 1
    assert search(units, "caim", "top-down").starts.tolist() == caim_family(units, "caim")


@pytest.mark.parametrize("method", STEPS)
@given(units=tables(max_units=8))
def test_step_method_reports_the_cost_of_modl(method, units):
    found = search(units, method, STEPS[method][0])
    assert found.cost == pytest.approx(cost_of(units, found.starts, method), rel=1e-12)
    assert found.is_optimal is False or len(units) == 1


@pytest.mark.parametrize("how", ["bottom-up", "top-down"])
@pytest.mark.parametrize(("criterion", "params"), CUT)
@given(units=tables())
def test_greedy_search_is_never_below_the_lowest_cost(how, criterion, params, units):
    _, lowest = exhaustive(units, criterion, params)
    found = search(units, criterion, how, params)
    parts = merge_units(units, list(found.starts))
    assert found.cost >= lowest - 1e-9 * abs(lowest)
    expected = COSTS[criterion](parts, **(params or {}))
    assert found.cost == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.999])
def test_chimerge_reads_its_confidence(confidence):
    units = large_table(50, 3, seed=5)
    found = search(units, "chimerge", "bottom-up", {"confidence": confidence})
    assert found.starts.tolist() == chimerge(units, confidence)


def test_mdlpc_counts_the_classes_present_in_the_interval():
    three = np.array([[6, 0, 0], [0, 6, 0], [0, 6, 0], [0, 0, 6]])
    absent = np.hstack([three, np.zeros((4, 2))])
    assert search(absent, "mdlpc", "top-down").starts.tolist() == mdlpc(three)


@pytest.mark.parametrize("method", STEPS)
def test_one_unit_is_one_part(method):
    assert search([[3, 2]], method, STEPS[method][0]).starts.tolist() == [0]
