"""Files as people have them: read rightly, or refused with the remedy; no false "says nothing"."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import odd_files
import odder_files
import oddest_files
from helpers import FULL
from partage import cli

READABLE = odd_files.READABLE | odder_files.READABLE | oddest_files.READABLE
REFUSED = odd_files.REFUSED | odder_files.REFUSED | oddest_files.REFUSED


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def write(name, data):
    """Write the file that a command line names."""
    path = Path(name.partition(":")[0])
    if name == "folder":
        path = Path("folder/data/train-00000-of-00001.parquet")
        path.parent.mkdir(parents=True)
        Path("folder/data/test-00000-of-00001.parquet").write_bytes(data)
    if name == "city=Oslo":
        path = Path("city=Oslo/0.parquet")
        path.parent.mkdir()
    path.write_bytes(data)


def report(*words, capsys):
    """Run a report, and give what it says as JSON."""
    assert cli.main(["report", *words, "--target", "y", "--json", "--force"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("obstacle", READABLE)
def test_a_report_reads(obstacle, capsys):
    name, make, column, kinds = READABLE[obstacle]
    write(name, make())
    found = {one["column"]: one for one in report(name, capsys=capsys)["columns"]}
    assert found[column]["kind"] in kinds.split()
    assert found[column]["level"] > 0.02
    assert not any("says nothing" in one["why"] for one in found.values())


@pytest.mark.parametrize("obstacle", REFUSED)
def test_a_report_refuses_with_the_remedy(obstacle, capsys):
    name, make, said, remedy = REFUSED[obstacle]
    write(name, make())
    assert cli.main(["report", name, "--target", "y"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert said in captured.err
    assert remedy in captured.err
    assert "Add --debug" not in captured.err


def test_amounts_of_several_currencies_are_left_out_with_the_reason(capsys):
    signs = ["€" if i % 2 else "$" for i in range(odd_files.N)]
    values = [f"{sign}{v:,.2f}" for sign, v in zip(signs, odd_files.AMOUNT, strict=True)]
    write("d.csv", odd_files.csv_with("x", values))
    (remark,) = (r for r in report("d.csv", capsys=capsys)["remarks"] if r["column"] == "x")
    assert remark["text"].startswith("amounts of several currencies ('$', '€'): turn them into one")


def test_days_that_are_none_are_proposed_and_taken(capsys):
    write("d.csv", odder_files.READABLE["days that are none"][1]())
    found = report("d.csv", capsys=capsys)
    texts = [one["text"] for one in found["remarks"]]
    assert "20 % of the rows hold 9999-12-31: a special value? (--special x=9999-12-31)" in texts
    before = {one["column"]: one["level"] for one in found["columns"]}["x"]
    for words in (["--auto"], ["--special", "x=9999-12-31"]):
        again = report("d.csv", *words, capsys=capsys)
        assert {one["column"]: one["level"] for one in again["columns"]}["x"] > before
    assert cli.main(["report", "d.csv", "--target", "y", "--special", "x=7", "--force"]) == 2
    assert capsys.readouterr().err == (
        "partage report: --special of the dates 'x' must be days such as 9999-12-31; got 7.\n"
    )


@pytest.mark.parametrize("obstacle", ["names again", "Markdown", "single quotes"])
def test_lines_that_are_no_rows_are_none(obstacle, capsys):
    name, make, *_ = oddest_files.READABLE[obstacle]
    write(name, make())
    found = report(name, capsys=capsys)
    assert found["rows"] == odd_files.N
    assert list(found["classes"]) == ["bad", "good"]


def test_special_values_with_decimals_are_proposed_and_taken(capsys):
    write("d.csv", oddest_files.READABLE["special values with decimals"][1]())
    texts = [one["text"] for one in report("d.csv", capsys=capsys)["remarks"]]
    assert "20 % of the rows hold 99999.99: a special value? (--special x=99999.99)" in texts
    taken = report("d.csv", "--special", "x=99999.99", capsys=capsys)
    assert not any("special value" in one["text"] for one in taken["remarks"])


def test_identifiers_that_begin_with_a_number_are_left_out(capsys):
    values = [f"{i * 7919 % 1000:04d}-XK" for i in range(odd_files.N)]
    write("d.csv", odd_files.csv_with("customer", values))
    found = report("d.csv", capsys=capsys)
    assert "customer" not in {one["column"] for one in found["columns"]}
    (remark,) = (r for r in found["remarks"] if r["column"] == "customer")
    assert remark["kind"] == "left out"
    assert remark["text"].startswith("a different value in every row: an identifier")


@pytest.mark.skipif(not FULL, reason="starts LibreOffice; only in the full test run")
@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
@pytest.mark.parametrize("ending", ["xls", "ods"])
def test_files_of_real_programs(ending, tmp_path, capsys):
    write("d.csv", odd_files.plain())
    home = f"-env:UserInstallation=file://{tmp_path}/home"
    words = ["soffice", "--headless", home, "--convert-to", ending, "d.csv"]
    subprocess.run(words, check=True, capture_output=True, timeout=120)
    found = {one["column"]: one for one in report(f"d.{ending}", capsys=capsys)["columns"]}
    assert found["amount"]["kind"] == "numeric"
    assert found["amount"]["level"] > 0.3
