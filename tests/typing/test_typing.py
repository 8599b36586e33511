"""Scripts of users under ``mypy --strict`` and pyright: only the errors that were planted."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import partage
from helpers import FULL

HERE = Path(__file__).resolve().parent
SCRIPTS = ("script.py", "errors.py")
SOURCE = Path(partage.__file__).resolve().parents[1]
IS_INSTALLED = SOURCE.name == "site-packages"  # else an editable build, which checkers do not find


def planted(name):
    """Lines of a script that hold an error on purpose."""
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return {k for k, line in enumerate(lines, start=1) if "# error: " in line}


def copied(folder, name):
    """Copy a script to where no settings of the project are found."""
    return Path(shutil.copy(HERE / name, folder / name))


def mypy_lines(path):
    """Lines at which mypy finds an error, with its message."""
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--config-file="]
    places = os.environ | ({} if IS_INSTALLED else {"MYPYPATH": str(SOURCE)})
    done = subprocess.run(
        [*command, path.name],
        cwd=path.parent,
        env=places,
        capture_output=True,
        text=True,
        check=False,
    )
    found = re.findall(rf"^{path.name}:(\d+): error: (.*)$", done.stdout, re.MULTILINE)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return {int(line): message for line, message in found}


def pyright_lines(path):
    """Lines at which pyright finds an error, with its message."""
    places = [] if IS_INSTALLED else [str(SOURCE)]
    (path.parent / "pyrightconfig.json").write_text(json.dumps({"extraPaths": places}))
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable]
    done = subprocess.run(
        [*command, path.name], cwd=path.parent, capture_output=True, text=True, check=False
    )
    found = json.loads(done.stdout)["generalDiagnostics"]
    return {
        one["range"]["start"]["line"] + 1: one["message"]
        for one in found
        if one["severity"] == "error"
    }


CHECKERS = {"mypy": mypy_lines, "pyright": pyright_lines}


@pytest.mark.skipif(not FULL, reason="type checkers take a minute: PARTAGE_TESTS=full")
@pytest.mark.parametrize("name", SCRIPTS)
@pytest.mark.parametrize("checker", CHECKERS)
def test_only_planted_errors_are_found(tmp_path, checker, name):
    if importlib.util.find_spec(checker) is None:
        pytest.skip(f"{checker} is not installed: nox -s typing")
    found = CHECKERS[checker](copied(tmp_path, name))
    assert found.keys() == planted(name), found


def test_errors_are_planted_in_one_script_only():
    assert planted("script.py") == set()
    assert len(planted("errors.py")) == 12
