"""CHAID, Tschuprow, Cramér, Khiops and the two-group methods, against their slow twins."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import partage as pt
from helpers import examples, sweep
from partage import _core
from partage._spaces.space import line_of
from reference.criteria import COSTS
from reference.groups import (
    association,
    chaid,
    forward,
    gain_ratio_merging,
    gini_impurity,
    grouping_of,
    hidden_groups,
    khiops,
    khiops_losses,
    lowest_gini,
    null_standard,
    one_against_rest,
    pooled,
    rows_of,
    singles,
    standard_cost,
)
from reference.searches import reachable
from strategies import tables

# Method -> every grouping its steps may end with where some of them tie.
TWINS = {
    "chaid": lambda units: chaid(units, walk=reachable),
    "tschuprow": lambda units: association(units, "tschuprow", walk=reachable),
    "cramer": lambda units: association(units, "cramer", walk=reachable),
    "gain-ratio": lambda units: gain_ratio_merging(units, walk=reachable),
    "one-against-rest": one_against_rest,
    "forward": forward,
}
STEPS = ["chaid", "khiops", "gain-ratio", "one-against-rest", "forward", "cart", "none"]
TWO_GROUPS = ["one-against-rest", "forward", "cart"]
EVERY = ["modl", "modl-standard", "tschuprow", "cramer", *STEPS]


def group(units, method, **options):
    """Group the values of a table of class counts."""
    return pt.group(*rows_of(units), method=method, **options)


def found_by(units, method, **options):
    """Find the grouping of a method."""
    return list(grouping_of(group(units, method, **options).groups))


def uneven_table(rng, n_values, n_classes):
    """Class counts so irregular that no two steps tie."""
    return hidden_groups(rng, n_values, n_classes, 4, 60) * 7 + rng.integers(
        1, 40, size=(n_values, n_classes)
    )


@pytest.mark.parametrize("method", TWINS)
@settings(max_examples=examples(100))
@given(units=tables(min_units=2, max_units=6, max_classes=4))
def test_method_takes_the_steps_of_its_twin(method, units):
    ends = [list(end) for end in TWINS[method](units)]
    assert found_by(units, method) in ends


@pytest.mark.parametrize("method", TWINS)
@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("seed", sweep(range(3)))
def test_method_takes_the_steps_of_its_twin_on_many_values(method, n_classes, seed):
    units = uneven_table(np.random.default_rng([seed, n_classes]), 20, n_classes)
    ends = [list(end) for end in TWINS[method](units)]
    assert len(ends) == 1
    assert found_by(units, method) in ends


@pytest.mark.parametrize("criterion", ["tschuprow", "cramer"])
@settings(max_examples=examples(100))
@given(units=tables(min_units=2, max_units=6, max_classes=4))
def test_association_is_its_own_cost(criterion, units):
    p = group(units, criterion)
    assert p.cost == pytest.approx(COSTS[criterion](p.counts), rel=1e-12, abs=1e-12)
    assert p.null_cost == 0
    assert p.n_parts >= 2


@pytest.mark.parametrize("method", STEPS)
@settings(max_examples=examples(40))
@given(units=tables(min_units=2, max_units=6, max_classes=2))
def test_step_method_reports_the_cost_of_modl(method, units):
    p = group(units, method)
    assert p.cost == pytest.approx(standard_cost(units, grouping_of(p.groups)), rel=1e-12)
    assert p.null_cost == pytest.approx(null_standard(units), rel=1e-12)
    assert p.is_optimal is False


@pytest.mark.parametrize("method", EVERY)
@settings(max_examples=examples(40))
@given(units=tables(min_units=2, max_units=6, max_classes=2))
def test_level_is_that_of_modl_whatever_the_method(method, units):
    p = group(units, method)
    if method == "modl":
        cost, null = p.cost, p.null_cost
    else:
        cost, null = standard_cost(units, grouping_of(p.groups)), null_standard(units)
    assert p.level == pytest.approx(max(0.0, 1 - cost / null), abs=1e-12)


@pytest.mark.parametrize("alpha", [0.001, 0.3])
def test_chaid_reads_its_level_of_significance(alpha):
    units = uneven_table(np.random.default_rng(1), 20, 3)
    found = found_by(units, "chaid", method_params={"alpha": alpha})
    assert found == chaid(units, alpha)
    assert found != chaid(units)


def test_chaid_counts_the_classes_present_in_either_group():
    # Unlike with 1 degree of freedom at p = 0.035, with 2 it would be p = 0.108.
    units = np.array([[10, 2, 0], [5, 7, 0], [0, 0, 400]])
    assert found_by(units, "chaid") == chaid(units) == [(0,), (1,), (2,)]


@pytest.mark.parametrize("n_classes", [2, 3, 4])
@pytest.mark.parametrize("seed", sweep(range(6)))
def test_khiops_takes_the_merges_of_its_twin_for_some_guard_against_noise(n_classes, seed):
    rng = np.random.default_rng([seed, n_classes])
    units = hidden_groups(rng, 12, n_classes, 4, 60) + rng.integers(0, 3, size=(12, n_classes))
    guards = [0.0, *(loss * (1 + 1e-9) for loss in khiops_losses(units)), math.inf]
    assert found_by(units, "khiops") in [khiops(units, guard) for guard in guards]


@pytest.mark.parametrize("n_classes", [2, 3])
def test_khiops_keeps_values_expected_below_five_together(n_classes):
    rng = np.random.default_rng(n_classes)
    units = np.vstack(
        [rng.multinomial(200, share) for share in rng.dirichlet(np.ones(n_classes), size=6)]
        + [np.eye(n_classes, dtype=int)[i % n_classes] * (1 + i % 2) for i in range(30)]
    )
    rare = set(range(6, 36))
    assert set(pooled(units)[-1]) == rare
    assert any(rare <= set(indices) for indices in found_by(units, "khiops"))


def test_khiops_works_where_p_values_underflow():
    units = np.array([[5000, 10], [4990, 20], [10, 5000], [30, 4970], [2500, 2500]])
    assert found_by(units, "khiops") == khiops(units, 0) == [(0, 1), (2, 3), (4,)]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("n_values", [10, 40, 300])
def test_khiops_leaves_noise_in_one_group_nineteen_times_of_twenty(n_values, n_classes):
    n_single = 0
    for seed in range(60):
        rng = np.random.default_rng([seed, n_values, n_classes])
        x = rng.integers(0, n_values, 10_000)
        n_single += pt.group(x, rng.integers(0, n_classes, 10_000), method="khiops").n_parts == 1
    # At 95 % fewer than 54 of 60 have probability 0.03; at 80 % they have 0.97.
    assert n_single >= 54


@settings(max_examples=examples(150))
@given(units=tables(min_units=2, max_units=9, max_classes=2))
def test_cart_reaches_the_lowest_impurity_of_two_groups(units):
    p = group(units, "cart")
    assume(p.n_parts == 2)
    assert gini_impurity(p.counts) == pytest.approx(lowest_gini(units), abs=1e-9)


@pytest.mark.parametrize("method", TWO_GROUPS)
@pytest.mark.parametrize("n_values", [2, 30, 400])
def test_two_group_method_gives_two_groups(method, n_values):
    units = uneven_table(np.random.default_rng(n_values), n_values, 2)
    assert group(units, method).n_parts == 2


@pytest.mark.parametrize("n_classes", [2, 3])
def test_none_gives_one_group_per_value(n_classes):
    units = uneven_table(np.random.default_rng(0), 50, n_classes)
    assert found_by(units, "none") == list(singles(units))


@pytest.mark.parametrize("method", EVERY)
@pytest.mark.parametrize("x", [["a"] * 6, ["a"], [None] * 4], ids=["constant", "one row", "empty"])
def test_column_without_information_is_one_group(method, x):
    p = pt.group(x, list("ababba")[: len(x)], method=method)
    assert p.n_parts == 1
    assert p.level == 0


@pytest.mark.parametrize("method", [name for name in EVERY if name != "none"])
def test_single_class_is_one_group(method):
    p = pt.group(list("abcabcabc"), ["only"] * 9, method=method)
    assert p.n_parts == 1
    assert p.level == 0


@pytest.mark.parametrize("method", [n for n in EVERY if n not in (*TWO_GROUPS, "none")])
@settings(max_examples=examples(40))
@given(units=tables(min_units=2, max_units=7, max_classes=2), most=st.integers(1, 4))
def test_method_makes_at_most_the_groups_asked(method, units, most):
    assert group(units, method, max_parts=most).n_parts <= most


@pytest.mark.parametrize("method", ["chaid", "tschuprow", "cramer", "gain-ratio", "khiops"])
@settings(max_examples=examples(40))
@given(units=tables(min_units=2, max_units=7, max_classes=3), least=st.integers(1, 9))
def test_method_makes_groups_of_at_least_the_size_asked(method, units, least):
    assume(units.sum() >= least)
    p = group(units, method, min_part_size=least)
    assert p.counts.sum(axis=1).min() >= least


@pytest.mark.parametrize("method", EVERY)
@pytest.mark.parametrize("seed", sweep(range(3)))
def test_permuted_rows_give_the_same_bits(method, seed):
    rng = np.random.default_rng(seed)
    x, y = rows_of(hidden_groups(rng, 30, 2, 3, 10))
    order = rng.permutation(len(x))
    one, other = (pt.group(a, b, method=method) for a, b in ((x, y), (x[order], y[order])))
    assert one.to_dict() == other.to_dict()


@pytest.mark.parametrize("method", EVERY)
@settings(max_examples=examples(30))
@given(units=tables(min_units=2, max_units=6, max_classes=2), data=st.data())
def test_whole_weights_give_the_bits_of_repeated_rows(method, units, data):
    x, y = rows_of(units)
    weight = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(x), max_size=len(x))))
    weight[0] = 2
    weighted = pt.group(x, y, method=method, sample_weight=weight)
    repeated = pt.group(np.repeat(x, weight), np.repeat(y, weight), method=method)
    assert weighted.groups == repeated.groups
    assert weighted.counts.tolist() == repeated.counts.tolist()
    assert (weighted.cost, weighted.level) == (repeated.cost, repeated.level)
    assert list(weighted.classes) == list(repeated.classes)


def test_a_division_that_settles_back_is_not_tried_for_ever():
    counts = [
        [0, 1, 2], [0, 7, 47], [29, 4, 136], [15, 0, 34], [4, 36, 2], [87, 251, 197],
        [215, 13, 353], [41, 0, 53], [48, 129, 0], [238, 302, 10], [84, 8, 13], [1, 0, 1],
        [32, 35, 0], [31, 37, 0], [4, 0, 0],
    ]  # fmt: skip
    line = line_of(np.array(counts, dtype=float))
    for method in ("modl", "modl-standard"):
        group_of, n_groups, *_ = _core.group(line, method, [], 0, 0, 0.0, None)
        assert sorted(set(group_of.tolist())) == list(range(n_groups))
