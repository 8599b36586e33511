"""Dates and times written as text: day first, month first, with names of months, times of day."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from partage._data.number_text import share_of

if TYPE_CHECKING:
    import polars as pl

__all__ = ["TimeText", "find_time_text"]

_OF_DAY = {
    "": "",
    r"[ T]\d{1,2}:\d{2}": " %H:%M",
    r"[ T]\d{1,2}:\d{2}:\d{2}": " %H:%M:%S",
    r"[ T]\d{1,2}:\d{2}:\d{2}\.\d+": " %H:%M:%S%.f",
    r" \d{1,2}:\d{2} ?[AaPp][Mm]": " %I:%M %p",
    r" \d{1,2}:\d{2}:\d{2} ?[AaPp][Mm]": " %I:%M:%S %p",
}
_MONTH = r"[A-Za-z]{3}"
# What a date looks like once its marks are slashes, and the formats to try, the usual one first.
_DATES = {
    r"\d{1,2}/\d{1,2}/\d{4}": ("%d/%m/%Y", "%m/%d/%Y"),
    r"\d{1,2}/\d{1,2}/\d{2}": ("%d/%m/%y", "%m/%d/%y"),
    r"\d{4}/\d{1,2}/\d{1,2}": ("%Y/%m/%d",),
    rf"\d{{1,2}}/{_MONTH}/\d{{4}}": ("%d/%b/%Y",),
    rf"\d{{1,2}}/{_MONTH}/\d{{2}}": ("%d/%b/%y",),
    rf"{_MONTH}/\d{{1,2}}/\d{{4}}": ("%b/%d/%Y",),
    rf"{_MONTH}/\d{{4}}": ("%d/%b/%Y",),
    rf"{_MONTH}/\d{{2}}": ("%d/%b/%y",),
    rf"\d{{4}}/{_MONTH}": ("%Y/%b/%d",),
}
_WITHOUT_DAY = {rf"{_MONTH}/\d{{4}}": "1/", rf"{_MONTH}/\d{{2}}": "1/", rf"\d{{4}}/{_MONTH}": "/1"}
_TIME_OF_DAY = r"^\d{1,2}:\d{2}(:\d{2})?$"
_WEEKDAY = r"^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*[,.]?\s+"
_ORDINAL = r"(?:st|nd|rd|th)?"
_HALF = 0.5
_N_TRIED = 1000  # texts by whose look a format is chosen


@dataclass(frozen=True)
class TimeText:
    """How dates are written in a column of text; a format of ``"duration"`` is a time of day.

    Attributes
    ----------
    format : str
        As of ``strftime``, after marks between day, month and year have become slashes.
    day : str
        ``"1/"`` or ``"/1"`` where months are written without a day, which is set before or behind.
    is_sure : bool
        Whether some date can be read in this order of day and month only.
    """

    format: str
    day: str = ""
    is_sure: bool = True

    def parse(self, text: pl.Series) -> pl.Series:
        """Read dates or times; null where a text is none."""
        import polars as pl

        plain = _with_slashes(text)
        if self.format == "duration":
            whole = pl.when(plain.str.count_matches(":") == 1).then(plain + ":00").otherwise(plain)
            read = pl.select(whole).to_series().str.to_time("%H:%M:%S", strict=False)
            return read.cast(pl.Duration("us")).alias(text.name)
        if self.day:
            plain = "1/" + plain if self.day == "1/" else plain + "/1"
        is_date = "%H" not in self.format and "%I" not in self.format
        wanted: Any = pl.Date() if is_date else pl.Datetime("us")
        return plain.str.strptime(wanted, self.format, strict=False).alias(text.name)

    def words(self) -> str:
        """Say how the dates are written."""
        if self.format == "duration":
            return "times of day"
        if "%b" in self.format:
            return "dates with names of months"
        if self.format.startswith("%Y"):
            return "dates"
        return "dates, " + ("day first" if self.format.startswith("%d") else "month first")


def find_time_text(text: pl.Series) -> TimeText | None:
    """Find the format that reads most of these texts, none of them missing; None for no dates."""
    some = _with_slashes(text.head(_N_TRIED))
    if share_of(some.str.contains("[/:]")) <= _HALF:
        return None
    if share_of(some.str.contains(_TIME_OF_DAY)) > _HALF:
        return TimeText("duration")
    for look, formats in _DATES.items():
        for of_day, suffix in _OF_DAY.items():
            if share_of(some.str.contains(f"^{look}{of_day}$")) > _HALF:
                found = [TimeText(start + suffix, _WITHOUT_DAY.get(look, "")) for start in formats]
                return _best(found, text)
    return None


def _best(formats: list[TimeText], text: pl.Series) -> TimeText:
    """Choose the format that reads the most."""
    read = [int(style.parse(text).is_not_null().sum()) for style in formats]
    best = formats[read.index(max(read))]
    return TimeText(best.format, best.day, is_sure=len(read) == 1 or read[0] != read[1])


def _with_slashes(text: pl.Series) -> pl.Series:
    """Write one mark between day, month and year, and one space before the time."""
    plain = text.str.strip_chars().str.replace(_WEEKDAY, "")
    plain = plain.str.replace(rf"^(\d{{1,4}}|[A-Za-z]+){_ORDINAL}[.,]?[-./ ]\s*", "$1/")
    plain = plain.str.replace(
        rf"^(\w+/)(\d{{1,2}}|[A-Za-z]+){_ORDINAL}[.,]?[-./ ]\s*(\d)", "$1$2/$3"
    )
    plain = plain.str.replace(r"^(\d*/?[A-Za-z]{3})[a-z]+", "$1")  # names of months
    return plain.str.replace(r"^(.*\d)T(\d)", "$1 $2").str.replace(r"(\d)([AaPp][Mm])$", "$1 $2")
