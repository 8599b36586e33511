"""Numbers written as text: money, percent, units, decimal commas, thousands separators."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "GAP_WORDS", "NumberText", "currencies_of", "find_first_number", "find_number_text",
    "is_gap_word", "share_of",
]  # fmt: skip

# Texts that mean a gap, in small letters; among numbers and dates only.
GAP_WORDS = (
    *("", "-", "--", ".", "..", "?", "*", "#n/a", "#null!", "#div/0!", "n/a", "n.a.", "na", "nan"),
    *("null", "nil", "none", "missing", "unknown", "not available", "not applicable", "undefined"),
    *("unspecified", "tbd", "<na>", "k.a.", "n.d.", "nd", "s/d", "#ref!", "#value!", "#name?"),
    *("0000-00-00", "0000-00-00 00:00:00", "00/00/0000", "00.00.0000", "00-00-0000"),
)
_CURRENCIES = (
    *("€", "$", "£", "¥", "₹", "₽", "₺", "₩", "₫", "₪", "฿", "zł", "kč", "ft", "kr", "kr.", "sfr."),
    *("us$", "a$", "c$", "r$", "rs", "rs.", "eur", "usd", "gbp", "chf", "jpy", "cny", "rmb", "inr"),
    *("brl", "cad", "aud", "nzd", "sek", "nok", "dkk", "pln", "czk", "huf", "try", "rub", "zar"),
    *("mxn", "sgd", "hkd", "krw", "euro", "euros", "dollars", "円", "元", "fr."),
)
# Ways of writing one currency.
_SAME = (
    ("$", "usd", "us$", "dollars"), ("€", "eur", "euro", "euros"), ("£", "gbp"), ("zł", "pln"),
    ("¥", "jpy", "cny", "rmb", "円", "元"), ("₹", "rs", "rs.", "inr"), ("₽", "rub"), ("₺", "try"),
    ("chf", "sfr.", "fr."), ("kr", "kr.", "sek", "nok", "dkk"), ("r$", "brl"), ("₩", "krw"),
    ("kč", "czk"), ("ft", "huf"), ("a$", "aud"), ("c$", "cad"),
)  # fmt: skip
# Units of one measure, and how many of the smallest each is.
_MEASURES = (
    {"b": 1.0, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12},
    {"mg": 1.0, "g": 1e3, "kg": 1e6, "t": 1e9},
    {"mm": 1.0, "cm": 10.0, "m": 1e3, "km": 1e6},
    {"ml": 1.0, "cl": 10.0, "l": 1e3},
    {"ms": 1.0, "s": 1e3, "sec": 1e3, "min": 6e4, "h": 3.6e6, "d": 8.64e7},
)
_MARKS = r"^(?:[<>]=?|[≤≥~≈]|ca\.?|approx\.?|about|=)\s*"  # before a number, which it is near
_SCALES = {"k": 1e3, "m": 1e6, "mn": 1e6, "mio": 1e6, "b": 1e9, "bn": 1e9}
# Decimal sign and thousands separator, the more usual ones first.
_STYLES = ((".", ","), (",", "."), (",", " "), (".", " "), (".", "'"), (",", "'"))
# Sign, currency, sign, digits with their separators, exponent, unit.
_PIECES = (
    r"^([+-]?)\s*([^\d+\-.,()\s][^\d+\-,()]*?)?\s*([+-]?)\s*"
    r"((?:\d[\d.,' ]*|[.,]\d+))((?:[eE][+-]?\d+)?)\s*([^\d\s.,'+\-()][^\d]*|\([^\d()]+\))?$"
)
_LONGEST_UNIT = 12
_HALF = 0.5
_FIRST = r"^\s*([+-]?\d+(?:\.\d+)?)"
_ZEROS = (0x660, 0x6F0, 0x966, 0x9E6, 0xE50, 0xFF10)  # Arabic, Persian, Hindi, Bengali, Thai, wide
_LEAST_SHARE = 0.01  # of the numbers, that a unit stands beside


@dataclass(frozen=True)
class NumberText:
    """How numbers are written in a column of text.

    Attributes
    ----------
    decimal, thousands : str
        Signs before the fraction and between groups of three digits.
    affixes : tuple of str
        Currencies and units, in small letters, that may stand before or behind a number.
    is_scaled : bool
        Whether units such as k and M stand for thousands and millions.
    is_first : bool
        Whether the first number of each text is read, whatever follows.
    """

    decimal: str = "."
    thousands: str = ","
    affixes: tuple[str, ...] = ()
    is_scaled: bool = False
    is_first: bool = False

    def parse(self, text: pl.Series) -> pl.Series:
        """Read numbers; null where a text is none, whole numbers where all are."""
        import polars as pl

        if self.is_first:
            first = text.str.extract(_FIRST).cast(pl.Float64, strict=False)
            return _as_whole(first).alias(text.name)
        pieces = _split(text)
        wanted = (*self.affixes, "")
        is_known = pieces["prefix"].is_in(wanted) & pieces["unit"].is_in(wanted)
        body = pieces["body"].set(~is_known | ~pieces["body"].str.contains(self._pattern()), None)
        plain = body.str.replace_all(self.thousands, "", literal=True)
        plain = plain.str.replace(self.decimal, ".", literal=True) + pieces["exponent"]
        numbers = plain.cast(pl.Float64, strict=False)
        if self.is_scaled:
            scales = _scales_of(self.affixes)
            scale = pieces["unit"].replace_strict(scales, default=1.0, return_dtype=pl.Float64)
            numbers = numbers * scale
        signed = pl.select(pl.when(pieces["is_negative"]).then(-numbers).otherwise(numbers))
        return _as_whole(signed.to_series()).alias(text.name)

    def _pattern(self) -> str:
        """Describe the digits of a number."""
        d, t = re.escape(self.decimal), re.escape(self.thousands)
        groups = rf"[1-9]\d{{0,2}}(?:{t}\d{{3}})+"
        if self.thousands == ",":
            groups += r"|[1-9]\d?(?:,\d{2})+,\d{3}"  # lakh and crore
        return rf"^(?:\d+|{groups})?(?:{d}\d*)?$"

    def words(self) -> str:
        """Say how the numbers are written."""
        if self.is_first:
            return "the first number of each"
        found = [
            *(["percent"] if "%" in self.affixes else []),
            *(f"{unit!r}" for unit in self.affixes if unit != "%"),
            *(["decimal commas"] if self.decimal == "," else []),
        ]
        return "numbers" + (f" with {', '.join(found)}" if found else "")


def _scales_of(affixes: Sequence[str]) -> dict[str, float]:
    """How many each unit stands for: of one measure, else thousands and millions."""
    for measure in _MEASURES:
        if len([unit for unit in affixes if unit in measure]) > 1:
            return {unit: measure[unit] for unit in affixes if unit in measure}
    return {unit: _SCALES[unit] for unit in affixes if unit in _SCALES}


def share_of(found: pl.Series) -> float:
    """Share of the rows of which something is true."""
    return float(found.sum()) / max(len(found), 1)


def is_gap_word(text: pl.Series) -> pl.Series:
    """Tell which texts mean that a value is missing."""
    return text.str.strip_chars().str.to_lowercase().is_in(GAP_WORDS)


def find_number_text(text: pl.Series, has_decimal_comma: bool = False) -> NumberText | None:
    """Find the way of writing that reads most of these texts; None where they are no numbers.

    Parameters
    ----------
    text : polars.Series
        Texts, none of them missing.
    has_decimal_comma : bool, default=False
        Whether 1,234 is rather 1.234, where nothing else decides.
    """
    pieces = _split(text)
    is_number = pieces["body"].is_not_null()
    if not is_number.any():
        return None
    found = _find_affixes(pieces["prefix"].filter(is_number), pieces["unit"].filter(is_number))
    if found is None:
        return None
    affixes, is_scaled = found
    body = pieces["body"].filter(is_number)
    is_money = any(unit in _CURRENCIES for unit in affixes)
    best, most = None, 0
    for decimal, thousands in _in_order(body, is_money, has_decimal_comma):
        style = NumberText(decimal, thousands, affixes, is_scaled)
        n_read = int(body.str.contains(style._pattern()).sum())
        if n_read > most:
            best, most = style, n_read
    return best


def find_first_number(text: pl.Series) -> NumberText | None:
    """Read the first numbers of texts that all start with one, such as 8/10 and 48°51'."""
    found = text.str.contains(_FIRST)
    return NumberText(is_first=True) if share_of(found) == 1.0 else None


def _in_order(
    body: pl.Series, is_money: bool, has_decimal_comma: bool
) -> Sequence[tuple[str, str]]:
    """Order the styles, those first that win where several read the same texts."""
    comma_first = (_STYLES[1], _STYLES[2], _STYLES[0], *_STYLES[3:])
    if has_decimal_comma:
        return comma_first
    if is_money and _has_groups_of_dots(body):
        return comma_first
    if body.str.contains(",", literal=True).any():
        return _STYLES
    # Spaces between thousands do not make a decimal comma.
    return (_STYLES[0], *_STYLES[3:5], *_STYLES[1:3], _STYLES[5])


def _has_groups_of_dots(body: pl.Series) -> bool:
    """Whether three digits follow each dot: thousands, of money, which has cents else."""
    has_dots = body.str.contains(".", literal=True)
    return bool(has_dots.any()) and not bool(body.str.contains(r"\.\d{1,2}$|\.\d{4,}").any())


def _split(text: pl.Series) -> dict[str, pl.Series]:
    """Take texts apart: sign, currency, digits, exponent, unit."""
    import polars as pl

    if text.str.contains(r"[^\x00-\x7f]").any():
        text = _with_plain_digits(text)
    plain = text.str.replace_all("[\u00a0\u202f\u2009]", " ").str.replace_all("[\u2212\u2013]", "-")
    plain = plain.str.replace_all("[\u2019`\u00b4]", "'").str.strip_chars()
    if plain.str.contains(r"[^\d]\d|\d[^\d]", literal=False).any():
        plain = _without_marks(plain)
    plain = plain.str.replace(r"(\d)[.,]-{1,2}$", "$1")  # whole francs: 120.-
    is_bracketed = plain.str.contains(r"^\(.*\)$")
    plain = plain.str.replace(r"^\((.*)\)$", "$1").str.replace(r"^([^-]*\d)\s*-$", "-$1")
    names = {"1": "sign", "2": "prefix", "3": "inner", "4": "body", "5": "exponent", "6": "unit"}
    found = plain.str.extract_groups(_PIECES).struct.unnest().rename(names)
    cleaned = found.with_columns(
        pl.col("prefix", "unit").fill_null("").str.strip_chars().str.to_lowercase(),
        pl.col("body").str.strip_chars(),
        pl.col("exponent").fill_null(""),
    )
    is_negative = (found["sign"] == "-") | (found["inner"] == "-") | is_bracketed
    return {name: cleaned[name] for name in ("prefix", "body", "exponent", "unit")} | {
        "is_negative": is_negative.fill_null(False)
    }


def _with_plain_digits(text: pl.Series) -> pl.Series:
    """Write wide signs of money as usual, digits of other scripts as 0 to 9, their signs too."""
    text = text.str.replace_many(["\uffe5", "\uff04", "\uffe1"], ["¥", "$", "£"])
    if not text.str.contains(r"[\p{Nd}--0-9]").any():
        return text
    for zero in _ZEROS:
        letters = [chr(zero + i) for i in range(10)]
        text = text.str.replace_many(letters, list("0123456789"))
    return text.str.replace_many(["\u066b", "\u066c", "\uff0c", "\uff0e"], [".", ",", ",", "."])


def _without_marks(plain: pl.Series) -> pl.Series:
    """Leave out quotes, signs such as < and ~ before a number, and ± with what follows."""
    plain = plain.str.replace(r"^=?([\"'])(.*)[\"']$", "$2").str.replace(_MARKS, "")
    return plain.str.replace(r"\s*(?:±|\+/-)\s*[\d.,]+", "").str.strip_chars()


def currencies_of(text: pl.Series) -> list[str]:
    """Name the currencies of amounts, where there are several."""
    pieces = _split(text)
    is_number = pieces["body"].is_not_null()
    if share_of(is_number) <= _HALF:
        return []
    words = _frequent(pieces["prefix"].filter(is_number)) + _frequent(
        pieces["unit"].filter(is_number)
    )
    found = sorted({word for word in words if word in _CURRENCIES})
    return found if len(_kinds_of_money(found)) > 1 else []


def _kinds_of_money(words: Sequence[str]) -> set[str]:
    """Currencies that some words name."""
    return {next((same[0] for same in _SAME if word in same), word) for word in words}


def _find_affixes(prefix: pl.Series, unit: pl.Series) -> tuple[tuple[str, ...], bool] | None:
    """Name what stands beside the numbers, and whether it scales them; None where it differs."""
    before, behind = _frequent(prefix), _frequent(unit)
    money = {word for word in before + behind if word in _CURRENCIES}
    if len(_kinds_of_money(sorted(money))) > 1 or any(
        word not in _CURRENCIES for word in before if word
    ):
        return None
    rest = [word for word in behind if word and word not in _CURRENCIES]
    if all(word in _SCALES for word in rest):
        return (*sorted(money), *rest), len(rest) > 1 or (len(rest) == 1 and "" in behind)
    if len(rest) > 1 and any(set(rest) <= set(measure) for measure in _MEASURES):
        return tuple(rest), True
    is_one = len({word.removesuffix("s") for word in rest}) == 1  # year and years
    if not is_one or money or len(rest[0]) > _LONGEST_UNIT:
        return None
    return tuple(rest), False


def _frequent(words: pl.Series) -> list[str]:
    """Name the words that are not rare, in order."""
    counted = words.alias("word").value_counts(name="n")
    return sorted(counted.filter(counted["n"] >= _LEAST_SHARE * len(words))["word"].to_list())


def _as_whole(numbers: pl.Series) -> pl.Series:
    """Give whole numbers where all are, and none is too large to be told apart."""
    import polars as pl

    present = numbers.drop_nulls()
    is_whole = bool(((present == present.floor()) & (present.abs() < 2**53)).all())
    return numbers.cast(pl.Int64) if is_whole and len(present) else numbers
