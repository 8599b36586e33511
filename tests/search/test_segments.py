"""Segments: which of them stand in the way of parts, and reversals that may stay."""

import math
import re

import numpy as np
import pandas as pd
import pytest

import partage as pt
from helpers import assert_refuses

ONE_PART = (
    "discretize, column 'x': one part only, since the trend breaks in north of by; leave them out, "
    "or pass by_tolerance=0.95 to let reversals stay that chance explains."
)


def table(pieces):
    """Rows of (segment, value, rows, events)."""
    x, y, by = [], [], []
    for segment, value, n, n_events in pieces:
        x += [value] * n
        y += [1] * n_events + [0] * (n - n_events)
        by += [segment] * n
    return np.array(x, dtype=float), np.array(y), np.array(by)


@pytest.fixture(scope="module")
def small_reversal():
    """Make a strong column; the few rows of north go the other way by chance."""
    return table(
        [("south", 1, 500, 100), ("south", 2, 500, 300), ("north", 1, 20, 8), ("north", 2, 20, 7)]
    )


@pytest.fixture(scope="module")
def true_reversal():
    return table(
        [
            ("south", 1, 900, 100),
            ("south", 2, 900, 600),
            ("north", 1, 300, 240),
            ("north", 2, 300, 30),
        ]
    )


def test_segments_that_leave_a_column_whole_are_named(small_reversal):
    x, y, by = small_reversal
    assert pt.discretize(x, y, monotonic="ascending").n_parts == 2
    with pytest.warns(UserWarning, match=re.escape(ONE_PART)):
        p = pt.discretize(x, y, monotonic="ascending", by=by)
    assert p.n_parts == 1
    assert p.constraints["by"] == ("north",)
    assert "Segments in the way: north. The best parts of all rows break" in str(p.explain())
    assert pt.from_dict(p.to_dict()).constraints["by"] == ("north",)


def test_reversals_that_chance_explains_may_stay(small_reversal, true_reversal):
    x, y, by = small_reversal
    p = pt.discretize(x, y, monotonic="ascending", by=by, by_tolerance=0.95)
    assert p.n_parts == 2
    assert p.constraints["by"] == ()
    x, y, by = true_reversal
    with pytest.warns(UserWarning, match="one part only"):
        p = pt.discretize(x, y, monotonic="ascending", by=by, by_tolerance=0.95)
    assert p.n_parts == 1


def test_tolerance_is_that_of_a_test_of_two_rates():
    """40 events of 100 after 50 of 100 in one segment: z = 1.42 with the pooled spread."""
    x, y, by = table([("a", 1, 900, 90), ("a", 2, 900, 600), ("b", 1, 100, 50), ("b", 2, 100, 40)])
    z = 0.1 / math.sqrt(0.45 * 0.55 * 2 / 100)
    edge = math.erf(z / math.sqrt(2))
    kept = pt.discretize(x, y, monotonic="ascending", by=by, by_tolerance=edge + 1e-6)
    assert kept.n_parts == 2
    with pytest.warns(UserWarning, match="one part only"):
        p = pt.discretize(x, y, monotonic="ascending", by=by, by_tolerance=edge - 1e-6)
    assert p.n_parts == 1


def test_segments_are_named_as_they_are_given(small_reversal):
    x, y, by = small_reversal
    months = pd.Series(pd.to_datetime(np.where(by == "north", "2024-02-01", "2024-01-01")))
    frame = pd.DataFrame({"x": x, "month": months})
    enc = pt.TablePartitioner(monotonic={"x": "ascending"}, by="month")
    with pytest.warns(UserWarning, match=r"breaks in 2024-02-01"):
        enc.fit(frame, y)
    enc.set_params(by_tolerance=0.95).fit(frame, y)
    assert enc["x"].n_parts == 2


@pytest.mark.parametrize("value", [-0.1, 1, 1.5, "much", None, True])
def test_tolerance_out_of_its_range(value):
    assert_refuses(
        lambda: pt.discretize([1, 2], [0, 1], monotonic="auto", by=[1, 1], by_tolerance=value),
        ValueError,
        "discretize: by_tolerance must be a number from 0 (any reversal counts) to below 1; "
        f"got {value!r}.",
    )
