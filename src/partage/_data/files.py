"""Files as data frames: the one place that knows formats, separators and encodings."""

from __future__ import annotations

import glob
import io
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from partage._data.headers import check_names, find_bad_byte, find_long_line, read_header
from partage._support.extras import require
from partage.exceptions import PartageError

if TYPE_CHECKING:
    import polars as pl

FORMATS = ("csv", "parquet", "arrow", "jsonl")
MISSING_TEXTS = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "?")
_ENDINGS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".arrows": "arrow",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}
_COMPRESSED = ".gz"
_STREAM_START = b"\xff\xff\xff\xff"
_STARTS = {b"PAR1": "parquet", b"ARROW1": "arrow", _STREAM_START: "arrow", b"{": "jsonl"}
_STANDARD_INPUT = "-"
_N_FIRST_ROWS = 10_000  # from which the types of a CSV file are guessed
_ISO_TIME = r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?"
_ISO_DATE = rf"^(\d{{4}}-\d{{2}}-\d{{2}}|{_ISO_TIME})$"
_ISO_INSTANT = rf"^{_ISO_TIME}(Z|[+-]\d{{2}}(:?\d{{2}})?)$"


@dataclass(frozen=True)
class Reading:
    """How files are read, where that is not found out from the files themselves."""

    format: str | None = None
    separator: str | None = None
    encoding: str = "utf-8"
    missing_texts: tuple[str, ...] = MISSING_TEXTS
    has_decimal_comma: bool = False
    text_columns: tuple[str, ...] = ()  # of a CSV file, kept as they are written


def read_files(paths: Sequence[str], reading: Reading | None = None) -> pl.DataFrame:
    """Read files of the same columns, one after the other, into one polars frame.

    Parameters
    ----------
    paths : sequence of str
        Files, patterns such as ``data/*.parquet``, or ``-`` for the standard input.
    reading : Reading, default=None
        How to read them.

    Returns
    -------
    polars.DataFrame
        The rows of all files.
    """
    require("reading files", "polars", "report")
    import polars as pl

    reading = reading or Reading()
    sources = expand(paths)
    frames = [_read_one(source, reading) for source in sources]
    if len(frames) == 1:
        return frames[0]
    _check_same_columns(sources, frames)
    mixed = _columns_read_as_text_somewhere(frames)
    if mixed:
        again = Reading(**{**vars(reading), "text_columns": (*reading.text_columns, *mixed)})
        frames = [_read_one(source, again) for source in sources]
    try:
        return pl.concat(frames, how="vertical_relaxed")
    except (pl.exceptions.SchemaError, pl.exceptions.InvalidOperationError) as error:
        raise PartageError(
            f"{sources[0]} and the files after it must hold columns of the same types; "
            f"got {_one_line(error)}. Convert them first."
        ) from error


def expand(paths: Iterable[str]) -> list[str]:
    """Replace patterns by the files they name, in order."""
    found: list[str] = []
    for path in paths:
        if path == _STANDARD_INPUT:
            found.append(path)
            continue
        whole = Path(path).expanduser()
        if whole.is_dir():
            raise PartageError(
                f"{path} must be a file; it is a folder. Name its files, such as "
                f"'{path.rstrip('/')}/*.parquet'."
            )
        matches = [str(whole)] if whole.exists() else _match(str(whole))
        if not matches:
            is_pattern = glob.has_magic(path)
            raise PartageError(
                f"{path}: {'no file has such a name' if is_pattern else 'no such file'}; "
                "check the path."
            )
        found += matches
    return found


def is_csv(source: str, reading: Reading) -> bool:
    """Whether a file is read as CSV; the standard input may be."""
    if reading.format is not None or source == _STANDARD_INPUT:
        return reading.format in (None, "csv")
    return _format_of(source, source) == "csv"


def _match(pattern: str) -> list[str]:
    """Return the files a pattern names, in order."""
    return sorted(
        found
        for found in glob.iglob(pattern, recursive=True)  # noqa: PTH207  # Path takes no absolute one
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


def _read_one(source: str, reading: Reading) -> pl.DataFrame:
    """Read one file of any format, and check its names and rows."""
    import polars as pl

    name = "standard input" if source == _STANDARD_INPUT else source
    content = _open(source)
    kind = reading.format or _format_of(source, content)
    readers = {"parquet": _read_parquet, "arrow": _read_arrow, "jsonl": _read_json_lines}
    try:
        frame = _read_csv(name, content, reading) if kind == "csv" else readers[kind](content)
    except (pl.exceptions.PolarsError, OSError, EOFError) as error:
        raise PartageError(
            f"{name}: cannot be read as {kind}: {_one_line(error)}. Name its format with --format "
            f"({', '.join(FORMATS)}), or rewrite the file."
        ) from error
    check_names(name, frame.columns)
    if frame.height == 0:
        raise PartageError(f"{name}: must hold rows; it has column names only.")
    return frame


def _open(source: str) -> str | bytes:
    """Return the path of a file, or what the standard input holds; neither may be empty."""
    if source == _STANDARD_INPUT:
        content = sys.stdin.buffer.read()
        if not content.strip():
            raise PartageError("standard input: must hold data; it is empty.")
        return content
    try:
        with Path(source).open("rb") as file:
            start = file.read(4096)
    except OSError as error:
        raise PartageError(
            f"{source}: cannot be opened: {error.strerror}; check the file's rights."
        ) from error
    if not start.strip():
        raise PartageError(f"{source}: must hold data; the file is empty.")
    return source


def _format_of(source: str, content: str | bytes) -> str:
    """Tell the format by the ending of the name, else by the first bytes."""
    path = Path(source)
    if path.suffix.lower() == _COMPRESSED:
        path = path.with_suffix("")
    if path.suffix.lower() in _ENDINGS:
        return _ENDINGS[path.suffix.lower()]
    start = _first_bytes(content)
    return next((kind for magic, kind in _STARTS.items() if start.startswith(magic)), "csv")


def _first_bytes(content: str | bytes) -> bytes:
    """Return the first bytes of a file."""
    if isinstance(content, bytes):
        return content[:16]
    with Path(content).open("rb") as file:
        return file.read(16)


def _stream(content: str | bytes) -> str | IO[bytes]:
    """Return what polars reads: a path, or bytes in memory."""
    return io.BytesIO(content) if isinstance(content, bytes) else content


def _read_parquet(content: str | bytes) -> pl.DataFrame:
    """Read Parquet."""
    import polars as pl

    return pl.read_parquet(_stream(content), glob=False)


def _read_arrow(content: str | bytes) -> pl.DataFrame:
    """Read Arrow's file or stream format."""
    import polars as pl

    if _first_bytes(content).startswith(_STREAM_START):
        return pl.read_ipc_stream(_stream(content))
    return pl.read_ipc(_stream(content))


def _read_json_lines(content: str | bytes) -> pl.DataFrame:
    """Read one JSON object per line."""
    import polars as pl

    return pl.read_ndjson(_stream(content), infer_schema_length=None)


def _read_csv(name: str, content: str | bytes, reading: Reading) -> pl.DataFrame:
    """Read comma-separated text, after a look at its header."""
    import polars as pl

    if reading.encoding.lower().replace("_", "-") not in ("utf-8", "utf8"):
        content = _reencode(name, content, reading.encoding)
    header = read_header(name, content, reading.separator)
    options: dict[str, Any] = {
        "separator": header.separator,
        "new_columns": header.names,
        "null_values": list(reading.missing_texts),
        "decimal_comma": reading.has_decimal_comma,
        "schema_overrides": {
            column: pl.String for column in reading.text_columns if column in header.raw_names
        },
        "glob": False,
    }
    try:
        try:
            frame = pl.read_csv(_stream(content), infer_schema_length=_N_FIRST_ROWS, **options)
        except pl.exceptions.ComputeError:  # later rows are of another type than the first
            frame = pl.read_csv(_stream(content), infer_schema_length=None, **options)
        return _with_dates(frame, reading.text_columns)
    except pl.exceptions.NoDataError:
        raise PartageError(f"{name}: must hold rows; it has column names only.") from None
    except pl.exceptions.ComputeError as error:
        find_bad_byte(name, content)
        find_long_line(name, content, header)
        raise PartageError(
            f"{name}: cannot be read as CSV: {_one_line(error)}. Check its separator "
            f"({header.separator!r} was taken) and its quotes."
        ) from error


def _with_dates(frame: pl.DataFrame, kept: Sequence[str]) -> pl.DataFrame:
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


def _reencode(name: str, content: str | bytes, encoding: str) -> bytes:
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


def _one_line(error: Exception) -> str:
    """Return the first line of an error of the reader, which may go on for many."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[0] if lines else type(error).__name__).rstrip(".")
