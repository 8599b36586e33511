"""What limits may be given, which column they are for, and what a fraction comes to."""

import math
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from helpers import assert_refuses
from partage._search.limits import Limits, check_by, check_limits, check_tolerance

CLASS_COUNT = "a number, one number for each class, or None"
BITS = "a number of bits of at least 0, or None"
CUTS = "a list of increasing cuts, or None"
SHARE = "a number from 0 (any reversal counts) to below 1"


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("min_class_count", [0, 2.5], (0.0, 2.5)),
        ("min_class_count", np.array([3, 1]), (3.0, 1.0)),
        ("min_class_count", None, None),
        ("round_cuts", 0, 0.0),
        ("round_cuts", 1.5, 1.5),
        ("user_cuts", [1, 2], (1, 2)),
        ("candidate_cuts", np.array([1.5, 2.5]), (1.5, 2.5)),
        ("monotonic", None, None),
        ("monotonic", "peak", "peak"),
    ],
)
def test_limits_are_taken(name, value, wanted):
    assert check_limits("fit", **{name: value}).of("x") == Limits(**{name: wanted})


@pytest.mark.parametrize(
    ("name", "value", "must"),
    [
        ("min_class_count", [1, -1], CLASS_COUNT),
        ("min_class_count", [1, True], CLASS_COUNT),
        ("min_class_count", [1, "2"], CLASS_COUNT),
        ("min_class_count", [1, math.inf], CLASS_COUNT),
        ("min_class_count", [math.nan, 1], CLASS_COUNT),
        ("min_class_count", "12", CLASS_COUNT),
        ("min_class_count", b"12", CLASS_COUNT),
        ("min_class_count", {1, 2}, CLASS_COUNT),
        ("round_cuts", -1, BITS),
        ("round_cuts", math.inf, BITS),
        ("round_cuts", math.nan, BITS),
        ("round_cuts", True, BITS),
        ("round_cuts", "1", BITS),
        ("user_cuts", "12", CUTS),
        ("user_cuts", b"12", CUTS),
        ("candidate_cuts", 3, CUTS),
    ],
)
def test_limits_are_refused(name, value, must):
    said = f"fit: {name} must be {must}; got {value!r}."
    assert_refuses(lambda: check_limits("fit", **{name: value}), ValueError, said)


@pytest.mark.parametrize("value", [0, 0.05, 1 - 1e-9])
def test_tolerances_are_taken(value):
    assert check_tolerance("fit", value) == value


@pytest.mark.parametrize("value", [-0.1, 1, 2, True, "0.1", None, math.nan])
def test_tolerances_are_refused(value):
    said = f"fit: by_tolerance must be {SHARE}; got {value!r}."
    assert_refuses(lambda: check_tolerance("fit", value), ValueError, said)


def test_as_many_parts_as_at_most_are_no_contradiction():
    assert check_limits("fit", n_parts=3, max_parts=3).of("x").n_parts == 3
    said = "fit: n_parts must not exceed max_parts; got n_parts=4 and max_parts=3."
    by_column = {"n_parts": {"a": 2, "b": 4}, "max_parts": 3}
    assert_refuses(lambda: check_limits("fit", **by_column), ValueError, said)


def test_round_cuts_and_candidates_exclude_each_other_even_at_no_bits():
    said = (
        "fit: round_cuts and candidate_cuts exclude each other: the candidates say which cuts "
        "there may be. Leave one of the two out."
    )
    given = {"round_cuts": 0, "candidate_cuts": []}
    assert_refuses(lambda: check_limits("fit", **given), ValueError, said)


def test_limits_of_single_columns():
    rules = check_limits("fit", max_parts={"a": 2, "b": 5}, n_parts=None, min_part_size={"b": 7})
    assert rules.of("a") == Limits(max_parts=2)
    assert rules.of("b") == Limits(max_parts=5, min_part_size=7)
    assert rules.of("c") == Limits()
    assert rules.of("c").is_free
    assert not rules.of("a").is_free
    assert rules.asks("min_part_size")
    assert not rules.asks("n_parts")
    assert rules.all() == [rules.of("a"), rules.of("b"), rules.of("c")]


def test_unordered_columns_keep_what_is_asked_of_them_by_name():
    rules = check_limits("fit", monotonic="ascending", min_class_count={"a": 2}, max_parts=4)
    left = rules.for_unordered()
    assert left.of("a") == Limits(min_class_count=2, max_parts=4)
    assert left.of("b") == Limits(max_parts=4)


def test_segments_need_a_trend_of_some_column():
    check_by("fit", check_limits("fit", monotonic={"a": "ascending"}))
    said = "fit: by needs monotonic: the rates are monotonic in each of its segments."
    assert_refuses(lambda: check_by("fit", check_limits("fit", max_parts=3)), ValueError, said)


@pytest.mark.parametrize(
    ("size", "total", "reached", "missed"),
    [(0.1, 30, 3.0, 2.999), (1, 30, 1.0, 0.999), (2.5, 30, 2.5, 2.499), (0.999, 10, 9.99, 9.98)],
)
def test_sizes_below_one_are_fractions_with_slack_for_rounding(size, total, reached, missed):
    limits = Limits(min_part_size=size, min_class_count=size)
    assert missed < limits.min_weight(total) <= reached
    (least,) = limits.min_counts([total])
    assert missed < least <= reached
    both = Limits(min_class_count=(size, 4.0)).min_counts([total, 9.0])
    assert both == [least, 4.0]


def test_no_size_is_no_limit():
    assert Limits().min_weight(30) == 0.0
    assert Limits().min_counts([30]) is None


def test_a_number_for_each_class_leaves_none_out():
    with pytest.raises(ValueError, match="shorter than"):
        Limits(min_class_count=(1.0, 2.0, 3.0)).min_counts([5.0, 5.0])


def test_columns_that_share_limits_cannot_change_them():
    rules = check_limits("fit", max_parts=3)
    assert rules.of("a") is rules.of("b")
    for held, name in ((rules, "given"), (rules.of("a"), "max_parts")):
        with pytest.raises(FrozenInstanceError):
            setattr(held, name, None)
