"""Every call of the operating system fails once, wherever files are written: nothing is lost."""

import errno
import io
import itertools
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import partage as pt
from partage.cli import main
from partage.exceptions import PartageError

CALLS = ["open", "fsync", "replace", "rename", "mkdir", "chmod"]
OLD, NEW = range(40), range(40, 80)


class Faults:
    """Makes the n-th call fail, and counts them."""

    def __init__(self, monkeypatch, n):
        self.left = n
        for name in CALLS:
            monkeypatch.setattr(os, name, self.failing(getattr(os, name)))
        self.plain_open = io.open
        monkeypatch.setattr(io, "open", self.open)

    def step(self):
        """Count a call; the n-th fails."""
        self.left -= 1
        if self.left == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def failing(self, call):
        """Count every call of a function."""

        def call_or_fail(*args, **given):
            self.step()
            return call(*args, **given)

        return call_or_fail

    def open(self, path, mode="r", *args, **given):
        """Count the opening of a file to write, and each write."""
        if "r" in mode:
            return self.plain_open(path, mode, *args, **given)
        self.step()
        file = self.plain_open(path, mode, *args, **given)
        file.write = self.failing(file.write)
        return file


def model_of(rows):
    x = np.array(rows, dtype=float)
    return pt.Discretizer().fit(x[:, None], x > np.median(x))


def contingency_of(rows):
    x = np.array(rows, dtype=float)
    return pt.Contingency.of(pd.DataFrame({"x": x, "y": x > np.median(x)}), "x", "y")


WRITERS = {
    "model": lambda rows, path: model_of(rows).save(path),
    "contingency": lambda rows, path: contingency_of(rows).save(path),
}


@pytest.mark.parametrize("name", WRITERS)
def test_file_is_whole_whichever_call_fails(name, tmp_path):
    write, path = WRITERS[name], tmp_path / "kept"
    write(NEW, path)
    new = path.read_bytes()
    messages = []
    for n in itertools.count(1):
        write(OLD, path)
        old = path.read_bytes()
        with pytest.MonkeyPatch.context() as patched:
            faults = Faults(patched, n)
            try:
                write(NEW, path)
            except PartageError as error:
                messages.append(str(error))
        assert path.read_bytes() in (old, new)
        assert [file.name for file in tmp_path.iterdir()] == ["kept"]
        if faults.left > 0:
            break
    assert path.read_bytes() == new
    assert len(messages) >= 3
    assert all("Nothing was left behind" in message for message in messages)


def test_report_is_whole_whichever_call_fails(tmp_path):
    table = tmp_path / "loans.csv"
    pd.DataFrame({"x": range(60), "y": [0] * 30 + [1] * 30}).to_csv(table, index=False)
    out = tmp_path / "out"
    command = ["report", str(table), "--target", "y", "--out", str(out)]
    assert main(command) == 0
    names = sorted(file.name for file in out.iterdir())
    for n in itertools.count(1):
        with pytest.MonkeyPatch.context() as patched:
            faults = Faults(patched, n)
            main(command)
        assert sorted(file.name for file in out.iterdir()) == names
        assert all(file.stat().st_size for file in out.iterdir())
        pt.load(out / "model.json")
        assert sorted(file.name for file in tmp_path.iterdir()) == ["loans.csv", "out"]
        if faults.left > 0:
            break


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_files_are_whole_after_kills():
    root = Path(__file__).parents[2]
    paths = os.pathsep.join([str(root), str(Path(pt.__file__).parents[1])])
    command = [sys.executable, "-W", "ignore", "-m", "fuzz.kills", "--kills", "6"]
    done = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "kills: 6, files lost or torn: 0" in done.stdout
