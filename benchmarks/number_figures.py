"""Figures of a target that is a number: noise left whole, power, the optimum, speed, unseen rows.

Laws are drawn with seeds of their own. The real targets are the numeric columns of the data sets
that PARTAGE_DATA names: each in turn is the target of the others of its set.
"""

import itertools
import os

import numpy as np
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeRegressor

import partage as pt
from averaged_figures import _columns
from figure import Figure, Skipped
from timing import interleave, ratios

LAWS = {
    "normal": lambda rng, n: rng.normal(size=n),
    "t of 2": lambda rng, n: rng.standard_t(2, size=n),
    "lognormal of 2": lambda rng, n: rng.lognormal(0, 2, size=n),
    "95 % zeros": lambda rng, n: np.where(rng.uniform(size=n) < 0.95, 0, rng.gamma(2, size=n)),
    "50 % zeros": lambda rng, n: np.where(rng.uniform(size=n) < 0.5, 0, rng.lognormal(size=n)),
    "negative binomial": lambda rng, n: rng.negative_binomial(0.3, 0.375, size=n),
    "1 % ones": lambda rng, n: rng.uniform(size=n) < 0.01,
}
RUNS = {50: 200, 100: 200, 1000: 40}
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
            n_cut = {"distinct": 0, "10 values": 0, "groups of 10": 0, "groups of 50": 0}
            for seed in range(n_runs):
                rng = np.random.default_rng([2026, seed, n])
                y = draw(rng, n)
                n_cut["distinct"] += _is_cut(rng.uniform(size=n), y)
                n_cut["10 values"] += _is_cut(rng.integers(0, 10, n), y)
                for k in (10, 50):
                    x = rng.integers(0, k, n).astype(str)
                    n_cut[f"groups of {k}"] += _is_cut(x, y, group=True)
            for case, count in n_cut.items():
                where = f"{law}, {n} rows, {case}, {n_runs} runs"
                rows.append(Figure(where, count / n_runs, "share cut", limit=limit))
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


def number_speed():
    """CPU time of a column, against np.sort of it."""
    rows = []
    rng = np.random.default_rng(0)
    for n, limits in ((1000, (None, None)), (1_000_000, (10, 20))):
        x = rng.uniform(size=n)
        y = rng.normal(size=n) + np.floor(5 * x)
        for method, limit in zip(("modl-scores", "modl"), limits, strict=True):
            times = interleave(
                lambda x=x: np.sort(x), lambda x=x, y=y, m=method: pt.discretize(x, y, method=m)
            )
            best, middle = ratios(times[1], times[0])
            rows.append(
                Figure(f"{n:,} rows, {method}", best, "x np.sort", "at most", limit, middle)
            )
            if n == 1000:
                rows.append(
                    Figure(f"{n:,} rows, {method}", 1e3 * min(times[1].cpu), "ms", limit=50)
                )
    return rows


def _targets():
    """Give each numeric column of a set in turn as the target: name, table, target."""
    if "PARTAGE_DATA" not in os.environ:
        raise Skipped("PARTAGE_DATA does not name the folder of data sets")
    by_set = itertools.groupby(_columns(), key=lambda column: column[0].split(".")[0])
    for name, columns in by_set:
        held = [(full, x) for full, x, _ in columns]
        held = [(full, x) for full, x in held if len(x) == len(held[0][1])]
        if len(held) > 1:
            target = max(held, key=lambda pair: len(np.unique(pair[1])))
            yield name, [x for full, x in held if full != target[0]], target[1]


def number_real():
    """Compare R² of unseen rows of single columns with that of a tree of five folds."""
    gaps, n_parts = [], []
    rng = np.random.default_rng(1)
    for _, columns, y in _targets():
        order = rng.permutation(len(y))[:4000]
        cut = len(order) * 7 // 10
        train, test = order[:cut], order[cut:]
        found = []
        for x in columns:
            p = pt.discretize(x[train], y[train], target_type="number")
            means = p.stats["mean"].to_numpy()[p.assign(x[test])]
            sizes = {"max_leaf_nodes": [2, 3, 4, 6, 8, 12, 16, 24]}
            tree = GridSearchCV(DecisionTreeRegressor(random_state=0), sizes, cv=5)
            tree.fit(x[train][:, None], y[train])
            spread = np.var(y[test])
            guess = tree.predict(x[test][:, None])
            ours, theirs = (1 - np.mean((y[test] - m) ** 2) / spread for m in (means, guess))
            found.append(ours - theirs)
            n_parts.append((p.n_parts, tree.best_params_["max_leaf_nodes"]))
        gaps.append(np.mean(found))
    ours, theirs = np.mean(n_parts, axis=0)
    return [
        Figure(
            f"R² less that of a tree, {len(gaps)} sets", np.mean(gaps), "R²", "at least", -0.005
        ),
        Figure("parts", ours, f"parts (tree: {theirs:.1f})"),
    ]


FIGURES = (number_noise, number_power, number_speed, number_real)
