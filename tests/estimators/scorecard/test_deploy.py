"""Exports equal the card on hostile rows: SQL of all engines, Python source, PMML."""

import numpy as np
import pandas as pd
import pytest

import partage as pt
from engine_frames import start_spark
from helpers import FULL, assert_refuses
from sql_engines import ENGINES

TEXT = "the 'city\" \\ <&"


def table(n, seed):
    """Numbers, hostile text and truth values, with gaps."""
    rng = np.random.default_rng(seed)
    values = np.array(["Ly'on", "Nice\\", "a\nb", 'q"q', "<&>", "Lille", "é\u2603"], dtype=object)
    frame = pd.DataFrame({"age": np.round(rng.normal(40, 12, n)), TEXT: rng.choice(values, n)})
    frame["income"] = rng.lognormal(1, 1, n)
    frame["debt"] = np.where(rng.random(n) < 0.2, -999.0, np.round(rng.normal(size=n), 1))
    odds = 0.06 * (frame["age"] - 40) + (frame[TEXT] == "Ly'on") - np.log(frame["income"])
    odds = odds + 0.5 * (frame["debt"] == -999) - 0.2 * (frame[TEXT] == "<&>")
    y = (rng.random(n) < 1 / (1 + np.exp(-odds))).astype(int)
    frame.loc[::13, "age"] = np.nan
    frame.loc[::17, TEXT] = None
    return frame, y


def hostile(card, n, seed):
    """Rows at the borders of parts, beyond them, missing and unseen."""
    rows, _ = table(n, seed)
    rng = np.random.default_rng(seed + 1)
    for name in ("age", "income", "debt"):
        cuts = np.asarray(card[name].cuts, dtype=float)
        near = np.concatenate([cuts, np.nextafter(cuts, np.inf), np.nextafter(cuts, -np.inf)])
        near = np.append(near, [np.nan, 1e300, -1e300, -0.0, -999.0, 5e-324])
        is_hit = rng.random(n) < 0.4
        rows.loc[is_hit, name] = rng.choice(near, int(is_hit.sum()))
    is_hit = rng.random(n) < 0.1
    rows.loc[is_hit, TEXT] = rng.choice(
        np.array(["new", "", " ", "LILLE"], dtype=object), is_hit.sum()
    )
    return rows


@pytest.fixture(scope="module")
def card():
    special = pt.TablePartitioner(
        special_values={"debt": [-999.0]}, max_parts=8, monotonic="auto", min_part_size=0.05
    )
    made = pt.Scorecard(partitioner=special, min_parts=6, selection=None, rounded=True)
    return made.fit(*table(1_500, 4))


def plain(value):
    return None if value is None or value != value else value


N_ROWS = 10_000 if FULL else 1_500


@pytest.mark.parametrize("against", ["best", "mean", "neutral"])
@pytest.mark.parametrize("engine", ENGINES)
def test_sql_gives_points_and_reasons(card, engines, engine, against):
    rows = hostile(card, N_ROWS, 9)
    opened = engines(engine)
    kinds = {"age": "number", TEXT: "text", "income": "number", "debt": "number"}
    opened.load("loans", {n: (k, [plain(v) for v in rows[n]]) for n, k in kinds.items()})
    sql = card.to_sql(engine, table="loans", keep=["row_id"], reasons=3, against=against)
    names, found = opened.query(f"SELECT * FROM ({sql}) AS q ORDER BY row_id")
    assert names[1:4] == ["points", "probability", "prediction"]
    assert [row[1] for row in found] == card.points(rows).tolist()
    assert [row[3] for row in found] == card.predict(rows).tolist()
    wanted = card.reasons(rows, n=3, against=against)
    assert names[4:] == list(wanted)
    for k, name in enumerate(wanted, 4):
        assert [plain(row[k]) for row in found] == [plain(v) for v in wanted[name]]


@pytest.mark.parametrize("against", ["best", "mean", "neutral"])
def test_python_source_gives_points_and_reasons(card, against):
    rows = hostile(card, N_ROWS, 10)
    module = {}
    exec(compile(card.to_python(reasons=5, against=against), "exported", "exec"), module)
    found = [module["transform"](row) for row in rows.to_dict("records")]
    assert [row["points"] for row in found] == card.points(rows).tolist()
    wanted = card.reasons(rows, n=5, against=against)
    for name in wanted:
        assert [row[name] for row in found] == [plain(v) for v in wanted[name]]


def test_reasons_follow_their_definition(card):
    rows = hostile(card, 200, 11)
    points = {name: card.points_[name][card[name].assign(rows[name])] for name in card.points_}
    held = {n: card.points_[n][card[n].own_tally().weight > 0] for n in card.points_}
    means = {n: (card.points_[n] * card[n].own_tally().weight).sum() / 1_500 for n in card.points_}
    for against, level in (
        ("best", {n: p.max() for n, p in held.items()}),
        ("mean", means),
        ("neutral", card.neutral_points_),
    ):
        found = card.reasons(rows, n=2, against=against)
        for i in range(len(rows)):
            lost = [(level[n] - points[n][i], -k, n) for k, n in enumerate(points)]
            best = sorted((one for one in lost if one[0] > 0), reverse=True)[:2]
            wanted = [one[2] for one in best] + [None] * (2 - len(best))
            assert [plain(found[f"reason_{k}"].iloc[i]) for k in (1, 2)] == wanted
    first = rows.iloc[0]
    explained = card.explain(first.to_dict(), reasons=None)
    assert explained["points"].sum() == card.points(rows[:1])[0]
    assert len(explained) == len(card.points_)


@pytest.mark.skipif(not FULL, reason="starts Java; only in the full test run")
@pytest.mark.parametrize("against", ["best", "mean"])
def test_pmml_gives_points_and_reasons(card, tmp_path, against):
    evaluator = pytest.importorskip("jpmml_evaluator", reason="needs jpmml_evaluator and Java")
    rows = hostile(card, N_ROWS, 12)
    file = tmp_path / "card.pmml"
    file.write_text(card.to_pmml(reasons=4, against=against), encoding="utf-8")
    engine = evaluator.make_evaluator(str(file)).verify()
    given = rows.astype(object).where(rows.notna(), None)
    found = engine.evaluateAll(given)
    assert found["score"].tolist() == card.points(rows).tolist()
    wanted = card.reasons(rows, n=4, against=against)
    for k in range(1, 5):
        reasons = [plain(v) for v in wanted[f"reason_{k}"]]
        # PMML ranks columns that lose nothing too.
        shown = [
            v if r is not None else None for v, r in zip(found[f"reason_{k}"], reasons, strict=True)
        ]
        assert shown == reasons


@pytest.mark.xdist_group("spark")
def test_spark_sql_gives_points_and_reasons(card):
    spark = start_spark().newSession()  # others share the one that was started: it must not stop
    spark.conf.set("spark.sql.ansi.enabled", "true")
    rows = hostile(card, N_ROWS, 13)
    names = [*rows.columns, "row_id"]
    records = [(*map(plain, row), i) for i, row in enumerate(rows.itertuples(index=False))]
    kinds = ["double", "string", "double", "double", "int"]
    schema = ", ".join(f"`{n.replace('`', '``')}` {k}" for n, k in zip(names, kinds, strict=True))
    spark.createDataFrame(records, schema).createOrReplaceTempView("loans")
    text = card.to_sql("spark", table="loans", keep=["row_id"], reasons=3)
    found = spark.sql(text).orderBy("row_id").collect()
    assert [row["points"] for row in found] == card.points(rows).tolist()
    assert [row["prediction"] for row in found] == card.predict(rows).tolist()
    wanted = card.reasons(rows, n=3)
    for name in wanted:
        assert [row[name] for row in found] == [plain(v) for v in wanted[name]]


def test_pmml_is_well_formed_and_says_what_it_cannot(card):
    from xml.etree import ElementTree as ET

    root = ET.fromstring(card.to_pmml())
    space = {"p": "http://www.dmg.org/PMML-4_4"}
    columns = root.findall(".//p:Characteristic", space)
    assert [c.get("name") for c in columns] == list(card.points_)
    for column in columns:
        shown = {float(a.get("partialScore")) for a in column.findall("p:Attribute", space)}
        assert shown <= set(card.points_[column.get("name")].tolist())
    times = pd.DataFrame({"day": pd.date_range("2024-01-01", periods=400)})
    dated = pt.Scorecard(min_iv=0, selection=None).fit(times, [0] * 200 + [1] * 200)
    assert_refuses(
        dated.to_pmml,
        ValueError,
        "Scorecard.to_pmml: columns must hold numbers, text or truth values; column 'day' holds "
        "times. Convert it before fitting, or use to_sql or to_python.",
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda c: c.reasons([[1]], n=0), "reasons: n must be an integer of at least 1; got 0."),
        (
            lambda c: c.explain({}, against="all"),
            "explain: against must be 'best', 'mean' or 'neutral'; got 'all'.",
        ),
        (
            lambda c: c.to_sql(reasons=-1),
            "to_sql: reasons must be an integer of at least 1; got -1.",
        ),
    ],
)
def test_bad_reasons(card, call, message):
    assert_refuses(lambda: call(card), ValueError, f"Scorecard.{message}")


def test_pmml_writes_truths_and_infinite_cuts_and_refuses_letters_that_xml_lacks():
    n = 200
    flag = np.arange(n) % 2 == 0
    x = np.where(np.arange(n) < 100, -np.inf, 1.0)
    y = np.where(flag ^ (np.arange(n) % 7 == 0) | (x > 0) & (np.arange(n) % 3 > 0), "bad", "good")
    frame = pd.DataFrame({"flag": pd.Series(flag, dtype=object), "x": x})
    text = pt.Scorecard().fit(frame, y).to_pmml()
    assert 'dataType="boolean"' in text
    assert 'value="true"' in text or 'value="false"' in text
    odd = frame.rename(columns={"flag": "fl\x01ag"})
    with pytest.raises(ValueError, match=r"^Scorecard.to_pmml: text must hold letters that XML ha"):
        pt.Scorecard().fit(odd, y).to_pmml()
