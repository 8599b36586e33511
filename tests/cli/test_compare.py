"""``partage compare``: new data against those of a model."""

import json
import re
import shutil
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import partage as pt
from partage import cli
from partage._report.example import make_loans


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    """Return a folder with loans and the report on them."""
    folder = tmp_path_factory.mktemp("loans")
    make_loans(4000, seed=1).to_csv(folder / "loans.csv", index=False)
    words = ["report", str(folder / "loans.csv"), "--target", "outcome", "--out", str(folder / "r")]
    assert cli.main(words) == 0
    return folder


@pytest.fixture
def model(fitted, tmp_path, capsys):
    """Return the path of a model of the loans."""
    shutil.copytree(fitted, tmp_path, dirs_exist_ok=True)
    capsys.readouterr()
    return "r/model.json"


def compare(model, *words):
    return cli.main(["compare", model, *words])


def read_json(capsys):
    return {row["column"]: row for row in json.loads(capsys.readouterr().out)["columns"]}


def test_the_data_of_the_model_have_not_moved(model, capsys):
    assert compare(model, "loans.csv", "--json", "--fail-above", "1e-9") == 0
    rows = read_json(capsys)
    levels = {name: p.level for name, p in pt.load(model).partitions_.items()}
    for name, row in rows.items():
        assert row["psi"] == pytest.approx(0, abs=1e-12)
        assert row["unseen"] == 0
        assert row["level"] == pytest.approx(levels[name], abs=1e-9)
        assert row["expected_level"] == pytest.approx(levels[name], abs=1e-9)


def test_few_rows_stand_beside_the_level_to_expect_of_them(model, capsys):
    pl.read_csv("loans.csv").sample(300, seed=0).write_csv("few.csv")
    assert compare(model, "few.csv", "--json") == 0
    rows = read_json(capsys)
    for name, p in pt.load(model).partitions_.items():
        assert rows[name]["expected_level"] == p.expected_level(300) <= p.level
    assert compare(model, "few.csv") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[-2:] == ["level", "expected"]
    told = {line.split()[0]: line.split()[-1] for line in lines[1:-3]}
    assert told["town"] == f"{rows['town']['expected_level']:.3f}"
    assert lines[-2] == "expected: level that the fitted shares would have at as many rows."
    assert lines[-1] == "Wrote compare.html"


def test_the_index_is_that_of_its_formula(model, capsys):
    new = make_loans(1000, seed=2, is_later=True)
    new.to_csv("new.csv", index=False)
    assert compare(model, "new.csv", "--json") == 0
    rows = read_json(capsys)
    old = pl.read_csv("loans.csv")["purpose"]
    p = pt.load(model).partitions_["purpose"]
    n_codes = len(p.code_labels())
    before, after = (
        np.bincount(p.assign(column), minlength=n_codes) for column in (old, new["purpose"])
    )
    # Codes that hold no row before nor after add the same half row to both.
    shares = [(sizes + 0.5) / (sizes + 0.5).sum() for sizes in (before, after)]
    expected = ((shares[1] - shares[0]) * np.log(shares[1] / shares[0])).sum()
    assert rows["purpose"]["psi"] == pytest.approx(expected, rel=0.02)
    assert rows["purpose"]["psi"] > 0.25 > 0.1 > rows["income"]["psi"]


def test_a_shift_is_printed_first_and_can_fail(model, capsys):
    make_loans(1000, seed=2, is_later=True).to_csv("new.csv", index=False)
    assert compare(model, "new.csv", "--fail-above", "0.25") == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[0] in ("age", "purpose")
    assert "shifted" in lines[1]
    assert any(line.startswith("income") and "stable" in line for line in lines)


def test_without_the_target_there_is_no_level(model, capsys):
    make_loans(500, seed=3).drop(columns="outcome").to_csv("new.csv", index=False)
    assert compare(model, "new.csv", "--json") == 0
    assert all("level" not in row for row in read_json(capsys).values())


def test_unseen_and_missing_values_are_told(model, capsys):
    new = make_loans(1000, seed=3)
    new.loc[:249, "purpose"] = "yacht"
    new.loc[:499, "savings"] = np.nan
    new.to_csv("new.csv", index=False)
    assert compare(model, "new.csv", "--json") == 0
    rows = read_json(capsys)
    assert rows["purpose"]["unseen"] == 0.25
    assert rows["savings"]["missing"] >= 0.5


def test_periods_are_compared_one_by_one(model, capsys):
    parts = [make_loans(800, seed=4), make_loans(800, seed=5, is_later=True)]
    frame = pl.concat([pl.from_pandas(p).with_columns(when=pl.lit(i)) for i, p in enumerate(parts)])
    frame.write_parquet("new.parquet")
    assert compare(model, "new.parquet", "--by", "when", "--json") == 0
    rows = json.loads(capsys.readouterr().out)["columns"]
    psi = {(row["column"], row["period"]): row["psi"] for row in rows}
    assert psi["purpose", "1"] > 0.25 > 0.1 > psi["purpose", "0"]
    assert compare(model, "new.parquet", "--by", "when") == 0
    assert "when" in capsys.readouterr().out.splitlines()[0]


@pytest.mark.parametrize(
    ("change", "words", "message"),
    [
        (
            lambda frame: frame,
            ["--by", "year"],
            "partage compare: --by must name a column; got 'year', the file has 'age', 'income', "
            "'amount', 'savings', 'purpose', 'town', 'signed', 'weekday', 'folder', 'currency', "
            "'outcome'.\n",
        ),
        (
            lambda frame: frame.assign(outcome=None),
            [],
            "partage compare: the target 'outcome' must be there in every row; 50 are missing. "
            "Drop these rows, or the column.\n",
        ),
        (
            lambda frame: frame.drop(columns=["age", "town"]),
            [],
            "partage compare: the data must hold the columns of the model; 'age' and 1 more are "
            "absent.\n",
        ),
    ],
)
def test_data_that_do_not_fit_are_refused(change, words, message, model, capsys):
    change(make_loans(50, seed=1)).to_csv("new.csv", index=False)
    assert compare(model, "new.csv", *words) == 2
    assert capsys.readouterr().err == message


def test_a_new_class_is_refused(model, capsys):
    make_loans(50, seed=1).assign(outcome="lost").to_csv("new.csv", index=False)
    assert compare(model, "new.csv") == 2
    assert "got 'lost' too" in capsys.readouterr().err


def read_page(path):
    """Return the numbers that a page draws."""
    text = Path(path).read_text(encoding="utf-8")
    (numbers,) = re.findall(r'id="numbers">(.*?)</script>', text, re.DOTALL)
    return json.loads(numbers)


def test_a_page_shows_what_moved(model, capsys):
    make_loans(1000, seed=2, is_later=True).to_csv("new.csv", index=False)
    assert compare(model, "new.csv") == 0
    assert compare(model, "new.csv", "--json") == 0
    rows = json.loads(capsys.readouterr().out.split("Wrote compare.html\n")[1])["columns"]
    data = read_page("compare.html")
    assert data["mode"] == "compare"
    assert [sample["n"] for sample in data["samples"]] == ["new data"]
    drift = {column["n"]: column["x"] for column in data["columns"]}
    assert drift == pytest.approx({row["column"]: row["psi"] for row in rows}, abs=1e-5)
    moved = [remark for remark in data["remarks"] if remark["k"] == "moved"]
    assert {remark["c"] for remark in moved} >= {"", "age", "purpose"}
    (debts,) = [one["t"] for one in moved if "debts" in one["t"] and "grew" in one["t"]]
    assert re.fullmatch(
        r"in new data: \{.*debts.*\} grew from 1\d\.\d% to 3\d\.\d% of the rows", debts
    )


def test_the_same_data_have_not_moved(model):
    assert compare(model, "loans.csv", "--out", "same.html") == 0
    data = read_page("same.html")
    assert data["remarks"] == []
    assert max(column["x"] for column in data["columns"]) == 0


def test_two_models_are_compared_by_the_rows_of_the_second(model, capsys):
    later = make_loans(1500, seed=2, is_later=True)
    later.to_csv("later.csv", index=False)
    words = ["report", "later.csv", "--target", "outcome", "--out", "s", "--drop", "amount"]
    assert cli.main(words) == 0
    capsys.readouterr()
    assert compare(model, "s/model.json", "--json") == 0
    by_model = read_json(capsys)
    assert compare(model, "later.csv", "--json") == 0
    by_rows = read_json(capsys)
    assert set(by_rows) - set(by_model) == {"amount"}
    for name, row in by_model.items():
        for key in ("psi", "missing", "level", "expected_level"):
            assert row[key] == pytest.approx(by_rows[name][key], abs=1e-9), (name, key)
    assert compare(model, "s/model.json") == 0
    remarks = read_page("compare.html")["remarks"]
    assert {"t": "is in the first model only.", "k": "note", "c": "amount"} in remarks
    (cuts,) = [one["t"] for one in remarks if one["c"] == "age" and "cuts" in one["t"]]
    first, second = (pt.load(path)["age"].cuts for path in (model, "s/model.json"))
    texts = [", ".join(f"{cut:g}" for cut in some) for some in (first, second)]
    assert cuts == f"has the cuts {texts[0]} in the first model, {texts[1]} in the second."


def test_models_of_other_classes_are_refused(model, capsys):
    pl.DataFrame({"age": [1, 2] * 20, "c": ["a", "b"] * 20}).write_csv("c.csv")
    assert cli.main(["report", "c.csv", "--target", "c", "--out", "c"]) == 0
    capsys.readouterr()
    assert compare(model, "c/model.json") == 2
    assert capsys.readouterr().err == (
        "partage compare: both models must have the same classes; the first has ['paid', "
        "'unpaid'], the second ['a', 'b'].\n"
    )


def test_no_other_file_is_replaced(model, capsys):
    Path("compare.html").write_text("mine", encoding="utf-8")
    assert compare(model, "loans.csv") == 2
    assert capsys.readouterr().err == (
        "partage compare: 'compare.html' exists and is not a page of `partage compare`; pass "
        "another --out, or move it away.\n"
    )
    assert compare(model, "loans.csv", "--out", "r") == 2
    assert capsys.readouterr().err == ("partage compare: --out must be a file; 'r' is a folder.\n")


def save_model(path, frame, y, **options):
    """Write a model of a table."""
    pt.TablePartitioner(n_jobs=1, **options).fit(frame, y).save(path)
    return path


def test_two_models_are_compared_as_far_as_they_can_be():
    rng = np.random.default_rng(0)
    x, city = rng.normal(size=400), rng.choice(list("abcd"), 400)
    y = ((x > 0) | (city == "a")).astype(int)
    special = np.where(rng.random(400) < 0.1, -999.0, x)
    one = pl.DataFrame({"x": x, "city": city, "code": special, "kind": x, "first": x})
    two = pl.DataFrame({"x": x + 1, "city": city, "code": special, "kind": city, "second": city})
    given = {"special_values": {"code": [-999.0]}}
    first = save_model("first.json", one, y, **given)
    second = save_model("second.json", two, (y + (city == "b") > 0).astype(int), **given)
    assert compare(first, second, "--out", "moved.html") == 0
    page = Path("moved.html")
    said = page.read_text(encoding="utf-8")
    assert "is in the first model only." in said
    assert "is in the second model only." in said
    assert "is not compared: its values are not kept in the second model." in said
    assert "has the cuts" in said


def test_models_without_a_common_column_or_class_are_refused(capsys):
    x, y = np.arange(80.0), np.repeat([0, 1], 40)
    first = save_model("first.json", pl.DataFrame({"a": x}), y)
    second = save_model("second.json", pl.DataFrame({"b": x}), y)
    third = save_model("third.json", pl.DataFrame({"a": x}), y + 1)
    assert compare(first, second) != 0
    assert "must share columns; none is in both." in " ".join(capsys.readouterr().err.split())
    assert compare(first, third) != 0
    assert "must have the same classes" in " ".join(capsys.readouterr().err.split())
