"""Requests that cannot be met: one line with the remedy on standard error, exit code 2."""

import json
from pathlib import Path

import polars as pl
import pytest

import partage as pt
from partage import cli

DATA = "a,b,class\n1,x,yes\n2,y,no\n3,x,yes\n4,y,no\n"
REPORT = ["report", "d.csv", "--target", "class"]


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")


def refuse(words, message, capsys):
    """Check the message, the exit code, and that nothing was written."""
    before = sorted(map(str, Path().rglob("*")))
    assert cli.main(words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == message + "\n"
    assert sorted(map(str, Path().rglob("*"))) == before


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "d.csv: must hold data; the file is empty."),
        ("a,b,class\n", "d.csv: must hold rows; it has column names only."),
        (
            "1,2,0\n3,4,1\n",
            "d.csv: the first line must hold the names of the columns; got 1, 2, 0. Put a line of "
            "names before the data.",
        ),
        (
            "5.1,3.5,setosa\n4.9,3.0,setosa\n",
            "--target must name a column; got 'class', and the first line (5.1, 3.5, setosa) looks "
            "like data. Put a line of names before the data.",
        ),
        (
            "a,b,Class\n1,x,yes\n",
            "--target must name a column; got 'class', the file has 'a', 'b', 'Class'. Did you "
            "mean 'Class'?",
        ),
        (
            "a,b,class\n1,x,yes\n2,y,yes\n",
            "the target 'class' must hold two classes at least; every row is 'yes'. Choose another "
            "target.",
        ),
        (
            "a,b,class\n1,x,\n2,y,\n",
            "the target 'class' must hold classes; every row is missing.",
        ),
        (
            "a,b,class\n" + "".join(f"1,x,{i}\n" for i in range(60)),
            "the target 'class' must hold classes that repeat; got 60 different values in 60 rows. "
            "Pass --target-type number for a number, or --target-above NUMBER or "
            "--target-quantiles 4 to cut it into classes.",
        ),
        (
            "class\nyes\nno\n",
            "the file must hold columns beside the target 'class'; there is none.",
        ),
    ],
)
def test_a_file_without_a_usable_table_is_refused(content, message, capsys):
    Path("d.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    refuse(REPORT, f"partage report: {message}", capsys)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--drop", "z"],
            "--drop must name a column; got 'z', the file has 'a', 'b', 'class'.",
        ),
        (
            ["--sample-weight", "b"],
            "the weights 'b' must be numbers without gaps; got String with 0 missing.",
        ),
        (
            ["--encoding", "klingon"],
            "--encoding must be an encoding that Python knows, such as latin-1; got 'klingon'.",
        ),
        (["--out", "d.csv"], "--out must be a folder; 'd.csv' is a file."),
        (["--format", "parquet"], None),
        (["--min-part-size", "-1"], None),
        (["--sql", "cobol"], None),
    ],
)
def test_options_that_do_not_fit_are_refused(words, message, capsys):
    Path("d.csv").write_text(DATA)
    assert cli.main([*REPORT, *words]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("partage report: ")
    assert captured.err.count("\n") == 1
    assert sorted(map(str, Path().iterdir())) == ["d.csv"]
    if message is not None:
        assert captured.err == f"partage report: {message}\n"


def test_a_kind_that_is_none_is_refused(capsys):
    refuse(
        [*REPORT, "--kind", "a=colour"],
        "partage report: argument --kind: must be NAME=KIND, KIND one of numeric, "
        "categorical, ordered, datetime; got 'colour'; see `partage report --help`.",
        capsys,
    )


def test_text_that_is_no_time_is_said_to_be_missing(capsys):
    Path("d.csv").write_text("a,class\n" + "2024-01-31,yes\n31/01/2024,no\n30/01/2024,no\n" * 9)
    assert cli.main([*REPORT, "--kind", "a=datetime"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "a text read as dates, day first; 9 texts that are none (such as '2024-01-31')" in said


def test_a_table_of_nested_columns_only_is_refused(capsys):
    pl.DataFrame({"a": [[1], [2]], "class": ["x", "y"]}).write_parquet("d.parquet")
    refuse(
        ["report", "d.parquet", "--target", "class"],
        "partage report: every column was left out: a: it holds lists or records, not single "
        "values.",
        capsys,
    )


@pytest.fixture
def model(capsys):
    """Return the path of a model of two columns."""
    Path("d.csv").write_text(DATA * 20)
    Path("d.csv").write_text("a,b,class\n" + "1,x,yes\n2,y,no\n" * 40)
    assert cli.main([*REPORT, "--out", "r"]) == 0
    capsys.readouterr()
    return "r/model.json"


def test_a_model_of_a_newer_layout_is_refused(model, capsys):
    data = json.loads(Path(model).read_text()) | {"partage_model": 99}
    Path(model).write_text(json.dumps(data))
    for words in (["show", model], ["apply", model, "d.csv", "-o", "o.csv"]):
        refuse(
            words,
            f"partage {words[0]}: r/model.json has the layout 99, newer than this version of "
            "partage reads (1); update partage.",
            capsys,
        )


def test_a_model_edited_by_hand_is_refused(model, capsys):
    Path(model).write_text(Path(model).read_text().replace('"cuts": [1.0]', '"cuts": [1.25]'))
    refuse(
        ["apply", model, "d.csv", "-o", "o.csv"],
        "partage apply: r/model.json was changed after partage wrote it: its checksum does "
        "not fit. Write it again with `partage report` or `save`; parts are edited in Python.",
        capsys,
    )


def test_a_file_that_is_no_model_is_refused(model, capsys):
    refuse(
        ["show", "d.csv"],
        "partage show: d.csv must be a model file of partage; it is not JSON: Expecting "
        "value: line 1 column 1 (char 0).",
        capsys,
    )
    assert model


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["-o", "o.xlsx"],
            "--out must end in .parquet, .csv, .arrow, .feather, .jsonl, .ndjson; got 'o.xlsx'.",
        ),
        (["-o", "d.csv"], "'d.csv' exists; pass --force to replace it."),
        (
            ["-o", "r/o.csv", "--keep", "z"],
            "--keep must name a column; got 'z', the file has 'a', 'b', 'class'.",
        ),
        (
            ["-o", "o.csv", "--keep", "a"],
            "--keep must name a column that the model does not write; got 'a'.",
        ),
    ],
)
def test_apply_refuses_outputs_that_do_not_fit(words, message, model, capsys):
    refuse(["apply", model, "d.csv", *words], f"partage apply: {message}", capsys)


def test_models_of_classifiers_are_for_python(capsys):
    clf = pt.NaiveBayesClassifier().fit([[1.0], [2.0], [3.0], [4.0]] * 9, [0, 0, 1, 1] * 9)
    clf.save("clf.json")
    Path("d.csv").write_text(DATA, encoding="utf-8")
    for words in (["show", "clf.json"], ["apply", "clf.json", "d.csv", "-o", "o.csv"]):
        refuse(
            words,
            f"partage {words[0]}: clf.json must hold a TablePartitioner, Discretizer or Grouper; "
            "it holds a NaiveBayesClassifier. Read it in Python with partage.load.",
            capsys,
        )


def test_apply_names_a_column_that_is_absent(model, capsys):
    Path("e.csv").write_text("b,class\nx,yes\n")
    refuse(
        ["apply", model, "e.csv", "-o", "o.csv"],
        "partage apply: the data must hold the columns of the model; 'a' is absent.",
        capsys,
    )


@pytest.mark.parametrize("words", [["apply", "-o", "o.csv"], ["compare"]])
def test_values_of_another_type_than_fitted_are_refused(words, capsys):
    import partage as pt

    flags = pl.DataFrame({"flag": [True, False] * 30, "class": [0, 1] * 30})
    pt.TablePartitioner().fit(flags, target="class").save("model.json")
    Path("new.csv").write_text("flag\n0\n1\n", encoding="utf-8")
    refuse(
        [words[0], "model.json", "new.csv", *words[1:]],
        f"partage {words[0]}: column 'flag' must hold booleans as in fit; got numbers, which would "
        "all be unseen values. Cast the column to booleans, or fit again.",
        capsys,
    )


def test_apply_names_a_column_of_another_kind(model, capsys):
    Path("e.csv").write_text("a,b\nmany,x\n")
    refuse(
        ["apply", model, "e.csv", "-o", "o.csv"],
        "partage apply: column 'a' must hold numbers as in fit; got text. Convert it.",
        capsys,
    )


def test_apply_counts_the_columns_that_are_absent(model, capsys):
    Path("e.csv").write_text("class\nyes\n")
    refuse(
        ["apply", model, "e.csv", "-o", "o.csv"],
        "partage apply: the data must hold the columns of the model; 'a' and 1 more are absent.",
        capsys,
    )


def test_a_file_that_is_absent_is_told_before_an_output_that_is_there(model, capsys):
    absent = "no.csv: no such file; check the path."
    refuse(
        ["report", "no.csv", "--target", "class", "--out", "r"],
        f"partage report: {absent}",
        capsys,
    )
    refuse(["apply", model, "no.csv", "-o", "d.csv"], f"partage apply: {absent}", capsys)


def test_a_model_that_is_absent_is_told(capsys):
    refuse(
        ["show", "nope.json"],
        "partage show: nope.json cannot be read: No such file or directory.",
        capsys,
    )


def test_an_error_of_nobody_keeps_its_type(model, monkeypatch, capsys):
    from partage._estimators.table_model import TableModel

    def fail(*_):
        raise ValueError("shapes (2,) and (3,)")

    monkeypatch.setattr(TableModel, "transform", fail)
    refuse(
        ["apply", model, "d.csv", "-o", "o.csv"],
        "partage apply: ValueError: shapes (2,) and (3,) (Add --debug for the traceback.)",
        capsys,
    )


def test_show_names_the_column_that_was_meant(model, capsys):
    refuse(
        ["show", model, "bb"],
        "partage show: the model must hold the column; got 'bb'. Did you mean 'b'? "
        "`partage show r/model.json` lists them.",
        capsys,
    )


def test_an_output_folder_that_cannot_be_made_is_told(capsys):
    Path("d.csv").write_text("a,b,class\n" + "1,x,yes\n2,y,no\n" * 40)
    refuse(
        [*REPORT, "--out", "d.csv/below"],
        "partage report: d.csv/below: cannot be written: File exists; check the path and its "
        "rights and run again. Nothing was left behind.",
        capsys,
    )


def test_report_needs_a_target(capsys):
    refuse(
        ["report", "d.csv"],
        "partage report: --target must name the column to be predicted; none was given.",
        capsys,
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--target", "x", "--target-quantiles", "1"], "must be an integer from 2 to"),
        (
            ["--target", "x", "--target-quantiles", "2", "--target-above", "3"],
            "exclude each other.",
        ),
        (
            ["--target", "same", "--target-quantiles", "3"],
            "needs different numbers; most of 'same'",
        ),
        (["--target", "word", "--target-above", "3"], "is for a target of numbers; 'word' holds"),
    ],
)
def test_targets_of_numbers_that_cannot_be_cut_are_refused(words, message, tmp_path, capsys):
    path = tmp_path / "t.csv"
    rows = [f"{i},1,{'ab'[i % 2]}" for i in range(40)]
    path.write_text("\n".join(["x,same,word", *rows]) + "\n")
    try:
        status = cli.main(["report", str(path), *words])
    except SystemExit as end:
        status = end.code
    assert status == 2
    assert message in " ".join(capsys.readouterr().err.split())


def test_pairs_and_coclusters_refuse_what_is_no_class_and_no_column(tmp_path, capsys):
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["x,y,n", *(f"{i % 5},{i},1" for i in range(1001))]) + "\n")
    assert cli.main(["pairs", str(path), "--target", "y"]) == 2
    assert "--target must hold classes; 'y' has 1001" in " ".join(capsys.readouterr().err.split())
    assert cli.main(["cocluster", str(path), "x", "y", "--counts", "m"]) == 2
    assert "--counts" in capsys.readouterr().err
    assert cli.main(["cocluster", str(path), "x"]) == 2
    assert "two columns or more must be named; got 'x'." in capsys.readouterr().err
