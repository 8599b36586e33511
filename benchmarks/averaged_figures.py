"""Figures of averaged shares: beside the optimum, quintiles and optbinning; models, noise, speed.

The columns are the numeric ones of the data sets that PARTAGE_DATA names. Rows to learn from are
drawn at random, losses are those of the rows left, at most 20,000. Counted shares are Laplace's.
optbinning runs in an environment of its own (``python benchmarks/peers.py optbinning``, or the one
that PARTAGE_PEERS names).
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import RepeatedStratifiedKFold

import partage as pt
from figure import Figure, Skipped
from peers import FOLDER, python_of
from scorecard import FIGURE, OTHERS, read
from timing import interleave, ratios

N_DRAWS = 3
LEAST_LEFT, MOST_LEFT = 150, 20_000
TWO_CLASSES = (*FIGURE, *OTHERS, "german-numeric", "heart-disease", "fraud-transactions")
LIMITS = {"max_parts": 5, "min_part_size": 0.05}


def _folder():
    if "PARTAGE_DATA" not in os.environ:
        raise Skipped("PARTAGE_DATA does not name the folder of data sets")
    return Path(os.environ["PARTAGE_DATA"])


def numeric_columns(names=None):
    """Numeric columns of the catalogue, or of some sets: name, values, classes from 0 on."""
    folder = _folder()
    for entry in json.loads((folder / "catalogue.json").read_text(encoding="utf-8"))["datasets"]:
        if names is not None and entry["name"] not in names:
            continue
        data = pd.read_csv(folder / entry["file"], dtype=str, keep_default_na=False, na_values=[""])
        y = np.unique(data["class"], return_inverse=True)[1]
        for column in entry["columns"]:
            if column["kind"] == "numeric":
                x = pd.to_numeric(data[column["name"]]).to_numpy(float)
                there = ~np.isnan(x)
                yield f"{entry['name']}.{column['name']}", x[there], y[there]


def _draws(x, y, n_rows, seed):
    """Draw rows to learn from and rows to be judged on, several times; none of too few rows."""
    if len(x) < n_rows + LEAST_LEFT:
        return
    for draw in range(N_DRAWS):
        order = np.random.default_rng([seed, draw, n_rows]).permutation(len(x))
        train, test = order[:n_rows], order[n_rows : n_rows + MOST_LEFT]
        test = test[np.isin(y[test], y[train])]
        classes, codes = np.unique(y[train], return_inverse=True)
        if len(classes) > 1:
            yield x[train], codes, x[test], np.searchsorted(classes, y[test])


def _laplace(counts):
    return (counts + 1) / (counts.sum(axis=1, keepdims=True) + counts.shape[1])


def _counted(p, x):
    return _laplace(p.code_counts())[p.assign(x)]


def _averaged(p, x):
    return p.code_rates()[p.assign(x)]


def _loss(shares, y):
    return float(-np.log(shares[np.arange(len(y)), y]).mean())


def _prior(y, n):
    return np.tile(_laplace(np.bincount(y)[None, :]), (n, 1))


def averaged_optimum():
    """Beside the optimum: information that the shares give on held-out rows."""
    rows = []
    for n_rows, growth in ((500, 1.05), (3000, 1.02)):
        gains = []
        for _, x, y in numeric_columns():
            both = []
            for train, labels, test, truth in _draws(x, y, n_rows, 101):
                prior = _loss(_prior(labels, len(test)), truth)
                optimum = pt.discretize(train, labels)
                curve = pt.discretize(train, labels, method="averaged").curve
                both.append(
                    [
                        prior - _loss(_counted(optimum, test), truth),
                        prior - _loss(_averaged(curve, test), truth),
                    ]
                )
            if both:
                gains.append(np.mean(both, axis=0))
        optimum, averaged = np.array(gains).T
        case = f"{len(gains)} columns, {n_rows} rows"
        better = float(np.mean(averaged > optimum))
        more = averaged.mean() / optimum.mean()
        rows += [
            Figure(
                f"{case}: better than the optimum", better, "share of columns", "at least", 0.75
            ),
            Figure(f"{case}: information", more, "x that of the optimum", "at least", growth),
        ]
    return rows


def averaged_quintiles():
    """Beside quintiles with counted shares: held-out log-loss."""
    rows = []
    for n_rows in (500, 1500, 5000):
        losses = []
        for _, x, y in numeric_columns():
            found = []
            for train, labels, test, truth in _draws(x, y, n_rows, 202):
                five = pt.discretize(train, labels, method="averaged", max_parts=5)
                quintiles = pt.discretize(
                    train, labels, method="equal-frequency", n_parts=None, max_parts=5
                )
                shares = (
                    _counted(quintiles, test),
                    _averaged(five.curve, test),
                    _averaged(five, test),
                    _counted(five, test),
                )
                found.append([_loss(one, truth) for one in shares])
            if found:
                losses.append(np.mean(found, axis=0))
        quintiles, *ours = np.mean(losses, axis=0)
        for name, loss, limit in zip(
            ("averaged shares", "five parts, averaged shares", "five parts, counted shares"),
            ours,
            (0, 0, None),
            strict=True,
        ):
            case = f"{len(losses)} columns, {n_rows} rows: {name} above quintiles ({quintiles:.4f})"
            rows.append(Figure(case, loss - quintiles, "nats per row", limit=limit))
    return rows


def averaged_optbinning():
    """Five parts of at least 5 %: held-out log-loss and area beside optbinning's default."""
    python = python_of("optbinning", Path(os.environ.get("PARTAGE_PEERS", FOLDER)))
    if not python.exists():
        raise Skipped("optbinning is not installed: python benchmarks/peers.py optbinning")
    cases, problems = [], []
    for n_rows in (500, 1500, 5000):
        for _, x, y in numeric_columns(TWO_CLASSES):
            for draw in _draws(x, y, n_rows, 303):
                cases.append(n_rows)
                problems.append(draw)
    cuts = _their_cuts(python, problems)
    found = []
    for (train, labels, test, truth), theirs in zip(problems, cuts, strict=True):
        p = pt.discretize(train, labels, method="averaged", **LIMITS)
        given = pt.discretize(train, labels, user_cuts=theirs, n_parts=len(theirs) + 1)
        shares = _averaged(p, test), _counted(given, test)
        found.append([judge(one, truth) for judge in (_loss, _area) for one in shares])
    rows = []
    for n_rows in (500, 1500, 5000, None):
        chosen = [f for f, n in zip(found, cases, strict=True) if n_rows in (None, n)]
        loss, their_loss, area, their_area = np.nanmean(chosen, axis=0)
        case = f"{len(chosen)} fits of {n_rows or 'all'} rows"
        limit = 0 if n_rows is None else None
        rows += [
            Figure(
                f"{case}: log-loss above optbinning ({their_loss:.4f})",
                loss - their_loss,
                "nats per row",
                limit=limit,
            ),
            Figure(
                f"{case}: area above optbinning ({their_area:.4f})",
                area - their_area,
                "of the area",
                "at least",
                limit,
            ),
        ]
    return rows


def _area(shares, truth):
    return roc_auc_score(truth, shares[:, 1]) if 0 < truth.mean() < 1 else np.nan


def _their_cuts(python, problems):
    """Cuts that optbinning finds with its own interpreter."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "problems.npz"
        arrays = {f"{k}{i}": one[j] for i, one in enumerate(problems) for j, k in enumerate("xy")}
        np.savez(file, n=len(problems), **arrays)
        command = [str(python), str(Path(__file__).with_name("optbinning_cuts.py")), str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def _models():
    """Models to compare on whole tables: counted and averaged shares."""
    averaged = pt.TablePartitioner(method="averaged", max_parts=5, monotonic="auto")
    return {
        "naive Bayes": pt.NaiveBayesClassifier(),
        "naive Bayes, averaged": pt.NaiveBayesClassifier(shares="averaged"),
        "scorecard": pt.Scorecard(),
        "scorecard, averaged": pt.Scorecard(partitioner=averaged, min_parts=5),
    }


def averaged_models():
    """Naive Bayes and scorecards on ten tables: log-loss and area, averaged against counted."""
    _folder()
    wins = {}
    rows = []
    for name in (*FIGURE, *OTHERS):
        frame, _, event = read(name)
        n_repeats = 1 if len(frame) > 10_000 else 2
        folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=n_repeats, random_state=7)
        found = {model: [] for model in _models()}
        for train, test in folds.split(frame, event):
            for model, made in _models().items():
                p = made.fit(frame.iloc[train], event[train]).predict_proba(frame.iloc[test])[:, 1]
                p = np.clip(p, 1e-9, 1 - 1e-9)
                found[model].append([log_loss(event[test], p), roc_auc_score(event[test], p)])
        for model in ("naive Bayes", "scorecard"):
            old, new = (np.mean(found[m], axis=0) for m in (model, f"{model}, averaged"))
            for j, what in enumerate(("log-loss", "area")):
                wins.setdefault((model, what), []).append((new[j] - old[j]) * (1, -1)[j])
                case = f"{name}, {model}: {what} of averaged shares ({old[j]:.4f} counted)"
                rows.append(Figure(case, new[j], what))
    for (model, what), differences in wins.items():
        better = int(np.sum(np.array(differences) < 0))
        rows.append(Figure(f"{model}: lower loss or larger area by {what}", better, "tables of 10"))
    return rows


def averaged_noise():
    """Nats a row lost against the shares of all rows where the column says nothing."""
    rows = []
    for n_rows in (100, 500, 2000):
        rng = np.random.default_rng([404, n_rows])
        lost = []
        for _ in range(60):
            x, y = rng.normal(size=n_rows), (rng.random(n_rows) < 0.3).astype(int)
            new = rng.normal(size=5000)
            curve = pt.discretize(x, y, method="averaged").curve
            quintiles = pt.discretize(x, y, method="equal-frequency", max_parts=5)
            shares = _prior(y, 1), _averaged(curve, new), _counted(quintiles, new)
            losses = [-(0.7 * np.log(s[:, 0]) + 0.3 * np.log(s[:, 1])).mean() for s in shares]
            lost.append([losses[1] - losses[0], losses[2] - losses[0]])
        averaged, quintiles = np.mean(lost, axis=0)
        rows.append(Figure(f"{n_rows} rows (quintiles {quintiles:.5f})", averaged, "nats per row"))
    return rows


def averaged_speed():
    """Time of ``method="averaged"`` at a million rows."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=1_000_000)
    y = (rng.random(len(x)) < 1 / (1 + np.exp(-x))).astype(int)
    ours, unit = interleave(
        lambda: pt.discretize(x, y, method="averaged", max_parts=5), lambda: np.sort(x), seconds=10
    )
    best, middle = ratios(ours.cpu, unit.cpu)
    return [Figure("1M rows, five parts", best, "x np.sort", limit=3.0, median=middle)]


FIGURES = (
    averaged_optimum,
    averaged_quintiles,
    averaged_optbinning,
    averaged_models,
    averaged_noise,
    averaged_speed,
)

if __name__ == "__main__":
    from figures import show

    sys.exit(sum(show(name) for name in sys.argv[1:] or [f.__name__ for f in FIGURES]))
