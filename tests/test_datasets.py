"""The generated data sets: their laws, their seeds, their messages."""

import re

import numpy as np
import pytest

from partage import datasets

GENERATORS = [
    datasets.make_waveform,
    datasets.make_xor,
    datasets.make_four_gaussians,
    datasets.make_rings,
    datasets.make_bands,
    datasets.make_spiral,
    datasets.make_pieces,
]


@pytest.mark.parametrize("make", GENERATORS)
def test_a_seed_gives_the_same_bits_each_time(make):
    first, second = make(50, 3), make(50, 3)
    assert first[0].tobytes() == second[0].tobytes()
    assert first[1].tobytes() == second[1].tobytes()


@pytest.mark.parametrize("make", GENERATORS)
def test_another_seed_gives_other_rows(make):
    assert not np.array_equal(make(50, 3)[0], make(50, 4)[0])


@pytest.mark.parametrize("make", GENERATORS)
def test_columns_are_floats_and_classes_are_integers(make):
    X, y = make(17, 0)
    assert X.ndim == 2
    assert len(X) == len(y) == 17
    assert X.dtype == np.float64
    assert y.dtype == np.int64


def test_waves_have_the_means_of_the_book():
    X, y = datasets.make_waveform(60_000, 0)
    first, second, third = (
        np.maximum(6 - np.abs(np.arange(1, 22) - peak), 0) for peak in (7, 15, 11)
    )
    expected = np.array([first + second, first + third, second + third]) / 2
    means = np.array([X[y == c].mean(axis=0) for c in range(3)])
    np.testing.assert_allclose(means, expected, atol=0.06)


def test_waves_have_the_variances_of_the_book():
    X, y = datasets.make_waveform(60_000, 0)
    # Attribute 7 of class 0 is 6u plus a noise of variance 1; attribute 1 is the noise alone.
    assert X[y == 0, 6].var() == pytest.approx(1 + 36 / 12, rel=0.03)
    assert X[:, 0].var() == pytest.approx(1, rel=0.03)


def test_waves_have_three_equally_likely_classes():
    _, y = datasets.make_waveform(60_000, 0)
    np.testing.assert_allclose(np.bincount(y) / len(y), 1 / 3, atol=0.01)


def test_the_class_of_xor_is_where_the_signs_differ():
    X, y = datasets.make_xor(1000, 0)
    np.testing.assert_array_equal(y, np.sign(X[:, 0]) != np.sign(X[:, 1]))
    assert np.abs(X).max() <= 1


def test_noise_mislabels_its_share_of_xor():
    X, y = datasets.make_xor(20_000, 0, noise=0.2)
    assert np.mean(y != (X[:, 0] * X[:, 1] < 0)) == pytest.approx(0.2, abs=0.01)


def test_irrelevant_columns_of_xor_follow_the_two_that_matter():
    X, y = datasets.make_xor(100, 0, n_irrelevant=3)
    assert X.shape == (100, 5)
    np.testing.assert_array_equal(y, X[:, 0] * X[:, 1] < 0)


def test_four_gaussians_have_their_centres_and_spread():
    X, y = datasets.make_four_gaussians(40_000, 0)
    centres = np.array([X[y == c].mean(axis=0) for c in range(4)])
    np.testing.assert_allclose(centres, [[1, 1], [-1, 1], [-1, -1], [1, -1]], atol=0.03)
    assert X[y == 0].var(axis=0) == pytest.approx([0.25, 0.25], rel=0.05)


def test_rings_alternate_from_the_centre():
    X, y = datasets.make_rings(2000, 0, n_rings=5)
    radius = np.hypot(X[:, 0], X[:, 1])
    is_clear = np.abs(radius * 5 - np.round(radius * 5)) > 1e-9
    np.testing.assert_array_equal(y[is_clear], (np.floor(radius * 5) % 2)[is_clear])
    assert radius.max() <= 1


def test_bands_follow_a_sine_at_equal_heights():
    X, y = datasets.make_bands(4000, 0, n_bands=4)
    wave = 0.3 * np.sin(np.pi * X[:, 0])
    # The bands of the left edge are (-1, -.5), (-.5, 0), (0, .5), (.5, 1), lifted by the wave.
    for k, low in enumerate([-1, -0.5, 0, 0.5]):
        in_band = (X[:, 1] > wave + low) & (X[:, 1] < wave + low + 0.5)
        assert set(y[in_band]) == {k % 2}
    assert np.abs(X).max() <= 1
    assert y.mean() == pytest.approx(0.5, abs=0.05)


def test_arms_of_the_spiral_turn_with_the_radius():
    X, y = datasets.make_spiral(3000, 0)
    angle, radius = np.arctan2(X[:, 1], X[:, 0]), np.hypot(X[:, 0], X[:, 1])
    phase = 2 * (angle / (2 * np.pi) - 2 * radius)
    is_clear = np.abs(phase - np.round(phase)) > 1e-6
    np.testing.assert_array_equal(y[is_clear], (np.floor(phase) % 2)[is_clear])


def test_pieces_have_their_shares():
    X, y = datasets.make_pieces(200_000, 0)
    piece = np.searchsorted([0.13, 0.37, 0.52, 0.81], X[:, 0])
    shares = [y[piece == k].mean() for k in range(5)]
    np.testing.assert_allclose(shares, [0.2, 0.7, 0.3, 0.8, 0.25], atol=0.01)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: datasets.make_waveform(0, 0),
            "make_waveform: n must be an integer of at least 1; got 0.",
        ),
        (
            lambda: datasets.make_pieces(10.5, 0),
            "make_pieces: n must be an integer of at least 1; got 10.5.",
        ),
        (
            lambda: datasets.make_rings(10, -1),
            "make_rings: seed must be an integer of at least 0; got -1.",
        ),
        (
            lambda: datasets.make_rings(10, 0, n_rings=0),
            "make_rings: n_rings must be an integer of at least 1; got 0.",
        ),
        (
            lambda: datasets.make_bands(10, 0, n_bands=0.5),
            "make_bands: n_bands must be an integer of at least 1; got 0.5.",
        ),
        (
            lambda: datasets.make_spiral(10, 0, n_turns=0),
            "make_spiral: n_turns must be an integer of at least 1; got 0.",
        ),
        (
            lambda: datasets.make_xor(10, 0, noise=1.5),
            "make_xor: noise must be a number from 0 to 1; got 1.5.",
        ),
        (
            lambda: datasets.make_xor(10, 0, n_irrelevant=True),
            "make_xor: n_irrelevant must be an integer of at least 0; got True.",
        ),
    ],
)
def test_impossible_arguments_are_refused(call, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        call()
