"""Text whose lines are not as CSV has them: other ends, quotes, spaces, tables of Markdown."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path

from partage._data.headers import sample_text
from partage._data.magic import Content

__all__ = ["with_lines"]

_SEPARATORS = re.compile(r"[,;\t|]")
_FEWEST_LINES = 3
_N_QUOTED = 20  # lines by which quotes are told
_QUOTED = re.compile(r"""(?:^|[,;\t|])'[^'"]*'(?=[,;\t|]|$)""")
_RULE = re.compile(r"\|?(?:\s*:?-{2,}:?\s*\|)+(?:\s*:?-{2,}:?\s*)?")


def with_lines(content: Content, notes: list[str], name: str) -> Content:
    """Give text whose lines end as usual, and whose fields have commas between them."""
    text = sample_text(content)
    if "\r" in text and "\n" not in text:
        data = _bytes(content).replace(b"\r", b"\n")
        return data if not _has_spaces_only(text.splitlines()) else _with_commas(data, notes, name)
    lines = text.splitlines()
    if _has_spaces_only(lines):
        return _with_commas(_bytes(content), notes, name)
    if len(lines) > 1 and _RULE.fullmatch(lines[1].strip()):
        return _from_markdown(_bytes(content), notes, name)
    if _has_single_quotes(lines[: _N_QUOTED + 1]):
        return _with_double_quotes(_bytes(content), notes, name)
    return content


def _bytes(content: Content) -> bytes:
    """Give what a file holds."""
    return content if isinstance(content, bytes) else Path(content).read_bytes()


def _has_spaces_only(lines: Sequence[str]) -> bool:
    """Whether lines have the same number of words, above one, and no separator."""
    rows = [line.split() for line in lines if line.strip()]
    if len(rows) < _FEWEST_LINES or any(map(_SEPARATORS.search, lines)):
        return False
    return len(rows[0]) > 1 and all(len(row) == len(rows[0]) for row in rows)


def _with_commas(data: bytes, notes: list[str], name: str) -> bytes:
    """Write commas between words; a word with a comma cannot be, since no line has one."""
    notes.append(f"{name} has spaces between its columns.")
    lines = data.decode("utf-8", "replace").splitlines()
    return "\n".join(",".join(line.split()) for line in lines).encode()


def _from_markdown(data: bytes, notes: list[str], name: str) -> bytes:
    """Take the cells between bars, without the line below the names."""
    notes.append(f"{name} is a table of Markdown.")
    first, _, *rest = data.decode("utf-8", "replace").splitlines()
    rows = (line.strip().removeprefix("|").removesuffix("|") for line in [first, *rest])
    return "\n".join("|".join(cell.strip() for cell in row.split("|")) for row in rows).encode()


def _has_single_quotes(lines: Sequence[str]) -> bool:
    """Whether texts stand between single quotes in every row, and double ones nowhere."""
    rows = [line for line in lines[1:] if line.strip()]
    if len(rows) < _FEWEST_LINES or any('"' in line for line in lines):
        return False
    found = [_QUOTED.search(row) for row in rows]
    inside = [one[0].strip(",;\t|") for one in found if one is not None]
    return len(inside) == len(rows) and any(map(_SEPARATORS.search, inside))


def _with_double_quotes(data: bytes, notes: list[str], name: str) -> bytes:
    """Write double quotes in place of single ones."""
    notes.append(f"{name} has single quotes around its texts.")
    text = data.decode("utf-8", "replace")
    bare = _QUOTED.sub("", text.splitlines()[1])
    separator = max(",;\t|", key=bare.count)
    out = io.StringIO()
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, quotechar="'")
    csv.writer(out, delimiter=separator, lineterminator="\n").writerows(rows)
    return out.getvalue().encode()
