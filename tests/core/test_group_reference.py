"""The slow twins of groups themselves, on cases worked by hand."""

import math

import numpy as np
import pytest
from hypothesis import given

from reference.counting import bell, log_bell, stirling
from reference.criteria import chi_square
from reference.groups import (
    association,
    atoms,
    by_class_share,
    by_enumeration,
    by_subsets,
    chaid,
    cheapest_threshold,
    forward,
    gain_ratio_merging,
    garbage_cost,
    gini_impurity,
    information_gain,
    join,
    khiops,
    khiops_losses,
    log_p_value,
    lowest_garbage,
    lowest_gini,
    lowest_standard,
    minus_gain_ratio,
    null_garbage,
    null_standard,
    one_against_rest,
    pair_p_value,
    pooled,
    rows_of,
    set_partitions,
    standard_cost,
    table_log_p_value,
    thresholds,
    universal_code,
    ward,
)
from reference.runs import units_of
from reference.searches import reachable
from strategies import tables

TWO_AND_TWO_RARE = np.array([[3, 0], [0, 2], [1, 0], [0, 1]])
PAIR = np.array([[4, 0], [4, 0], [0, 4]])
TWO_PAIRS = np.array([[4, 0], [4, 0], [0, 4], [0, 4]])


def test_rows_have_the_class_counts_they_were_made_from():
    values, units = units_of(*rows_of(TWO_AND_TWO_RARE))
    assert values.tolist() == ["v0", "v1", "v2", "v3"]
    assert units.tolist() == TWO_AND_TWO_RARE.tolist()


def test_stirling_numbers_follow_their_recurrence():
    for n in range(2, 30):
        for k in range(2, n):
            assert stirling(n, k) == k * stirling(n - 1, k) + stirling(n - 1, k - 1)
    assert [stirling(4, k) for k in range(5)] == [0, 1, 7, 6, 1]


def test_divisions_into_at_most_some_groups_are_counted():
    assert bell(3, 2) == 4
    assert [bell(n, n) for n in range(1, 9)] == [1, 2, 5, 15, 52, 203, 877, 4140]


def test_logarithms_of_large_counts_are_those_of_the_design():
    assert log_bell(1000, 50) == pytest.approx(3763.545238476, abs=5e-10)
    assert log_bell(100_000, 10) == pytest.approx(230243.404886832, abs=1e-9)


def test_every_division_is_listed_once():
    assert [len(set(set_partitions(n))) for n in range(1, 9)] == [1, 2, 5, 15, 52, 203, 877, 4140]
    assert all(sum(groups) == 255 for groups in set_partitions(8))


@pytest.mark.parametrize(("n", "logs"), [(1, 0), (2, 1), (4, 3), (16, 7), (65_536, 23)])
def test_universal_code_adds_repeated_logarithms(n, logs):
    assert universal_code(n) == pytest.approx(math.log2(2.865) + logs, rel=1e-15)


def test_universal_code_grows_with_the_integer():
    lengths = [universal_code(n) for n in range(1, 2000)]
    assert lengths == sorted(lengths)


def test_standard_cost_is_the_one_worked_by_hand():
    units = [[3, 0], [0, 2]]
    assert standard_cost(units, [(0,), (1,)]) == pytest.approx(math.log(2 * 2 * 4 * 3))
    assert standard_cost(units, [(0, 1)]) == pytest.approx(math.log(2 * 6 * 10))
    assert lowest_standard(units) == pytest.approx(math.log(48))
    assert null_standard(units) == pytest.approx(math.log(120))


def test_garbage_cost_is_the_one_worked_by_hand():
    apart = [(0,), (1,), (2, 3)]
    expected = math.log(2) + math.log(2.865 * 2) + math.log(3 * 5 * 4 * 3 * 6)
    assert garbage_cost(TWO_AND_TWO_RARE, apart, 2) == pytest.approx(expected)
    everything = [(0, 1, 2, 3)]
    assert garbage_cost(TWO_AND_TWO_RARE, everything, 1) == pytest.approx(math.log(2 * 4 * 8 * 35))
    expected = math.log(2) + math.log(2.865 * 4 * 2) + math.log(8 * 35)
    assert garbage_cost(TWO_AND_TWO_RARE, everything, 4) == pytest.approx(expected)


def test_garbage_may_be_grouped_further_but_not_separated():
    together = garbage_cost(TWO_AND_TWO_RARE, [(0, 2, 3), (1,)], 2)
    expected = math.log(2) + math.log(2.865 * 2) + math.log(3 * 4 * 6 * 5 * 3)
    assert together == pytest.approx(expected)
    assert garbage_cost(TWO_AND_TWO_RARE, [(0, 2), (1, 3)], 2) == math.inf


def test_thresholds_separate_every_frequency():
    assert thresholds(TWO_AND_TWO_RARE) == [1, 2, 3, 4]
    assert atoms(TWO_AND_TWO_RARE, 1) == [(0,), (1,), (2,), (3,)]
    assert atoms(TWO_AND_TWO_RARE, 2) == [(0,), (1,), (2, 3)]
    assert atoms(TWO_AND_TWO_RARE, 3) == [(0,), (1, 2, 3)]
    assert atoms(TWO_AND_TWO_RARE, 4) == [(0, 1, 2, 3)]


def test_cheapest_code_of_one_group_may_be_all_garbage():
    many = np.array([[1, 0], [0, 1]] * 100)
    everything = [tuple(range(200))]
    assert null_garbage(many) == pytest.approx(garbage_cost(many, everything, 2))
    assert null_garbage(many) < garbage_cost(many, everything, 1) - 3
    assert cheapest_threshold(many, everything) == (null_garbage(many), [2])


@given(units=tables(max_units=6, max_classes=4))
def test_lowest_costs_are_those_of_the_cheapest_listed_grouping(units):
    groupings = [
        [tuple(i for i in range(len(units)) if group >> i & 1) for group in groups]
        for groups in set_partitions(len(units))
    ]
    standard = min(standard_cost(units, grouping) for grouping in groupings)
    assert lowest_standard(units) == pytest.approx(standard, rel=1e-12)
    garbage = min(cheapest_threshold(units, grouping)[0] for grouping in groupings)
    assert lowest_garbage(units) == pytest.approx(garbage, rel=1e-12)


def test_enumeration_respects_every_limit():
    units = PAIR
    assert by_enumeration(units, n_parts=1) == pytest.approx(null_standard(units))
    apart = standard_cost(units, [(0,), (1,), (2,)])
    assert by_enumeration(units, n_parts=3) == pytest.approx(apart)
    assert by_enumeration(units, max_parts=3) == by_enumeration(units)
    assert by_enumeration(units, min_part_size=5) == pytest.approx(null_standard(units))
    assert by_enumeration(units, n_parts=4) == math.inf


@given(units=tables(max_units=7, max_classes=4))
def test_program_over_subsets_equals_enumeration(units):
    assert by_subsets(units) == pytest.approx(by_enumeration(units), rel=1e-12)


@given(units=tables(max_units=8, max_classes=2, max_count=12))
def test_program_by_class_share_equals_enumeration(units):
    assert by_class_share(units) == pytest.approx(by_enumeration(units), rel=1e-12)
    garbage = lowest_garbage(units, by_class_share)
    assert garbage == pytest.approx(lowest_garbage(units), rel=1e-12)


@pytest.mark.parametrize(
    ("chi2", "df", "log_p"),
    [
        (2 * math.log(20), 2, math.log(0.05)),
        (3.841458820694124, 1, math.log(0.05)),
        (7.814727903251179, 3, math.log(0.05)),
        (5000, 10, -2471.88),
        (0, 3, 0),
        (0, 0, 0),
    ],
)
def test_logarithm_of_a_p_value_never_underflows(chi2, df, log_p):
    assert log_p_value(chi2, df) == pytest.approx(log_p, rel=1e-6)


@given(units=tables(min_units=2))
def test_loss_of_a_merge_is_the_chi_square_it_loses(units):
    joined = np.vstack([units[0] + units[1], units[2:]])
    lost = chi_square(units) - chi_square(joined)
    assert ward(units[0], units[1], units.sum(axis=0)) == pytest.approx(lost, abs=1e-9)


def test_loss_of_two_opposite_values_is_all_the_chi_square():
    assert ward(np.array([2, 0]), np.array([0, 2]), np.array([2, 2])) == pytest.approx(4)


def test_p_value_of_a_pair_counts_the_classes_present_in_either():
    assert pair_p_value(np.array([4, 0, 0]), np.array([9, 0, 0])) == 1
    two, three = (np.array([[3, 1, 0], [1, 3, 0]])[:, :k] for k in (2, 3))
    assert pair_p_value(*two) == pair_p_value(*three) == pytest.approx(0.157299, abs=5e-7)


def test_chaid_joins_alike_values_and_keeps_significant_ones_apart():
    assert chaid([[5, 5], [10, 0], [5, 5]]) == [(0, 2), (1,)]
    assert chaid([[3, 1], [1, 3]]) == [(0, 1)]
    assert chaid([[3, 1], [1, 3]], alpha=0.2) == [(0,), (1,)]


def test_tschuprow_stops_where_its_value_falls_or_two_groups_are_left():
    assert association(np.eye(3) * 4, "tschuprow") == [(0,), (1,), (2,)]
    assert association(PAIR, "tschuprow") == [(0, 1), (2,)]
    assert len(association(np.ones((3, 2)), "tschuprow")) == 2


def test_cramer_joins_what_loses_nothing():
    assert association(PAIR, "cramer") == [(0, 1), (2,)]
    assert len(association(np.eye(3), "cramer")) == 2
    assert association(np.array([[9, 0], [8, 1], [0, 9]]), "cramer") == [(0,), (1,), (2,)]


def test_khiops_pools_values_expected_below_five():
    units = np.array([[40, 40], [6, 3], [5, 5], [2, 5]])
    assert pooled(units) == ((0,), (1, 3), (2,))
    assert pooled(units + 10) == ((0,), (1,), (2,), (3,))


def test_khiops_joins_while_the_p_value_decreases_or_the_loss_is_noise():
    units = np.array([[50, 50], [90, 10], [48, 52]])
    losses = khiops_losses(units)
    assert losses[0] == pytest.approx(50 * 0.0004 * (300 / 188 + 300 / 112))
    assert sum(losses) == pytest.approx(chi_square(units))
    assert khiops(units, 0) == [(0, 2), (1,)]
    assert khiops(units, losses[1]) == [(0, 2), (1,)]
    assert khiops(units, losses[1] + 1e-9) == [(0, 1, 2)]
    assert table_log_p_value(join(units, [(0, 1, 2)])) == 0


def test_gain_ratio_of_two_pure_groups_is_one():
    assert information_gain([[4, 0], [0, 4]]) == pytest.approx(1)
    assert minus_gain_ratio([[8, 0], [0, 4]]) == pytest.approx(-1)
    assert minus_gain_ratio([[2, 2], [2, 2]]) == pytest.approx(0)


def test_gain_ratio_merging_joins_pure_values_and_stops_at_two_groups():
    assert gain_ratio_merging(TWO_PAIRS) == [(0, 1), (2, 3)]
    assert gain_ratio_merging(np.eye(2)) == [(0,), (1,)]


def test_best_value_against_the_rest_lists_its_ties():
    assert one_against_rest([[4, 0], [2, 2], [0, 4]]) == [((0,), (1, 2)), ((0, 1), (2,))]
    assert one_against_rest([[4, 0], [4, 0], [0, 4]]) == [((0, 1), (2,))]


def test_forward_selection_adds_values_while_the_gain_grows():
    assert set(forward(TWO_PAIRS)) == {((0, 1), (2, 3))}
    assert set(forward(np.array([[9, 0], [0, 9], [8, 1]]))) == {((0, 2), (1,))}


def test_lowest_gini_is_that_of_the_best_two_groups():
    assert lowest_gini(TWO_PAIRS) == 0
    assert gini_impurity([[3, 1]]) == pytest.approx(1.5)
    assert lowest_gini(np.array([[4, 0], [2, 2], [0, 4]])) == pytest.approx(8 - 40 / 8)


def test_ties_are_all_reached():
    tied = np.array([[5, 1], [5, 1], [1, 5], [1, 5]])
    assert sorted(chaid(tied, walk=reachable)) == [[(0, 1), (2, 3)]]
    assert len(association(np.ones((3, 2)), "tschuprow", walk=reachable)) == 3
