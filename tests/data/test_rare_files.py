"""Files that are rare: other shapes of JSON, sheets, folders of splits, packed and damaged text."""

import gzip
import io
import json
import sqlite3

import polars as pl
import pytest

import partage as pt
from partage._data.files import Reading, expand, read_files

openpyxl = pytest.importorskip("openpyxl")


def write(path, content):
    """Write text, bytes or JSON; give the path."""
    if not isinstance(content, (str, bytes)):
        content = json.dumps(content)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


ROWS = [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]
SAME_ROWS = {
    "split": {"columns": ["a", "b"], "data": [[1, "x"], [2, "y"]]},
    "rows by number": {"0": {"a": 1, "b": "x"}, "1": {"a": 2, "b": "y"}},
    "columns of rows": {"a": {"0": 1, "1": 2}, "b": {"0": "x", "1": "y"}},
    "columns": {"a": [1, 2], "b": ["x", "y"]},
    "names first": [["a", "b"], [1, "x"], [2, "y"]],
    "inside": {"said": "ok", "rows": ROWS},
}


@pytest.mark.parametrize("name", SAME_ROWS)
def test_json_of_many_shapes_holds_the_same_rows(name, tmp_path):
    frame = read_files([write(tmp_path / "rows.json", SAME_ROWS[name])])
    assert frame.select("a", "b").rows() == [(1, "x"), (2, "y")]


def test_lines_of_json_may_be_called_json(tmp_path):
    text = "\n".join(json.dumps(row) for row in ROWS)
    assert read_files([write(tmp_path / "rows.json", text)]).rows() == [(1, "x"), (2, "y")]


@pytest.mark.parametrize("found", [[["a", "b"], [1]], [[1, 2], [3, 4]], [1, 2], {}, 3])
def test_json_without_records_is_refused(found, tmp_path):
    with pytest.raises(pt.PartageError, match=r"must hold an array of records, such as .*Rewrite"):
        read_files([write(tmp_path / "rows.json", found)])


def book_of(path, **sheets):
    """Write a spreadsheet whose sheets hold these rows."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return str(path)


def test_the_first_sheet_with_rows_is_read_and_the_others_are_named(tmp_path):
    path = book_of(tmp_path / "b.xlsx", empty=[], loans=[["a", "b"], [1, "x"]], more=[["c"], [1]])
    notes = []
    assert read_files([path], notes=notes).rows() == [(1, "x")]
    assert notes == [f"The sheet 'loans' was read; {path}:SHEET reads another ('empty', 'more')."]
    assert read_files([f"{path}:more"]).columns == ["c"]
    with pytest.raises(pt.PartageError, match=r"must hold rows; its sheets are empty\.$"):
        read_files([f"{path}:empty"])


def test_a_format_without_parts_takes_none(tmp_path):
    path = tmp_path / "t.parquet"
    pl.DataFrame({"a": [1]}).write_parquet(path)
    with pytest.raises(pt.PartageError, match=r"has no parts; got 'x'. Leave it out\.$"):
        read_files([f"{path}:x"])


def test_a_packed_database_is_read_from_memory(tmp_path):
    with sqlite3.connect(tmp_path / "t.db") as base:
        base.execute("CREATE TABLE t AS SELECT 1 AS a, 'x' AS b")
    base.close()
    packed = gzip.compress((tmp_path / "t.db").read_bytes())
    assert read_files([write(tmp_path / "t.db.gz", packed)]).rows() == [(1, "x")]


def test_a_folder_of_splits_gives_the_split_that_is_named(tmp_path):
    for i, name in enumerate(["train", "test"]):
        pl.DataFrame({"a": [i]}).write_parquet(tmp_path / f"{name}-00000.parquet")
    notes = []
    assert read_files([str(tmp_path)], notes=notes).rows() == [(0,)]
    assert len(notes) == 1
    assert read_files([f"{tmp_path}:test"]).rows() == [(1,)]
    with pytest.raises(pt.PartageError, match=r"has no files of 'other'; it has test, train\.$"):
        read_files([f"{tmp_path}:other"])


def test_a_folder_of_several_tables_needs_one_of_them(tmp_path):
    for i, name in enumerate(["one", "two"]):
        (tmp_path / name).mkdir()
        pl.DataFrame({"a": [i]}).write_parquet(tmp_path / name / "rows.parquet")
    with pytest.raises(pt.PartageError, match=r"it has the folders one, two. Name one of them\.$"):
        expand([str(tmp_path)])
    assert read_files([f"{tmp_path}:two"]).rows() == [(1,)]


def test_a_column_that_is_text_in_one_file_is_text_in_all(tmp_path):
    paths = [write(tmp_path / "1.csv", "a,b\n1,2\n"), write(tmp_path / "2.csv", "a,b\nx,2\n")]
    assert read_files(paths).rows() == [("1", 2), ("x", 2)]


def test_names_that_differ_in_spaces_only_are_told_apart(tmp_path):
    frame = pl.DataFrame({"a": [1], "a ": [2], "a (2)": [3]})
    frame.write_parquet(tmp_path / "t.parquet")
    assert read_files([str(tmp_path / "t.parquet")]).columns == ["a", "a (3)", "a (2)"]


def test_an_empty_standard_input_is_refused(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b" \n")))
    with pytest.raises(pt.PartageError, match=r"^standard input: must hold data; it is empty\.$"):
        read_files(["-"])


def test_text_that_is_asked_for_as_utf8_must_be_so(tmp_path):
    good = write(tmp_path / "good.csv", "é,b\n1,2\n")
    assert read_files([good], Reading(encoding="UTF_8")).columns == ["é", "b"]
    bad = write(tmp_path / "bad.csv", "é,b\n1,2\n".encode("latin-1"))
    with pytest.raises(pt.PartageError, match="must be UTF-8 text; the byte 0xe9 at position 0 is"):
        read_files([bad], Reading(encoding="utf-8"))


def test_western_letters_far_into_a_file_are_read(tmp_path):
    lines = b"a,b\n" + b"1,plain\n" * 200_000 + "2,café\n".encode("cp1252")
    notes = []
    frame = read_files([write(tmp_path / "far.csv", lines)], notes=notes)
    assert frame.row(-1) == (2, "café")
    assert any("was read as cp1252" in note for note in notes)


def test_a_line_with_more_fields_than_names_is_named(tmp_path):
    path = write(tmp_path / "long.csv", "# said above\na,b\n1,2\n3,4,5\n6,7\n")
    with pytest.raises(pt.PartageError, match=r"line 4 must have 2 fields like the header; it has"):
        read_files([path])
