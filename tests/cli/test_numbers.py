"""The command on a target that is a number."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import partage as pt
from partage import cli


@pytest.fixture(autouse=True)
def _file(monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(5)
    age = rng.uniform(18, 80, 900).round(1)
    town = rng.choice(["Lyon", "Nice", "Paris"], 900)
    price = np.exp(3 + (age > 50) + (town == "Nice") + rng.normal(size=900)).round(2)
    pl.DataFrame(
        {
            "age": age,
            "town": town,
            "noise": rng.normal(size=900),
            "price": [None if i % 50 == 0 else x for i, x in enumerate(price)],
            "units": price.astype(int),
        }
    ).write_csv("d.csv")


REPORT = ["report", "d.csv", "--target", "price", "--drop", "units"]


def test_report_show_apply_and_compare(capsys):
    assert cli.main(REPORT) == 0
    out = capsys.readouterr().out
    assert "target price: mean" in out
    assert "18 rows without a number in 'price' were left out." in out
    assert "1 of no use: noise (says nothing about the target)" in out
    page = Path("partage-report/report.html").read_text(encoding="utf-8")
    assert '"isNumber":true' in page
    model = pt.load("partage-report/model.json")
    table = pl.read_csv("d.csv").filter(pl.col("price").is_not_null())
    wanted = pt.TablePartitioner(cut_style="simple").fit(
        table.select("age", "town", "noise"), table["price"]
    )
    assert model.levels_.tolist() == wanted.levels_.tolist()
    assert cli.main(["show", "partage-report/model.json", "age"]) == 0
    assert "quartiles" in capsys.readouterr().out
    assert cli.main(["show", "partage-report/model.json", "--json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert plain["amounts"]["mean"] == pytest.approx(table["price"].mean())
    for output in ("mean", "median", "code"):
        words = ["apply", "partage-report/model.json", "d.csv", "-o", f"{output}.csv"]
        assert cli.main([*words, "--output", output]) == 0
    means = pl.read_csv("mean.csv").select("age", "town").to_numpy()
    expected = pt.TablePartitioner(output="mean", cut_style="simple")
    rows = pl.read_csv("d.csv").select("age", "town")
    expected = expected.fit(table.select("age", "town"), table["price"])
    assert means == pytest.approx(expected.transform(rows))
    capsys.readouterr()
    table.write_csv("new.csv")
    assert cli.main(["compare", "partage-report/model.json", "new.csv", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["columns"]
    assert {row["column"]: row["psi"] for row in found}["age"] == pytest.approx(0, abs=1e-9)
    levels = {row["column"]: row["level"] for row in found}
    assert levels["age"] == pytest.approx(model["age"].level)


def test_whole_numbers_need_a_word(capsys):
    words = ["report", "d.csv", "--target", "units", "--drop", "price", "--json"]
    assert cli.main([*words, "--target-type", "number", "--out", "one"]) == 0
    assert json.loads(capsys.readouterr().out)["classes"] == {}
    assert cli.main([*words, "--out", "two"]) == 0
    captured = capsys.readouterr()
    (note,) = json.loads(captured.out)["notes"]
    assert note.startswith("units holds ")
    assert note.endswith(
        "different numbers, each taken as a class; pass --target-type number if it is an amount."
    )
    assert captured.err == ""


def test_an_engine_writes_the_same_model(capsys):
    table = pl.read_csv("d.csv").drop("units")
    table.filter(pl.col("price").is_not_null()).write_parquet("d.parquet")
    words = ["report", "d.parquet", "--target", "price", "--json", "--cut-style", "midpoint"]
    assert cli.main([*words, "--out", "a"]) == 0
    in_memory = json.loads(capsys.readouterr().out)
    assert cli.main([*words, "--out", "b", "--engine", "duckdb"]) == 0
    by_engine = json.loads(capsys.readouterr().out)
    assert by_engine["columns"] == in_memory["columns"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--target-type", "class"],
            "the target 'price' must hold classes; got numbers such as ",
        ),
        (
            ["--positive", "3"],
            "--positive names a class, and the target 'price' is a number. Leave it out, or cut "
            "the target with --target-above.",
        ),
        (
            ["--pair", "age,noise"],
            "views of two columns show classes, and the target is a number; leave --pair and "
            "--graph out, or cut the target into classes.",
        ),
    ],
)
def test_messages(words, message, capsys):
    assert cli.main([*REPORT, *words]) != 0
    assert message in capsys.readouterr().err


def test_text_is_no_number(capsys):
    assert cli.main(["report", "d.csv", "--target", "town", "--target-type", "number"]) == 2
    assert capsys.readouterr().err == (
        "partage report: the target 'town' must hold numbers for --target-type number; it holds "
        "String. Leave --target-type out.\n"
    )
    pl.read_csv("d.csv").with_columns(price=pl.lit(float("inf"))).write_csv("d.csv")
    assert cli.main([*REPORT, "--target-type", "number"]) == 2
    assert capsys.readouterr().err == (
        "partage report: the target 'price' must hold finite numbers; some are infinite. Clip "
        "them.\n"
    )
