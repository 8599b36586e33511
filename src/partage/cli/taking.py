"""A table as ``partage report`` takes it: files read, the target checked, columns understood."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from partage.cli.arguments import speaker
from partage.cli.columns import BY_COLUMN, check_columns, parameters_of
from partage.cli.engines import watched_source
from partage.cli.reading import reading_of, source_name
from partage.cli.target import cut_target

if TYPE_CHECKING:
    from partage._report.making import Request
    from partage._report.taking import Taken


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
    from partage._report.taking import Asked, take_table

    # Columns declared categories keep their text.
    ordered = {name for name, _ in options.ordered}
    as_text = ordered | {name for name, kind in options.kind if kind != "numeric"}
    notes: list[str] = []
    frame = read_files(options.data, reading_of(options, tuple(as_text)), notes)
    check_columns(who, frame.columns, options)
    made = {name: Conversion(name, "text") for name in ordered}
    frame = frame.with_columns(one.apply(frame[name]) for name, one in made.items())
    frame = frame.drop(*(name for name in options.drop if name != options.target))
    cut = cut_target(who, frame, options)
    if cut is not None:
        frame = frame.with_columns(cut.apply(frame[options.target]))
        made[options.target] = cut
        classes = cut.style.labels  # type: ignore[union-attr]  # of classes
        notes.append(f"{options.target} was cut into the classes: {', '.join(classes)}.")
    asked = Asked(
        target=options.target,
        target_type=options.target_type,
        positive=options.positive,
        weights=options.sample_weight,
        parameters=lambda columns: parameters_of(who, options, columns),
        kinds=dict(options.kind),
        ordered=ordered,
        special=dict(options.special),
        kept=_asked_of(options, frame.columns),
        texts=options.text,
        auto=options.auto,
        has_decimal_comma=options.decimal_comma,
        holdout=options.holdout,
        by=options.by,
        holds_trend=bool(options.monotonic),
    )
    taken = take_table(speaker(who), frame, asked)
    return replace(taken, notes=[*notes, *taken.notes], conversions=made | taken.conversions)


def request_of(
    taken: Taken, options: argparse.Namespace, advance: Callable[[str], None], **shown: Any
) -> Request:
    """Make of a table and the options what a page, or the studio, is made of."""
    from partage._report.making import Request

    frame: Any = taken.frame
    if options.engine is not None:
        frame, advance = watched_source(frame, advance)
    return Request(
        frame=frame,
        target=options.target,
        source=source_name(options.data),
        weights=taken.weights,
        holdout=options.holdout,
        periods=taken.periods,
        notes=taken.notes,
        advance=advance,
        **shown,
    )


def _asked_of(options: argparse.Namespace, columns: list[str]) -> set[str]:
    """Columns of which something is asked, so that none of them is left out."""
    pairs = [*options.pair, *options.graph]
    named = {name for option in BY_COLUMN for name, _ in getattr(options, option)}
    return named | {name for name in columns if any(name in text for text in pairs)}
