"""``partage report --engine``: the report and the model of memory, counted by an engine."""

import json

import numpy as np
import polars as pl
import pytest

from engine_frames import QUIET_ENGINES, engine_parameters, hostile_table, start_dask, start_spark
from partage.cli import main

pytestmark = QUIET_ENGINES


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    table = hostile_table(400, seed=13).select("float", "text", "integer", "small", "class")
    path = tmp_path_factory.mktemp("command") / "big.parquet"
    table.write_parquet(path)
    return path


def run(file, out, *options):
    code = main(["report", str(file), "--target", "class", "--out", str(out), *options])
    assert code == 0
    return json.loads((out / "model.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("engine", engine_parameters(["duckdb", "polars", "dask", "spark"]))
def test_model_file_is_that_of_memory(engine, file, tmp_path, capsys):
    if engine == "dask":
        start_dask()
    if engine == "spark":
        start_spark()
    memory = ("--memory", "1GB") if engine == "duckdb" else ()
    wanted = run(file, tmp_path / "memory", "--drop", "small")
    capsys.readouterr()
    found = run(file, tmp_path / "engine", "--drop", "small", "--engine", engine, *memory)
    assert found == wanted
    assert (tmp_path / "engine" / "report.html").stat().st_size > 10_000
    assert f"Counted by {engine}" in capsys.readouterr().out


def test_report_of_two_passes_is_written(file, tmp_path, monkeypatch):
    from partage.engines import source as _source

    monkeypatch.setattr(_source, "MOST_VALUES", 10)
    monkeypatch.setitem(_source.scan.__kwdefaults__, "most_values", 10)
    model = run(file, tmp_path / "out", "--engine", "polars")
    assert '"exact_counts": false' in json.dumps(model)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--engine", "duckdb", "--separator", ";"),
            "partage report: --separator is for files read into memory; an engine reads Parquet "
            "and CSV in its own way, and never all rows. Leave out --engine, or that option.\n",
        ),
        (
            ("--engine", "duckdb", "--target-type", "ordered"),
            "partage report: --target-type ordered needs the rows in memory. Leave out --engine, "
            "or the order.\n",
        ),
        (
            ("--engine", "duckdb", "--drop", "age"),
            "partage report: --drop must name a column; got 'age', the file has 'float', 'text', "
            "'integer', 'small', 'class'.\n",
        ),
    ],
)
def test_options_that_do_not_fit_are_refused(options, message, file, tmp_path, capsys):
    out = str(tmp_path / "x")
    assert main(["report", str(file), "--target", "class", "--out", out, *options]) == 2
    assert capsys.readouterr().err == message


def report(frame, tmp_path, capsys, *options):
    """Run a report by an engine, and give what it says as JSON."""
    frame.write_parquet(tmp_path / "t.parquet")
    words = ["report", str(tmp_path / "t.parquet"), "--out", str(tmp_path / "out"), "--json"]
    assert main([*words, "--target", "y", "--engine", *options]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def odd_table():
    """Make columns that memory would convert or leave out."""
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 300)
    return pl.DataFrame(
        {
            "row": range(300),
            "key": [f"K{i:05d}" for i in rng.permutation(300)],
            "tags": [[1, 2]] * 300,
            "price": [f"€{v:,.2f}" for v in rng.gamma(3, 900, 300) * (1 + y)],
            "age": rng.integers(18, 60, 300) + 15 * y,
            "gone": pl.Series([None] * 300, dtype=pl.Float64),
            "y": y,
        }
    )


@pytest.mark.parametrize("engine", ["duckdb", "polars"])
def test_columns_are_understood_by_their_first_rows(engine, odd_table, tmp_path, capsys):
    found = report(odd_table, tmp_path, capsys, engine, "--positive", "0")
    assert {one["column"] for one in found["columns"]} == {"price", "age", "gone"}
    said = {one["column"]: (one["kind"], one["text"]) for one in found["remarks"]}
    assert {said[name][0] for name in ("row", "key", "tags")} == {"left out"}
    assert said["price"] == (
        "warning",
        "holds numbers with '€', which an engine does not read: it is taken as it is written. "
        "Convert it in the file, or leave out --engine (--drop price leaves it out)",
    )


@pytest.mark.parametrize(
    ("labels", "positive"), [([False, True], "FALSE"), ([1.0, 2.0], "1"), (["a", "b"], "A")]
)
def test_the_event_of_any_type_of_class(labels, positive, odd_table, tmp_path, capsys):
    classes = [labels[y] for y in odd_table["y"]]
    table = odd_table.select("age", y=pl.Series(classes))
    report(table, tmp_path, capsys, "polars", "--positive", positive)
    model = json.loads((tmp_path / "out" / "model.json").read_text(encoding="utf-8"))
    assert json.dumps(model).count('"event": 0') == 1


def test_an_event_that_no_row_has(odd_table, tmp_path, capsys):
    odd_table.write_parquet(tmp_path / "t.parquet")
    words = ["report", str(tmp_path / "t.parquet"), "--out", str(tmp_path / "out")]
    assert main([*words, "--target", "y", "--engine", "polars", "--positive", "7"]) == 2
    assert capsys.readouterr().err == (
        "partage report: --positive must name a class of the target; got '7', it has '0', '1'.\n"
    )
