"""Monotone partitions beside optbinning's: ``python benchmarks/constraints.py``.

Twenty columns of german, adult and titanic (folder PARTAGE_DATA), each under every trend: what our
partition costs, what optbinning's costs by the same criterion, and how long both take. Then the
time of a monotone fit of a million rows, beside the free fit of the same column.
"""

import argparse
import csv
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

COLUMNS = {
    "german": [
        "duration",
        "credit_amount",
        "installment_commitment",
        "residence_since",
        "age",
        "existing_credits",
        "num_dependents",
        "savings_status",
        "employment",
    ],
    "adult": [
        "age",
        "fnlwgt",
        "education_num",
        "capital_gain",
        "capital_loss",
        "hours_per_week",
    ],
    "titanic": ["Age", "SibSp", "Parch", "Fare", "Pclass"],
}
TRENDS = ("ascending", "descending", "peak", "valley", "auto")
RESULTS = Path(__file__).parent / "results" / "constraints.csv"
REPEATS = 3


def read_columns(folder):
    """Read the columns as numbers, categories as their codes in order, and the class as 0 or 1."""
    import pandas as pd

    entries = json.loads(Path(folder, "catalogue.json").read_text(encoding="utf-8"))["datasets"]
    files = {entry["name"]: entry["file"] for entry in entries}
    for name, columns in COLUMNS.items():
        with gzip.open(Path(folder, files[name]), "rt", encoding="utf-8") as file:
            frame = pd.read_csv(file)
        y = np.unique(frame["class"].astype(str), return_inverse=True)[1]
        for column in columns:
            values = frame[column]
            if values.dtype.kind not in "if":
                values = values.astype("category").cat.codes.astype(float)
            x = values.to_numpy(dtype=float)
            known = ~np.isnan(x)
            yield f"{name}.{column}", x[known], y[known]


def best_time(call):
    """Run a call a few times: its result, and the shortest time in seconds."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        result = call()
        times.append(time.perf_counter() - start)
    return result, min(times)


def run_peer(source, target):
    """Fit every column with optbinning; runs in its environment."""
    from optbinning import OptimalBinning

    found = {}
    with np.load(source) as file:
        names = sorted({key[:-2] for key in file.files})
        for name in names:
            x, y = file[f"{name}.x"], file[f"{name}.y"]
            for trend in TRENDS:
                binning, seconds = best_time(
                    lambda x=x, y=y, trend=trend: OptimalBinning(monotonic_trend=trend).fit(x, y)
                )
                found[f"{name} {trend}"] = {
                    "splits": np.asarray(binning.splits, dtype=float).tolist(),
                    "status": binning.status,
                    "seconds": seconds,
                }
    Path(target).write_text(json.dumps(found), encoding="utf-8")


def ask_peer(columns, python):
    """Let the peer fit the columns."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "columns.npz"), Path(folder, "found.json")
        arrays = {f"{name}.x": x for name, x, _ in columns}
        np.savez(source, **arrays, **{f"{name}.y": y for name, _, y in columns})
        command = [str(python), __file__, "--peer", str(source), str(target)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return json.loads(target.read_text(encoding="utf-8"))


def counts_between(x, y, splits):
    """Class counts of the parts that optbinning's splits, which belong to the right, make."""
    codes = np.searchsorted(splits, x, side="right")
    counts = np.zeros((len(splits) + 1, 2))
    np.add.at(counts, (codes, y), 1)
    return counts[counts.sum(axis=1) > 0]


def compare(columns, theirs):
    """One row for each column and trend."""
    import partage as pt
    from partage._search.core import partition_cost
    from partage._search.trends import follows_trend

    for name, x, y in columns:
        for trend in TRENDS:
            p, seconds = best_time(
                lambda x=x, y=y, trend=trend: pt.discretize(x, y, monotonic=trend)
            )
            other = theirs[f"{name} {trend}"]
            counts = counts_between(x, y, np.array(other["splits"]))
            follows = follows_trend(trend, [(counts.sum(axis=1), counts[:, 1])])
            yield {
                "column": name,
                "rows": len(x),
                "values": len(np.unique(x)),
                "trend": trend,
                "found": p.constraints["monotonic"],
                "cost": round(p.cost, 6),
                "parts": p.n_parts,
                "optimal": p.is_optimal,
                "price_bits": round(p.price, 3),
                "seconds": round(seconds, 6),
                "peer_cost": round(partition_cost(counts, "modl"), 6),
                "peer_parts": len(counts),
                "peer_status": other["status"],
                "peer_follows": follows,
                "peer_seconds": round(other["seconds"], 6),
            }


def time_a_million():
    """Ratio of a monotone fit to the free fit of the same column."""
    import partage as pt
    from problems import PROBLEMS
    from timing import interleave

    rng = np.random.default_rng(0)
    bell = rng.normal(size=1_000_000)
    problem = PROBLEMS["num_1M"]()
    columns = {
        "five pieces": (problem.X[:, 0], problem.y),
        "logistic": (bell, (rng.random(len(bell)) < 1 / (1 + np.exp(-bell))).astype(int)),
        "bump": (bell, (rng.random(len(bell)) < np.exp(-2 * bell**2)).astype(int)),
        "noise": (bell, rng.integers(0, 2, len(bell))),
    }
    for name, (x, y) in columns.items():
        free, bound = interleave(
            lambda x=x, y=y: pt.discretize(x, y),
            lambda x=x, y=y: pt.discretize(x, y, monotonic="auto"),
            seconds=5.0,
            least=5,
        )
        p = pt.discretize(x, y, monotonic="auto")
        print(
            f"1M rows, {name}: free {min(free.cpu):.3f} s, auto {min(bound.cpu):.3f} s CPU, ratio "
            f"{min(bound.cpu) / min(free.cpu):.2f}; {p.constraints['monotonic']}, {p.n_parts} "
            f"parts, price {p.price:.1f} bits, gap {p.gap}"
        )


def report(rows):
    """Print what the figures ask for."""
    fair = [row for row in rows if row["peer_follows"]]
    worse = [row for row in fair if row["cost"] > row["peer_cost"] * (1 + 1e-9)]
    print(f"{len({row['column'] for row in rows})} columns, {len(rows)} fits each")
    print(f"optbinning's partition follows the trend: {len(fair)} of {len(rows)}")
    print(f"ours costs more than such a partition: {len(worse)}")
    saved = [(row["peer_cost"] - row["cost"]) / np.log(2) for row in fair]
    print(f"bits saved: median {np.median(saved):.1f}, least {min(saved):.3f}")
    for trend in TRENDS:
        mine, other = (
            sum(row[key] for row in rows if row["trend"] == trend)
            for key in ("seconds", "peer_seconds")
        )
        print(
            f"{trend}: {mine:.3f} s for all columns; optbinning {other:.3f} s ({other / mine:.0f}x)"
        )
    return len(worse)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--peer", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help="environments of the peers")
    parser.add_argument("--no-million", action="store_true", help="leave out the million rows")
    arguments = parser.parse_args()
    if arguments.peer:
        run_peer(*arguments.peer)
        return 0
    from peers import FOLDER, python_of

    data = os.environ.get("PARTAGE_DATA")
    if not data:
        parser.error("PARTAGE_DATA must name the folder of data sets")
    columns = list(read_columns(data))
    theirs = ask_peer(columns, python_of("optbinning", arguments.folder or FOLDER))
    rows = list(compare(columns, theirs))
    with RESULTS.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    n_worse = report(rows)
    if not arguments.no_million:
        time_a_million()
    return int(n_worse > 0)


if __name__ == "__main__":
    sys.exit(main())
