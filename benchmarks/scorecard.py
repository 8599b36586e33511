"""Scorecards of partage and optbinning on the same folds: ``python benchmarks/scorecard.py``.

Needs PARTAGE_DATA. optbinning runs in an environment of its own (``benchmarks/peers.py``); without
it, only partage's rows are printed. The last line says where the default of partage is near its
area with as few parts; the figure of the project asks that of german and adult.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import RepeatedStratifiedKFold

FIGURE = ("german", "adult")  # on which the figure of the project must hold
OTHERS = ("crx", "australian", "heart-statlog", "pima", "breast-w", "ionosphere", "titanic", "bupa")
N_REPEATS = 4
MANY_ROWS = 10_000  # a table of so many is divided into folds once
MOST_LOST = 0.005  # of the area under the curve


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


def fit_partage(train, event, test, _, **settings):
    """Fit a scorecard of ours: probabilities of new rows, parts."""
    import partage as pt

    card = pt.Scorecard(**settings).fit(train, event)
    n_parts = sum(p.n_parts for p in card.partitions_.values())
    return card.predict_proba(test)[:, 1], n_parts


def fit_free(train, event, test, numeric):
    """Fit a scorecard on the parts that MODL finds, without constraints."""
    import partage as pt

    settings = {"partitioner": pt.TablePartitioner(), "min_parts": 1}
    return fit_partage(train, event, test, numeric, **settings)


def fit_optbinning(train, event, test, numeric):
    """Fit optbinning's scorecard with its defaults: probabilities of new rows, parts."""
    from optbinning import BinningProcess, Scorecard

    categorical = [name for name in train if name not in numeric]
    process = BinningProcess(list(train.columns), categorical_variables=categorical)
    card = Scorecard(binning_process=process, estimator=LogisticRegression(max_iter=1000))
    card.fit(train, event)
    binned = [card.binning_process_.get_binned_variable(name) for name in train]
    n_parts = sum(len(b.splits) + (name in numeric) for name, b in zip(train, binned, strict=True))
    return card.predict_proba(test)[:, 1], n_parts


SYSTEMS = {
    "partage": fit_partage,
    "partage, min_parts=1, TablePartitioner()": fit_free,
    "optbinning": fit_optbinning,
}


def measure(name, system):
    """Mean area under the curve and mean number of parts over the folds."""
    frame, numeric, event = read(name)
    n_repeats = 1 if len(frame) > MANY_ROWS else N_REPEATS
    folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=n_repeats, random_state=0)
    found = []
    for train, test in folds.split(frame, event):
        rows = frame.iloc[train], event[train], frame.iloc[test], numeric
        probability, n_parts = SYSTEMS[system](*rows)
        found.append((roc_auc_score(event[test], probability), n_parts))
    area, parts = np.mean(found, axis=0)
    return {"data": name, "system": system, "auc": round(area, 4), "parts": round(parts, 1)}


def measure_peer(name, python):
    """Measure optbinning with its own interpreter; None where it fails."""
    command = [str(python), __file__, "--one", name, "optbinning"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else None


def main():
    parser = argparse.ArgumentParser(description="Compare scorecards.")
    parser.add_argument("--peer", type=Path, help="interpreter of optbinning's environment")
    parser.add_argument("--one", nargs=2, metavar=("DATA", "SYSTEM"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(measure(*arguments.one)))
        return 0
    print("| data | system | AUC | parts |\n| --- | --- | --- | --- |")
    within = {}
    for name in (*FIGURE, *OTHERS):
        ours = [measure(name, system) for system in list(SYSTEMS)[:2]]
        peer = measure_peer(name, arguments.peer) if arguments.peer else None
        for row in [*ours, *([peer] if peer else [])]:
            print(f"| {row['data']} | {row['system']} | {row['auc']:.4f} | {row['parts']:g} |")
        if arguments.peer and not peer:
            print(f"| {name} | optbinning | fails | |")
        within[name] = (
            peer is not None
            and ours[0]["auc"] >= peer["auc"] - MOST_LOST
            and ours[0]["parts"] <= peer["parts"]
        )
    if not arguments.peer:
        return 0
    print(
        f"within {MOST_LOST} of optbinning with as few parts: "
        f"{', '.join(name for name in within if within[name])}"
    )
    return 0 if all(within[name] for name in FIGURE) else 1


if __name__ == "__main__":
    sys.exit(main())
