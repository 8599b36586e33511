"""Files: opened by the engine that is asked for, within its memory."""

import os
from types import SimpleNamespace

import polars as pl
import pytest

import partage as pt
from engine_frames import QUIET_ENGINES, engine_parameters, hostile_table, start_dask, start_spark
from helpers import assert_refuses
from partage.engines import scan
from partage.engines.open import _open_spark

pytestmark = QUIET_ENGINES


@pytest.fixture(scope="module")
def table():
    return hostile_table(400, seed=11).select("float", "text", "integer", "date", "class")


@pytest.fixture(scope="module")
def folder(table, tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    table[:150].write_parquet(folder / "a.parquet")
    table[150:].write_parquet(folder / "b.parquet")
    labelled(table).write_csv(folder / "all.csv")
    return folder


def labelled(table):
    """Rows whose class CSV can tell from a gap."""
    return table.select("integer", "class").filter(pl.col("class") != "")


def levels(enc):
    return dict(zip(enc.partitions_, enc.levels_.tolist(), strict=True))


@pytest.mark.parametrize("engine", engine_parameters(["duckdb", "polars", "dask", "spark"]))
def test_pattern_of_files_is_one_table(engine, table, folder):
    if engine == "dask":
        start_dask()
    if engine == "spark":
        start_spark()
    wanted = pt.TablePartitioner().fit(table, target="class")
    source = scan(folder / "*.parquet", engine=engine)
    assert source.engine.name == engine
    assert levels(pt.TablePartitioner().fit(source, target="class")) == levels(wanted)


@pytest.mark.parametrize("form", ["pattern", "list", "folder", "path"])
def test_duckdb_is_the_default(form, table, folder):
    data = {
        "pattern": str(folder / "*.parquet"),
        "list": [folder / "a.parquet", str(folder / "b.parquet")],
        "folder": folder / "parts",
        "path": folder / "one.parquet",
    }[form]
    if form == "folder":
        (folder / "parts").mkdir()
        table.write_parquet(folder / "parts" / "x.parquet")
    if form == "path":
        table.write_parquet(data)
    enc = pt.TablePartitioner().fit(data, target="class")
    assert levels(enc) == levels(pt.TablePartitioner().fit(table, target="class"))
    assert type(enc.transform(data)).__module__.startswith(("duckdb", "_duckdb"))


def test_csv_is_read(table, folder):
    enc = pt.TablePartitioner().fit(folder / "all.csv", target="class")
    wanted = pt.TablePartitioner().fit(labelled(table), target="class")
    assert levels(enc) == levels(wanted)


def test_duckdb_keeps_to_its_memory_and_spills_where_it_is_told(folder, tmp_path):
    source = scan(folder / "*.parquet", memory="300MB", spill=str(tmp_path / "it's here"))
    settings = "current_setting('memory_limit') AS m, current_setting('temp_directory') AS t"
    memory, spill = source.native.project(settings).limit(1).fetchall()[0]
    assert memory in ("286.1 MiB", "300.0 MB")
    assert spill == str(tmp_path / "it's here")


def test_progress_is_told_column_by_column(table, capsys):
    told = []
    source = scan(table.lazy(), progress=lambda *step: told.append(step))
    pt.TablePartitioner().fit(source, target="class")
    assert told == [("float", 1, 4), ("text", 2, 4), ("integer", 3, 4), ("date", 4, 4)]
    pt.TablePartitioner().fit(scan(table.lazy(), progress=True), target="class")
    assert capsys.readouterr().err.splitlines()[0] == "[1/4] float"


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda folder: scan(folder / "none*.parquet"),
            FileNotFoundError,
            "scan: paths must match files; got '{folder}/none*.parquet', which no file does.",
        ),
        (
            lambda folder: scan(folder / "a.txt"),
            ValueError,
            "scan: files must all be Parquet or all be CSV, by their endings (.parquet, .csv); got "
            "'{folder}/a.txt'.",
        ),
        (
            lambda folder: scan(folder / "a.parquet", engine="oracle"),
            ValueError,
            "scan: engine must be 'duckdb', 'polars', 'dask' or 'spark'; got 'oracle'.",
        ),
        (
            lambda folder: scan(folder / "a.parquet", memory="much"),
            ValueError,
            "scan: memory must be text such as '4GB'; got 'much'.",
        ),
        (
            lambda folder: scan(folder / "a.parquet", engine="polars", memory="1GB"),
            ValueError,
            "scan: memory must be None for engine='polars', which has no such limit; got '1GB'. "
            "Use engine='duckdb' to keep to a limit.",
        ),
        (
            lambda folder: scan(pl.scan_parquet(folder / "a.parquet"), memory="1GB"),
            ValueError,
            "scan: engine, memory and spill are for files; a lazy frame has its engine already, "
            "whose own settings limit its memory.",
        ),
        (
            lambda folder: scan(folder / "a.parquet", most_values=0),
            ValueError,
            "scan: most_values must be an integer of at least 1 or None; got 0.",
        ),
    ],
)
def test_files_that_cannot_be_opened_are_refused(call, error, message, folder):
    assert_refuses(lambda: call(folder), error, message.format(folder=folder))


def test_extra_that_is_missing_is_named(folder, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(ImportError, match=r'run `pip install "partage\[duckdb\]"`\.$'):
        scan(folder / "a.parquet")


def test_csv_is_read_and_spilled_where_it_was_said(tmp_path, monkeypatch):
    monkeypatch.delenv("POLARS_TEMP_DIR", raising=False)
    frame = pl.DataFrame({"x": range(40), "class": [0] * 20 + [1] * 20})
    frame.write_csv(tmp_path / "t.csv")
    source = scan(tmp_path / "t.csv", engine="polars", spill=str(tmp_path))
    assert os.environ["POLARS_TEMP_DIR"] == str(tmp_path)
    monkeypatch.setenv("POLARS_TEMP_DIR", "")  # so that it is put back
    assert pt.Discretizer().fit(source, target="class")["x"].cuts.tolist() == [19.5]


def test_dask_reads_csv(tmp_path):
    pytest.importorskip("dask.dataframe")
    frame = pl.DataFrame({"x": range(40), "class": [0] * 20 + [1] * 20})
    frame.write_csv(tmp_path / "t.csv")
    source = scan(tmp_path / "t.csv", engine="dask")
    assert pt.Discretizer().fit(source, target="class")["x"].cuts.tolist() == [19.5]


class Session:
    """Stands in for Spark: keeps what it was asked."""

    def __init__(self):
        self.asked = []

    def __getattr__(self, name):
        return self

    def __call__(self, *words, **options):
        """Keep what was asked."""
        self.asked.append((words, options))
        return self


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_a_session_of_spark_is_started_with_its_limits(kind, monkeypatch):
    monkeypatch.setenv("PYSPARK_PYTHON", "python")
    made = Session()
    spark = SimpleNamespace(
        SparkSession=SimpleNamespace(getActiveSession=lambda: None, builder=made)
    )
    _open_spark("scan", spark, ["f"], kind, "2GB", "/there")
    given = str(made.asked)
    assert "('spark.driver.memory', '2g')" in given
    assert "('spark.local.dir', '/there')" in given
    assert "'f'" in str(made.asked[-1])


def test_limits_are_refused_where_a_session_of_spark_is_active():
    spark = SimpleNamespace(SparkSession=SimpleNamespace(getActiveSession=Session))
    with pytest.raises(ValueError, match=r"^scan: memory and spill must be None where a Spark s"):
        _open_spark("scan", spark, ["f"], "parquet", "2GB", None)
