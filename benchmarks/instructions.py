"""Instructions of a fit, counted by valgrind: a measure that a busy machine does not disturb.

    python benchmarks/instructions.py                     # the tree that Python imports
    python benchmarks/instructions.py --against PYTHON    # and how much more than another one
    python benchmarks/instructions.py --laws weak waves --rows 10000 20000

where PYTHON is the interpreter of an environment in which the other tree is installed. It counts
what runs inside the fit only, after a first small one. It needs valgrind with its
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
LAWS = ("pieces", "noise", "weak", "strong", "waves", "ties", "line")
FITS = (
    f"LAWS = {LAWS}"
    + """
import ctypes, gc, sys
import numpy as np
import partage as pt

switch = ctypes.CDLL(sys.argv[1])
switch.stop.argtypes = [ctypes.c_char_p]

def column(law, n, n_classes):
    rng = np.random.default_rng(7)
    x = rng.normal(size=n)
    if law == "pieces":
        return x, (np.digitize(x, [-1.0, -0.2, 0.3, 1.1]) + (rng.random(n) < 0.4)) % n_classes
    x = {"line": rng.random(n), "ties": np.round(x, 3)}.get(law, x)
    rate = {
        "noise": 0.5,
        "weak": 0.5 + 0.02 * np.tanh(x),
        "strong": 1 / (1 + np.exp(-3 * x)),
        "waves": 0.5 + 0.4 * np.sin(8 * x),
        "ties": 0.5 + 0.2 * np.sin(4 * x),
        "line": 0.2 + 0.6 * x,
    }[law]
    return x, rng.random(n) < rate

def call(method, law, n_classes, n):
    x, y = column(law if law in LAWS else "pieces", n, n_classes)
    if law == "groups":
        towns = np.floor(40 * x).astype(str)
        return lambda: pt.group(towns, y, method=method)
    if law == "table":
        table = np.column_stack([np.roll(x, 7 * i) for i in range(20)])
        return lambda: pt.Discretizer(method=method).fit(table, y)
    return lambda: pt.discretize(x, y, method=method)

for case in sys.argv[2:]:
    method, law, n_classes, n = case.split(",")
    call(method, law, int(n_classes), 50)()  # what is imported and made once
    fit = call(method, law, int(n_classes), int(n))
    gc.collect()
    gc.disable()  # it would come at any time
    switch.start()
    fit()
    switch.stop(case.encode())
    gc.enable()
"""
)
ROWS = (10_000, 20_000, 30_000, 50_000, 70_000, 100_000, 1_000_000)
OTHERS = [("modl", "pieces", 5, 100_000), ("mdlpc", "pieces", 2, 100_000)]


def make_switch(folder: Path) -> Path:
    """Compile the functions that turn counting on and off."""
    source, library = folder / "switch.c", folder / "switch.so"
    source.write_text(SWITCH, encoding="utf-8")
    subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", library, source], check=True)
    return library


def count(python: str, cases: list[str]) -> dict[str, int]:
    """Count the instructions of each case in one process of an interpreter."""
    environment = os.environ | {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = ["valgrind", "--tool=callgrind", "--instr-atstart=no"]
        command += [f"--callgrind-out-file={folder / 'counts'}", python, "-c", FITS]
        command += [str(make_switch(folder)), *cases]
        subprocess.run(command, env=environment, capture_output=True, check=True)
        return dict(_read_counts(path) for path in folder.glob("counts.*"))


def _read_counts(path: Path) -> tuple[str, int]:
    text = path.read_text(encoding="utf-8")
    case = re.search(r"Client Request: (\S+)", text)
    total = re.search(r"^(?:totals|summary): (\d+)", text, re.MULTILINE)
    if case is None or total is None:
        raise ValueError(f"{path.name} holds no counts")
    return case[1], int(total[1])


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Count the instructions of discretize.")
    parser.add_argument("--against", metavar="PYTHON", help="the interpreter of another state")
    parser.add_argument("--laws", nargs="+", choices=LAWS, help="all, and other methods, if none")
    parser.add_argument("--rows", nargs="+", type=int, default=ROWS, help="of each law")
    return parser.parse_args()


def main() -> None:
    """Print a row for each case."""
    given = _arguments()
    cases = [("modl", law, 2, n) for law in given.laws or LAWS for n in given.rows]
    cases += [] if given.laws else OTHERS
    names = [",".join(map(str, case)) for case in cases]
    counts = count(sys.executable, names)
    others = count(given.against, names) if given.against else {}
    print("| method | law | classes | rows | million instructions | times the other |")
    print("|---|---|---|---|---|---|")
    for name, (method, law, n_classes, n_rows) in zip(names, cases, strict=True):
        times = f"{counts[name] / others[name]:.3f}" if others else ""
        millions = f"{counts[name] / 1e6:,.1f}"
        print(f"| {method} | {law} | {n_classes} | {n_rows:,} | {millions} | {times} |")


if __name__ == "__main__":
    main()
