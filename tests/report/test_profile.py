"""Profiles of columns are the counts that NumPy and a loop would make of the rows."""

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import partage as pt
from partage._report.html import render_page
from partage._report.profile import N_VALUES, fit_with_profiles
from partage._report.summary import summarize


def profile_of(values, labels, dtype=None, weights=None):
    frame = pl.DataFrame({"x": pl.Series(values, dtype=dtype), "y": labels})
    model = pt.TablePartitioner()
    profiles = fit_with_profiles(model, frame, "y", sample_weight=weights)
    return profiles.get("x")


@pytest.mark.parametrize("scale", [1.0, 1e-9, 1e12])
@pytest.mark.parametrize("is_whole", [False, True])
def test_bins_count_every_row_once(scale, is_whole):
    rng = np.random.default_rng(3)
    x = rng.standard_cauchy(4000) * scale
    x = np.round(x / scale * 30) if is_whole else x
    y = rng.integers(0, 3, 4000)
    found = profile_of(x, y)
    edges = np.array(found.edges)
    inside = np.searchsorted(edges, x, side="left") - 1  # bins are (low, high]
    expected = np.zeros((len(edges) - 1, 3))
    for place, label in zip(inside, y, strict=True):
        if 0 <= place < len(edges) - 1:
            expected[place, label] += 1
    np.testing.assert_array_equal(found.counts, expected)
    assert found.below == (x <= edges[0]).sum()
    assert found.above == (x > edges[-1]).sum()
    assert found.counts.sum() + found.below + found.above == 4000
    assert found.counts.sum() >= 0.98 * 4000
    if is_whole:
        assert (edges % 1 == 0.5).all()


def test_facts_are_quantiles_of_the_rows():
    x = np.random.default_rng(0).gamma(2.0, size=3001)
    found = profile_of(x, np.arange(3001) % 2)
    expected = np.quantile(x, [0, 0.25, 0.5, 0.75, 1], method="inverted_cdf")
    assert list(found.facts.values()) == expected.tolist()
    assert list(found.facts) == ["min", "lower quartile", "median", "upper quartile", "max"]


def test_few_numbers_are_counted_one_by_one_and_infinities_beside():
    x = [1.0, 2.0, 2.0, 5.0, -np.inf, np.inf, np.inf, None]
    found = profile_of(x, [0, 1, 0, 1, 0, 1, 1, 0])
    assert found.is_single
    assert found.edges == [1.0, 2.0, 5.0]
    assert found.counts.tolist() == [[1, 0], [1, 1], [0, 1]]
    assert (found.below, found.above) == (1, 2)


def test_weights_are_counted():
    found = profile_of([1.0, 2.0, 2.0], [0, 1, 0], weights=[2.0, 3.0, 0.5])
    assert found.counts.tolist() == [[2.0, 0.0], [0.5, 3.0]]


def test_dates_lie_in_milliseconds():
    found = profile_of(["1970-01-01", "1970-01-03"], [0, 1], dtype=pl.String)
    assert found.values == ["1970-01-01", "1970-01-03"]
    days = pl.Series(["1970-01-01", "1970-01-03"]).str.to_date()
    dated = profile_of(days, [0, 1])
    assert dated.is_time
    assert dated.edges == [0.0, 2 * 86_400_000.0]


def test_instants_are_shown_in_their_zone():
    times = pl.Series(["2024-10-27T00:30", "2024-10-27T01:30"]).str.to_datetime(time_zone="UTC")
    table = pl.DataFrame({"at": times.dt.convert_time_zone("Europe/Paris"), "y": [0, 1]})
    model = pt.TablePartitioner()
    profiles = fit_with_profiles(model, table, "y")
    page = render_page(summarize(model, profiles=profiles))
    assert "2024-10-27 02:30:00+02:00" in page
    assert "2024-10-27 02:30:00+01:00" in page
    assert '"z":"Europe/Paris"' in page.replace(" ", "")


@given(
    st.lists(st.sampled_from([f"v{i}" for i in range(60)]), min_size=1, max_size=200),
    st.integers(0, 5),
)
def test_values_are_the_most_frequent_ones(values, seed):
    y = np.random.default_rng(seed).integers(0, 2, len(values))
    y[0] = 0
    found = profile_of(values, y.astype(str))
    counts = Counter(values)
    ranked = sorted(counts, key=lambda value: (-counts[value], value))
    assert found.values == ranked[:N_VALUES]
    assert found.n_others == max(0, len(ranked) - N_VALUES)
    assert found.counts.sum(axis=1).tolist() == [counts[value] for value in ranked[:N_VALUES]]
    assert found.counts.sum() + found.others.sum() == len(values)


def test_a_column_without_values_has_no_profile():
    assert profile_of([None, None], [0, 1], dtype=pl.Float64) is None
