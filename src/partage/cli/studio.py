"""``partage studio``: the parts of every column, edited in a browser."""

from __future__ import annotations

import argparse
import errno
import gc
import signal
from pathlib import Path
from typing import Any

from partage.cli.arguments import UsageError, read_count
from partage.cli.columns import add_columns, add_parts
from partage.cli.config import take_config
from partage.cli.engines import add_engine, take_source
from partage.cli.progress import counting, waiting
from partage.cli.reading import add_reading, source_name
from partage.cli.taking import add_samples, request_of, take_files
from partage.cli.target import add_target

_DEFAULT = Path("partage-studio/model.json")


def add_studio(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the parser of ``partage studio``."""
    parser = commands.add_parser(
        "studio",
        parents=[common],
        help="edit the parts of every column in a browser",
        description="Partition every column of a file, and edit the parts on a page that only this "
        "computer reaches: each edit shows what it costs. A model file may come first; its parts "
        "are edited then.",
    )
    parser.add_argument("data", nargs="+", help="files as for `partage report`; model.json first")
    add_target(parser)
    parser.add_argument(
        "--model",
        type=Path,
        metavar="PATH",
        help=f"where to save; continued where it is there ({_DEFAULT})",
    )
    parser.add_argument("--read-only", action="store_true", help="change nothing")
    parser.add_argument("--port", type=_read_port, default=0, help="of the page (any free one)")
    parser.add_argument("--no-browser", action="store_true", help="print the address only")
    parser.add_argument("--who", metavar="NAME", help="who edits (the name of the user)")
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="TOML file of these options, also by column"
    )
    add_samples(parser)
    add_columns(parser)
    add_parts(parser)
    parser.add_argument("--n-jobs", type=read_count, metavar="N", help="threads (all cores)")
    add_reading(parser)
    add_engine(parser)
    parser.set_defaults(command="studio", run=run_studio, parser=parser, pair=[], graph=[])


def _read_port(text: str) -> int:
    """Read the number of a port."""
    if not text.isdecimal() or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"must be a port from 0 to 65535; got {text!r}")
    return int(text)


def run_studio(options: argparse.Namespace) -> None:
    """Read, fit or take up a model, and serve until Ctrl-C."""
    from rich.console import Console

    from partage._data.files import expand
    from partage._saving.models import is_model, read_model
    from partage._support.extras import require

    who = "partage studio"
    take_config(who, options)
    require(who, "polars", "report")
    start = Path(options.data[0]) if is_model(options.data[0]) else None
    if start is not None:
        options.data = options.data[1:]
        if not options.data:
            raise UsageError(f"{who}: the data of {start} must be given behind it; there are none.")
        options.target = options.target or read_model(start).get("target")
    if options.target is None:
        raise UsageError(f"{who}: --target must name the column to be predicted; none was given.")
    log = Console(stderr=True)
    if options.engine is None:
        expand(options.data)
        with waiting(log, f"Reading {source_name(options.data)}"):
            taken = take_files(who, options)
    else:
        taken = take_source(who, options)
    notes = taken.notes
    try:
        studio = _open(taken, options, start, log)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        raise UsageError(f"{who}: --port {options.port} is in use; pass another one.") from None
    del taken  # the rows: counts are enough from here on
    gc.collect()
    gc.freeze()  # looking for cycles among all counts would hold up an answer
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # closing saves, as Ctrl-C does
    try:
        _tell(studio, notes, options)
        if not options.no_browser:
            studio.open()
        studio.wait()
    except KeyboardInterrupt:
        pass
    finally:
        studio.close()
    if not options.read_only:
        print(f"Saved {studio.path}", flush=True)


def _open(taken: Any, options: argparse.Namespace, start: Path | None, log: Any) -> Any:
    """Fit every column, or take the model up."""
    from partage._estimators.table_model import TableModel
    from partage.studio.opening import Opening, open_table, user_name

    model = TableModel(n_jobs=options.n_jobs or -1, **taken.parameters)
    opening = Opening(
        options.model or start or _DEFAULT,
        options.port,
        options.read_only,
        user_name() if options.who is None else options.who,
        start,
    )
    with counting(log, "Partitioning", taken.n_columns) as advance:
        request = request_of(taken, options, advance)
        return open_table(model, request, opening, taken.conversions)


def _tell(studio: Any, notes: list[str], options: argparse.Namespace) -> None:
    """Print the address on a line of its own, and what the user should know."""
    for note in notes:
        print(note)
    verb = "Shows" if options.read_only else "Saves to"
    print(f"{verb} {studio.path}. Press Ctrl-C to end. Open:", flush=True)
    print(studio.url, flush=True)
