"""Kill `save`, `report` and `apply` at random moments; a good file must never be torn or lost.

python -m fuzz.kills --kills 200
"""

from __future__ import annotations

import argparse
import importlib
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

import partage as pt
from fuzz.forked import Tally, run_child
from partage.cli import main as run_command

MANY = 60  # kills, of which some must hit a draft and others leave a write behind
PATIENCE = 3  # a child is killed within as many times what one write takes


@dataclass
class Writer:
    """Something that writes a file again and again, and what the file must be at any time."""

    name: str
    write: Callable[[], object]
    check: Callable[[], object]
    seconds: float = 0.0  # that one write takes


def make_writers(folder: Path) -> list[Writer]:
    """List what writes, with the files that it makes; nothing is written yet."""
    n = 3000
    x = np.arange(n)
    table = folder / "table.csv"
    frame = pd.DataFrame({"x": x, "word": x.astype(str), "y": x % 7 > 3})
    frame.to_csv(table, index=False)
    model, out, coded = folder / "model.json", folder / "out", folder / "coded.parquet"
    kept = pt.Grouper(method="none").fit(frame[["word"]], frame["y"])
    report = ["report", str(table), "--target", "y", "--out", str(out), "--force"]
    apply = ["apply", str(out / "model.json"), str(table), "--out", str(coded), "--force"]
    return [
        Writer("save", lambda: kept.save(model), lambda: pt.load(model)["word"].n_parts == n),
        Writer("report", lambda: run(report), lambda: check_report(out)),
        Writer("apply", lambda: run(apply), lambda: len(pd.read_parquet(coded)) == n),
    ]


def run(words: list[str]) -> None:
    """Run the command, which must succeed: one that refuses writes nothing to kill."""
    if run_command(words) != 0:
        raise RuntimeError(" ".join(words))


def check_report(out: Path) -> bool:
    """Whether the page ends and the model beside it can be read."""
    pt.load(out / "model.json")
    page = (out / "report.html").read_text(encoding="utf-8")
    return page.rstrip().endswith("</html>")


def be_silent() -> None:
    """Send what this process prints nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def prepare(writer: Writer, folder: Path) -> None:
    """Write once, so that there is a good file to lose; load what that loads, and measure it.

    Pools of threads do not survive a fork, so that nothing is ever written in this process.
    """
    names = folder / "modules.txt"

    def work(_: int) -> str | None:
        be_silent()
        writer.write()
        names.write_text("\n".join(sys.modules))
        return None

    for _ in range(2):  # the second time nothing is left to load
        start = time.monotonic()
        if run_child(work, 0, 1, most=120) != 0:
            sys.exit(f"kills: {writer.name} failed before anything was killed")
        writer.seconds = time.monotonic() - start
        for name in names.read_text().splitlines():
            with suppress(Exception):
                importlib.import_module(name)


def kill_once(writer: Writer, written: Tally, folder: Path | None) -> None:
    """Kill a child that writes, at any moment or, given the folder, once a draft is in it."""
    child = os.fork()
    if child == 0:
        be_silent()
        while True:
            writer.write()
            written.add()
    longest = PATIENCE * writer.seconds
    if folder is None:
        time.sleep(random.uniform(0, longest))
    else:
        end = time.monotonic() + 20 * longest
        while not drafts_in(folder) and time.monotonic() < end:
            pass
        time.sleep(random.choice([0, 0, 1e-4, 1e-3, 1e-2]) * random.random())
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def drafts_in(folder: Path) -> list[Path]:
    """List the drafts beside the good files."""
    return [Path(entry) for entry in os.scandir(folder) if entry.name[0] == "."]


def remove_drafts(folder: Path) -> int:
    """Remove what killed writers left beside the good files; how many there were."""
    drafts = drafts_in(folder)
    for draft in drafts:
        shutil.rmtree(draft) if draft.is_dir() else draft.unlink()
    return len(drafts)


def main() -> int:
    """Run as a command; 1 if a file was lost, or many kills hit nothing."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.kills")
    parser.add_argument("--kills", type=int, default=200)
    n_kills = parser.parse_args().kills
    lost = n_hit = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        writers = make_writers(folder)
        for writer in writers:
            prepare(writer, folder)
        written = {writer.name: Tally("written whole") for writer in writers}
        for i in range(n_kills):
            writer = writers[i % len(writers)]
            at_draft = i // len(writers) % 2 == 1
            kill_once(writer, written[writer.name], folder if at_draft else None)
            n_hit += remove_drafts(folder) > 0

            def check(_: int, writer: Writer = writer) -> str | None:
                return None if writer.check() else f"{writer.name}: the file is torn"

            lost += run_child(check, 0, 1) != 0
    print(f"kills: {n_kills}, files lost or torn: {lost}")
    counts = ", ".join(f"{tally.count} {name}" for name, tally in written.items())
    print(f"kills: {n_hit} in the midst of a draft; written whole before their kill: {counts}")
    is_idle = n_hit == 0 or not all(tally.count for tally in written.values())
    return int(lost > 0 or (is_idle and n_kills >= MANY))


if __name__ == "__main__":
    sys.exit(main())
