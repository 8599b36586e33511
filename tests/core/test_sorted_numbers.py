"""Rows sorted in the core, cells of ranks, and sums that do not depend on an order."""

import numpy as np
import pytest

from partage import _core
from partage._targets.cells import MOST_CELLS, Cells
from partage._targets.sums import run_sums, sums_by_code

COLUMNS = {
    "uniform": lambda rng, n: rng.uniform(-1, 1, n),
    "ties": lambda rng, n: rng.integers(-5, 5, n).astype(float),
    "one value": lambda _, n: np.full(n, -0.0),
    "wide": lambda rng, n: rng.normal(size=n) * 10.0 ** rng.integers(-300, 300, n),
    "sorted": lambda _, n: np.arange(n)[::-1].astype(float),
    "infinite": lambda rng, n: np.where(rng.uniform(size=n) < 0.1, -np.inf, rng.normal(size=n)),
    "far": lambda rng, n: np.where(
        rng.uniform(size=n) < 0.01, 1e300, 1 + rng.permutation(n) * 2e-16
    ),
    "clump": lambda rng, n: np.where(rng.uniform(size=n) < 0.9, rng.normal(size=n) * 1e-9, 1e9),
}


def _sorted(values, codes, is_missing, n_classes):
    """Sort rows that are packed; their numbers take the place of amounts."""
    packed = np.sort(_core.pack_rows(values, is_missing))
    numbers = np.arange(len(values), dtype=float)
    line, distinct, rows, starts = _core.sort_rows(values, codes, numbers, packed, n_classes)
    return line, distinct, rows.astype(int), starts


@pytest.mark.parametrize("n", [0, 1, 7, 511, 513, 4000, 50_000])
@pytest.mark.parametrize("law", COLUMNS)
def test_rows_are_sorted_by_value_and_class(law, n):
    rng = np.random.default_rng(n)
    values = COLUMNS[law](rng, n)
    codes = rng.integers(0, 30, n).astype(np.uint16)
    gone = rng.uniform(size=n) < 0.1
    line, distinct, rows, starts = _sorted(values, codes, gone.astype(np.uint8), 30)
    kept = np.flatnonzero(~gone)
    order = kept[np.lexsort((codes[kept], values[kept]))]
    assert (values[rows] == values[order]).all()
    assert (line.entries()[0] == codes[order]).all()
    assert sorted(rows.tolist()) == kept.tolist()
    assert (distinct == np.unique(values[kept])).all()
    assert not np.signbit(distinct[distinct == 0]).any()
    assert (np.repeat(distinct, np.diff(starts.astype(int))) == values[order]).all()


def test_whole_numbers_are_sorted_too():
    rng = np.random.default_rng(0)
    values = rng.integers(-(2**62), 2**62, 3000)
    _, distinct, rows, _ = _sorted(values, np.zeros(3000, np.uint16), None, 1)
    assert (values[rows] == np.sort(values)).all()
    assert (distinct == np.unique(values)).all()


@pytest.mark.parametrize("law", ["uniform", "ties", "one value", "wide", "far", "clump"])
def test_cells_of_rows_are_those_of_weights_of_one(law):
    amounts = COLUMNS[law](np.random.default_rng(1), 5000) + 0.0
    cells, codes = Cells.of(amounts, None)
    others, other_codes = Cells.of(amounts, np.ones(5000))
    assert cells.same_as(others)
    assert (codes == other_codes).all()
    assert len(cells) <= MOST_CELLS
    assert (cells.codes(amounts) == codes).all()


@pytest.mark.parametrize("law", ["uniform", "ties", "wide", "clump"])
def test_sums_of_runs_do_not_depend_on_the_order(law):
    rng = np.random.default_rng(2)
    amounts = COLUMNS[law](rng, 3000)
    amounts = np.clip(amounts, -1e100, 1e100)
    codes = np.sort(rng.integers(0, 4, 3000))
    edges = np.searchsorted(codes, np.arange(5))
    scale = float(np.abs(amounts - 0.25).max()), 3000.0
    sums, spans = run_sums(amounts, edges, 0.25, scale)
    away = amounts - 0.25
    assert (sums[:, :2] == sums_by_code(codes, away, None, 4, scale)).all()
    squares = sums_by_code(codes, away**2, None, 4, (scale[0] ** 2, scale[1]))
    assert (sums[:, 2:4] == squares).all()
    assert sums[:, 4].sum() == (amounts == 0).sum()
    assert spans[0].tolist() == [amounts[codes == 0].min(), amounts[codes == 0].max()]
    mixed = np.concatenate([rng.permutation(part) for part in np.split(amounts, edges[1:-1])])
    assert (run_sums(mixed, edges, 0.25, scale)[0] == sums).all()


def test_arguments_that_do_not_fit_are_refused():
    none, one = np.zeros(0, np.uint64), np.zeros(1, np.uint64)
    with pytest.raises(ValueError, match="one mark for each value"):
        _core.pack_rows(np.zeros(3), np.zeros(2, np.uint8))
    with pytest.raises(ValueError, match="one class for each value"):
        _core.sort_rows(np.zeros(3), np.zeros(2, np.uint16), np.zeros(3), none, 1)
    with pytest.raises(ValueError, match="a code stands for no class"):
        _core.sort_rows(np.zeros(1), np.ones(1, np.uint16), np.zeros(1), one, 1)
    with pytest.raises(IndexError, match="a packed row is none"):
        _core.sort_rows(np.zeros(3), np.zeros(3, np.uint16), np.zeros(3), one + 3, 1)
    with pytest.raises(ValueError, match="finite numbers"):
        _core.rank_cells(np.array([np.inf]), one, 4)
    with pytest.raises(ValueError, match="edges must increase"):
        _core.run_sums(np.zeros(3), np.array([0, 4], np.uint32), 0.0, [1.0] * 4)
