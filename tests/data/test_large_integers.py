"""Lists of whole numbers that floats cannot hold keep every digit."""

import numpy as np
import pytest

import partage as pt

LARGE = [1, 2**63 + 1, 2**63 + 2, 3] * 20
Y = list("abba") * 20


def test_list_of_small_and_large_numbers_is_read_as_the_array_is():
    listed = pt.discretize(LARGE, Y)
    assert listed == pt.discretize(np.array(LARGE, dtype=np.uint64), Y)
    assert listed.n_values == 4


def test_groups_of_a_list_of_small_and_large_numbers_keep_every_digit():
    groups = pt.group(LARGE, Y).groups
    assert sorted(value for group in groups for value in group) == [1, 3, 2**63 + 1, 2**63 + 2]


def test_labels_of_a_list_keep_every_digit():
    classes = pt.discretize(range(80), LARGE).classes
    assert classes.tolist() == [1, 3, 2**63 + 1, 2**63 + 2]


@pytest.mark.parametrize("other", [0.5, float("inf")])
def test_list_with_a_float_is_one_of_floats(other):
    values = [other, 2**53 + 2, 1, 2] * 20
    assert pt.discretize(values, Y).kind.name == "number"
    np.testing.assert_array_equal(
        pt.discretize(values, Y).counts, pt.discretize(np.array(values), Y).counts
    )


def test_list_of_negative_and_large_numbers_is_refused():
    with pytest.raises(ValueError, match="holds integers beyond 64 bits; convert it to floats"):
        pt.discretize([-1, 2**63 + 1] * 40, Y)


def test_gaps_in_a_list_of_large_numbers_are_missing_and_the_rest_exact():
    p = pt.discretize([float("nan"), 2**53 + 1, 1, 2] * 20, Y)
    assert p.kind.name == "integer"
    assert p.missing_rows == 20


@pytest.mark.parametrize("labels", [[1, 2**64, 2**64 + 1], [-1, 2**63 + 1, 2**63 + 2]])
def test_labels_beyond_64_bits_keep_every_digit(labels):
    assert pt.discretize(range(3), labels).classes.tolist() == labels
