"""Figures of an installation: the README's first command in a fresh environment, and of a wheel."""

import os
import resource
import subprocess
import tempfile
import time
import venv
from pathlib import Path

from figure import Figure

ROOT = Path(__file__).parents[1]


def _run(words, **settings):
    """Run a command; the seconds on the clock and those of all CPUs."""
    # A cache of compilers would measure itself.
    plain = {name: value for name, value in os.environ.items() if "CCACHE" not in name.upper()}
    plain.pop("CMAKE_CXX_COMPILER_LAUNCHER", None)
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(words, check=True, capture_output=True, env=plain, **settings)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - start, used


def _fresh(folder):
    """Make an environment, and give its Python."""
    venv.create(folder, with_pip=True)
    return str(Path(folder) / "bin" / "python")


def install():
    """Install from these sources with the extra of the README, then from a wheel of them."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "copy")
        subprocess.run(["git", "clone", "-q", "--depth", "1", f"file://{ROOT}", copy], check=True)
        python = _fresh(Path(folder, "sources"))
        pip = [python, "-m", "pip", "install", "-q"]
        rows.append(("from sources, pip install '.[report]'", _run([*pip, ".[report]"], cwd=copy)))
        made = [python, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, "."]
        rows.append(("a wheel built, pip wheel .", _run(made, cwd=copy)))
        (wheel,) = Path(folder).glob("partage-*.whl")
        pip[0] = _fresh(Path(folder, "wheel"))
        rows.append(("from a wheel, with the extra report", _run([*pip, f"{wheel}[report]"])))
        demo = [str(Path(folder, "wheel", "bin", "partage")), "demo", "--out", f"{folder}/demo"]
        rows.append(("partage demo", _run(demo)))
    return [
        Figure(f"{case} ({what})", seconds, "s")
        for case, measured in rows
        for what, seconds in zip(("clock", "CPU"), measured, strict=True)
    ]


FIGURES = (install,)
