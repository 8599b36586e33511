"""Reports of a target that is a number: what they show is what the model says."""

import io
import json
import math
import re

import numpy as np
import polars as pl
import pytest
from rich.console import Console

import partage as pt
from helpers import assert_refuses
from partage import cli
from partage._report.html import render_page
from partage._report.json import summary_to_json
from partage._report.profile import fit_with_profiles
from partage._report.samples import count_sample
from partage._report.summary import summarize
from partage._report.text import amount, print_column, print_summary
from partage._report.together import draw_pair
from partage._report.views import view_graph


def make_frame(n=1200, seed=0):
    rng = np.random.default_rng(seed)
    age = rng.uniform(18, 80, n)
    town = rng.choice(["Lyon", "Nice", "<b>"], n)
    price = np.exp(3 + (age > 50) + (town == "Nice") + 0.5 * rng.normal(size=n))
    return pl.DataFrame(
        {
            "age": [None if i % 11 == 0 else x for i, x in enumerate(age)],
            "town": town,
            "noise": rng.normal(size=n),
            "price": np.where(rng.random(n) < 0.1, 0.0, price),
        }
    )


@pytest.fixture(scope="module")
def made():
    frame, held = make_frame(), make_frame(300, seed=1)
    model = pt.TablePartitioner()
    profiles = fit_with_profiles(model, frame, "price")
    new = count_sample("new", model.partitions_, held.drop("price"), held["price"].to_numpy())
    return frame, model, summarize(model, source="a.csv", profiles=profiles, samples=[new]), held


def test_the_law_of_each_part_is_that_of_its_rows(made):
    frame, model, summary, _ = made
    price = frame["price"].to_numpy()
    for column in summary.columns:
        codes = model.partitions_[column.name].assign(frame[column.name])
        for part in column.parts:
            held = price[codes == part.code]
            found = part.amounts
            assert found["mean"] == pytest.approx(held.mean())
            assert found["std"] == pytest.approx(held.std())
            assert found["zeros"] == (held == 0).sum()
            half = 1.959963984540054 * held.std(ddof=1) / math.sqrt(len(held))
            assert (found["low"], found["high"]) == pytest.approx(
                (held.mean() - half, held.mean() + half)
            )
            assert found["q25"] <= found["median"] <= found["q75"] <= found["q95"]
            assert part.counts == part.rates == part.intervals == []
    assert summary.amounts["mean"] == pytest.approx(price.mean())
    best = summary.columns[0]
    p = model.partitions_[best.name]
    assert best.bits_saved == pytest.approx((p.null_cost - p.cost) / math.log(2))
    assert best.noun == "target"


def test_samples_have_means(made):
    _, model, summary, held = made
    column = next(column for column in summary.columns if column.name == "town")
    codes = model.partitions_["town"].assign(held["town"])
    for part, (mean,) in zip(column.parts, column.samples[0].counts, strict=True):
        inside = held["price"].to_numpy()[codes == part.code]
        assert mean == pytest.approx(inside.mean())


def test_bins_have_quartiles(made):
    frame, _, summary, _ = made
    before = next(column.before for column in summary.columns if column.name == "age")
    assert sum(row[0] for row in before.counts) + before.below + before.above == pytest.approx(
        frame["age"].is_not_null().sum()
    )
    held = frame.filter(pl.col("age").is_between(before.edges[3], before.edges[4], closed="right"))
    low, middle, high = before.quartiles[3]
    assert middle == pytest.approx(held["price"].median(), rel=0.2)
    assert low < middle < high


def _shown(call):
    out = io.StringIO()
    call(Console(file=out, width=140))
    return out.getvalue()


def test_the_terminal_and_json(made):
    _, _, summary, _ = made
    text = _shown(lambda console: print_summary(console, summary))
    assert re.search(r"target price: mean [\d.]+, median [\d.]+, std [\d.]+", text)
    assert "says nothing about the target" in text
    text = _shown(lambda console: print_column(console, summary.columns[0], summary.classes))
    assert {"mean", "95 %", "median", "quartiles"} <= set(re.split(r"\s{2,}|\n", text))
    plain = json.loads(summary_to_json(summary))
    assert plain["classes"] == {}
    assert plain["amounts"]["mean"] == pytest.approx(summary.amounts["mean"])
    assert plain["columns"][0]["table"][0]["amounts"]["median"] > 0


def test_the_page_holds_the_numbers(made):
    _, _, summary, _ = made
    page = render_page(summary)
    (text,) = re.findall(r'id="numbers">(.*?)</script>', page, re.DOTALL)
    data = json.loads(text)
    assert data["isNumber"]
    assert data["measure"] == "mean"
    assert data["classes"] == []
    for column, shown in zip(summary.columns, data["columns"], strict=True):
        for part, one in zip(column.parts, shown["p"], strict=True):
            assert one["a"]["mean"] == pytest.approx(part.amounts["mean"], rel=1e-5)
    age = next(column for column in data["columns"] if column["n"] == "age")
    assert len(age["b"]["q"]) == len(age["b"]["c"])
    assert len(age["q"]["y"][0]) == 1
    assert "<b>" not in page.replace('<b class="data">', "")


def test_views_of_two_columns_are_for_classes(made):
    frame, model, _, _ = made
    message = (
        "views of two columns show classes, and the target is a number; leave --pair and --graph "
        "out, or cut the target into classes."
    )
    for view in (draw_pair, view_graph):
        assert_refuses(
            lambda view=view: view(model, frame, "price", ("age", "noise")),
            pt.PartageError,
            message,
        )


def test_one_call_makes_the_page_of_a_number(made):
    frame, model, _, _ = made
    page = pt.report(frame, target="price", holdout=0.3)
    assert '"isNumber":true' in page.html
    assert '"isNumber":true' in model.report().html
    whole = frame.with_columns(pl.col("price").round())
    assert '"isNumber":true' in pt.report(whole, target="price", target_type="number").html


def test_what_is_not_bounded_is_not_called_a_bound(made):
    _, model, summary, _ = made
    for column in summary.columns:
        if (
            not column.is_optimal
            and column.gap * math.log(2) >= model.partitions_[column.name].cost
        ):
            assert column.proof == "not proven to be the optimum"


def test_the_terminal_says_how_much_it_leaves_out(tmp_path, capsys):
    rng = np.random.default_rng(0)
    y = np.arange(400) % 2
    columns = {f"c{i:02}": y + rng.normal(0, 0.5, 400) for i in range(40)}
    pl.DataFrame({**columns, "word": ["a"] * 400, "y": y}).write_csv(tmp_path / "t.csv")
    words = ["report", str(tmp_path / "t.csv"), "--target", "y", "--out", str(tmp_path / "out")]
    assert cli.main(words) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert re.search(r"\.\.\. and \d+ more columns with a level above 0\.", said)
    assert cli.main(["show", str(tmp_path / "out" / "model.json"), "word"]) == 0
    assert "One part: " in capsys.readouterr().out


def test_numbers_that_are_none_are_not_written():
    assert [amount(x) for x in (np.nan, np.inf, 12345.6, 1e20)] == ["", "", "12,346", "1e+20"]
