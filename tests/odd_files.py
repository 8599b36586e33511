"""Odd files, made anew for each test: every one holds the same people under another obstacle."""

import bz2
import datetime as dt
import gzip
import io
import json
import lzma
import sqlite3
import zipfile
from pathlib import Path

import numpy as np
import polars as pl
import zstandard

N = 400
RNG = np.random.default_rng(41)
EVENT = RNG.random(N) < 0.4
AMOUNT = np.round(RNG.gamma(4, 500, N) * np.where(EVENT, 3.0, 1.0) + 0.25, 2)
DAYS = [dt.date(2019, 1, 1) + dt.timedelta(days=int(d) + 500 * int(e)) for d, e in
        zip(RNG.integers(0, 500, N), EVENT, strict=True)]  # fmt: skip
CITY = np.array(["Málaga", "Zürich", "Besançon", "Oslo"])[
    np.where(EVENT, RNG.integers(0, 2, N), RNG.integers(1, 4, N))
]
PEOPLE = pl.DataFrame({"amount": AMOUNT, "city": CITY, "y": np.where(EVENT, "bad", "good")})


def csv_with(column, values, separator=","):
    """People with another column, as CSV."""
    frame = PEOPLE.with_columns(pl.Series(column, values))
    return frame.write_csv(separator=separator).encode()


def plain():
    """People as CSV."""
    return PEOPLE.write_csv().encode()


def zipped(**files):
    """Make an archive of some files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files.items():
            archive.writestr(name.replace("_csv", ".csv"), data)
    return out.getvalue()


def on_disk(write):
    """Give what a writer puts into a file."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "file")
        write(path)
        return path.read_bytes()


def sqlite(*tables):
    """Make a database of SQLite with people in each table."""

    def write(path):
        base = sqlite3.connect(path)
        for table in tables:
            base.execute(f"CREATE TABLE {table} (amount REAL, city TEXT, y TEXT)")
            base.executemany(f"INSERT INTO {table} VALUES (?, ?, ?)", PEOPLE.rows())
        base.commit()
        base.close()

    return on_disk(write)


def duck():
    """Make a database of DuckDB."""
    import duckdb

    def write(path):
        with duckdb.connect(str(path)) as base:
            base.execute("CREATE TABLE people (amount DOUBLE, city TEXT, y TEXT)")
            base.executemany("INSERT INTO people VALUES (?, ?, ?)", PEOPLE.rows()[:80])

    return on_disk(write)


def excel(rows_above=0, sheets=("People",)):
    """Make a workbook, with titles above the names."""
    import openpyxl

    book = openpyxl.Workbook()
    book.remove(book.active)
    for name in sheets:
        sheet = book.create_sheet(name)
        for i in range(rows_above):
            sheet.append([f"Title {i}"])
        sheet.append(PEOPLE.columns)
        for row in PEOPLE.rows():
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def statistics(writer, **options):
    """Make a file of SAS, SPSS or Stata."""
    import pyreadstat

    return on_disk(lambda path: getattr(pyreadstat, writer)(PEOPLE.to_pandas(), path, **options))


def parquet(frame):
    """Write a frame as Parquet."""
    out = io.BytesIO()
    frame.write_parquet(out)
    return out.getvalue()


def records():
    """People as JSON records, one of whose fields is a record."""
    return [{"person": {"amount": a, "city": c}, "y": y} for a, c, y in PEOPLE.rows()]


def euros(value):
    """Money as it is written in Germany."""
    text = f"{value:,.2f}"
    return text.translate(str.maketrans(",.", ".,")) + " €"


# Name of the file, what it holds, the column that must say something, its kind.
READABLE = {
    "a plain file": ("d.csv", plain, "amount", "numeric"),
    "semicolons and decimal commas": (
        "d.csv", lambda: plain().replace(b",", b";").replace(b".", b","), "amount", "numeric"),
    "tabs": ("d.tsv", lambda: plain().replace(b",", b"\t"), "amount", "numeric"),
    "bars and no ending": ("data", lambda: plain().replace(b",", b"|"), "amount", "numeric"),
    "a line for Excel": ("d.csv", lambda: b"sep=;\n" + plain().replace(b",", b";"), "amount",
                         "numeric"),
    "cp1252": ("d.csv", lambda: plain().decode().encode("cp1252"), "city", "categorical"),
    "latin-1 beyond cp1252": (
        "d.csv", lambda: plain().decode().replace("Oslo", "O\x81slo").encode("latin-1"), "city",
        "categorical"),
    "UTF-16": ("d.csv", lambda: plain().decode().encode("utf-16"), "city", "categorical"),
    "UTF-8 with a mark": ("d.csv", lambda: plain().decode().encode("utf-8-sig"), "amount",
                          "numeric"),
    "lines of Windows": ("d.csv", lambda: plain().replace(b"\n", b"\r\n"), "amount", "numeric"),
    "comments": ("d.csv", lambda: b"# made by hand\n# in 2024\n" + plain(), "amount", "numeric"),
    "comments that hold the names": ("d.txt", lambda: b"# " + plain(), "amount", "numeric"),
    "titles above the names": ("d.csv", lambda: b"Customers\nof 2024\n\n" + plain(), "amount",
                               "numeric"),
    "row names of R": (
        "d.csv", lambda: b"\n".join(
            line if i == 0 or not line else f"{i},".encode() + line
            for i, line in enumerate(plain().split(b"\n"))), "amount", "numeric"),
    "duplicate names": ("d.csv", lambda: plain().replace(b"amount,city,y", b"city,city,y"),
                        "city", "numeric"),
    "gz": ("d.csv.gz", lambda: gzip.compress(plain()), "amount", "numeric"),
    "bz2": ("d.csv.bz2", lambda: bz2.compress(plain()), "amount", "numeric"),
    "xz": ("d.csv.xz", lambda: lzma.compress(plain()), "amount", "numeric"),
    "zst": ("d.csv.zst", lambda: zstandard.compress(plain()), "amount", "numeric"),
    "zip": ("d.zip", lambda: zipped(people_csv=plain()), "amount", "numeric"),
    "a file of a zip": ("d.zip:b.csv", lambda: zipped(a_csv=b"x\n1\n", b_csv=plain()), "amount",
                        "numeric"),
    "gz of JSON lines": ("d.jsonl.gz", lambda: gzip.compress(PEOPLE.write_ndjson().encode()),
                         "amount", "numeric"),
    "a JSON array": ("d.json", lambda: json.dumps(PEOPLE.to_dicts()).encode(), "amount",
                     "numeric"),
    "records in records": ("d.json", lambda: json.dumps(records()).encode(), "person.amount",
                           "numeric"),
    "JSON of columns": ("d.json", lambda: json.dumps(PEOPLE.to_dict(as_series=False)).encode(),
                        "amount", "numeric"),
    "rows in an answer of a service": (
        "d.json", lambda: json.dumps({"count": N, "results": PEOPLE.to_dicts()}).encode(),
        "amount", "numeric"),
    "Excel": ("d.xlsx", excel, "amount", "numeric"),
    "a sheet of Excel by name": ("d.xlsx:B", lambda: excel(sheets=("A", "B")), "amount", "numeric"),
    "titles in Excel": ("d.xlsx", lambda: excel(rows_above=3), "amount", "numeric"),
    "SQLite": ("d.db", lambda: sqlite("people"), "amount", "numeric"),
    "a table of SQLite": ("d.db:b", lambda: sqlite("a", "b"), "amount", "numeric"),
    "DuckDB": ("d.duckdb:people", duck, "amount", "numeric"),
    "SPSS": ("d.sav", lambda: statistics("write_sav"), "amount", "numeric"),
    "Stata": ("d.dta", lambda: statistics("write_dta"), "amount", "numeric"),
    "SAS transport": ("d.xpt", lambda: statistics("write_xport", table_name="PEOPLE"), "amount",
                      "numeric"),
    "Parquet of another name": ("d.bin", lambda: parquet(PEOPLE), "amount", "numeric"),
    "a nested column": (
        "d.parquet", lambda: parquet(PEOPLE.with_columns(tags=pl.lit([1, 2]))), "amount",
        "numeric"),
    "a target with gaps": (
        "d.csv", lambda: plain() + b"12.5,Oslo,\n13.5,Oslo,NA\n", "amount", "numeric"),
    "money": ("d.csv", lambda: csv_with("x", [f"${v:,.2f}" for v in AMOUNT]), "x", "numeric"),
    "euros": ("d.csv", lambda: csv_with("x", [euros(v) for v in AMOUNT], ";"), "x", "numeric"),
    "percent": ("d.csv", lambda: csv_with("x", [f"{v / 100:.1f} %" for v in AMOUNT]), "x",
                "numeric"),
    "thousands of Switzerland": (
        "d.csv", lambda: csv_with("x", [f"{v:,.2f}".replace(",", "'") for v in AMOUNT]), "x",
        "numeric"),
    "losses in brackets": (
        "d.csv", lambda: csv_with("x", [f"({v:,.0f})" for v in AMOUNT]), "x", "numeric"),
    "units": ("d.csv", lambda: csv_with("x", [f"{v:.1f} km/h" for v in AMOUNT]), "x", "numeric"),
    "numbers with some text": (
        "d.csv",
        lambda: csv_with("x", ["ask" if i % 80 == 0 else str(v) for i, v in enumerate(AMOUNT)]),
        "x", "numeric"),
    "numbers with much text": (
        "d.csv",
        lambda: csv_with("x", ["ask" if i % 7 == 0 else str(v) for i, v in enumerate(AMOUNT)]),
        "x", "numeric"),
    "day first": ("d.csv", lambda: csv_with("x", [f"{d:%d/%m/%Y}" for d in DAYS]), "x", "datetime"),
    "month first": ("d.csv", lambda: csv_with("x", [f"{d:%m/%d/%Y}" for d in DAYS]), "x",
                    "datetime"),
    "days with dots": ("d.csv", lambda: csv_with("x", [f"{d:%d.%m.%y}" for d in DAYS]), "x",
                       "datetime"),
    "names of months": ("d.csv", lambda: csv_with("x", [f"{d:%d %b %Y}" for d in DAYS]), "x",
                        "datetime"),
    "months and years": ("d.csv", lambda: csv_with("x", [f"{d:%b-%Y}" for d in DAYS]), "x",
                         "datetime"),
    "dates with hours": (
        "d.csv", lambda: csv_with("x", [f"{d:%m/%d/%Y} 3:15 PM" for d in DAYS]), "x", "datetime"),
    "booleans in words": (
        "d.csv",
        lambda: csv_with("x", np.where(EVENT ^ (RNG.random(N) < 0.1),
                                       RNG.choice(["Yes", "YES ", "y"], N),
                                       RNG.choice(["no", "N"], N))),
        "x", "categorical"),
    "codes with leading zeros": (
        "d.csv",
        lambda: csv_with("x", [f"{3 * i % 7:03d}" for i in
                               np.where(EVENT, RNG.integers(0, 3, N), RNG.integers(2, 7, N))]),
        "x", "categorical"),
    "codes whose order means nothing": (
        "d.csv",
        lambda: csv_with("x", np.array([10, 20, 30, 40, 50, 60, 70, 80])[
            np.where(EVENT, 2 * RNG.integers(0, 4, N), 2 * RNG.integers(0, 4, N) + 1)]),
        "x", "numeric categorical"),
    "special values": (
        "d.csv", lambda: csv_with("x", np.where(RNG.random(N) < 0.5, -999, AMOUNT.astype(int))),
        "x", "numeric"),
    "a folder of splits": ("folder", lambda: parquet(PEOPLE), "amount", "numeric"),
    "standard names with spaces": (
        "d.csv", lambda: plain().replace(b"amount,city,y", b" amount , city ,y"), "amount",
        "numeric"),
}  # fmt: skip

OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000)
# Name of the file, what it holds, what the message must say.
REFUSED = {
    "an Excel 97 file": ("d.xls", lambda: OLD_OFFICE, "this is an Excel 97 file", ".xlsx"),
    "a PDF": ("d.csv", lambda: b"%PDF-1.7 ...", "this is a PDF document", "spreadsheet"),
    "HTML": ("d.csv", lambda: b"<!DOCTYPE html><html></html>", "this is a page of HTML", "link"),
    "HDF5": ("d.h5", lambda: b"\x89HDF\r\n\x1a\n", "this is an HDF5 file", "Parquet"),
    "a pickle": ("d.pkl", lambda: b"\x80\x04\x95abc", "this is a pickle", "Parquet"),
    "a picture": ("d.csv", lambda: b"\x89PNG\r\n", "this is a PNG picture", "file of data"),
    "7z": ("d.7z", lambda: b"7z\xbc\xaf\x27\x1c", "this is a 7z archive", "Unpack it first"),
    "Git LFS": ("d.csv", lambda: b"version https://git-lfs.github.com/spec/v1\n",
                "this is a pointer of Git LFS", "git lfs pull"),
    "two files in a zip": ("d.zip", lambda: zipped(a_csv=plain(), b_csv=plain()),
                           "must hold one file", "d.zip:a.csv"),
    "two tables of SQLite": ("d.db", lambda: sqlite("a", "b"), "must hold one table", "d.db:a"),
    "a sheet that is not there": ("d.xlsx:C", lambda: excel(sheets=("A", "B")),
                                  "has no sheet 'C'", "'A', 'B'"),
    "a cut gz": ("d.csv.gz", lambda: gzip.compress(plain())[:200], "cannot be unpacked",
                 "complete"),
    "JSON of one number": ("d.json", lambda: b"12", "must hold an array of records", "Rewrite it"),
    "a broken JSON": ("d.json", lambda: b'[{"a": 1}, ', "cannot be read as JSON", "Mend"),
    "a document": ("d.docx", lambda: zipped(**{"[Content_Types].xml": b"", "word/a.xml": b""}),
                   "a document of a word processor", "spreadsheet"),
    "no table at all": ("d.parquet", lambda: b"hello", "must be a file of parquet", "--format"),
}  # fmt: skip
