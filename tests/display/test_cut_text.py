"""A cut has one text: the shortest that reads back, the same in every output."""

import datetime
import decimal
import io
import math
import re

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.console import Console

import partage as pt
from partage._data.cut_text import cut_text
from partage._export.dialects import DIALECTS
from partage._report.html import render_page
from partage._report.json import summary_to_json
from partage._report.profile import fit_with_profiles
from partage._report.summary import summarize
from partage._report.text import print_column

D = decimal.Decimal
DAYS = ["2024-01-29", "2024-01-30", "2024-02-02", "2024-02-03"]
PARIS = pd.to_datetime([*DAYS]).tz_localize("Europe/Paris")
# Four values, cut between the second and the third; the texts of the midpoint and the simple cut.
COLUMNS = {
    "decimals": ([27.5, 27.67, 27.68, 28.1], "27.675", "27.675"),
    "ages": ([33, 34, 35, 36], "34.5", "34"),
    "amounts": ([90.5, 95.0, 115.0, 120.0], "105", "100"),
    "long": ([0.1, 0.12345678901234566, 0.32345678901234567, 0.4], "0.22345678901234564", "0.2"),
    "near": ([1.0, 1.1111111111111112, 1.1111111111111116, 2.0], *["1.1111111111111114"] * 2),
    "tiny": ([1e-9, 1.5e-7, 2.5e-7, 1.0], "2e-07", "2e-07"),
    "huge": ([1e20, 1.5e22, 3.5e22, 9e22], "2.5e+22", "2e+22"),
    "negative": ([-3.5, -2.25, -1.75, 4.0], "-2", "-2"),
    "float32": (np.array([1, 1.5, 1.625, 9], np.float32), "1.5625", "1.6"),
    "int64": ([2**60 - 1, 2**60, 2**60 + 9, 2**62], *["1152921504606846980"] * 2),
    "uint64": (
        np.array([2**63, 2**63 + 4, 2**63 + 7, 2**64 - 1], np.uint64),
        *["9223372036854775813"] * 2,
    ),
    "decimal": ([D("1.5"), D("2.25"), D("2.26"), D("7.5")], "2.255", "2.255"),
    "wide decimal": ([D("1.5"), D("95.25"), D("115.75"), D("200")], "105.5", "100"),
    "days": (pd.to_datetime(DAYS).as_unit("us"), "2024-01-31 12:00:00", "2024-02-01"),
    "times": (
        pd.to_datetime(
            [f"2024-01-30 10:{m}" for m in ("00:00.500", "00:01.000", "01:30.000", "40:00.000")]
        ).as_unit("us"),
        "2024-01-30 10:00:45.5",
        "2024-01-30 10:01:00",
    ),
    "instants": (PARIS, "2024-01-31 12:00:00+01:00", "2024-02-01 00:00:00+01:00"),
    "durations": (pd.to_timedelta([1, 30, 43, 60], unit="h"), "1 days 12:30:00", "1 days 12:00:00"),
}


def holds(output, text):
    """Whether an output holds a text that no further digit belongs to."""
    return re.search(rf"(?<![\d.]){re.escape(text)}(?!\d|\.\d|e[+-])", output) is not None


def make_table(name):
    """Twelve rows of each value, the class of the upper two another one."""
    values = pd.Series(COLUMNS[name][0]).repeat(12).reset_index(drop=True)
    return pd.DataFrame({"x": values}), np.array(["no", "yes"]).repeat(24)


def outputs_of(frame, y, style):
    """Every output that shows the cut of a column, by name."""
    enc = pt.TablePartitioner(cut_style=style).fit(frame, y)
    p = enc["x"]
    found = {
        "labels": " ".join(p.labels()),
        "repr": repr(p),
        "table": p.table().to_string(),
        "notebook": p._repr_html_(),
        "explain": str(p.explain()),
        "python": enc.to_python(),
    }
    ax = p.plot()
    found["plot"] = " ".join(label.get_text() for label in ax.get_xticklabels()).replace("\n", " ")
    plt.close(ax.figure)
    for output in ("onehot", "label"):
        enc.output = output
        shown = enc.get_feature_names_out() if output == "onehot" else enc.transform(frame)
        found[output] = " ".join(map(str, np.ravel(shown)))
    enc.output = "code"
    kind = p.kind
    for dialect in DIALECTS:
        if (kind.zone and dialect == "sqlite") or (
            kind.name == "duration" and dialect not in ("duckdb", "postgres")
        ):
            continue
        if kind.name != "unsigned" or dialect != "sqlite":
            found[f"sql {dialect}"] = p.to_sql(dialect)
    model = pt.TablePartitioner(cut_style=style)
    profiles = fit_with_profiles(model, frame.assign(y=y), "y")
    summary = summarize(model, source="data.csv", profiles=profiles)
    page = render_page(summary)
    found["page"] = page
    (found["page's cuts"],) = re.findall(r'"cuts":(\[\[.*?\]\])', page)
    found["report"] = summary_to_json(summary)
    text = io.StringIO()
    print_column(Console(file=text, width=200), summary.columns[0], ["no", "yes"])
    found["terminal"] = text.getvalue()
    lad = pt.LADClassifier(consistency=1, cut_style=style).fit(frame, y)
    found["rules"] = " ".join(map(str, lad.patterns_))
    binarizer = pt.DataBinarizer(cut_style=style).fit(frame, y)
    found["conditions"] = " ".join(binarizer.get_feature_names_out())
    card = pt.Scorecard(cut_style=style, min_parts=1).fit(frame, y)
    found["scorecard"] = card.table().to_string()
    bayes = pt.NaiveBayesClassifier(cut_style=style).fit(frame, y)
    found["classifier"] = bayes.explain(frame.iloc[0].to_dict()).to_string()
    return found


@pytest.mark.parametrize("style", ["midpoint", "simple"])
@pytest.mark.parametrize("name", COLUMNS)
def test_every_output_shows_the_same_text(name, style):
    frame, y = make_table(name)
    text = COLUMNS[name][1 + (style == "simple")]
    found = outputs_of(frame, y, style)
    assert {output for output, shown in found.items() if not holds(shown, text)} == set()


@pytest.mark.parametrize("name", COLUMNS)
def test_edits_show_the_same_text(name):
    frame, y = make_table(name)
    p = pt.discretize(frame["x"], y)
    q = p.merge(0, 1).set_cuts(p.cuts)
    assert holds(q.history[-1].action, COLUMNS[name][1])
    q = p.merge(0, 1).split(0, at=p.cuts[0])
    assert holds(q.history[-1].action, COLUMNS[name][1])
    assert q.cuts.tolist() == p.cuts.tolist()


@given(value=st.floats(allow_nan=False))
@example(value=1e16)
@example(value=math.inf)
def test_the_text_of_a_number_reads_back_and_is_no_longer_than_it_must(value):
    text = cut_text(value)
    assert float(text) == value
    assert len(text) <= len(repr(value))
    assert not text.endswith(".0")


@given(value=st.decimals(allow_nan=False, allow_infinity=False, places=4))
def test_the_text_of_a_decimal_reads_back(value):
    assert D(cut_text(value)) == value


@given(value=st.datetimes())
def test_the_text_of_a_time_reads_back(value):
    text = cut_text(np.datetime64(value, "us"))
    assert datetime.datetime.fromisoformat(text) == value
    assert not text.endswith(("00:00:00", ".0"))
    assert cut_text(np.datetime64(value.date(), "D")) == str(value.date())
    zoned = pd.Timestamp(value).tz_localize("UTC")
    assert pd.Timestamp(cut_text(zoned)) == zoned


def test_a_long_label_of_a_picture_is_whole():
    rng = np.random.default_rng(0)
    x = rng.random(400) / 3
    p = pt.discretize(x, (x > 0.1) + 2 * (x > 0.2))
    labels = [label.get_text().replace("\n", " ") for label in p.plot().get_xticklabels()]
    assert labels == p.labels()
    plt.close("all")
