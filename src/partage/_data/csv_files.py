"""Comma-separated text: its encoding, its types, its dates."""

from __future__ import annotations

import codecs
import operator
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from partage._data.headers import Header, find_long_line, is_number, open_bytes, read_header
from partage._data.lines import with_lines
from partage._data.magic import Content, start_of
from partage._data.time_text import find_iso
from partage._data.typed_files import stream
from partage.exceptions import PartageError

if TYPE_CHECKING:
    import polars as pl

    from partage._data.files import Reading

__all__ = ["read_csv", "with_dates"]

_N_FIRST_ROWS = 10_000  # from which the types of a file are guessed
_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_FEWEST_ROWS = 5  # by which a line of units is told from a row
_MOST_TRIES = 50  # columns that turn out to be text only when they are read
_WESTERN = "cp1252"


def read_csv(name: str, content: Content, reading: Reading, notes: list[str]) -> pl.DataFrame:
    """Read comma-separated text, after a look at its header."""
    import polars as pl

    content = with_lines(_in_utf8(name, content, reading.encoding, notes), notes, name)
    header = read_header(name, content, reading.separator)
    kept = {raw for raw, used in zip(header.raw_names, header.names, strict=True)
            if used in reading.text_columns}  # fmt: skip
    options: dict[str, Any] = {
        "separator": header.separator,
        "skip_lines": header.n_lines,
        "has_header": header.is_in_line,
        "comment_prefix": header.comment or None,
        "null_values": list(reading.missing_texts),
        "decimal_comma": reading.has_decimal_comma,
        "schema_overrides": dict.fromkeys((*kept, *header.codes), pl.String),
        "glob": False,
    }
    if header.is_in_line:
        options["new_columns"] = header.names
    try:
        frame = _parse(content, options, header)
        if header.is_in_line and (units := _second_names(frame)):
            shown = ", ".join(units[:4])
            notes.append(f"The line below the names ({shown}) is no row, and was left out.")
            frame = _parse(content, {**options, "skip_rows_after_header": 1}, header)
        again = _without_repeated_names(content, frame, header) if header.is_in_line else None
        if again is not None:
            notes.append("Lines that repeat the names are no rows, and were left out.")
            frame = _parse(again, options, header)
    except pl.exceptions.NoDataError:
        raise PartageError(f"{name}: must hold rows; it has column names only.") from None
    except pl.exceptions.ComputeError as error:
        if reading.encoding is None and not isinstance(content, bytes) and _bad_byte(content):
            data = _decode_western(name, Path(content).read_bytes(), notes)
            return read_csv(name, data, reading, notes)
        find_long_line(name, content, header)
        raise PartageError(
            f"{name}: cannot be read as CSV: {_one_line(error)}. Check its separator "
            f"({header.separator!r} was taken) and its quotes."
        ) from error
    if not header.is_in_line:
        frame.columns = header.names
    notes += header.notes
    return with_dates(frame, reading.text_columns)


def _parse(content: Content, options: dict[str, Any], header: Header) -> pl.DataFrame:
    """Read the rows; what is no number after all is text."""
    import polars as pl

    try:
        return pl.read_csv(stream(content), infer_schema_length=_N_FIRST_ROWS, **options)
    except pl.exceptions.ComputeError:  # later rows are of another type than the first
        pass
    for _ in range(_MOST_TRIES):
        try:
            return pl.read_csv(stream(content), infer_schema_length=None, **options)
        except pl.exceptions.ComputeError as error:
            # Digits of other scripts look like numbers to the reader, which cannot read them.
            found = re.search(r"could not parse .* at column .*\(column number (\d+)\)", str(error))
            if found is None or not 0 < int(found[1]) <= len(header.raw_names):
                raise
            name = header.raw_names[int(found[1]) - 1]
            if name in options["schema_overrides"]:
                raise
            options["schema_overrides"] = {**options["schema_overrides"], name: pl.String}
    raise PartageError("too many columns cannot be read.")


def _without_repeated_names(content: Content, frame: pl.DataFrame, header: Header) -> bytes | None:
    """Leave out lines that repeat the names, as files put one after the other have; None if none.

    Where there are such, no column holds numbers only.
    """
    import polars as pl

    if frame.is_empty() or not all(dtype == pl.String for dtype in frame.dtypes):
        return None
    columns = zip(frame.get_columns(), header.raw_names, strict=True)
    if not pl.DataFrame([column == name for column, name in columns]).fold(operator.and_).any():
        return None
    data = content if isinstance(content, bytes) else Path(content).read_bytes()
    lines = data.split(b"\n")
    names = lines[header.n_lines].rstrip(b"\r")
    first = lines[: header.n_lines + 1]
    rest = (line for line in lines[len(first) :] if line.rstrip(b"\r") != names)
    return b"\n".join([*first, *rest])


def _second_names(frame: pl.DataFrame) -> list[str]:
    """Give the first row where it holds units or names: text above what is numbers else."""
    import polars as pl

    if frame.height < _FEWEST_ROWS or not all(dtype == pl.String for dtype in frame.dtypes):
        return []
    first = [cell for cell in frame.row(0) if cell is not None]
    if not first or any(map(is_number, first)):
        return []
    for column in frame.get_columns():
        below = column.slice(1).drop_nulls()
        if (
            len(below) > frame.height // 2
            and below.cast(pl.Float64, strict=False).is_not_null().all()
        ):
            return first
    return []


def _in_utf8(name: str, content: Content, encoding: str | None, notes: list[str]) -> Content:
    """Give text in UTF-8, from the encoding that is named, else from the one that is found."""
    start = start_of(content)
    marked = next((kind for mark, kind in _MARKS.items() if start.startswith(mark)), None)
    wanted = encoding or marked or _unmarked(start)
    if wanted is None:
        with open_bytes(content) as file:
            bad = _first_bad(file.read(1 << 20))
        if bad is None and not isinstance(content, bytes):
            return content  # what stands later is seen by the reader
        data = content if isinstance(content, bytes) else Path(content).read_bytes()
        return data if _first_bad(data) is None else _decode_western(name, data, notes)
    if wanted.lower().replace("_", "-") in ("utf-8", "utf8"):
        _check_utf8(name, content)
        return content
    if encoding is None:
        notes.append(f"{name} was read as {wanted.upper()[:6]}.")
    return _reencode(name, content, wanted)


def _unmarked(start: bytes) -> str | None:
    """Recognise UTF-16 without a mark by its zeros: every second byte of plain letters."""
    even, odd = start[::2].count(0), start[1::2].count(0)
    n = max(len(start) // 2, 1)
    if len(start) < 8 or max(even, odd) < 0.8 * n or min(even, odd) > 0.1 * n:
        return None
    return "utf-16-be" if even > odd else "utf-16-le"


def _first_bad(data: bytes) -> int | None:
    """Place of the first byte that is no UTF-8; letters that are cut at the end are none."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data)
    except UnicodeDecodeError as error:
        return error.start
    return None


def _bad_byte(content: str) -> bool:
    """Whether a file holds a byte that is no UTF-8."""
    return _first_bad(Path(content).read_bytes()) is not None


def _check_utf8(name: str, content: Content) -> None:
    """Refuse other text where UTF-8 was asked for."""
    data = content if isinstance(content, bytes) else Path(content).read_bytes()
    bad = _first_bad(data)
    if bad is not None:
        raise PartageError(
            f"{name}: must be UTF-8 text; the byte {data[bad]:#04x} at position {bad} is not. "
            "Leave --encoding out, or pass the one it has."
        )


def _decode_western(name: str, data: bytes, notes: list[str]) -> bytes:
    """Read text that is no UTF-8 as Windows' or Latin letters, and say so."""
    for encoding in (_WESTERN, "latin-1"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        notes.append(
            f"{name} is no UTF-8 text and was read as {encoding}; --encoding names another."
        )
        return text.encode("utf-8")
    raise AssertionError("latin-1 decodes every byte")


def _reencode(name: str, content: Content, encoding: str) -> bytes:
    """Turn text of another encoding into UTF-8."""
    data = content if isinstance(content, bytes) else Path(content).read_bytes()
    try:
        return data.decode(encoding).encode("utf-8")
    except LookupError:
        raise PartageError(
            f"--encoding must be an encoding that Python knows, such as latin-1; got {encoding!r}."
        ) from None
    except UnicodeDecodeError as error:
        raise PartageError(
            f"{name}: is not text in {encoding}: byte {error.object[error.start]:#04x} at position "
            f"{error.start}. Try another --encoding."
        ) from None


def with_dates(frame: pl.DataFrame, kept: Sequence[str]) -> pl.DataFrame:
    """Turn text that is a date or a time in every row, written as ISO 8601 has it, into such.

    Times with an offset become instants in UTC.
    """
    import polars as pl

    for name, dtype in frame.schema.items():
        if dtype == pl.String and name not in kept:
            style = find_iso(frame[name])
            if style is not None:
                frame = frame.with_columns(style.parse(frame[name]))
    return frame


def _one_line(error: Exception) -> str:
    """Return the first line of an error of the reader, which may go on for many."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[0] if lines else type(error).__name__).rstrip(".")
