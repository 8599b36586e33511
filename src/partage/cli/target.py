"""Options of the target, and the classes that a target of numbers is cut into."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from partage._support.checks import TARGET_TYPES
from partage.cli.arguments import UsageError

if TYPE_CHECKING:
    import polars as pl

    from partage._data.conversions import Conversion

_LEAST_QUANTILES, _MOST_QUANTILES = 2, 100


def add_target(parser: argparse.ArgumentParser) -> None:
    """Add the options of the target."""
    group = parser.add_argument_group("target")
    group.add_argument("--target", metavar="NAME", help="column of the classes, or of a number")
    group.add_argument(
        "--target-type",
        choices=TARGET_TYPES,
        default="auto",
        help="classes, classes in order, or a number; by default numbers that are not all whole "
        "are one",
    )
    group.add_argument(
        "--positive", metavar="CLASS", help="the event, whose rate is shown (the last class)"
    )
    group.add_argument(
        "--target-above",
        type=float,
        metavar="NUMBER",
        help="of a target of numbers: whether it is above",
    )
    group.add_argument(
        "--target-quantiles",
        type=_read_quantiles,
        metavar="N",
        help="of a target of numbers: N classes of equal size",
    )
    group.add_argument("--sample-weight", metavar="NAME", help="column of the rows' frequencies")


def _read_quantiles(text: str) -> int:
    """Read the number of classes."""
    if text.isdecimal() and _LEAST_QUANTILES <= int(text) <= _MOST_QUANTILES:
        return int(text)
    raise argparse.ArgumentTypeError(
        f"must be an integer from {_LEAST_QUANTILES} to {_MOST_QUANTILES}; got {text!r}"
    )


def cut_target(who: str, frame: pl.DataFrame, options: argparse.Namespace) -> Conversion | None:
    """Find the classes that a target of numbers is cut into, where that was asked for."""
    if options.target_above is None and options.target_quantiles is None:
        return None
    return _cut(who, frame[options.target], options)


def _cut(who: str, column: pl.Series, options: argparse.Namespace) -> Conversion:
    """Find the cuts, and how the numbers are written."""
    import polars as pl

    from partage._data.conversions import Conversion, NumberClasses
    from partage._data.number_text import find_number_text

    option = "--target-above" if options.target_above is not None else "--target-quantiles"
    if options.target_above is not None and options.target_quantiles is not None:
        raise UsageError(f"{who}: --target-above and --target-quantiles exclude each other.")
    text = None
    numbers = column
    if column.dtype == pl.String:
        text = find_number_text(column.drop_nulls(), options.decimal_comma)
        numbers = pl.Series([None]) if text is None else text.parse(column)
    if not numbers.dtype.is_numeric() or numbers.null_count() == len(numbers):
        raise UsageError(
            f"{who}: {option} is for a target of numbers; {column.name!r} holds {column.dtype}. "
            "Leave it out."
        )
    if options.target_above is not None:
        return Conversion(column.name, "classes", NumberClasses((options.target_above,), text))
    n = options.target_quantiles
    found = numbers.cast(pl.Float64).drop_nulls().drop_nans()
    at = [found.quantile(i / n, interpolation="lower") for i in range(1, n)]
    largest = found.sort()[-1]
    cuts = tuple(sorted({float(cut) for cut in at if cut is not None and cut < largest}))
    if not cuts:
        raise UsageError(
            f"{who}: --target-quantiles needs different numbers; most of {column.name!r} are "
            f"{largest:g}. Pass --target-above."
        )
    return Conversion(column.name, "classes", NumberClasses(cuts, text))
