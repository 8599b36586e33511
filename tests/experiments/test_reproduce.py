"""The frame of the experiments: units that are kept, data sets that are found or listed."""

import calendar
import gzip
import json
from dataclasses import replace

import numpy as np
import pytest

from partage.cli import main
from partage.experiments import (
    PAPERS,
    Ledger,
    Paper,
    Settings,
    data,
    find_papers,
    page,
    reproduce,
)
from partage.experiments.data import find_sets, load_set
from partage.experiments.units import run_units


def square(x, log=None):
    """Square a number, and note that it was asked for."""
    if log is not None:
        with log.open("a", encoding="utf-8") as lines:
            lines.write(f"{x}\n")
    return {"square": x * x, "pair": (x, x)}


def asked(log):
    return [int(line) for line in log.read_text(encoding="utf-8").split()]


@pytest.mark.parametrize("jobs", [1, 2])
def test_units_come_back_in_order_as_plain_data(tmp_path, jobs):
    settings = Settings(jobs=jobs, kept=tmp_path)
    # Other processes import the function, so it must be one of an installed module.
    found = run_units(settings, "months", calendar.monthrange, [(2024, 2), (2023, 2), (2026, 11)])
    assert found == [[3, 29], [2, 28], [6, 30]]


def test_a_stopped_run_goes_on_where_it_was(tmp_path):
    log = tmp_path / "log"
    run_units(Settings(kept=tmp_path / "kept"), "squares", square, [(1,), (2,)], log=log)
    settings = Settings(kept=tmp_path / "kept")
    found = run_units(settings, "squares", square, [(1,), (2,), (3,)], log=log)
    assert [row["square"] for row in found] == [1, 4, 9]
    assert asked(log) == [1, 2, 3]
    assert settings.ledger.n_kept == 2


def test_a_line_cut_short_is_done_again(tmp_path):
    log = tmp_path / "log"
    run_units(Settings(kept=tmp_path / "kept"), "squares", square, [(1,), (2,)], log=log)
    file = tmp_path / "kept" / "squares.jsonl"
    file.write_text(file.read_text(encoding="utf-8")[:-9], encoding="utf-8")
    for _ in range(2):
        settings = Settings(kept=tmp_path / "kept")
        found = run_units(settings, "squares", square, [(1,), (2,)], log=log)
        assert [row["square"] for row in found] == [1, 4]
    assert asked(log) == [1, 2, 2]


def test_results_of_other_code_and_fresh_runs_start_anew(tmp_path):
    log = tmp_path / "log"
    settings = Settings(kept=tmp_path / "kept")
    run_units(settings, "squares", square, [(1,)], log=log)
    fresh = Settings(kept=tmp_path / "kept", is_fresh=True)
    run_units(fresh, "squares", square, [(1,)], log=log)
    file = tmp_path / "kept" / "squares.jsonl"
    records = [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n")[1:]]
    text = "\n".join(json.dumps(record | {"maker": "other"}) for record in records)
    file.write_text(text, encoding="utf-8")
    run_units(replace(settings, made={}), "squares", square, [(1,)], log=log)
    assert asked(log) == [1, 1, 1]


def test_tables_of_a_fresh_run_share_what_it_has_made(tmp_path, monkeypatch):
    log = tmp_path / "log"
    units = {"figures1-2": [(1,), (2,)], "figures3-4": [(2,), (3,)]}

    def run(table, settings):
        rows = run_units(settings, "squares", square, units.get(table, []), log=log)
        return page.Section(table, str([row["square"] for row in rows]), "none")

    monkeypatch.setattr("partage.experiments.value_grouping.page.run", run)
    (paper,) = find_papers("value_grouping")
    for n_runs in (1, 2):
        _, sections = reproduce(paper, None, Settings(is_fresh=True), tmp_path / "out")
        assert [section.setting for section in sections[:2]] == ["[1, 4]", "[4, 9]"]
        assert [section.ledger.n_kept for section in sections[:2]] == [0, 1]
        assert asked(log) == [1, 2, 3] * n_runs
    reproduce(paper, None, Settings(), tmp_path / "out")
    assert asked(log) == [1, 2, 3] * 2


def test_progress_tells_what_is_left():
    told = []
    run_units(Settings(announce=told.append), "squares", square, [(1,), (2,)])
    assert told == [f"squares: {n} of 2 units left, 0 min" for n in (1, 0)]


def test_sets_that_are_not_found_are_listed_on_the_page_and_not_fatal(tmp_path, monkeypatch):
    monkeypatch.setattr(data, "find_spec", lambda _: None)
    settings = Settings()
    assert find_sets(settings, ["iris", "glass", "nowhere"]) == ["iris"]
    ledger = Ledger(missing=settings.ledger.missing, n_kept=2, kept_seconds=30.0)
    section = page.Section("Title", "Setting.", "none", seconds=1.0, ledger=ledger)
    page.write_page(tmp_path / "page.md", "Somebody, 1984", "partage reproduce", [section])
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "Data sets not found, left out: glass, nowhere." in text
    assert text.endswith(
        "Run time: 1 s, with 2 results of earlier runs or tables that had taken 30 s of one "
        "process.\n"
    )


def test_a_set_of_the_folder_has_the_kinds_of_its_catalogue(tmp_path):
    columns = [
        {"name": "age", "kind": "numeric"},
        {"name": "size", "kind": "ordered", "order": ["small", "big"]},
        {"name": "rank", "kind": "ordered"},
        {"name": "town", "kind": "nominal"},
    ]
    entry = {"name": "folk", "file": "folk.csv.gz", "columns": columns}
    (tmp_path / "catalogue.json").write_text(json.dumps({"datasets": [entry]}), encoding="utf-8")
    with gzip.open(tmp_path / "folk.csv.gz", "wt", encoding="utf-8") as file:
        file.write("age,size,rank,town,class\n3,small,10,NA,1\n,big,9,,0\n")
    found = load_set("folk", tmp_path)
    assert found.y.tolist() == ["1", "0"]
    assert found.kinds == {column["name"]: column["kind"] for column in columns}
    np.testing.assert_array_equal(found.numeric(), [[3.0], [np.nan]])
    assert found.X["size"].cat.categories.tolist() == ["small", "big"]
    assert found.X["rank"].cat.categories.tolist() == ["9", "10"]
    assert found.X["town"].tolist()[0] == "NA"
    assert found.X["town"].isna().tolist() == [False, True]


def test_a_package_of_data_sets_stands_in_for_the_folder(tmp_path, monkeypatch):
    folder = tmp_path / "data" / "classification" / "glass"
    folder.mkdir(parents=True)
    (folder / "glass.data.txt").write_text("1,1.5,a,1\n\n2,?,b,2\n", encoding="latin-1")
    spec = type("Spec", (), {"submodule_search_locations": [str(tmp_path)]})()
    monkeypatch.setattr(data, "find_spec", lambda _: spec)
    found = load_set("glass", None)
    assert found.y.tolist() == ["1", "2"]
    assert found.kinds == {"x1": "numeric", "x2": "nominal"}
    np.testing.assert_array_equal(found.numeric(), [[1.5], [np.nan]])


def test_an_unknown_set_says_where_it_must_be(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        load_set("nowhere", tmp_path)
    assert str(caught.value) == (
        "data set 'nowhere' must be in the folder of --data, with its catalogue.json, or in an "
        "installed package; got neither."
    )


def test_a_full_page_names_its_command(tmp_path, monkeypatch):
    section = page.Section("Title", "Setting.", "none")
    monkeypatch.setattr("partage.experiments.optimal_intervals.page.run", lambda *_: section)
    file, _ = reproduce(PAPERS[0], "table1", Settings(is_full=True, jobs=2), tmp_path)
    assert isinstance(PAPERS[0], Paper)
    wanted = "Made by `partage reproduce optimal_intervals table1 --full --n-jobs 2`;"
    assert wanted in file.read_text(encoding="utf-8")


def make_folder(folder, catalogue, table="a,b,class\n1,2,x\n"):
    """Make a folder of data sets."""
    (folder / "catalogue.json").write_text(catalogue, encoding="utf-8")
    (folder / "folk.csv").write_text(table, encoding="utf-8")
    return folder


COLUMNS = [{"name": "a", "kind": "numeric"}, {"name": "b", "kind": "nominal"}]
FOLK = json.dumps({"datasets": [{"name": "folk", "file": "folk.csv", "columns": COLUMNS}]})


@pytest.mark.parametrize(
    ("catalogue", "got"),
    [
        ("{oops", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)."),
        ("{}", "no 'datasets'."),
        ("[]", "list indices must be integers or slices, not str."),
        ('{"datasets": [{"name": "folk"}]}', "no 'columns'."),
        ('{"datasets": [{"name": "folk", "columns": []}]}', "no 'file'."),
        (FOLK.replace('"kind"', '"sort"'), "no 'kind'."),
        (FOLK.replace('"folk.csv"', "3"), "'file' that is no text: 3."),
    ],
)
def test_a_broken_catalogue_is_named(tmp_path, catalogue, got, capsys):
    folder = make_folder(tmp_path, catalogue)
    arguments = ["reproduce", "forest", "--quick", "--data", str(folder)]
    assert main([*arguments, "--out", str(tmp_path / "out")]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"partage reproduce: {str(folder / 'catalogue.json')!r} must be JSON ")
    assert told.endswith(f"got {got}\n")


@pytest.mark.parametrize(
    ("table", "got"),
    [
        ("b,class\n2,x\n", " must have the columns of its entry in catalogue.json, and 'class'; it "
         "has no 'a'."),
        ("a,b\n1,2\n", " must have the columns of its entry in catalogue.json, and 'class'; it has "
         "no 'class'."),
        ("", " must be a CSV file; got No columns to parse from file."),
        ("a,b,class\none,2,x\n", ", column 'a': must hold numbers, as catalogue.json says; got "
         "'one'."),
    ],
)  # fmt: skip
def test_a_broken_table_is_named(tmp_path, table, got, capsys):
    folder = make_folder(tmp_path, FOLK.replace('"folk"', '"iris"'), table)
    arguments = ["reproduce", "forest", "--quick", "--data", str(folder)]
    assert main([*arguments, "--out", str(tmp_path / "out")]) == 2
    expected = f"partage reproduce: {str(folder / 'folk.csv')!r}{got}\n"
    assert capsys.readouterr().err == expected


def test_a_folder_that_cannot_be_made_is_told_before_the_work(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("partage.experiments.optimal_intervals.page.run", None)
    (tmp_path / "file").touch()
    out = tmp_path / "file" / "out"
    assert main(["reproduce", "optimal_intervals", "--quick", "--out", str(out)]) == 2
    told = capsys.readouterr().err
    assert told.startswith("partage reproduce: --out must be a folder that can be written to; got ")
    assert repr(str(out)) in told
