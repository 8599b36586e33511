"""Figures of binarization: time on the sets of its paper, time and memory on larger tables.

The sets of the paper are read from the folder that PARTAGE_DATA names.
"""

import os
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np
import pandas as pd

import partage as pt
from figure import Figure, Skipped
from partage.experiments.binarization import trials
from partage.experiments.binarization.page import _PAPER
from timing import Times, interleave, measure_memory

BY_ATTRIBUTE = "ideal-by-attribute"


def _folder():
    """Folder of the data sets of the paper."""
    name = os.environ.get("PARTAGE_DATA")
    if not name:
        raise Skipped("PARTAGE_DATA names no folder of data sets")
    return Path(name)


def _fit(X, y, method, c, kinds=None):
    return pt.DataBinarizer(method=method, consistency=c, kinds=kinds).fit(X, y)


def _seconds(call, least=3):
    """Best and median CPU seconds of a call."""
    (times,) = interleave(call, seconds=1.0, most=5, least=least)
    return min(times.cpu), median(times.cpu)


def binarize_paper():
    """All sizes of Table 1 of the paper: every set, and the whole."""
    rows, total = [], 0.0
    for name in _PAPER:
        found, kinds = trials._take(name, _folder())
        times = Times()
        for method, c in (*((BY_ATTRIBUTE, c) for c in (1, 2, 3, 4)), ("simple-greedy", 1)):
            times.measure(partial(_fit, found.X, found.y, method, c, kinds))
        total += sum(times.cpu)
        if name != "letter":
            four = sum(times.cpu[:4])
            rows.append(Figure(f"{name}, c = 1 to 4", four, "s of CPU", limit=5))
    rows.append(Figure("21 sets, c = 1 to 4 and simple-greedy", total, "s of CPU", limit=60))
    return rows


def binarize_large_sets():
    """Take the two sets that took the paper longest, at each level."""
    rows = []
    for name, limits in (("letter", (1, 10, 10, 10)), ("mushroom", (5, 5, 5, 5))):
        found, kinds = trials._take(name, _folder())
        for method in (BY_ATTRIBUTE, "ideal", "greedy"):
            for c, limit in zip((1, 2, 3, 4), limits, strict=True):
                call = partial(_fit, found.X, found.y, method, c, kinds)
                best, middle = _seconds(call, least=1)
                case = f"{name}, {method}, c = {c}"
                # The greedy cover for c > 1 has no figure to keep.
                kept = None if method == "greedy" and c > 1 else limit
                rows.append(Figure(case, best, "s of CPU", limit=kept, median=middle))
    return rows


def adult_like(n_rows, n_weights, seed=0):
    """Build a table of 14 columns like the census of Adult: six of numbers, eight of words."""
    rng = np.random.default_rng(seed)
    age = rng.integers(17, 91, n_rows)
    school = rng.integers(1, 17, n_rows)
    hours = rng.integers(1, 100, n_rows)
    X = pd.DataFrame(
        {
            "age": age.astype(float),
            "weight": rng.integers(0, n_weights, n_rows).astype(float),
            "school": school.astype(float),
            "gain": np.where(rng.random(n_rows) < 0.9, 0, rng.integers(1, 120, n_rows)) * 1.0,
            "loss": np.where(rng.random(n_rows) < 0.95, 0, rng.integers(1, 90, n_rows)) * 1.0,
            "hours": hours.astype(float),
        }
    )
    for i, n_values in enumerate((8, 16, 7, 14, 6, 5, 2, 41)):
        words = np.array([f"v{k:02d}" for k in range(n_values)], dtype=object)
        # Few values are frequent, as in a census.
        shares = 1.0 / np.arange(1, n_values + 1)
        X[f"word{i}"] = words[rng.choice(n_values, n_rows, p=shares / shares.sum())]
    for name in ("word0", "word3", "word7"):
        X.loc[rng.random(n_rows) < 0.04, name] = None
    score = 0.05 * age + 0.3 * school + 0.03 * hours + rng.normal(scale=1.0, size=n_rows)
    return X, np.where(score > np.quantile(score, 0.76), ">50K", "<=50K")


def binarize_50k():
    """50,000 rows of 14 columns, most values of one of them met once or twice."""
    X, y = adult_like(50_000, 30_000)
    rows = []
    for method, c, limit in (("ideal", 1, 10), ("ideal", 2, None), ("greedy", 1, 10)):
        call = partial(_fit, X, y, method, c)
        fitted, peak = measure_memory(call)
        case = f"50k rows, 14 columns, D = {fitted.n_candidates_}, {method}, c = {c}"
        best, middle = _seconds(call, least=1)
        rows.append(Figure(case, best, "s of CPU", limit=limit, median=middle))
        memory = None if limit is None else 1000
        rows.append(Figure(f"{case}, peak memory", peak / 1e6, "MB", limit=memory))
    return rows


def binarize_doubling():
    """Twice the rows, the same candidates."""
    small, large = (adult_like(n, 200) for n in (50_000, 100_000))
    rows = []
    for method, c in (("ideal", 1), (BY_ATTRIBUTE, 1), ("ideal", 2), ("simple-greedy", 1)):
        sizes = {_fit(*table, method, c).n_candidates_ for table in (small, large)}
        if len(sizes) > 1:
            raise AssertionError(f"the candidates differ: {sizes}")
        one, two = interleave(
            partial(_fit, *small, method, c),
            partial(_fit, *large, method, c),
            seconds=5,
            least=2,
        )
        case = f"100k against 50k rows, D = {sizes.pop()}, {method}, c = {c}"
        ratio = min(two.cpu) / min(one.cpu)
        rows.append(Figure(case, ratio, "x the time", limit=2.5))
    return rows


def binarize_million():
    """Take a million rows of 30 columns, at most 200 values each but for one of a thousand."""
    X, y = adult_like(1_000_000, 1_000)
    rng = np.random.default_rng(7)
    for k in range(16):
        shift = 0 if k % 2 else 4 * (y == ">50K")
        X[f"number{k}"] = rng.integers(0, 200, len(X)) + 1.0 * shift
    times = Times()
    _, peak = measure_memory(lambda: times.measure(partial(_fit, X, y, "ideal", 1)))
    return [
        Figure("1M rows, 30 columns, ideal, c = 1", min(times.cpu), "s of CPU", limit=60),
        Figure("1M rows, 30 columns, peak memory", peak / 1e6, "MB", limit=4000),
    ]


FIGURES = (binarize_paper, binarize_large_sets, binarize_50k, binarize_doubling, binarize_million)
