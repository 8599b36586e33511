"""Columns of many classes are sorted at once, others class by class: both give one line."""

import numpy as np
import pytest

from partage._data.table import read_column
from partage._spaces import make
from partage._targets.read import read_target


def draw_values(rng, name, n):
    """Draw a column: distinct numbers, ties, gaps, signed zeros, whole numbers."""
    values = {
        "distinct": rng.normal(size=n),
        "ties": rng.integers(0, 9, n) / 4,
        "near": 1.0 + rng.integers(0, n, n) * 2.0**-52,
        "gaps": np.where(rng.random(n) < 0.3, np.nan, rng.normal(size=n)),
        "zeros": rng.choice([-0.0, 0.0, 1.0, -np.inf], n),
        "whole": rng.integers(-(2**62), 2**62, n),
    }
    return values[name]


@pytest.mark.parametrize("name", ["distinct", "ties", "near", "gaps", "zeros", "whole"])
@pytest.mark.parametrize("n", [30, 2000])
def test_rows_sorted_at_once_give_the_line_of_sorted_classes(monkeypatch, name, n):
    rng = np.random.default_rng(n)
    column = read_column("test", draw_values(rng, name, n))
    rows = read_target("test", np.array([f"class {i:02}" for i in rng.integers(0, 20, n)]))
    spaces = []
    for least in (2, 1000):
        monkeypatch.setattr(make, "_MANY_CLASSES", least)
        spaces.append(make.space_of(column, rows))
    whole, by_class = spaces
    for one, other in zip(whole.line.entries(), by_class.line.entries(), strict=True):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(whole.keys, by_class.keys)
    assert not np.signbit(whole.keys[whole.keys == 0]).any()
    np.testing.assert_array_equal(whole.aside.class_counts, by_class.aside.class_counts)
