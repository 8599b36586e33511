"""Missing values that join a part of an axis: the best one, found by trying them all."""

import itertools
from math import log

import numpy as np
import pytest

import partage as pt
from reference import grids as twin


def cost_of(columns, parts, homes, labels):
    """Cost of a grid whose gaps, NaN or None, have joined parts."""
    cost, placed = 0.0, []
    for column, part_of, home, is_line in zip(columns, parts, homes, (True, False), strict=True):
        kept = [v for v in column if v is not None]
        own = [part_of[v] for v in kept]
        cost += twin.modl_axis(kept, own, [1] * len(kept), is_line, True)
        if home is not None:
            cost += log(2) + log(max(part_of) + 1)
        placed.append([home if v is None else part_of[v] for v in column])
    cells = twin.cells_of(placed, labels, [1] * len(labels), 2)
    return cost + sum(map(twin.class_length, cells.values()))


def lowest_cost(columns, sizes, labels):
    """Least cost over all grids of numbers by categories, and over all places of the gaps."""
    best = np.inf
    every = [list(twin.line_partitions(sizes[0])), list(twin.set_partitions(sizes[1]))]
    for parts in itertools.product(*every):
        choices = [
            range(max(part_of) + 1) if None in column else [None]
            for part_of, column in zip(parts, columns, strict=True)
        ]
        for homes in itertools.product(*choices):
            best = min(best, cost_of(columns, parts, homes, labels))
    return best


def drawn(seed, sizes=(4, 3), n=90):
    """Draw a table whose gaps belong somewhere, and a class that both columns tell."""
    rng = np.random.default_rng([31, seed])
    a, b = rng.integers(0, sizes[0], n), rng.integers(0, sizes[1], n)
    y = ((a >= 2) ^ (b == seed % sizes[1])) ^ (rng.random(n) < 0.1)
    columns = [a.tolist(), b.tolist()]
    for k, column in enumerate(columns):
        if seed % 3 != k:
            for i in np.flatnonzero(rng.random(n) < 0.2):
                column[i] = None
    return columns, sizes, y.astype(int).tolist()


def asked(columns, labels, **given):
    numbers = [np.nan if v is None else float(v) for v in columns[0]]
    texts = [None if v is None else f"v{v}" for v in columns[1]]
    return pt.grid(numbers, texts, labels, missing="merge", **given)


def test_the_best_grid_and_place_of_the_gaps_are_found():
    above = []
    for seed in range(20):
        columns, sizes, labels = drawn(seed)
        found = asked(columns, labels)
        above.append(found.cost - lowest_cost(columns, sizes, labels))
    assert min(above) > -1e-9  # the cost is the one of the formula, so that none lies below
    assert np.mean(np.array(above) < 1e-9) >= 0.95
    assert max(above) < 2


def test_a_column_beside_a_constant_is_the_column_alone():
    columns, _, labels = drawn(1)
    x = [np.nan if v is None else float(v) for v in columns[0]]
    alone = pt.discretize(x, labels, missing="merge")
    g = pt.grid(x, [0.0] * len(x), labels, missing="merge")
    assert g.axes[0].cuts.tolist() == alone.cuts.tolist()
    assert g.axes[0].rule.missing_part == alone.rule.missing_part
    assert g.gain == pytest.approx(max(alone.null_cost - alone.cost, 0.0))


def test_gaps_have_the_code_of_their_part():
    columns, _, labels = drawn(4)
    g = asked(columns, labels)
    home = g.axes[0].rule.missing_part
    assert home is not None
    assert g.counts.shape == (*g.n_parts, 2)
    assert g.counts.sum() == len(labels)
    cuts = [-np.inf, *g.axes[0].cuts, np.inf]
    inside = next(v for v in range(4) if cuts[home] < v <= cuts[home + 1])
    assert g.assign([np.nan], ["v0"]) == g.assign([float(inside)], ["v0"])
    assert pt.from_dict(g.to_dict()).merge(0, 0, 1).cost == g.merge(0, 0, 1).cost


def test_an_edit_finds_the_place_of_the_gaps_again():
    columns, _, labels = drawn(4)
    g = asked(columns, labels)
    merged = g.merge(0, 0, 1)
    parts = [
        [0] * 4,
        [next(k for k, v in enumerate(g.axes[1].groups) if f"v{i}" in v) for i in range(3)],
    ]
    homes = [0, merged.axes[1].rule.missing_part]
    if g.n_parts[0] == 2:
        assert merged.cost == pytest.approx(cost_of(columns, parts, homes, labels))
    again = merged.set_axis(0, g.axes[0])
    assert again.cost == pytest.approx(g.cost)


@pytest.mark.parametrize("missing", ["separate", "merge"])
def test_edits_of_a_grid_from_a_file_have_the_same_price(missing):
    columns, _, labels = drawn(4)
    texts = [f"v{v}" for v in columns[1]]
    numbers = [np.nan if v is None else float(v) for v in columns[0]]
    g = pt.grid(numbers, texts, labels, missing=missing)
    assert g.axes[1].groups[0] != ("v0",)  # groups are not in the order of the values
    assert pt.from_dict(g.to_dict()).merge(0, 0, 1).cost == g.merge(0, 0, 1).cost


def test_grids_of_long_columns_are_read_back_without_their_rows():
    rng = np.random.default_rng(5)
    a, b = rng.random((2, 1500))
    g = pt.from_dict(pt.grid(a, b, (a > 0.5) ^ (b > 0.4)).to_dict())
    assert g.entries is None
    with pytest.raises(
        ValueError,
        match=r"^Grid.merge: the rows of 'x1 x x2' must be known; none were kept. Find the grid",
    ):
        g.merge(0, 0, 1)


def test_features_take_gaps_into_parts():
    rng = np.random.default_rng(6)
    a, b = rng.random((2, 600))
    y = (a > 0.5) ^ (b > 0.5)
    a[rng.random(600) < 0.2] = np.nan
    X = np.column_stack([a, b])
    enc = pt.GridPartitioner(missing="merge", output="rate").fit(X, y)
    (g,) = enc.grids_.values()
    assert g.axes[0].rule.missing_part is not None
    assert np.isfinite(enc.transform(X)).all()
