"""A table as ``partage report`` takes it: files read, the target checked, columns understood."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from partage.cli.arguments import UsageError
from partage.cli.columns import BY_COLUMN, check_columns, parameters_of, turned
from partage.cli.reading import reading_of
from partage.cli.target import Taken, take_target

if TYPE_CHECKING:
    import polars as pl


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
    import polars as pl

    from partage._data.conversions import Conversion
    from partage._data.files import read_files
    from partage._report.making import held_out
    from partage._report.readings import prepare, remarks_of

    # Columns declared categories keep their text.
    ordered = {name for name, _ in options.ordered}
    as_text = ordered | {name for name, kind in options.kind if kind != "numeric"}
    notes: list[str] = []
    frame = read_files(options.data, reading_of(options, tuple(as_text)), notes)
    check_columns(who, frame.columns, options)
    made = {name: Conversion(name, "text") for name in ordered}
    frame = frame.with_columns(one.apply(frame[name]) for name, one in made.items())
    taken = take_target(who, frame, options)
    held = None if options.holdout is None else held_out(taken.frame.height, options.holdout)
    found = prepare(
        taken.frame,
        options.target,
        kinds=dict(options.kind) | dict.fromkeys(ordered, "ordered"),
        special={name for name, _ in options.special},
        kept=_asked_of(options, frame.columns),
        texts=options.text,
        auto=options.auto,
        has_decimal_comma=options.decimal_comma,
        sample_weight=taken.weights,
        is_fitted=None if held is None else pl.Series(~held),
        target_type=taken.parameters["target_type"],
    )
    frame, periods = _take_periods(who, found.frame, options)
    columns = [name for name in frame.columns if name != options.target]
    if not columns:
        reasons = "; ".join(map(str, found.decisions)) or "it names the periods"
        raise UsageError(f"{who}: every column was left out: {reasons}.")
    parameters = found.parameters(parameters_of(who, options, columns) | taken.parameters)
    kinds = {name: kind for name, kind in (parameters["kinds"] or {}).items() if name in columns}
    kinds = {name: kind for name, kind in kinds.items() if name not in ordered}
    event = taken.parameters["positive"]
    if event is not None and event == frame[options.target].min():
        # A trend of the library is that of the last class.
        parameters["monotonic"] = turned(parameters["monotonic"])
    return replace(
        taken,
        frame=frame,
        n_columns=len(columns),
        notes=[*notes, *taken.notes],
        remarks=remarks_of(found.decisions),
        conversions=taken.conversions | made | found.conversions,
        parameters=parameters | {"kinds": kinds or None},
        periods=periods,
    )


def _asked_of(options: argparse.Namespace, columns: list[str]) -> set[str]:
    """Columns of which something is asked, so that none of them is left out."""
    pairs = [*options.pair, *options.graph]
    named = {name for option in BY_COLUMN for name, _ in getattr(options, option)}
    return named | {name for name in columns if any(name in text for text in pairs)}


def _take_periods(
    who: str, frame: pl.DataFrame, options: argparse.Namespace
) -> tuple[pl.DataFrame, Any]:
    """Take the periods of the rows: the values of a column, dates by month or year.

    The column stays where a trend must hold in each period.
    """
    import polars as pl

    from partage._report.making import MOST_PERIODS, check_periods

    if options.by is None:
        return frame, None
    if options.by not in frame.columns or options.by == options.target:
        raise UsageError(
            f"{who}: --by must name a column that is neither left out nor the target; got "
            f"{options.by!r}."
        )
    column = frame[options.by]
    if column.dtype in (pl.Date, pl.Datetime):
        months, years = (column.dt.strftime(style) for style in ("%Y-%m", "%Y"))
        column = months if months.n_unique() <= MOST_PERIODS else years
    periods = column.cast(pl.String).fill_null("missing").to_list()
    kept = frame if options.monotonic else frame.drop(options.by)
    return kept, check_periods(who, "--by", periods)
