"""The slow twins themselves, on cases worked by hand."""

import math

import numpy as np
import pytest
from hypothesis import given

from reference.criteria import COSTS, chi_square, exact_modl, fusinter, modl, part_length
from reference.program import lowest_costs
from reference.runs import merge_units, run_starts, units_of
from reference.searches import (
    bottom_up,
    caim_family,
    chimerge,
    contiguous_partitions,
    exhaustive,
    gain_ratio,
    gain_ratio_cuts,
    mdlpc,
    mdlpc_cuts,
    reachable,
    recursions,
    top_down,
)
from strategies import tables

ZEROS_THEN_A_ONE = np.array([[1, 0]] * 21 + [[0, 1]])
ONE_AMID_ZEROS = np.array([[1, 0]] * 4 + [[0, 1]] + [[1, 0]] * 4)
LN2 = math.log(2)

WORKED_COSTS = [
    ("modl", [[3, 0], [0, 2]], {}, math.log(5 * 6 * 4 * 3)),
    ("modl", [[2, 1]], {}, math.log(3 * 4 * 3)),
    ("khiops11", [[2, 1]], {}, math.log(2 * 12)),
    ("gini", [[3, 1], [0, 2]], {}, 1.5 + 2 * math.log(6)),
    ("entropy", [[2, 2], [0, 4]], {}, 4 * LN2 + 2 * math.log(8)),
    ("fusinter", [[1, 0]], {}, 0.975 * 4 / 9 + 0.05),
    ("fusinter", [[2, 2]], {"entropy": "shannon"}, 0.975 + 0.025 * 2 / 4),
    ("fusinter", [[1, 0]], {"alpha": 0.5, "lambda": 2}, 0.5 * 2 * 3 / 5 * 2 / 5 + 2.0),
    ("tschuprow", [[2, 0, 0], [0, 1, 1]], {}, -1 / math.sqrt(2)),
    ("cramer", [[2, 0, 0], [0, 1, 1]], {}, -1.0),
    ("chi2", [[2, 0, 0], [0, 1, 1]], {}, -4.0),
    ("caim", [[3, 1], [0, 2]], {}, -2.125),
    ("cacc", [[2, 0], [0, 2]], {}, -math.sqrt(1 / (1 + LN2))),
    ("ameva", [[2, 0], [0, 2]], {}, -2.0),
    ("tschuprow", [[2, 3]], {}, 0.0),
    ("cramer", [[2, 3]], {}, 0.0),
    ("chi2", [[2, 3]], {}, 0.0),
    ("cacc", [[2, 3]], {}, 0.0),
    ("ameva", [[2, 3]], {}, 0.0),
]


@pytest.mark.parametrize(("criterion", "parts", "params", "cost"), WORKED_COSTS)
def test_twin_gives_the_cost_worked_by_hand(criterion, parts, params, cost):
    assert COSTS[criterion](np.array(parts), **params) == pytest.approx(cost, rel=1e-14, abs=1e-15)


def test_every_twin_has_a_case_worked_by_hand():
    assert {case[0] for case in WORKED_COSTS} == set(COSTS)


@given(parts=tables(max_count=40))
def test_gamma_function_gives_the_cost_of_exact_integers(parts):
    assert modl(parts) == pytest.approx(exact_modl(parts), rel=1e-13)


def test_part_length_of_two_against_one_is_log_12():
    assert part_length([2, 1]) == pytest.approx(math.log(12), rel=1e-15)


def test_chi_square_ignores_an_absent_class():
    assert chi_square([[2, 0, 0], [0, 2, 0]]) == pytest.approx(4.0)


def test_fusinter_of_21_zeros_then_a_one_is_lowest_inside_the_run():
    inside, _ = exhaustive(ZEROS_THEN_A_ONE, "fusinter", n_parts=2)
    assert inside == [0, 20]
    assert fusinter(merge_units(ZEROS_THEN_A_ONE, [0, 20])) == pytest.approx(0.148734, abs=5e-7)
    assert fusinter(merge_units(ZEROS_THEN_A_ONE, [0, 21])) == pytest.approx(0.149488, abs=5e-7)


def test_modl_with_two_parts_is_lower_over_values_than_over_borders():
    over_values = exhaustive(ONE_AMID_ZEROS, "modl", n_parts=2)[1]
    runs = merge_units(ONE_AMID_ZEROS, run_starts(ONE_AMID_ZEROS))
    over_borders = exhaustive(runs, "modl", n_parts=2)[1]
    assert over_values == pytest.approx(9.4696, abs=5e-5)
    assert over_borders == pytest.approx(9.5104, abs=5e-5)


def test_runs_join_pure_neighbours_of_one_class_only():
    units = [[1, 0], [2, 0], [0, 1], [1, 1], [1, 1], [1, 0], [0, 3]]
    assert run_starts(units) == [0, 2, 3, 4, 5, 6]


def test_units_count_the_classes_of_each_distinct_value():
    values, units = units_of([3, 1, 3, 1, 2], ["b", "a", "a", "a", "b"])
    assert values.tolist() == [1, 2, 3]
    assert units.tolist() == [[2, 0], [0, 1], [1, 1]]


def test_four_units_have_eight_contiguous_partitions():
    found = [tuple(starts) for starts in contiguous_partitions(4)]
    assert len(set(found)) == len(found) == 8
    assert found[0] == (0,)
    assert found[-1] == (0, 1, 2, 3)


def test_exhaustive_search_respects_every_limit():
    assert exhaustive(ONE_AMID_ZEROS, "chi2", max_parts=3)[0] == [0, 4, 5]
    assert len(exhaustive(ONE_AMID_ZEROS, "modl", n_parts=4)[0]) == 4
    sizes = merge_units(ONE_AMID_ZEROS, exhaustive(ONE_AMID_ZEROS, "chi2", min_part_size=4)[0])
    assert sizes.sum(axis=1).min() >= 4
    assert exhaustive(ONE_AMID_ZEROS, "modl", n_parts=10) == (None, math.inf)


@pytest.mark.parametrize("criterion", ["modl", "fusinter", "gini", "entropy"])
@given(units=tables(max_units=6))
def test_dynamic_program_equals_exhaustive_search(criterion, units):
    expected = [exhaustive(units, criterion, n_parts=k + 1)[1] for k in range(len(units))]
    assert lowest_costs(units, criterion) == pytest.approx(expected, rel=1e-12)


def test_bottom_up_starts_from_runs_and_stops_when_the_cost_no_longer_decreases():
    assert bottom_up(np.array([[1, 0]] * 6 + [[0, 1]] * 6), "modl") == [0, 6]
    assert bottom_up(np.array([[1, 0], [0, 1], [1, 0], [0, 1]]), "modl") == [0]
    assert bottom_up(np.eye(3), "cramer") == [0, 2]
    assert bottom_up(np.ones((3, 2)), "tschuprow") == [0, 2]


def test_top_down_cuts_where_the_whole_cost_is_lowest():
    units = np.array([[9, 0]] * 2 + [[0, 9]] * 2 + [[9, 0]] * 2)
    assert top_down(units, "gini") == [0, 2, 4]
    assert top_down(np.array([[1, 1], [1, 1]]), "gini") == [0]


def test_chimerge_merges_below_the_quantile_only():
    assert chimerge([[2, 0], [1, 0], [0, 2]]) == [0, 2]
    assert chimerge([[1, 0], [0, 1]]) == [0]


def test_mdlpc_cuts_a_clean_step_and_leaves_equal_shares():
    assert mdlpc([[8, 0], [0, 8]]) == [0, 1]
    assert mdlpc([[1, 1], [1, 1]]) == [0]


@pytest.mark.parametrize(
    ("column", "cuts"), list(enumerate([(5.55, 6.15), (2.95, 3.35), (2.45, 4.75), (0.8, 1.75)]))
)
def test_mdlpc_gives_the_known_cuts_of_iris(iris, column, cuts):
    values, units = units_of(iris[0].iloc[:, column], iris[1])
    found = [(values[i - 1] + values[i]) / 2 for i in mdlpc(units)[1:]]
    assert found == pytest.approx(cuts, abs=1e-12)


def test_gain_ratio_stops_at_the_price_of_the_distinct_values():
    assert gain_ratio([[1, 0], [1, 0], [1, 0], [0, 1]]) == [0, 3]
    assert gain_ratio([[1, 0], [0, 1], [1, 0], [0, 1]]) == [0]


def test_reachable_ends_are_those_of_every_tied_step():
    tied = np.array([[0, 0, 0, 3], [3, 0, 0, 0], [0, 0, 1, 0], [0, 2, 0, 0]])
    assert bottom_up(tied, "modl") == [0, 2]
    assert sorted(bottom_up(tied, "modl", walk=reachable)) == [[0, 1], [0, 2]]


def test_recursions_list_every_tied_cut():
    assert recursions([[8, 0], [0, 8]], mdlpc_cuts) == [[0, 1]]
    either_first = recursions([[9, 0], [0, 9], [9, 0]], gain_ratio_cuts)
    assert either_first == [[0, 1, 2], [0, 1, 2]]


def test_caim_cuts_up_to_one_part_per_class_and_ameva_does_not():
    assert caim_family(np.array([[1, 1], [1, 1]]), "caim") == [0, 1]
    assert caim_family(np.array([[1, 1], [1, 1]]), "ameva") == [0]
    assert caim_family(np.array([[4, 0], [4, 0], [0, 4]]), "cacc") == [0, 2]
