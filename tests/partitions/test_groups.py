"""The result of group: values as the user sees them, codes, table, its life as plain data."""

import json
import math

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import partage as pt
from helpers import ROUND_TRIPS, assert_refuses, assert_same, examples
from partage._support.frames import as_unicode
from reference.criteria import part_length
from reference.groups import hidden_groups, join, null_garbage, null_standard, rows_of
from reference.groups import standard_cost as cost_of

ODD_TEXT = [
    "",
    " ",
    "a",
    "A",
    "\t",
    "\n",
    '"',
    "'",
    "é",
    "e\u0301",
    "nan",
    "None",
    "NA",
    "\U0001f600",
]
MIXED = [*ODD_TEXT, "1", "1.0", "True", 1, 0, -7, 2**60, 2**60 + 1, 2.5, math.inf, True, False]
CITIES = list("aabbbccccddddd") * 4
ANSWERS = (["no"] * 5 + ["yes"] * 4 + ["no"] * 5) * 4
SOME_METHODS = ["modl", "modl-standard", "chaid", "tschuprow", "none"]


@st.composite
def labelled(draw, pool=MIXED, missing=False, max_classes=3):
    """Draw a column of categories of any kind, and its target."""
    pool = [*pool, None, math.nan] if missing else pool
    values = st.sampled_from(pool)
    labels = st.sampled_from(["x", "y", "z"][: draw(st.integers(1, max_classes))])
    rows = draw(st.lists(st.tuples(values, labels), min_size=2, max_size=40))
    x, y = zip(*rows, strict=True)
    column = np.empty(len(x), dtype=object)
    column[:] = x
    return column, np.array(y)


def is_missing(value):
    return value is None or value != value


def kinds(groups):
    """Put the type of each value beside it, since 1 == True."""
    return [[(type(value).__name__, value) for value in group] for group in groups]


def assert_same_groups(one, other, x):
    assert_same(pt.Groups, one, other, x)
    assert kinds(one.groups) == kinds(other.groups)
    assert one.garbage == other.garbage
    known = [group[0] for group in one.groups if group]
    unseen = np.array([*known[:1], "never seen", None], dtype=object)
    assert one.assign(unseen).tolist() == other.assign(unseen).tolist()


@pytest.mark.parametrize("trip", ROUND_TRIPS.values(), ids=ROUND_TRIPS)
@given(column=labelled(missing=True))
def test_round_trip_gives_the_same_groups(trip, column):
    x, y = column
    p = pt.group(x, y)
    assert_same_groups(p, trip(p), x)


@pytest.mark.parametrize("trip", ROUND_TRIPS.values(), ids=ROUND_TRIPS)
@pytest.mark.parametrize(
    "x",
    [
        pd.Series(pd.date_range("2020-01-01", periods=14).tolist() * 4),
        np.array([b"a", b"\xff", b"c", b"d", b"e", b"f", b"g"] * 8),
        np.arange(56) % 7 == 0,
        np.arange(56) % 7 + 2**60,
        (np.arange(56) % 7).astype(np.float32) / 4,
        pd.Series(CITIES, dtype=pd.CategoricalDtype(list("dcba"), ordered=True)),
    ],
    ids=["dates", "bytes", "booleans", "large integers", "float32", "ordered"],
)
def test_round_trip_keeps_the_kind_of_values(trip, x):
    p = pt.group(x, ANSWERS, n_parts=2)
    assert_same_groups(p, trip(p), x)


@pytest.mark.parametrize("missing", ["separate", "merge"])
def test_round_trip_keeps_the_home_of_missing_rows(missing):
    x = [*CITIES, None, None]
    p = pt.group(x, [*ANSWERS, "yes", "yes"], missing=missing)
    assert_same_groups(p, ROUND_TRIPS["json"](p), x)


def test_plain_data_carries_a_version():
    d = pt.group(CITIES, ANSWERS).to_dict()
    assert d["partage"] == 1
    assert d["type"] == "groups"


@given(column=labelled(missing=True))
def test_every_value_of_the_column_stands_in_one_group(column):
    x, y = column
    p = pt.group(x, y)
    listed = [pair for group in kinds(p.groups) for pair in group]
    seen = {(type(value).__name__, value) for value in x if not is_missing(value)}
    assert len(listed) == len(set(listed))
    assert set(listed) == seen


@pytest.mark.parametrize(
    "method",
    SOME_METHODS,
)
@given(column=labelled(missing=True))
def test_counts_are_the_classes_of_the_assigned_rows(method, column):
    x, y = column
    p = pt.group(x, y, method=method)
    expected = np.zeros((p.n_parts + 1, len(p.classes)))
    np.add.at(expected, (p.assign(x), np.searchsorted(p.classes, y)), 1)
    assert p.counts.tolist() == expected[:-1].tolist()
    assert p.missing_counts.tolist() == expected[-1].tolist()
    assert len(p.groups) == p.n_parts == len(p.counts)


@pytest.mark.parametrize("method", ["modl", "chaid", "none"])
@given(column=labelled())
def test_groups_are_ordered_by_the_share_of_the_last_class_then_by_size(method, column):
    p = pt.group(*column, method=method)
    sizes = p.counts.sum(axis=1)
    keys = list(zip(p.counts[:, -1] / sizes, sizes, strict=True))
    assert keys == sorted(keys)


@given(column=labelled())
def test_code_of_a_value_is_the_place_of_its_group(column):
    p = pt.group(*column, method="none")
    for k, group in enumerate(p.groups):
        values = np.empty(len(group), dtype=object)
        values[:] = group
        assert p.assign(values).tolist() == [k] * len(group)


def test_code_of_missing_is_the_number_of_groups_and_of_unseen_one_more():
    p = pt.group(CITIES, ANSWERS)
    assert p.garbage is None
    assert p.n_parts == 2
    assert p.assign(["b", "zzz", None, "a", math.nan, ""]).tolist()[1:] == [3, 2, 0, 2, 3]


def test_code_of_unseen_values_is_that_of_the_garbage_group():
    x = [*["a", "b"] * 300, *(f"rare {i}" for i in range(60))]
    y = [*["no", "yes"] * 300, *["no", "yes", "yes"] * 20]
    p = pt.group(x, y)
    assert p.n_parts == 3
    assert {f"rare {i}" for i in range(60)} == set(p.groups[p.garbage])
    assert p.assign(["unheard of", None, "a", "rare 3"]).tolist() == [p.garbage, 3, 0, p.garbage]
    assert p.assign(["a"])[0] != p.garbage


def test_standard_model_has_no_garbage():
    x = [*["a", "b"] * 300, *(f"rare {i}" for i in range(60))]
    y = [*["no", "yes"] * 300, *["no", "yes", "yes"] * 20]
    p = pt.group(x, y, method="modl-standard")
    assert p.garbage is None
    assert p.assign(["unheard of"]).tolist() == [p.n_parts + 1]


def counts_of(p, x, y):
    """Class counts of the values that are present, of the missing rows, and the groups' indices."""
    values = sorted({value for value in x if value is not None})
    units = np.zeros((len(values), len(p.classes)))
    missing = np.zeros(len(p.classes))
    for value, label in zip(x, np.searchsorted(p.classes, y), strict=True):
        if value is None:
            missing[label] += 1
        else:
            units[values.index(value), label] += 1
    return units, missing, [[values.index(value) for value in group] for group in p.groups]


def with_gaps(column):
    x, y = column
    assume(None in x.tolist())
    assume(any(value is not None for value in x))
    return x, y


GAPPED_TEXT = labelled(pool=["a", "b", "c", "d", None])


@given(column=GAPPED_TEXT)
def test_missing_rows_kept_apart_cost_log_2_and_their_own_length(column):
    x, y = with_gaps(column)
    p = pt.group(x, y, method="modl-standard")
    units, missing, grouping = counts_of(p, x, y)
    assert p.missing_counts.tolist() == missing.tolist()
    expected = math.log(2) + cost_of(units, grouping) + part_length(missing)
    assert p.cost == pytest.approx(expected, rel=1e-12)
    null = math.log(len(units)) + part_length(units.sum(axis=0) + missing)
    assert p.null_cost == pytest.approx(null, rel=1e-12)
    level = max(0.0, 1 - expected / null) if null > 0 else 0.0
    assert p.level == pytest.approx(level, abs=1e-12)


@given(column=GAPPED_TEXT)
def test_merged_missing_rows_join_the_group_of_lowest_cost(column):
    x, y = with_gaps(column)
    p = pt.group(x, y, method="modl-standard", missing="merge")
    units, missing, grouping = counts_of(p, x, y)
    parts = join(units, grouping)
    lengths = np.array([part_length(row + missing) - part_length(row) for row in parts])
    home = p.assign([None])[0]
    assert lengths[home] == pytest.approx(lengths.min(), abs=1e-9)
    extra = math.log(2) + math.log(len(parts)) + lengths.min()
    assert p.cost == pytest.approx(cost_of(units, grouping) + extra, rel=1e-12)
    assert p.missing_counts.tolist() == missing.tolist()


@given(column=GAPPED_TEXT)
def test_null_cost_of_garbage_counts_the_missing_rows(column):
    x, y = with_gaps(column)
    p = pt.group(x, y)
    units, missing, _ = counts_of(p, x, y)
    whole = units.sum(axis=0)
    code = null_garbage(units) - part_length(whole)
    assert p.null_cost == pytest.approx(code + part_length(whole + missing), rel=1e-12)


def test_column_without_missing_rows_pays_nothing_for_them():
    costs = {pt.group(CITIES, ANSWERS, missing=how).cost for how in ("separate", "merge", "error")}
    assert len(costs) == 1


def test_all_missing_column_is_one_group_of_no_rows():
    p = pt.group([None] * 6, list("ababab"))
    assert p.n_parts == 1
    assert p.groups == ((),)
    assert p.counts.tolist() == [[0, 0]]
    assert p.missing_counts.tolist() == [3, 3]
    assert p.level == 0
    assert math.isfinite(p.cost)
    assert p.assign([None, "a"]).tolist() == [1, 2]


def test_informative_gap_gives_a_positive_level():
    p = pt.group([None] * 30 + ["a"] * 30, [0] * 30 + [1] * 30)
    assert p.n_parts == 1
    assert p.level > 0.5


def test_class_seen_only_in_missing_rows_is_counted():
    p = pt.group(["a", "a", "b", None], ["x", "x", "y", "z"])
    assert list(p.classes) == ["x", "y", "z"]
    assert p.counts.shape[1] == 3
    assert p.missing_counts.tolist() == [0, 0, 1]


def test_table_shows_every_group_the_missing_and_the_unseen():
    table = pt.group([*CITIES, None], [*ANSWERS, "yes"]).table()
    assert isinstance(table, pd.DataFrame)
    assert len(table) == 5
    assert table["count"].tolist()[-3:] == [1, 0, 57]
    assert table["count"][:-1].sum() == 57
    assert table["share"][:-1].sum() == pytest.approx(1)
    text = table.to_string().lower()
    assert "missing" in text
    assert "unseen" in text


def test_table_counts_rows_and_weight():
    table = pt.group(CITIES, ANSWERS, sample_weight=np.full(56, 3)).table()
    assert table["count"].tolist()[-1] == table["count"][:-1].sum() == 56
    assert table["weight"].tolist()[-1] == table["weight"][:-1].sum() == 168


def test_shares_of_a_table_with_garbage_sum_to_one():
    x = [*["a", "b"] * 300, *(f"rare {i}" for i in range(60))]
    p = pt.group(x, [*["no", "yes"] * 300, *["no", "yes", "yes"] * 20])
    assert p.garbage is not None
    assert p.table()["share"][:-1].sum() == pytest.approx(1)
    assert p.table()["count"][:-1].sum() == 660


def test_table_is_a_frame_of_the_library_of_the_column():
    assert isinstance(pt.group(pl.Series("x", CITIES), ANSWERS).table(), pl.DataFrame)
    assert isinstance(pt.group(pd.Series(CITIES), ANSWERS).table(), pd.DataFrame)
    assert isinstance(pt.group(CITIES, ANSWERS).table(), pd.DataFrame)


def test_table_of_thousands_of_values_stays_readable():
    rng = np.random.default_rng(0)
    x = rng.integers(0, 5000, 20_000)
    table = pt.group(x, rng.random(20_000) < np.where(x % 2, 0.1, 0.9)).table()
    assert max(len(str(text)) for text in table["part"]) < 500


def test_groups_cannot_be_changed():
    p = pt.group(CITIES, ANSWERS)
    with pytest.raises(AttributeError):
        p.n_parts = 3
    with pytest.raises(AttributeError):
        p.groups = ()
    with pytest.raises(ValueError, match="read-only"):
        p.counts[0, 0] = 1.0
    assert isinstance(p.groups, tuple)
    assert all(isinstance(group, tuple) for group in p.groups)


def test_plot_draws_on_the_axes_it_is_given():
    p = pt.group([*CITIES, None], [*ANSWERS, "yes"])
    _, ax = plt.subplots()
    assert p.plot(ax=ax) is ax
    assert ax.has_data()
    plt.close("all")


def test_representation_tells_the_values():
    text = repr(pt.group(CITIES, ANSWERS, name="city"))
    assert text.startswith("Groups('city': 2 parts")
    assert all(letter in text for letter in "abcd")


def test_name_is_that_of_the_series_or_the_one_given():
    assert pt.group(pd.Series(CITIES, name="town"), ANSWERS).name == "town"
    assert pt.group(pd.Series(CITIES, name="town"), ANSWERS, name="city").name == "city"
    assert pt.group(CITIES, ANSWERS).name == "x"


def test_codes_are_integers_of_the_length_of_the_column():
    p = pt.group(CITIES, ANSWERS)
    assert p.assign(CITIES).dtype == np.int64
    assert p.assign([]).shape == (0,)
    assert p.assign(np.array([], dtype=object)).shape == (0,)


def test_inputs_are_left_as_they_were():
    x, y, weight = np.array([*CITIES, None], dtype=object), np.array([*ANSWERS, "no"]), np.ones(57)
    copies = x.copy(), y.copy(), weight.copy()
    pt.group(x, y, sample_weight=weight)
    assert all((a == b).all() for a, b in zip((x, y, weight), copies, strict=True))


def test_fraction_of_rows_is_a_minimum_size():
    rng = np.random.default_rng(1)
    x, y = rows_of(hidden_groups(rng, 30, 2, 6, 20))
    free = pt.group(x, y)
    assert free.counts.sum(axis=1).min() < 0.2 * len(x)
    limited = pt.group(x, y, min_part_size=0.2)
    assert limited.counts.sum(axis=1).min() >= 0.2 * len(x)


def test_row_of_zero_weight_leaves_with_its_value_and_class():
    p = pt.group([*CITIES, "ghost"], [*ANSWERS, "maybe"], sample_weight=[1] * 56 + [0])
    expected = pt.group(CITIES, ANSWERS)
    assert (p.groups, p.cost) == (expected.groups, expected.cost)
    assert list(p.classes) == ["no", "yes"]
    assert p.assign(["ghost"]).tolist() == [3]


@settings(max_examples=examples(30))
@given(column=labelled(pool=["a", "b", "c"], max_classes=2))
def test_one_group_without_missing_values_has_level_0(column):
    p = pt.group(*column, n_parts=1)
    units, _, _ = counts_of(p, *column)
    assert p.level == 0
    assert p.cost == pytest.approx(null_garbage(units), rel=1e-12)
    standard = pt.group(*column, n_parts=1, method="modl-standard")
    assert standard.cost == pytest.approx(null_standard(units), rel=1e-12)
    assert standard.level == 0


def test_five_hidden_groups_of_two_hundred_values_are_found():
    rng = np.random.default_rng(0)
    x = rng.integers(0, 200, 50_000)
    rate = np.array([0.05, 0.25, 0.5, 0.75, 0.95])[x % 5]
    p = pt.group(x, rng.random(50_000) < rate)
    assert [{value % 5 for value in group} for group in p.groups] == [{0}, {1}, {2}, {3}, {4}]


ODD = {
    "intervals": pd.cut(pd.Series(range(60)), 4).tolist(),
    "intervals of times": pd.cut(pd.Series(pd.date_range("2026-01-01", periods=60)), 4).tolist(),
    "intervals of durations": pd.cut(pd.Series(pd.timedelta_range("0h", periods=60)), 4).tolist(),
    "periods": list(pd.period_range("2026-01", periods=6, freq="M")) * 10,
    "nanoseconds": [pd.Timedelta(k % 4, "ns") for k in range(60)],
    "instants": [pd.Timestamp(k % 4, unit="ns") for k in range(60)],
}


@pytest.mark.parametrize("kind", ODD)
def test_values_that_pandas_alone_has_are_compared_and_written(kind):
    x, y = ODD[kind], [0, 0, 1] * 20
    x = np.fromiter(x, dtype=object, count=len(x))
    one, two = (pt.group(x, y, method="none") for _ in range(2))
    assert one == two
    assert one != pt.group(x, [1, *y[1:]], method="none")
    back = pt.from_dict(json.loads(json.dumps(one.to_dict())))
    assert back == one
    assert back.groups == one.groups
    assert back.assign(x).tolist() == one.assign(x).tolist()


def test_partitions_of_values_without_a_layout_are_compared_and_not_written():
    x = [("a", k % 3) for k in range(60)]
    one, two = (pt.group(pd.Series(x, name="pair"), [0, 0, 1] * 20) for _ in range(2))
    assert one == two
    assert one.merge(0, 1) == two.merge(0, 1)
    assert one.merge(0, 1) != two
    assert_refuses(
        one.to_dict,
        TypeError,
        "to_dict: values of column 'pair' must be text, numbers, booleans, bytes, times, periods "
        "or intervals, since a file holds no other types; got ('a', 0) of type tuple. Convert them "
        "to text before fitting, such as with .astype(str).",
    )


def test_equal_partitions_have_values_of_one_type():
    y = [0, 1] * 30
    numbers, text = (pt.group(x, y) for x in ([0, 1] * 30, ["0", "1"] * 30))
    truths = pt.group([False, True] * 30, y)
    assert numbers == pt.group([0.0, 1.0] * 30, y)
    assert numbers != text
    assert numbers != truths


def test_a_table_shows_halves_of_pairs_by_their_numbers():
    values = pd.Series(["\ud800", "x"] * 30, dtype=object)
    groups = pt.group(values, [0, 1] * 30)
    shown = groups.table()["part"].tolist()[:2]  # as it is, where text of pandas may hold it
    assert [as_unicode(text) for text in shown] == ["{\\ud800}", "{x}"]
    assert groups.assign(values).tolist() == [0, 1] * 30
