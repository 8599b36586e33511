"""Names of months in several languages, and periods that have no day: quarters, halves, weeks."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

__all__ = ["PERIODS", "in_english", "read_period"]

# German, French, Spanish, Italian, Portuguese, Dutch; English has its own names already.
_NAMES = {
    "Jan": "januar|jänner|janvier|enero|gennaio|janeiro|januari|janv|ene|gen",
    "Feb": "februar|février|fevrier|febrero|febbraio|fevereiro|februari|févr|fév|fev",
    "Mar": "märz|maerz|mars|marzo|março|marco|maart|mär|mrz|mrt",
    "Apr": "april|avril|abril|aprile|avr|abr",
    "May": "mai|mayo|maggio|maio|mei|mag",
    "Jun": "juni|juin|junio|giugno|junho|giu",
    "Jul": "juli|juillet|julio|luglio|julho|juil|lug",
    "Aug": "august|août|aout|agosto|augustus|aoû|ago",
    "Sep": "september|septembre|septiembre|settembre|setembro|sept|set",
    "Oct": "oktober|octobre|octubre|ottobre|outubro|okt|ott|out",
    "Nov": "november|novembre|noviembre|novembro",
    "Dec": "dezember|décembre|decembre|diciembre|dicembre|dezembro|december|dez|déc|dic",
}
_YEAR = r"((?:19|20)\d{2})"
# What a period looks like, and by how many months one is later than the one before.
PERIODS = {
    "quarters": (rf"(?i)^(?:{_YEAR}[-/ ]?[QT]([1-4])|[QT]([1-4])[-/ ]*{_YEAR})$", 3),
    "halves": (rf"(?i)^(?:{_YEAR}[-/ ]?[HS]([12])|[HS]([12])[-/ ]*{_YEAR})$", 6),
    "weeks": (r"(?i)^((?:19|20)\d{2})-?W(\d{2})(?:-?([1-7]))?$", 0),
}


def in_english(text: pl.Series) -> pl.Series:
    """Write names of months with three letters of English, and leave out Spanish ``de``."""
    if not text.str.contains(r"\p{L}{3}").any():
        return text
    plain = text.str.replace_all(r"(?i)\b(?:de|del)\s+", "")
    for month, names in _NAMES.items():
        plain = plain.str.replace(rf"(?i)\b(?:{names})\b", month)
    return plain


def read_period(text: pl.Series, kind: str) -> pl.Series:
    """Give the first day of each quarter, half or week; null where a text is none."""
    import polars as pl

    look, n_months = PERIODS[kind]
    plain = text.str.strip_chars()
    if kind == "weeks":
        found = plain.str.extract_groups(look).struct.unnest()
        year, week, day = (found[name] for name in found.columns)
        whole = year + "-W" + week + "-" + day.fill_null("1")
        return whole.str.strptime(pl.Date, "%G-W%V-%u", strict=False).alias(text.name)
    found = plain.str.extract_groups(look).struct.unnest()
    first, n, m, last = (found[name] for name in found.columns)
    year, place = first.fill_null(last), n.fill_null(m)
    month = (place.cast(pl.Int32) - 1) * n_months + 1
    days = year + "-" + month.cast(pl.String) + "-1"
    return days.str.strptime(pl.Date, "%Y-%m-%d", strict=False).alias(text.name)
