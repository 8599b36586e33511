"""Files as people have them: read rightly, or refused with the remedy; no false "says nothing"."""

import json
from pathlib import Path

import pytest

from odd_files import READABLE, REFUSED
from partage import cli


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
