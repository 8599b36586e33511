"""Pictures of rates and evidence: what the bars show is what the tables say."""

import re

import matplotlib as mpl
import numpy as np
import pytest

import partage as pt
from partage._display.colours import LIGHT

mpl.use("Agg")


@pytest.fixture
def partition():
    x = np.repeat([1.0, 2.0, 3.0], 200)
    y = np.where(np.arange(600) % 10 < np.repeat([1, 4, 8], 200), "bad", "good")
    x[:30] = np.nan
    return pt.discretize(x, y, name="x")


def bars_of(ax):
    return [bar for box in ax.containers if hasattr(box, "patches") for bar in box.patches]


@pytest.mark.parametrize(("measure", "column"), [("rate", "event_rate"), ("woe", "woe")])
def test_bars_are_the_column_of_the_table(partition, measure, column):
    ax = partition.plot(measure=measure)
    heights = [bar.get_height() for bar in bars_of(ax)]
    assert heights == pytest.approx(partition.table()[column].iloc[:-1].tolist())
    event = partition.classes[partition.event]
    assert ax.get_ylabel().endswith(f"of {event}")


def test_a_class_has_the_colour_of_the_page(partition):
    shares = partition.plot()
    for j in range(2):
        first = shares.containers[j].patches[0]
        assert mpl.colors.to_hex(first.get_facecolor()) == LIGHT[j]
    rates = bars_of(partition.plot(measure="rate"))
    assert {mpl.colors.to_hex(bar.get_facecolor()) for bar in rates} == {LIGHT[partition.event]}


def test_whiskers_hold_the_interval_of_wilson(partition):
    ax = partition.plot(measure="rate")
    (whiskers,) = [box for box in ax.containers if not hasattr(box, "patches")]
    (lines,) = whiskers[2]
    counts = partition.counts[0]
    n, k = counts.sum(), counts[partition.event]
    low, high = lines.get_segments()[0][:, 1]
    for end in (low, high):  # the ends solve (p - end)^2 = z^2 end (1 - end) / n
        assert (k / n - end) ** 2 == pytest.approx(1.959964**2 * end * (1 - end) / n, rel=1e-5)


def test_several_classes_stand_beside_each_other():
    x = np.arange(300) // 100
    ax = pt.discretize(x, x).plot(measure="rate")
    assert [bar.get_height() for bar in bars_of(ax)] == [1, 0, 0, 0, 1, 0, 0, 0, 1]
    message = "Intervals.plot: measure must be 'shares', 'rate' or 'woe'; got 'mean'."
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        pt.discretize(x, x).plot(measure="mean")
