"""Files become frames: formats, separators, types, and several files together."""

import datetime as dt
import gzip
import io

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from partage._data.files import Reading, read_files
from partage.exceptions import PartageError

FRAME = pl.DataFrame({"n": [1, 2, None], "t": ["a, b", "ü", "c"], "class": ["yes", "no", "yes"]})
CSV = 'n,t,class\n1,"a, b",yes\n2,ü,no\n,c,yes\n'


def write(folder, name, content):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


@pytest.mark.parametrize(
    ("name", "save"),
    [
        ("data.csv", lambda path: path.write_text(CSV, encoding="utf-8")),
        ("data.CSV.gz", lambda path: path.write_bytes(gzip.compress(CSV.encode()))),
        ("bom.csv", lambda path: path.write_bytes(b"\xef\xbb\xbf" + CSV.encode())),
        ("crlf.csv", lambda path: path.write_bytes(CSV.replace("\n", "\r\n").encode())),
        ("data.parquet", FRAME.write_parquet),
        ("data.arrow", FRAME.write_ipc),
        ("data.arrows", FRAME.write_ipc_stream),
        ("data.jsonl", FRAME.write_ndjson),
        ("parquet-without-ending", FRAME.write_parquet),
        ("arrow-without-ending", FRAME.write_ipc),
        ("stream-without-ending", FRAME.write_ipc_stream),
        ("lines-without-ending", FRAME.write_ndjson),
        ("text-without-ending", lambda path: path.write_text(CSV, encoding="utf-8")),
    ],
)
def test_every_format_gives_the_same_frame(name, save, tmp_path, monkeypatch):
    save(tmp_path / name)
    assert_frame_equal(read_files([str(tmp_path / name)]), FRAME)
    if "without-ending" in name:
        stdin = io.TextIOWrapper(io.BytesIO((tmp_path / name).read_bytes()))
        monkeypatch.setattr("sys.stdin", stdin)
        assert_frame_equal(read_files(["-"]), FRAME)


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_the_separator_is_found(sign, tmp_path):
    text = sign.join(["a", "b", "c"]) + "\n" + sign.join(["1", "x", "2"]) + "\n"
    assert read_files([write(tmp_path, "d.csv", text)]).rows() == [(1, "x", 2)]


def test_a_separator_inside_quotes_does_not_count(tmp_path):
    path = write(tmp_path, "d.csv", '"a,b,c,d";x\n1;2\n')
    assert read_files([path]).columns == ["a,b,c,d", "x"]


def test_other_encodings_and_decimal_commas_are_read_when_named(tmp_path):
    path = write(tmp_path, "d.csv", "a;b\ncafé;1,5\n".encode("latin-1"))
    frame = read_files([path], Reading(encoding="latin-1", has_decimal_comma=True))
    assert frame.rows() == [("café", 1.5)]


def test_texts_that_mean_missing_can_be_chosen(tmp_path):
    path = write(tmp_path, "d.csv", "a,b\n?,x\n-1,none\n")
    assert read_files([path]).rows() == [(None, "x"), (-1, "none")]
    chosen = read_files([path], Reading(missing_texts=("-1", "none")))
    assert chosen.rows() == [("?", "x"), (None, None)]


def test_types_are_those_of_all_rows_not_of_the_first(tmp_path):
    path = write(tmp_path, "d.csv", "a,b\n" + "1,1\n" * 20_000 + "1.5,x\n")
    assert read_files([path]).dtypes == [pl.Float64, pl.String]


def test_iso_dates_and_times_are_read_and_others_stay_text(tmp_path):
    lines = ["d,t,e,f", "2020-01-31,2020-01-31 10:20,31/01/2020,2020-13-01"]
    frame = read_files([write(tmp_path, "d.csv", "\n".join([*lines, ",,,2020-01-01"]) + "\n")])
    assert frame.row(0) == (
        dt.date(2020, 1, 31),
        dt.datetime(2020, 1, 31, 10, 20),
        "31/01/2020",
        "2020-13-01",
    )


def test_times_with_an_offset_are_read_as_instants(tmp_path):
    rows = ["2020-01-31T10:20:00+02:00,2020-01-31 10:20Z,2020-01-31T10:20Z", ",,2020-01-31T10:20"]
    frame = read_files([write(tmp_path, "d.csv", "\n".join(["a,b,c", *rows]) + "\n")])
    morning = dt.datetime(2020, 1, 31, 8, 20, tzinfo=dt.UTC)
    assert frame.row(0) == (morning, morning.replace(hour=10), "2020-01-31T10:20Z")
    assert frame.schema["a"] == pl.Datetime("us", "UTC")


def test_a_column_kept_as_text_keeps_its_zeros(tmp_path):
    path = write(tmp_path, "d.csv", "zip,day\n01000,2020-01-01\n")
    kept = read_files([path], Reading(text_columns=("zip", "day")))
    assert kept.rows() == [("01000", "2020-01-01")]


def test_files_of_a_pattern_follow_each_other_by_name(tmp_path):
    for name, value in (("b.parquet", 2.5), ("a.parquet", 1), ("c.parquet", 3)):
        pl.DataFrame({"x": [value]}).write_parquet(tmp_path / name)
    assert read_files([str(tmp_path / "*.parquet")])["x"].to_list() == [1.0, 2.5, 3.0]


def test_a_column_that_is_text_in_one_file_is_text_in_all(tmp_path):
    paths = [write(tmp_path, "1.csv", "a\n007\n"), write(tmp_path, "2.csv", "a\nx\n")]
    assert read_files(paths)["a"].to_list() == ["007", "x"]


def test_a_first_column_without_a_name_gets_one(tmp_path):
    assert read_files([write(tmp_path, "d.csv", ",a\n0,1\n")]).columns == ["column 1", "a"]


BAD = [
    ("empty.csv", b"", "must hold data; the file is empty."),
    ("blank.csv", b" \n\n ", "must hold data; the file is empty."),
    ("empty.parquet", b"", "must hold data; the file is empty."),
    ("names.csv", b"a,b\n", "must hold rows; it has column names only."),
    (
        "numbers.csv",
        b"5.1,3.5,0\n4.9,3.0,1\n",
        "the first line must hold the names of the columns; got 5.1, 3.5, 0. Put a line of names "
        "before the data.",
    ),
    (
        "zero.csv",
        b"a,b\n\x00,1\n",
        "must be text; it holds zero bytes. Name its format with --format, or its encoding with "
        "--encoding.",
    ),
    (
        "long.csv",
        b"a,b\n1,2\n1,2,3\n",
        "line 3 must have 2 fields like the header; it has 3. Mend it, or name the --separator.",
    ),
]


@pytest.mark.parametrize(("name", "content", "message"), BAD, ids=[name for name, _, _ in BAD])
def test_a_file_that_cannot_be_used_is_refused(name, content, message, tmp_path):
    path = write(tmp_path, name, content)
    with pytest.raises(PartageError) as caught:
        read_files([path])
    assert str(caught.value) == f"{path}: {message}"


@pytest.mark.parametrize(
    ("name", "content"),
    [("d.parquet", b"PAR1 no more"), ("d.arrow", b"ARROW1 no more"), ("d.jsonl", b'{"a": 1')],
)
def test_a_damaged_file_is_refused_with_its_format(name, content, tmp_path):
    path = write(tmp_path, name, content)
    with pytest.raises(PartageError, match=r": cannot be read as \w+: .*Name its format"):
        read_files([path])


def test_paths_that_lead_nowhere_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for path, message in (
        ("no.csv", "no.csv: no such file; check the path."),
        ("no*.csv", "no*.csv: no file has such a name; check the path."),
        (
            ".",
            ". must be a file, or a folder of Parquet files; it is a folder without any. Name its "
            "files, such as './*.csv'.",
        ),
    ):
        with pytest.raises(PartageError) as caught:
            read_files([path])
        assert str(caught.value) == message


@pytest.mark.parametrize(
    ("second", "reason"),
    [
        ("a,c\n1,2\n", "it lacks 'b'"),
        ("a,b,c\n1,2,3\n", "it has 'c' too"),
        ("b,a\n1,2\n", "they stand in another order"),
    ],
)
def test_files_of_other_columns_are_refused(second, reason, tmp_path):
    first, other = write(tmp_path, "1.csv", "a,b\n1,2\n"), write(tmp_path, "2.csv", second)
    with pytest.raises(PartageError) as caught:
        read_files([first, other])
    expected = f"{other}: must have the columns of {first}; {reason}. Read them one at a time."
    assert str(caught.value) == expected


def test_a_missing_package_is_named_with_its_extra(monkeypatch):
    monkeypatch.setattr("partage._support.extras.find_spec", lambda _: None)
    with pytest.raises(PartageError) as caught:
        read_files(["a.csv"])
    assert str(caught.value) == (
        'reading files needs polars, which is not installed; run `pip install "partage[report]"`.'
    )
