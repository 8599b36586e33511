"""Class shares of cells: drawn to cells like them, then to all rows."""

import numpy as np
import pytest

import partage as pt
from partage._partitions.cell_shares import DRAWN, cell_shares
from partage._search.grids import group_cells


def slow_shares(counts, group_of):
    """Shares of cells straight from the formula; ``group_of`` is that of each cell with rows."""
    n_classes = counts.shape[1]
    prior = counts.sum(axis=0) / counts.sum()
    groups = sorted(set(group_of))
    held = [c for c in range(len(counts)) if counts[c].sum() > 0]
    atoms = []
    for g in groups:
        inside = [held[i] for i in range(len(held)) if group_of[i] == g]
        total = counts[inside].sum(axis=0)
        atoms.append(((total + n_classes * prior) / (total.sum() + n_classes), len(inside) + 1))
    out = []
    for row in counts:
        n, shares = row.sum(), prior
        if n > 0:
            likely = np.array([size * np.prod(atom**row) for atom, size in atoms])
            mean = sum(w * atom for w, (atom, _) in zip(likely / likely.sum(), atoms, strict=True))
            shares = (row + DRAWN * mean) / (n + DRAWN)
        out.append((n * shares + n_classes * prior) / (n + n_classes))
    return np.array(out)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_shares_are_those_of_the_formula(n_classes):
    rng = np.random.default_rng(n_classes)
    laws = np.array([[0.9, 0.05, 0.05], [0.1, 0.6, 0.3]])[:, :n_classes]
    laws /= laws.sum(axis=1, keepdims=True)
    counts = np.array([rng.multinomial(20, laws[c % 2]) for c in range(12)] + [[0] * n_classes])
    counts = counts.astype(float)
    group_of = group_cells(counts[:-1])
    assert group_of.max() >= 1
    assert cell_shares(counts) == pytest.approx(slow_shares(counts, group_of.tolist()), rel=1e-12)


def test_one_cell_by_hand():
    # All rows are of one group, whose shares are the prior's: nothing moves.
    assert cell_shares(np.array([[30.0, 10.0], [0.0, 0.0]])) == pytest.approx(
        np.array([[0.75, 0.25], [0.75, 0.25]])
    )


def test_a_cell_of_many_rows_keeps_its_shares():
    counts = np.array([[9_000.0, 1_000.0], [2_000.0, 8_000.0], [5_000.0, 5_000.0]])
    wanted = counts / counts.sum(axis=1, keepdims=True)
    assert cell_shares(counts) == pytest.approx(wanted, abs=1e-3)


def test_rates_and_evidence_agree():
    rng = np.random.default_rng(5)
    a, b = rng.random((2, 800))
    y = ((a > 0.5) ^ (b > 0.5)) ^ (rng.random(800) < 0.2)
    g = pt.grid(a, b, y)
    rates, totals = g.code_rates(), g.totals()
    held = g.tally.weight > 0
    odds = np.log(rates[:, 1] / rates[:, 0]) - np.log(totals[1] / totals[0])
    assert g.woe_sign * g.code_woe(1)[held] == pytest.approx(odds[held], rel=1e-9)
    assert not g.code_woe(1)[~held].any()


def test_cells_alike_are_told_better_than_each_alone():
    """A checkerboard of 7 x 7 cells: fresh rows are told better than by the counts of each cell."""
    gains = []
    for seed in range(3):
        rng = np.random.default_rng([77, seed])
        a, b = rng.random((2, 9000))
        y = ((a * 7).astype(int) + (b * 7).astype(int)) % 2 ^ (rng.random(9000) < 0.2)
        g = pt.grid(a[:2000], b[:2000], y[:2000])
        counts = g.tally.class_counts
        alone = (counts + 2 * counts.sum(axis=0) / counts.sum()) / (
            counts.sum(axis=1, keepdims=True) + 2
        )
        codes, held_out = g.assign(a[2000:], b[2000:]), y[2000:].astype(int)
        losses = [-np.log(r[codes, held_out]).mean() for r in (g.code_rates(), alone)]
        gains.append(losses[1] - losses[0])
    assert min(gains) > 0.003
