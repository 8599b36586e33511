"""``partage report``: every column of a file, in a terminal, on a page and in a model file."""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from partage.cli.arguments import UsageError, check_named, read_count
from partage.cli.columns import add_columns, add_parts
from partage.cli.config import take_config
from partage.cli.engines import add_engine, take_source
from partage.cli.progress import counting, waiting
from partage.cli.reading import add_reading, source_name
from partage.cli.taking import add_samples, request_of, take_files
from partage.cli.target import add_target

if TYPE_CHECKING:
    from rich.console import Console

    from partage._estimators.table_model import TableModel
    from partage._report.document import ReportPage
    from partage._report.facts import Summary
    from partage._report.taking import Taken

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
        "data",
        nargs="+",
        help="CSV, Excel, Parquet, Arrow, JSON; patterns; folders; file.db:table; - for standard "
        "input",
    )
    add_target(parser)
    parser.add_argument(
        "--out", type=Path, metavar="DIR", default=_DEFAULT_OUT, help="folder (%(default)s)"
    )
    parser.add_argument("--force", action="store_true", help="replace the files of a report there")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    parser.add_argument("--sql", metavar="DIALECT", help=f"write {RULES} too, such as duckdb")
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="TOML file of these options, also by column"
    )
    parser.add_argument(
        "--pair", action="append", default=[], metavar="A,B", help="show two columns together"
    )
    parser.add_argument(
        "--graph", action="append", default=[], metavar="A,B", help="show rows of two as a graph"
    )
    add_samples(parser)
    add_columns(parser)
    add_parts(parser)
    parser.add_argument("--n-jobs", type=read_count, metavar="N", help="threads (all cores)")
    add_reading(parser)
    add_engine(parser)
    parser.set_defaults(command="report", run=run_report, parser=parser)


def _read_pair(who: str, option: str, text: str, columns: list[str]) -> tuple[str, str]:
    """Read two names with a comma between them, which may hold commas of their own."""
    words = text.split(",")
    for i in range(1, len(words)):
        first, second = ",".join(words[:i]).strip(), ",".join(words[i:]).strip()
        if first in columns and second in columns and first != second:
            return first, second
    first, _, second = text.partition(",")
    for name in (first.strip(), second.strip()):
        if name:
            check_named(who, option, name, columns)
    raise UsageError(f"{who}: {option} must name two columns as A,B; got {text!r}.")


def run_report(options: argparse.Namespace) -> None:
    """Read, fit, print and write."""
    from rich.console import Console

    from partage._data.files import expand
    from partage._report.json import summary_to_json
    from partage._report.text import print_summary

    who = "partage report"
    take_config(who, options)
    if options.target is None:
        raise UsageError(f"{who}: --target must name the column to be predicted; none was given.")
    if options.engine is None:
        expand(options.data)  # report a missing file before a folder that exists
    check_out(who, options.out, options.force)
    console = Console()
    log = Console(stderr=True)
    if options.engine is None:
        with waiting(log, f"Reading {source_name(options.data)}"):
            taken = take_files(who, options)
    else:
        taken = take_source(who, options)
    model, summary, page = _make(who, taken, options, log)
    files = make_files(model, page, options.sql)
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


def _make(
    who: str, taken: Taken, options: argparse.Namespace, log: Console
) -> tuple[TableModel, Summary, ReportPage]:
    """Fit every column under a progress bar, and write the page."""
    from partage._estimators.table_model import TableModel
    from partage._report.making import make_report

    model = TableModel(n_jobs=options.n_jobs or -1, **taken.parameters)
    with counting(log, "Partitioning", taken.n_columns) as advance, warnings.catch_warnings():
        # The notes say it in the words of the command.
        warnings.filterwarnings("ignore", ".*each is taken as a class")
        request = request_of(
            taken,
            options,
            advance,
            remarks=taken.remarks,
            pairs=[_read_pair(who, "--pair", text, taken.columns) for text in options.pair],
            graphs=[_read_pair(who, "--graph", text, taken.columns) for text in options.graph],
        )
        summary, page = make_report(model, request)
    # A file says what the target was taken for, whoever counted.
    model._parameters["target_type"] = next(iter(model.partitions_.values())).target.kind
    model._conversions = {
        name: made
        for name, made in taken.conversions.items()
        if name in model.partitions_ or name == options.target
    }
    return model, summary, page


def make_files(model: Any, page: Any, dialect: str | None) -> dict[str, str]:
    """Write the page, the model and, where asked for, the rules, as text."""
    from partage._saving.models import model_to_json

    files = {PAGE: page.html, MODEL: model_to_json(model)}
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
