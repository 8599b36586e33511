"""The results kept in ``tests/golden``: all to nine digits, some of them bit for bit."""

import subprocess
import sys
from pathlib import Path

from helpers import FULL

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "tests" / "golden" / "results.txt"


def test_digests_that_every_machine_must_give():
    """Results of bare installations, bit for bit: see ``tools/digests``."""
    command = [sys.executable, ROOT / "tools" / "digests", "check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " digests, 0 differ " in done.stdout


def check(*options):
    """Run ``tools/golden check`` and return what it printed and its exit code."""
    command = [sys.executable, ROOT / "tools" / "golden", "check", KEPT, "--rounded", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr, done.returncode


def test_results_are_those_that_were_kept():
    printed, code = check(*([] if FULL else ["--quick"]))
    assert code == 0, printed
    assert ", 0 differ, 0 absent, 0 new" in printed
