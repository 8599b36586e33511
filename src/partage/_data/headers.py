"""First lines of text files: names, separators, comments, and what is wrong with the rest."""

from __future__ import annotations

import contextlib
import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from partage._data.magic import Content
from partage.exceptions import PartageError

__all__ = ["Header", "find_long_line", "open_bytes", "read_header", "sample_text", "told_apart"]

_SEPARATORS = (",", ";", "\t", "|")
_RARE_SEPARATORS = ("^", "~", "\x01", "\x1f", "¦", "§")
_MARK = "\ufeff"  # of the byte order, which some programs put first
_COMMENTS = ("#", "%", "//", "; ")
_N_LINES = 200  # that are looked at
_LEADING_ZERO = re.compile(r"0\d+")
_MONTH = re.compile(r"(0[1-9]|1[0-2])\.(19|20)\d{2}")  # and year, which is no decimal number


@dataclass(frozen=True)
class Header:
    """The names of the columns, as written and as used, and how the rest is to be read.

    Attributes
    ----------
    raw_names, names : list of str
        Names as the reader of the rest knows them, and as they are used.
    separator : str
        What stands between fields.
    n_lines : int
        Lines before that of the names, or before the first row where names are not read again.
    is_in_line : bool
        Whether the line of names has a field for every column.
    comment : str
        How lines start that are no rows, where there are such.
    codes : list of str
        Raw names of columns of whole numbers with leading zeros.
    notes : list of str
        What the user should know.
    """

    raw_names: list[str]
    names: list[str]
    separator: str
    n_lines: int = 0
    is_in_line: bool = True
    comment: str = ""
    codes: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def open_bytes(content: Content) -> IO[bytes]:
    """Open a file or bytes in memory."""
    return io.BytesIO(content) if isinstance(content, bytes) else Path(content).open("rb")


def sample_text(content: Content) -> str:
    """First whole lines of a text in UTF-8; letters that are none become marks."""
    with open_bytes(content) as file:
        start = file.read(1 << 20)
    end = max(start.rfind(b"\n"), 0) if len(start) == 1 << 20 else len(start)
    return start[:end].decode("utf-8", "replace").removeprefix(_MARK)


def read_header(name: str, content: Content, separator: str | None) -> Header:
    """Read the names of the columns, and find the separator if it is not given."""
    text = sample_text(content)
    if "\0" in text:
        raise PartageError(
            f"{name}: must be text; it holds zero bytes. Name its format with --format, or its "
            "encoding with --encoding."
        )
    lines = text.splitlines(keepends=True)
    if separator is None and lines and re.fullmatch(r"sep=.\s*", lines[0], re.IGNORECASE):
        separator = lines[0][4]  # a line that is written for Excel
        found = _find_names(name, lines[1 : _N_LINES + 1], separator, [])
        return Header(**{**vars(found), "n_lines": found.n_lines + 1})
    return _find_names(name, lines[:_N_LINES], separator, [])


def _find_names(name: str, lines: list[str], separator: str | None, notes: list[str]) -> Header:
    """Find the line of names among the first ones."""
    n_comments = 0
    while n_comments < len(lines) and (
        lines[n_comments].startswith(_COMMENTS) or not lines[n_comments].strip()
    ):
        n_comments += 1
    said, rest = lines[:n_comments], lines[n_comments:]
    said = [line for line in said if line.strip()]
    found = separator or _find_separator(rest or said)
    if said and _is_header(said[-1], rest[:1], found):
        rest = [said.pop().lstrip("#%/ "), *rest]
        names, is_in_line, n_lines = _fields(rest[0], found), False, n_comments
    else:
        above, names = _skip_titles(name, rest, found)
        n_lines, is_in_line = n_comments + above, True
        if above:
            notes = [
                *notes,
                f"{_lines(above)} above the names {_were(above)} left out.",
            ]
        names, is_in_line, n_lines = _with_row_names(names, rest[above:], found, n_lines)
    comment = said[0][0] if said else ""
    if said:
        notes = [
            *notes,
            f"{_lines(len(said))} of comments ({comment}) {_were(len(said))} left out.",
        ]
    used = [given.strip() or f"column {i + 1}" for i, given in enumerate(names)]
    _check_not_data(name, used)
    renamed = told_apart(used)
    if renamed != used:
        again = sorted({one for one in used if used.count(one) > 1})
        notes = [*notes, f"Columns of the same name were told apart: {', '.join(again[:6])}."]
    raw = names if is_in_line else [f"column_{i + 1}" for i in range(len(names))]
    return Header(
        raw, renamed, found, n_lines, is_in_line, comment, _codes(raw, rest, found), notes
    )


def _lines(n: int) -> str:
    """Write a number of lines."""
    return "1 line" if n == 1 else f"{n} lines"


def _were(n: int) -> str:
    """Write the verb of a number of lines."""
    return "was" if n == 1 else "were"


def _fields(line: str, separator: str) -> list[str]:
    """Fields of one line."""
    return next(csv.reader(io.StringIO(line, newline=""), delimiter=separator), [])


def _is_header(line: str, after: list[str], separator: str) -> bool:
    """Whether a comment holds the names: as many as the row after it, which holds numbers."""
    if not after:
        return False
    names, row = _fields(line.lstrip("#%/ "), separator), _fields(after[0], separator)
    return (
        len(names) == len(row) > 1 and any(map(is_number, row)) and not any(map(is_number, names))
    )


def _rows(lines: Sequence[str], separator: str) -> list[tuple[int, list[str]]]:
    """Read lines as rows, each with the number of lines up to its end."""
    reader = csv.reader(lines, delimiter=separator)
    found: list[tuple[int, list[str]]] = []
    with contextlib.suppress(csv.Error):
        found.extend((reader.line_num, row) for row in reader)
    return found


def _find_separator(lines: list[str]) -> str:
    """Choose the separator that divides the most lines into the same number of fields."""
    first = next((line for line in lines if line.strip()), "")
    bare = "".join(first.split('"')[::2])
    best = max(_SEPARATORS, key=bare.count)
    if bare.count(best):
        return best
    for rare in _RARE_SEPARATORS:
        if bare.count(rare) and len({line.count(rare) for line in lines[:50] if line.strip()}) == 1:
            return rare
    scores = {}
    for separator in _SEPARATORS:
        sizes = Counter(len(row) for _, row in _rows(lines[:50], separator) if row)
        size, often = sizes.most_common(1)[0] if sizes else (0, 0)
        scores[separator] = (often if size > 1 else 0, size)
    return max(_SEPARATORS, key=lambda separator: scores[separator])


def _skip_titles(name: str, lines: list[str], separator: str) -> tuple[int, list[str]]:
    """Count the lines above the names: titles, which have far fewer fields than all that follow."""
    rows = _rows(lines, separator)
    if not rows:
        try:
            return 0, next(csv.reader(io.StringIO("".join(lines), newline=""), delimiter=separator))
        except StopIteration:
            return 0, []
        except csv.Error as error:
            raise PartageError(
                f"{name}: cannot be read as CSV: {error}. Rewrite it with lines ended by newlines."
            ) from None
    size = Counter(len(row) for _, row in rows if row).most_common(1)[0][0]
    if size > 2:
        for i, (_, row) in enumerate(rows[:20]):
            filled = sum(bool(cell.strip()) for cell in row)
            if len(row) >= size - 1 and filled > size // 2:
                return (rows[i - 1][0] if i else 0), row
    return 0, rows[0][1]


def _with_row_names(
    names: list[str], lines: list[str], separator: str, n_lines: int
) -> tuple[list[str], bool, int]:
    """Give the first column a name where all rows have a field more than the line of names."""
    sizes = {len(row) for _, row in _rows(lines, separator)[1:] if row}
    if len(names) > 1 and sizes == {len(names) + 1}:
        return ["", *names], False, n_lines + 1
    return names, True, n_lines


def _codes(names: list[str], lines: list[str], separator: str) -> list[str]:
    """Name the columns whose numbers are kept as they are written."""
    rows = [row for _, row in _rows(lines, separator)[1:] if len(row) == len(names)]
    columns = zip(names, zip(*rows, strict=True), strict=True) if rows else ()
    return [
        name
        for name, cells in columns
        if _are_codes([cell.strip() for cell in cells if cell.strip()])
    ]


def _are_codes(cells: list[str]) -> bool:
    """Whether numbers have leading zeros, or are months with years."""
    if not any(cell.startswith("0") for cell in cells):
        return False
    is_code = any(map(_LEADING_ZERO.fullmatch, cells)) and all(cell.isdecimal() for cell in cells)
    return is_code or all(map(_MONTH.fullmatch, cells))


def told_apart(names: Sequence[str]) -> list[str]:
    """Give numbers to names that stand more than once: a, a (2)."""
    found: list[str] = []
    known = set(names)
    for i, name in enumerate(names):
        if name not in names[:i]:
            found.append(name)
            continue
        n = 2
        while f"{name} ({n})" in known:
            n += 1
        known.add(f"{name} ({n})")
        found.append(f"{name} ({n})")
    return found


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


def find_long_line(name: str, content: Content, header: Header) -> None:
    """Raise if a line has more fields than the header."""
    with open_bytes(content) as file:
        text: Iterator[str] = io.TextIOWrapper(file, encoding="utf-8", newline="", errors="replace")
        for _ in range(header.n_lines):
            next(text, None)
        for fields in (reader := csv.reader(text, delimiter=header.separator)):
            if len(fields) > len(header.names):
                raise PartageError(
                    f"{name}: line {reader.line_num + header.n_lines} must have "
                    f"{len(header.names)} fields like the header; it has {len(fields)}. Mend it, "
                    "or name the --separator."
                )
