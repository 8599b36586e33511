"""``partage report``: every column of a file, in a terminal, on a page and in a model file."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from partage._support.checks import CUT_STYLES, KINDS
from partage.cli.arguments import UsageError, read_count
from partage.cli.engines import add_engine, take_source, watched_source
from partage.cli.reading import add_reading, reading_of, source_name
from partage.cli.target import check_target

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

_DEFAULT_OUT = Path("partage-report")
PAGE, MODEL, RULES = "report.html", "model.json", "rules.sql"


def add_report(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the parser of ``partage report``."""
    parser = commands.add_parser(
        "report",
        parents=[common],
        help="partition every column of a file and write a report",
        description="Partition every column of a file by what it says about a class. Writes "
        f"{PAGE}, a page that needs nothing else, and {MODEL}, the parts for `partage apply` and "
        "`partage.load`.",
    )
    parser.add_argument(
        "data", nargs="+", help="CSV, Parquet, Arrow or JSON lines; patterns; - for standard input"
    )
    parser.add_argument("--target", required=True, metavar="NAME", help="column of the classes")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", default=_DEFAULT_OUT, help="folder (%(default)s)"
    )
    parser.add_argument("--force", action="store_true", help="replace the files of a report there")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    parser.add_argument("--sql", metavar="DIALECT", help=f"write {RULES} too, such as duckdb")
    parser.add_argument("--sample-weight", metavar="NAME", help="column of the rows' frequencies")
    parser.add_argument(
        "--drop", action="append", default=[], metavar="NAME", help="column to skip"
    )
    parser.add_argument(
        "--kind",
        action="append",
        default=[],
        type=_read_kind,
        metavar="NAME=KIND",
        help=f"how to take a column: {', '.join(KINDS)}",
    )
    parser.add_argument(
        "--missing",
        choices=("separate", "merge"),
        default="separate",
        help="missing values: a part of their own, or with the part they resemble",
    )
    parser.add_argument(
        "--drop-missing-target", action="store_true", help="leave out rows without a class"
    )
    parser.add_argument(
        "--pair", action="append", default=[], metavar="A,B", help="show two columns together"
    )
    parser.add_argument(
        "--graph", action="append", default=[], metavar="A,B", help="show rows of two as a graph"
    )
    _add_limits(parser)
    parser.add_argument("--n-jobs", type=read_count, metavar="N", help="threads (all cores)")
    add_reading(parser)
    add_engine(parser)
    parser.set_defaults(command="report", run=run_report)


def _add_limits(parser: argparse.ArgumentParser) -> None:
    """Add what is asked of parts and cuts."""
    group = parser.add_argument_group("parts")
    group.add_argument("--max-parts", type=read_count, metavar="N", help="most parts of a column")
    group.add_argument(
        "--min-part-size", type=float, metavar="SIZE", help="least rows of a part, or share below 1"
    )
    group.add_argument(
        "--cut-style",
        choices=CUT_STYLES[::-1],
        default="simple",
        help="where between two values a cut is placed: at a simple number (default), or midway",
    )
    group.add_argument(
        "--round-cuts", type=float, metavar="BITS", help="what rounder cuts of a column may cost"
    )


def _read_kind(text: str) -> tuple[str, str]:
    """Read ``name=kind``."""
    name, sign, kind = text.rpartition("=")
    if not sign or kind not in KINDS:
        raise argparse.ArgumentTypeError(f"must be NAME=KIND, KIND one of {KINDS}; got {text!r}")
    return name, kind


def _read_pair(who: str, option: str, text: str, columns: list[str]) -> tuple[str, str]:
    """Read two names with a comma between them, which may hold commas of their own."""
    words = text.split(",")
    for i in range(1, len(words)):
        first, second = ",".join(words[:i]).strip(), ",".join(words[i:]).strip()
        if first in columns and second in columns and first != second:
            return first, second
    raise UsageError(f"{who}: {option} must name two columns as A,B; got {text!r}.")


def run_report(options: argparse.Namespace) -> None:
    """Read, fit, print and write."""
    from rich.console import Console

    from partage._data.files import expand
    from partage._report.json import summary_to_json
    from partage._report.text import print_summary
    from partage._report.views import view_graph, view_pair

    who = "partage report"
    if options.engine is None:
        expand(options.data)  # report a missing file before a folder that exists
    check_out(who, options.out, options.force)
    console = Console()
    log = Console(stderr=True)
    if options.engine is None:
        with waiting(log, f"Reading {source_name(options.data)}"):
            frame = _read(options)
        taken = check_target(who, frame, options)
        taken.notes.extend(_hints(taken.frame, options))
        del frame  # the columns live on in what was taken
    else:
        taken = take_source(who, options)
    pairs = [_read_pair(who, "--pair", text, taken.columns) for text in options.pair]
    graphs = [_read_pair(who, "--graph", text, taken.columns) for text in options.graph]
    model, summary = _fit(taken, options, log)
    views = {
        "pairs": [view_pair(model, taken.frame, options.target, names) for names in pairs],
        "graphs": [view_graph(model, taken.frame, options.target, names) for names in graphs],
    }
    files = make_files(model, summary, options.sql, views)
    write_files(options.out, files)
    if options.json:
        print(summary_to_json(summary))
        return
    print_summary(console, summary)
    console.print(
        "\n".join(f"Wrote {options.out / name}" for name in files),
        highlight=False,
        soft_wrap=True,
        markup=False,
    )
    console.print(f"Open {options.out / PAGE} in a browser.", highlight=False, soft_wrap=True)


def _read(options: argparse.Namespace) -> Any:
    """Read the files; columns declared categories keep their text."""
    from partage._data.files import read_files

    as_text = tuple(name for name, kind in options.kind if kind != "numeric")
    return read_files(options.data, reading_of(options, as_text))


def _hints(frame: Any, options: argparse.Namespace) -> list[str]:
    """Say which columns of a CSV file look like something else than the text they are."""
    from partage._data.files import expand, is_csv
    from partage.cli.hints import hints

    reading = reading_of(options)
    if not all(is_csv(source, reading) for source in expand(options.data)):
        return []
    skipped = {options.target, *(name for name, _ in options.kind)}
    return hints(frame, skipped, options.decimal_comma)


def _fit(taken: Any, options: argparse.Namespace, log: Console) -> tuple[Any, Any]:
    """Fit every column under a progress bar."""
    from partage._estimators.table_model import TableModel
    from partage._report.profile import fit_with_profiles
    from partage._report.summary import summarize

    model = TableModel(
        target_type="class",
        kinds=dict(options.kind) or None,
        max_parts=options.max_parts,
        min_part_size=options.min_part_size,
        missing=options.missing,
        cut_style=options.cut_style,
        round_cuts=options.round_cuts,
        n_jobs=options.n_jobs or -1,
    )
    with counting(log, "Partitioning", taken.n_columns) as advance:
        frame: Any = taken.frame
        if options.engine is not None:
            frame, advance = watched_source(frame, advance)
        profiles = fit_with_profiles(
            model, frame, options.target, sample_weight=taken.weights, advance=advance
        )
    source = source_name(options.data)
    summary = summarize(model, source=source, profiles=profiles, notes=taken.notes)
    return model, summary


def make_files(
    model: Any, summary: Any, dialect: str | None, views: dict[str, Any]
) -> dict[str, str]:
    """Write the page, the model and, where asked for, the rules, as text."""
    from partage._report.html import render_page
    from partage._saving.models import model_to_json

    files = {PAGE: render_page(summary, **views), MODEL: model_to_json(model)}
    if dialect is not None:
        files[RULES] = model.to_sql(dialect) + "\n"
    return files


def check_out(who: str, out: Path, force: bool) -> None:
    """Refuse a folder that holds something, unless a report there may be replaced."""
    if out.exists() and not out.is_dir():
        raise UsageError(f"{who}: --out must be a folder; {str(out)!r} is a file.")
    if out.is_dir() and any(out.iterdir()) and not force:
        raise UsageError(
            f"{who}: {str(out)!r} exists and is not empty; pass --force to replace the report in "
            "it, or another --out."
        )


def write_files(out: Path, files: dict[str, str]) -> None:
    """Write all files, or none."""
    from partage._support.safe_files import folder_safely

    with folder_safely(out) as draft:
        for name, text in files.items():
            (draft / name).write_bytes(text.encode("utf-8", "replace"))


@contextmanager
def waiting(log: Console, what: str) -> Iterator[None]:
    """Show on a terminal what is being done."""
    with log.status(what) if log.is_terminal else _nothing():
        yield


@contextmanager
def counting(log: Console, what: str, total: int) -> Iterator[Callable[[str], None]]:
    """Show on a terminal how many columns are done."""
    if not log.is_terminal:
        yield lambda _: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=log,
        transient=True,
    )
    with bar:
        task = bar.add_task(what, total=total)
        yield lambda _: bar.advance(task)


@contextmanager
def _nothing() -> Iterator[None]:
    """Do nothing, where there is no terminal."""
    yield
