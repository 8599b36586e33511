"""The target and the weights of a table, checked before the fit; rows without a target left out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from partage._support.speaking import Speaker, did_you_mean

if TYPE_CHECKING:
    import polars as pl

__all__ = ["TakenTarget", "find_class", "take_target"]

_MANY_NUMBERS = 100  # classes that look like amounts
_MOST_SHOWN = 12  # classes that a message names


@dataclass(frozen=True)
class TakenTarget:
    """Rows that have a target, their weights, and what the target was taken for."""

    frame: pl.DataFrame
    weights: Any
    kept: pl.Series  # which rows of the table these are
    positive: Any
    target_type: str
    notes: list[str] = field(default_factory=list)


def take_target(
    speaker: Speaker,
    frame: pl.DataFrame,
    target: str,
    *,
    target_type: str = "auto",
    positive: Any = None,
    weights: Any = None,
) -> TakenTarget:
    """Check the target, and leave out rows without one.

    Parameters
    ----------
    speaker : Speaker
        Who speaks to the user.
    frame, target : polars.DataFrame, str
        The table, and the name of its column that holds the target.
    target_type : str, default="auto"
        What the target is.
    positive : class, default=None
        The event, or how it is written.
    weights : str or array, default=None
        The column that holds the weights, which is taken out of the table, or the weights.
    """
    is_number = _is_number(frame[target], target_type)
    kept = _has_class(frame[target])
    n_gaps = frame.height - int(kept.sum())
    notes: list[str] = []
    if n_gaps == frame.height:
        what = "numbers" if is_number else "classes"
        raise speaker.refuse(f"the target {target!r} must hold {what}; every row is missing.")
    if n_gaps:
        frame = frame.filter(kept)
        rows = "1 row" if n_gaps == 1 else f"{n_gaps:,} rows"
        one, were = "number" if is_number else "class", "was" if n_gaps == 1 else "were"
        notes.append(f"{rows} without a {one} in {target!r} {were} left out.")
    if is_number:
        _check_number(speaker, frame[target], positive)
    else:
        _check_classes(speaker, frame, target)
        frame = frame.with_columns(_as_labels(frame[target]))
        notes.extend(_note_of_many(frame[target]))
    if isinstance(weights, str):
        frame, weights = frame.drop(weights), _take_weights(speaker, frame[weights])
    elif weights is not None and n_gaps:
        weights = weights[kept.to_numpy()]
    if frame.width < 2:
        raise speaker.refuse(
            f"{'the file' if speaker.is_command else 'X'} must hold columns beside the target "
            f"{target!r}; there is none."
        )
    return TakenTarget(
        frame=_usable(frame),
        weights=weights,
        kept=kept,
        positive=None if is_number else find_class(speaker, frame[target].unique(), positive),
        target_type=_type_of(is_number, target_type),
        notes=notes,
    )


def _type_of(is_number: bool, target_type: str) -> str:
    """Say what the target is taken for."""
    if target_type not in ("auto", "number"):
        return target_type
    return "number" if is_number else "class"


def _is_number(column: pl.Series, target_type: str) -> bool:
    """Tell whether the target is a number: as it was said, else where it is not all whole."""
    if target_type != "auto":
        return target_type == "number"
    if not (column.dtype.is_float() or column.dtype.is_decimal()):
        return False
    numbers = column.drop_nulls().cast(float)
    numbers = numbers.filter(numbers.is_finite())
    return bool((numbers != numbers.floor()).any())


def _check_number(speaker: Speaker, column: pl.Series, positive: Any) -> None:
    """Refuse what is no number, what is infinite, and an event."""
    name = column.name
    if not (column.dtype.is_numeric() or column.dtype.is_decimal()):
        option = speaker.option("target_type", "number")
        raise speaker.refuse(
            f"the target {name!r} must hold numbers for {option}; it holds {column.dtype}. Leave "
            f"{speaker.option('target_type')} out."
        )
    if column.dtype.is_float() and column.is_infinite().any():
        raise speaker.refuse(
            f"the target {name!r} must hold finite numbers; some are infinite. Clip them."
        )
    if positive is not None:
        cut = ", or cut the target with --target-above" if speaker.is_command else ""
        raise speaker.refuse(
            f"{speaker.option('positive')} names a class, and the target {name!r} is a number. "
            f"Leave it out{cut}."
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


def _has_class(column: pl.Series) -> pl.Series:
    """Tell which rows have a class."""
    found = column.is_not_null()
    return found & ~column.is_nan().fill_null(True) if column.dtype.is_float() else found


def _as_labels(column: pl.Series) -> pl.Series:
    """Take classes that are whole numbers as such; files and frames with gaps hold floats."""
    import polars as pl

    is_small = column.dtype.is_float() and bool((column.abs() < 2**53).all())
    return column.cast(pl.Int64) if is_small else column


def find_class(speaker: Speaker, classes: pl.Series, positive: Any) -> Any:
    """Find the class that was named, which the command has as text."""
    if positive is None:
        return None
    labels = classes.drop_nulls().to_list()
    text = str(positive)
    for label in labels:
        if str(label) == text or str(label).casefold() == text.casefold():
            return label
    if classes.dtype.is_numeric():
        for label in labels:
            if text in (f"{label:g}", str(int(label))):
                return label
    shown = ", ".join(repr(str(label)) for label in sorted(labels, key=str)[:_MOST_SHOWN])
    raise speaker.refuse(
        f"{speaker.option('positive')} must name a class of the target; got {positive!r}, it has "
        f"{shown}.{did_you_mean(text, list(map(str, labels)))}"
    )


def _check_classes(speaker: Speaker, frame: pl.DataFrame, target: str) -> None:
    """Refuse a target that is constant, continuous, or different in most rows."""
    column = frame[target]
    remedy = f"Pass {speaker.option('target_type', 'number')} for a number"
    remedy += (
        ", or --target-above NUMBER or --target-quantiles 4 to cut it into classes."
        if speaker.is_command
        else ", or cut it into classes."
    )
    if column.dtype.is_float():
        broken = column.filter(column != column.floor())
        if len(broken):
            raise speaker.refuse(
                f"the target {target!r} must hold classes; got numbers such as {broken[0]!r}. "
                f"{remedy}"
            )
    if column.dtype.is_nested():
        raise speaker.refuse(
            f"the target {target!r} must hold classes; got lists or records. Choose another target."
        )
    n_classes = column.n_unique()
    if n_classes == 1:
        raise speaker.refuse(
            f"the target {target!r} must hold two classes at least; every row is {column[0]!r}. "
            "Choose another target."
        )
    if n_classes > max(20, frame.height // 2):
        raise speaker.refuse(
            f"the target {target!r} must hold classes that repeat; got {n_classes} different "
            f"values in {frame.height} rows. "
            f"{remedy if column.dtype.is_numeric() else 'Choose another target.'}"
        )


def _take_weights(speaker: Speaker, column: pl.Series) -> Any:
    """Take the weights as numbers."""
    if not column.dtype.is_numeric() or column.null_count():
        raise speaker.refuse(
            f"the weights {column.name!r} must be numbers without gaps; got {column.dtype} with "
            f"{column.null_count()} missing."
        )
    return column.to_numpy()


def _usable(frame: pl.DataFrame) -> pl.DataFrame:
    """Turn numbers that are too wide for the core into floats."""
    import polars as pl

    wide = [name for name, dtype in frame.schema.items() if dtype in (pl.Int128, pl.UInt128)]
    return frame.with_columns(pl.col(wide).cast(pl.Float64)) if wide else frame
