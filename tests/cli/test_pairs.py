"""``partage pairs`` and ``partage cocluster``."""

import json

import numpy as np
import pandas as pd
import pytest

from partage.cli import main


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.random((400, 3)), columns=["a", "b", "c"])
    frame["copy"] = np.where(frame["c"] > 0.5, "high", "low")
    frame["class"] = np.where((frame["a"] > 0.5) ^ (frame["b"] > 0.5), "yes", "no")
    path = tmp_path_factory.mktemp("pairs") / "data.csv"
    frame.to_csv(path, index=False)
    return str(path)


def test_pairs_with_a_target(file, capsys):
    assert main(["pairs", file, "--target", "class", "--top", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert next(row["column1"] + row["column2"] for row in found["pairs"]) == "ab"
    assert len(found["pairs"]) == 2
    assert main(["pairs", file, "--target", "class"]) == 0
    assert "synergy" in capsys.readouterr().out


def test_pairs_without_a_target(file, capsys):
    assert main(["pairs", file, "--json"]) == 0
    first = json.loads(capsys.readouterr().out)["pairs"][0]
    assert {first["column1"], first["column2"]} == {"c", "copy"}


def test_cocluster(file, capsys):
    assert main(["cocluster", file, "c", "copy"]) == 0
    assert "2 x 2 parts" in capsys.readouterr().out
    assert main(["cocluster", file, "c", "copy", "--information", "0.5", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["type"] == "grid"


def test_mistakes_are_refused(file, capsys):
    assert main(["pairs", file, "--target", "clas"]) == 2
    assert "Did you mean 'class'?" in capsys.readouterr().err
    assert main(["cocluster", file, "c"]) == 2
    assert capsys.readouterr().err == (
        "partage cocluster: two columns or more must be named; got 'c'.\n"
    )
    assert main(["cocluster", file, "c", "copi"]) == 2
    assert "Did you mean 'copy'?" in capsys.readouterr().err
