"""What the command takes, as Python does: special values, the event, trends, cuts, samples."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import partage as pt
from partage import cli

N = 1200
REPORT = ["report", "d.csv", "--target", "y", "--force"]


@pytest.fixture(autouse=True)
def table(tmp_path, monkeypatch):
    """Write a table of numbers, a code, an order, months and an amount."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(5)
    event = rng.random(N) < 0.35
    frame = pl.DataFrame(
        {
            "age": rng.integers(18, 80, N) + 12 * event,
            "days": np.where(rng.random(N) < 0.6, -1, rng.integers(0, 300, N) + 90 * event),
            "grade": np.array(["low", "mid", "high"])[
                np.where(event, rng.integers(1, 3, N), rng.integers(0, 2, N))
            ],
            "month": rng.choice(["2024-01", "2024-02", "2024-03"], N),
            "amount": np.round(rng.gamma(3, 40, N) * (1 + event), 1),
            "y": np.where(event, "bad", "good"),
        }
    )
    frame.write_csv("d.csv")
    return frame


def run(*words):
    """Run a report, and give its model."""
    assert cli.main([*REPORT, *words]) == 0
    return pt.load("partage-report/model.json")


def refuse(words, message, capsys):
    """Check the message of a report that is refused."""
    assert cli.main([*REPORT, *words]) == 2
    assert capsys.readouterr().err == f"partage report: {message}\n"


def test_special_values_of_a_column():
    assert list(run("--special", "days=-1")["days"].special_values) == [-1]
    found = run("--special=-1,-9", "--special", "age=99")
    assert list(found["days"].special_values) == [-1, -9]
    assert list(found["age"].special_values) == [99]


def test_special_values_are_proposed_and_taken(capsys):
    assert not run()["days"].special_values
    said = " ".join(capsys.readouterr().out.split())
    assert "hold -1: a special value? (--special days=-1)" in said
    assert list(run("--auto")["days"].special_values) == [-1]


def test_the_event():
    assert run("--positive", "bad")["age"].event == 0
    assert run("--positive", "BAD")["age"].event == 0
    assert run()["age"].event == 1


def test_an_event_that_is_no_class(capsys):
    refuse(
        ["--positive", "godo"],
        "--positive must name a class of the target; got 'godo', it has 'bad', 'good'. Did you "
        "mean 'good'?",
        capsys,
    )


@pytest.mark.parametrize("trend", ["ascending", "age=ascending"])
def test_a_trend_is_that_of_the_event(trend):
    found = run("--positive", "bad", "--monotonic", trend)["age"]
    rates = found.table()["event_rate"].to_list()[: found.n_parts]
    assert found.n_parts > 1
    assert rates == sorted(rates)


def test_a_column_that_limits_leave_whole_says_so():
    found = run("--positive", "bad", "--monotonic", "age=descending")
    why = {row["column"]: row["why"] for row in found.summary().to_dicts()}
    assert why["age"] == "says nothing about the class within the limits (monotonic)"


def test_methods():
    assert run("--method", "mdlpc")["age"].method == "mdlpc"
    found = run("--method", "numeric=chimerge", "--method", "categorical=chaid")
    assert (found["age"].method, found["grade"].method) == ("chimerge", "chaid")


def test_a_method_that_is_none(capsys):
    refuse(
        ["--method", "text=chaid"],
        "--method must be one name, or numeric=NAME and categorical=NAME; got 'text=chaid'.",
        capsys,
    )


def test_the_order_of_a_column():
    found = run("--ordered", "grade=low,mid,high")["grade"]
    assert found.rule.column_kind == "ordered"
    again = cli.main(["apply", "partage-report/model.json", "d.csv", "-o", "o.csv", "--force"])
    assert again == 0


def test_cuts_are_these_and_no_others():
    assert run("--cuts", "age=30,50")["age"].cuts.tolist() == [30, 50]


def test_limits_for_all_and_for_one():
    found = run("--max-parts", "2", "--max-parts", "age=3", "--min-part-size", "0.1")
    assert found["amount"].n_parts <= 2
    assert found["age"].n_parts == 3
    assert found["age"].counts.sum(axis=1).min() >= 0.1 * N


def test_a_number_as_target():
    above = run("--target", "amount", "--target-above", "100")
    assert sorted(above.classes_) == ["above 100", "up to 100"]
    assert above.classes_[above["age"].event] == "above 100"
    quarters = run("--target", "amount", "--target-quantiles", "4")
    assert len(quarters.classes_) == 4
    counts = quarters["age"].counts.sum(axis=0)
    assert counts.max() - counts.min() < 0.05 * N


def test_a_number_as_target_is_cut_in_the_same_way_by_compare(capsys):
    run("--target", "amount", "--target-above", "100")
    capsys.readouterr()
    assert cli.main(["compare", "partage-report/model.json", "d.csv", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["columns"]
    assert all(row["level"] == pytest.approx(row["level_fitted"]) for row in rows)


def test_a_target_of_text_is_no_number(capsys):
    refuse(
        ["--target-above", "3"],
        "--target-above is for a target of numbers; 'y' holds String. Leave it out.",
        capsys,
    )


def test_a_holdout_is_set_aside():
    found = run("--holdout", "0.25")
    total = found["age"].counts.sum()
    assert 0.7 * N < total < 0.8 * N
    assert "holdout" in Path("partage-report/report.html").read_text()


def test_periods_are_compared_and_the_column_is_not_partitioned():
    assert "month" not in run("--by", "month").partitions_
    page = Path("partage-report/report.html").read_text()
    assert "2024-03" in page
    assert "month" in run("--by", "month", "--monotonic", "auto").partitions_


def test_too_many_periods(capsys):
    assert cli.main([*REPORT, "--by", "amount"]) == 2
    assert "--by must have at most 24 different values" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["--special", "dais=-1"],
        ["--monotonic", "dais=auto"],
        ["--ordered", "dais=a,b"],
        ["--cuts", "dais=1"],
        ["--max-parts", "dais=3"],
        ["--min-part-size", "dais=3"],
        ["--kind", "dais=numeric"],
        ["--drop", "dais"],
        ["--text", "dais"],
        ["--by", "dais"],
        ["--sample-weight", "dais"],
        ["--target", "dais"],
        ["--pair", "dais,age"],
        ["--graph", "age,dais"],
    ],
)
def test_did_you_mean(words, capsys):
    assert cli.main([*REPORT, *words]) == 2
    assert capsys.readouterr().err.endswith("Did you mean 'days'?\n")


def test_a_config_says_it_by_column():
    Path("c.toml").write_text(
        'target = "y"\npositive = "bad"\nmax-parts = 4\nholdout = 0.2\n'
        "[columns.days]\nspecial = -1\n[columns.age]\ncuts = [40]\n[columns.month]\ndrop = true\n"
    )
    assert cli.main(["report", "d.csv", "--config", "c.toml", "--force"]) == 0
    found = pt.load("partage-report/model.json")
    assert list(found["days"].special_values) == [-1]
    assert found["age"].cuts.tolist() == [40]
    assert "month" not in found.partitions_
    assert found["age"].event == 0
    assert cli.main(["report", "d.csv", "--config", "c.toml", "--force", "--cuts", "age=50"]) == 0
    assert pt.load("partage-report/model.json")["age"].cuts.tolist() == [50]


def test_a_config_is_read_as_the_command_line_is(capsys):
    Path("c.toml").write_text('target = "y"\nout = "other"\nn-jobs = 2\njson = true\n')
    assert cli.main(["report", "d.csv", "--config", "c.toml"]) == 0
    assert Path("other", "report.html").exists()
    assert capsys.readouterr().out.startswith("{")
    assert cli.main(["report", "d.csv", "--config", "c.toml", "--out", "third"]) == 0
    assert Path("third", "report.html").exists()


def test_numbers_beside_a_special_value_are_no_code():
    # What is said by the special value alone is said in either reading.
    rng = np.random.default_rng(5)
    days = np.where(rng.random(2000) < 0.8, -1, rng.integers(1, 150, 2000))
    y = rng.random(2000) < np.where(days < 0, 0.2, 0.6)
    pl.DataFrame({"days": days, "y": y}).write_csv("s.csv")
    for words in (["--auto"], ["--auto", "--special", "days=-1"], []):
        assert cli.main(["report", "s.csv", "--target", "y", "--force", *words]) == 0
        found = pt.load("partage-report/model.json")["days"]
        assert found.rule.is_measured
        assert list(found.special_values) == ([-1] if words else [])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("holdout = 3", "c.toml: argument --holdout: must be a share between 0 and 1; got '3'; see "
         "`partage report --help`."),
        ("out = [1]", "c.toml: out must have one value; got [1]."),
        ("targt = 1", "c.toml: there is no option 'targt'. Did you mean 'target'?"),
        ("[columns.age]\nspecal = 1", "c.toml: column 'age': there is no option 'specal'. Did you "
         "mean 'special'?"),
        ("columns = 3", "c.toml: [columns] must hold a table for each column."),
        ("a b", "--config c.toml must be TOML: Expected '=' after a key in a key/value pair (at "
         "line 1, column 3)."),
    ],
)  # fmt: skip
def test_a_config_that_is_wrong(text, message, capsys):
    Path("c.toml").write_text(text)
    refuse(["--config", "c.toml"], message, capsys)


def test_free_text_is_measured(table):
    rng = np.random.default_rng(1)
    words = np.array(["alpha", "beta", "gamma", "delta", "eta", "theta", "iota"])
    bad = (table["y"] == "bad").to_list()
    notes = [" ".join(rng.choice(words, 4 + 4 * b)) + f" {i}" for i, b in enumerate(bad)]
    table.with_columns(note=pl.Series(notes)).write_csv("d.csv")
    assert "note" not in run().partitions_
    found = run("--text", "note")
    assert found["note (words)"].level > 0.5
    assert cli.main(["apply", "partage-report/model.json", "d.csv", "-o", "o.csv"]) == 0
    assert "note (length)" in pl.read_csv("o.csv").columns


def test_hours_weekdays_and_months_that_say_more_than_the_time(table, capsys):
    rng = np.random.default_rng(4)
    bad = (table["y"] == "bad").to_numpy()
    days = np.datetime64("2024-01-01") + rng.integers(0, 600, len(table))
    hours = np.where(bad, 20, 8) + rng.integers(0, 4, len(table))
    when = days.astype("datetime64[ms]") + hours * 3_600_000
    weekend = np.datetime64("2024-01-06") + 7 * rng.integers(0, 80, len(table)) + bad * 2
    made = {
        "text": pl.Series(when).dt.strftime("%d.%m.%Y %H:%M"),
        "when": pl.Series(when),
        "day": pl.Series(weekend),
        "nothing": pl.Series(days),
    }
    data = table.with_columns(**made)
    data.write_parquet("d.parquet")
    assert cli.main(["report", "d.parquet", "--target", "y", "--force"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "the hour of 'when': its level is" in shown
    assert "as time 0.000 (--drop when leaves both out)" in shown
    found = pt.load("partage-report/model.json")
    assert {name for name in found.partitions_ if "(" in name} == {
        "when (hour)",
        "text (hour)",
        "day (weekday)",
    }
    codes = found["when (hour)"].assign(hours)
    assert np.array_equal(codes, bad)
    frame = data.to_pandas()
    transformed = found.transform(frame)
    names = list(found.partitions_)
    for name in ("when (hour)", "text (hour)"):
        assert np.array_equal(np.asarray(transformed)[:, names.index(name)], codes)
    assert cli.main(["apply", "partage-report/model.json", "d.parquet", "-o", "o.csv"]) == 0
    assert np.array_equal(pl.read_csv("o.csv")["text (hour)"].to_numpy(), codes)


def test_classes_in_order(table):
    amounts = table["amount"].to_numpy()
    grades = np.digitize(amounts, np.quantile(amounts, [0.3, 0.7]))
    table.with_columns(y=pl.Series(grades)).write_csv("d.csv")
    found = run("--target-type", "ordered")
    wanted = pt.discretize(amounts, grades, target_type="ordered")
    assert found["amount"].cost == wanted.cost != pt.discretize(amounts, grades).cost


def test_the_page_of_python_is_that_of_the_command(table):
    money = table.with_columns(pl.format("€{}", pl.col("amount")).alias("amount"))
    money.write_csv("d.csv")
    page = pt.report(money, target="y", positive="bad", holdout=0.2, title="d.csv")
    run("--positive", "bad", "--holdout", "0.2")
    assert Path("partage-report/report.html").read_text(encoding="utf-8") == page.html
    assert "text read as numbers" in page.html


def test_a_model_reads_new_text_as_it_read_the_old(table):
    money = table.with_columns(pl.format("€{}", pl.col("amount")).alias("amount"))
    money.write_csv("d.csv")
    model = run()
    assert model["amount"].n_parts > 1
    assert cli.main(["apply", "partage-report/model.json", "d.csv", "-o", "o.csv"]) == 0
    wanted = pl.read_csv("o.csv")["amount"].to_list()
    column = list(model.partitions_).index("amount")
    assert model.transform(money)[:, column].tolist() == wanted
    assert model.transform(money.to_pandas())[:, column].tolist() == wanted
    assert model["amount"].assign(table["amount"]).tolist() == wanted
