"""The card, pairs and files of a studio are those that the library makes of the same parts."""

import json

import duckdb
import numpy as np
import polars as pl
import pytest

import partage as pt
from partage._estimators.table_model import TableModel
from partage._report.making import Request
from partage.studio.opening import Opening, open_table
from studio_client import Client, make_rows, open_rows


@pytest.fixture(scope="module")
def signed(tmp_path_factory):
    """Give a studio in which two edited columns are signed, and its client."""
    with open_rows(tmp_path_factory.mktemp("views") / "model.json") as studio:
        client = Client(studio)
        client.do("age", "merge", parts=[0, 1], reason="policy 7")
        client.do("town", "note", text="ask Bob")
        for name in ("age", "town"):
            client.do(name, "status", status="signed")
        yield studio, client


def test_the_card_is_that_of_the_signed_columns_with_their_parts(signed):
    studio, client = signed
    shown = client.get("/api/card")
    assert shown["names"] == ["age", "town"]
    rows, parts = studio._desk.rows, studio.model.partitions_
    card = pt.Scorecard(
        partitions={name: parts[name] for name in shown["names"]},
        min_parts=1,
        rounded=True,
        positive="late",
    ).fit(rows.frame.select(shown["names"]), rows.frame["status"])
    assert [row["points"] for row in shown["table"]] == card.table()["points"].to_list()
    assert [row["part"] for row in shown["table"]] == card.table()["part"].to_list()
    assert shown["measures"]["auc"] == card._fitted_measures["auc"]
    told = card.performance(
        rows.held.select(shown["names"]), rows.held["status"], n_draws=0
    ).measures
    assert shown["holdout"]["auc"] == float(told["auc"][0])
    weights = {row["column"]: (row["coefficient"], row["sign"]) for row in shown["summary"][1:]}
    assert weights == {
        name: (pytest.approx(float(weight)), "as evidence")
        for name, weight in zip(shown["names"], card.coef_[0], strict=True)
    }
    every = client.get("/api/card?every=1")
    assert set(every["names"]) > {"age", "town"}


def test_the_card_follows_a_column_that_is_reopened(fresh):
    status, _, body = fresh.ask("GET", "/api/card")
    assert (status, json.loads(body)["error"]) == (400, "Sign a column to put it on the card.")
    fresh.do("age", "status", status="signed")
    before = fresh.get("/api/card")
    fresh.do("age", "status", status="proposed")
    fresh.do("age", "merge", parts=[0, 1])
    fresh.do("age", "status", status="signed")
    after = fresh.get("/api/card")
    assert len(after["table"]) == len(before["table"]) - 1
    assert after["measures"]["auc"] < before["measures"]["auc"]


def test_a_pair_is_counted_in_the_parts_as_they_are(signed):
    studio, client = signed
    shown = client.get("/api/pair?a=age&b=town")
    rows, parts = studio._desk.rows.frame, studio.model.partitions_
    age, town = (parts[name].assign(rows[name]) for name in ("age", "town"))
    late = rows["status"].to_numpy() == "late"
    for i in range(parts["age"].n_parts):
        for k in range(parts["town"].n_parts):
            inside = (age == i) & (town == k)
            assert shown["rows"][i][k] == inside.sum()
            assert shown["rates"][i][k] == pytest.approx(late[inside].mean())
    assert shown["best"]["t"].startswith("Together they save")
    status, _, body = client.ask("GET", "/api/pair?a=age&b=age")
    assert (status, json.loads(body)["error"]) == (400, "Choose two columns.")


def test_exports_do_what_the_parts_do(signed, tmp_path):
    studio, client = signed
    table = make_rows(300, seed=5)
    names = list(studio.model.partitions_)
    codes = {name: studio.model.partitions_[name].assign(table[name]) for name in names}
    _, headers, sql = client.ask("GET", "/api/export/sql?dialect=duckdb")
    assert headers["Content-Disposition"] == 'attachment; filename="rules.sql"'
    with duckdb.connect() as engine:
        engine.register("t", table.to_arrow())
        found = engine.sql(sql.decode()).pl()
    for name in names:
        assert found[name].to_list() == codes[name].tolist()
    _, _, source = client.ask("GET", "/api/export/python")
    space = {}
    exec(source.decode(), space)
    for i, row in enumerate(table.head(40).iter_rows(named=True)):
        assert space["transform"](row) == {name: codes[name][i] for name in names}
    _, _, model = client.ask("GET", "/api/export/model")
    (tmp_path / "model.json").write_bytes(model)
    again = pt.load(tmp_path / "model.json").partitions_
    assert again["age"].history[0].reason == "policy 7"
    _, headers, document = client.ask("GET", "/api/export/document")
    assert "document.html" in headers["Content-Disposition"]
    text = document.decode()
    for said in ("policy 7", "ask Bob", "signed by Ada"):
        assert said in text
    status, _, body = client.ask("GET", "/api/export/sql?dialect=../etc")
    assert (status, json.loads(body)["error"][:22]) == (400, "dialect must be one of")


def test_large_tables_keep_a_sample_of_their_rows_and_all_of_their_counts(tmp_path, monkeypatch):
    monkeypatch.setattr("partage.studio.rows._MOST_ROWS", 500)
    with open_rows(tmp_path / "model.json") as studio:
        client = Client(studio)
        client.do("age", "status", status="signed")
        card = client.get("/api/card")
        assert (card["rows"], card["isSample"]) == (500, True)
        assert sum(part["r"] for part in client.column("age")["p"]) > 1000


def test_without_two_classes_there_is_no_card_and_the_document_is_a_report(tmp_path):
    rows = make_rows(400).with_columns(status=make_rows(400)["age"] * 1.5)
    asked = Request(frame=rows, target="status", source="amounts")
    model = TableModel(target_type="number")
    with open_table(model, asked, Opening(tmp_path / "model.json")) as studio:
        client = Client(studio)
        assert client.ask("GET", "/api/card")[0] == 400
        _, headers, _ = client.ask("GET", "/api/export/document")
        assert "report.html" in headers["Content-Disposition"]


def test_joined_values_of_a_holdout_are_counted_as_each_alone(tmp_path, monkeypatch):
    """Values that no cut can part are kept together; the parts of the holdout stay exact."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=40_000)
    late = rng.random(40_000) < 1 / (1 + np.exp(-x))
    rows = pl.DataFrame({"x": x, "status": np.where(late, "late", "paid")})
    monkeypatch.setattr("partage._estimators.fit.MOST_BYTES", 200_000)
    monkeypatch.setattr("partage.studio.samples._MOST_ENTRIES", 100)
    held = pl.DataFrame({"x": x[:9000] + 1e-9, "status": np.where(late[:9000], "late", "paid")})
    asked = Request(frame=rows, target="status", source="x", holdout=held)
    model = TableModel(positive="late")
    with open_table(model, asked, Opening(tmp_path / "model.json")) as studio:
        client = Client(studio)
        ((entries, _),) = studio._desk.samples[0].entries.values()
        assert len(entries.keys) < 9000
        for position in (0.1, -0.7):
            shown = client.do("x", "split_at", position=position)
        p = studio.model.partitions_["x"]
        assert shown["facts"]["samples"][0]["psi"] == pytest.approx(p.psi(held["x"]), abs=1e-12)
