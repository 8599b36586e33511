"""Dates and times written as text: day first, month first, with names of months, times of day."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from partage._data.duration_text import are_durations, read_durations
from partage._data.month_text import PERIODS, in_english, read_period
from partage._data.number_text import share_of

if TYPE_CHECKING:
    import polars as pl

__all__ = ["TimeText", "find_digits", "find_iso", "find_time_text"]

_N_FIRST = 10_000  # texts by whose look ISO 8601 is recognised
_ISO_TIME = r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?"
# Ways of ISO 8601: days, times of days, and instants, which have an offset.
_ISO = {
    "iso day": r"^\d{4}-\d{2}-\d{2}$",
    "iso time": rf"^(\d{{4}}-\d{{2}}-\d{{2}}|{_ISO_TIME})$",
    "iso instant": rf"^{_ISO_TIME}(Z|[+-]\d{{2}}(:?\d{{2}})?)$",
}
_OF_DAY = {
    "": "",
    r"[ T]\d{1,2}:\d{2}": " %H:%M",
    r"[ T]\d{1,2}:\d{2}:\d{2}": " %H:%M:%S",
    r"[ T]\d{1,2}:\d{2}:\d{2}\.\d+": " %H:%M:%S%.f",
    r" \d{1,2}:\d{2} ?[AaPp][Mm]": " %I:%M %p",
    r" \d{1,2}:\d{2}:\d{2} ?[AaPp][Mm]": " %I:%M:%S %p",
}
_MONTH = r"(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
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
    r"\d{1,2}/(?:19|20)\d{2}": ("%d/%m/%Y",),
    r"(?:19|20)\d{2}/\d{1,2}": ("%Y/%m/%d",),
    r"(?:0[1-9]|1[0-2])/\d{2}": ("%d/%m/%y",),
}
# Months without a day, which is set before or behind.
_WITHOUT_DAY = {
    rf"{_MONTH}/\d{{4}}": "1/",
    rf"{_MONTH}/\d{{2}}": "1/",
    rf"\d{{4}}/{_MONTH}": "/1",
    r"\d{1,2}/(?:19|20)\d{2}": "1/",
    r"(?:19|20)\d{2}/\d{1,2}": "/1",
    r"(?:0[1-9]|1[0-2])/\d{2}": "1/",
}
_WEEKDAY = r"^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*[,.]?\s+"
_ORDINAL = r"(?:st|nd|rd|th)?"
_ASIAN = r"^(\d{4})[年년]\s*(\d{1,2})[月월]\s*(\d{1,2})[日일]"
_JOINED = rf"^(\d{{1,2}})({_MONTH})(\d{{4}}|\d{{2}})\b"  # 31JAN2024, of SAS
_UTC = r"(\d) ?(?:GMT|UTC|Z|[+-]00:?00)$"
_FRACTION = r"^\d+ \d+/\d+$"
_HALF = 0.5
_FEWEST_DATES = 5  # different ones, for whole numbers to be dates
_N_TRIED = 500  # texts by whose look a format is chosen


@dataclass(frozen=True)
class TimeText:
    """How dates are written in a column of text.

    A format of ``"duration"`` is for times of day and durations, ``"digits"`` for whole numbers.

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

        if self.format in _ISO:
            return _read_iso(text, self.format)
        if self.format == "duration":
            return read_durations(text)
        if self.format in PERIODS:
            return read_period(text, self.format)
        if self.format == "digits":
            return _read_digits(text)
        plain = _with_slashes(text)
        if self.day:
            plain = "1/" + plain if self.day == "1/" else plain + "/1"
        is_date = "%H" not in self.format and "%I" not in self.format
        wanted: Any = pl.Date() if is_date else pl.Datetime("us")
        return plain.str.strptime(wanted, self.format, strict=False).alias(text.name)

    def words(self) -> str:
        """Say how the dates are written."""
        if self.format == "duration":
            return "times of day or durations"
        if self.format in PERIODS:
            return f"{self.format} of years"
        if self.day and "%b" not in self.format:
            return "months"
        if "%b" in self.format:
            return "dates with names of months"
        if self.format.startswith(("%Y", "iso", "digits")):
            return "dates"
        return "dates, " + ("day first" if self.format.startswith("%d") else "month first")


def find_iso(column: pl.Series) -> TimeText | None:
    """Find which way of ISO 8601 every text of a column is written in; None for another."""
    first = column.drop_nulls().head(_N_FIRST)
    if first.is_empty():
        return None
    for way, look in _ISO.items():
        if first.str.contains(look).all():
            read = _read_iso(column, way)
            return TimeText(way) if read.null_count() == column.null_count() else None
    return None


def _read_iso(text: pl.Series, way: str) -> pl.Series:
    """Read what ISO 8601 says; times with an offset become instants in UTC."""
    import polars as pl

    if way == "iso instant":
        return text.str.to_datetime(time_unit="us", time_zone="UTC", strict=False)
    wanted: Any = pl.Date() if way == "iso day" else pl.Datetime("us")
    return text.str.strptime(wanted, strict=False)


def find_time_text(text: pl.Series) -> TimeText | None:
    """Find the format that reads most of these texts, none of them missing; None for no dates."""
    first = text.head(_N_TRIED)
    if are_durations(first):
        return TimeText("duration")
    for period, (look, _) in PERIODS.items():
        if share_of(first.str.strip_chars().str.contains(look)) > _HALF:
            return TimeText(period)
    if share_of(first.str.contains(_FRACTION)) > _HALF:
        return None
    some = _with_slashes(first)
    # Names of months have three letters by now.
    if share_of(some.str.contains("[/:]") & ~some.str.contains(r"\p{L}{4}")) <= _HALF:
        return None
    for look, formats in _DATES.items():
        for of_day, suffix in _OF_DAY.items():
            if share_of(some.str.contains(f"^{look}{of_day}$")) > _HALF:
                found = [TimeText(start + suffix, _WITHOUT_DAY.get(look, "")) for start in formats]
                return _best(found, text)
    return None


def find_digits(numbers: pl.Series) -> TimeText | None:
    """Tell whether whole numbers are all days, 20240131, or months, 202401."""
    import polars as pl

    whole = numbers.cast(pl.Int64, strict=False)
    if whole.n_unique() < _FEWEST_DATES or not (whole == numbers).all():
        return None
    low, high = int(str(whole.min())), int(str(whole.max()))
    is_day = low >= 19_000_101 and high <= 21_001_231
    is_month = low >= 190_001 and high <= 210_012
    if not (is_day or is_month) or _read_digits(numbers).null_count():
        return None
    return TimeText("digits")


def _read_digits(column: pl.Series) -> pl.Series:
    """Read days or months that are written as one whole number."""
    import polars as pl

    if column.dtype.is_numeric():
        column = column.cast(pl.Int64, strict=False)
    text = column.cast(pl.String).str.strip_chars()
    is_month = text.str.len_chars() == 6
    whole = pl.select(pl.when(is_month).then(text + "01").otherwise(text)).to_series()
    return whole.str.strptime(pl.Date, "%Y%m%d", strict=False).alias(column.name)


def _best(formats: list[TimeText], text: pl.Series) -> TimeText:
    """Choose the format that reads the most."""
    read = [int(style.parse(text).is_not_null().sum()) for style in formats]
    best = formats[read.index(max(read))]
    return TimeText(best.format, best.day, is_sure=len(read) == 1 or read[0] != read[1])


def _with_slashes(text: pl.Series) -> pl.Series:
    """Write one mark between day, month and year, and one space before the time."""
    plain = text.str.strip_chars().str.replace(_WEEKDAY, "").str.replace(_ASIAN, "$1/$2/$3")
    plain = in_english(plain.str.replace(_UTC, "$1")).str.replace(_JOINED, "$1/$2/$3")
    plain = plain.str.replace(rf"^(\d{{1,4}}|[A-Za-z]+){_ORDINAL}[.,]?[-./ ]\s*", "$1/")
    plain = plain.str.replace(
        rf"^(\w+/)(\d{{1,2}}|[A-Za-z]+){_ORDINAL}[.,]?[-./ ]\s*(\d)", "$1$2/$3"
    )
    plain = plain.str.replace(r"^(\d*/?[A-Za-z]{3})[a-z]+\.?", "$1")  # names of months
    plain = plain.str.replace(r"^(\d+/[A-Za-z]{3}/\d{4}):(\d)", "$1 $2")  # as servers write
    return plain.str.replace(r"^(.*\d)T(\d)", "$1 $2").str.replace(r"(\d)([AaPp][Mm])$", "$1 $2")
