"""First lines of text files: names, separators, and what is wrong with the rest."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from partage.exceptions import PartageError

_SEPARATORS = (",", ";", "\t", "|")
_GZIP = b"\x1f\x8b"
_MARK = "\ufeff"  # of the byte order, which some programs put first
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True)
class Header:
    """The names of the columns, as written and as used, and what separates them."""

    raw_names: list[str]
    names: list[str]
    separator: str


def open_bytes(content: str | bytes) -> IO[bytes]:
    """Open a file or bytes in memory; compressed ones are read as what they hold."""
    if isinstance(content, bytes):
        data = gzip.decompress(content) if content.startswith(_GZIP) else content
        return io.BytesIO(data)
    with Path(content).open("rb") as file:
        is_compressed = file.read(2) == _GZIP
    return gzip.open(content) if is_compressed else Path(content).open("rb")  # type: ignore[return-value]  # a file of bytes too


def read_header(name: str, content: str | bytes, separator: str | None) -> Header:
    """Read the names of the columns, and find the separator if it is not given."""
    with open_bytes(content) as file:
        start = file.read(1 << 20)
    if start[:2] in _UTF16:
        raise PartageError(f"{name}: must be UTF-8 text; it is UTF-16. Pass --encoding utf-16.")
    end = max(start.rfind(b"\n"), 0) if len(start) == 1 << 20 else len(start)
    try:
        text = start[:end].decode("utf-8").removeprefix(_MARK)
    except UnicodeDecodeError as error:
        raise PartageError(_encoding_message(name, start, error.start)) from None
    if "\0" in text:
        raise PartageError(
            f"{name}: must be text; it holds zero bytes. Name its format with --format, or its "
            "encoding with --encoding."
        )
    found = separator or _find_separator(text)
    try:
        raw_names = next(csv.reader(io.StringIO(text, newline=""), delimiter=found), [])
    except csv.Error as error:
        raise PartageError(
            f"{name}: cannot be read as CSV: {error}. Rewrite it with lines ended by newlines."
        ) from None
    names = [given or f"column {i + 1}" for i, given in enumerate(raw_names)]
    check_names(name, names)
    _check_not_data(name, names)
    return Header(raw_names, names, found)


def _find_separator(text: str) -> str:
    """Choose the separator that the first line holds most often outside quotes."""
    line = next((line for line in text.splitlines() if line.strip()), "")
    bare = "".join(line.split('"')[::2])
    return max(_SEPARATORS, key=bare.count)


def check_names(name: str, columns: Sequence[str]) -> None:
    """Refuse columns of the same name."""
    seen: set[str] = set()
    for column in columns:
        if column in seen:
            raise PartageError(
                f"{name}: column names must differ; {column!r} stands more than once. Rename one."
            )
        seen.add(column)


def _check_not_data(name: str, names: list[str]) -> None:
    """Refuse a first line that holds numbers only."""
    if all(is_number(column) for column in names):
        shown = ", ".join(names[:4])
        raise PartageError(
            f"{name}: the first line must hold the names of the columns; got {shown}. "
            "Put a line of names before the data."
        )


def is_number(text: str) -> bool:
    """Tell whether a text reads as a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def find_bad_byte(name: str, content: str | bytes) -> None:
    """Raise if the text is not UTF-8, naming the first byte in the way."""
    position = 0
    with open_bytes(content) as file:
        for line in file:
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                raise PartageError(_encoding_message(name, line, error.start, position)) from None
            position += len(line)


def _encoding_message(name: str, data: bytes, place: int, before: int = 0) -> str:
    """Say which byte is no UTF-8."""
    return (
        f"{name}: must be UTF-8 text; the byte {data[place]:#04x} at position {before + place} is "
        "not. Pass --encoding latin-1, or the encoding it has."
    )


def find_long_line(name: str, content: str | bytes, header: Header) -> None:
    """Raise if a line has more fields than the header."""
    with open_bytes(content) as file:
        text: Iterator[str] = io.TextIOWrapper(file, encoding="utf-8", newline="")
        for fields in (reader := csv.reader(text, delimiter=header.separator)):
            if len(fields) > len(header.names):
                raise PartageError(
                    f"{name}: line {reader.line_num} must have {len(header.names)} fields like the "
                    f"header; it has {len(fields)}. Mend it, or name the --separator."
                )
