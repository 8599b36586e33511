"""Exporters on other types than floats and text, other dialects, and bad input."""

import datetime
import decimal

import duckdb
import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest
import sqlglot

import partage as pt
from helpers import assert_refuses
from partage._export.expressions import code_expression

DAY = datetime.timedelta(days=1)
START = datetime.datetime(2020, 1, 1, 12)


def run_python(p, values):
    """Codes that the exported module gives."""
    module = {}
    exec(compile(p.to_python(), "exported", "exec"), module)
    return [module["transform"]({p.name: value})[p.name] for value in values]


@pytest.fixture
def run_sql(engines):
    """Give codes that an engine gives."""

    def run(p, values, engine, kind):
        opened = engines(engine)
        opened.load("t", {p.name: (kind, values)})
        _, rows = opened.query(f"SELECT {p.to_sql(engine)} FROM t ORDER BY row_id")
        return [row[0] for row in rows]

    return run


BIG = 2**60
COLUMNS = {
    "whole numbers beyond 2^53": [BIG + i for i in range(12)],
    "decimals": [decimal.Decimal(i) / 100 for i in range(12)],
    "datetimes": [START + i * DAY for i in range(12)],
    "dates": [(START + i * DAY).date() for i in range(12)],
}
SQL_TYPES = {
    "whole numbers beyond 2^53": "BIGINT",
    "decimals": "DECIMAL(20, 4)",
    "datetimes": "TIMESTAMP",
    "dates": "DATE",
}


@pytest.mark.parametrize("engine", ["duckdb", "postgres"])
@pytest.mark.parametrize("name", list(COLUMNS))
def test_intervals_of_other_types(name, engine, run_sql):
    values = COLUMNS[name]
    p = pt.discretize(pl.Series("x", values), [0] * 6 + [1] * 6)
    assert p.n_parts == 2
    asked = [*values, None]
    wanted = p.assign(pl.Series("x", asked)).tolist()
    assert run_python(p, asked) == wanted
    assert run_sql(p, asked, engine, SQL_TYPES[name]) == wanted


def test_groups_of_durations_are_told_in_python():
    durations = pd.Series(pd.to_timedelta([1, 2] * 20, unit="D"), name="x")
    p = pt.group(durations, [0, 1] * 20)
    asked = [DAY, 2 * DAY, 3 * DAY, durations[1], None]
    assert run_python(p, asked) == p.assign(asked).tolist() == [0, 1, 3, 1, 2]
    fine = pd.Series(np.array([1, 2] * 20, dtype="M8[ns]"), name="x")
    assert_refuses(
        lambda: pt.group(fine, [0, 1] * 20).to_python(),
        ValueError,
        "Groups.to_python: Python's times have a resolution of a microsecond; got "
        "1970-01-01T00:00:00.000000001. Round the column before fitting.",
    )


REPEATED = pd.date_range("2024-10-26T20:00", periods=24, freq="30min", tz="UTC")


@pytest.mark.parametrize("engine", ["duckdb", "postgres"])
def test_intervals_of_instants(engine, run_sql):
    times = pd.Series(REPEATED.tz_convert("Europe/Paris"), name="x")
    p = pt.discretize(times, [0] * 10 + [1] * 14)
    wanted = [0] * 10 + [1] * 14
    for zone in ("Europe/Paris", "Asia/Tokyo"):
        asked = [time.tz_convert(zone).to_pydatetime() for time in times]
        assert run_python(p, [*asked, None]) == [*wanted, 2]
        assert run_sql(p, [*asked, None], engine, "TIMESTAMP WITH TIME ZONE") == [*wanted, 2]


def test_instants_and_times_without_a_zone_are_told_apart():
    zoned = pd.Series(REPEATED, name="x")
    naive = zoned.dt.tz_localize(None)
    y = [0] * 10 + [1] * 14
    for fitted, given, word in ((zoned, naive, "with"), (naive, zoned, "without")):
        p = pt.discretize(fitted, y)
        with pytest.raises(TypeError, match=f"column 'x' must hold times {word} a zone; got"):
            run_python(p, [given[0].to_pydatetime()])
    assert_refuses(
        lambda: pt.discretize(zoned, y).to_sql("sqlite"),
        ValueError,
        "Intervals.to_sql: sqlite compares times as text, ignoring their zone; column 'x' was "
        "fitted in UTC. Convert it to UTC without a zone before fitting.",
    )
    for dialect in ("bigquery", "snowflake"):
        assert "2024-10-27 00:45:00" in pt.discretize(zoned, y).to_sql(dialect)


@pytest.mark.parametrize("engine", ["duckdb", "postgres"])
@pytest.mark.parametrize("name", list(COLUMNS))
def test_groups_of_other_types(name, engine, run_sql):
    values = COLUMNS[name][:4]
    p = pt.group(pl.Series("x", values * 20), [0, 1, 0, 1] * 20)
    assert p.n_parts == 2
    asked = [*COLUMNS[name][:6], None]
    wanted = p.assign(pl.Series("x", asked)).tolist()
    assert run_python(p, asked) == wanted
    assert run_sql(p, asked, engine, SQL_TYPES[name]) == wanted


def test_durations(run_sql):
    values = [i * DAY for i in range(12)]
    p = pt.discretize(pl.Series("x", values), [0] * 6 + [1] * 6)
    wanted = p.assign(pl.Series("x", values)).tolist()
    assert run_python(p, values) == wanted
    for engine in ("duckdb", "postgres"):
        assert run_sql(p, values, engine, "INTERVAL") == wanted


def test_sqlite_compares_times_as_its_python_module_stores_them(run_sql):
    values = [START + i * DAY / 7 for i in range(12)]
    p = pt.discretize(pl.Series("x", values), [0] * 6 + [1] * 6)
    wanted = p.assign(pl.Series("x", values)).tolist()
    assert run_sql(p, [v.isoformat(" ") for v in values], "sqlite", "TEXT") == wanted


def test_bytes_as_categories(run_sql):
    values = [b"\x00'", b"\\", b"", b"\xff"]
    p = pt.group(values * 20, [0, 1, 0, 1] * 20)
    asked = [*values, b"x", None]
    wanted = p.assign(asked).tolist()
    assert run_python(p, asked) == wanted
    for engine, kind in (("duckdb", "BLOB"), ("sqlite", "BLOB"), ("postgres", "BYTEA")):
        assert run_sql(p, asked, engine, kind) == wanted


def test_mixed_types_have_python_source_but_no_sql():
    values = [True, 1, "1", 2.5]
    p = pt.group(values * 20, [0, 1, 0, 1] * 20)
    asked = [*values, 1.0, False, "x", None]
    assert run_python(p, asked) == p.assign(asked).tolist()
    assert_refuses(
        lambda: p.to_sql(),
        ValueError,
        "Groups.to_sql: a column of SQL holds values of one type; column 'x' was fitted with "
        "boolean and number and text. Convert it to text before fitting.",
    )


@pytest.mark.parametrize("dialect", ["bigquery", "snowflake"])
@pytest.mark.parametrize("output", ["code", "woe", "label"])
def test_other_dialects_mean_the_same_to_an_independent_parser(dialect, output):
    rng = np.random.default_rng(2)
    texts = np.array(["it's", "a\\b", 'say "x"', "two\nlines", "plain", "`tick`"], dtype=object)
    frame = pd.DataFrame({"the x": np.round(rng.normal(size=800), 2), "t": rng.choice(texts, 800)})
    y = (frame["the x"] > 0.3) ^ frame["t"].isin(["a\\b", "it's", "two\nlines"])
    encoder = pt.TablePartitioner(output=output).fit(frame, y)
    frame.loc[::7, "the x"] = np.nan
    frame.loc[::9, "t"] = None
    ours = encoder.to_sql(dialect, table="frame")
    (translated,) = sqlglot.transpile(ours, read=dialect, write="duckdb")
    with duckdb.connect() as connection:
        connection.register("frame", frame)
        found = connection.execute(translated)
        assert [c[0] for c in found.description] == list(encoder.get_feature_names_out())
        rows = np.array(found.fetchall(), dtype=object)
    assert (rows == encoder.transform(frame).astype(object)).all()


@pytest.mark.parametrize("library", ["pandas", "polars", "lazy polars", "pyarrow", "duckdb"])
def test_expression_of_a_frame_gives_what_assign_gives(library):
    rng = np.random.default_rng(4)
    x = np.round(rng.normal(size=400), 2)
    t = rng.choice(np.array([f"v{i}" for i in range(30)], dtype=object), 400)
    y = (x > 0.2) ^ np.isin(t, [f"v{i}" for i in range(9)])
    numbers, groups = pt.discretize(x, y), pt.group(t, y)
    x[::11] = np.nan
    t[::13] = None
    t[::17] = "unseen"
    whole = pl.DataFrame({"x": x, "t": t.tolist()})
    native = {
        "pandas": whole.to_pandas(),
        "polars": whole,
        "lazy polars": whole.lazy(),
        "pyarrow": whole.to_arrow(),
        "duckdb": duckdb.from_arrow(whole.to_arrow()),
    }
    frame = nw.from_native(native[library])
    for p, name, values in ((numbers, "x", x), (groups, "t", t)):
        out = frame.select(code_expression(p.rule.decisions(), nw.col(name)).alias("code"))
        out = out.collect() if isinstance(out, nw.LazyFrame) else out
        assert out["code"].to_list() == p.assign(values).tolist()


@pytest.mark.parametrize("n_cuts", [1, 2, 999])
def test_many_cuts_of_a_lazy_frame(n_cuts):
    x = np.arange(n_cuts + 1, dtype=float)
    fitted = pt.Discretizer(n_parts=n_cuts + 1)
    fitted.fit(pd.DataFrame({"x": x}), np.arange(n_cuts + 1) % 2)
    p = fitted.partitions_["x"]
    asked = np.array([*x, *p.cuts, np.nan, np.inf, -np.inf])
    found = fitted.transform(pl.LazyFrame({"x": asked})).collect()
    assert found["x"].to_list() == p.assign(asked).tolist()


def test_ten_thousand_values_of_a_lazy_frame_go_by_a_join():
    values = [f"v{i}" for i in range(10_000)]
    fitted = pt.Grouper(method="none").fit(pd.DataFrame({"x": values}), np.arange(10_000) % 2)
    asked = [*values[::-1], "unseen", None]
    found = fitted.transform(pl.LazyFrame({"x": asked, "row": range(len(asked))}))
    assert found.collect_schema().names() == ["row", "x"]
    assert "JOIN" in found.explain()
    rows = found.sort("row").collect()
    assert rows["x"].to_list() == fitted.partitions_["x"].assign(asked).tolist()


@pytest.fixture
def two_parts():
    return pt.discretize([1.0, 2.0, 3.0, 4.0], [0, 0, 1, 1], n_parts=2)


def test_unknown_dialect(two_parts):
    assert_refuses(
        lambda: two_parts.to_sql("oracle"),
        ValueError,
        "Intervals.to_sql: dialect must be 'duckdb', 'postgres', 'sqlite', 'bigquery', "
        "'snowflake' or 'spark'; got 'oracle'.",
    )


@pytest.mark.parametrize("name", ["", "a\0b", "\ud800"])
def test_names_that_no_engine_can_store(two_parts, name):
    assert_refuses(
        lambda: two_parts.to_sql("postgres", column=name),
        ValueError,
        "Intervals.to_sql: a name in SQL must hold letters, and none that no engine can store; "
        f"got {name!r}. Rename it.",
    )


def test_column_must_be_a_name(two_parts):
    assert_refuses(
        lambda: two_parts.to_sql(column=3),
        TypeError,
        "Intervals.to_sql: column must be a name or None; got 3.",
    )


def test_bad_tables_and_kept_columns(steps):
    encoder = pt.Discretizer().fit(*steps)
    assert encoder.to_sql(table=("main", "t")).endswith('FROM "main"."t"')
    assert_refuses(
        lambda: encoder.to_sql(table=None),
        TypeError,
        "Discretizer.to_sql: table must be a name, or a tuple such as ('schema', 'table'); "
        "got None.",
    )
    assert_refuses(
        lambda: encoder.to_sql(keep=["noise"]),
        ValueError,
        "Discretizer.to_sql: keep must not name an output; got 'noise'.",
    )
    assert_refuses(
        lambda: encoder.to_sql(keep=[1]),
        TypeError,
        "Discretizer.to_sql: keep must name columns of the table; got 1.",
    )


def test_durations_have_no_sqlite():
    p = pt.discretize(pl.Series("x", [i * DAY for i in range(12)]), [0] * 6 + [1] * 6)
    with pytest.raises(ValueError, match=r"^Intervals\.to_sql: sqlite has no durations"):
        p.to_sql("sqlite")
