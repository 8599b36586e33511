"""Figures of the searches: the certified gap of long columns, and against proven optima."""

import numpy as np

import partage as pt
from figure import Figure
from partage import _core
from partage._search.core import find_partition
from partage._search.methods import methods
from partage._spaces.space import space_from_counts

BIT = np.log(2)


def _laws(n_rows, seed):
    """Yield a column of each kind: noise, weak, strong, pieces, waves."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n_rows)
    rates = {
        "noise": np.full(n_rows, 0.5),
        "weak": 0.5 + 0.02 * np.tanh(x),
        "strong": 1 / (1 + np.exp(-3 * x)),
        "pieces": np.where(np.digitize(x, [-1.0, -0.2, 0.3, 1.1]) % 2, 0.6, 0.4),
        "waves": 0.5 + 0.4 * np.sin(8 * x),
    }
    for name, rate in rates.items():
        yield name, x, rng.random(n_rows) < rate


def certified_gap():
    rows = []
    for name, x, y in _laws(1_000_000, seed=22):
        p = pt.discretize(x, y)
        per_cut = p.gap / max(p.n_parts - 1, 1)
        rows.append(Figure(f"{name}, 1M rows, {p.n_parts} parts", per_cut, "bits a cut", limit=10))
    return rows


def gap_below_the_truth():
    """Bounds above the proven optimum of small tables, of which there may be none."""
    rng = np.random.default_rng(22)
    modl = methods()["modl"]
    wrong, loose = 0, []
    for _ in range(2000):
        n_units, n_classes = int(rng.integers(2, 41)), int(rng.integers(2, 5))
        shares = rng.dirichlet(np.ones(n_classes), size=3)[np.arange(n_units) * 3 // n_units]
        counts = np.array([rng.multinomial(rng.integers(1, 9), one) for one in shares])
        space = space_from_counts(counts)
        best = find_partition(space, modl, "exact").cost
        bound = _core.lower_bound(space.line, "modl", [], 0, 0, None, in_leaf=2, in_tile=2)
        wrong += bound > best + 1e-9 * abs(best)
        loose.append((best - bound) / BIT)
    return [
        Figure("2,000 small tables, bounds above the optimum", wrong, "tables", "exactly", 0),
        Figure("the same, mean looseness in tiles of 4 blocks", np.mean(loose), "bits"),
    ]


FIGURES = (certified_gap, gap_below_the_truth)
