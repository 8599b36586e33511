"""Columns made from text, in the same way whenever a file is read: kept with a model."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np

from partage._data.number_text import NumberText, is_gap_word
from partage._data.time_text import TimeText
from partage._support.extras import require

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "BOOLEAN_WORDS",
    "TIME_PARTS",
    "Conversion",
    "NumberClasses",
    "conversions_from_plain",
    "convert",
    "convert_table",
]

TIME_PARTS = ("hour", "weekday", "month")
_MADE = ("boolean", "text", "length", "words", *TIME_PARTS)
BOOLEAN_WORDS = {
    "yes": True, "no": False, "y": True, "n": False, "true": True, "false": False, "t": True,
    "f": False, "on": True, "off": False, "oui": True, "non": False, "ja": True, "nein": False,
    "si": True, "sí": True, "sì": True, "sim": True, "não": False, "nao": False, "nee": False,
    "vrai": True, "faux": False, "wahr": True, "falsch": False, "verdadero": True, "falso": False,
    "vero": True, "verdadeiro": True, "waar": True, "onwaar": False, "да": True, "нет": False,
    "tak": True, "nie": False, "evet": True, "hayir": False, "✓": True, "✗": False, "✔": True,
    "✘": False, "是": True, "否": False, "はい": True, "いいえ": False,
}  # fmt: skip


@dataclass(frozen=True)
class NumberClasses:
    """Classes that a number is cut into: up to each cut, and above the last.

    Attributes
    ----------
    cuts : tuple of float
        Where it is cut.
    text : NumberText or None
        How the numbers are written, where they are text.
    """

    cuts: tuple[float, ...]
    text: NumberText | None = None

    @property
    def labels(self) -> list[str]:
        """Names of the classes, in order."""
        shown = [f"{cut:.12g}" for cut in self.cuts]
        inner = [f"{low} to {high}" for low, high in itertools.pairwise(shown)]
        return [f"up to {shown[0]}", *inner, f"above {shown[-1]}"]

    def words(self) -> str:
        """Say what the classes are."""
        return f"the classes {', '.join(self.labels)}"

    def parse(self, column: pl.Series) -> pl.Series:
        """Give the class of each number."""
        import polars as pl

        numbers = column
        if column.dtype == pl.String:
            numbers = (self.text or NumberText()).parse(column)
        plain = numbers.cast(pl.Float64).fill_nan(None)
        codes = np.searchsorted(self.cuts, plain.fill_null(0.0).to_numpy(), side="left")
        labels = np.array(self.labels, dtype=object)[codes]
        labels[plain.is_null().to_numpy()] = None
        return pl.Series(column.name, labels.tolist(), dtype=pl.Enum(self.labels))


_STYLES = {"number": NumberText, "time": TimeText, "classes": NumberClasses}


@dataclass(frozen=True)
class Conversion:
    """What a column becomes, most often one of text.

    Attributes
    ----------
    source : str
        Column of the file.
    to : str
        ``"number"``, ``"time"``, ``"boolean"``, ``"text"``, the ``"classes"`` of a number, what is
        measured of free text, its ``"length"`` or its number of ``"words"``, or what returns in
        times: the ``"hour"``, the ``"weekday"`` from 1, Monday, to 7, or the ``"month"``.
    style : NumberText, TimeText, NumberClasses or None
        How numbers and times are written, or cut into classes.
    """

    source: str
    to: str
    style: NumberText | TimeText | NumberClasses | None = None

    def apply(self, column: pl.Series) -> pl.Series:
        """Make the column; what is no text already stays as it is."""
        import polars as pl

        if isinstance(self.style, NumberClasses):
            return self.style.parse(column)
        if self.to in TIME_PARTS:
            return self._part_of_times(column)
        if self.to == "text":
            return column.cast(pl.String)
        if isinstance(self.style, TimeText) and self.style.format == "digits":
            is_read = column.dtype.is_numeric() or column.dtype == pl.String
            return self.style.parse(column) if is_read else column
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

    def _part_of_times(self, column: pl.Series) -> pl.Series:
        """Give the hours, weekdays or months of times; no time has none."""
        import polars as pl

        times = column
        if self.style is not None:
            times = Conversion(self.source, "time", self.style).apply(column)
        if times.dtype not in (pl.Date, pl.Datetime):
            return pl.Series(column.name, [None] * len(column), dtype=pl.Int64)
        of = times.dt
        part = {"hour": of.hour, "weekday": of.weekday, "month": of.month}[self.to]
        return part().cast(pl.Int64)

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
        kind = "time" if to in TIME_PARTS and given else to
        if kind in _STYLES:
            style = _STYLES[kind](**_style_from_plain(given))
        found[name] = Conversion(source, to, style)
    return found


def _style_from_plain(given: dict[str, Any]) -> dict[str, Any]:
    """Read the fields of a style: lists are tuples, and a style may hold another."""
    read = {key: tuple(value) if isinstance(value, list) else value for key, value in given.items()}
    inner = read.get("text")
    if isinstance(inner, dict):
        read["text"] = NumberText(**_style_from_plain(inner))
    return read


def convert(frame: pl.DataFrame, conversions: Mapping[str, Conversion]) -> pl.DataFrame:
    """Make the columns of conversions, in the place of their sources or behind all others."""
    made = [
        conversion.apply(frame[conversion.source]).alias(name)
        for name, conversion in conversions.items()
        if conversion.source in frame.columns
    ]
    return frame.with_columns(made)


def convert_table(X: Any, conversions: Mapping[str, Conversion]) -> Any:
    """Make the columns of conversions in a frame of any library; other tables stay as they are."""
    frame = nw.from_native(X, pass_through=True)
    if not conversions or not isinstance(frame, nw.DataFrame):
        return X
    require("reading text as the model does", "polars", "report")
    import polars as pl

    made = []
    for name, conversion in conversions.items():
        if conversion.source not in frame.columns:
            continue
        column = frame[conversion.source]
        values = [None if _is_gap(value) else value for value in column.to_list()]
        is_number = isinstance(conversion.style, TimeText) and column.dtype.is_numeric()
        if column.dtype in (nw.String, nw.Object, nw.Categorical) or is_number:
            texts = [None if value is None else str(value) for value in values]
            found = conversion.apply(pl.Series("x", texts, dtype=pl.String))
        elif conversion.to in TIME_PARTS:
            found = Conversion("x", conversion.to).apply(pl.Series("x", values))
        else:
            continue
        made.append(nw.new_series(name, found.to_list(), backend=frame.implementation))
    return frame.with_columns(*made).to_native()


def _is_gap(value: Any) -> bool:
    """Whether a value is missing: None, NaN or NA."""
    return value is None or type(value).__name__ == "NAType" or bool(value != value)
