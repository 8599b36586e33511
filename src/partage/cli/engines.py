"""Options of the commands that leave the counting to an engine."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from partage.cli.arguments import UsageError, speaker
from partage.cli.columns import BY_COLUMN, check_columns, parameters_of

if TYPE_CHECKING:
    from partage._report.taking import Taken

_IN_MEMORY = (
    *("format", "separator", "missing_values", "decimal_comma", "pair", "graph", "holdout", "by"),
    *("text", "auto", "target_above", "target_quantiles"),
)
ENGINES = ("duckdb", "polars", "dask", "spark")


def add_engine(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose an engine and its memory."""
    group = parser.add_argument_group("files beyond memory")
    group.add_argument(
        "--engine", choices=ENGINES, help="count Parquet or CSV files by an engine, not in memory"
    )
    group.add_argument("--memory", metavar="SIZE", help="memory the engine may use, such as 4GB")
    group.add_argument("--spill", metavar="DIR", help="folder for what does not fit into it")
    group.add_argument(
        "--exact", action="store_true", help="count every number one by one, however many"
    )


def take_source(who: str, options: argparse.Namespace) -> Taken:
    """Open files by an engine, without the columns to skip."""
    import narwhals as nw

    from partage._report.first_rows import find_event, look_at_first
    from partage._report.taking import Taken
    from partage.engines import scan

    for option in _IN_MEMORY:
        if getattr(options, option):
            name = "--" + option.replace("_", "-")
            raise UsageError(
                f"{who}: {name} is for files read into memory; an engine reads Parquet and CSV in "
                "its own way, and never all rows. Leave out --engine, or that option."
            )
    if options.target_type == "ordered":
        raise UsageError(
            f"{who}: --target-type ordered needs the rows in memory. Leave out --engine, or the "
            "order."
        )
    source = scan(
        list(options.data), engine=options.engine, memory=options.memory, spill=options.spill
    )
    check_columns(who, list(source.names), options)
    notes = [f"Counted by {options.engine}, out of memory."]
    frame = nw.from_native(source.native)
    if options.drop:
        frame = frame.drop(*options.drop)
    frame = frame.filter(~nw.col(options.target).is_null())
    event = find_event(speaker(who), frame, options.target, options.positive)
    found = look_at_first(
        frame,
        skipped=[name for name in (options.target, options.sample_weight) if name],
        kinds=dict(options.kind) | {name: "ordered" for name, _ in options.ordered},
        kept={name for option in BY_COLUMN for name, _ in getattr(options, option)},
    )
    frame = frame.drop(*found.left_out)
    # Tables as of files that are read into memory, so that the model file is the same.
    opened = replace(scan(frame.to_native(), exact=options.exact), library="polars")
    taken = {options.target, options.sample_weight}
    columns = [name for name in opened.names if name not in taken]
    parameters = parameters_of(who, options, columns)
    kinds = {name: kind for name, kind in options.kind if name in columns}
    parameters |= {"kinds": kinds or None, "positive": event}
    parameters["target_type"] = options.target_type
    if not columns:
        reasons = "; ".join(f"{one.column}: {one.text}" for one in found.remarks)
        raise UsageError(f"{who}: every column was left out: {reasons}.")
    return Taken(
        opened,
        options.sample_weight,
        len(columns),
        notes,
        remarks=found.remarks,
        parameters=parameters,
    )


def watched_source(
    source: Any, advance: Callable[[str], None]
) -> tuple[Any, Callable[[str], None]]:
    """Tell the columns of a source as their turn comes, instead of when they are done."""
    return replace(source, progress=lambda name, _, __: advance(name)), lambda _: None
