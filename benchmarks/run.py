"""Run libraries on problems: ``python benchmarks/run.py [--adapters A ...] [--problems P ...]``.

Every pair runs in a fresh process, with a time limit; its row replaces the one of the same pair in
``results/<adapter>.csv``. `peers.py` creates the environments of the peers.
"""

import argparse
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import peers
from adapters import ADAPTERS
from problems import PROBLEMS, extent
from tables import RESULTS, machine, replace

HERE = Path(__file__).parent
TIMEOUT = "timeout"


def _environment(python):
    """Environment variables of a child: its own programs first, as Khiops asks."""
    return os.environ | {"PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}"}


def _wait(child, seconds):
    """Wait for a child; end it and its own children after the time limit."""
    try:
        _, errors = child.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.communicate()
        return f"{TIMEOUT} {seconds:g} s"
    if child.returncode == 0:
        return "ok"
    last = (errors.strip().splitlines() or [f"exit code {child.returncode}"])[-1]
    _, refused, reason = last.partition("NotImplementedError: ")
    return f"not run: {reason}" if refused else f"failed: {last[:200]}"


def run(adapter, problem, folder, seconds):
    """Row of one adapter on one problem."""
    python = peers.python_of(adapter, folder)
    row = {"problem": problem, "adapter": adapter}
    if not python.exists():
        return row | {"status": "not installed"}
    with tempfile.TemporaryDirectory() as place:
        file = Path(place, "figures.json")
        child = subprocess.Popen(
            [python, HERE / "measure.py", adapter, problem, file],
            env=_environment(python),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        row["status"] = _wait(child, seconds)
        return row | (json.loads(file.read_text()) if row["status"] == "ok" else {})


def _projected(seconds, n_values, n_classes):
    """Seconds a problem should take, from the largest one measured that does not exceed it."""
    within = [one for one in seconds if one[0] <= n_values and one[1] <= n_classes]
    return seconds[max(within)] * n_values / max(within)[0] if within else 0.0


def run_all(adapter, problems, folder, limit):
    """Rows of one adapter; problems that would exceed the time limit are skipped."""
    seconds = {}
    for problem in problems:
        size = extent(problem)
        if _projected(seconds, *size) > limit:
            status = f"skipped: projected above {limit:g} s"
            yield {"problem": problem, "adapter": adapter, "status": status}
            continue
        row = run(adapter, problem, folder, limit)
        taken = math.inf if row["status"].startswith(TIMEOUT) else row.get("fit_wall_s", 0.0)
        seconds[size] = max(seconds.get(size, 0.0), taken)
        yield row | machine() | {"load": os.getloadavg()[0]}


def main():
    parser = argparse.ArgumentParser(description="Run libraries on problems.")
    parser.add_argument("--adapters", nargs="+", choices=ADAPTERS, default=ADAPTERS, metavar="A")
    parser.add_argument("--problems", nargs="+", choices=PROBLEMS, default=PROBLEMS, metavar="P")
    parser.add_argument("--seconds", type=float, default=60, help="time limit of a pair")
    parser.add_argument("--folder", type=Path, default=peers.FOLDER, help="environments of peers")
    arguments = parser.parse_args()
    for adapter in arguments.adapters:
        selected = [problem for problem in PROBLEMS if problem in arguments.problems]
        for row in run_all(adapter, selected, arguments.folder.absolute(), arguments.seconds):
            replace(RESULTS / f"{adapter}.csv", [row], "problem")
            shown = ("status", "fit_per_unit", "parts", "log_loss")
            print(adapter, row["problem"], *(row.get(name, "") for name in shown), flush=True)


if __name__ == "__main__":
    sys.exit(main())
