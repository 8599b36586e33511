"""Comma-separated text: its encoding, its types, its dates."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from partage._data.headers import find_long_line, open_bytes, read_header
from partage._data.magic import Content, start_of
from partage._data.typed_files import stream
from partage.exceptions import PartageError

if TYPE_CHECKING:
    import polars as pl

    from partage._data.files import Reading

__all__ = ["read_csv", "with_dates"]

_N_FIRST_ROWS = 10_000  # from which the types of a file are guessed
_ISO_TIME = r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?"
_ISO_DATE = rf"^(\d{{4}}-\d{{2}}-\d{{2}}|{_ISO_TIME})$"
_ISO_INSTANT = rf"^{_ISO_TIME}(Z|[+-]\d{{2}}(:?\d{{2}})?)$"
_MARKS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_WESTERN = "cp1252"


def read_csv(name: str, content: Content, reading: Reading, notes: list[str]) -> pl.DataFrame:
    """Read comma-separated text, after a look at its header."""
    import polars as pl

    content = _in_utf8(name, content, reading.encoding, notes)
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
        try:
            frame = pl.read_csv(stream(content), infer_schema_length=_N_FIRST_ROWS, **options)
        except pl.exceptions.ComputeError:  # later rows are of another type than the first
            frame = pl.read_csv(stream(content), infer_schema_length=None, **options)
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


def _in_utf8(name: str, content: Content, encoding: str | None, notes: list[str]) -> Content:
    """Give text in UTF-8, from the encoding that is named, else from the one that is found."""
    start = start_of(content)
    marked = next((kind for mark, kind in _MARKS.items() if start.startswith(mark)), None)
    wanted = encoding or marked
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
        notes.append(f"{name} was read as UTF-16.")
    return _reencode(name, content, wanted)


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
        if dtype != pl.String or name in kept:
            continue
        first = frame[name].drop_nulls().head(_N_FIRST_ROWS)
        if first.is_empty():
            continue
        if first.str.contains(_ISO_INSTANT).all():
            read = frame[name].str.to_datetime(time_unit="us", time_zone="UTC", strict=False)
        elif first.str.contains(_ISO_DATE).all():
            is_date = bool(first.str.len_bytes().max() == len("2020-01-31"))
            wanted = pl.Date() if is_date else pl.Datetime("us")
            read = frame[name].str.strptime(wanted, strict=False)
        else:
            continue
        if read.null_count() == frame[name].null_count():
            frame = frame.with_columns(read)
    return frame


def _one_line(error: Exception) -> str:
    """Return the first line of an error of the reader, which may go on for many."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[0] if lines else type(error).__name__).rstrip(".")
