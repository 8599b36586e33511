"""Views of two columns: grids and graphs of the library, names that stay text."""

import json
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import partage as pt
from partage import cli
from partage._report.html import render_page
from partage._report.profile import fit_with_profiles
from partage._report.summary import summarize
from partage._report.together import draw_pair
from partage._report.views import view_graph


def xor_frame(n=1200):
    """Return two columns that tell the class together and little alone."""
    rng = np.random.default_rng(6)
    a, b = rng.choice(["p", "q", None], n, p=[0.45, 0.45, 0.1]), rng.normal(size=n)
    y = np.where((a == "p") == (b > 0), "yes", "no")
    y = np.where((b > 1.2) | (rng.random(n) < 0.1), "yes", y)
    return pl.DataFrame({"a": a, "b": b, "class": y})


@pytest.fixture(scope="module")
def fitted():
    frame = xor_frame()
    model = pt.TablePartitioner()
    profiles = fit_with_profiles(model, frame, "class")
    return frame, model, profiles


def test_a_pair_is_the_grid_of_its_columns(fitted):
    frame, model, _ = fitted
    view = draw_pair(model, frame, "class", ("a", "b"))
    g = pt.grid(frame["a"], frame["b"], frame["class"])
    assert view.pair.bits == pytest.approx(g.gain / np.log(2), abs=1e-9)
    assert view.pair.synergy == pytest.approx(g.synergy / np.log(2), abs=1e-9)
    assert view.pair.n_parts == g.n_parts
    assert view.labels[0][-1] == "missing"
    assert view.labels[1] == g.axes[1].labels()
    assert np.array(view.counts).shape[:2] == (len(view.labels[0]), len(view.labels[1]))
    assert np.array(view.counts).sum() == len(frame)
    bits, one, other = (round(x) for x in (view.pair.bits, *view.pair.apart))
    assert view.pair.sentence().startswith(
        f"Together they save {bits} bits, alone {one} and {other}: "
    )


def test_a_graph_joins_points_of_one_part_only():
    rng = np.random.default_rng(7)
    frame = pl.DataFrame({"u": rng.normal(size=1800), "v": 1000 * rng.normal(size=1800)})
    frame = frame.with_columns(pl.Series("class", np.where(frame["u"].to_numpy() > 0, "r", "s")))
    model = pt.TablePartitioner()
    fit_with_profiles(model, frame, "class")
    view = view_graph(model, frame, "class", ("u", "v"))
    assert (len(view.points), view.n_rows) == (1500, 1800)
    assert view.parts.sum() == 1500
    assert (np.diff(view.parts.sum(axis=1)) <= 0).all()
    scaled = (view.points - view.points.mean(axis=0)) / view.points.std(axis=0)
    again = pt.GraphPartitioner().fit(scaled, view.labels)
    assert (again.labels_[view.edges[:, 0]] == again.labels_[view.edges[:, 1]]).all()
    assert view.level == again.partition_.level
    part = again.labels_[view.centres]
    assert len(set(part)) == len(view.parts)
    assert view.parts.tolist() == again.partition_.counts[part].tolist()


def test_the_parts_of_a_graph_are_outlined_and_described_in_their_columns():
    rng = np.random.default_rng(3)
    frame = pl.DataFrame({"u": rng.uniform(0, 10, 600), "v": rng.uniform(500, 900, 600)})
    frame = frame.with_columns(pl.Series("class", np.where(frame["u"].to_numpy() > 4, "r", "s")))
    model = pt.TablePartitioner()
    fit_with_profiles(model, frame, "class")
    view = view_graph(model, frame, "class", ("u", "v"))
    assert len(view.conditions) == len(view.parts) == len(view.centres)
    # Each part is of one class, and its conditions keep to the side of u that has it.
    r = model.classes_.tolist().index("r")
    for counts, text, centre in zip(view.parts, view.conditions, view.centres, strict=True):
        assert (view.points[centre, 0] > 4) == (counts.argmax() == r)
        cuts = [condition.split() for condition in text.split(" and ")]
        sides = [(sign, float(cut)) for column, sign, cut in cuts if column == "u"]
        side = ">" if counts.argmax() == r else "<="
        if counts.sum() > 50:
            assert any(sign == side and abs(cut - 4) < 1 for sign, cut in sides)
    # The line between them stands where the classes meet, in units of the range of u.
    low, high = view.points[:, 0].min(), view.points[:, 0].max()
    upright = view.outlines[view.outlines[:, 0] == view.outlines[:, 2]]
    assert (abs(low + upright[:, 0] * (high - low) - 4) < 0.5).mean() > 0.3


def test_views_stand_in_the_page_and_their_names_are_text():
    hostile = "<img src=x onerror=alert(1)>"
    frame = xor_frame().rename({"a": hostile}).with_columns(c=pl.Series(range(1200)) % 97)
    model = pt.TablePartitioner()
    profiles = fit_with_profiles(model, frame, "class")
    pairs = [draw_pair(model, frame, "class", (hostile, "b"))]
    graphs = [view_graph(model, frame, "class", ("b", "c"))]
    page = render_page(summarize(model, profiles=profiles), pairs, graphs)
    assert "<img" not in page
    (text,) = re.findall(r'id="numbers">(.*?)</script>', page, re.DOTALL)
    data = json.loads(text)
    (pair,), (graph,) = data["pairs"], data["graphs"]
    assert pair["n"] == [hostile, "b"]
    assert pair["c"] == pairs[0].counts
    assert len(graph["p"]) == len(graphs[0].points)
    assert np.array(graph["p"]).min() == 0
    assert np.array(graph["p"]).max() == 1
    assert graph["c"] == graphs[0].parts[:12].tolist()


def test_the_command_draws_what_is_asked_for(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    xor_frame().with_columns(pl.Series("b, c", range(1200))).write_csv("d.csv")
    words = ["report", "d.csv", "--target", "class", "--pair", "a,b, c", "--graph", "b,b, c"]
    assert cli.main(words) == 0
    page = Path("partage-report/report.html").read_text(encoding="utf-8")
    (text,) = re.findall(r'id="numbers">(.*?)</script>', page, re.DOTALL)
    data = json.loads(text)
    assert [view["n"] for view in data["pairs"] + data["graphs"]] == [["a", "b, c"], ["b", "b, c"]]
    capsys.readouterr()
    for option, text, message in (
        ("--pair", "a", "--pair must name two columns as A,B; got 'a'."),
        (
            "--pair",
            "a,z",
            "--pair must name a column; got 'z', the file has 'a', 'b', 'class'.",
        ),
        ("--graph", "a,a", "--graph must name two columns as A,B; got 'a,a'."),
        (
            "--graph",
            "a,b",
            "a graph needs two columns of numbers; 'a' holds others. Use --pair instead.",
        ),
    ):
        assert cli.main(["report", "d.csv", "--target", "class", "--force", option, text]) == 2
        assert capsys.readouterr().err == f"partage report: {message}\n"
