"""Where cuts are placed changes no part of the fitted rows, whatever the values and the way."""

import decimal
import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import partage as pt
from engine_frames import QUIET_ENGINES, hostile_table
from helpers import ROUND_TRIPS, examples
from partage._data.cut_places import place_cut
from partage.engines import scan
from strategies import columns

pytestmark = QUIET_ENGINES
STYLES = ("midpoint", "simple")


def codes_of(make, X, y, **options):
    """Codes of the fitted rows under each style."""
    found = [make(cut_style=style, **options).fit(X, y) for style in STYLES]
    return [np.asarray(model.transform(X)) for model in found], found


@pytest.fixture(scope="module")
def hostile():
    """Make a table of every kind of column, and its target."""
    table = hostile_table()
    return table.drop("class"), table["class"].to_list()


def test_every_kind_of_column_keeps_its_parts(hostile):
    X, y = hostile
    (one, two), (midpoint, simple) = codes_of(pt.TablePartitioner, X, y)
    assert np.array_equal(one, two)
    moved = [
        name
        for name, p in midpoint.partitions_.items()
        if hasattr(p, "cuts") and p.cuts.tolist() != simple[name].cuts.tolist()
    ]
    assert len(moved) >= 5
    for name in midpoint.partitions_:
        assert midpoint[name].counts.tolist() == simple[name].counts.tolist()
        assert midpoint[name].cost == simple[name].cost


@settings(max_examples=examples(100))
@given(column=columns(missing=True), scale=st.sampled_from([1.0, 1 / 3, 1e-300, 1e18]))
def test_parts_of_floats_stay(column, scale):
    x, y = np.asarray(column[0]) * scale, column[1]
    found = [pt.discretize(x, y, cut_style=style) for style in STYLES]
    assert np.array_equal(*(p.assign(x) for p in found))
    narrow = x.astype(np.float32)
    found = [pt.discretize(narrow, y, cut_style=style) for style in STYLES]
    assert np.array_equal(*(p.assign(narrow) for p in found))
    for p in found:
        codes = p.assign(narrow)
        held = [int((codes == k).sum()) for k in range(p.n_parts)]
        assert held == p.rows.tolist()


@pytest.mark.parametrize("dtype", ["int64", "uint64", "datetime64[ns]", "timedelta64[us]"])
@settings(max_examples=examples(60))
@given(
    values=st.lists(st.integers(0, 2**63 - 1) | st.integers(2**61, 2**61 + 40), min_size=4),
    seed=st.integers(0, 99),
)
def test_parts_of_whole_keys_stay(dtype, values, seed):
    x = np.array(values, dtype=np.int64).astype(dtype)
    x = x + np.uint64(2**63) if dtype == "uint64" else x
    y = np.random.default_rng(seed).integers(0, 2, len(x))
    n_parts = min(2, len(np.unique(x)))
    found = [pt.discretize(x, y, n_parts=n_parts, cut_style=style) for style in STYLES]
    assert np.array_equal(*(p.assign(x) for p in found))
    assert found[0].counts.tolist() == found[1].counts.tolist()


@pytest.mark.parametrize("make", [pt.DataBinarizer, pt.LADClassifier, pt.NaiveBayesClassifier])
def test_conditions_and_classifiers_keep_what_they_say(make):
    frame, y = iris()
    models = [make(cut_style=style).fit(frame, y) for style in STYLES]
    outputs = [
        model.transform(frame) if make is pt.DataBinarizer else model.predict_proba(frame)
        for model in models
    ]
    assert np.array_equal(*outputs)


def iris():
    """Read the table of iris, and its classes."""
    from sklearn.datasets import load_iris

    return load_iris(return_X_y=True, as_frame=True)


def test_scorecards_take_the_style_of_their_partitioner_or_their_own():
    frame, y = iris()
    frame, y = (10 * frame).round(), y == 2
    own = pt.Scorecard(cut_style="simple").fit(frame, y)
    given_one = pt.Scorecard(
        partitioner=pt.TablePartitioner(
            cut_style="simple", max_parts=8, monotonic="auto", min_part_size=0.05
        ),
        min_parts=8,
    ).fit(frame, y)
    plain = pt.Scorecard().fit(frame, y)
    assert own.table().equals(given_one.table())
    assert np.array_equal(own.points(frame), plain.points(frame))
    assert not own.table().equals(plain.table())
    with pytest.raises(
        ValueError, match=r"^Scorecard: cut_style must be 'midpoint' or 'simple'; got 'x'\.$"
    ):
        pt.Scorecard(cut_style="x").fit(frame, y)


def test_pieces_counts_and_engines_place_the_same_cuts(hostile):
    X, y = hostile
    names = ["float", "integer", "beyond", "decimal", "date"]
    whole = pt.TablePartitioner(cut_style="simple").fit(X.select(names), y)
    pieces = pt.TablePartitioner(cut_style="simple")
    for rows in (slice(0, 300), slice(300, None)):
        pieces.partial_fit(X.select(names)[rows], y[rows])
    table = X.select(names).with_columns(pl.Series("y", y))
    lazy = pt.TablePartitioner(cut_style="simple").fit(table.lazy(), target="y")
    for name in names:
        counted = pt.Contingency.of(table, name, "y").discretize(cut_style="simple")
        wanted = whole[name].labels()
        assert len(wanted) > 1
        for p in (pieces[name], lazy[name], counted):
            assert p.labels() == wanted


def test_a_column_of_two_passes_keeps_its_parts():
    rng = np.random.default_rng(3)
    x = rng.random(30_000)
    y = (rng.random(30_000) < np.where(x < 0.3712345, 0.3, 0.7)).astype(int)
    table = pl.LazyFrame({"x": x, "y": y})
    found = [
        pt.Discretizer(cut_style=style).fit(scan(table, most_values=2000), target="y")["x"]
        for style in STYLES
    ]
    assert [p.exact_counts for p in found] == [False, False]
    assert np.array_equal(*(p.assign(x) for p in found))
    assert all(len(str(cut)) < 9 for cut in found[1].cuts.tolist())
    codes = found[1].assign(x)
    assert [int((codes == k).sum()) for k in range(found[1].n_parts)] == found[1].rows.tolist()


def test_given_cuts_segments_and_edits_stay_as_they_are():
    rng = np.random.default_rng(1)
    x = rng.integers(18, 80, 3000).astype(float)
    y = rng.random(3000) < np.where(x < 40, 0.2, 0.6)
    month = rng.choice(["a", "b"], 3000)
    p = pt.discretize(x, y, user_cuts=[33.333], cut_style="simple", monotonic="auto", by=month)
    assert 33.333 in p.cuts
    assert all(cut == 33.333 or cut == int(cut) for cut in p.cuts.tolist())
    only = pt.discretize(x, y, candidate_cuts=[39.25, 50.75], cut_style="simple")
    assert set(only.cuts.tolist()) <= {39.25, 50.75}
    split = p.split(0, at=20.125)
    assert split.cuts[0] == 20.125
    assert p.set_cuts([22.22]).cuts.tolist() == [22.22]


def test_a_cut_of_an_edit_between_two_keys_leaves_the_upper_one_above():
    x = np.array([2**54, 2**54 + 1, 2**54 + 2, 2**54 + 3] * 10)
    p = pt.discretize(x, [0, 0, 1, 1] * 10)
    half = decimal.Decimal(2**54) + decimal.Decimal("0.5")
    assert p.set_cuts([half]).assign(x).tolist() == [0, 1, 1, 1] * 10
    days = pd.to_datetime(["2024-01-01", "2024-01-02", "2024-01-03", "2024-01-04"] * 10)
    p = pt.discretize(days.to_numpy().astype("datetime64[s]"), [0, 0, 1, 1] * 10)
    late = p.set_cuts([np.datetime64("2024-01-01T23:59:59.5", "ms")])
    assert late.assign(days.to_numpy().astype("datetime64[s]")).tolist() == [0, 1, 1, 1] * 10


def test_explanations_place_further_cuts_in_the_same_style():
    x = [1, 2, 3, 4, 5, 6, 7, 8] * 20
    y = list("aaaabbbb") * 20
    p = pt.discretize(x, y, cut_style="simple")
    assert p.explain().facts["moves"][0][0] == "cut 4 moved to 3"
    assert pt.discretize(x, y).explain().facts["moves"][0][0] == "cut 4.5 moved to 3.5"
    for again in ROUND_TRIPS.values():
        assert str(again(p).explain()) == str(p.explain())


def test_models_keep_their_style(tmp_path):
    frame, y = iris()
    enc = pt.TablePartitioner(cut_style="simple", round_cuts=1.5).fit(frame, y)
    enc.save(tmp_path / "model.json")
    again = pt.load(tmp_path / "model.json")
    assert again.get_params() == enc.get_params()
    assert [p.labels() for p in again.partitions_.values()] == [
        p.labels() for p in enc.partitions_.values()
    ]
    plain = enc["petal width (cm)"].to_dict()
    assert plain["cut_style"] == "simple"
    old = {key: value for key, value in plain.items() if key != "cut_style"}
    assert pt.from_dict(json.loads(json.dumps(old))).rule.cut_style == "midpoint"
    with pytest.raises(pt.exceptions.PartageError, match="no style of cuts is called 'bold'"):
        pt.from_dict(plain | {"cut_style": "bold"})


def test_cuts_of_the_fit_are_placed_between_neighbours(hostile):
    X, y = hostile
    enc = pt.TablePartitioner(cut_style="simple").fit(X, y)
    p = enc["integer"]
    values = sorted({v for v in X["integer"].to_list() if v is not None})
    for cut in p.cuts.tolist():
        low = max(v for v in values if v <= cut)
        high = min(v for v in values if v > cut)
        assert cut == place_cut(p.kind, float(low), float(high), "simple")
