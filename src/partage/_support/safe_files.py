"""Files that are whole or not there: written beside their place, then renamed."""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from partage.exceptions import PartageError

_OS_ERROR = re.compile(r"\(os error (\d+)\)")


def as_path(who: str, path: Any) -> Path:
    """Take the path of a file."""
    try:
        return Path(path)
    except TypeError:
        raise TypeError(f"{who}: path must be text or a Path; got {type(path).__name__}.") from None


def write_safely(path: Path, content: bytes) -> None:
    """Write a file whole, or leave what was there."""
    with file_safely(path) as draft, draft.open("wb") as file:
        file.write(content)


@contextmanager
def folder_safely(folder: Path) -> Iterator[Path]:
    """Give a folder to write files into; they move to their place once all are written.

    Other files of the place stay as they are. After an error or Ctrl-C nothing is left.
    """
    with _remedies(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft = _draft_of(folder)
        draft.mkdir()
        try:
            yield draft
            for file in sorted(draft.iterdir()):
                _to_disk(file)
            if folder.is_dir():
                for file in sorted(draft.iterdir()):
                    _take_mode(file, folder / file.name)
                    file.replace(folder / file.name)
            else:
                draft.rename(folder)
        finally:
            shutil.rmtree(draft, ignore_errors=True)


@contextmanager
def file_safely(path: Path) -> Iterator[Path]:
    """Give a path to write to; the file moves to its place once it is written."""
    with _remedies(path):
        if path.exists() and not path.is_file() and not path.is_dir():
            yield path  # a device or a pipe: there is nothing to keep, and nothing to replace
            return
        draft = _draft_of(path)
        # Exclusive: neither a file of another thread nor a planted link is ever opened.
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        try:
            _take_mode(draft, path)
            yield draft
            _to_disk(draft)
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)


def _draft_of(path: Path) -> Path:
    """Name a draft beside a file that nobody else can guess."""
    return path.with_name(f".{path.name[:100]}.{secrets.token_hex(8)}")


def _take_mode(draft: Path, path: Path) -> None:
    """Give a draft the permissions of the file that it replaces."""
    with suppress(FileNotFoundError):
        draft.chmod(stat.S_IMODE(path.stat().st_mode))


def _to_disk(path: Path) -> None:
    """Wait until the content of a file is on the disk, so that a rename never precedes it."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


@contextmanager
def _remedies(path: Path) -> Iterator[None]:
    """Say in one line why a file cannot be written, and what to do."""
    try:
        yield
    except OSError as error:
        # Polars writes the number into its message only.
        told = _OS_ERROR.search(str(error))
        number = error.errno if told is None else int(told[1])
        is_full = number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        remedy = "free some space" if is_full else "check the path and its rights"
        reason = error.strerror or os.strerror(number or errno.EIO)
        raise PartageError(
            f"{path}: cannot be written: {reason}; {remedy} and run again. Nothing was left behind."
        ) from error
