"""``partage report --engine``: the report and the model of memory, counted by an engine."""

import json

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
