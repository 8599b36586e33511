"""What a file is, by its ending and its first bytes: formats, compression, and what is no table."""

from __future__ import annotations

import io
from pathlib import Path, PurePath

from partage.exceptions import PartageError

__all__ = ["FORMATS", "compression_of", "format_of", "start_of"]

Content = str | bytes  # a path, or what a file holds

FORMATS = (
    *("csv", "parquet", "arrow", "jsonl", "json", "excel", "sqlite", "duckdb", "sas", "spss"),
    *("stata", "avro"),
)
ENDINGS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".tab": "csv",
    ".dat": "csv",
    ".data": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".arrows": "arrow",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".xlsx": "excel",
    ".xlsm": "excel",
    ".xlsb": "excel",
    ".xls": "excel",
    ".ods": "excel",
    ".sas7bdat": "sas",
    ".xpt": "sas",
    ".sav": "spss",
    ".zsav": "spss",
    ".por": "spss",
    ".dta": "stata",
    ".avro": "avro",
}
PACKED = (".gz", ".bz2", ".xz", ".zst", ".zip")
_COMPRESSION = {
    b"\x1f\x8b": "gz",
    b"BZh": "bz2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "zst",
    b"PK\x03\x04": "zip",
}
STREAM_START = b"\xff\xff\xff\xff"
OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_STARTS = {
    b"PAR1": "parquet",
    b"ARROW1": "arrow",
    STREAM_START: "arrow",
    b"SQLite format 3\x00": "sqlite",
    OLD_OFFICE: "excel",
    b"$FL2": "spss",
    b"$FL3": "spss",
    b"<stata_dta>": "stata",
    b"HEADER RECORD*******LIB": "sas",
    b"\x00" * 12 + b"\xc2\xea\x81\x60": "sas",
    b"Obj\x01": "avro",
}
_RESAVE = "Write it as CSV or Parquet first."
# What is no table that can be read here, and what to do.
_OTHERS = {
    b"%PDF": ("a PDF document", "Copy its table to a spreadsheet or a CSV file."),
    b"\x89HDF": ("an HDF5 file", "Read it with pandas.read_hdf, and write it as Parquet."),
    b"ORC": ("an ORC file", "Read it with pyarrow.orc, and write it as Parquet."),
    b"\x93NUMPY": ("an array of NumPy", "Write it as CSV with names for its columns."),
    b"RDX": ("a file of R", "Write it with arrow::write_parquet in R."),
    b"X\n": ("a file of R", "Write it with arrow::write_parquet in R."),
    b"\x80\x03": ("a pickle of Python", "Read it where it was made, and write it as Parquet."),
    b"\x80\x04": ("a pickle of Python", "Read it where it was made, and write it as Parquet."),
    b"\x80\x05": ("a pickle of Python", "Read it where it was made, and write it as Parquet."),
    b"\x89PNG": ("a PNG picture", "Name a file of data."),
    b"\xff\xd8\xff": ("a JPEG picture", "Name a file of data."),
    b"GIF8": ("a GIF picture", "Name a file of data."),
    b"7z\xbc\xaf": ("a 7z archive", "Unpack it first."),
    b"Rar!": ("a RAR archive", "Unpack it first."),
    b"\x7fELF": ("a program", "Name a file of data."),
    b"{\\rtf": ("an RTF document", _RESAVE),
    b"ID;P": ("a SYLK file of a spreadsheet", "Save it as .xlsx or CSV."),
    b"TABLE\r\n0,1": ("a DIF file of a spreadsheet", "Save it as .xlsx or CSV."),
    b"TABLE\n0,1": ("a DIF file of a spreadsheet", "Save it as .xlsx or CSV."),
}
_MARKUP = {
    b"<!doctype html": ("a page of HTML", "Save the file behind the link, not the page."),
    b"<html": ("a page of HTML", "Save the file behind the link, not the page."),
    b"<table": ("a table of HTML", "Open it in a spreadsheet, and save it as .xlsx or CSV."),
    b"<?xml": ("an XML file", _RESAVE),
    b"version https://git-lfs": (
        "a pointer of Git LFS, not the data",
        "Fetch the data with `git lfs pull`.",
    ),
    b"@relation": ("an ARFF file", "Read it with scipy.io.arff, and write it as CSV."),
}
# What is known by its name only.
_NAMED = {
    ".dbf": ("a dBase file", "Open it in a spreadsheet, and save it as .xlsx or CSV."),
    ".mdb": ("a database of Access", "Write its table as CSV."),
    ".accdb": ("a database of Access", "Write its table as CSV."),
    ".yaml": ("a YAML file", "Write it as JSON, an array of records."),
    ".yml": ("a YAML file", "Write it as JSON, an array of records."),
    ".numbers": ("a file of Numbers", "Write it as .xlsx or CSV."),
}
_N_BYTES = 4096


def start_of(content: Content) -> bytes:
    """First bytes of a file."""
    if isinstance(content, bytes):
        return content[:_N_BYTES]
    with Path(content).open("rb") as file:
        return file.read(_N_BYTES)


def compression_of(content: Content) -> str:
    """How a file is compressed; nothing for one that is not, or for a spreadsheet."""
    start = start_of(content)
    found = next((kind for magic, kind in _COMPRESSION.items() if start.startswith(magic)), "")
    return "" if found == "zip" and _office_kind(content) else found


def format_of(name: str, content: Content) -> str:
    """Tell the format of a file that is not compressed: by its first bytes, else by its name."""
    start = start_of(content)
    for magic, kind in _STARTS.items():
        if start.startswith(magic):
            return kind
    if start[8:12] == b"DUCK":
        return "duckdb"
    if start.startswith(b"PK\x03\x04"):
        return _office_format(name, content)
    _refuse_others(name, start)
    path = PurePath(name)
    while path.suffix.lower() in PACKED:
        path = path.with_suffix("")
    ending = ENDINGS.get(path.suffix.lower())
    bare = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    if ending in ("csv", "json", "jsonl", "spss", "stata"):
        return ending
    if bare.startswith((b"[", b"{")) and ending is None:
        return "json" if bare.startswith(b"[") else "jsonl"
    if ending in ("parquet", "arrow", "excel", "sas", "avro"):
        raise PartageError(
            f"{name}: must be a file of {ending}, as its name says; its first bytes are "
            f"{start[:8]!r}. Is it complete? Name its format with --format if its name is wrong."
        )
    return "csv"


def _refuse_others(name: str, start: bytes) -> None:
    """Name a file that holds no table."""
    small = start.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    found = next((said for magic, said in _OTHERS.items() if start.startswith(magic)), None)
    found = found or next(
        (said for magic, said in _MARKUP.items() if small.startswith(magic)), None
    )
    found = found or _NAMED.get(PurePath(name).suffix.lower())
    if start[257:262] == b"ustar":
        found = ("a tar archive", "Unpack it first.")
    if found:
        raise PartageError(f"{name}: must hold a table; this is {found[0]}. {found[1]}")


def _office_kind(content: Content) -> str:
    """Tell what a zip file of an office program holds; nothing for an ordinary archive."""
    import zipfile

    try:
        with zipfile.ZipFile(
            io.BytesIO(content) if isinstance(content, bytes) else content
        ) as file:
            names = set(file.namelist())
            if "mimetype" in names and b"opendocument" in file.read("mimetype"):
                return "excel" if b"spreadsheet" in file.read("mimetype") else "document"
    except (zipfile.BadZipFile, OSError, RuntimeError):
        return ""
    if "[Content_Types].xml" not in names:
        return ""
    return "excel" if any(name.startswith("xl/") for name in names) else "document"


def _office_format(name: str, content: Content) -> str:
    """Format of a file of an office program."""
    if _office_kind(content) == "excel":
        return "excel"
    raise PartageError(
        f"{name}: must hold a table; this is a document of a word processor or a presentation. "
        "Copy its table to a spreadsheet or a CSV file."
    )
