"""Columns that were read as text but look like numbers or dates are named, with the remedy."""

import json
from pathlib import Path

import polars as pl
import pytest

from partage import cli
from partage.cli.hints import hints

COMMAS = "'a' was taken as categories but looks like numbers with decimal commas; pass"


def found(*values, has_decimal_comma=False):
    return hints(pl.DataFrame({"a": values}), (), has_decimal_comma)


@pytest.mark.parametrize("values", [["1,5", "-2"], ["0,25", None, "1,5e3"]])
def test_decimal_commas_are_noticed(values):
    assert found(*values) == [f"{COMMAS} --decimal-comma."]
    assert found(*values, has_decimal_comma=True) == []


@pytest.mark.parametrize(
    "values", [["31/01/2024", "1/2/2024"], ["31.01.24"], ["2024/01/31"], ["31-01-2024 12:30"]]
)
def test_dates_are_noticed(values):
    assert found(*values) == [
        "'a' was taken as categories but looks like dates; write them as 2024-01-31 to have them "
        "cut into intervals."
    ]


def test_dates_of_which_some_cannot_be_read_are_noticed():
    (hint,) = found("2024-01-31", "2024-13-31")
    assert hint.startswith("'a' was taken as categories but looks like dates that cannot all be")


@pytest.mark.parametrize(
    "values", [["1,5", "x"], ["a,b"], ["1,5,3"], ["31/01/2024", "never"], ["12"], [None]]
)
def test_ordinary_text_gets_no_hint(values):
    assert found(*values) == []


def test_named_columns_get_no_hint():
    assert hints(pl.DataFrame({"a": ["1,5"]}), {"a"}, False) == []


def test_report_gives_hints_and_their_remedy_works(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = [f"{i},5;{1 + i % 28}/1/2024;{'yes' if i < 20 else 'no'}" for i in range(40)]
    Path("d.csv").write_text("\n".join(["a;d;class", *rows]) + "\n")
    words = ["report", "d.csv", "--target", "class", "--json"]
    assert cli.main(words) == 0
    given = json.loads(capsys.readouterr().out)
    assert given["notes"][0] == f"{COMMAS} --decimal-comma."
    assert given["notes"][1].startswith("'d' was taken as categories but looks like dates;")
    assert "decimal commas; pass --decimal-comma." in Path("partage-report/report.html").read_text()
    words = [*words, "--decimal-comma", "--kind", "d=categorical", "--force"]
    assert cli.main(words) == 0
    given = json.loads(capsys.readouterr().out)
    assert given["notes"] == []
    assert {column["column"]: column["kind"] for column in given["columns"]}["a"] == "numeric"


def test_files_that_know_their_types_get_no_hints(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    pl.DataFrame({"a": ["1,5", "2,5"] * 20, "class": [0, 1] * 20}).write_parquet("d.parquet")
    assert cli.main(["report", "d.parquet", "--target", "class", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["notes"] == []
    assert cli.main(["report", "d.parquet", "--target", "class", "--force"]) == 0
    assert "40 rows, 1 column; target" in capsys.readouterr().out
