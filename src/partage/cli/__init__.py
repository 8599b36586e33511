"""The ``partage`` command: reads its arguments, calls the library, and sets the exit code.

Nothing heavy is imported before a command runs, so that ``partage --version`` answers at once.
Each command is a module of this folder that adds its own parser.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import io
import os
import re
import sys
import traceback
from collections.abc import Sequence
from typing import Any

from partage.cli.arguments import Parser, UsageError
from partage.exceptions import PartageError

__all__ = ["main", "run_process"]

_FAILURE = 2
_INTERRUPTED = 130
_CLOSED_PIPE = 141
# Who speaks in the messages of the library; here it is the command.
_OWN = re.compile(
    r"^(load|scan|pairs|cocluster|((Table|Graph|Watched)Partitioner|Discretizer|Grouper|Contingency"
    r"|Scorecard|Intervals|Groups)(\.\w+)?)(: |, (?=column ))"
)
# Modules of the commands, loaded when one is asked for, or help on all.
_COMMANDS = {
    "report": "report",
    "show": "show",
    "apply": "apply",
    "studio": "studio",
    "scorecard": "scorecard",
    "compare": "compare",
    "pairs": "pairs",
    "cocluster": "pairs",
    "demo": "demo",
    "methods": "methods",
    "reproduce": "reproduce",
}


def run_process() -> int:
    """Run the command of this process, sparing what only a short process pays for.

    Importing makes many objects that stay: there is no need to look for cycles among them again and
    again, and once more at the end. No command needs threads of BLAS.
    """
    gc.set_threshold(50_000, 20, 100)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    code = main()
    gc.freeze()
    return code


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code.

    0 is done, 1 a difference that `compare` was to look for, 2 an error, 130 Ctrl-C and 141 a pipe
    that was closed.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    command = "partage"
    _forgive_encodings()
    try:
        options = build_parser(_find_command(arguments)).parse_args(arguments)
        command = f"partage {options.command}"
        return int(options.run(options) or 0)
    except SystemExit as stop:  # argparse, after --help and --version; rich, on a closed pipe
        return int(stop.code or 0)
    except KeyboardInterrupt:
        print(f"{command}: interrupted.", file=sys.stderr)
        return _INTERRUPTED
    except BrokenPipeError:  # the reader, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _CLOSED_PIPE
    except Exception as error:
        if "--debug" in arguments:
            traceback.print_exc()
        print(_describe(error, command), file=sys.stderr)
        return _FAILURE


def _forgive_encodings() -> None:
    """Print '?' for a letter that the terminal cannot show, rather than fail on it."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _find_command(arguments: Sequence[str]) -> str | None:
    """Find the command, the first word; None if there is none, and all are to be named."""
    words = [argument for argument in arguments if not argument.startswith("-")]
    if words and words[0] not in _COMMANDS:
        raise UsageError(
            f"partage: unknown command {words[0]!r}; choose from: {', '.join(_COMMANDS)}."
        )
    return words[0] if words else None


def _describe(error: Exception, command: str) -> str:
    """Put an error into one line that names the remedy."""
    if isinstance(error, UsageError):
        return str(error)
    text = " ".join(str(error).split()) or "no message"
    told = _OWN.sub("", text)
    if isinstance(error, PartageError) or (
        told != text and isinstance(error, (TypeError, ValueError))
    ):
        return f"{command}: {told}"
    return f"{command}: {type(error).__name__}: {text} (Add --debug for the traceback.)"


class _Version(argparse.Action):
    """Print the version, which takes a while to find, and stop."""

    def __init__(self, **options: Any) -> None:
        super().__init__(nargs=0, help="show program's version number and exit", **options)

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from partage import __version__

        print(f"partage {__version__}")
        parser.exit()


def build_parser(command: str | None = None) -> Parser:
    """Return the parser of all commands, or of one of them."""
    common = Parser(add_help=False)
    common.add_argument(
        "--debug", action="store_true", default=argparse.SUPPRESS, help="show tracebacks"
    )
    parser = Parser(
        prog="partage",
        description="Supervised partitioning: the parts of a column that matter for a class.",
        parents=[common],
    )
    parser.add_argument("--version", action=_Version)
    parser.set_defaults(command="--help", run=lambda _: parser.print_help())
    commands = parser.add_subparsers(title="commands", metavar="command")
    for name in _COMMANDS if command is None else [command]:
        module = importlib.import_module(f"partage.cli.{_COMMANDS[name]}")
        getattr(module, f"add_{name}")(commands, common)
    return parser
