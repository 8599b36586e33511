"""Files as data frames: names, patterns, folders, and the reader of each format."""

from __future__ import annotations

import glob
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from partage._data.csv_files import read_csv, with_dates
from partage._data.headers import told_apart
from partage._data.magic import FORMATS, Content, format_of, start_of
from partage._data.packed import unpack
from partage._data.typed_files import read_typed
from partage._support.extras import require
from partage.exceptions import PartageError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["FORMATS", "MISSING_TEXTS", "Reading", "expand", "read_files"]

MISSING_TEXTS = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "?")
_STANDARD_INPUT = "-"
_SPLIT = re.compile(r"(train|test|validation|valid|val|dev)(?=[-_.\d]|$)")
_RECORDS = ("json", "jsonl")  # which have no dates


@dataclass(frozen=True)
class Reading:
    """How files are read, where that is not found out from the files themselves."""

    format: str | None = None
    separator: str | None = None
    encoding: str | None = None
    missing_texts: tuple[str, ...] = MISSING_TEXTS
    has_decimal_comma: bool = False
    text_columns: tuple[str, ...] = ()  # of a CSV file, kept as they are written


def read_files(
    paths: Sequence[str], reading: Reading | None = None, notes: list[str] | None = None
) -> pl.DataFrame:
    """Read files of the same columns, one after the other, into one polars frame.

    Parameters
    ----------
    paths : sequence of str
        Files, patterns such as ``data/*.parquet``, folders of Parquet files, ``-`` for the standard
        input; ``file:part`` names a sheet, a table of a database, or a file of an archive.
    reading : Reading, default=None
        How to read them.
    notes : list of str, default=None
        Is given what the user should know of the reading.

    Returns
    -------
    polars.DataFrame
        The rows of all files.
    """
    require("reading files", "polars", "report")
    import polars as pl

    reading = reading or Reading()
    said: list[str] = [] if notes is None else notes
    sources = expand(paths, said)
    frames = [_read_one(source, reading, said) for source in sources]
    if len(frames) == 1:
        return frames[0]
    _check_same_columns(sources, frames)
    mixed = _columns_read_as_text_somewhere(frames)
    if mixed:
        again = replace(reading, text_columns=(*reading.text_columns, *mixed))
        frames = [_read_one(source, again, []) for source in sources]
    try:
        return pl.concat(frames, how="vertical_relaxed")
    except (pl.exceptions.SchemaError, pl.exceptions.InvalidOperationError) as error:
        first = str(error).splitlines()[0].rstrip(".")
        raise PartageError(
            f"{sources[0]} and the files after it must hold columns of the same types; "
            f"got {first}. Convert them first."
        ) from error


def expand(paths: Iterable[str], notes: list[str] | None = None) -> list[str]:
    """Replace patterns and folders by the files they name, in order."""
    found: list[str] = []
    for path in paths:
        if path == _STANDARD_INPUT:
            found.append(path)
            continue
        whole, part = _divided(path)
        if whole.is_dir():
            found += _files_of(whole, part, [] if notes is None else notes)
            continue
        matches = [str(whole) + (f":{part}" if part else "")] if whole.exists() else _match(path)
        if not matches:
            is_pattern = glob.has_magic(path)
            raise PartageError(
                f"{path}: {'no file has such a name' if is_pattern else 'no such file'}; "
                "check the path."
            )
        found += matches
    return found


def _divided(path: str) -> tuple[Path, str]:
    """Divide ``file:part`` where no file has the whole name."""
    whole = Path(path).expanduser()
    if whole.exists() or ":" not in path:
        return whole, ""
    before, _, part = path.rpartition(":")
    shorter = Path(before).expanduser()
    return (shorter, part) if before and shorter.exists() else (whole, "")


def _files_of(folder: Path, part: str, notes: list[str]) -> list[str]:
    """Name the Parquet files of a folder; of several splits the one for training."""
    files = sorted(path for path in folder.rglob("*.parquet") if path.is_file())
    if not files:
        raise PartageError(
            f"{folder} must be a file, or a folder of Parquet files; it is a folder without any. "
            f"Name its files, such as '{str(folder).rstrip('/')}/*.csv'."
        )
    places: dict[str, list[Path]] = {}
    for path in files:
        places.setdefault(_split_of(path), []).append(path)
    # Folders such as city=Oslo hold a column of the table.
    folders = {
        path.parent
        for path in files
        if path.parent.name not in (*places, "data") and "=" not in path.parent.name
    }
    if part and part in places:
        return [str(path) for path in places[part]]
    if part:
        inside = [path for path in files if part in path.relative_to(folder).parts]
        if not inside:
            raise PartageError(
                f"{folder}: has no files of {part!r}; it has {', '.join(filter(None, places))}."
            )
        return [str(path) for path in inside]
    if len(places) > 1 and "train" in places:
        others = ", ".join(name or "others" for name in places if name != "train")
        notes.append(f"The files of 'train' were read; {folder}:SPLIT reads another ({others}).")
        return [str(path) for path in places["train"]]
    if len(folders) > 1:
        shown = ", ".join(sorted(str(one.relative_to(folder)) for one in folders)[:8])
        raise PartageError(
            f"{folder}: must hold the files of one table; it has the folders {shown}. Name one of "
            "them."
        )
    return [str(path) for path in files]


def _split_of(path: Path) -> str:
    """Name the split that a file belongs to, by its name or its folder's; nothing for others."""
    found = _SPLIT.match(path.name) or _SPLIT.match(path.parent.name)
    return found.group(1) if found else ""


def _match(pattern: str) -> list[str]:
    """Return the files a pattern names, in order."""
    return sorted(
        found
        for found in glob.iglob(str(Path(pattern).expanduser()), recursive=True)  # noqa: PTH207  # Path takes no absolute one
        if Path(found).is_file()
    )


def _check_same_columns(sources: list[str], frames: list[pl.DataFrame]) -> None:
    """Refuse files whose columns differ."""
    first = frames[0].columns
    for source, frame in zip(sources[1:], frames[1:], strict=True):
        if frame.columns == first:
            continue
        lacking = [name for name in first if name not in frame.columns]
        more = [name for name in frame.columns if name not in first]
        got = (
            f"it lacks {lacking[0]!r}"
            if lacking
            else f"it has {more[0]!r} too"
            if more
            else "they stand in another order"
        )
        raise PartageError(
            f"{source}: must have the columns of {sources[0]}; {got}. Read them one at a time."
        )


def _columns_read_as_text_somewhere(frames: list[pl.DataFrame]) -> list[str]:
    """Name the columns that are text in some files and numbers in others."""
    import polars as pl

    return [
        name
        for name in frames[0].columns
        if 0 < sum(frame.schema[name] == pl.String for frame in frames) < len(frames)
    ]


def _read_one(source: str, reading: Reading, notes: list[str]) -> pl.DataFrame:
    """Read one file of any format, and check its names and rows."""
    import polars as pl

    name, content, part = _open(source)
    inside, content, part = unpack(name, content, part)
    kind = reading.format or format_of(inside, content)
    try:
        if kind == "csv":
            frame = read_csv(name, content, reading, notes)
        else:
            frame = read_typed(name, content, kind, part, notes)
    except (pl.exceptions.PolarsError, OSError, EOFError) as error:
        first = str(error).splitlines()[0].rstrip(".") if str(error) else type(error).__name__
        raise PartageError(
            f"{name}: cannot be read as {kind}: {first}. Name its format with --format "
            f"({', '.join(FORMATS)}), or rewrite the file."
        ) from error
    frame = _flat(frame)
    if kind in _RECORDS:
        frame = with_dates(frame, reading.text_columns)
    if len({one.strip() for one in frame.columns}) < frame.width:
        frame.columns = told_apart([one.strip() for one in frame.columns])
    if frame.height == 0:
        raise PartageError(f"{name}: must hold rows; it has column names only.")
    return frame


def _flat(frame: pl.DataFrame) -> pl.DataFrame:
    """Make columns of the fields of records, ``person.age``, and durations of times of day."""
    import polars as pl

    of_day = [name for name, dtype in frame.schema.items() if dtype == pl.Time]
    frame = frame.with_columns(pl.col(of_day).cast(pl.Duration("us"))) if of_day else frame
    while any(isinstance(dtype, pl.Struct) for dtype in frame.schema.values()):
        columns: list[pl.Series] = []
        for column in frame.get_columns():
            if not isinstance(column.dtype, pl.Struct):
                columns.append(column)
                continue
            fields = column.struct.unnest().get_columns()
            columns += [one.alias(f"{column.name}.{one.name}") for one in fields]
        frame = pl.DataFrame(columns)
    return frame


def _open(source: str) -> tuple[str, Content, str]:
    """Give the name of a file, its path or what the standard input holds, and the part named."""
    if source == _STANDARD_INPUT:
        content = sys.stdin.buffer.read()
        if not content.strip():
            raise PartageError("standard input: must hold data; it is empty.")
        return "standard input", content, ""
    path, part = _divided(source)
    try:
        start = start_of(str(path))
    except OSError as error:
        raise PartageError(
            f"{source}: cannot be opened: {error.strerror}; check the file's rights."
        ) from error
    if not start.strip():
        raise PartageError(f"{source}: must hold data; the file is empty.")
    return str(path), str(path), part
