"""Hypothesis strategies: tables of class counts, columns with their targets, graphs."""

import math

import numpy as np
from hypothesis import strategies as st

from reference.graphs import graph_of

VALUES = [-math.inf, -3.5, -1.0, -0.0, 0.0, 1e-300, 0.1, 0.25, 2.0, 7.0, 1e18, math.inf]
LABELS = ["a", "b", "c", "d", "e"]


@st.composite
def tables(draw, min_units=1, max_units=7, min_classes=2, max_classes=5, max_count=6):
    """Class counts of the units of a line: no empty unit, no absent class."""
    n_classes = draw(st.integers(min_classes, max_classes))
    n_units = draw(st.integers(min_units, max_units))
    purity = draw(st.sampled_from(["pure", "mixed", "any"]))
    units = np.zeros((n_units, n_classes))
    for unit in units:
        if purity == "pure" or (purity == "any" and draw(st.booleans())):
            unit[draw(st.integers(0, n_classes - 1))] = draw(st.integers(1, max_count))
        else:
            counts = st.lists(st.integers(0, max_count), min_size=n_classes, max_size=n_classes)
            unit[:] = draw(counts)
            unit[draw(st.integers(0, n_classes - 1))] += 1
    for j in range(n_classes):
        if units[:, j].sum() == 0:
            units[j % n_units, j] = 1
    return units


@st.composite
def columns(draw, min_rows=2, max_rows=30, max_classes=4, missing=False):
    """Draw a column with ties and infinities (and gaps if asked), and its target."""
    pool = st.sampled_from([*VALUES, math.nan] if missing else VALUES)
    labels = st.sampled_from(LABELS[: draw(st.integers(1, max_classes))])
    rows = draw(st.lists(st.tuples(pool, labels), min_size=min_rows, max_size=max_rows))
    x, y = zip(*rows, strict=True)
    return np.array(x, dtype=float), np.array(y)


@st.composite
def weighted_columns(draw, **options):
    """Draw a column, its target and whole weights of which some are zero and one is not."""
    x, y = draw(columns(**options))
    weight = draw(st.lists(st.integers(0, 3), min_size=len(x), max_size=len(x)))
    weight[draw(st.integers(0, len(x) - 1))] = 2
    return x, y, np.array(weight)


@st.composite
def labelled_graphs(draw, max_objects=9, max_classes=3):
    """Draw a graph, connected or not, and the classes of its objects."""
    n = draw(st.integers(1, max_objects))
    pairs = [(i, j) for i in range(n) for j in range(i)]
    edges = draw(st.sets(st.sampled_from(pairs), max_size=len(pairs))) if pairs else set()
    y = draw(st.lists(st.integers(0, max_classes - 1), min_size=n, max_size=n))
    return graph_of(n, edges), y


def large_table(n_units, n_classes, seed, n_pieces=6):
    """Build a long line of small units whose class shares change at a few places."""
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.full(n_classes, 0.6), size=n_pieces)
    piece = np.sort(rng.integers(0, n_pieces, size=n_units))
    units = np.stack([rng.multinomial(rng.integers(1, 4), shares[k]) for k in piece])
    units[:n_classes] += np.eye(n_classes, dtype=units.dtype)
    return units.astype(float)
