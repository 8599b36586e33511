"""Tables agree with transform; other data, stability, notebooks and pictures."""

import math
from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings

import partage as pt
from helpers import assert_refuses, examples
from reference.criteria import part_length
from strategies import columns

BIT = math.log(2)
SPECIAL = [-1.0, 7.0]


def as_rows(table):
    """Rows of a table by the name of the part."""
    return {row["part"]: row for row in table.to_dict("records")}


@pytest.mark.parametrize("missing", ["separate", "merge"])
@pytest.mark.parametrize("special", ["separate", "merge"])
@settings(max_examples=examples(25))
@given(column=columns(missing=True, min_rows=6, max_classes=3))
def test_rows_of_the_table_are_the_rows_of_the_codes(missing, special, column):
    x, y = column
    p = pt.discretize(x, y, missing=missing, special=special, special_values=SPECIAL)
    codes = p.assign(x)
    table = p.table()
    assert len(table) == len(set(range(p.n_parts)) | {p.missing_code} | set(p.special_codes)) + 1
    shown = sorted({*range(p.n_parts), p.missing_code, *p.special_codes})
    for place, code in enumerate(shown):
        row = table.iloc[place]
        assert row["count"] == np.sum(codes == code)
        for label in p.classes:
            assert row[f"count_{label}"] == np.sum((codes == code) & (y == label))
    assert table["count"].iloc[-1] == len(x)
    assert table["bits"].iloc[-1] == pytest.approx((p.null_cost - p.cost) / BIT, abs=1e-7)
    assert table["bits"][:-1].sum() == pytest.approx(table["bits"].iloc[-1], abs=1e-7)


@pytest.mark.parametrize("output", ["rate", "woe", "label"])
@settings(max_examples=examples(25))
@given(column=columns(missing=True, min_rows=6, max_classes=3))
def test_table_and_transform_agree(output, column):
    x, y = column
    enc = pt.Discretizer(output=output, special_values=SPECIAL).fit(x[:, None], y)
    p = enc.partitions_["x0"]
    asked = np.array([*x, *p.cuts, math.nan, math.inf, -math.inf, *SPECIAL, 1e9])
    out = enc.transform(asked[:, None])
    table = p.table()
    shown = sorted({*range(p.n_parts), p.missing_code, *p.special_codes})
    place = {code: i for i, code in enumerate(shown)}
    rows = table.iloc[[place[code] for code in p.assign(asked)]]
    classes = p.classes.tolist()
    several = len(classes) > 2
    titles = {
        "rate": [f"rate_{c}" for c in classes],
        "woe": [f"woe_{c}" for c in classes] if several else ["woe"],
        "label": ["part"],
    }[output]
    if output == "woe" and len(classes) < 2:
        assert not out.any()
        return
    assert rows[titles].to_numpy().tolist() == out.tolist()


def test_columns_people_know(steps):
    X, y = steps
    table = pt.discretize(X["signal"].mask(X["signal"] > 1.9), y).table()
    assert list(table) == [
        "part",
        "count",
        "share",
        "count_no",
        "count_yes",
        "rate_no",
        "rate_yes",
        "event_rate",
        "woe",
        "iv",
        "bits",
    ]
    rows = as_rows(table)
    assert list(rows)[-2:] == ["missing", "total"]
    first = table.iloc[0]
    good, bad = rows["total"]["count_no"], rows["total"]["count_yes"]
    woe = math.log((first["count_yes"] + 0.5) / bad) - math.log((first["count_no"] + 0.5) / good)
    assert first["woe"] == pytest.approx(woe, abs=1e-12)
    iv = (first["count_yes"] / bad - first["count_no"] / good) * woe
    assert first["iv"] == pytest.approx(iv, abs=1e-12)
    assert rows["total"]["iv"] == pytest.approx(table["iv"][:-1].sum())
    assert rows["total"]["event_rate"] == pytest.approx(np.mean(y == "yes"))


def test_several_classes_have_a_column_each(iris):
    X, y = iris
    table = pt.discretize(X["petal width (cm)"], y).table()
    assert [title for title in table if title.startswith("woe")] == ["woe_0", "woe_1", "woe_2"]
    assert "event_rate" not in table


def test_table_of_new_data_counts_the_same_parts(steps):
    X, y = steps
    p = pt.discretize(X["signal"], y)
    new, labels = X["signal"][:200] + 0.4, y[:200]
    table = p.table(new, labels)
    codes = p.assign(new)
    assert table["count"].tolist()[: p.n_parts] == [np.sum(codes == k) for k in range(p.n_parts)]
    assert table["count"].iloc[-1] == 200
    assert table["share_fitted"].tolist()[: p.n_parts] == p.table()["share"].tolist()[: p.n_parts]
    assert table["psi"].iloc[-1] == pytest.approx(p.psi(new), rel=1e-12)
    again = p.table(X["signal"], y)
    assert again["psi"].iloc[-1] == 0
    assert again["bits"].iloc[-1] == pytest.approx(p.table()["bits"].iloc[-1], abs=1e-9)
    assert p.level_on(X["signal"], y) == pytest.approx(p.level, abs=1e-12)
    assert p.level_on(X["noise"], y) < 0.05 * p.level


@pytest.mark.parametrize("missing", ["separate", "merge"])
def test_expected_level_is_that_of_the_same_shares_in_fewer_rows(missing):
    rng = np.random.default_rng(4)
    x = np.where(rng.random(600) < 0.1, np.nan, rng.integers(0, 9, 600).astype(float))
    x[:40] = -999
    y = (rng.random(600) < np.where(np.nan_to_num(x) > 4, 0.7, 0.3)).astype(int)
    words = np.array([None if np.isnan(v) else f"v{v:g}" for v in x], dtype=object)
    cut = pt.discretize(np.tile(x, 4), np.tile(y, 4), missing=missing, special_values=[-999])
    grouped = pt.group(np.tile(words, 4), np.tile(y, 4), missing=missing)
    ordered = pd.Series(words).astype(pd.CategoricalDtype(sorted(set(words) - {None}), True))
    ranked = pt.group(pd.concat([ordered] * 4), np.tile(y, 4), missing=missing)
    for p, values in ((cut, x), (grouped, words), (ranked, ordered)):
        assert p.n_parts > 1
        assert p.expected_level(600) == pytest.approx(p.level_on(values, y), abs=1e-12)
        assert p.expected_level(600) < 0.9 * p.level
        assert p.expected_level(0) == 0


def test_rows_that_have_not_changed_have_the_level_to_expect(steps):
    X, y = steps
    p = pt.discretize(X["signal"], y)
    some = np.random.default_rng(0).permutation(len(y))[: len(y) // 10]
    found = p.level_on(X["signal"][some], y[some])
    assert abs(found - p.expected_level(len(some))) < abs(found - p.level) / 2
    assert_refuses(
        lambda: p.expected_level(-1),
        ValueError,
        "Intervals.expected_level: n_rows must be a number of at least 0; got -1.",
    )


def test_groups_on_new_data_show_unseen_values():
    x, y = ["a", "b", "c", "d"] * 20, [0, 1, 0, 1] * 20
    p = pt.group(x, y)
    rows = as_rows(p.table(["a", "b", "new", None], [0, 1, 1, 0]))
    assert [rows[name]["count"] for name in ("missing", "unseen", "total")] == [1, 1, 4]
    assert p.level_on(x, y) == pytest.approx(p.level, abs=1e-12)
    assert p.table(x, y)["bits"].iloc[-1] == pytest.approx(p.table()["bits"].iloc[-1], abs=1e-9)


def test_stability_is_the_sum_over_parts():
    p = pt.discretize(np.arange(100.0), [0] * 50 + [1] * 50)
    new = np.concatenate([np.arange(25.0), np.arange(50.0, 125.0)])
    shares = np.array([[50.5, 50.5], [25.5, 75.5]]) / 101
    wanted = np.sum((shares[1] - shares[0]) * np.log(shares[1] / shares[0]))
    assert p.psi(new) == pytest.approx(wanted, rel=1e-12)
    assert p.psi(np.arange(100.0)) == 0


def test_new_data_without_labels_have_counts_and_drift(steps):
    X, y = steps
    p = pt.discretize(X["signal"], y)
    new = X["signal"] + 0.3
    whole, bare = p.table(new, y), p.table(new)
    assert list(bare) == ["part", "count", "share", "share_fitted", "psi"]
    assert bare.equals(whole[list(bare)])
    weights = np.full(len(y), 3.0)
    weighted = p.table(new, sample_weight=weights)
    assert weighted["weight"].tolist() == (3 * bare["count"]).tolist()


def test_monitoring_needs_no_periods(steps):
    X, y = steps
    enc = pt.TablePartitioner().fit(X, y)
    found = enc.monitor(X)
    assert found.frame["period"].unique().tolist() == ["all"]
    wanted = enc.monitor(X, by=["all"] * len(y)).frame
    assert found.frame.equals(wanted)
    assert enc.monitor(X, y).frame.equals(enc.monitor(X, y, by=["all"] * len(y)).frame)


def test_bad_new_data(steps):
    X, y = steps
    p = pt.discretize(X["signal"], y)
    assert_refuses(
        lambda: p.table(y=y),
        ValueError,
        "Intervals.table: x must be given with y; got y only.",
    )
    assert_refuses(
        lambda: p.table(X["signal"], np.where(y == "yes", "maybe", y)),
        ValueError,
        "Intervals.table: y must hold the classes that column 'signal' was fitted with, 'no', "
        "'yes'; got 'maybe' too.",
    )
    assert_refuses(
        lambda: p.table(style="latex"),
        ValueError,
        "Intervals.table: style must be 'html'; got 'latex'.",
    )
    assert_refuses(lambda: p.psi([]), ValueError, "Intervals.psi: x must hold rows; got none.")


def test_notebooks_show_results_and_escape_what_they_hold():
    x = ["<b>", "&", "'", '"'] * 20
    p = pt.group(x, [0, 1, 0, 1] * 20, name="<script>")
    for shown in (p, p.table(style="html"), p.explain(), p.merge(0, 1)):
        text = shown._repr_html_()
        assert "<script>" not in text
        assert "<b>'" not in text
        assert "&lt;" in text
    assert "<li>merge(0, 1): +" in p.merge(0, 1)._repr_html_()
    assert repr(p.table(style="html")) == repr(p.table())


@pytest.fixture(scope="module")
def months():
    """Rows of twelve months in which one column drifts, an encoder of the first three."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(3_600, 2)), columns=["drifts", "stays"])
    frame["drifts"] += np.linspace(0, 1.2, 3_600)
    frame["city"] = rng.choice(["Lyon", "Nice", "Lille"], 3_600)
    frame.loc[3_300:, "city"] = "Rome"
    y = np.where(frame["drifts"] + frame["stays"] > 0, "yes", "no")
    frame["month"] = np.repeat([f"2026-{m:02d}" for m in range(1, 13)], 300)
    first = frame.drop(columns="month")[:900]
    return pt.TablePartitioner().fit(first, y[:900]), frame, y


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_monitor_compares_every_period(months, library):
    encoder, frame, y = months
    given = frame if library == "pandas" else pl.from_pandas(frame)
    found = encoder.monitor(given, y, by="month")
    assert isinstance(found.frame, pd.DataFrame if library == "pandas" else pl.DataFrame)
    table = found.frame if library == "pandas" else found.frame.to_pandas()
    assert len(table) == 36
    drifts = table[table["column"] == "drifts"].reset_index(drop=True)
    assert drifts["period"].tolist() == sorted(frame["month"].unique())
    assert drifts["psi"][11] > 0.25 > drifts["psi"][0]
    assert table[table["column"] == "stays"]["psi"].max() < 0.1
    p = encoder.partitions_["drifts"]
    last = frame["month"] == "2026-12"
    assert drifts["psi"][11] == pytest.approx(p.psi(frame["drifts"][last]), rel=1e-12)
    assert drifts["level"][11] == p.level_on(frame["drifts"][last], y[last])
    assert drifts["expected_level"][11] == p.expected_level(300)
    assert (drifts["level_fitted"] == p.level).all()
    assert table[table["column"] == "city"]["unseen"].iloc[-1] == 1.0
    assert "<table>" in found._repr_html_()
    assert repr(found) == repr(found.frame)


def test_monitor_without_target_and_with_periods_beside(months):
    encoder, frame, y = months
    by = frame["month"].to_numpy()
    found = encoder.monitor(frame.drop(columns="month"), by=by).frame
    assert "level" not in found
    named = encoder.monitor(frame.assign(y=y), target="y", by="month").frame
    assert named["psi"].tolist() == found["psi"].tolist()
    weighted = encoder.monitor(frame, by="month", sample_weight=np.full(3_600, 2)).frame
    assert weighted["missing"].tolist() == found["missing"].tolist()


def test_bad_monitoring(months):
    encoder, frame, _ = months
    assert_refuses(
        lambda: encoder.monitor(frame, by="week"),
        ValueError,
        "TablePartitioner.monitor: by must be a column of X, or its values; got 'week'.",
    )
    assert_refuses(
        lambda: encoder.monitor(frame.drop(columns="city"), by="month"),
        ValueError,
        "TablePartitioner.monitor: X must have the fitted columns; 'city' is not in it.",
    )
    assert_refuses(
        lambda: encoder.monitor(frame, by=[1, 2]),
        ValueError,
        "TablePartitioner.monitor: by must have a period for each of the 3600 rows; got 2.",
    )


def test_pictures_draw_on_the_axes_they_are_given(months):
    encoder, frame, y = months
    _, axes = plt.subplots(1, 3)
    assert encoder.partitions_["drifts"].plot(ax=axes[0]) is axes[0]
    assert encoder.plot_ranking(ax=axes[1]) is axes[1]
    assert encoder.monitor(frame, y, by="month").plot(ax=axes[2]) is axes[2]
    names = [t.get_text() for t in axes[1].get_yticklabels()]
    assert names == encoder.summary()["column"].tolist()
    assert len(axes[2].get_lines()) == 3 + 2
    figure = encoder.plot_grid(n_across=2)
    assert len(figure.axes) == 4
    assert encoder.plot_grid(["city"]).axes[0].get_title().startswith("city: 1 part")
    plt.close("all")
    assert_refuses(
        lambda: encoder.plot_grid(["town"]),
        ValueError,
        "TablePartitioner.plot_grid: columns must name fitted columns; got 'town'.",
    )


def test_picture_of_fifty_parts_names_each_without_overlap():
    x = np.arange(5_000.0)
    p = pt.discretize(x, np.arange(5_000) % 3, method="equal-frequency", n_parts=50)
    ax = p.plot()
    ax.figure.canvas.draw()
    boxes = [t.get_window_extent() for t in ax.get_xticklabels()]
    assert len(boxes) == 50
    assert all(a.x1 <= b.x0 + 1 for a, b in pairwise(boxes))
    plt.close("all")


def test_event_and_sign_of_the_evidence_can_be_chosen(steps):
    X, y = steps
    plain = pt.Discretizer(output="woe").fit(X, y)
    turned = pt.Discretizer(output="woe", positive="no").fit(X, y)
    signed = pt.Discretizer(output="woe", woe_sign=-1).fit(X, y)
    assert turned.transform(X) == pytest.approx(-plain.transform(X))
    assert signed.transform(X).tolist() == (-plain.transform(X)).tolist()
    ours, theirs, other = (e.partitions_["signal"].table() for e in (plain, turned, signed))
    assert theirs["event_rate"].tolist() == ours["rate_no"].tolist()
    assert other["woe"].tolist()[:3] == [-v for v in ours["woe"].tolist()[:3]]
    assert theirs["iv"].tolist() == pytest.approx(ours["iv"].tolist())
    assert other["iv"].tolist() == ours["iv"].tolist()
    p = turned.partitions_["signal"]
    assert pt.from_dict(p.to_dict()).table().equals(p.table())
    assert_refuses(
        lambda: pt.Discretizer(positive="maybe").fit(X, y),
        ValueError,
        "Discretizer.fit: positive must be one of the classes 'no', 'yes'; got 'maybe'.",
    )
    assert_refuses(
        lambda: pt.Discretizer(woe_sign=0).fit(X, y),
        ValueError,
        "Discretizer: woe_sign must be 1 or -1; got 0.",
    )
    assert_refuses(
        lambda: pt.Discretizer(positive=1).fit([[1.0], [2.0], [3.0]], [0, 1, 2]),
        ValueError,
        "Discretizer.fit: positive names the event of two classes; y holds 3. Each class has its "
        "own evidence then.",
    )


@pytest.mark.parametrize("method", ["modl", "modl-standard", "chaid", "none"])
def test_bits_of_groups_of_missing_and_special_values_alone(method):
    x, y = [None] * 20 + ["?"] * 20, [0] * 18 + [1] * 20 + [0] * 2
    p = pt.group(x, y, method=method, special_values=["?"])
    missing, special = [18, 2], [2, 18]
    cost = 2 * BIT + part_length(missing) + part_length(special)
    saved = (part_length([20, 20]) - cost) / BIT
    assert saved > 0
    assert p.table()["bits"].iloc[-1] == pytest.approx(saved)
    assert p.table()["bits"][:-1].sum() == pytest.approx(saved)
    assert p.table(x, y)["bits"].iloc[-1] == pytest.approx(saved)
    assert (p.null_cost - p.cost) / BIT == pytest.approx(saved)
    alone = pt.group(x[:20], y[:20], method=method)
    assert alone.table()["bits"].iloc[-1] == pytest.approx(0.0, abs=1e-12)
