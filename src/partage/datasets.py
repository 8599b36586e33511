"""Data sets made from a seed: the generated problems of the papers, and ours.

Each function returns ``(X, y)``, a float array of shape (n, columns) and an integer array of
class codes. The same arguments give the same bits.
"""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._support.checks import refuse

__all__ = [
    "make_bands",
    "make_four_gaussians",
    "make_pieces",
    "make_rings",
    "make_spiral",
    "make_waveform",
    "make_xor",
]

Table = tuple[NDArray[np.float64], NDArray[np.int64]]


def make_waveform(n: int, seed: int) -> Table:
    """Draw Breiman's waves: 21 noisy attributes that separate three classes.

    Three triangular waves of height 6 peak at the attributes 7, 15 and 11. Each class mixes two
    of them, in proportions u and 1 - u with u uniform, and every attribute receives a normal
    noise of variance 1. The classes are equally likely. The best possible accuracy is about 0.86.

    Parameters
    ----------
    n : int
        Number of rows, at least 1.
    seed : int
        Seed of the generator, at least 0.

    Returns
    -------
    X : ndarray of shape (n, 21)
        The attributes; the first and the last are noise alone.
    y : ndarray of shape (n,)
        The classes 0, 1 and 2.

    References
    ----------
    L. Breiman, J. Friedman, R. Olshen, C. Stone, Classification and Regression Trees, 1984,
    section 2.6.2.

    Examples
    --------
    >>> import partage as pt
    >>> X, y = pt.datasets.make_waveform(5000, seed=0)
    >>> X.shape
    (5000, 21)
    >>> [round(pt.discretize(x, y).level, 2) for x in X.T[[0, 6]]]  # noise alone, and a peak
    [0.0, 0.23]
    """
    rng = _generator("make_waveform", n, seed)
    attributes = np.arange(1, 22)
    first, second, third = (
        np.maximum(6.0 - np.abs(attributes - peak), 0.0) for peak in (7, 15, 11)
    )
    left = np.array([first, first, second])
    right = np.array([second, third, third])
    y = rng.integers(3, size=n)
    share = rng.random((n, 1))
    noise = rng.standard_normal((n, 21))
    return share * left[y] + (1.0 - share) * right[y] + noise, y


def make_xor(n: int, seed: int, *, noise: float = 0.0, n_irrelevant: int = 0) -> Table:
    """Draw the XOR problem: two columns that determine the class together and say nothing alone.

    The points are uniform in the square [-1, 1] x [-1, 1]; the class is 1 where the signs of the
    two columns differ.

    Parameters
    ----------
    n : int
        Number of rows, at least 1.
    seed : int
        Seed of the generator, at least 0.
    noise : float, default=0.0
        Probability, from 0 to 1, that a row carries the other class; 0.5 leaves nothing to learn.
    n_irrelevant : int, default=0
        Number of further uniform columns that say nothing about the class.

    Returns
    -------
    X : ndarray of shape (n, 2 + n_irrelevant)
        The points.
    y : ndarray of shape (n,)
        The classes 0 and 1.

    References
    ----------
    S. Ferrandiz, M. Boullé, Multivariate discretization by recursive supervised bipartition of
    graph, 2005, Figure 6.

    Examples
    --------
    >>> import partage as pt
    >>> X, y = pt.datasets.make_xor(1000, seed=0)
    >>> bool((y == (X[:, 0] * X[:, 1] < 0)).all())
    True
    """
    rng = _generator("make_xor", n, seed)
    if not isinstance(noise, Real) or not 0.0 <= noise <= 1.0:
        refuse("make_xor", "noise", "a number from 0 to 1", noise)
    _check_integer("make_xor", "n_irrelevant", n_irrelevant, at_least=0)
    X = rng.uniform(-1.0, 1.0, size=(n, 2 + n_irrelevant))
    mislabelled = rng.random(n) < noise
    y = (X[:, 0] * X[:, 1] < 0.0) ^ mislabelled
    return X, y.astype(np.int64)


def make_four_gaussians(n: int, seed: int) -> Table:
    """Draw four round clouds in the plane, one class each.

    The clouds are centred at (1, 1), (-1, 1), (-1, -1) and (1, -1), with variance 1/4 in both
    directions, and equally likely.

    Parameters
    ----------
    n : int
        Number of rows, at least 1.
    seed : int
        Seed of the generator, at least 0.

    Returns
    -------
    X : ndarray of shape (n, 2)
        The points.
    y : ndarray of shape (n,)
        The cloud of each point, 0 to 3, in the order above.

    References
    ----------
    S. Ferrandiz, M. Boullé, Supervised evaluation of dataset partitions: advantages and
    practice, 2006, Figure 5.

    Examples
    --------
    >>> import partage as pt
    >>> X, y = pt.datasets.make_four_gaussians(4000, seed=0)
    >>> X[y == 2].mean(axis=0).round(1)
    array([-1., -1.])
    """
    rng = _generator("make_four_gaussians", n, seed)
    centres = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])
    y = rng.integers(4, size=n)
    return centres[y] + 0.5 * rng.standard_normal((n, 2)), y


def make_rings(n: int, seed: int, *, n_rings: int = 4) -> Table:
    """Draw concentric rings of two alternating classes, a curved pattern in the plane.

    The points are uniform in the disc of radius 1, which rings of equal width divide.

    Parameters
    ----------
    n : int
        Number of rows, at least 1.
    seed : int
        Seed of the generator, at least 0.
    n_rings : int, default=4
        Number of rings, at least 1, the inner disc counted; larger values give thinner rings.

    Returns
    -------
    X : ndarray of shape (n, 2)
        The points.
    y : ndarray of shape (n,)
        The classes: 0 in the inner disc, 1 in the ring around it, then 0 again, and so on.

    Examples
    --------
    >>> import numpy as np
    >>> import partage as pt
    >>> X, y = pt.datasets.make_rings(2000, seed=0)
    >>> radius = np.hypot(X[:, 0], X[:, 1])
    >>> y[radius < 0.25].max(), y[(radius > 0.25) & (radius < 0.5)].min()
    (np.int64(0), np.int64(1))
    """
    rng = _generator("make_rings", n, seed)
    _check_integer("make_rings", "n_rings", n_rings, at_least=1)
    X, radius, _ = _disc(rng, n)
    return X, (radius * n_rings).astype(np.int64) % 2


def make_bands(n: int, seed: int, *, n_bands: int = 6) -> Table:
    """Draw wavy bands of two alternating classes, a curved pattern in the plane.

    The points are uniform in the square [-1, 1] x [-1, 1]. The bands have equal height and follow
    one period of a sine of amplitude 0.3 along the first column.

    Parameters
    ----------
    n : int
        Number of rows, at least 1.
    seed : int
        Seed of the generator, at least 0.
    n_bands : int, default=6
        Number of bands that the left edge of the square crosses, at least 1; larger values give
        thinner bands.

    Returns
    -------
    X : ndarray of shape (n, 2)
        The points.
    y : ndarray of shape (n,)
        The classes: 0 in the lowest band at the left edge, then 1, and so on.

    Examples
    --------
    >>> import numpy as np
    >>> import partage as pt
    >>> X, y = pt.datasets.make_bands(2000, seed=0, n_bands=2)
    >>> wave = 0.3 * np.sin(np.pi * X[:, 0])
    >>> bool((y[np.abs(X[:, 1]) < 0.6] == (X[:, 1] > wave)[np.abs(X[:, 1]) < 0.6]).all())
    True
    """
    rng = _generator("make_bands", n, seed)
    _check_integer("make_bands", "n_bands", n_bands, at_least=1)
    X = rng.uniform(-1.0, 1.0, size=(n, 2))
    height = X[:, 1] - 0.3 * np.sin(np.pi * X[:, 0])
    return X, np.floor((height + 1.0) / 2.0 * n_bands).astype(np.int64) % 2


def make_spiral(n: int, seed: int, *, n_turns: int = 2) -> Table:
    """Draw two spirals wound around each other, one class each, a curved pattern in the plane.

    The points are uniform in the disc of radius 1, which the two arms share.

    Parameters
    ----------
    n : int
        Number of rows, at least 1.
    seed : int
        Seed of the generator, at least 0.
    n_turns : int, default=2
        Turns of each arm between the centre and the edge of the disc, at least 1; larger values
        give thinner arms.

    Returns
    -------
    X : ndarray of shape (n, 2)
        The points.
    y : ndarray of shape (n,)
        The arm of each point, 0 or 1.

    Examples
    --------
    >>> import partage as pt
    >>> X, y = pt.datasets.make_spiral(2000, seed=0)
    >>> [round(pt.discretize(x, y).level, 2) for x in X.T]  # nothing in one column alone
    [0.0, 0.0]
    """
    rng = _generator("make_spiral", n, seed)
    _check_integer("make_spiral", "n_turns", n_turns, at_least=1)
    X, radius, turn = _disc(rng, n)
    return X, np.floor(2.0 * (turn - n_turns * radius)).astype(np.int64) % 2


def _disc(
    rng: np.random.Generator, n: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Draw points uniformly in the disc of radius 1: the points, their radii and their turns."""
    radius = np.sqrt(rng.random(n))  # the square root makes the points uniform over the area
    turn = rng.random(n)
    angle = 2.0 * np.pi * turn
    X = radius[:, np.newaxis] * np.column_stack([np.cos(angle), np.sin(angle)])
    return X, radius, turn


def make_pieces(n: int, seed: int) -> Table:
    """Draw one column on which the share of class 1 is a step function of five pieces.

    The column is uniform in [0, 1]. Class 1 has the probability 0.2, 0.7, 0.3, 0.8 and 0.25 on
    the pieces that end at 0.13, 0.37, 0.52, 0.81 and 1. A method that finds these cuts, and no
    others, has the lowest log-loss there is, about 0.555.

    Parameters
    ----------
    n : int
        Number of rows, at least 1.
    seed : int
        Seed of the generator, at least 0.

    Returns
    -------
    X : ndarray of shape (n, 1)
        The column.
    y : ndarray of shape (n,)
        The classes 0 and 1.

    Examples
    --------
    >>> import partage as pt
    >>> X, y = pt.datasets.make_pieces(10_000, seed=0)
    >>> pt.discretize(X[:, 0], y).cuts.round(2)
    array([0.13, 0.37, 0.52, 0.81])
    """
    rng = _generator("make_pieces", n, seed)
    x = rng.random(n)
    shares = np.array([0.2, 0.7, 0.3, 0.8, 0.25])
    share = shares[np.searchsorted([0.13, 0.37, 0.52, 0.81], x)]
    return x[:, np.newaxis], (rng.random(n) < share).astype(np.int64)


def _generator(function: str, n: Any, seed: Any) -> np.random.Generator:
    """Return the generator of a data set, once its size and seed are known to be good."""
    _check_integer(function, "n", n, at_least=1)
    _check_integer(function, "seed", seed, at_least=0)
    return np.random.default_rng(seed)


def _check_integer(function: str, name: str, value: Any, *, at_least: int) -> None:
    """Raise unless the value is an integer of at least the given one."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < at_least:
        refuse(function, name, f"an integer of at least {at_least}", value)
