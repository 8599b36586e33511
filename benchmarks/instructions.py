"""Instructions of a fit, counted by valgrind: a measure that a busy machine does not disturb.

    python benchmarks/instructions.py 10000 100000 1000000

prints, for the tree that Python imports, the instructions of ``discretize`` of so many rows, less
those of ten rows, which are the imports. PYTHONPATH=/other/src measures another tree.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys

FIT = """
import sys
import numpy as np
import partage as pt
n, method, n_classes = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
rng = np.random.default_rng(7)
x = rng.normal(size=n)
y = (np.digitize(x, [-1.0, -0.2, 0.3, 1.1]) + (rng.random(n) < 0.4)) % n_classes
pt.discretize(x, y, method=method)
"""
CASES = [("modl", 2), ("modl", 5), ("entropy", 3), ("mdlpc", 2)]


def count(n_rows: int, method: str, n_classes: int) -> int:
    """Count the instructions of a process that fits so many rows."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", sys.executable]
    command += ["-c", FIT, str(n_rows), method, str(n_classes)]
    environment = os.environ | {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    assert found is not None, done.stderr
    return int(found[1])


def main() -> None:
    """Print a row for each case and size."""
    sizes = [int(text) for text in sys.argv[1:]] or [10_000, 100_000, 1_000_000]
    print("| method | classes | rows | million instructions |\n|---|---|---|---|", flush=True)
    for method, n_classes in CASES:
        start = count(10, method, n_classes)
        for n_rows in sizes:
            counted = (count(n_rows, method, n_classes) - start) / 1e6
            print(f"| {method} | {n_classes} | {n_rows:,} | {counted:,.1f} |", flush=True)


if __name__ == "__main__":
    main()
