"""Compare the instructions of ten small fits with those that were kept: ``nox -s bench_check``.

    python benchmarks/bench_check.py           # fails where one takes over 5 % more
    python benchmarks/bench_check.py --keep    # keeps today's in results/instructions.csv

Counts do not depend on what else runs, but on the compiler, on Python and on NumPy: the file says
which they were. Where they differ, keep the counts of the state before a change first.
"""

import argparse
import csv
import platform
import subprocess
import sys
from importlib.metadata import version

from instructions import count
from tables import RESULTS, read

KEPT = RESULTS / "instructions.csv"
MOST = 1.05
CASES = (
    "modl,pieces,2,100",
    "modl,pieces,2,1000",
    "modl,weak,2,10000",
    "modl,waves,2,10000",
    "modl,line,2,20000",
    "modl,pieces,5,10000",
    "mdlpc,pieces,2,10000",
    "averaged,pieces,2,10000",
    "modl,groups,3,10000",
    "modl,table,2,1000",
)


def _origin() -> str:
    """Name what the counts depend on besides our code."""
    compiler = subprocess.run(["c++", "--version"], capture_output=True, text=True, check=True)
    python = f"Python {platform.python_version()}, NumPy {version('numpy')}"
    return f"{python}, {compiler.stdout.splitlines()[0]}, {platform.machine()}"


def _keep(counts: dict[str, int]) -> None:
    origin = _origin()
    with KEPT.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["case", "instructions", "origin"])
        rows.writerows([case, counts[case], origin] for case in CASES)


def compare(counts: dict[str, int]) -> list[str]:
    """Print a row for each case; the cases that take too many."""
    kept = {row["case"]: row for row in read(KEPT)}
    origin = _origin()
    others = {row["origin"] for row in kept.values()} - {origin}
    if others:
        print(f"kept with {'; '.join(sorted(others))}: counts may differ; this is {origin}")
    print("| case | instructions | kept | times |\n|---|---|---|---|")
    for case in CASES:
        before = int(kept[case]["instructions"])
        print(f"| {case} | {counts[case]:,} | {before:,} | {counts[case] / before:.3f} |")
    return [case for case in CASES if counts[case] > MOST * int(kept[case]["instructions"])]


def main() -> int:
    """Count, and keep or compare."""
    parser = argparse.ArgumentParser(description="Compare instructions with those kept.")
    parser.add_argument("--keep", action="store_true", help="write today's counts")
    is_kept = parser.parse_args().keep
    counts = count(sys.executable, list(CASES))
    if is_kept:
        _keep(counts)
        return 0
    slower = compare(counts)
    for case in slower:
        print(f"{case}: more than {MOST - 1:.0%} above what was kept")
    return len(slower)


if __name__ == "__main__":
    sys.exit(main())
