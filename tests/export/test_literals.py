"""Values of every type in every dialect of SQL: written, or refused where no column holds them."""

import datetime

import numpy as np
import pytest

from partage._export.dialects import DIALECTS

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
