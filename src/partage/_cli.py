"""The ``partage`` command: reads its arguments, calls the library, and sets the exit code.

Nothing heavy is imported before a command runs, so that ``partage --version`` answers at once.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
import time
import traceback
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from partage.experiments import PAPERS, Settings, find_papers, find_tables, reproduce

if TYPE_CHECKING:
    from rich.console import Console

_FAILURE = 2
_INTERRUPTED = 130
_COMMANDS = ("demo", "methods", "reproduce")
_DEMO_SETS = {"breast-cancer": "load_breast_cancer", "iris": "load_iris", "wine": "load_wine"}
_N_DEMO_COLUMNS = 10
_N_DEMO_TABLES = 2


class _UsageError(Exception):
    """A request that the user can put right; its text is the whole message."""


class _Parser(argparse.ArgumentParser):
    """Parser whose errors are one line with the remedy."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(allow_abbrev=False, **settings)

    def error(self, message: str) -> NoReturn:
        """Refuse the arguments."""
        raise _UsageError(f"{self.prog}: {message}; see `{self.prog} --help`.")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 0, 2 for an error, 130 for Ctrl-C."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    command = "partage"
    _forgive_encodings()
    try:
        _check_command(arguments)
        options = _build_parser().parse_args(arguments)
        command = f"partage {options.command}"
        options.run(options)
    except SystemExit as stop:  # argparse, after --help and --version; rich, on a closed pipe
        return int(stop.code or 0)
    except KeyboardInterrupt:
        print(f"{command}: interrupted.", file=sys.stderr)
        return _INTERRUPTED
    except Exception as error:
        if "--debug" in arguments:
            traceback.print_exc()
        print(_describe(error, command), file=sys.stderr)
        return _FAILURE
    return 0


def _forgive_encodings() -> None:
    """Print '?' for a letter that the terminal cannot show, rather than fail on it."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _check_command(arguments: Sequence[str]) -> None:
    """Raise unless the first word names a command."""
    words = [argument for argument in arguments if not argument.startswith("-")]
    if words and words[0] not in _COMMANDS:
        raise _UsageError(
            f"partage: unknown command {words[0]!r}; choose from: {', '.join(_COMMANDS)}."
        )


def _describe(error: Exception, command: str) -> str:
    """Put an error into one line that tells the remedy."""
    if isinstance(error, _UsageError):
        return str(error)
    text = " ".join(str(error).split()) or "no message"
    return f"{command}: {type(error).__name__}: {text} (Add --debug for the traceback.)"


def _build_parser() -> _Parser:
    """Return the parser of the command and of its subcommands."""
    common = _Parser(add_help=False)
    common.add_argument(
        "--debug", action="store_true", default=argparse.SUPPRESS, help="show tracebacks"
    )
    parser = _Parser(
        prog="partage",
        description="Supervised partitioning: the parts of a column that matter for a class.",
        parents=[common],
    )
    parser.add_argument("--version", action="version", version=f"partage {version('partage')}")
    parser.set_defaults(command="--help", run=lambda _: parser.print_help())
    commands = parser.add_subparsers(title="commands", metavar="command")

    demo = commands.add_parser(
        "demo", parents=[common], help="discretize a data set that comes with scikit-learn"
    )
    demo.add_argument(
        "data",
        nargs="?",
        default="breast-cancer",
        help=f"one of {', '.join(_DEMO_SETS)} (%(default)s)",
    )
    demo.set_defaults(command="demo", run=_run_demo)

    methods = commands.add_parser(
        "methods", parents=[common], help="list the methods and the searches each allows"
    )
    methods.set_defaults(command="methods", run=_run_methods)

    _add_reproduce(commands, common)
    return parser


def _add_reproduce(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the parser of ``partage reproduce``."""
    known = "\n".join(f"  {paper.name}: {', '.join(paper.tables)}" for paper in PAPERS)
    parser = commands.add_parser(
        "reproduce",
        parents=[common],
        help="run the experiments of the papers again, their figures beside ours",
        description="Write a page per paper: its figures beside ours, with plots.",
        epilog=f"papers and their tables:\n{known}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("paper", nargs="?", help="one paper only (all)")
    parser.add_argument("table", nargs="?", help="one table of it only (all)")
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        default=os.environ.get("PARTAGE_DATA"),
        help="folder of data sets (PARTAGE_DATA)",
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", default=Path("reproduced"), help="(%(default)s)"
    )
    parser.add_argument("--jobs", type=_read_jobs, metavar="N", default=1, help="processes (1)")
    parser.add_argument("--quick", action="store_true", help="fewer samples, seconds per table")
    parser.set_defaults(command="reproduce", run=_run_reproduce)


def _read_jobs(text: str) -> int:
    """Read the number of processes."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be an integer of at least 1; got {text!r}")
    return int(text)


def _run_demo(options: argparse.Namespace) -> None:
    """Discretize a data set; print its columns by level and the tables of the best."""
    from rich.console import Console
    from sklearn import datasets

    import partage as pt

    if options.data not in _DEMO_SETS:
        names = ", ".join(_DEMO_SETS)
        raise _UsageError(f"partage demo: unknown data set {options.data!r}; choose from: {names}.")
    console = Console()
    data = getattr(datasets, _DEMO_SETS[options.data])(as_frame=True)
    target = data.target.map(dict(enumerate(data.target_names)))
    start = time.perf_counter()
    # scikit-learn's signatures carry no hints.
    discretizer = pt.Discretizer().fit(data.data, target)  # type: ignore[no-untyped-call]
    seconds = time.perf_counter() - start
    n_rows, n_columns = data.data.shape
    console.print(
        f"{options.data}: {n_rows} rows, {n_columns} numeric columns, classes "
        f"{', '.join(map(str, data.target_names))}; discretized by MODL in {seconds:.2f} s.\n",
        highlight=False,
    )
    summary = discretizer.summary()
    ranking = summary[["column", "parts", "level"]].head(_N_DEMO_COLUMNS)
    _print_frame(console, "Columns, most informative first", ranking)
    if n_columns > _N_DEMO_COLUMNS:
        console.print(f"... and {n_columns - _N_DEMO_COLUMNS} more columns.\n")
    for name in summary["column"].head(_N_DEMO_TABLES):
        table = discretizer.partitions_[name].table()
        shown = ["part", "count", *(title for title in table if title.startswith("rate_"))]
        _print_frame(console, str(name), table.loc[table["count"] > 0, shown])
    console.print(
        "The level is the share of the description of the classes that a column saves: 0 says "
        "nothing, 1 says all. Each row of a table is a part, with the rate of each class in it; "
        "the method chose how many parts and where to cut, without a parameter.\n"
        "Next: [bold]partage demo iris[/], [bold]partage methods[/], or in Python "
        "[bold]partage.Discretizer().fit(X, y).summary()[/] on a table of yours.",
        highlight=False,
    )


def _run_methods(_: argparse.Namespace) -> None:
    """Print the methods and their searches, asked from the library."""
    from rich.console import Console
    from rich.table import Table

    from partage._search import method_meanings, methods

    meanings = method_meanings()
    table = Table("method", "searches, its own first", "what it is")
    for method, searches in methods().items():
        table.add_row(method, ", ".join(searches) or "none", meanings[method])
    console = Console()
    console.print(table)
    console.print(
        'Use: partage.discretize(x, y, method="...", search="...").', highlight=False, markup=False
    )


def _run_reproduce(options: argparse.Namespace) -> None:
    """Run experiments, write their pages and print the verdicts."""
    from rich.console import Console

    console = Console()
    data = None if options.data is None else Path(options.data)
    try:
        papers = find_papers(options.paper)
        for paper in papers:
            find_tables(paper, options.table)
    except ValueError as error:
        raise _UsageError(f"partage reproduce: {error}") from None
    if data is not None and not data.is_dir():
        raise _UsageError(
            f"partage reproduce: --data must be an existing folder; got {str(data)!r}."
        )
    if options.out.exists() and not options.out.is_dir():
        raise _UsageError(f"partage reproduce: --out must be a folder; got {str(options.out)!r}.")
    settings = Settings(data, options.jobs, options.quick)
    for paper in papers:
        with console.status(paper.name) as status:
            page, sections = reproduce(paper, options.table, settings, options.out, status.update)
        for section in sections:
            _print_verdicts(console, section)
        console.print(f"Page: {page}", highlight=False, soft_wrap=True)


def _print_verdicts(console: Console, section: Any) -> None:
    """Print a section of a page: the paper's figures beside ours, or our own table."""
    from rich.table import Table

    console.print(f"{section.title} ({section.seconds:.0f} s)", style="bold", highlight=False)
    if section.comparisons:
        table = Table("", "paper", "ours", "verdict")
        for row in section.comparisons:
            table.add_row(row.what, row.paper, row.ours, row.verdict)
        console.print(table)
    for finding in section.findings:
        console.print(finding, highlight=False, markup=False)


def _print_frame(console: Console, title: str, frame: Any) -> None:
    """Print a data frame; numbers stand to the right, with three digits after the point."""
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, title_justify="left", title_style="bold")
    for name in frame.columns:
        is_number = frame[name].dtype.kind in "iuf"
        table.add_column(str(name), justify="right" if is_number else "left")
    for row in frame.itertuples(index=False):
        table.add_row(*(Text(_format_cell(cell)) for cell in row))  # Text: brackets are no markup
    console.print(table)


def _format_cell(cell: Any) -> str:
    """Write a cell of a data frame."""
    return f"{cell:.3f}" if isinstance(cell, float) else str(cell)
