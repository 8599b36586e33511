"""The page of a report: whole, safe, small, legible; what it shows is what the model says."""

import html
import html.parser
import json
import re
from dataclasses import replace
from importlib.resources import files

import numpy as np
import polars as pl
import pytest

import partage as pt
from partage._display import colours
from partage._report.html import render_page
from partage._report.profile import fit_with_profiles
from partage._report.summary import summarize

HOSTILE = (
    "<script>alert(1)</script>\"'&amp;</script><img src=x onerror=alert(2)>\u202e\u2028{{7*7}}"
)
PAGE = files("partage._report") / "page"


def make_page(frame, target="class", **parameters):
    model = pt.TablePartitioner(**parameters)
    profiles = fit_with_profiles(model, frame, target)
    summary = summarize(model, source="data.csv", profiles=profiles)
    return summary, render_page(summary)


class Reader(html.parser.HTMLParser):
    """Collects elements, their attributes, and the text of scripts and of all else."""

    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.ids, self.text = [], [], [], []
        self.scripts, self._open = [], None

    def handle_starttag(self, tag, attrs):
        """Keep a tag and its attributes."""
        self.tags.append(tag)
        self.attributes += attrs
        self.ids += [value for key, value in attrs if key == "id"]
        if tag == "script":
            self._open = dict(attrs)
            self.scripts.append([self._open, ""])

    def handle_endtag(self, tag):
        """Leave a script."""
        if tag == "script":
            self._open = None

    def handle_data(self, data):
        """Keep text, or the script it is."""
        if self._open is None:
            self.text.append(data)
        else:
            self.scripts[-1][1] += data


def read_page(text):
    reader = Reader()
    reader.feed(text)
    return reader


def read_data(page):
    """Return the numbers that the page draws."""
    return json.loads(read_page(page).scripts[0][1])


@pytest.fixture(scope="module")
def hostile():
    """Return a page whose names, values, classes and file name all try to break out."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    frame = pl.DataFrame(
        {
            HOSTILE: np.where(y == 1, HOSTILE, "b"),
            "plain": rng.normal(size=400) + y,
            "class": np.where(y == 1, HOSTILE, "</style>"),
        }
    )
    model = pt.TablePartitioner()
    profiles = fit_with_profiles(model, frame, "class")
    summary = summarize(model, source=HOSTILE, profiles=profiles, notes=[HOSTILE])
    return render_page(summary)


def test_what_comes_from_data_is_text(hostile):
    reader = read_page(hostile)
    assert reader.tags.count("script") == 2
    assert "img" not in reader.tags
    assert not [key for key, _ in reader.attributes if key.startswith("on")]
    assert any(HOSTILE in text for text in reader.text)
    data = json.loads(reader.scripts[0][1])
    assert HOSTILE in [column["n"] for column in data["columns"]]
    assert "{{7*7}}" in hostile
    # Two scripts: the data, and the page's own files, one after the other.
    for name in ("base.js", "parts.js", "report.js"):
        assert (PAGE / name).read_text(encoding="utf-8") in reader.scripts[1][1]


def test_the_page_allows_its_own_script_only(hostile):
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]+)"', hostile)
    allowed = dict(rule.split(" ", 1) for rule in html.unescape(policy).split("; "))
    assert allowed.pop("script-src").startswith("'sha256-")
    assert allowed == {
        "default-src": "'none'",
        "style-src": "'unsafe-inline'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    assert not re.search(r"(?:src|href)=[\"']?(?:https?:|//)", hostile)
    assert "url(" not in hostile
    assert "@import" not in hostile


def test_the_numbers_of_the_page_are_those_of_the_summary():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, 900)
    frame = pl.DataFrame({"x": rng.normal(size=900) + y, "g": rng.integers(0, 40, 900).astype(str)})
    summary, page = make_page(frame.with_columns(pl.Series("class", y)))
    data = read_data(page)
    assert data["rows"] == 900
    assert data["measure"] == "shares"
    for shown, column in zip(data["columns"], summary.columns, strict=True):
        assert (shown["n"], shown["np"]) == (column.name, column.n_parts)
        assert shown["why"].splitlines() == column.explanation
        assert len(column.explanation) > 1
        for part, full in zip(shown["p"], column.parts, strict=True):
            assert (part["t"], part["r"], part["c"]) == (full.label, full.rows, full.counts)
        assert sum(part["z"] for part in shown["p"]) == pytest.approx(column.bits_saved, abs=0.5)
        assert len(shown["b"]["c"]) == len(column.before.counts)


def test_groups_list_their_values_with_counts_the_most_frequent_first():
    rng = np.random.default_rng(5)
    town = np.minimum(rng.geometric(0.02, 4000), 300)
    y = (rng.random(4000) < np.where(town % 2 == 0, 0.2, 0.7)).astype(int)
    frame = pl.DataFrame({"town": [f"t{code}" for code in town], "class": y})
    _, page = make_page(frame)
    (column,) = read_data(page)["columns"]
    counts = frame["town"].value_counts().rows()
    shown = [pair for part in column["p"] for pair in zip(part["m"], part["mc"], strict=True)]
    assert sorted(shown) == sorted(counts)
    for part in column["p"]:
        assert part["mc"] == sorted(part["mc"], reverse=True)


def test_a_page_of_three_hundred_columns_is_below_a_megabyte_and_a_half():
    rng = np.random.default_rng(2)
    n = 2000
    y = rng.integers(0, 2, n)
    columns = {f"number {i}": rng.normal(size=n) + y * (i % 3) for i in range(8)}
    for i in range(4):
        codes = rng.integers(0, 400, n) * 2 + np.where(rng.random(n) < 0.6, y, 0)
        columns[f"category {i}"] = [f"a rather long value of a category, {code}" for code in codes]
    summary, _ = make_page(pl.DataFrame(columns | {"class": y}))
    many = [
        replace(column, name=f"{column.name} {i}") for i in range(25) for column in summary.columns
    ]
    plain = [c if i < 40 else replace(c, borders=None) for i, c in enumerate(many)]
    page = render_page(replace(summary, columns=plain))
    assert len(read_data(page)["columns"]) == 300
    assert len(page.encode()) < 1_500_000


def test_ids_of_the_page_differ_and_its_anchors_exist(hostile):
    reader = read_page(hostile)
    assert len(set(reader.ids)) == len(reader.ids)
    anchors = {value[1:] for key, value in reader.attributes if key == "href"}
    assert anchors <= {*reader.ids, "/"}


def test_more_classes_than_colours_share_the_last_one():
    rng = np.random.default_rng(3)
    y = np.repeat(np.arange(26), 10 * np.arange(1, 27))
    x = np.where(rng.random(len(y)) < 0.7, y, rng.integers(0, 26, len(y)))
    summary, page = make_page(pl.DataFrame({"x": x, "class": [chr(97 + j) for j in y]}))
    data = read_data(page)
    assert data["classes"] == [*"rstuvwxyz", "17 others"]
    for part, full in zip(data["columns"][0]["p"], summary.columns[0].parts, strict=True):
        assert part["c"] == [*full.counts[17:], sum(full.counts[:17])]


def test_dates_durations_infinities_and_empty_columns_are_shown():
    days = pl.Series([18_000 + i for i in range(100)]).cast(pl.Date)
    frame = pl.DataFrame(
        {
            "day": days,
            "wait": pl.Series(range(100)) * pl.Series([1_000_000]).cast(pl.Duration("us")),
            "wild": [float("inf"), float("-inf"), 1.0, 2.0] * 25,
            "none": pl.Series([None] * 100, dtype=pl.Float64),
            "one": ["same"] * 100,
            "class": [i // 50 for i in range(100)],
        }
    )
    summary, page = make_page(frame)
    assert {column.name for column in summary.useless} == {"wild", "none", "one"}
    assert "2019-04-14" in page
    assert "all values are missing" in page
    json.loads(read_page(page).scripts[0][1], parse_constant=pytest.fail)


def luminance(colour):
    """Relative luminance of a colour, as WCAG 2 defines it."""
    digits = colour.lstrip("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    channels = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_of_black_on_white_is_that_of_the_standard():
    assert contrast("#000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#fff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_and_marks_have_the_contrast_of_level_aa(theme):
    style = (PAGE / "base.css").read_text(encoding="utf-8")
    blocks = re.findall(r"^:root.*?\{(.*?)^\}", style, re.MULTILINE | re.DOTALL)
    colour = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6})", blocks[theme == "dark"]))
    classes = colours.DARK if theme == "dark" else colours.LIGHT
    colour |= {f"k{j}": one for j, one in enumerate(classes)}
    text = [(ink, ground) for ink in ("ink", "soft") for ground in ("bg", "panel", "faint")]
    text += [("ink", "accent-soft"), ("soft", "accent-soft"), ("accent", "panel")]
    text += [("panel", "accent"), ("panel", "ink"), ("warn", "panel"), ("ink", "warn-soft")]
    text += [("accent", "faint"), ("accent", "warn-soft"), ("warn", "accent-soft")]
    text += [("inside-1" if j == 1 else "inside", f"k{j}") for j in range(10)]
    for one, other in text:
        assert contrast(colour[one], colour[other]) >= 4.5, (one, other)
    for j in range(10):
        assert contrast(colour[f"k{j}"], colour["panel"]) >= 3


def test_the_borders_of_a_column_say_what_its_certainty_does():
    rng = np.random.default_rng(0)
    x = rng.integers(0, 60, size=900)
    y = rng.random(900) < np.where(x < 20, 0.2, 0.6)
    frame = pl.DataFrame({"x": x, "noise": rng.random(900), "class": y.astype(int)})
    summary, _ = make_page(frame)
    column, noise = summary.columns
    certainty = pt.discretize(frame["x"], frame["class"]).certainty()
    low, high = certainty.cuts["low90"].to_list(), certainty.cuts["high90"].to_list()
    assert column.borders.stretches == list(zip(low, high, strict=True))
    shares = certainty.rates(x)
    edges = np.array([-np.inf, *column.borders.places])
    shown = np.array(column.borders.shares)[np.searchsorted(edges, x) - 1]
    assert np.abs(shown - shares).max() <= 0.005
    assert column.explanation[-1].endswith("with 90 %.")
    assert noise.borders is None


def test_a_useless_column_is_told_once():
    frame = pl.DataFrame({"noise": [1, 1, 2, 2] * 9, "same": [7] * 36, "class": [0, 1] * 18})
    _, page = make_page(frame)
    assert "This column says nothing about the class." in page
    assert "This column says nothing about the class: one value only." in page
