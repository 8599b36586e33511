"""Figures of a target that is a number: noise left whole, power, speed, the optimum.

Laws are drawn with seeds of their own; what is lowest of all is found by enumeration, in
`tests/reference`.
"""

import os
import sys
from pathlib import Path

import numpy as np

import partage as pt
from figure import Figure
from narrow import without_avx512
from timing import interleave, ratios

sys.path.append(str(Path(__file__).parent.parent / "tests"))
from reference.numbers import (  # the tests are no package of their own
    lowest_classes_cost,
    lowest_group_cost,
    lowest_line_cost,
)

LAWS = {
    "normal": lambda rng, n: rng.normal(size=n),
    "t of 2": lambda rng, n: rng.standard_t(2, size=n),
    "lognormal of 2": lambda rng, n: rng.lognormal(0, 2, size=n),
    "95 % zeros": lambda rng, n: np.where(rng.uniform(size=n) < 0.95, 0, rng.gamma(2, size=n)),
    "50 % zeros": lambda rng, n: np.where(rng.uniform(size=n) < 0.5, 0, rng.lognormal(size=n)),
    "negative binomial": lambda rng, n: rng.negative_binomial(0.3, 0.375, size=n),
    "1 % ones": lambda rng, n: rng.uniform(size=n) < 0.01,
}
SIZES = (10, 50, 300)  # values that are grouped
RUNS = {50: 400, 100: 400, 1000: 200}
N_RUNS = int(os.environ.get("PARTAGE_NUMBER_RUNS", "0"))  # other numbers of runs than those above


def _is_cut(x, y, group=False):
    found = (pt.group if group else pt.discretize)(x, y.astype(float), target_type="number")
    return found.n_parts > 1


def number_noise():
    """Share of columns of noise that are cut: distinct and tied x, groups of values."""
    rows = []
    for n, n_runs in RUNS.items():
        n_runs = N_RUNS or n_runs
        limit = 0.02 if n < 1000 else 0.005
        for law, draw in LAWS.items():
            n_cut = {"distinct": 0, "10 values": 0, **{f"groups of {k}": 0 for k in SIZES}}
            for seed in range(n_runs):
                rng = np.random.default_rng([20261117, seed, n])
                y = draw(rng, n)
                n_cut["distinct"] += _is_cut(rng.uniform(size=n), y)
                n_cut["10 values"] += _is_cut(rng.integers(0, 10, n), y)
                for k in SIZES:
                    x = rng.integers(0, k, n).astype(str)
                    n_cut[f"groups of {k}"] += _is_cut(x, y, group=True)
            for case, count in n_cut.items():
                where = f"{law}, {n} rows, {case}, {n_runs} runs"
                rows.append(Figure(where, count / n_runs, "share cut", limit=limit))
    return rows


MEAN_LAWS = {  # of methods that tell the mean itself
    "mean": LAWS,
    "poisson": {
        "Poisson of 0.1": lambda rng, n: rng.poisson(0.1, n),
        "Poisson of 5": lambda rng, n: rng.poisson(5, n),
        "negative binomial": LAWS["negative binomial"],
    },
    "gamma": {
        "exponential": lambda rng, n: rng.exponential(size=n),
        "gamma of 0.3": lambda rng, n: rng.gamma(0.3, size=n) + 1e-9,
        "lognormal of 1": lambda rng, n: rng.lognormal(0, 1, n),
        "lognormal of 2": LAWS["lognormal of 2"],
    },
    "tweedie": {
        "compound Poisson": lambda rng, n: rng.gamma(2 * rng.poisson(0.2, n) + 1e-300),
        "95 % zeros": LAWS["95 % zeros"],
        "50 % zeros": LAWS["50 % zeros"],
        "98 % zeros, lognormal of 1.5": lambda rng, n: np.where(
            rng.uniform(size=n) < 0.98, 0, rng.lognormal(0, 1.5, n)
        ),
        "lognormal of 2": LAWS["lognormal of 2"],
    },
}


def number_mean_noise():
    """Share of columns of noise that methods for means cut."""
    rows = []
    for method, laws in MEAN_LAWS.items():
        for n, n_runs in {50: 400, 100: 200, 1000: 50}.items():
            n_runs = N_RUNS or n_runs
            for law, draw in laws.items():
                cut = 0
                for seed in range(n_runs):
                    rng = np.random.default_rng([31, seed, n])
                    y, x = draw(rng, n).astype(float), rng.uniform(size=n)
                    cut += pt.discretize(x, y, method=method, target_type="number").n_parts > 1
                where = f"{method}, {law}, {n} rows, {n_runs} runs"
                rows.append(Figure(where, cut / n_runs, "share cut", limit=0.02))
    return rows


POWER = {
    "shift of 0.35, 1,000 rows": (1000, lambda rng, x: rng.normal(size=len(x)) + 0.35 * (x > 0.5)),
    "shift of 0.5, 300 rows": (300, lambda rng, x: rng.normal(size=len(x)) + 0.5 * (x > 0.5)),
    "deviation x1.5, 1,000 rows": (
        1000,
        lambda rng, x: rng.normal(size=len(x)) * np.where(x > 0.5, 1.5, 1),
    ),
    "pocket of 2 %, +4, 1,000 rows": (
        1000,
        lambda rng, x: rng.normal(size=len(x)) + 4 * ((x > 0.5) & (x < 0.52)),
    ),
}


def number_power():
    """Share of columns that tell something that are cut."""
    rows = []
    for case, (n, law) in POWER.items():
        for method in ("modl", "modl-scores", "modl-classes"):
            found = 0
            for seed in range(N_RUNS or 30):
                rng = np.random.default_rng([7, seed, n])
                x = rng.uniform(size=n)
                found += pt.discretize(x, law(rng, x), method=method).n_parts > 1
            rows.append(Figure(f"{case}, {method}", found / (N_RUNS or 30), "share cut"))
    return rows


def _amounts(n):
    """Draw a column and a number that is five steps of it, and noise."""
    rng = np.random.default_rng(n)
    x = rng.uniform(size=n)
    return x, rng.normal(size=n) + np.floor(5 * x)


def speed_per_sort(n, method):
    """Fit a column: times of np.sort of it, their median, ms, times of a stable sort and median."""
    x, y = _amounts(n)
    pt.discretize(x, y, method=method)  # the first fit loads modules
    sort, fit, stable = interleave(
        lambda: np.sort(x),
        lambda: pt.discretize(x, y, method=method),
        lambda: np.sort(x, kind="stable"),
        seconds=4,
        least=5,
    )
    return [*ratios(fit.cpu, sort.cpu), 1e3 * min(fit.cpu), *ratios(fit.cpu, stable.cpu)]


def number_speed():
    """CPU time of a column, against np.sort of it, and against sorts without wide registers."""
    rows = []
    for n, limits in ((1000, (None, None)), (1_000_000, (10, 20))):
        for method, limit in zip(("modl-scores", "modl"), limits, strict=True):
            case = f"{n:,} rows, {method}"
            best, middle, spent, plain, of_plain = speed_per_sort(n, method)
            rows.append(Figure(case, best, "x np.sort", "at most", limit, middle))
            rows.append(Figure(case, spent, "ms", limit=50 if n == 1000 else None))
            rows.append(Figure(case, plain, "x a stable np.sort", median=of_plain))
            narrow = limit and without_avx512("number_figures", "speed_per_sort", n, method)
            if narrow:
                best, middle = narrow[:2]
                case = f"{case}, NumPy without AVX-512"
                rows.append(Figure(case, best, "x np.sort", median=middle))
    return rows


def number_optimum():
    """Compare scores with exhaustive search on lines and groups, classes on tables of 8 x 8."""
    equal = {"lines": 0, "groupings": 0, "tables": 0}
    n_runs = N_RUNS or 200
    for seed in range(n_runs):
        rng = np.random.default_rng([11, seed])
        n = int(rng.integers(10, 60))
        x = rng.integers(0, 7, n)
        level = rng.choice([0, 1, 2, 4], 7)
        y = np.round(rng.normal(size=n) + level[x], int(rng.integers(0, 3))) + 0.25
        p = pt.discretize(x.astype(float), y, method="modl-scores")
        equal["lines"] += _is_equal(p.cost, lowest_line_cost(x.astype(float), y))
        q = pt.group(x.astype(str), y, method="modl-scores")
        equal["groupings"] += _is_equal(q.cost, lowest_group_cost(x.astype(str), y))
    n_tables = max(n_runs // 2, 1)
    for seed in range(n_tables):
        rng = np.random.default_rng([12, seed])
        x, y = rng.integers(0, 8, (2, 160))
        y = np.where(rng.uniform(size=160) < 0.5, np.minimum(x, 5) // 2 * 2, y) + 0.5
        p = pt.discretize(x.astype(float), y, method="modl-classes")
        equal["tables"] += p.cost <= lowest_classes_cost(x, y) * (1 + 1e-9)
    return [
        Figure("lines of 7 values, scores", equal["lines"] / n_runs, "equal", "at least", 1),
        Figure(
            "groupings of 7 values, scores", equal["groupings"] / n_runs, "equal", "at least", 1
        ),
        Figure("tables of 8 x 8, classes", equal["tables"] / n_tables, "equal", "at least", 0.97),
    ]


def _is_equal(one, other):
    return abs(one - other) <= 1e-9 * abs(other)


FIGURES = (number_noise, number_mean_noise, number_power, number_speed, number_optimum)
