"""Scorecards of partage and optbinning on the same splits: ``python benchmarks/scorecard.py``.

Needs PARTAGE_DATA. optbinning runs in an environment of its own (``benchmarks/peers.py``, or the
interpreter that ``--peer`` names); without it, only partage's rows are printed. Both have parts of
at least 5 % of the rows. Missing categories are given to optbinning as a text, since it fails on
some of them.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedShuffleSplit

FIGURE = ("german", "adult")  # the first tables that the default was compared on
ASKED = ("german", "adult", "crx", "titanic", "fraud-transactions")  # of the figure
OTHERS = ("crx", "australian", "heart-statlog", "pima", "breast-w", "ionosphere", "titanic", "bupa")
N_SPLITS = 10
FLOOR = 0.05  # of the rows in a part


def read(name):
    """Columns, which of them are numeric, and the event of each row."""
    folder = Path(os.environ["PARTAGE_DATA"])
    entries = json.loads((folder / "catalogue.json").read_text(encoding="utf-8"))["datasets"]
    entry = next(e for e in entries if e["name"] == name)
    frame = pd.read_csv(folder / entry["file"], dtype=str, keep_default_na=False, na_values=[""])
    event = (frame["class"] == frame["class"].max()).to_numpy().astype(int)
    columns = [c["name"] for c in entry["columns"] if c["name"] != "class"]
    numeric = [c["name"] for c in entry["columns"] if c["kind"] == "numeric"]
    frame = frame[columns].astype(object)
    frame[numeric] = frame[numeric].apply(pd.to_numeric).astype(float)
    return frame, numeric, event


def fit_partage(train, event, _):
    """Fit a scorecard of ours: how it scores, its parts, columns of the wrong sign."""
    import partage as pt

    card = pt.Scorecard().fit(train, event)
    n_parts = sum(card.partitions_[name].n_parts for name in card.points_)
    return lambda rows: -card.points(rows), n_parts, int((card.coef_ < 0).sum())


def fit_optbinning(train, event, numeric):
    """Fit optbinning's scorecard with its defaults and the same floor."""
    from optbinning import BinningProcess, Scorecard

    categorical = [name for name in train if name not in numeric]
    filled = dict.fromkeys(categorical, "missing")
    process = BinningProcess(
        list(train.columns), categorical_variables=categorical, min_bin_size=FLOOR
    )
    card = Scorecard(binning_process=process, estimator=LogisticRegression(max_iter=1000))
    card.fit(train.fillna(filled).reset_index(drop=True), event)
    binned = [card.binning_process_.get_binned_variable(name) for name in train]
    n_parts = sum(len(b.splits) + (name in numeric) for name, b in zip(train, binned, strict=True))
    # Its evidence is high where the event is rare: right weights are negative.
    n_wrong = int((card.estimator_.coef_[0] > 0).sum())

    def score(rows):
        return card.predict_proba(rows.fillna(filled).reset_index(drop=True))[:, 1]

    return score, n_parts, n_wrong


SYSTEMS = {"partage": fit_partage, "optbinning": fit_optbinning}


def measure(name, system, seed=0):
    """Means over the splits: area under the curve, parts, wrong signs, CPU seconds of a fit."""
    frame, numeric, event = read(name)
    splits = StratifiedShuffleSplit(N_SPLITS, test_size=0.3, random_state=seed)
    found = []
    for train, test in splits.split(frame, event):
        start = time.process_time()
        score, n_parts, n_wrong = SYSTEMS[system](frame.iloc[train], event[train], numeric)
        seconds = time.process_time() - start
        found.append(
            (roc_auc_score(event[test], score(frame.iloc[test])), n_parts, n_wrong, seconds)
        )
    area, parts, wrong, _ = np.mean(found, axis=0)
    return {
        "data": name,
        "system": system,
        "auc": float(area),
        "parts": float(parts),
        "wrong": float(wrong),
        "cpu": float(np.median([row[3] for row in found])),
    }


def measure_peer(name, python, seed=0):
    """Measure optbinning with its own interpreter."""
    command = [str(python), __file__, "--one", name, "optbinning", "--seed", str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description="Compare scorecards.")
    parser.add_argument("names", nargs="*", default=ASKED, help="tables; default: those asked for")
    parser.add_argument("--peer", type=Path, help="interpreter of optbinning's environment")
    parser.add_argument("--seed", type=int, default=0, help="seed of the splits")
    parser.add_argument("--one", nargs=2, metavar=("DATA", "SYSTEM"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(measure(*arguments.one, arguments.seed)))
        return
    print("| data | system | AUC | parts | wrong signs | CPU s |\n" + "| --- " * 6 + "|")
    for name in arguments.names:
        rows = [measure(name, "partage", arguments.seed)]
        if arguments.peer:
            rows.append(measure_peer(name, arguments.peer, arguments.seed))
        for row in rows:
            print(
                f"| {row['data']} | {row['system']} | {row['auc']:.4f} | {row['parts']:.1f} | "
                f"{row['wrong']:.1f} | {row['cpu']:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    sys.exit(main())
