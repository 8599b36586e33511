"""Figures of the searches: the certified gap of long columns, and against proven optima."""

import time

import numpy as np

import partage as pt
from averaged_figures import numeric_columns
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


class _AgainstOptimum:
    """Counts how often the default search finds the optimum, and by how much it misses it."""

    def __init__(self):
        self.n_columns = self.n_optimal = self.n_proven = 0
        self.worst = 0.0

    def add(self, x, y):
        p = pt.discretize(x, y)
        self.n_columns += 1
        self.n_proven += p.is_optimal
        best = p if p.is_optimal else pt.discretize(x, y, search="exact")
        above = p.cost - best.cost
        self.n_optimal += above <= 1e-9 * abs(best.cost)
        if above > 0:
            gain = pt.discretize(x, y, n_parts=1).cost - best.cost
            self.worst = max(self.worst, above / max(gain, 1e-9 * best.cost))

    def figures(self, name, proven):
        case, n = f"{self.n_columns} {name}", self.n_columns
        return [
            Figure(f"{case}, optimal", self.n_optimal / n, "of them", "at least", 0.99),
            Figure(f"{case}, proven", self.n_proven / n, "of them", "at least", proven),
            Figure(f"{case}, above the optimum", self.worst, "of the gain", limit=0.001),
        ]


def default_optimum(n_columns=1_000):
    """Compare the default search with the exact one on drawn columns."""
    found = _AgainstOptimum()
    for x, y in _drawn_columns(n_columns, seed=122):
        found.add(x, y)
    return found.figures("drawn columns", None)


def default_on_catalogue():
    """Compare the default search with the exact one on the numeric columns of the catalogue."""
    found = _AgainstOptimum()
    for _, x, y in numeric_columns():
        if len(np.unique(y)) > 1:  # some columns hold nothing
            found.add(x, y)
    return found.figures("columns of the catalogue", 0.95)


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


FIGURES = (
    certified_gap,
    gap_below_the_truth,
    default_optimum,
    default_on_catalogue,
    exact_time,
)
