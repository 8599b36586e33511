"""The ``partage`` command: what it prints, and its exit codes."""

import subprocess
import sys
from importlib.metadata import version

import pytest

from partage import cli
from partage._search.methods import group_methods, methods
from partage.cli import reproduce as _reproduce
from partage.experiments import PAPERS

COMMANDS = (
    "report, show, apply, studio, scorecard, compare, pairs, cocluster, demo, methods, reproduce"
)
COMMAND = [sys.executable, "-m", "partage"]


@pytest.fixture(autouse=True)
def _wide_terminal(monkeypatch):
    """Keep rich from wrapping what the tests look for."""
    monkeypatch.setenv("COLUMNS", "250")
    monkeypatch.delenv("PARTAGE_DATA", raising=False)


def test_version_is_that_of_the_package(capsys):
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"partage {version('partage')}\n"


def test_version_loads_neither_scikit_learn_nor_pandas():
    code = (
        "import sys; from partage.cli import main; main(['--version']);"
        "print([name for name in ('sklearn', 'pandas', 'rich') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[1:] == ["[]"]


def test_help_names_every_command(capsys):
    assert cli.main(["--help"]) == 0
    out = capsys.readouterr().out
    assert all(command in out for command in (*COMMANDS.split(", "), "--debug"))


def test_no_command_shows_the_help(capsys):
    assert cli.main([]) == 0
    assert capsys.readouterr().out.startswith("usage: partage")


def test_help_of_reproduce_lists_papers_and_tables(capsys):
    assert cli.main(["reproduce", "--help"]) == 0
    assert "  optimal_intervals: table1, variations\n" in capsys.readouterr().out


def test_methods_are_those_of_the_library(capsys):
    assert cli.main(["methods"]) == 0
    rows = [line.split("│")[1:-1] for line in capsys.readouterr().out.splitlines() if "│" in line]
    cells = [tuple(cell.strip() for cell in row) for row in rows]
    intervals = {row[0]: row[1] for row in cells if len(row) == 3}
    groups = {row[0]: row[1] for row in cells if len(row) == 2}
    assert intervals == {
        name: ", ".join(found.searches) or "none" for name, found in methods().items()
    }
    assert groups == {name: found.meaning for name, found in group_methods().items()}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["frob"],
            f"partage: unknown command 'frob'; choose from: {COMMANDS}.",
        ),
        (
            ["--frob"],
            "partage: unrecognized arguments: --frob; see `partage --help`.",
        ),
        (
            ["reproduce", "frob"],
            "partage reproduce: unknown paper 'frob'; choose from: "
            f"{', '.join(paper.name for paper in PAPERS)}.",
        ),
        (
            ["reproduce", "optimal_intervals", "table9"],
            "partage reproduce: unknown table 'table9' of optimal_intervals; "
            "choose from: table1, variations.",
        ),
        (
            ["reproduce", "--n-jobs", "0"],
            "partage reproduce: argument --n-jobs: must be an integer of at least 1; got '0'; "
            "see `partage reproduce --help`.",
        ),
        (
            ["reproduce", "--data", "no/such/folder"],
            "partage reproduce: --data must be an existing folder; got 'no/such/folder'.",
        ),
        (
            ["reproduce", "--out", __file__],
            f"partage reproduce: --out must be a folder; got {__file__!r}.",
        ),
    ],
)
def test_a_wrong_request_is_answered_in_one_line(arguments, message, capsys):
    assert cli.main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.err == message + "\n"
    assert captured.out == ""


def test_an_unexpected_error_is_one_line_that_names_debug(monkeypatch, capsys):
    monkeypatch.setattr(_reproduce, "reproduce", _raise(OSError("disk\nfull")))
    assert cli.main(["reproduce"]) == 2
    expected = "partage reproduce: OSError: disk full (Add --debug for the traceback.)\n"
    assert capsys.readouterr().err == expected


def test_debug_shows_the_traceback(monkeypatch, capsys):
    monkeypatch.setattr(_reproduce, "reproduce", _raise(OSError("disk full")))
    assert cli.main(["--debug", "reproduce"]) == 2
    assert capsys.readouterr().err.startswith("Traceback (most recent call last):\n")


def test_ctrl_c_leaves_quietly_with_its_own_code(monkeypatch, capsys):
    monkeypatch.setattr(_reproduce, "reproduce", _raise(KeyboardInterrupt()))
    assert cli.main(["reproduce"]) == 130
    assert capsys.readouterr().err == "partage reproduce: interrupted.\n"


def test_reproduce_writes_a_page_and_prints_its_verdicts(tmp_path, capsys):
    arguments = ["reproduce", "optimal_intervals", "table1", "--quick", "--out", str(tmp_path)]
    assert cli.main(arguments) == 0
    out = capsys.readouterr().out
    assert "Table 1: FUSINTER against the optimum" in out
    assert out.endswith(f"Page: {tmp_path / 'optimal_intervals-table1.md'}\n")
    assert (tmp_path / "optimal_intervals-table1.md").is_file()


def test_the_command_runs_as_a_module():
    done = subprocess.run([*COMMAND, "frob"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == f"partage: unknown command 'frob'; choose from: {COMMANDS}.\n"


def test_a_terminal_without_accents_is_served(monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    done = subprocess.run([*COMMAND, "methods"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Cram?r" in done.stdout


def _raise(error):
    """Return a function that raises whatever it is given."""

    def fail(*_):
        raise error

    return fail
