"""Groups of a given number and least weight: found where there are any, or said why not."""

import itertools

import numpy as np
import pytest

import partage as pt
from partage._search.methods import group_methods
from partage._search.packing import improve, pack

SIZES = [1, 3, 1, 5, 1, 5]
X = np.repeat(list("abcdef"), SIZES)
Y = np.array(list("xyxyxyxyxyxyxyxy"))


@pytest.mark.parametrize(
    "method", ["modl", "modl-standard", "chaid", "tschuprow", "cramer", "khiops", "gini"]
)
def test_groups_that_exist_are_found(method):
    if method not in group_methods():
        pytest.skip(f"{method} does not group")
    p = pt.group(X, Y, n_parts=2, min_part_size=8, method=method)
    assert sorted(p.rows.tolist()) == [8, 8]


def test_packing_agrees_with_trying_every_way():
    rng = np.random.default_rng(0)
    for _ in range(300):
        weights = rng.integers(1, 9, rng.integers(2, 8)).astype(float)
        n_groups = int(rng.integers(2, 4))
        least = float(rng.integers(1, 12))
        ways = itertools.product(range(n_groups), repeat=len(weights))
        exists = any((np.bincount(way, weights, minlength=n_groups) >= least).all() for way in ways)
        found, tried_all = pack(weights, n_groups, least)
        assert tried_all
        assert (found is not None) == exists
        if found is not None:
            assert (np.bincount(found, weights, minlength=n_groups) >= least).all()


def test_least_weight_above_the_total_is_refused_for_groups_as_for_intervals():
    message = (
        r"column 'x': min_part_size is in the way: every part must weigh at least 80; the column "
        r"weighs 16\. Lower it\.$"
    )
    for find, x in ((pt.group, X), (pt.discretize, np.arange(16.0))):
        with pytest.raises(pt.NotPartitionableError, match=message):
            find(x, Y, min_part_size=80)


def test_one_group_for_each_value_obeys_the_least_weight():
    with pytest.raises(
        pt.NotPartitionableError,
        match=r"min_part_size is in the way: method='none' makes one group for each value, of "
        r"which one weighs 1; every part must weigh at least 3\. Lower it, or use another method",
    ):
        pt.group(X, Y, method="none", min_part_size=3)


def test_groups_that_do_not_exist_are_refused():
    with pytest.raises(pt.NotPartitionableError, match="min_part_size leaves no way to make"):
        pt.group(X, Y, n_parts=3, min_part_size=6)


def test_ways_are_tried_where_the_heaviest_first_do_not_fit():
    weights = np.array([7.0, 6.0, 5.0, 4.0, 4.0, 4.0])
    group_of, tried_all = pack(weights, 2, 15.0)
    assert tried_all
    assert np.bincount(group_of, weights).tolist() == [15.0, 15.0]
    assert pack(weights, 2, 15.5) == (None, True)
    assert pack(np.ones(501), 3, 167.5) == (None, False)


def test_what_is_left_over_joins_the_first_group():
    weights = np.array([7.0, 6.0, 5.0, 4.0, 4.0, 4.0, 1e-9])
    group_of, _ = pack(weights, 2, 15.0)
    assert (np.bincount(group_of, weights) >= 15.0).all()


def test_values_move_while_groups_keep_their_least_weight():
    rows = np.array([[9.0, 0.0], [0.0, 9.0], [8.0, 0.0], [0.0, 8.0]])

    def lengths(counts):
        n = np.maximum(counts.sum(axis=1), 1e-12)
        share = np.clip(counts / n[:, None], 1e-12, 1.0)
        return -(counts * np.log(share)).sum(axis=1)

    mixed = np.array([0, 0, 1, 1])
    moved = improve(rows, mixed, 2, 8.0, lengths)
    assert moved[0] == moved[2] != moved[1] == moved[3]
    assert improve(rows, mixed, 2, 17.0, lengths).tolist() == mixed.tolist()
