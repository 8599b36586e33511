"""Figures of speed and memory.

Ratios are of CPU time, both sides measured in turn in this process; milliseconds and the gain from
a second core are of wall time.
"""

import subprocess
import sys
from statistics import median

import numpy as np

import partage as pt
from figure import Figure
from problems import PROBLEMS, noise, pieces
from timing import interleave, measure_memory, ratios


def _fit_per_sort(x, y, case):
    """Time to fit one column against np.sort of it."""
    # The sort that comes straight after a fit pays for cold caches: the next one counts.
    sorts = [lambda: np.sort(x)] * 2
    fit, _, sort = interleave(lambda: pt.discretize(x, y), *sorts, seconds=10, least=2)
    best, middle = ratios(fit.cpu, sort.cpu)
    return Figure(case, best, "x np.sort", limit=8, median=middle)


def _memory_per_column(x, y, case, limit):
    """Peak memory of a fit beyond the inputs, in columns."""
    _, peak = measure_memory(lambda: pt.discretize(x, y))
    return Figure(f"{case}, peak memory", peak / x.nbytes, "x the column", limit=limit)


def _wall(case, call, *, limit, per_second=1000, unit="ms", most=30):
    """Wall time of a call."""
    call()
    (times,) = interleave(call, most=most, least=3)
    best, middle = (per_second * f(times.wall) for f in (min, median))
    return Figure(case, best, unit, limit=limit, median=middle)


def fit_1m():
    problem = PROBLEMS["num_1M"]()
    return [_fit_per_sort(problem.X[:, 0], problem.y, "1M rows, 2 classes, one thread")]


def fit_10m():
    problem = PROBLEMS["num_10M"]()
    x, y, case = problem.X[:, 0], problem.y, "10M rows, 2 classes"
    return [_memory_per_column(x, y, case, limit=2), _fit_per_sort(x, y, case)]


def fit_10m_100_classes():
    problem = PROBLEMS["num100c_10M"]()
    x, y, case = problem.X[:, 0], problem.y, "10M rows, 100 classes"
    return [_memory_per_column(x, y, case, limit=8), _fit_per_sort(x, y, case)]


def fit_10k():
    problem = PROBLEMS["num_10k"]()
    x, y = problem.X[:, 0], problem.y
    return [_wall("10k rows, 2 classes", lambda: pt.discretize(x, y), limit=3)]


def fit_waveform():
    problem = PROBLEMS["wave_5k"]()
    X, y = np.ascontiguousarray(problem.X), problem.y
    return [_wall("21 columns, 5000 rows", lambda: pt.Discretizer().fit(X, y), limit=30)]


def two_jobs():
    problem = PROBLEMS["wide"]()
    fits = [lambda n=n: pt.Discretizer(n_jobs=n).fit(problem.X, problem.y) for n in (1, 2)]
    one, two = interleave(*fits, seconds=10, least=3)
    best, middle = ratios(one.wall, two.wall)
    case = "20 columns, 1M rows, n_jobs=2"
    return [Figure(case, best, "x as fast as n_jobs=1", "at least", 1.6, middle)]


def exact_20k():
    cases = {"5 pieces": pieces(20_000, seed=11), "noise": noise(20_000, seed=11)}
    return [
        _wall(
            f"20k distinct values, {name}",
            lambda p=problem: pt.discretize(p.X[:, 0], p.y, search="exact"),
            limit=1,
            per_second=1,
            unit="s",
        )
        for name, problem in cases.items()
    ]


def _even_parts(x, y, n_parts):
    """Partition into a given number of parts of equal frequency."""
    return pt.discretize(x[:20_000], y[:20_000], method="equal-frequency", n_parts=n_parts)


def _per_searchsorted(case, call, cuts, columns, limit):
    """Time of a call against np.searchsorted of the same columns."""

    def search():
        for one, column in zip(cuts, columns, strict=True):
            np.searchsorted(one, column)

    times, base = interleave(call, search, least=3)
    best, middle = ratios(times.cpu, base.cpu)
    return Figure(case, best, "x np.searchsorted", limit=limit, median=middle)


def assign():
    problem = PROBLEMS["num_1M"]()
    x, y = problem.X[:, 0], problem.y
    rows = []
    for n_parts in (5, 10, 20):
        p = _even_parts(x, y, n_parts)
        case = f"1M rows, {n_parts} parts"
        rows.append(_per_searchsorted(case, lambda p=p: p.assign(x), [p.cuts], [x], 0.6))
    few = x[:100]
    rows.append(_wall("100 rows", lambda: p.assign(few), limit=0.1, most=1000))
    return rows


def transform():
    rows = []
    for n_rows, n_columns in ((1_000_000, 1), (100_000, 20)):
        problem = pieces(n_rows, n_columns=n_columns, seed=12)
        X = np.ascontiguousarray(problem.X)
        enc = pt.Discretizer().fit(X[:20_000], problem.y[:20_000])
        cuts = [p.cuts for p in enc.partitions_.values()]
        case = f"{n_rows:,} rows, {n_columns} column(s)"
        rows.append(_per_searchsorted(case, lambda X=X, e=enc: e.transform(X), cuts, X.T, 1))
    return rows


def import_time():
    def run():
        subprocess.run([sys.executable, "-c", "import partage"], check=True)

    run()
    (times,) = interleave(run, seconds=5, least=5)
    case = "fresh interpreter, itself included"
    return [Figure(case, min(times.cpu), "s of CPU", limit=0.5, median=median(times.cpu))]


FIGURES = (
    fit_1m,
    fit_10m,
    fit_10m_100_classes,
    fit_10k,
    fit_waveform,
    two_jobs,
    exact_20k,
    assign,
    transform,
    import_time,
)
