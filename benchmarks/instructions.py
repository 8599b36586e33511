"""Instructions of a fit, counted by valgrind: a measure that a busy machine does not disturb.

    python benchmarks/instructions.py                     # the tree that Python imports
    python benchmarks/instructions.py --against PYTHON    # and how much more than another one

where PYTHON is the interpreter of an environment in which the other tree is installed. It counts
what runs inside ``discretize`` only, after a first small fit. It needs valgrind with its
header ``valgrind/callgrind.h``, and a C compiler for the switch that turns counting on and off.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SWITCH = """
#include <valgrind/callgrind.h>
void start(void) { CALLGRIND_START_INSTRUMENTATION; CALLGRIND_ZERO_STATS; }
void stop(const char *name) { CALLGRIND_DUMP_STATS_AT(name); CALLGRIND_STOP_INSTRUMENTATION; }
"""
FITS = """
import ctypes, gc, sys
import numpy as np
import partage as pt

switch = ctypes.CDLL(sys.argv[1])
switch.stop.argtypes = [ctypes.c_char_p]

def column(n, n_classes):
    rng = np.random.default_rng(7)
    x = rng.normal(size=n)
    return x, (np.digitize(x, [-1.0, -0.2, 0.3, 1.1]) + (rng.random(n) < 0.4)) % n_classes

for case in sys.argv[2:]:
    method, n_classes, n = case.split(",")
    pt.discretize(*column(10, int(n_classes)), method=method)
    x, y = column(int(n), int(n_classes))
    gc.collect()
    gc.disable()  # it would come at any time
    switch.start()
    pt.discretize(x, y, method=method)
    switch.stop(case.encode())
    gc.enable()
"""
CASES = [
    *(
        ("modl", 2, n_rows)
        for n_rows in (10_000, 20_000, 30_000, 50_000, 70_000, 100_000, 1_000_000)
    ),
    ("modl", 5, 100_000),
    ("mdlpc", 2, 100_000),
]


def make_switch(folder: Path) -> Path:
    """Compile the functions that turn counting on and off."""
    source, library = folder / "switch.c", folder / "switch.so"
    source.write_text(SWITCH, encoding="utf-8")
    subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", library, source], check=True)
    return library


def count(python: str) -> dict[str, int]:
    """Count the instructions of each case in one process of an interpreter."""
    environment = os.environ | {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = ["valgrind", "--tool=callgrind", "--instr-atstart=no"]
        command += [f"--callgrind-out-file={folder / 'counts'}", python, "-c", FITS]
        command += [str(make_switch(folder)), *(",".join(map(str, case)) for case in CASES)]
        subprocess.run(command, env=environment, capture_output=True, check=True)
        return dict(_read_counts(path) for path in folder.glob("counts.*"))


def _read_counts(path: Path) -> tuple[str, int]:
    text = path.read_text(encoding="utf-8")
    case = re.search(r"Client Request: (\S+)", text)
    total = re.search(r"^(?:totals|summary): (\d+)", text, re.MULTILINE)
    if case is None or total is None:
        raise ValueError(f"{path.name} holds no counts")
    return case[1], int(total[1])


def main() -> None:
    """Print a row for each case."""
    parser = argparse.ArgumentParser(description="Count the instructions of discretize.")
    parser.add_argument("--against", metavar="PYTHON", help="the interpreter of another state")
    against = parser.parse_args().against
    print("| method | classes | rows | million instructions | against |\n|---|---|---|---|---|")
    counts = count(sys.executable)
    others = count(against) if against else {}
    for method, n_classes, n_rows in CASES:
        case = f"{method},{n_classes},{n_rows}"
        more = f"{counts[case] / others[case] - 1:+.1%}" if others else ""
        print(f"| {method} | {n_classes} | {n_rows:,} | {counts[case] / 1e6:,.1f} | {more} |")


if __name__ == "__main__":
    main()
