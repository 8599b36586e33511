"""Values of every type in every dialect of SQL: written, or refused where no column holds them."""

import datetime

import numpy as np
import pytest

import partage as pt
from partage._export.dialects import DIALECTS
from partage._export.python_source import literal

TIME = datetime.time(12, 30)
HALF = "a\ud800"  # half of a pair of letters: no text of a database


@pytest.mark.parametrize("name", DIALECTS)
def test_text_that_has_no_encoding_has_no_literal(name):
    assert DIALECTS[name].literal("who", HALF) is None
    assert DIALECTS[name].literal("who", "it's") not in (None, "'it's'")


def test_postgres_has_no_text_with_nul_and_duckdb_writes_it():
    assert DIALECTS["postgres"].literal("who", "a\0b") is None
    assert DIALECTS["duckdb"].literal("who", "a\0b") == "'a' || chr(0) || 'b'"


@pytest.mark.parametrize("name", DIALECTS)
def test_times_of_day_and_days_are_written(name):
    assert "12:30:00" in DIALECTS[name].literal("who", TIME)
    assert "2026-01-02" in DIALECTS[name].literal("who", datetime.date(2026, 1, 2))


def test_nanoseconds_have_a_type_of_their_own_in_duckdb():
    value = np.datetime64("2026-01-02T03:04:05.000000006", "ns")
    written = DIALECTS["duckdb"].literal("who", value)
    assert written == "CAST('2026-01-02 03:04:05.000000006' AS TIMESTAMP_NS)"


def test_whole_numbers_that_sqlite_cannot_hold_are_refused():
    with pytest.raises(ValueError, match=r"^who: sqlite holds integers of 64 bits with a sign; "):
        DIALECTS["sqlite"].literal("who", 2**63)
    assert DIALECTS["sqlite"].literal("who", 2**63 - 1) == str(2**63 - 1)


@pytest.mark.parametrize("name", DIALECTS)
def test_a_type_that_sql_does_not_know_is_refused(name):
    with pytest.raises(TypeError, match=r"^who: a value of type frozenset has no place in SQL; "):
        DIALECTS[name].literal("who", frozenset({1}))


def test_python_source_writes_instants_and_refuses_other_types():
    east = datetime.timezone(datetime.timedelta(hours=2))
    instant = datetime.datetime(2026, 1, 2, 3, tzinfo=east)
    written = literal("who", instant)
    assert eval(written, {"datetime": datetime}) == instant
    with pytest.raises(TypeError, match=r"^who: a value of type frozenset has no Python source; "):
        literal("who", frozenset({1}))


def test_a_grid_in_sql_needs_a_name_for_each_axis():
    grid = pt.grid([1.0, 2.0] * 20, list("ab") * 20, [0, 1] * 20)
    for names in (["x"], ["x", 3], "xy"):
        with pytest.raises(TypeError, match=r"^Grid.to_sql: column must hold 2 names or be None; "):
            grid.to_sql("duckdb", names)


@pytest.mark.parametrize("name", ["postgres", "sqlite"])
def test_values_that_no_column_holds_leave_the_sql(name):
    found = pt.group(["a\0b", "c\ud800", "d"] * 20, [0, 1, 1] * 20, special_values=["e\ud800"])
    written = found.to_sql(name, "x")
    assert "ud800" not in written
    assert "'d'" in written
