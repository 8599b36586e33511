"""Times of day and durations written as text: 9:30, 3:15 PM, 26:10:00, PT2H5M, 2h 30m, 3 days."""

from __future__ import annotations

from typing import TYPE_CHECKING

from partage._data.number_text import share_of

if TYPE_CHECKING:
    import polars as pl

__all__ = ["are_durations", "read_durations"]

_CLOCK = (
    r"(?i)^(?:(\d+)\s*(?:d|days?|tage?|jours?|días?|j|t)\.?,?\s+)?(\d+):(\d{2})"
    r"(?::(\d{2}(?:\.\d+)?))?\s*(?:([ap])\.?m\.?)?$"
)
_ISO = r"^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$"
_WORDS = (
    r"(?i)^(?:(\d+)\s*(?:d|days?|tage?|jours?)[, ]*)?"
    r"(?:(\d+)\s*(?:h|hrs?|hours?|std\.?|heures?)[, ]*)?"
    r"(?:(\d+)\s*(?:m|mins?|minutes?|minuten)\.?[, ]*)?"
    r"(?:(\d+(?:\.\d+)?)\s*(?:s|secs?|seconds?|sek\.?))?$"
)
_SECONDS = (86_400, 3_600, 60, 1)
_HALF = 0.5


def are_durations(text: pl.Series) -> bool:
    """Whether most texts are times of day or durations; one number with a unit is none."""
    plain = text.str.strip_chars()
    is_clock = plain.str.contains(_CLOCK) | plain.str.contains(r"^P\d*T?\d")
    if share_of(is_clock) > _HALF:
        return share_of(read_durations(text).is_not_null()) > _HALF
    has_two = plain.str.contains(r"(?i)^\d+\s*[a-z.]+[, ]*\d+(?:\.\d+)?\s*[a-z.]+")
    return bool(has_two.any()) and share_of(_read(plain, _WORDS).is_not_null()) > _HALF


def read_durations(text: pl.Series) -> pl.Series:
    """Read times of day and durations; null where a text is none."""
    import polars as pl

    plain = text.str.strip_chars()
    seconds = _read_clock(plain).fill_null(_read(plain, _ISO)).fill_null(_read(plain, _WORDS))
    return (seconds * 1e6).round().cast(pl.Int64).cast(pl.Duration("us")).alias(text.name)


def _read(plain: pl.Series, look: str) -> pl.Series:
    """Add up the days, hours, minutes and seconds that a pattern finds."""
    import polars as pl

    found = plain.str.extract_groups(look).struct.unnest()
    pieces = [found[name].cast(pl.Float64) for name in found.columns[:4]]
    total = sum(
        (piece.fill_null(0.0) * n for piece, n in zip(pieces, _SECONDS, strict=True)),
        pl.zeros(len(plain), eager=True),
    )
    is_empty = pl.Series([True] * len(plain))
    for piece in pieces:
        is_empty &= piece.is_null()
    return total.set(is_empty, None)


def _read_clock(plain: pl.Series) -> pl.Series:
    """Read hours and minutes; of twelve hours the second half with PM."""
    import polars as pl

    found = plain.str.extract_groups(_CLOCK).struct.unnest()
    days, hours, minutes, seconds = (found[name].cast(pl.Float64) for name in found.columns[:4])
    half = found[found.columns[4]].str.to_lowercase()
    of_twelve = (hours % 12) + (half == "p").cast(pl.Float64) * 12
    hours = pl.select(pl.when(half.is_null()).then(hours).otherwise(of_twelve)).to_series()
    total = hours * 3600 + minutes * 60 + seconds.fill_null(0.0) + days.fill_null(0.0) * 86_400
    is_wrong = (minutes >= 60) | (seconds.fill_null(0.0) >= 60)
    return total.set(is_wrong.fill_null(True), None)
