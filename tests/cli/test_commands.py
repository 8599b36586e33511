"""``partage report``, ``show``, ``apply`` and ``demo``: what they print and write."""

import contextlib
import io
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import partage as pt
from partage import cli
from partage._data.files import Reading, read_files
from partage._report.example import make_loans


@pytest.fixture(autouse=True)
def _wide_terminal(monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="session")
def loans():
    """Return the loans of the demo, fewer."""
    return pl.from_pandas(make_loans(3000, seed=1))


@pytest.fixture
def loans_file(loans, tmp_path):
    """Return the loans as a file of the working folder."""
    loans.write_csv(tmp_path / "loans.csv")
    return "loans.csv"


def run(*words):
    assert cli.main(list(words)) == 0


def files(folder="."):
    return sorted(path.name for path in Path(folder).iterdir())


def snapshot():
    """Return every file below the working folder with what it holds."""
    return {str(path): path.read_bytes() for path in Path().rglob("*") if path.is_file()}


def test_report_writes_a_page_and_a_model_and_prints_the_ranking(loans, loans_file, capsys):
    run("report", loans_file, "--target", "outcome")
    out = capsys.readouterr().out
    assert out.startswith("loans.csv: 3,000 rows, 10 columns; target outcome: paid ")
    assert files("partage-report") == ["model.json", "report.html"]
    model = pt.load("partage-report/model.json")
    ranked = [row["column"] for row in model.summary().rows(named=True) if row["level"] > 0]
    lines = out.splitlines()
    head = next(i for i, line in enumerate(lines) if line.startswith("column "))
    assert [line.split()[0] for line in lines[head + 1 : head + 1 + len(ranked)]] == ranked
    assert "currency (one value only)" in out
    assert "Open partage-report/report.html in a browser." in out
    again = pt.TablePartitioner().fit(loans, target="outcome")
    np.testing.assert_array_equal(model.levels_, again.levels_)


def test_report_prints_json_for_machines(loans_file, capsys):
    run("report", loans_file, "--target", "outcome", "--json")
    data = json.loads(capsys.readouterr().out)
    model = pt.load("partage-report/model.json")
    assert (data["partage_report"], data["rows"], data["target"]) == (1, 3000, "outcome")
    assert [c["column"] for c in data["columns"]] == model.summary()["column"].to_list()
    (town,) = (c for c in data["columns"] if c["column"] == "town")
    assert sum(part["rows"] for part in town["table"]) == 3000
    counts = [*data["classes"].values(), *(n for p in town["table"] for n in p["counts"].values())]
    assert {type(count) for count in counts} == {int}
    listed = sorted(value for part in town["table"] for value in part["values"])
    assert listed == sorted(value for group in model.partitions_["town"].groups for value in group)


def test_report_reads_the_standard_input(loans, monkeypatch, capsys):
    stdin = io.BytesIO()
    loans.write_parquet(stdin)
    stdin.seek(0)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(stdin))
    run("report", "-", "--target", "outcome", "--out", "r")
    assert capsys.readouterr().out.startswith("standard input: 3,000 rows")


def test_report_takes_kinds_weights_and_limits(loans):
    frame = loans.with_columns(
        weight=pl.Series([2] * 3000), zip=pl.Series(["01000", "02000"] * 1500)
    )
    frame.write_csv("d.csv")
    words = ["--sample-weight", "weight", "--kind", "zip=categorical", "--drop", "folder"]
    run("report", "d.csv", "--target", "outcome", *words, "--max-parts", "2", "--missing", "merge")
    model = pt.load("partage-report/model.json")
    assert list(model.partitions_) == [*loans.drop("outcome", "folder").columns, "zip"]
    assert model.partitions_["zip"].groups == (("01000", "02000"),)
    assert max(p.n_parts for p in model.partitions_.values()) == 2
    assert model.partitions_["age"].counts.sum() == 6000
    assert model.missing == "merge"


def test_rows_without_a_class_are_left_out(loans, capsys):
    gaps = loans.with_columns(outcome=pl.when(pl.int_range(3000) >= 30).then(pl.col("outcome")))
    gaps.write_csv("d.csv")
    run("report", "d.csv", "--target", "outcome")
    out = capsys.readouterr().out
    assert out.startswith("d.csv: 2,970 rows")
    assert "30 rows without a class in 'outcome' were left out." in out


def test_an_output_that_exists_is_kept_unless_forced(loans_file, capsys):
    run("report", loans_file, "--target", "outcome")
    os.utime("partage-report/report.html", (0, 0))
    Path("partage-report/notes.txt").write_text("mine")
    assert cli.main(["report", loans_file, "--target", "outcome"]) == 2
    assert capsys.readouterr().err == (
        "partage report: 'partage-report' exists and is not empty; pass --force to replace the "
        "report in it, or another --out.\n"
    )
    assert Path("partage-report/report.html").stat().st_mtime == 0
    run("report", loans_file, "--target", "outcome", "--force")
    assert Path("partage-report/report.html").stat().st_mtime > 0
    assert files("partage-report") == ["model.json", "notes.txt", "report.html"]
    assert files() == ["loans.csv", "partage-report"]


def test_rules_are_the_sql_of_the_model(loans_file):
    run("report", loans_file, "--target", "outcome", "--sql", "duckdb")
    model = pt.load("partage-report/model.json")
    assert Path("partage-report/rules.sql").read_text() == model.to_sql("duckdb") + "\n"


def test_show_prints_a_column_and_its_table(loans_file, capsys):
    run("report", loans_file, "--target", "outcome")
    capsys.readouterr()
    run("show", "partage-report/model.json", "purpose")
    out = capsys.readouterr().out
    model = pt.load("partage-report/model.json")
    purpose = model.partitions_["purpose"]
    for row in purpose.table().rows(named=True)[: purpose.n_parts]:
        assert any(row["part"] in line and f"{row['count']:,}" in line for line in out.splitlines())
    run("show", "partage-report/model.json", "purpose", "--json")
    data = json.loads(capsys.readouterr().out)
    assert data["level"] == model.partitions_["purpose"].level
    run("show", "partage-report/model.json", "--json")
    assert len(json.loads(capsys.readouterr().out)["columns"]) == 10


@pytest.mark.parametrize(
    ("output", "name"),
    [
        ("code", "o.parquet"),
        ("code", "o.csv"),
        ("label", "o.jsonl"),
        ("woe", "o.arrow"),
        ("rate", "o.parquet"),
        ("onehot", "o.parquet"),
    ],
)
def test_apply_writes_what_transform_gives(name, output, loans_file):
    run("report", loans_file, "--target", "outcome")
    new = pl.from_pandas(make_loans(500, seed=9, is_later=True)).drop("outcome")
    new.write_csv("new.csv")
    run("apply", "partage-report/model.json", "new.csv", "-o", name, "--output", output)
    model = pt.load("partage-report/model.json").set_params(output=output)
    read = read_files(["new.csv"], Reading(text_columns=("purpose", "town", "weekday", "currency")))
    expected = model.transform(read)
    found = read_files([name], Reading(missing_texts=()))
    assert found.columns == list(model.get_feature_names_out())
    if output == "label":
        assert found.rows() == [tuple(row) for row in expected.tolist()]
    else:
        np.testing.assert_array_equal(found.to_numpy().astype(float), expected.astype(float))


def test_apply_passes_columns_through_and_reads_text_as_the_model_knows_it(capsys):
    frame = pl.DataFrame({"zip": ["01", "02"] * 50, "id": range(100), "y": ["a", "b"] * 50})
    frame.write_csv("d.csv")
    run("report", "d.csv", "--target", "y", "--kind", "zip=categorical", "--drop", "id")
    run("apply", "partage-report/model.json", "d.csv", "-o", "o.parquet", "--keep", "id")
    found = pl.read_parquet("o.parquet")
    assert found["id"].to_list() == list(range(100))
    assert found["zip"].to_list() == [0, 1] * 50 or found["zip"].to_list() == [1, 0] * 50
    assert capsys.readouterr().out.endswith("Wrote o.parquet: 100 rows, 2 columns.\n")


def test_names_that_spreadsheets_would_run_get_an_apostrophe_in_csv():
    frame = pl.DataFrame({"=1+1": range(100), "y": ["a", "b"] * 50})
    frame.write_csv("d.csv")
    run("report", "d.csv", "--target", "y")
    run("apply", "partage-report/model.json", "d.csv", "-o", "o.csv")
    run("apply", "partage-report/model.json", "d.csv", "-o", "o.parquet")
    assert pl.read_csv("o.csv").columns == ["'=1+1"]
    assert pl.read_parquet("o.parquet").columns == ["=1+1"]


def test_demo_writes_everything_and_says_what_to_open(capsys):
    run("demo")
    out = capsys.readouterr().out
    assert "Now open partage-demo/report.html in a browser, and compare.html beside it." in out
    assert {"loans.csv", "model.json", "new-loans.csv", "parts.parquet", "report.html"} <= set(
        files("partage-demo")
    )
    assert out.count("\n$ partage ") + out.startswith("$ partage ") >= 3
    run("demo")  # a second time replaces its own files


@pytest.fixture
def full_disk():
    """Let no file of this process grow beyond 30 kB for a while, as a full disk would."""
    kept = resource.getrlimit(resource.RLIMIT_FSIZE)

    @contextlib.contextmanager
    def fill():
        resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, kept[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, kept)

    return fill


@pytest.mark.parametrize(
    "words",
    [
        ["report", "loans.csv", "--target", "outcome"],
        ["report", "loans.csv", "--target", "outcome", "--out", "kept", "--force"],
        ["apply", "kept/model.json", "loans.csv", "-o", "o.csv", "--output", "label"],
    ],
    ids=["new", "forced", "apply"],
)
def test_a_full_disk_leaves_nothing_half_written(words, loans_file, full_disk, capsys):
    run("report", loans_file, "--target", "outcome", "--out", "kept")
    capsys.readouterr()
    before = snapshot()
    with full_disk():
        code = cli.main(words)
    printed = capsys.readouterr()
    assert code == 2
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert "cannot be written: " in printed.err
    assert "free some space and run again. Nothing was left behind." in printed.err
    assert snapshot() == before


INTERRUPTED = """
import signal, sys, threading
from partage import cli
from partage._estimators.plan import Plan
fit = Plan.fit
timer = threading.Timer(0.1, signal.raise_signal, [signal.SIGINT])
def fit_and_be_interrupted(self, *words):
    if not timer.ident:
        timer.start()
    return fit(self, *words)
Plan.fit = fit_and_be_interrupted
sys.exit(cli.main(sys.argv[1:]))
"""


def test_ctrl_c_leaves_nothing_behind():
    rng = np.random.default_rng(0)
    columns = {f"x{i}": rng.normal(size=200_000) for i in range(12)}
    pl.DataFrame(columns).with_columns(y=pl.Series(rng.integers(0, 2, 200_000))).write_parquet(
        "d.parquet"
    )
    words = ["report", "d.parquet", "--target", "y", "--n-jobs", "1"]
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, *words], capture_output=True, check=False, timeout=60
    )
    found = (done.returncode, done.stdout, done.stderr)
    assert found == (130, b"", b"partage report: interrupted.\n")
    assert files() == ["d.parquet"]
