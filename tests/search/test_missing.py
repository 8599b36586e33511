"""Missing values: kept apart, merged into a part, or refused."""

import math

import numpy as np
import pytest
from hypothesis import assume, given

import partage as pt
from reference.missing import merge_cost, null_cost, separate_cost
from reference.runs import units_of
from reference.searches import exhaustive
from strategies import columns


def present_counts(p, x, y):
    """Class counts of the present rows of each part, and of the missing rows."""
    counts = np.zeros((p.n_parts, len(p.classes)))
    missing = np.zeros(len(p.classes))
    codes = p.assign(x)
    for value, code, label in zip(x, codes, np.searchsorted(p.classes, y), strict=True):
        if math.isnan(value):
            missing[label] += 1
        else:
            counts[code, label] += 1
    return counts, missing


def with_gaps(column):
    x, y = column
    assume(np.isnan(x).any())
    assume(not np.isnan(x).all())
    return x, y


@given(column=columns(missing=True))
def test_missing_rows_kept_apart_cost_log_2_and_their_own_length(column):
    x, y = with_gaps(column)
    p = pt.discretize(x, y, search="exact")
    counts, missing = present_counts(p, x, y)
    assert p.missing_counts.tolist() == missing.tolist()
    assert p.counts.tolist() == counts.tolist()
    assert p.cost == pytest.approx(separate_cost(counts, missing), rel=1e-12)
    assert p.null_cost == pytest.approx(null_cost(counts, missing), rel=1e-12)
    assert p.level == pytest.approx(max(0.0, 1 - p.cost / p.null_cost), abs=1e-12)


@given(column=columns(missing=True, max_classes=3))
def test_present_rows_are_cut_at_their_lowest_cost(column):
    x, y = with_gaps(column)
    _, units = units_of(x[~np.isnan(x)], y[~np.isnan(x)])
    wide = np.zeros((len(units), len(set(y))))
    present = np.isin(np.unique(y), y[~np.isnan(x)])
    wide[:, present] = units
    p = pt.discretize(x, y, search="exact")
    _, missing = present_counts(p, x, y)
    lowest = exhaustive(wide, "modl")[0]
    assert p.cost <= separate_cost([wide.sum(axis=0)], missing) + 1e-9
    parts = np.add.reduceat(wide, lowest)
    assert p.cost == pytest.approx(separate_cost(parts, missing), rel=1e-9)


@given(column=columns(missing=True))
def test_merged_missing_rows_join_the_part_of_lowest_cost(column):
    x, y = with_gaps(column)
    p = pt.discretize(x, y, missing="merge", search="exact")
    counts, missing = present_counts(p, x, y)
    costs = [merge_cost(counts, missing, k) for k in range(p.n_parts)]
    home = p.assign(np.array([math.nan]))[0]
    assert p.cost == pytest.approx(min(costs), rel=1e-12)
    assert costs[home] == pytest.approx(min(costs), rel=1e-12)
    assert p.null_cost == pytest.approx(null_cost(counts, missing), rel=1e-12)
    assert p.missing_counts.tolist() == missing.tolist()


def test_missing_code_is_the_number_of_parts_even_without_missing_rows():
    p = pt.discretize(np.arange(20.0), [0] * 10 + [1] * 10)
    assert p.assign(np.array([math.nan, 3.0, 15.0])).tolist() == [2, 0, 1]
    assert p.missing_counts.tolist() == [0, 0]


def test_column_without_missing_rows_pays_nothing_for_them():
    x, y = np.arange(20.0), [0] * 10 + [1] * 10
    costs = {pt.discretize(x, y, missing=how).cost for how in ("separate", "merge", "error")}
    assert len(costs) == 1


def test_informative_gap_gives_a_positive_level():
    x = np.array([math.nan] * 30 + [1.0] * 30)
    p = pt.discretize(x, [0] * 30 + [1] * 30)
    assert p.n_parts == 1
    assert p.level > 0.5


def test_all_missing_column_is_one_part_of_no_rows():
    p = pt.discretize(np.full(6, math.nan), list("ababab"))
    assert p.n_parts == 1
    assert p.counts.tolist() == [[0, 0]]
    assert p.missing_counts.tolist() == [3, 3]
    assert p.level == 0
    assert math.isfinite(p.cost)
    assert p.assign(np.array([math.nan, 1.0])).tolist() == [1, 0]


@pytest.mark.parametrize("make", [pt.discretize, pt.group])
def test_a_part_of_no_rows_saves_nothing(make):
    gaps = np.array([None] * 20, dtype=object)
    table = make(gaps, [0, 1] * 10).table()
    assert table["bits"].abs().max() == 0
    special = np.array([7] * 10 + [None] * 10, dtype=object)
    table = make(special, [0] * 10 + [1] * 10, special_values=[7]).table()
    assert table["bits"].iloc[0] == 0
    assert table["bits"].iloc[-1] == pytest.approx(table["bits"].iloc[:-1].sum())
    assert table["bits"].iloc[-1] > 5


def test_information_of_nothing_has_no_sign():
    table = pt.discretize([1.0, 2, 3, 4] * 3, [0, 0, 0, 1] * 3, n_parts=2).table()
    assert not np.signbit(table["iv"]).any()
    table = pt.discretize(np.repeat([1.0, 2.0], 8), [0, 1, 1, 1] * 4, n_parts=2).table()
    assert table["iv"].tolist() == [0, 0, 0, 0]
    assert not np.signbit(table["iv"]).any()


def test_class_seen_only_in_missing_rows_is_counted():
    x = np.array([1.0, 2.0, 3.0, math.nan])
    p = pt.discretize(x, ["a", "a", "b", "c"])
    assert list(p.classes) == ["a", "b", "c"]
    assert p.counts.shape[1] == 3
    assert p.missing_counts.tolist() == [0, 0, 1]


@pytest.mark.parametrize("method", ["mdlpc", "fusinter", "chimerge", "gini", "tschuprow", "caim"])
@pytest.mark.parametrize("missing", ["separate", "merge"])
def test_every_method_has_a_home_for_missing_rows(method, missing):
    x = np.array([*range(40), *[math.nan] * 6], dtype=float)
    y = np.array([0] * 20 + [1] * 26)
    p = pt.discretize(x, y, method=method, missing=missing)
    code = p.assign(np.array([math.nan]))[0]
    assert code == (p.n_parts if missing == "separate" else p.assign(np.array([39.0]))[0])


def test_fusinter_leaves_missing_rows_out_of_its_cost():
    x, y = np.arange(30.0), np.array([0] * 15 + [1] * 15)
    with_gap = pt.discretize(np.append(x, math.nan), np.append(y, 1), method="fusinter")
    assert with_gap.cost == pytest.approx(pt.discretize(x, y, method="fusinter").cost, rel=1e-12)
