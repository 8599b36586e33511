"""Kill `save`, `report` and `apply` at random moments; a good file must never be torn or lost.

python -m fuzz.kills --kills 200
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

import partage as pt
from partage.cli import main as run_command


class Writer:
    """Something that writes a file again and again, and what the file must be at any time."""

    def __init__(self, name: str, write: Callable[[], object], check: Callable[[], object]) -> None:
        self.name = name
        self.write = write
        self.check = check


def make_writers(folder: Path) -> list[Writer]:
    """Write everything once, so that there is a good file to lose."""
    n = 3000
    x = np.arange(n)
    table = folder / "table.csv"
    frame = pd.DataFrame({"x": x, "word": x.astype(str), "y": x % 7 > 3})
    frame.to_csv(table, index=False)
    model, out, coded = folder / "model.json", folder / "out", folder / "coded.parquet"
    kept = pt.Grouper(method="none").fit(frame[["word"]], frame["y"])
    report = ["report", str(table), "--target", "y", "--out", str(out)]
    apply = ["apply", str(out / "model.json"), str(table), "--out", str(coded)]
    writers = [
        Writer("save", lambda: kept.save(model), lambda: pt.load(model)["word"].n_parts == n),
        Writer("report", lambda: run_command(report), lambda: check_report(out)),
        Writer("apply", lambda: run_command(apply), lambda: len(pd.read_parquet(coded)) == n),
    ]
    for writer in writers:
        with contextlib.redirect_stdout(io.StringIO()):
            writer.write()
    return writers


def check_report(out: Path) -> bool:
    """Whether the page ends and the model beside it can be read."""
    pt.load(out / "model.json")
    page = (out / "report.html").read_text(encoding="utf-8")
    return page.rstrip().endswith("</html>")


def kill_once(writer: Writer, longest: float) -> bool:
    """Kill a child that writes; whether the file is still good."""
    child = os.fork()
    if child == 0:
        with Path(os.devnull).open("w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
            os.dup2(nowhere.fileno(), 2)
            while True:
                writer.write()
    time.sleep(random.uniform(0, longest))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    try:
        return bool(writer.check())
    except Exception as error:
        print(f"{writer.name}: {error}", flush=True)
        return False


def main() -> int:
    """Run as a command; the number of files that were lost."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.kills")
    parser.add_argument("--kills", type=int, default=200)
    n_kills = parser.parse_args().kills
    lost = 0
    with tempfile.TemporaryDirectory() as name:
        writers = make_writers(Path(name))
        for i in range(n_kills):
            lost += not kill_once(writers[i % len(writers)], 0.4)
    print(f"kills: {n_kills}, files lost or torn: {lost}")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
