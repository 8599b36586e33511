"""``transform`` of a lazy table: a lazy table of its engine, equal to that of memory."""

import datetime
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest

import partage as pt
from engine_frames import LEVELS, QUIET_ENGINES, engine_parameters, hostile_table, in_memory
from helpers import assert_refuses

pytestmark = QUIET_ENGINES


def collected(frame):
    """Rows of a lazy frame, in the order of their number."""
    return in_memory(frame).sort("row")


@pytest.fixture(scope="module")
def table():
    return hostile_table(400, seed=2).with_row_index("row").cast({"row": pl.Int64})


@pytest.fixture(scope="module")
def fitted(table):
    return pt.TablePartitioner(ordered={"level": LEVELS}).fit(table.drop("row"), target="class")


def test_codes_are_those_of_memory(table, fitted, lazy):
    found = collected(fitted.transform(lazy(table)))
    assert found.columns == ["row", "class", *fitted.partitions_]
    assert found["row"].to_list() == table["row"].to_list()
    assert found["class"].to_list() == table["class"].to_list()
    wanted = fitted.transform(table.drop("row", "class"))
    for i, name in enumerate(fitted.partitions_):
        assert found[name].to_list() == wanted[:, i].tolist(), name


@pytest.mark.parametrize("engine", engine_parameters(["duckdb", "polars"]))
@pytest.mark.parametrize("output", ["onehot", "label", "rate", "woe"])
def test_every_output_is_that_of_memory(output, engine, lazy):
    table = hostile_table(300, seed=8).select("float", "text", "boolean", "class")
    enc = pt.TablePartitioner(output=output).fit(table, target="class")
    numbered = table.with_row_index("row").cast({"row": pl.Int64})
    found = collected(enc.transform(lazy(numbered)))
    wanted = enc.transform(table.drop("class"))
    names = enc.get_feature_names_out().tolist()
    assert found.columns == ["row", "class", *names], engine
    for i, name in enumerate(names):
        assert found[name].to_list() == wanted[:, i].tolist(), name


def test_long_list_of_values_is_joined_not_tested_one_by_one(lazy):
    rng = np.random.default_rng(0)
    code = rng.integers(0, 1500, 6000)
    text = [f"it's {v}" for v in code]
    y = np.where(rng.random(6000) < np.where(code % 3 == 0, 0.9, 0.1), "a", "b")
    table = pl.DataFrame({"text": text, "class": y})
    enc = pt.Grouper(method="modl-standard").fit(table, target="class")
    assert enc.partitions_["text"].n_parts > 1
    new = pl.DataFrame({"text": [*text[:300], None, "", "unseen"]})
    numbered = new.with_row_index("row").cast({"row": pl.Int64})
    found = collected(enc.transform(lazy(numbered)))
    assert found["text"].to_list() == enc.transform(new).ravel().tolist()


@pytest.mark.parametrize("engine", engine_parameters(["duckdb"]))
def test_query_of_a_long_list_has_no_branch_for_each_value(engine, lazy):
    text = [f"v{i}" for i in range(2000)] * 2
    table = pl.DataFrame({"text": text, "class": [i % 2 for i in range(2000)] * 2})
    enc = pt.Grouper(method="modl-standard").fit(table, target="class")
    query = enc.transform(lazy(table)).sql_query()
    assert query.count("CASE") < 20, engine
    assert "JOIN" in query


def test_uninformative_columns_are_left_out():
    table = hostile_table(300, seed=9).select("float", "constant", "class")
    enc = pt.TablePartitioner(drop_uninformative=True).fit(table, target="class")
    assert enc.transform(table.lazy()).collect_schema().names() == ["class", "float"]


def test_what_cannot_be_transformed_is_refused():
    table = hostile_table(300, seed=9).select("float", "integer", "class")
    enc = pt.TablePartitioner(output="rate").fit(table, target="class")
    assert_refuses(
        lambda: enc.transform(table.lazy().drop("float")),
        ValueError,
        "TablePartitioner.transform: X must have the columns that were fitted; 'float' is "
        "missing, X has 'integer', 'class'.",
    )
    extra = table.lazy().with_columns(pl.lit(0).alias("float_no"))
    assert_refuses(
        lambda: enc.transform(extra),
        ValueError,
        "TablePartitioner.transform: the columns of the result must differ in name; 'float_no' "
        "would stand twice. Drop or rename the column that was not fitted.",
    )


def test_another_type_than_fitted_is_refused_from_the_schema(lazy):
    table = pl.DataFrame({"text": ["0", "1"] * 50, "class": [0, 1] * 50})
    enc = pt.Grouper().fit(table, target="class")
    numbers = pl.DataFrame({"text": [0, 1], "class": [0, 1]})
    assert_refuses(
        lambda: enc.transform(lazy(numbers)),
        ValueError,
        "Grouper.transform: column 'text' must hold text as in fit; got numbers, which would all "
        "be unseen values. Cast the column to text, or fit again.",
    )


def instants(zone):
    """Half hours around the hour that clocks in Paris repeat."""
    times = pl.datetime_range(
        pl.datetime(2024, 10, 26, 20), pl.datetime(2024, 10, 27, 7, 30), "30m", eager=True
    )
    zoned = times.dt.replace_time_zone("UTC").dt.convert_time_zone(zone) if zone else times
    return pl.DataFrame({"row": range(24), "at": zoned, "class": [0] * 10 + [1] * 14})


@pytest.mark.parametrize("zone", ["Europe/Paris", "America/New_York"])
def test_instants_are_those_of_memory(zone, lazy):
    enc = pt.Discretizer().fit(instants("Europe/Paris").drop("row"), target="class")
    found = collected(enc.transform(lazy(instants(zone))))
    assert found["at"].to_list() == [0] * 10 + [1] * 14


@pytest.mark.parametrize("engine", engine_parameters(["duckdb", "polars"]))
def test_special_instants_are_those_of_memory(engine, lazy):
    first = datetime.datetime(2024, 10, 26, 20, tzinfo=datetime.UTC)
    enc = pt.Discretizer(special_values=[first])
    enc.fit(instants("Europe/Paris").drop("row"), target="class")
    found = collected(enc.transform(lazy(instants("Asia/Tokyo"))))
    assert found["at"].to_list() == [4] + [0] * 9 + [1] * 14, engine


@pytest.mark.parametrize(
    ("zone", "exact"),
    [("Europe/Paris", True), ("Europe/Paris", False), ("America/New_York", True)],
)
def test_instants_are_counted_as_in_memory(zone, exact, lazy):
    table = instants(zone).drop("row")
    source = pt.engines.scan(lazy(table), exact=exact, most_values=4)
    found = pt.Discretizer().fit(source, target="class").partitions_["at"]
    wanted = pt.Discretizer().fit(table, target="class").partitions_["at"]
    assert found.cut_keys.tolist() == wanted.cut_keys.tolist()
    if "spark" not in type(lazy(table)).__module__:
        assert found.cuts.tolist() == wanted.cuts.tolist()
        assert found.kind.zone != ""


# Spark gives times without a zone that of the session.
@pytest.mark.parametrize("engine", engine_parameters(["duckdb", "polars", "dask", "ibis"]))
def test_instants_and_times_without_a_zone_do_not_mix(engine, lazy):
    zoned, naive = instants("Europe/Paris"), instants(None)
    enc = pt.Discretizer().fit(zoned.drop("row"), target="class")
    assert enc.partitions_["at"].kind.zone == "Europe/Paris", engine
    with pytest.raises(TypeError, match="column 'at' must hold times with a zone as in fit"):
        enc.transform(lazy(naive))
    enc = pt.Discretizer().fit(naive.drop("row"), target="class")
    with pytest.raises(TypeError, match="column 'at' must hold times without a zone as in fit"):
        enc.transform(lazy(zoned))


def test_text_of_times_is_read_as_in_memory(lazy):
    times = instants(None)
    enc = pt.Discretizer().fit(times.drop("row"), target="class")
    text = times["at"].dt.strftime("%Y-%m-%dT%H:%M").to_list()
    text[1:5] = ["2024-10-26", "2024-10-27 08:00:00", " 2024-10-27T00:59:59.5", None]
    table = times.with_columns(at=pl.Series(text))
    wanted = enc.transform(table.drop("row", "class"))[:, 0].tolist()
    assert collected(enc.transform(lazy(table)))["at"].to_list() == wanted
    with pytest.raises(Exception, match=r"27/10/2024|to `datetime"):
        collected(enc.transform(lazy(table.with_columns(at=pl.lit("27/10/2024")))))


FITTED = {
    "numbers": np.arange(200.0),
    "large integers": np.arange(200) + 2**60,
    "times": pd.date_range("2024-01-01", periods=200, freq="h"),
    "durations": pd.to_timedelta(np.arange(200), unit="h"),
}


@pytest.mark.parametrize("fitted", FITTED)
def test_gaps_of_lazy_frames_are_missing(fitted):
    model = pt.TablePartitioner().fit(pd.DataFrame({"a": FITTED[fitted]}), np.repeat([0, 1], 100))
    missing = model.partitions_["a"].missing_code
    gaps = [pl.Series([None], dtype=pl.Null)]
    if fitted in ("numbers", "large integers"):
        gaps += [pl.Series([None], dtype=pl.Int32), pl.Series([math.nan])]
    for gap in gaps:
        found = model.transform(pl.LazyFrame({"a": gap}))
        assert found.collect()["a"].to_list() == [missing]


@pytest.mark.parametrize("fitted", FITTED)
def test_lazy_columns_of_another_kind_are_refused(fitted):
    model = pt.TablePartitioner().fit(pd.DataFrame({"a": FITTED[fitted]}), np.repeat([0, 1], 100))
    kind = model.partitions_["a"].kind.plural
    others = {"numbers": pl.Float64, "dates or times": pl.Datetime("us"), "durations": pl.Duration}
    text = [] if kind == "dates or times" else [pl.String]  # which may be that of times
    for dtype in [*text, *(dtype for name, dtype in others.items() if name != kind)]:
        lazy = pl.LazyFrame({"a": pl.Series([None], dtype=dtype)})
        with pytest.raises(TypeError, match=f"column 'a' must hold {kind} as in fit; got "):
            model.transform(lazy)
