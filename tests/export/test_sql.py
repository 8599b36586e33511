"""SQL and Python source give what ``transform`` gives, run in real engines on hostile data."""

import math
import sqlite3

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import partage as pt
from helpers import FULL, examples
from partage._support.checks import CLASS_OUTPUTS
from sql_engines import ENGINES

TEXTS = [
    "",
    " ",
    "'",
    "''",
    '"',
    "\\",
    "\\'",
    "`",
    "'; DROP TABLE t; --",
    "a\nb",
    "a\tb",
    "%s",
    "?",
    ":x",
    "$1",
    "{0}",
    "NULL",
    "nan",
    "Zürich",
    "東京",
    "😀",
    "e\u0301",
    "é",
    "/* x */",
    "-- x",
    "E'\\\\'",
    "x" * 300,
    "\x01",
    "\u2028",
]
HOSTILE_NAMES = ['a"b', "a'b", "a`b", "select", "a b; --", "ä%s?", "a\\b", "$1 {x}"]


def run_python(source, frame):
    """Rows that the exported module gives."""
    module = {}
    exec(compile(source, "exported", "exec"), module)
    return [module["transform"](row) for row in frame.to_dict("records")]


def assert_exports_assign(opened, engine, p, kind, asked):
    """Check that SQL in an engine and the exported module give the codes of assign."""
    wanted = p.assign(asked).tolist()
    opened.load("t", {"x": (kind, asked)})
    _, rows = opened.query(f"SELECT {p.to_sql(engine)} FROM t ORDER BY row_id")
    assert [row[0] for row in rows] == wanted
    frame = pd.DataFrame({"x": asked}, dtype=object if kind == "text" else None)
    assert [row["x"] for row in run_python(p.to_python(), frame)] == wanted


def as_columns(frame):
    """Columns with the types of SQL."""
    found = {}
    for name in frame.columns:
        values = frame[name].tolist()
        present = [v for v in values if v is not None and v == v]
        kind = "text" if any(isinstance(v, str) for v in present) else "number"
        if present and all(isinstance(v, bool) for v in present):
            kind = "boolean"
        if kind != "number":
            values = [v if v == v else None for v in values]
        found[name] = (kind, values)
    return found


def assert_same(got, wanted):
    """Compare rows with an array, bit for bit."""
    assert len(got) == len(wanted)
    table = np.empty(wanted.shape, dtype=object)
    table[:] = [list(row) for row in got]
    assert np.array_equal(table, wanted.astype(object))


def check_everywhere(encoder, frame, engines, names=ENGINES):
    """Compare every exporter with transform."""
    wanted = encoder.transform(frame)
    titles = list(encoder.get_feature_names_out())
    rows = run_python(encoder.to_python(), frame)
    assert all(list(row) == titles for row in rows)
    assert_same([list(row.values()) for row in rows], wanted)
    for name in names:
        engine = engines(name)
        engine.load("some table", as_columns(frame))
        sql = encoder.to_sql(name, table="some table", keep="row_id")
        found, rows = engine.query(f"SELECT * FROM ({sql}) AS q ORDER BY row_id")
        # PostgreSQL keeps 63 bytes of a name.
        kept = [
            t.encode()[:63].decode(errors="ignore") if name == "postgres" else t for t in titles
        ]
        assert found == ["row_id", *kept]
        assert_same([row[1:] for row in rows], wanted)


def hostile_numbers(rng, n, cuts=()):
    """Numbers of every size, gaps, infinities, and every cut with its neighbours."""
    edges = [math.nextafter(c, d) for c in cuts for d in (-math.inf, math.inf)]
    pool = [math.nan, math.inf, -math.inf, 0.0, -0.0, 5e-324, -5e-324, 1.7e308, 0.1, 1 / 3]
    pool = np.array([*pool, *cuts, *edges])
    drawn = rng.normal(size=n) * 10.0 ** rng.integers(-12, 12, size=n)
    return np.where(rng.random(n) < 0.4, pool[rng.integers(0, len(pool), n)], drawn)


@pytest.fixture(scope="module")
def hostile():
    """Build a table of hostile names and values, its classes, and new rows."""
    rng = np.random.default_rng(11)
    n = 3_000
    number = np.round(rng.normal(size=n), 3)
    texts = np.array(TEXTS, dtype=object)
    text = texts[rng.integers(0, len(texts) - 4, n)]
    flag = rng.random(n) < 0.5
    whole = rng.integers(-5, 6, n).astype(float)
    label = (number > 0.1).astype(int) + 2 * np.isin(text, TEXTS[::3])
    label = np.where(rng.random(n) < 0.1, rng.integers(0, 3, n), np.minimum(label, 2))
    label = np.where((whole > 2) & (rng.random(n) < 0.6), 1, label)
    label = np.where(flag & (rng.random(n) < 0.3), 0, label)
    frame = pd.DataFrame({HOSTILE_NAMES[0]: number, HOSTILE_NAMES[1]: text, HOSTILE_NAMES[3]: flag})
    frame[HOSTILE_NAMES[2]] = np.where(rng.random(n) < 0.05, np.nan, whole)
    frame.loc[rng.random(n) < 0.05, HOSTILE_NAMES[1]] = None
    cuts = pt.discretize(number, label).cuts.tolist()
    m = 10_000 if FULL else 2_000
    new = pd.DataFrame(
        {
            HOSTILE_NAMES[0]: hostile_numbers(rng, m, cuts),
            HOSTILE_NAMES[1]: texts[rng.integers(0, len(texts), m)],
            HOSTILE_NAMES[3]: rng.random(m) < 0.5,
            HOSTILE_NAMES[2]: rng.choice([*range(-8, 9), np.nan, 0.5, np.inf], m),
        }
    )
    new.loc[rng.random(m) < 0.05, HOSTILE_NAMES[1]] = None
    return frame, label, new


@pytest.mark.parametrize("output", CLASS_OUTPUTS)
@pytest.mark.parametrize("engine", ENGINES)
def test_select_gives_what_transform_gives(hostile, engines, engine, output):
    frame, label, new = hostile
    encoder = pt.TablePartitioner(output=output, kinds={HOSTILE_NAMES[2]: "categorical"})
    encoder.fit(frame, label)
    assert min(p.n_parts for p in encoder.partitions_.values()) > 1
    check_everywhere(encoder, new, engines, [engine])


@pytest.mark.parametrize("missing", ["merge", "separate"])
@pytest.mark.parametrize("engine", ENGINES)
def test_two_classes_and_merged_missing_values(hostile, engines, engine, missing):
    frame, label, new = hostile
    encoder = pt.TablePartitioner(output="woe", missing=missing).fit(frame, label > 0)
    check_everywhere(encoder, new, engines, [engine])


@pytest.mark.parametrize("engine", ENGINES)
def test_scalar_expression_gives_what_assign_gives(hostile, engines, engine):
    frame, label, new = hostile
    p = pt.discretize(frame[HOSTILE_NAMES[0]], label)
    x = new[HOSTILE_NAMES[0]].tolist()
    opened = engines(engine)
    for name in HOSTILE_NAMES:
        opened.load("t", {name: ("number", x)})
        _, rows = opened.query(f"SELECT {p.to_sql(engine, column=name)} FROM t ORDER BY row_id")
        assert [row[0] for row in rows] == p.assign(x).tolist()


@pytest.mark.parametrize("method", ["modl", "none"])
@pytest.mark.parametrize("engine", ENGINES)
def test_ten_thousand_values(engines, engine, method):
    rng = np.random.default_rng(5)
    values = np.array([f"v'{i}\\" for i in range(10_000)], dtype=object)
    x = np.concatenate([values, values])
    y = (np.arange(20_000) % 10_000 < 4_000) ^ (rng.random(20_000) < 0.05)
    p = pt.group(x, y, method=method)
    assert p.n_parts == 10_000 or method == "modl"
    asked = [*values[:: 1 if method == "modl" else 200].tolist(), "unseen", None]
    assert_exports_assign(engines(engine), engine, p, "text", asked)


NUMBERS = st.one_of(
    st.floats(allow_nan=False),
    st.sampled_from([0.1, 0.2, 0.3, math.inf, -math.inf, -0.0, 1e22, 5e-324]),
    st.integers(-3, 3).map(float),
)


@pytest.mark.parametrize("engine", ENGINES)
@settings(max_examples=examples(15))
@given(x=st.lists(NUMBERS, min_size=4, max_size=40), data=st.data())
def test_any_numbers(engines, engine, x, data):
    y = data.draw(st.lists(st.sampled_from("ab"), min_size=len(x), max_size=len(x)))
    n_parts = data.draw(st.integers(1, len({v + 0.0 for v in x})))
    p = pt.discretize(x, y, n_parts=n_parts)
    edges = [math.nextafter(c, d) for c in p.cuts for d in (-math.inf, math.inf)]
    asked = [*x, *p.cuts.tolist(), *edges, math.nan, math.inf, -math.inf]
    assert_exports_assign(engines(engine), engine, p, "number", asked)


@pytest.mark.parametrize("engine", ENGINES)
@settings(max_examples=examples(15))
@given(x=st.lists(st.text(max_size=4) | st.none(), min_size=2, max_size=30), data=st.data())
def test_any_text(engines, engine, x, data):
    if engine == "postgres":  # its text holds no NUL
        x = [None if v is None else v.replace("\0", "0") for v in x]
    y = data.draw(st.lists(st.sampled_from("ab"), min_size=len(x), max_size=len(x)))
    p = pt.group(x, y, method=data.draw(st.sampled_from(["modl", "none"])))
    extra = data.draw(st.lists(st.text(max_size=4), max_size=5))
    asked = [*x, *(v.replace("\0", "0") for v in extra), "'", None]
    assert_exports_assign(engines(engine), engine, p, "text", asked)


def test_sqlite_reads_every_float_exactly():
    from partage._export.dialects import DIALECTS

    rng = np.random.default_rng(3)
    bits = rng.integers(0, 2**63, size=3_000, dtype=np.uint64)
    floats = [v for v in bits.view(np.float64).tolist() if math.isfinite(v)]
    floats += [-v for v in floats[:50]] + [0.1, 1e22, 1e23, 5e-324, 1.7976931348623157e308]
    connection = sqlite3.connect(":memory:")
    for value in floats:
        (read,) = connection.execute(f"SELECT {DIALECTS['sqlite'].number(value)}").fetchone()
        assert read == value
    connection.close()


def test_missing_values_that_were_refused_give_null_and_raise_in_python(engines):
    p = pt.discretize([1.0, 2.0, 3.0, 4.0], [0, 0, 1, 1], n_parts=2, missing="error")
    opened = engines("sqlite")
    opened.load("t", {"x": ("number", [1.0, None, 4.0])})
    _, rows = opened.query(f"SELECT {p.to_sql('sqlite')} FROM t ORDER BY row_id")
    assert rows == [(0,), (None,), (1,)]
    message = r"^transform: column 'x' must hold no missing values\.$"
    with pytest.raises(ValueError, match=message):
        run_python(p.to_python(), pd.DataFrame({"x": [math.nan]}))


@pytest.mark.parametrize("output", ["code", "label", "woe"])
@pytest.mark.parametrize("special", ["separate", "merge"])
def test_special_values_in_every_engine(hostile, engines, special, output):
    frame, label, new = hostile
    frame, new = frame.copy(), new.copy()
    number, text = HOSTILE_NAMES[0], HOSTILE_NAMES[1]
    for table in (frame, new):
        table.loc[table.index[::9], number] = -999.0
        table.loc[table.index[::8], text] = "it's not asked"
    values = [-999, "it's not asked", 0.5, "never there"]
    encoder = pt.TablePartitioner(special_values=values, special=special, output=output)
    encoder.fit(frame, label)
    assert encoder.partitions_[number].special_rows.tolist()[0] > 0
    check_everywhere(encoder, new, engines)


def test_nan_is_missing_where_all_values_are_rare(engines):
    x = np.arange(300.0)
    p = pt.group(x, np.arange(300) // 30 % 2)
    assert p.garbage is not None or p.n_parts == 1
    asked = [0.0, 5.0, math.nan, None, 1e9]
    for name in ENGINES:
        opened = engines(name)
        opened.load("t", {"x": ("number", asked)})
        _, rows = opened.query(f"SELECT {p.to_sql(name)} FROM t ORDER BY row_id")
        assert [row[0] for row in rows] == p.assign(asked).tolist()
