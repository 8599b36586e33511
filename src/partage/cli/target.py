"""The target and the weights of a file, taken out and checked before the fit."""

from __future__ import annotations

import argparse
import difflib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from partage.cli.arguments import UsageError

if TYPE_CHECKING:
    import polars as pl

_MOST_NAMED = 12  # columns that a message names


@dataclass(frozen=True)
class Taken:
    """The columns with their target, the weights, and what the user should know."""

    frame: Any  # of polars, or a source of an engine
    weights: Any
    n_columns: int
    notes: list[str] = field(default_factory=list)

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(getattr(self.frame, "columns", None) or self.frame.names)


def check_target(who: str, frame: pl.DataFrame, options: argparse.Namespace) -> Taken:
    """Check the target and take the weights out of the columns."""
    target = options.target
    _check_named(who, frame, "--target", target)
    for name in [*options.drop, *(name for name, _ in options.kind)]:
        _check_named(who, frame, "--drop or --kind", name)
    frame = frame.drop(*(name for name in options.drop if name != target))
    notes: list[str] = []
    gaps = frame[target].null_count()
    if frame[target].dtype.is_float():
        gaps += int(frame[target].is_nan().sum())
    if gaps == frame.height:
        raise UsageError(f"{who}: the target {target!r} must hold classes; every row is missing.")
    if gaps and not options.drop_missing_target:
        raise UsageError(
            f"{who}: the target {target!r} must hold a class in every row; {gaps} of "
            f"{frame.height} are missing. Pass --drop-missing-target to leave these rows out."
        )
    if gaps:
        kept = frame[target].is_not_null()
        if frame[target].dtype.is_float():
            kept = kept & ~frame[target].is_nan().fill_null(True)
        frame = frame.filter(kept)
        notes.append(f"{gaps:,} rows without a class were left out.")
    _check_classes(who, frame, target)
    weights = None
    if options.sample_weight is not None:
        _check_named(who, frame, "--sample-weight", options.sample_weight)
        weights = _take_weights(who, frame, options.sample_weight)
        frame = frame.drop(options.sample_weight)
    if frame.width < 2:
        raise UsageError(
            f"{who}: the file must hold columns beside the target {target!r}; there is none."
        )
    return Taken(_usable(frame), weights, frame.width - 1, notes)


def _check_named(who: str, frame: pl.DataFrame, option: str, name: str) -> None:
    """Refuse a name that no column has."""
    from partage._data.headers import is_number

    if name in frame.columns:
        return
    if any(is_number(column) for column in frame.columns):
        first = ", ".join(frame.columns[:4])
        raise UsageError(
            f"{who}: {option} must name a column; got {name!r}, and the first line ({first}) looks "
            "like data. Put a line of names before the data."
        )
    near = difflib.get_close_matches(name, frame.columns, n=1)
    shown = ", ".join(map(repr, frame.columns[:_MOST_NAMED]))
    more = "" if len(frame.columns) <= _MOST_NAMED else f" and {frame.width - _MOST_NAMED} more"
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise UsageError(
        f"{who}: {option} must name a column; got {name!r}, the file has {shown}{more}.{hint}"
    )


def _check_classes(who: str, frame: pl.DataFrame, target: str) -> None:
    """Refuse a target that is constant, continuous, or different in most rows."""
    column = frame[target]
    if column.dtype.is_float():
        broken = column.filter(column != column.floor())
        if len(broken):
            raise UsageError(
                f"{who}: the target {target!r} must hold classes; got numbers such as "
                f"{broken[0]!r}. Cut it into classes first."
            )
    if column.dtype.is_nested():
        raise UsageError(f"{who}: the target {target!r} must hold classes; got lists or records.")
    n_classes = column.n_unique()
    if n_classes == 1:
        raise UsageError(
            f"{who}: the target {target!r} must hold two classes at least; every row is "
            f"{column[0]!r}. Choose another target."
        )
    if n_classes > max(20, frame.height // 2):
        raise UsageError(
            f"{who}: the target {target!r} must hold classes that repeat; got {n_classes} "
            f"different values in {frame.height} rows. Choose another target."
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
    """Turn numbers that are too wide for the core into floats, and times into text."""
    import polars as pl

    wide = [name for name, dtype in frame.schema.items() if dtype in (pl.Int128, pl.UInt128)]
    return frame.with_columns(pl.col(wide).cast(pl.Float64)) if wide else frame
