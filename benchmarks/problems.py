"""The data sets of the benchmarks, generated with fixed seeds.

In a column of pieces, P(class | x) is piecewise constant: the true partition is known, and no
method can have a held-out log-loss noticeably below that of the true pieces.
"""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

EDGES = np.array([0.0, 0.13, 0.37, 0.52, 0.81, 1.0])
TWO_CLASSES = np.array([0.3, 0.85, 0.45, 0.1, 0.7])
N_TEST = 200_000
N_VALUES = {"10": 10, "100": 100, "1k": 1000, "10k": 10_000, "100k": 100_000}


@dataclass(frozen=True)
class Problem:
    """Columns, target, rows held out, and the true cuts of each column where they are known."""

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    cuts: list | None
    groups: tuple | None = None  # true group of each value, of the rows to learn from and held out


def _shares(rng, n_classes):
    """P(class | piece), one row per piece."""
    if n_classes == 2:
        return np.column_stack([1 - TWO_CLASSES, TWO_CLASSES])
    return rng.dirichlet(np.full(n_classes, 0.5), size=len(EDGES) - 1)


def _positions(rng, y, shares):
    """Positions in [0, 1) whose piece has the probability that Bayes' rule gives to each class."""
    joint = np.diff(EDGES)[:, None] * shares
    position = np.empty(len(y))
    for label in range(shares.shape[1]):
        rows = np.flatnonzero(y == label)
        piece = rng.choice(len(joint), size=len(rows), p=joint[:, label] / joint[:, label].sum())
        position[rows] = EDGES[piece] + np.diff(EDGES)[piece] * rng.random(len(rows))
    return position


def _logit(position):
    """Logistic quantiles, so that the values are bell-shaped, not spread evenly."""
    inside = np.clip(position, 1e-12, 1 - 1e-12)
    return np.log(inside / (1 - inside))


def _grid(position):
    """Round down to a hundred whole numbers, with many rows at each."""
    return np.floor(100 * position)


def _table(n_rows, columns, y, cuts):
    """Split generated columns into the rows to learn from and the rows held out."""
    X = np.stack(columns).T
    return Problem(X[:n_rows], y[:n_rows], X[n_rows:], y[n_rows:], cuts)


def pieces(n_rows, *, n_classes=2, n_columns=1, values=_logit, seed=0):
    """Draw columns of five pieces, independent of each other given the class."""
    rng = np.random.default_rng(seed)
    shares = _shares(rng, n_classes)
    prior = np.diff(EDGES) @ shares
    y = rng.choice(n_classes, size=n_rows + N_TEST, p=prior)
    columns = [values(_positions(rng, y, shares)) for _ in range(n_columns)]
    cuts = np.nextafter(values(EDGES[1:-1]), -np.inf)
    return _table(n_rows, columns, y, [cuts] * n_columns)


def noise(n_rows, *, seed=0):
    """Draw a column that says nothing of the class."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n_rows + N_TEST)
    y = rng.integers(2, size=n_rows + N_TEST)
    return _table(n_rows, [x], y, [np.empty(0)])


def waveform(n_rows, *, seed=0):
    """Draw Breiman's waves: 21 columns; each of 3 classes mixes two of three triangles."""
    rng = np.random.default_rng(seed)
    n = n_rows + N_TEST // 10
    peaks = np.array([6, 14, 10])
    waves = np.maximum(6 - np.abs(np.arange(21) - peaks[:, None]), 0)
    y = rng.integers(3, size=n)
    share = rng.random((n, 1))
    first, second = np.array([0, 0, 1]), np.array([1, 2, 2])
    X = share * waves[first[y]] + (1 - share) * waves[second[y]] + rng.normal(size=(n, 21))
    return _table(n_rows, list(X.T), y, None)


def categories(n_rows, *, n_values, n_classes, seed=0):
    """Draw a column of text: zipf-distributed values, each of one of five groups."""
    rng = np.random.default_rng(seed)
    frequency = 1 / np.arange(1, n_values + 1)
    values = rng.choice(n_values, size=n_rows + N_TEST, p=frequency / frequency.sum())
    group = rng.permutation(np.arange(n_values) % (len(EDGES) - 1))[values]
    shares = _shares(rng, n_classes)
    y = (rng.random((len(group), 1)) > shares.cumsum(axis=1)[group]).sum(axis=1)
    y = np.minimum(y, n_classes - 1)
    names = np.array([f"value {i}" for i in range(n_values)], dtype=object)
    problem = _table(n_rows, [names[values]], y, None)
    return replace(problem, groups=(group[:n_rows], group[n_rows:]))


PROBLEMS = {
    "num_10k": partial(pieces, 10_000, seed=1),
    "num_100k": partial(pieces, 100_000, seed=2),
    "num_1M": partial(pieces, 1_000_000, seed=3),
    "num_10M": partial(pieces, 10_000_000, seed=4),
    "ties_100k": partial(pieces, 100_000, values=_grid, seed=5),
    "noise_100k": partial(noise, 100_000, seed=6),
    "wave_5k": partial(waveform, 5_000, seed=7),
    "num10c_1M": partial(pieces, 1_000_000, n_classes=10, seed=8),
    "num100c_10M": partial(pieces, 10_000_000, n_classes=100, seed=9),
    "wide": partial(pieces, 1_000_000, n_columns=20, seed=10),
    **{
        f"cat{n_classes}_{name}": partial(
            categories, 1_000_000, n_values=n_values, n_classes=n_classes, seed=20
        )
        for n_classes in (2, 3)
        for name, n_values in N_VALUES.items()
    },
}


def extent(name):
    """Count the values and the classes of a problem without generating it."""
    make = PROBLEMS[name]
    n_values = make.args[0] * make.keywords.get("n_columns", 1)
    return n_values, make.keywords.get("n_classes", 2)
