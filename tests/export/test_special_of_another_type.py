"""A special value of another type than the groups, such as -999 among texts, keeps its code."""

import sqlite3

import numpy as np
import pandas as pd
import pytest

import partage as pt

CITY = np.array(["a", "b", "c"] * 100, dtype=object)
CITY[:40] = -999
Y = np.where(np.arange(300) < 40, "no", np.where(CITY == "a", "yes", "no"))
Y[::7] = "yes"
FRAME = pd.DataFrame({"city": CITY})
NEW = ["a", "b", -999, None, "new"]


@pytest.mark.parametrize("output", ["code", "woe"])
def test_python_source_gives_what_transform_gives(output):
    enc = pt.TablePartitioner(special_values=[-999], output=output).fit(FRAME, Y)
    scope = {}
    exec(enc.to_python(), scope)
    frame = pd.DataFrame({"city": np.array(NEW, dtype=object)})
    expected = np.asarray(enc.transform(frame)).ravel().tolist()
    found = [next(iter(scope["transform"]({"city": value}).values())) for value in NEW]
    assert found == expected


def test_sql_gives_the_code_to_the_text_of_the_value():
    duckdb = pytest.importorskip("duckdb")
    p = pt.group(CITY, Y, special_values=[-999])
    table = pd.DataFrame({"x": ["a", "b", "-999", None, "new"]})
    query = f"SELECT {p.to_sql('duckdb')} FROM table_"
    with duckdb.connect() as connection:
        connection.register("table_", table)
        found = [row[0] for row in connection.execute(query).fetchall()]
    assert found == p.assign(NEW).tolist()


@pytest.mark.parametrize("kind", ["TEXT", ""])
def test_sqlite_gives_the_code_to_numbers_and_texts(kind):
    p = pt.group(CITY, Y, special_values=[-999])
    with sqlite3.connect(":memory:") as connection:
        connection.execute(f"CREATE TABLE t (x {kind})")
        connection.executemany("INSERT INTO t VALUES (?)", [(value,) for value in NEW])
        found = [row[0] for row in connection.execute(f"SELECT {p.to_sql('sqlite')} FROM t")]
    connection.close()
    assert found == p.assign(NEW).tolist()


def test_special_value_that_no_row_held_is_left_out():
    texts = ["a", "b", "c"] * 100
    assert "999" not in pt.group(texts, Y, special_values=[-999]).to_sql("duckdb")


def test_value_that_is_a_text_of_a_group_too_is_refused():
    values = CITY.copy()
    values[60:80] = "-999"
    p = pt.group(values, Y, special_values=[-999])
    with pytest.raises(
        ValueError,
        match=r"^Groups\.to_sql: a column of SQL holds values of one type; column 'x' was fitted "
        r"with text and the special value -999\. Convert both to text before fitting\.$",
    ):
        p.to_sql("duckdb")
