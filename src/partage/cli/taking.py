"""A table as ``partage report`` takes it: files read, the target checked, columns understood."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

from partage.cli.arguments import UsageError
from partage.cli.columns import check_columns, parameters_of
from partage.cli.reading import reading_of
from partage.cli.target import Taken, take_target


def add_samples(parser: argparse.ArgumentParser) -> None:
    """Add the options that set rows aside, or compare some with others."""
    group = parser.add_argument_group("samples")
    group.add_argument(
        "--by",
        metavar="NAME",
        help="column of periods or segments; with --monotonic the trend holds in each",
    )
    group.add_argument(
        "--holdout",
        type=_read_share,
        metavar="SHARE",
        help="share of the rows to set aside, and to compare with the others",
    )


def _read_share(text: str) -> float:
    """Read a share between 0 and 1."""
    try:
        share = float(text)
    except ValueError:
        share = 0.0
    if not 0 < share < 1:
        raise argparse.ArgumentTypeError(f"must be a share between 0 and 1; got {text!r}")
    return share


def take_files(who: str, options: argparse.Namespace) -> Taken:
    """Read the files, take the target, and look at the columns."""
    from partage._data.conversions import Conversion
    from partage._data.files import read_files
    from partage._report.readings import prepare

    # Columns declared categories keep their text.
    ordered = {name for name, _ in options.ordered}
    as_text = ordered | {name for name, kind in options.kind if kind != "numeric"}
    notes: list[str] = []
    frame = read_files(options.data, reading_of(options, tuple(as_text)), notes)
    check_columns(who, frame.columns, options)
    made = {name: Conversion(name, "text") for name in ordered}
    frame = frame.with_columns(one.apply(frame[name]) for name, one in made.items())
    taken = take_target(who, frame, options)
    found = prepare(
        taken.frame,
        options.target,
        kinds=dict(options.kind) | dict.fromkeys(ordered, "ordered"),
        special={name: values for name, values in options.special if name},
        texts=options.text,
        auto=options.auto,
        has_decimal_comma=options.decimal_comma,
        sample_weight=taken.weights,
    )
    columns = [name for name in found.frame.columns if name != options.target]
    if not columns:
        reasons = "; ".join(map(str, found.decisions))
        raise UsageError(f"{who}: every column was left out: {reasons}.")
    parameters = parameters_of(who, options, columns, found.special)
    kinds = {name: kind for name, kind in found.kinds.items() if name not in ordered}
    return replace(
        taken,
        frame=found.frame,
        n_columns=len(columns),
        notes=[*notes, *taken.notes],
        decisions=found.decisions,
        conversions=taken.conversions | made | found.conversions,
        parameters=taken.parameters | parameters | {"kinds": _of(kinds, columns)},
    )


def _of(given: dict[str, Any], columns: list[str]) -> dict[str, Any] | None:
    """Keep what is said of columns that are left."""
    return {name: value for name, value in given.items() if name in columns} or None
