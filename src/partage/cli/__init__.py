"""The ``partage`` command: reads its arguments, calls the library, and sets the exit code.

Nothing heavy is imported before a command runs, so that ``partage --version`` answers at once.
Each command is a module of this folder that adds its own parser.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import sys
import traceback
from collections.abc import Sequence
from importlib.metadata import version

from partage.cli.apply import add_apply
from partage.cli.arguments import Parser, UsageError
from partage.cli.compare import add_compare
from partage.cli.demo import add_demo
from partage.cli.methods import add_methods
from partage.cli.pairs import add_cocluster, add_pairs
from partage.cli.report import add_report
from partage.cli.reproduce import add_reproduce
from partage.cli.scorecard import add_scorecard
from partage.cli.show import add_show
from partage.cli.studio import add_studio
from partage.exceptions import PartageError

__all__ = ["main"]

_FAILURE = 2
_INTERRUPTED = 130
_CLOSED_PIPE = 141
# Who speaks in the messages of the library; here it is the command.
_OWN = re.compile(
    r"^(load|scan|pairs|cocluster|((Table|Graph|Watched)Partitioner|Discretizer|Grouper|Contingency"
    r"|Scorecard|Intervals|Groups)(\.\w+)?)(: |, (?=column ))"
)
_COMMANDS = {
    "report": add_report,
    "show": add_show,
    "apply": add_apply,
    "studio": add_studio,
    "scorecard": add_scorecard,
    "compare": add_compare,
    "pairs": add_pairs,
    "cocluster": add_cocluster,
    "demo": add_demo,
    "methods": add_methods,
    "reproduce": add_reproduce,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code.

    0 is done, 1 a difference that `compare` was to look for, 2 an error, 130 Ctrl-C and 141 a pipe
    that was closed.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    command = "partage"
    _forgive_encodings()
    try:
        _check_command(arguments)
        options = build_parser().parse_args(arguments)
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


def _check_command(arguments: Sequence[str]) -> None:
    """Raise unless the first word names a command."""
    words = [argument for argument in arguments if not argument.startswith("-")]
    if words and words[0] not in _COMMANDS:
        raise UsageError(
            f"partage: unknown command {words[0]!r}; choose from: {', '.join(_COMMANDS)}."
        )


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


def build_parser() -> Parser:
    """Return the parser of the command and of its subcommands."""
    common = Parser(add_help=False)
    common.add_argument(
        "--debug", action="store_true", default=argparse.SUPPRESS, help="show tracebacks"
    )
    parser = Parser(
        prog="partage",
        description="Supervised partitioning: the parts of a column that matter for a class.",
        parents=[common],
    )
    parser.add_argument("--version", action="version", version=f"partage {version('partage')}")
    parser.set_defaults(command="--help", run=lambda _: parser.print_help())
    commands = parser.add_subparsers(title="commands", metavar="command")
    for add in _COMMANDS.values():
        add(commands, common)
    return parser
