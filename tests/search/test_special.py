"""Special values: kept out of the parts, coded behind them, or merged into a part."""

import datetime
import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import partage as pt
from helpers import assert_refuses
from reference.criteria import modl, part_length
from strategies import VALUES, columns

SPECIAL = [-999.0, 7.5]


@st.composite
def special_columns(draw):
    """Draw a column that holds gaps and special values, and its target."""
    x, y = draw(columns(missing=True, min_rows=8))
    x[draw(st.integers(0, len(x) - 1))] = -999.0
    x[draw(st.integers(0, len(x) - 1))] = draw(st.sampled_from(SPECIAL))
    x[0] = 0.25
    return x, y


def rows_of(mask, y, classes):
    return np.array([np.sum(mask & (y == c)) for c in classes], dtype=float)


@given(column=special_columns())
def test_special_rows_stay_out_of_the_parts(column):
    x, y = column
    p = pt.discretize(x, y, special_values=SPECIAL)
    plain = ~np.isnan(x) & ~np.isin(x, SPECIAL)
    for i, value in enumerate(SPECIAL):
        assert p.special_counts[i].tolist() == rows_of(x == value, y, p.classes).tolist()
    assert p.special_rows.tolist() == [np.sum(x == value) for value in SPECIAL]
    assert p.missing_counts.tolist() == rows_of(np.isnan(x), y, p.classes).tolist()
    assert p.counts.sum() == plain.sum()
    assert p.n_values == len(np.unique(x[plain] + 0.0))
    assert p.totals().tolist() == rows_of(np.full(len(x), True), y, p.classes).tolist()
    if len(set(y[plain])) == len(set(y)):
        assert p.cuts.tolist() == pt.discretize(x[plain], y[plain]).cuts.tolist()


@given(column=special_columns())
def test_special_rows_apart_cost_log_2_and_their_own_length(column):
    x, y = column
    p = pt.discretize(x, y, special_values=SPECIAL)
    beside = [row for row in [p.missing_counts, *p.special_counts] if row.any()]
    wanted = modl(p.counts) + sum(math.log(2) + part_length(row) for row in beside)
    assert p.cost == pytest.approx(wanted, rel=1e-12)
    assert p.null_cost == pytest.approx(modl(p.totals()[None, :]), rel=1e-12)


@given(column=special_columns())
def test_merged_special_rows_join_the_part_of_lowest_cost(column):
    x, y = column
    p = pt.discretize(x, y, special_values=SPECIAL, special="merge")
    apart = pt.discretize(x, y, special_values=SPECIAL)
    parts = apart.counts.copy()
    cost = math.log(2) + part_length(p.missing_counts) if p.missing_counts.any() else 0.0
    for row, home in zip(p.special_counts, p.special_parts, strict=True):
        if not row.any():
            assert home is None
            continue
        choices = [modl([*parts[:k], parts[k] + row, *parts[k + 1 :]]) for k in range(p.n_parts)]
        assert choices[home] == pytest.approx(min(choices), rel=1e-12)
        parts[home] += row
        cost += math.log(2) + math.log(p.n_parts)
    assert p.counts.tolist() == parts.tolist()
    assert p.cost == pytest.approx(cost + modl(parts), rel=1e-12)


@pytest.mark.parametrize("special", ["separate", "merge"])
@pytest.mark.parametrize("missing", ["separate", "merge"])
@given(column=special_columns())
def test_codes_and_counts_agree(missing, special, column):
    x, y = column
    p = pt.discretize(x, y, special_values=SPECIAL, special=special, missing=missing)
    codes = p.assign(x)
    counts = p.code_counts()
    for code in np.unique(codes):
        assert counts[code].tolist() == rows_of(codes == code, y, p.classes).tolist()
        assert p.code_rows()[code] == np.sum(codes == code)
    for i, value in enumerate(SPECIAL):
        home = p.special_parts[i]
        assert p.assign([value])[0] == (p.n_parts + 2 + i if home is None else home)
    assert p.assign([math.nan])[0] == p.missing_code
    back = pt.from_dict(json.loads(json.dumps(p.to_dict())))
    assert back.assign([*VALUES, *SPECIAL, math.nan]).tolist() == (
        p.assign([*VALUES, *SPECIAL, math.nan]).tolist()
    )
    assert back.to_dict() == p.to_dict()


def test_special_values_by_column_and_for_all(steps):
    X, y = steps
    X = X.copy()
    X.loc[:50, "signal"] = -1.0
    X.loc[:20, "noise"] = -2.0
    by_name = pt.Discretizer(special_values={"signal": [-1]}).fit(X, y)
    assert by_name.partitions_["signal"].special_rows.tolist() == [51]
    assert by_name.partitions_["noise"].special_values == ()
    for_all = pt.Discretizer(special_values=[-1, -2]).fit(X, y)
    assert for_all.partitions_["noise"].special_rows.tolist() == [0, 21]
    names = pt.Discretizer(special_values=[-1, -2], output="onehot").fit(X, y)
    assert names.transform(X).sum(axis=1).tolist() == [2.0] * len(X)
    assert names.get_feature_names_out()[-1] == "noise_special -2"


def test_special_text_of_a_list_leaves_numbers_alone(steps):
    X, y = steps
    X = X.assign(city=["?", "Lyon", "Nice"] * 200)
    enc = pt.TablePartitioner(special_values=[-1, "?"], ordered={"city": ["Lyon", "Nice"]})
    enc.fit(X, y)
    assert enc.partitions_["city"].special_rows.tolist() == [0, 200]
    assert enc.partitions_["city"].groups == (("Lyon", "Nice"),)
    assert enc.partitions_["signal"].special_values == (-1,)


def test_special_categories_have_codes_behind_unseen_ones():
    x = ["a", "b", "?", "a", "b", "b"] * 20
    p = pt.group(x, [0, 1, 0, 0, 1, 1] * 20, special_values=["?", "never"])
    assert p.n_parts == 2
    assert p.assign(["a", "b", None, "new", "?", "never"]).tolist() == [0, 1, 2, 3, 4, 5]
    assert p.special_rows.tolist() == [20, 0]
    merged = pt.group(x, [0, 1, 0, 0, 1, 1] * 20, special_values=["?"], special="merge")
    assert merged.assign(["?"])[0] == merged.assign(["a"])[0]
    assert merged.counts.sum() == 120


def test_special_values_compare_exactly():
    big = 2**60
    x = pd.Series([big, big + 1, big + 2, big + 3] * 5)
    p = pt.discretize(x, [0, 1, 0, 1] * 5, special_values=[big + 1, 0.5])
    assert p.special_rows.tolist() == [5, 0]
    assert p.assign(pd.Series([float(big), 0.5]))[0] < p.n_parts
    days = pd.Series(pd.date_range("2020-01-01", periods=10).tolist() * 2)
    p = pt.discretize(days, [0, 1] * 10, special_values=[pd.Timestamp("2020-01-03")])
    assert p.special_rows.tolist() == [2]
    assert p.assign([datetime.datetime(2020, 1, 3)])[0] == p.special_codes[0]
    assert pt.from_dict(p.to_dict()).special_values == p.special_values


def test_column_of_special_values_only():
    p = pt.discretize([-1.0, -2.0] * 20, [0, 1] * 20, special_values=[-1, -2])
    assert p.n_parts == 1
    assert p.counts.tolist() == [[0, 0]]
    assert p.level > 0.5


@pytest.mark.parametrize(
    ("special_values", "error", "message"),
    [
        (
            -999,
            ValueError,
            "discretize: special_values must be a list of values, a dict of such lists by column, "
            "or None; got -999.",
        ),
        (
            [1, 1.0],
            ValueError,
            "discretize: special_values must name every value once; got [1, 1.0].",
        ),
        (
            [math.nan],
            ValueError,
            "discretize: special_values must not hold missing values; `missing` says what becomes "
            "of them.",
        ),
        (
            ["text"],
            TypeError,
            "discretize: special_values of column 'x' must be of its kind; got 'text'.",
        ),
    ],
)
def test_bad_special_values_are_refused(special_values, error, message):
    assert_refuses(
        lambda: pt.discretize([1.0, 2.0], [0, 1], special_values=special_values), error, message
    )


def test_special_values_must_name_columns(steps):
    assert_refuses(
        lambda: pt.Discretizer(special_values={"age": [1]}).fit(*steps),
        ValueError,
        "Discretizer.fit: special_values must name columns of X; got 'age', X has 'signal', "
        "'noise'.",
    )
