"""Pairs of columns on the page: what they say together, which repeat each other, common gaps."""

import json
import re

import numpy as np
import pandas as pd
import pytest

import partage as pt
from partage import cli
from partage._report.pair_facts import Pair
from partage._report.together import cluster


def read_data(page):
    """Return the numbers that a page draws, its columns by name."""
    text = page if isinstance(page, str) else page.html
    (text,) = re.findall(r'id="numbers">(.*?)</script>', text, re.DOTALL)
    data = json.loads(text)
    return data, {column["n"]: column for column in data["columns"]}


def services(n=2400):
    """Draw customers: four services that all need a line, an exclusive or, noise with gaps."""
    rng = np.random.default_rng(4)
    has_line = rng.random(n) < 0.75
    leaves = rng.random(n) < np.where(has_line, 0.4, 0.05)
    frame = pd.DataFrame({"line": np.where(has_line, rng.choice(["dsl", "fibre"], n), "no line")})
    for i, name in enumerate(("backup", "support", "films")):
        buys = rng.random(n) < np.where(leaves, 0.5 - 0.15 * i, 0.5)
        frame[name] = np.where(has_line, np.where(buys, "yes", "no"), "no line")
    frame["a"], frame["b"] = rng.random((2, n))
    frame["noise"] = np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n))
    leaves = np.where(rng.random(n) < 0.5, (frame["a"] > 0.4) ^ (frame["b"] > 0.7), leaves)
    return frame.assign(left=np.where(leaves, "yes", "no"))


@pytest.fixture(scope="module")
def page():
    return pt.report(services(), target="left")


def test_pairs_come_by_what_they_save_beyond_both(page):
    frame = services()
    found = read_data(page)[0]["together"]
    assert found["p"][0]["n"] == ["a", "b"]
    assert found["c"][0]["n"] == ["a", "b"]
    assert len(found["c"]) == 3
    differences = [pair["s"] for pair in found["p"]]
    assert differences == sorted(differences, reverse=True)
    ranked = pt.pairs(frame, target="left").set_index(["column1", "column2"])
    for pair in found["p"]:
        names = tuple(pair["n"])
        names = names if names in ranked.index else names[::-1]
        assert pair["s"] == pytest.approx(ranked.loc[names, "synergy"] / np.log(2), abs=0.06)
        assert pair["b"] - sum(pair["a"]) == pytest.approx(pair["s"], abs=0.16)


def test_columns_of_one_cause_repeat_each_other(page):
    data, columns = read_data(page)
    (group,) = data["together"]["g"]
    names = [name for name, _ in group]
    assert sorted(names) == ["backup", "films", "line", "support"]
    assert names[0] == max(names, key=lambda name: columns[name]["l"])
    assert "re" not in columns[names[0]]
    assert all(columns[name]["re"] for name in names[1:])
    assert columns[names[1]]["rel"][0][0] == names[0]
    assert set(data["together"]["m"]) == set(names)
    redundant = {name: bits for name, bits in group if bits > 0}
    ranked = pt.pairs(services(), target="left")
    for name, bits in redundant.items():
        both = ranked["column1"].isin([name, names[0]]) & ranked["column2"].isin([name, names[0]])
        assert -ranked[both]["synergy"].item() / np.log(2) == pytest.approx(bits, abs=0.1)
        assert f"redundant by {round(bits)} bits" in columns[name]["rel"][0][1] or bits < 10
    assert "rel" not in columns["noise"]
    assert columns["a"]["rel"][0][0] == "b"


def test_a_column_in_other_units_is_redundant():
    rng = np.random.default_rng(1)
    income = np.exp(rng.normal(8, 0.5, 3000)).round(2)
    y = rng.random(3000) < np.where(income > 3000, 0.7, 0.2)
    frame = pd.DataFrame(
        {
            "income": income,
            "income in thousands": (income / 1000).round(1),
            "other": rng.normal(size=3000) + y,
            "class": y.astype(int),
        }
    )
    _, columns = read_data(pt.report(frame, target="class"))
    better, worse = sorted(
        (columns["income"], columns["income in thousands"]), key=lambda column: -column["l"]
    )
    assert worse["re"]
    assert "re" not in better
    assert [name for name, _ in worse["rel"]] == [better["n"]]
    assert [name for name, _ in better["rel"]] == [worse["n"]]
    assert "rel" not in columns["other"]


def test_groups_are_joined_by_their_mean_share():
    shared = np.array(
        [
            [0.0, 0.9, 0.3, 0.0],
            [0.9, 0.0, 0.44, 0.0],
            [0.3, 0.44, 0.0, 0.5],
            [0.0, 0.0, 0.5, 0.0],
        ]
    )
    order, groups = cluster(shared)
    assert groups == [[0, 1], [2, 3]]
    assert order == [0, 1, 2, 3]
    assert cluster(np.zeros((3, 3)))[1] == []
    assert cluster(np.ones((3, 3)) - np.eye(3))[1] == [[0, 1, 2]]


@pytest.mark.parametrize(
    ("bits", "apart", "shared", "is_named", "text"),
    [
        (1200.4, (100, 300), 0, True, "1,200 bits, alone 100 and 300: 800 bits more than apart."),
        (
            12,
            (4, 3),
            0,
            False,
            "12 bits, alone 4 and 3: 5 bits more than apart, less than naming a pair among all "
            "takes.",
        ),
        (30, (20, 25.5), 0.3, False, "30 bits, alone 20 and 26: redundant by 16 bits."),
        (
            30,
            (20, 15.5),
            0.0,
            False,
            "30 bits, alone 20 and 16: 5.5 bits less than apart, which their cells cost.",
        ),
        (30, (20, 10), 0.3, False, "30 bits, alone 20 and 10: together as much as apart."),
    ],
)
def test_what_a_pair_is_worth_is_said_in_bits(bits, apart, shared, is_named, text):
    pair = Pair(("a", "b"), 0.1, bits, apart, (2, 2), shared, is_named)
    assert pair.sentence() == "Together they save " + text


def test_a_long_table_is_looked_at_by_a_sample_and_a_number_has_shares_only():
    rng = np.random.default_rng(5)
    x = rng.random(21_000)
    frame = pd.DataFrame({"x": x, "twice": 2 * x, "z": rng.random(21_000)})
    data, _ = read_data(pt.report(frame.assign(y=(x > 0.5).astype(int)), target="y"))
    assert data["together"]["r"] == 20_000
    number = pt.report(frame[:2000].assign(y=x[:2000] ** 2), target="y", target_type="number")
    found = read_data(number)[0]["together"]
    assert (found["p"], found["c"]) == ([], [])
    assert [name for name, _ in found["g"][0]] in (["x", "twice"], ["twice", "x"])


def test_weights_and_limits_do_not_change_what_pairs_are_worth(page):
    frame = services()
    wanted = [pair["n"] for pair in read_data(page)[0]["together"]["p"][:1]]
    doubled = pt.report(frame, target="left", sample_weight=np.full(len(frame), 2.0))
    assert [pair["n"] for pair in read_data(doubled)[0]["together"]["p"][:1]] == wanted
    limited = pt.report(frame, target="left", missing="merge", max_parts=2)
    bits = [read_data(one)[0]["together"]["p"][0]["b"] for one in (page, limited)]
    assert bits[0] == bits[1]


def test_the_command_prints_pairs_and_repeats(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    services().to_csv("d.csv", index=False)
    assert cli.main(["report", "d.csv", "--target", "left"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"Columns together\n  [ab] with [ab]: \d+ bits more than apart", out)
    assert re.search(r"Columns that repeat each other\s+of (\w+)(,\s+\w+){3}\s+keep \1", out)
    assert cli.main(["report", "d.csv", "--target", "left", "--json", "--force"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert sorted(found["pairs"][0]["columns"]) == ["a", "b"]
    assert found["repeats"][0]["keep"] == found["repeats"][0]["columns"][0]


def test_columns_missing_in_the_same_rows_are_named_together():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(rng.normal(size=(800, 4)), columns=list("abcd"))
    frame.loc[:99, ["a", "b"]] = np.nan
    frame.loc[50:150, "c"] = np.nan
    data, _ = read_data(pt.report(frame.assign(y=rng.integers(0, 2, 800)), target="y"))
    assert data["gaps"] == [["a", "b"]]


@pytest.mark.parametrize("width", [1400, 390])
def test_cards_lead_to_pairs_and_to_columns_that_repeat_each_other(browser, page, width, tmp_path):
    path = page.save(tmp_path / "report.html")
    page = browser.new_page(viewport={"width": width, "height": 900})
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(path.as_uri())
    assert page.inner_text("#together") == "Columns together"
    assert page.locator(".cells-of-pair table.grid").count() == 3
    assert page.locator(".map svg rect.shared").count() == 4 * 3
    assert "Of these 4, keep" in page.inner_text("#pane")
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(overflow) <= 0
    page.goto(path.as_uri() + "#films")
    page.click(".related a[href='#/repeats']")
    assert page.locator("#repeats").is_visible()
    top = page.evaluate("document.getElementById('repeats').getBoundingClientRect().top")
    assert -5 <= top < 900
    assert page.evaluate(overflow) <= 0
    assert errors == []
    page.close()
