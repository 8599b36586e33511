"""Files that are whole or not there: written beside their place, then renamed."""

from __future__ import annotations

import errno
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
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
    with _remedies(path), _beside(path) as draft:
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)


@contextmanager
def folder_safely(folder: Path) -> Iterator[Path]:
    """Give a folder to write files into; they move to their place once all are written.

    Other files of the place stay as they are. After an error or Ctrl-C nothing is left.
    """
    with _remedies(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        try:
            yield draft
            if folder.is_dir():
                for file in sorted(draft.iterdir()):
                    file.replace(folder / file.name)
            else:
                draft.chmod(0o777 & ~_umask())
                draft.rename(folder)
        finally:
            shutil.rmtree(draft, ignore_errors=True)


@contextmanager
def file_safely(path: Path) -> Iterator[Path]:
    """Give a path to write to; the file moves to its place once it is written."""
    with _remedies(path), _beside(path) as draft:
        yield draft
        draft.replace(path)


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """Give a name beside a file, and remove what is left under it."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield draft
    finally:
        draft.unlink(missing_ok=True)


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


def _umask() -> int:
    """Return the mask of new files."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
