"""Figures of the searches: the certified gap of long columns, and against proven optima."""

import time

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


def _drawn_columns(n_columns, seed):
    """Draw columns of weak, strong and wavy laws, a third with ties, of 1k to 200k rows."""
    rng = np.random.default_rng(seed)
    for _ in range(n_columns):
        n_rows = int(10 ** rng.uniform(3.0, 5.3))
        x = rng.random(n_rows)
        if rng.random() < 1 / 3:
            x = np.round(x, int(rng.integers(2, 5)))
        law = rng.integers(3)
        wave = 0.5 + rng.uniform(0.05, 0.45) * np.sin(rng.uniform(5, 60) * x)
        line = 0.5 + (x - 0.5) * (rng.uniform(0.05, 0.3) if law == 0 else rng.uniform(0.4, 0.9))
        yield x, rng.random(n_rows) < (wave if law == 2 else line)


def default_optimum(n_columns=200):
    """Compare the default search with the exact one on drawn columns."""
    n_optimal, n_proven, worst = 0, 0, 0.0
    for x, y in _drawn_columns(n_columns, seed=122):
        p, best = pt.discretize(x, y), pt.discretize(x, y, search="exact")
        gain = pt.discretize(x, y, n_parts=1).cost - best.cost
        more = p.cost - best.cost
        n_optimal += more <= 1e-9 * abs(best.cost)
        n_proven += p.is_optimal
        worst = max(worst, more / gain if gain > 1e-9 else 0.0)
    return [
        Figure(f"{n_columns} columns, optimal", n_optimal / n_columns, "of them", "at least", 0.99),
        Figure(f"{n_columns} columns, proven", n_proven / n_columns, "of them"),
        Figure("above the optimum, at most", worst, "of the gain", limit=0.001),
    ]


def exact_time():
    """Measure the exact search of a million distinct values, in CPU times of np.sort."""
    rows = []
    for name, x, y in _laws(1_000_000, seed=23):
        taken = [_seconds(lambda x=x, y=y: pt.discretize(x, y, search="exact")) for _ in range(2)]
        ratio = min(taken) / min(_seconds(lambda x=x: np.sort(x)) for _ in range(5))
        limit = {"strong": 60, "weak": 300}.get(name)
        rows.append(Figure(f"exact, 1M distinct values, {name}", ratio, "x np.sort", limit=limit))
    return rows


def _seconds(call):
    start = time.process_time()
    call()
    return time.process_time() - start


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


FIGURES = (certified_gap, gap_below_the_truth, default_optimum, exact_time)
