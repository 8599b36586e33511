"""``partage apply``: the parts of a model file on new data."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from partage._support.checks import DENSE_OUTPUTS
from partage._support.speaking import did_you_mean
from partage.cli.arguments import UsageError, check_named
from partage.cli.reading import add_reading, reading_of

if TYPE_CHECKING:
    import polars as pl

_WRITERS = {
    ".parquet": "write_parquet",
    ".csv": "write_csv",
    ".arrow": "write_ipc",
    ".feather": "write_ipc",
    ".jsonl": "write_ndjson",
    ".ndjson": "write_ndjson",
}
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")  # what spreadsheets take for the start of one


def add_apply(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the parser of ``partage apply``."""
    parser = commands.add_parser(
        "apply",
        parents=[common],
        help="replace the values of a file by the parts of a model",
        description="Replace the values of new data by the parts that a model file holds.",
    )
    parser.add_argument("model", help="model.json, as `partage report` wrote it")
    parser.add_argument("data", nargs="+", help="files as for `partage report`")
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        required=True,
        metavar="FILE",
        help=f"file to write: {', '.join(_WRITERS)}",
    )
    parser.add_argument("--force", action="store_true", help="replace the file if it exists")
    parser.add_argument(
        "--output", choices=DENSE_OUTPUTS, default="code", help="what a part becomes (%(default)s)"
    )
    parser.add_argument(
        "--keep", action="append", default=[], metavar="NAME", help="column to pass through"
    )
    add_reading(parser)
    parser.set_defaults(command="apply", run=run_apply)


def run_apply(options: argparse.Namespace) -> None:
    """Read the model and the data, transform and write."""
    from partage._data.files import expand
    from partage._report.text import count_of
    from partage._support.safe_files import file_safely

    who = "partage apply"
    ending = options.out.suffix.lower()
    if ending not in _WRITERS:
        raise UsageError(
            f"{who}: --out must end in {', '.join(_WRITERS)}; got {str(options.out)!r}."
        )
    expand(options.data)  # report a missing file before one that exists
    if options.out.is_dir() or (options.out.exists() and not options.force):
        raise UsageError(f"{who}: {str(options.out)!r} exists; pass --force to replace it.")
    model, frame = read_model_and_data(who, options)
    model.output = options.output
    found = transform_frame(who, model, frame, options.keep)
    if ending == ".csv":
        found = found.rename(_plain_names(found.columns))
    with file_safely(options.out) as draft:
        getattr(found, _WRITERS[ending])(draft)
    size = f"{count_of(found.height, 'row')}, {count_of(found.width, 'column')}"
    print(f"Wrote {options.out}: {size}.")


def _plain_names(names: list[str]) -> dict[str, str]:
    """Set an apostrophe before names that a spreadsheet would run as a formula."""
    return {name: f"'{name}" for name in names if name.startswith(_FORMULAS)}


def read_model_and_data(who: str, options: argparse.Namespace) -> tuple[Any, pl.DataFrame]:
    """Read a model, then data as it needs them: what it knows as text stays text.

    Columns that were made from text are made in the same way.
    """
    from partage._data.conversions import convert
    from partage._data.files import read_files
    from partage._estimators.table_model import TableModel

    model = TableModel.load(options.model)
    made = model._conversions
    as_text = {
        name
        for name, partition in model.partitions_.items()
        if any(isinstance(value, str) for members in partition.rule.members() for value in members)
    } | {one.source for one in made.values() if one.to != "classes"}
    notes: list[str] = []
    frame = read_files(options.data, reading_of(options, tuple(as_text)), notes)
    for note in notes:
        print(note, file=sys.stderr)
    needed = dict.fromkeys(made[n].source if n in made else n for n in model.partitions_)
    lacking = [name for name in needed if name not in frame.columns]
    if lacking:
        more = "" if len(lacking) == 1 else f" and {len(lacking) - 1} more"
        raise UsageError(
            f"{who}: the data must hold the columns of the model; {lacking[0]!r}{more} "
            f"{'is' if len(lacking) == 1 else 'are'} absent."
            f"{did_you_mean(lacking[0], frame.columns)}"
        )
    return model, convert(frame, made)


def transform_frame(who: str, model: Any, frame: pl.DataFrame, keep: list[str]) -> pl.DataFrame:
    """Transform the columns of a model, behind those that are kept."""
    import polars as pl

    for name in keep:
        check_named(who, "--keep", name, frame.columns)
    values = model.transform(frame.select(list(model.partitions_)))
    names = model.feature_names()
    clash = [name for name in keep if name in names]
    if clash:
        raise UsageError(
            f"{who}: --keep must name a column that the model does not write; got {clash[0]!r}."
        )
    parts = [pl.Series(name, values[:, i]) for i, name in enumerate(names)]
    kept = [frame[name] for name in keep]
    return pl.DataFrame([*kept, *parts], strict=False)
