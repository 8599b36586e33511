"""Columns made from text, in the same way whenever a file is read: kept with a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from partage._data.number_text import NumberText, is_gap_word
from partage._data.time_text import TimeText

if TYPE_CHECKING:
    import polars as pl

__all__ = ["BOOLEAN_WORDS", "Conversion", "conversions_from_plain", "convert"]

_STYLES = {"number": NumberText, "time": TimeText}
_MADE = ("boolean", "length", "words")
BOOLEAN_WORDS = {
    "yes": True, "no": False, "y": True, "n": False, "true": True, "false": False, "t": True,
    "f": False, "on": True, "off": False, "oui": True, "non": False, "ja": True, "nein": False,
    "si": True, "sí": True, "sì": True, "sim": True, "não": False, "nao": False, "nee": False,
}  # fmt: skip


@dataclass(frozen=True)
class Conversion:
    """What a column of text becomes.

    Attributes
    ----------
    source : str
        Column of the file.
    to : str
        ``"number"``, ``"time"``, ``"boolean"``, or what is measured of free text: its ``"length"``
        or its number of ``"words"``.
    style : NumberText, TimeText or None
        How numbers and times are written.
    """

    source: str
    to: str
    style: NumberText | TimeText | None = None

    def apply(self, column: pl.Series) -> pl.Series:
        """Make the column; what is no text already stays as it is."""
        import polars as pl

        if column.dtype != pl.String:
            if self.to not in ("length", "words"):
                return column
            column = column.cast(pl.String)
        if self.style is not None:
            return self.style.parse(column.set(is_gap_word(column), None))
        plain = column.str.strip_chars()
        if self.to == "boolean":
            return plain.str.to_lowercase().replace_strict(
                BOOLEAN_WORDS, default=None, return_dtype=pl.Boolean
            )
        if self.to == "length":
            return column.str.len_chars().cast(pl.Int64)
        return plain.str.count_matches(r"\S+").cast(pl.Int64)

    def to_plain(self) -> dict[str, Any]:
        """Give data for a model file."""
        style = {} if self.style is None else asdict(self.style)
        return {"source": self.source, "to": self.to, **style}


def conversions_from_plain(plain: Mapping[str, Any]) -> dict[str, Conversion]:
    """Read the conversions of a model file, by the names of the columns that they make."""
    found = {}
    for name, data in plain.items():
        given = dict(data)
        source, to = given.pop("source"), given.pop("to")
        if not isinstance(source, str) or to not in (*_STYLES, *_MADE):
            raise ValueError(f"column {name!r} has no such conversion: {data!r}")
        style: Any = None
        if to in _STYLES:
            if "affixes" in given:
                given["affixes"] = tuple(map(str, given["affixes"]))
            style = _STYLES[to](**given)
        found[name] = Conversion(source, to, style)
    return found


def convert(frame: pl.DataFrame, conversions: Mapping[str, Conversion]) -> pl.DataFrame:
    """Make the columns of conversions, in the place of their sources or behind all others."""
    made = [
        conversion.apply(frame[conversion.source]).alias(name)
        for name, conversion in conversions.items()
        if conversion.source in frame.columns
    ]
    return frame.with_columns(made)
