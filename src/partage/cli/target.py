"""The target and the weights of a file, taken out and checked before the fit."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from partage._support.checks import COUNTED_TYPES
from partage.cli.arguments import UsageError, did_you_mean

if TYPE_CHECKING:
    import polars as pl

    from partage._data.conversions import Conversion
    from partage._report.facts import Remark

_LEAST_QUANTILES, _MOST_QUANTILES = 2, 100
_MANY_NUMBERS = 100  # classes that look like amounts


@dataclass(frozen=True)
class Taken:
    """The columns with their target, the weights, and what the user should know."""

    frame: Any  # of polars, or a source of an engine
    weights: Any
    n_columns: int
    notes: list[str] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    conversions: dict[str, Conversion] = field(default_factory=dict)
    parameters: dict[str, Any] = field(default_factory=dict)  # of the estimator
    periods: Any = None  # of the rows

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(getattr(self.frame, "columns", None) or self.frame.names)


def add_target(parser: argparse.ArgumentParser) -> None:
    """Add the options of the target."""
    group = parser.add_argument_group("target")
    group.add_argument("--target", metavar="NAME", help="column of the classes, or of a number")
    group.add_argument(
        "--target-type",
        choices=COUNTED_TYPES,
        default="auto",
        help="classes, or a number; by default numbers that are not all whole are one",
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


def take_target(who: str, frame: pl.DataFrame, options: argparse.Namespace) -> Taken:
    """Check the target, leave out rows without one, and take the weights out of the columns."""
    target = options.target
    frame = frame.drop(*(name for name in options.drop if name != target))
    notes: list[str] = []
    conversions: dict[str, Conversion] = {}
    if options.target_above is not None or options.target_quantiles is not None:
        conversions[target] = _cut(who, frame[target], options)
        frame = frame.with_columns(conversions[target].apply(frame[target]))
        classes = conversions[target].style.labels  # type: ignore[union-attr]  # of classes
        notes.append(f"{target} was cut into the classes: {', '.join(classes)}.")
    is_number = _is_number(frame[target], options.target_type)
    kept = _has_class(frame[target])
    n_gaps = frame.height - int(kept.sum())
    what = "numbers" if is_number else "classes"
    if n_gaps == frame.height:
        raise UsageError(f"{who}: the target {target!r} must hold {what}; every row is missing.")
    if n_gaps:
        frame = frame.filter(kept)
        rows = "1 row" if n_gaps == 1 else f"{n_gaps:,} rows"
        one = "number" if is_number else "class"
        notes.append(f"{rows} without a {one} in {target!r} {_were(n_gaps)} left out.")
    if is_number:
        _check_number(who, frame[target], options)
    else:
        _check_classes(who, frame, target)
        notes.extend(_note_of_many(frame[target]))
    weights = None
    if options.sample_weight is not None:
        weights = _take_weights(who, frame, options.sample_weight)
        frame = frame.drop(options.sample_weight)
    if frame.width < 2:
        raise UsageError(
            f"{who}: the file must hold columns beside the target {target!r}; there is none."
        )
    parameters = {
        "positive": None if is_number else _event(who, frame[target], options.positive),
        "target_type": "number" if is_number else "class",
    }
    return Taken(
        _usable(frame),
        weights,
        frame.width - 1,
        notes,
        conversions=conversions,
        parameters=parameters,
    )


def _is_number(column: pl.Series, target_type: str) -> bool:
    """Tell whether the target is a number: as it was said, else where it is not all whole."""
    if target_type != "auto":
        return target_type == "number"
    if not (column.dtype.is_float() or column.dtype.is_decimal()):
        return False
    numbers = column.drop_nulls().cast(float)
    numbers = numbers.filter(numbers.is_finite())
    return bool((numbers != numbers.floor()).any())


def _check_number(who: str, column: pl.Series, options: argparse.Namespace) -> None:
    """Refuse what is no number, what is infinite, and an event."""
    name = column.name
    if not (column.dtype.is_numeric() or column.dtype.is_decimal()):
        raise UsageError(
            f"{who}: the target {name!r} must hold numbers for --target-type number; it holds "
            f"{column.dtype}. Leave --target-type out."
        )
    if column.dtype.is_float() and column.is_infinite().any():
        raise UsageError(
            f"{who}: the target {name!r} must hold finite numbers; some are infinite. Clip them."
        )
    if options.positive is not None:
        raise UsageError(
            f"{who}: --positive names a class, and the target {name!r} is a number. Leave it out, "
            "or cut the target with --target-above."
        )


def _note_of_many(column: pl.Series) -> list[str]:
    """Say so where numbers that are taken as classes look like amounts."""
    n = column.n_unique() if column.dtype.is_numeric() else 0
    if n <= _MANY_NUMBERS:
        return []
    return [
        f"{column.name} holds {n} different numbers, each taken as a class; pass --target-type "
        "number if it is an amount."
    ]


def _were(n: int) -> str:
    """Write the verb of a number of rows."""
    return "was" if n == 1 else "were"


def _has_class(column: pl.Series) -> pl.Series:
    """Tell which rows have a class."""
    found = column.is_not_null()
    return found & ~column.is_nan().fill_null(True) if column.dtype.is_float() else found


def _cut(who: str, column: pl.Series, options: argparse.Namespace) -> Conversion:
    """Find the classes that a target of numbers is cut into."""
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


def _event(who: str, column: pl.Series, positive: str | None) -> Any:
    """Find the class that a text names."""
    if positive is None:
        return None
    classes = column.unique().to_list()
    for label in classes:
        if str(label) == positive or str(label).casefold() == positive.casefold():
            return label
    if column.dtype.is_numeric():
        for label in classes:
            if positive in (f"{label:g}", str(int(label))):
                return label
    shown = ", ".join(repr(str(label)) for label in sorted(classes, key=str)[:12])
    raise UsageError(
        f"{who}: --positive must name a class of the target; got {positive!r}, it has {shown}."
        f"{did_you_mean(positive, list(map(str, classes)))}"
    )


def _check_classes(who: str, frame: pl.DataFrame, target: str) -> None:
    """Refuse a target that is constant, continuous, or different in most rows."""
    column = frame[target]
    remedy = (
        "Pass --target-type number for a number, or --target-above NUMBER or --target-quantiles 4 "
        "to cut it into classes."
    )
    if column.dtype.is_float():
        broken = column.filter(column != column.floor())
        if len(broken):
            raise UsageError(
                f"{who}: the target {target!r} must hold classes; got numbers such as "
                f"{broken[0]!r}. {remedy}"
            )
    if column.dtype.is_nested():
        raise UsageError(
            f"{who}: the target {target!r} must hold classes; got lists or records. Choose another "
            "target."
        )
    n_classes = column.n_unique()
    if n_classes == 1:
        raise UsageError(
            f"{who}: the target {target!r} must hold two classes at least; every row is "
            f"{column[0]!r}. Choose another target."
        )
    if n_classes > max(20, frame.height // 2):
        raise UsageError(
            f"{who}: the target {target!r} must hold classes that repeat; got {n_classes} "
            f"different values in {frame.height} rows. "
            f"{remedy if column.dtype.is_numeric() else 'Choose another target.'}"
        )


def _take_weights(who: str, frame: pl.DataFrame, name: str) -> Any:
    """Take the weights as numbers."""
    column = frame[name]
    if not column.dtype.is_numeric() or column.null_count():
        raise UsageError(
            f"{who}: the weights {name!r} must be numbers without gaps; got {column.dtype} with "
            f"{column.null_count()} missing."
        )
    return column.to_numpy()


def _usable(frame: pl.DataFrame) -> pl.DataFrame:
    """Turn numbers that are too wide for the core into floats."""
    import polars as pl

    wide = [name for name, dtype in frame.schema.items() if dtype in (pl.Int128, pl.UInt128)]
    return frame.with_columns(pl.col(wide).cast(pl.Float64)) if wide else frame
