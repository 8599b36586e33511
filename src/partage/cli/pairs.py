"""``partage pairs`` and ``partage cocluster``: what the columns of a file say together."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from partage.cli.arguments import UsageError, check_named, read_count
from partage.cli.reading import add_reading, reading_of

if TYPE_CHECKING:
    import polars as pl

_SHOWN = 20  # pairs that a terminal shows
_MOST_CLASSES = 1000


def add_pairs(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the parser of ``partage pairs``."""
    parser = commands.add_parser(
        "pairs",
        parents=[common],
        help="rank pairs of columns by what they say together",
        description="Rank the pairs of columns of a file: with --target by what they say of the "
        "class beyond both alone, without it by how much they repeat each other.",
    )
    parser.add_argument("data", nargs="+", help="files as for `partage report`")
    parser.add_argument("--target", metavar="NAME", help="column of the classes")
    parser.add_argument(
        "--top", type=read_count, default=_SHOWN, metavar="N", help=f"pairs to print ({_SHOWN})"
    )
    _add_common(parser)
    parser.set_defaults(command="pairs", run=run_pairs)


def add_cocluster(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the parser of ``partage cocluster``."""
    parser = commands.add_parser(
        "cocluster",
        parents=[common],
        help="group the values of columns by which occur together",
        description="Group the values of two columns or more by which of them occur together.",
    )
    parser.add_argument("data", help="a file as for `partage report`")
    parser.add_argument("columns", nargs="+", metavar="COLUMN", help="two columns or more")
    parser.add_argument("--counts", metavar="NAME", help="column of how often each row occurred")
    parser.add_argument(
        "--information",
        type=float,
        metavar="SHARE",
        help="merge parts while this share of the information is left",
    )
    _add_common(parser)
    parser.set_defaults(command="cocluster", run=run_cocluster)


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--method", choices=("modl", "khiops11"), default="modl", help="prior")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--n-jobs", type=int, default=None, metavar="N", help="threads (1)")
    add_reading(parser)


def _read(paths: list[str], options: argparse.Namespace) -> pl.DataFrame:
    """Read files."""
    from partage._data.files import read_files

    notes: list[str] = []
    frame = read_files(paths, reading_of(options), notes)
    for note in notes:
        print(note, file=sys.stderr)
    return frame


def run_pairs(options: argparse.Namespace) -> None:
    """Rank the pairs and print them."""
    import partage as pt

    who = "partage pairs"
    frame = _read(options.data, options)
    if options.target is not None:
        check_named(who, "--target", options.target, frame.columns)
        if frame[options.target].n_unique() > _MOST_CLASSES:
            raise UsageError(
                f"{who}: --target must hold classes; {options.target!r} has "
                f"{frame[options.target].n_unique()} different values."
            )
        frame = frame.filter(frame[options.target].is_not_null())
        classes = frame[options.target].cast(str).to_numpy()
        frame = frame.drop(options.target)
    else:
        classes = None
    found = pt.pairs(frame, classes, top=options.top, method=options.method, n_jobs=options.n_jobs)
    rows = found.to_dicts()
    if options.json:
        from partage._report.json import to_json

        print(to_json({"partage_pairs": 1, "rows": frame.height, "pairs": rows}))
        return
    _print(rows, ["column1", "column2", "level", "level1", "level2", "synergy", "parts1", "parts2"])


def run_cocluster(options: argparse.Namespace) -> None:
    """Group the values of the columns and print the groups."""
    import partage as pt

    who = "partage cocluster"
    frame = _read([options.data], options)
    for name in options.columns:
        check_named(who, "COLUMN", name, frame.columns)
    if options.counts is not None:
        check_named(who, "--counts", options.counts, frame.columns)
    if len(options.columns) < 2:
        raise UsageError(f"{who}: two columns or more must be named; got {options.columns[0]!r}.")
    found = pt.cocluster(
        frame,
        options.columns,
        weight=options.counts,
        method=options.method,
        n_jobs=options.n_jobs,
    )
    if options.information is not None:
        found = found.simplify(options.information)
    if options.json:
        from partage._report.json import to_json

        print(to_json(found.to_dict()))
        return
    print(found)
    for axis in found.axes:
        rows = [
            {"part": k, axis.name: label, "rows": int(n)}
            for k, (label, n) in enumerate(zip(axis.labels(), axis.rows, strict=True))
        ]
        _print(rows, ["part", axis.name, "rows"])


def _print(rows: list[dict[str, Any]], names: list[str]) -> None:
    """Print rows as a table."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, header_style="bold")
    for name in names:
        is_number = bool(rows) and isinstance(rows[0][name], (int, float))
        table.add_column(name, justify="right" if is_number else "left", overflow="fold")
    for row in rows:
        table.add_row(*(_shown(row[name]) for name in names))
    Console().print(table)


def _shown(value: Any) -> str:
    """Write one cell."""
    return f"{value:.4f}" if isinstance(value, float) else str(value)
