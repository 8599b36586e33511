"""Contingencies: counts that add up, are kept in files, and give the partitions of the rows."""

import datetime
import decimal
import json
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import partage as pt
from helpers import assert_refuses, repeat_rows


def same_partition(found, wanted):
    """Check that two partitions are equal in all they say."""
    left, right = found.to_dict(), wanted.to_dict()
    left.pop("library"), right.pop("library")
    assert left == right


def table(seed, n=400):
    """Rows with repeated numbers, text with gaps, and three classes that both say much of."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 60, n).astype(float)
    city = rng.choice(["", "Lyon", "Nice", "Paris", "Rome"], n).astype(object)
    y = np.where(x > 30, "c", np.where(city == "Nice", "b", "a"))
    y = np.where(rng.random(n) < 0.2, rng.choice(["a", "b", "c"], n), y)
    x[rng.random(n) < 0.1] = np.nan
    city[rng.random(n) < 0.1] = None
    return pd.DataFrame({"x": x, "city": city, "w": rng.integers(1, 4, n), "class": y})


def test_counts_are_those_of_a_cross_table():
    frame = table(1)
    wanted = pd.crosstab(frame["x"], frame["class"])
    counts = pt.Contingency.of(frame, "x", "class")
    assert counts.values.tolist() == wanted.index.tolist()
    assert counts.classes.tolist() == wanted.columns.tolist()
    assert counts.counts.tolist() == wanted.to_numpy().tolist()
    gone = frame[frame["x"].isna()]["class"].value_counts()
    assert counts.missing_counts.tolist() == [gone.get(label, 0) for label in "abc"]
    assert (counts.n_rows, counts.n_values, counts.total_weight) == (400, len(wanted), 400.0)


def test_counts_of_categories_keep_the_empty_string_apart_from_missing():
    frame = table(2)
    counts = pt.Contingency.of(frame, "city", "class")
    assert counts.values.tolist() == ["", "Lyon", "Nice", "Paris", "Rome"]
    wanted = pd.crosstab(frame["city"], frame["class"])
    assert counts.counts.tolist() == wanted.to_numpy().tolist()


@given(seed=st.integers(0, 10**6), missing=st.sampled_from(["separate", "merge"]))
def test_partition_from_counts_is_that_of_the_rows(seed, missing):
    frame = table(seed, 120)
    counts = pt.Contingency.of(frame, "x", "class")
    rows = pt.discretize(frame["x"], frame["class"], missing=missing)
    same_partition(counts.discretize(missing=missing), rows)
    counts = pt.Contingency.of(frame, "city", "class")
    same_partition(
        counts.group(missing=missing), pt.group(frame["city"], frame["class"], missing=missing)
    )


def test_long_column_of_repeated_values_takes_the_road_of_its_rows():
    rng = np.random.default_rng(5)
    x = rng.integers(0, 5000, 60_000) / 8
    y = (rng.random(60_000) < 0.5 + 0.2 * np.sin(x / 40)).astype(int)
    frame = pd.DataFrame({"x": x, "class": y})
    counts = pt.Contingency.of(frame, "x", "class")
    same_partition(counts.discretize(), pt.discretize(frame["x"], y))


def test_weights_count_beside_rows():
    frame = table(3)
    counts = pt.Contingency.of(frame, "x", "class", sample_weight="w")
    assert counts.n_rows == 400
    assert counts.total_weight == frame["w"].sum()
    weighted = pt.discretize(frame["x"], frame["class"], sample_weight=frame["w"])
    same_partition(counts.discretize(), weighted)
    x, y = repeat_rows(frame["w"], frame["x"].to_numpy(), frame["class"].to_numpy())
    assert pt.discretize(x, y).cost == weighted.cost


@pytest.mark.parametrize("n_pieces", [1, 2, 5])
@pytest.mark.parametrize("column", ["x", "city"])
def test_pieces_add_up_to_the_whole(n_pieces, column):
    frame = table(4).sample(frac=1, random_state=n_pieces)
    pieces = [
        pt.Contingency.of(piece, column, "class")
        for _, piece in frame.groupby(np.arange(len(frame)) % n_pieces)
    ]
    whole = pt.Contingency.of(frame, column, "class")
    for added in (sum(pieces), sum(pieces[::-1])):
        assert added.values.tolist() == whole.values.tolist()
        assert added.counts.tolist() == whole.counts.tolist()
        assert added.missing_counts.tolist() == whole.missing_counts.tolist()
        assert added.n_rows == whole.n_rows


def test_class_of_one_piece_only_is_known_to_the_sum():
    one = pt.Contingency.of(pd.DataFrame({"x": [1, 2], "y": ["b", "b"]}), "x", "y")
    two = pt.Contingency.of(pd.DataFrame({"x": [2, 3], "y": ["aa", "b"]}), "x", "y")
    assert (one + two).classes.tolist() == ["aa", "b"]
    assert (one + two).counts.tolist() == [[0, 1], [1, 1], [0, 1]]


BIG = 2**60
DAY = datetime.date(2026, 3, 1)
COLUMNS = {
    "float": pl.Series([1.5, -0.0, 0.0, float("inf"), float("-inf"), None, float("nan")]),
    "integer": pl.Series([BIG, BIG + 1, BIG + 2, -5, 0, None, 7]),
    "unsigned": pl.Series([2**63 + 1, 2**63 + 2, 0, 1, 2, None, 3], dtype=pl.UInt64),
    "decimal": pl.Series([decimal.Decimal(v) for v in ("1.25", "1.26", "0", "-3")] + [None] * 3),
    "date": pl.Series([DAY + datetime.timedelta(d) for d in range(6)] + [None]),
    "time": pl.Series([datetime.datetime(2026, 1, 1, h) for h in range(6)] + [None]),
    "boolean": pl.Series([True, False, None, True, True, False, False]),
    "text": pl.Series(["a", "", "é", None, "a b", "'", '"']),
    "enum": pl.Series(["low", "high", "mid", None, "low", "low", "mid"]).cast(
        pl.Enum(["low", "mid", "high", "never"])
    ),
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_counts_of_every_kind_survive_a_file(kind, tmp_path):
    frame = pl.DataFrame({"v": COLUMNS[kind], "class": ["a", "b", "a", "b", "a", "b", "a"]})
    counts = pt.Contingency.of(frame, "v", "class")
    counts.save(tmp_path / "counts.npz")
    read = pt.Contingency.load(tmp_path / "counts.npz")
    assert repr(read) == repr(counts)
    assert read.values.tolist() == counts.values.tolist()
    assert read.values.dtype == counts.values.dtype
    assert read.counts.tolist() == counts.counts.tolist()
    assert read.missing_counts.tolist() == counts.missing_counts.tolist()
    doubled = read + counts
    assert doubled.counts.tolist() == (2 * counts.counts).tolist()
    fit = "discretize" if kind in list(COLUMNS)[:6] else "group"
    rows = pl.concat([frame, frame])
    wanted = getattr(pt, fit)(rows["v"], rows["class"], n_parts=2)
    same_partition(getattr(doubled, fit)(n_parts=2), wanted)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ([1, 2], [BIG, BIG + 1]),
        ([1, BIG + 1], [0.5, 1.5]),
        ([decimal.Decimal("1.5"), decimal.Decimal(2)], [decimal.Decimal("1.25"), None]),
        ([1, 2], [decimal.Decimal("1.25"), None]),
        (np.full(2, np.nan), [BIG, BIG + 1]),
        ([0, 5], np.array([2**63 + 5, 2**63 + 7], dtype=np.uint64)),
        (
            np.array(["2026-01-01", "2026-01-02"], dtype="M8[s]"),
            np.array(["2026-01-01T00:00:00.000001", "2026-01-05"], dtype="M8[us]"),
        ),
    ],
)
def test_numbers_of_several_kinds_are_told_apart_exactly(one, two):
    def counts(values):
        # Of objects, so that no library rounds them first.
        values = values if isinstance(values, np.ndarray) else pd.Series(values, dtype=object)
        frame = pd.DataFrame({"x": values, "y": ["a", "b"]})
        return pt.Contingency.of(frame, "x", "y", kind="numeric")

    both = counts(one) + counts(two)
    present = {v for v in [*list(one), *list(two)] if v is not None and v == v}
    assert both.n_values == len(present)
    assert both.n_rows == 4


def test_numbers_and_times_do_not_add_up():
    one = pt.Contingency.of(pd.DataFrame({"x": [1, 2], "y": [0, 1]}), "x", "y")
    times = pd.to_datetime(["2026-01-01", "2026-01-02"])
    two = pt.Contingency.of(pd.DataFrame({"x": times, "y": [0, 1]}), "x", "y")
    message = (
        "Contingency: column 'x' must be of one kind throughout; got dates or times and numbers."
    )
    assert_refuses(lambda: one + two, TypeError, message)


def test_what_cannot_be_counted_is_refused(tmp_path):
    frame = table(6)
    counts = pt.Contingency.of(frame, "x", "class")
    city = pt.Contingency.of(frame, "city", "class")
    names = "'x', 'city', 'w', 'class'"
    assert_refuses(
        lambda: pt.Contingency.of(frame, "age", "class"),
        ValueError,
        f"Contingency.of: data must have the column 'age'; it has {names}.",
    )
    assert_refuses(
        lambda: counts + city,
        ValueError,
        "Contingency: counts must be of one column to be added; got 'x' and 'city'.",
    )
    assert_refuses(
        lambda: counts.group(),
        TypeError,
        "Contingency.group: the values must be categories; column 'x' was counted as numbers. Use "
        "discretize, or count it with kind='categorical'.",
    )
    assert_refuses(
        lambda: city.discretize(),
        TypeError,
        "Contingency.discretize: the values must be numbers; column 'city' was counted as "
        "categories. Use group, or count it with kind='numeric'.",
    )
    with pytest.raises(TypeError, match=r"^Contingency.discretize: options must be among method, "):
        counts.discretize(parts=3)
    with pytest.raises(TypeError):
        counts + 1
    (tmp_path / "no.npz").write_bytes(b"PK no zip")
    message = r"^Contingency.load: path must be a file that Contingency.save wrote; got '.*no.npz'"
    with pytest.raises(pt.PartageError, match=message):
        pt.Contingency.load(tmp_path / "no.npz")


def change_array(name, change):
    """Change an array of a file of counts."""

    def changed(_, arrays):
        arrays[name] = change(arrays[name])

    return changed


def change_head(**given):
    """Change what a file of counts says of itself."""
    return lambda head, _: head.update(given)


def empty(_, arrays):
    """Leave no rows in a file of counts."""
    arrays.update({name: array[:0] for name, array in arrays.items()})


FORGED = [
    change_array("codes", lambda codes: codes.astype(int) - 1),
    change_array("codes", lambda codes: codes + 9),
    change_array("codes", lambda codes: codes.astype(int) + 65536),
    change_array("codes", lambda codes: codes * 1.0),
    change_array("weights", lambda weights: weights * math.nan),
    change_array("weights", lambda weights: -weights),
    change_array("weights", lambda weights: weights * 0.0),
    change_array("weights", lambda weights: weights * 0.0 + 1e308),
    change_array("weights", lambda weights: weights * 1e18),
    change_array("weights", lambda weights: weights[:-1]),
    change_array("rows", lambda rows: -rows),
    change_array("rows", lambda rows: rows + 0.5),
    change_array("keys", lambda keys: keys.astype(str)),
    change_array("keys", lambda keys: keys[:, None]),
    change_head(kind={"name": "frob", "unit": ""}),
    change_head(kind={"name": "datetime", "unit": "frob"}),
    change_head(kind={"name": "number"}),
    change_head(classes=["a"]),
    change_head(classes=None),
    empty,
]


@pytest.mark.parametrize("column", ["age", "city"])
@pytest.mark.parametrize("change", FORGED, ids=range(len(FORGED)))
def test_a_forged_file_is_refused(change, column, tmp_path):
    table = pd.DataFrame({"age": [20, 30, 30, 70, None], "city": list("abcab"), "y": list("aabba")})
    pt.Contingency.of(table, column, "y").save(tmp_path / "counts.npz")
    rewrite_counts(tmp_path / "counts.npz", change)
    with pytest.raises(pt.PartageError, match=r"^Contingency.load: .* is damaged: .*Count the d"):
        pt.Contingency.load(tmp_path / "counts.npz")


@pytest.mark.parametrize("levels", [["a", "b"], ["c", "b", "a"], ["a", "b", "c", "c"]])
def test_a_file_whose_levels_do_not_order_its_values_is_refused(levels, tmp_path):
    city = pd.Categorical(list("abcab"), ["a", "b", "c"], ordered=True)
    table = pd.DataFrame({"city": city, "y": list("aabba")})
    pt.Contingency.of(table, "city", "y").save(tmp_path / "counts.npz")
    rewrite_counts(tmp_path / "counts.npz", change_head(levels=levels))
    with pytest.raises(pt.PartageError, match=r"^Contingency.load: .* is damaged"):
        pt.Contingency.load(tmp_path / "counts.npz")


def test_a_file_of_numbers_whose_squares_are_none_is_refused(tmp_path):
    table = pd.DataFrame({"age": [20, 30, 70], "y": [0.5, 1.5, 2.5]})
    pt.Contingency.of(table, "age", "y").save(tmp_path / "counts.npz")
    rewrite_counts(tmp_path / "counts.npz", change_array("values", lambda values: values * 1e160))
    with pytest.raises(pt.PartageError, match=r"is damaged.*whose squares are numbers"):
        pt.Contingency.load(tmp_path / "counts.npz")


def test_a_value_without_rows_leaves_a_file(tmp_path):
    table = pd.DataFrame({"city": list("abcab"), "y": [0.5, 1.5, 2.5, 0.5, 1.0]})
    pt.Contingency.of(table, "city", "y").save(tmp_path / "counts.npz")
    rewrite_counts(tmp_path / "counts.npz", change_array("keys", lambda keys: keys * 0 + 1))
    counts = pt.Contingency.load(tmp_path / "counts.npz")
    assert counts.values.tolist() == ["b"]
    assert counts.group().n_parts == 1


def test_a_file_of_a_newer_layout_is_refused(tmp_path):
    table = pd.DataFrame({"age": [20, 30], "y": list("ab")})
    pt.Contingency.of(table, "age", "y").save(tmp_path / "counts.npz")
    rewrite_counts(tmp_path / "counts.npz", change_head(partage_contingency=9))
    assert_refuses(
        lambda: pt.Contingency.load(tmp_path / "counts.npz"),
        pt.PartageError,
        "Contingency.load: the layout must be at most 2; got 9, of a newer version of partage. "
        "Update partage.",
    )


def rewrite_counts(path, change):
    """Write a file of counts again after a change of its head or its arrays."""
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    head = json.loads(bytes(arrays.pop("head")))
    change(head, arrays)
    np.savez(path, head=np.frombuffer(json.dumps(head).encode(), dtype=np.uint8), **arrays)


ESTIMATORS = [pt.Discretizer, pt.Grouper, pt.TablePartitioner]


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_partial_fit_of_pieces_is_fit_of_the_whole(estimator):
    frame = table(7, 900)
    X = frame[["x", "w"]] if estimator is pt.Discretizer else frame[["x", "city"]]
    pieces = estimator()
    for start in range(0, 900, 250):
        piece = slice(start, start + 250)
        pieces.partial_fit(X[piece], frame["class"][piece])
    whole = estimator().fit(X, frame["class"])
    assert pieces.classes_.tolist() == whole.classes_.tolist()
    assert pieces.levels_.tolist() == whole.levels_.tolist()
    for name, partition in whole.partitions_.items():
        same_partition(pieces.partitions_[name], partition)
    assert (pieces.transform(X) == whole.transform(X)).all()


def test_partial_fit_takes_target_and_weights():
    frame = table(8)
    features = frame[["x", "city", "class"]]
    enc = pt.TablePartitioner()
    for start in (0, 100):
        piece = slice(start, start + 300 if start else 100)
        weights = frame["w"][piece]
        enc.partial_fit(features[piece], target="class", sample_weight=weights)
    whole = pt.TablePartitioner().fit(features, target="class", sample_weight=frame["w"])
    for name, partition in whole.partitions_.items():
        same_partition(enc.partitions_[name], partition)


def test_partial_fit_starts_anew_after_fit():
    one, two = table(9), table(11)
    enc = pt.Discretizer().partial_fit(one[["x"]], one["class"])
    enc.fit(one[["x"]], one["class"]).partial_fit(two[["x"]], two["class"])
    same_partition(enc.partitions_["x"], pt.discretize(two["x"], two["class"]))


def test_partial_fit_refuses_other_columns():
    frame = table(10)
    enc = pt.Discretizer().partial_fit(frame[["x"]], frame["class"])
    with pytest.raises(ValueError, match="feature names should match"):
        enc.partial_fit(frame[["w"]], frame["class"])
