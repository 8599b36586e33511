"""Text files whose lines are not as CSV has them: ends of old computers, columns of spaces."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from partage._data.headers import sample_text
from partage._data.magic import Content

__all__ = ["with_lines"]

_SEPARATORS = re.compile(r"[,;\t|]")
_FEWEST_LINES = 3


def with_lines(content: Content, notes: list[str], name: str) -> Content:
    """Give text whose lines end as usual, and whose fields have commas between them."""
    text = sample_text(content)
    if "\r" in text and "\n" not in text:
        data = _bytes(content).replace(b"\r", b"\n")
        return data if not _has_spaces_only(text.splitlines()) else _with_commas(data, notes, name)
    if _has_spaces_only(text.splitlines()):
        return _with_commas(_bytes(content), notes, name)
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
