"""One page: of the command that reads a file, and of Python that is given the same table."""

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import partage as pt
from partage import cli
from partage._report.making import held_out

N = 500


def with_gaps(rng, values):
    """Leave out a tenth of some values."""
    return [None if gap else value for gap, value in zip(rng.random(N) < 0.1, values, strict=True)]


@pytest.fixture(scope="module")
def table():
    """Make columns of everything that a report converts, proposes or leaves out."""
    rng = np.random.default_rng(3)
    event = rng.random(N) < 0.3
    days = [f"2024-{m:02d}-{d:02d}" for m, d in rng.integers(1, 13, (N, 2)).tolist()]
    return pl.DataFrame(
        {
            "row": range(N),
            "customer": [f"C{i:06d}" for i in rng.permutation(N)],
            "age": with_gaps(rng, (rng.integers(18, 80, N) + 10 * event).tolist()),
            "code": with_gaps(rng, rng.choice([10, 20, 30, 40], N).tolist()),
            "flag": with_gaps(rng, (rng.random(N) < 0.3 + 0.3 * event).tolist()),
            "day": days,
            "at": with_gaps(rng, [f"{day}T10:30:00Z" for day in days]),
            "paid on": [f"{day[8:]}/{day[5:7]}/{day[:4]}" for day in days],
            "price": [f"€{x:,.2f}" for x in rng.gamma(3, 400, N) * (1 + event)],
            "pdays": np.where(rng.random(N) < 0.6, -1, rng.integers(0, 300, N) + 90 * event),
            "town": with_gaps(rng, rng.choice(["Lyon", "Nice", "Lille"], N).tolist()),
            "amount": with_gaps(rng, np.round(rng.normal(size=N) + event, 3).tolist()),
            "nothing": pl.Series([None] * N, dtype=pl.String),
            "note": [" ".join(rng.choice(["a la", "one", "of", "us"], 6)) for _ in range(N)],
            "y": [None if i % 90 == 5 else "bad" if e else "good" for i, e in enumerate(event)],
        }
    )


@pytest.mark.parametrize("library", ["polars", "pandas"])
@pytest.mark.parametrize(
    ("words", "given"),
    [
        ("--target y", {"target": "y"}),
        ("--target amount", {"target": "amount"}),
        ("--target code --by day", {"target": "code", "by": "day"}),
        (
            "--target y --positive bad --holdout 0.3 --auto --monotonic ascending",
            {"target": "y", "positive": "bad", "holdout": 0.3, "understand": "auto",
             "monotonic": "ascending"},
        ),
    ],
)  # fmt: skip
def test_python_and_the_command_write_one_page(
    table, library, words, given, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    table.write_csv("d.csv")
    assert cli.main(["report", "d.csv", *words.split()]) == 0
    capsys.readouterr()
    written = Path("partage-report/report.html").read_text(encoding="utf-8")
    frame = pl.read_csv("d.csv") if library == "polars" else pd.read_csv("d.csv")
    page = pt.report(frame, **given)
    lines = zip(page.html.splitlines(), written.splitlines(), strict=True)
    different = [pair for pair in lines if pair[0] != pair[1]]
    assert [line.replace(f"{N:,} rows, 14 columns", "d.csv") for line, _ in different] == [
        line for _, line in different
    ]
    assert len(different) == 2  # the title, and the heading that repeats it
    assert "text read as numbers with" in written


def test_columns_stay_as_they_are_on_demand(table):
    page = pt.report(table, target="y", understand=False)
    assert "customer" in page.html
    assert "text read as" not in page.html


def test_a_holdout_is_no_part_of_a_table_that_was_drawn_with_a_usual_seed():
    held = held_out(4000, 0.5)
    for seed in range(50):
        drawn = np.random.default_rng(seed).random(4000)
        assert abs(np.corrcoef(drawn, held)[0, 1]) < 0.07


@pytest.mark.parametrize("trend", ["ascending", "descending"])
def test_a_trend_in_python_is_that_of_the_event(table, trend):
    frame = table.drop_nulls("y")
    found = pt.TablePartitioner(positive="bad", monotonic=trend).fit(
        frame.select("age", "amount", "y"), target="y"
    )
    for partition in found.partitions_.values():
        rates = partition.table()["event_rate"].to_list()[: partition.n_parts]
        assert rates == sorted(rates, reverse=trend == "descending")
        assert partition.constraints["monotonic"] == trend
    assert {p.n_parts > 1 for p in found.partitions_.values()} == {trend == "ascending"}
    other = pt.TablePartitioner(positive="good", monotonic=trend).fit(
        frame.select("age", "amount", "y"), target="y"
    )
    assert {p.n_parts > 1 for p in other.partitions_.values()} == {trend == "descending"}


def test_a_weight_for_each_row():
    frame = pd.DataFrame({"x": range(40), "y": [0, 1] * 20})
    with pytest.raises(ValueError, match="sample_weight") as caught:
        pt.report(frame, target="y", sample_weight=[1.0, 2.0])
    assert str(caught.value) == (
        "report: sample_weight must have one number for each of the 40 rows; got an array of shape "
        "(2,)."
    )
    with pytest.raises(ValueError, match="by must have") as caught:
        pt.report(frame, target="y", by=[1.0, 2.0])
    assert str(caught.value) == "report: by must have a period for each of the 40 rows; got 2."
