"""Weights at the edge of what they may be."""

import numpy as np
import pytest

import partage as pt


def test_masked_weights_are_refused():
    weights = np.ma.array([1.0, 2.0, 3.0], mask=[False, True, False])
    with pytest.raises(
        ValueError,
        match=r"^discretize: sample_weight must not be masked; fill it, or use weights of 0\.$",
    ):
        pt.discretize([1.0, 2.0, 3.0], ["a", "b", "a"], sample_weight=weights)


def test_masked_array_without_a_mask_is_taken():
    weights = np.ma.array([1.0, 2.0, 3.0])
    p = pt.discretize([1.0, 2.0, 3.0], ["a", "b", "a"], sample_weight=weights)
    assert p.counts.sum() == 6.0


@pytest.mark.parametrize("weight", [1e-6, 1e-3, 0.01])
def test_level_is_at_most_one_for_a_total_weight_below_one(weight):
    x = np.repeat([1.0, 2.0], 20)
    y = np.repeat(["a", "b"], 20)
    for n_parts in (None, 2):
        p = pt.discretize(x, y, n_parts=n_parts, sample_weight=np.full(40, weight))
        assert 0.0 <= p.level <= 1.0


def test_groups_of_weights_that_no_whole_number_tells_apart():
    """Beyond 2^53 the threshold of rare values moves by more than 1 from value to value."""
    values = [str(i) for i in range(20)]
    p = pt.group(values, [0] * 10 + [1] * 10, sample_weight=[1e16] * 20)
    assert p.n_parts == 2
    assert p.counts.tolist() == [[1e17, 0], [0, 1e17]]
