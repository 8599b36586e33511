"""Files that carry the types of their columns, or records: all formats but CSV."""

from __future__ import annotations

import io
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from partage._data.labels import with_labels
from partage._data.magic import OLD_OFFICE, STREAM_START, Content, start_of
from partage._support.extras import require
from partage.exceptions import PartageError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["read_typed"]

_MOST_HEAD_ROWS = 30  # of a sheet, among which its names stand


def read_typed(name: str, content: Content, kind: str, part: str, notes: list[str]) -> pl.DataFrame:
    """Read a file of a known format; ``part`` names a sheet or a table of it."""
    if kind in ("excel", "sqlite", "duckdb"):
        read = {"excel": _read_excel, "sqlite": _read_sqlite, "duckdb": _read_duckdb}[kind]
        return read(name, content, part, notes)
    if part:
        raise PartageError(f"{name}: has no parts; got {part!r}. Leave it out.")
    if kind in _STATISTICS:
        return _read_statistics(name, content, notes, _STATISTICS[kind])
    return _READERS[kind](name, content)


def stream(content: Content) -> str | IO[bytes]:
    """Return what polars reads: a path, or bytes in memory."""
    return io.BytesIO(content) if isinstance(content, bytes) else content


def _read_parquet(_: str, content: Content) -> pl.DataFrame:
    """Read Parquet."""
    import polars as pl

    is_divided = isinstance(content, str) and "=" in Path(content).parent.name
    return pl.read_parquet(stream(content), glob=False, hive_partitioning=is_divided)


def _read_arrow(_: str, content: Content) -> pl.DataFrame:
    """Read Arrow's file or stream format."""
    import polars as pl

    if start_of(content).startswith(STREAM_START):
        return pl.read_ipc_stream(stream(content))
    return pl.read_ipc(stream(content))


def _read_avro(_: str, content: Content) -> pl.DataFrame:
    """Read Avro."""
    import polars as pl

    return pl.read_avro(stream(content))


def _read_json_lines(name: str, content: Content) -> pl.DataFrame:
    """Read one JSON object per line; one object over many lines is read as JSON."""
    import polars as pl

    try:
        return pl.read_ndjson(stream(content), infer_schema_length=None)
    except pl.exceptions.PolarsError:
        try:
            return _read_json(name, content)
        except PartageError:
            pass
        raise


def _read_json(name: str, content: Content) -> pl.DataFrame:
    """Read an array of records, or an object that holds one, or columns."""
    import polars as pl

    data = content if isinstance(content, bytes) else Path(content).read_bytes()
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        if data.lstrip()[:1] == b"{" and b"\n{" in data:
            return pl.read_ndjson(data, infer_schema_length=None)
        raise PartageError(f"{name}: cannot be read as JSON: {error}. Mend the file.") from None
    rows = _records(found)
    if rows is None:
        raise PartageError(
            f'{name}: must hold an array of records, such as [{{"age": 30, "y": 1}}]; it holds '
            f"another {type(found).__name__}. Rewrite it, one object for each row."
        )
    try:
        return pl.DataFrame(rows, infer_schema_length=None, strict=False)
    except (pl.exceptions.PolarsError, TypeError, ValueError) as error:
        first = str(error).splitlines()[0]
        raise PartageError(f"{name}: its records make no table: {first}. Mend the file.") from None


def _records(found: Any) -> Any:
    """Find the rows or the columns in what JSON holds; None where there are none."""
    if isinstance(found, list):
        if len(found) > 1 and all(isinstance(row, list) for row in found):
            return _below_names(found)
        return found if found and all(isinstance(row, dict) for row in found) else None
    if not isinstance(found, dict) or not found:
        return None
    names, rows = found.get("columns"), found.get("data")
    if isinstance(names, list) and isinstance(rows, list) and rows and isinstance(rows[0], list):
        return [dict(zip(map(str, names), row, strict=False)) for row in rows]
    if all(isinstance(column, dict) for column in found.values()):
        inner_names = next(iter(found.values()))
        if _are_digits(found) and not _are_digits(inner_names):  # rows by their number
            return list(found.values())
        return {name: list(column.values()) for name, column in found.items()}
    lists = [value for value in found.values() if isinstance(value, list)]
    if len(lists) == len(found) and len({len(value) for value in lists}) == 1:
        return found
    inner = [rows for value in lists if (rows := _records(value)) is not None]
    return inner[0] if len(inner) == 1 else None


def _below_names(found: list[list[Any]]) -> list[dict[str, Any]] | None:
    """Make records of rows whose first holds the names."""
    names, *rows = found
    is_named = bool(names) and all(isinstance(name, str) for name in names)
    if not is_named or any(len(row) != len(names) for row in rows):
        return None
    return [dict(zip(names, row, strict=True)) for row in rows]


def _are_digits(names: Iterable[str]) -> bool:
    """Whether all names are numbers, as those of rows are."""
    return all(name.isdecimal() for name in names)


def _read_excel(name: str, content: Content, part: str, notes: list[str]) -> pl.DataFrame:
    """Read a sheet: the one that is named, else the first that holds rows."""
    require("reading spreadsheets", "fastexcel", "excel")
    import fastexcel

    data = content if isinstance(content, bytes) else Path(content).read_bytes()
    try:
        book = fastexcel.read_excel(data)
    except fastexcel.FastExcelError as error:
        what = (
            "an Excel 97 file or another old file of Office"
            if data.startswith(OLD_OFFICE)
            else ("a spreadsheet")
        )
        first = str(error).splitlines()[0]
        raise PartageError(
            f"{name}: cannot be read; this is {what}, protected or damaged ({first}). Save it as "
            ".xlsx without a password, or as CSV."
        ) from None
    sheets = list(book.sheet_names)
    sheet = _chosen(name, "sheet", part, sheets) if part else None
    bare = None
    for one in [sheet] if sheet else sheets:
        bare = book.load_sheet(one, header_row=None, dtypes="string").to_polars()
        if bare.height > 1 and bare.width:
            sheet = one
            break
    if sheet is None or bare is None or bare.height < 2:
        raise PartageError(f"{name}: must hold rows; its sheets are empty.")
    if len(sheets) > 1 and not part:
        others = ", ".join(repr(one) for one in sheets if one != sheet)
        notes.append(f"The sheet {sheet!r} was read; {name}:SHEET reads another ({others}).")
    head = bare.head(_MOST_HEAD_ROWS)
    filled = [sum(cell is not None for cell in row) for row in head.rows()]
    header = filled.index(max(filled))
    if header:
        above = "1 line" if header == 1 else f"{header} lines"
        notes.append(f"{above} above the names {'was' if header == 1 else 'were'} left out.")
    # The rows above the names are counted in the sheet, where empty ones do not count at its start.
    frame = book.load_sheet(sheet, header_row=_sheet_row(book, sheet, head, header)).to_polars()
    return _without_empty(frame)


def _sheet_row(book: Any, sheet: str, head: pl.DataFrame, header: int) -> int:
    """Row of the sheet that holds the names."""
    wanted = [cell for cell in head.row(header) if cell is not None]
    for row in range(header, header + _MOST_HEAD_ROWS):
        try:
            found = book.load_sheet(sheet, header_row=row, n_rows=1, dtypes="string").to_polars()
        except Exception:
            break
        if set(wanted) <= {name.split("_duplicated_")[0] for name in found.columns}:
            return row
    return header


def _without_empty(frame: pl.DataFrame) -> pl.DataFrame:
    """Leave out columns without a name and a value, and rows without a value."""
    import polars as pl

    empty = [
        name
        for name in frame.columns
        if name.startswith("__UNNAMED__") and frame[name].null_count() == frame.height
    ]
    frame = frame.drop(empty)
    if not frame.width:
        return frame
    return frame.filter(~pl.all_horizontal(pl.all().is_null()))


def _chosen(name: str, what: str, part: str, known: Sequence[str]) -> str:
    """Give the part that is named."""
    if part in known:
        return part
    shown = ", ".join(map(repr, known[:12])) or "none"
    raise PartageError(f"{name}: has no {what} {part!r}; it has {shown}. Name it as {name}:NAME.")


def _only(name: str, what: str, part: str, known: Sequence[str]) -> str:
    """Give the part that is named, or the only one."""
    if part:
        return _chosen(name, what, part, known)
    if len(known) == 1:
        return known[0]
    shown = ", ".join(known[:12])
    raise PartageError(
        f"{name}: must hold one {what}, or name it as {name}:{known[0]}; it has {shown}."
        if known
        else f"{name}: must hold a {what}; it has none."
    )


def _read_sqlite(name: str, content: Content, part: str, _: list[str]) -> pl.DataFrame:
    """Read a table of SQLite."""
    import sqlite3
    from contextlib import closing

    import polars as pl

    with _on_disk(content) as path:
        address = f"{Path(path).resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True)) as base:
            query = (
                "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') "
                "AND name NOT LIKE 'sqlite_%' ORDER BY name"
            )
            table = _only(name, "table", part, [row[0] for row in base.execute(query)])
            quoted = table.replace('"', '""')
            found = base.execute(f'SELECT * FROM "{quoted}"')  # a name of the file
            names = [entry[0] for entry in found.description]
            rows = found.fetchall()
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    return pl.DataFrame(
        [pl.Series(one, values, strict=False) for one, values in zip(names, columns, strict=True)]
    )


def _read_duckdb(name: str, content: Content, part: str, _: list[str]) -> pl.DataFrame:
    """Read a table of DuckDB."""
    require("reading files of DuckDB", "duckdb", "duckdb")
    import duckdb

    with _on_disk(content) as path, duckdb.connect(path, read_only=True) as base:
        known = [row[0] for row in base.execute("SHOW TABLES").fetchall()]
        table = _only(name, "table", part, known)
        quoted = table.replace('"', '""')
        found: pl.DataFrame = base.sql(f'SELECT * FROM "{quoted}"').pl()
        return found


def _read_statistics(name: str, content: Content, notes: list[str], reader: str) -> pl.DataFrame:
    """Read a file of SAS, SPSS or Stata, with the labels of its codes."""
    require("reading files of SAS, SPSS and Stata", "pyreadstat", "files")
    import pyreadstat

    chosen = _read_other(reader, name, content)
    with _on_disk(content) as path:
        try:
            found, about = getattr(pyreadstat, chosen)(path, output_format="polars")
        except pyreadstat.ReadstatError as error:
            raise PartageError(f"{name}: cannot be read: {error}. Is the file complete?") from None
    return with_labels(found, about.variable_value_labels, about.variable_measure, notes)


def _read_other(reader: str, name: str, content: Content) -> str:
    """Choose among the formats of one program."""
    if reader == "read_sas7bdat" and start_of(content).startswith(b"HEADER RECORD"):
        return "read_xport"
    return "read_por" if reader == "read_sav" and name.lower().endswith(".por") else reader


class _on_disk:  # noqa: N801  # used as a function
    """Give the path of a file; bytes in memory are written to one that is removed afterwards."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self._path = ""

    def __enter__(self) -> str:
        if isinstance(self._content, str):
            return self._content
        handle, self._path = tempfile.mkstemp()
        with os.fdopen(handle, "wb") as file:
            file.write(self._content)
        return self._path

    def __exit__(self, *_: object) -> None:
        if self._path:
            Path(self._path).unlink()


_READERS: dict[str, Callable[[str, Content], pl.DataFrame]] = {
    "parquet": _read_parquet,
    "arrow": _read_arrow,
    "avro": _read_avro,
    "jsonl": _read_json_lines,
    "json": _read_json,
}
_STATISTICS = {"sas": "read_sas7bdat", "spss": "read_sav", "stata": "read_dta"}
