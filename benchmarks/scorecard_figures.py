"""Figures of scorecards: beside optbinning, columns of noise, rounding, time of a fit.

The tables are those that PARTAGE_DATA names. optbinning runs in an environment of its own
(``python benchmarks/peers.py optbinning``, or the one that PARTAGE_PEERS names).
"""

import os
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

import partage as pt
from figure import Figure, Skipped
from peers import FOLDER, python_of
from scorecard import ASKED, measure, measure_peer, read

MOST_LOST = 0.003  # of the area on a table
N_DRAWS, N_NOISE = 20, 10
SEEDS = (1, 21, 22, 23)  # of drawn cards that are rounded


def scorecard_areas():
    """Held-out area, signs and parts of the default card beside optbinning's, equal floors."""
    if "PARTAGE_DATA" not in os.environ:
        raise Skipped("PARTAGE_DATA does not name the folder of data sets")
    python = python_of("optbinning", Path(os.environ.get("PARTAGE_PEERS", FOLDER)))
    if not python.exists():
        raise Skipped("optbinning is not installed: python benchmarks/peers.py optbinning")
    rows, areas = [], []
    for name in ASKED:
        ours, theirs = measure(name, "partage"), measure_peer(name, python)
        areas.append((ours["auc"], theirs["auc"]))
        case = f"{name} ({ours['auc']:.4f} and {theirs['auc']:.4f})"
        rows += [
            Figure(f"{case}: area", ours["auc"] - theirs["auc"], "more", "at least", -MOST_LOST),
            Figure(f"{name}: parts", ours["parts"], "parts", "at most", theirs["parts"]),
            Figure(f"{name}: wrong signs", ours["wrong"], "columns", "exactly", 0),
            Figure(f"{name}: CPU of a fit", ours["cpu"], "s", "at most", theirs["cpu"]),
        ]
    ours, theirs = np.mean(areas, axis=0)
    case = f"mean of {len(areas)} tables ({ours:.4f} and {theirs:.4f}): area"
    return [*rows, Figure(case, ours - theirs, "more", "at least", 0)]


def _wide(n_rows, n_columns, seed=0):
    """Numbers and texts with effects of many sizes."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({f"x{k}": rng.normal(size=n_rows) for k in range(n_columns * 2 // 3)})
    odds = sum(rng.uniform(-0.6, 0.6) * X[name] for name in X) - 1.2
    for k in range(n_columns - X.shape[1]):
        codes = rng.integers(0, 9, n_rows)
        X[f"c{k}"] = np.array(list("abcdefghi"))[codes]
        odds = odds + rng.normal(0, 0.3, 9)[codes]
    return X, (rng.random(n_rows) < 1 / (1 + np.exp(-odds))).astype(int)


def scorecard_fit():
    """CPU seconds of a default fit of 30,000 rows and 23 columns."""
    X, y = _wide(30_000, 23)
    found = []
    for _ in range(4):
        start = time.process_time()
        pt.Scorecard().fit(X, y)
        found.append(time.process_time() - start)
    return [
        Figure("30,000 x 23", min(found), "s", "at most", 1.0, median=float(np.median(found[1:])))
    ]


def _noisy(n_rows, n_real, seed):
    """Numbers that count, then numbers and texts that do not."""
    rng = np.random.default_rng([seed, n_rows, n_real])
    X = pd.DataFrame({f"real{k}": rng.normal(size=n_rows) for k in range(n_real)})
    odds = 0.8 * X.to_numpy().reshape(n_rows, n_real).sum(axis=1) - 0.8
    for k in range(N_NOISE):
        X[f"noise{k}"] = rng.normal(size=n_rows) if k % 3 else rng.choice(list("abcdefgh"), n_rows)
    return X, (rng.random(n_rows) < 1 / (1 + np.exp(-odds))).astype(int)


def scorecard_noise():
    """Of ten columns of noise those that a default card keeps, alone and beside five that count."""
    rows = []
    for n_rows in (500, 2_000):
        for n_real in (0, 5):
            found = [
                pt.Scorecard().fit(*_noisy(n_rows, n_real, seed)).coef_[0] != 0.0
                for seed in range(N_DRAWS)
            ]
            n_kept = np.sum(found, axis=0)
            case = f"{n_rows} rows, {N_NOISE} of noise" + f", {n_real} that count" * (n_real > 0)
            noise = float(n_kept[n_real:].sum() / N_DRAWS)
            rows.append(Figure(f"{case}: noise kept", noise, "columns", "at most", 1))
            if n_real:
                real = float(n_kept[:n_real].sum() / N_DRAWS)
                rows.append(Figure(f"{case}: those kept", real, "columns", "at least", 4.9))
    return rows


def _rounding(case, X, y, n_columns, limit):
    """Errors of the sums of rounded points over the rows of the fit."""
    settings = {"selection": None, "min_iv": 0, "max_columns": n_columns}
    exact = pt.Scorecard(**settings).fit(X, y)
    errors = pt.Scorecard(**settings, rounded=True).fit(X, y).points(X) - exact.points(X)
    case = f"{case}, {len(exact.points_)} columns, {len(X)} rows"
    return [
        Figure(f"{case}: largest error", float(np.abs(errors).max()), "points", "at most", limit),
        Figure(f"{case}: mean error", abs(float(errors.mean())), "points", "at most", 0.1),
    ]


def scorecard_rounding():
    """Largest and mean error of rounded points over all rows."""
    rows = []
    if "PARTAGE_DATA" in os.environ:
        frame, _, event = read("german")
        rows += _rounding("german", frame, event, None, 2.5)
        rows += _rounding("german", frame, event, 10, 2.0)
    for n_rows in (1_000, 10_000):
        for seed in SEEDS:
            X, y = _wide(n_rows, 20, seed=seed)
            rows += _rounding(f"drawn {seed}", X, y, None, 2.5)
            rows += _rounding(f"drawn {seed}", X, y, 10, 2.0)
    return rows


FIGURES = (scorecard_areas, scorecard_noise, scorecard_fit, scorecard_rounding)

if __name__ == "__main__":
    from figures import show

    sys.exit(sum(show(name) for name in sys.argv[1:] or [f.__name__ for f in FIGURES]))
