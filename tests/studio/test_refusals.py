"""Commands that no page sends: each is refused in a sentence, and changes nothing."""

import decimal
import json

import polars as pl
import pytest

from studio_client import Client, make_rows, open_rows

REFUSED = [
    ("town", "move_cut", {"index": 0, "position": 1}, "'town' has groups of values, not cuts."),
    ("town", "move", {"values": [-1], "to": 0}, "values must be places of values; got -1."),
    ("town", "move", {"values": [True], "to": 0}, "values must be places of values; got True."),
    ("town", "lock", {"index": 99, "on": True}, "index must be one of the"),
    ("age", "lock", {"index": 99, "on": True}, "index must be one of the"),
    ("age", "type_cut", {"text": "nan"}, "A cut of 'age' must be a number; got 'nan'."),
    ("income", "type_cut", {"text": "-1"}, "-1 is a special value of 'income'; cut beside it."),
    ("age", "nothing", {}, "do must be one of move_cut"),
    ("age", "merge", {"parts": [True]}, "parts must be numbers or names; got [True]."),
    ("age", "limits", {"limits": {"frob": 1}}, "limits must be among"),
    ("age", "status", {"status": "lost"}, "status must be one of"),
]


@pytest.mark.parametrize(("column", "what", "given", "message"), REFUSED)
def test_commands_are_refused(client, column, what, given, message):
    before = client.column(column)
    status, said = client.refusal(column, what, **given)
    assert status == 400
    assert message in said
    assert client.column(column) == before


def test_groups_can_be_locked_and_found_again(fresh):
    fresh.do("town", "lock", index=0, on=True)
    assert fresh.do("town", "optimize")["np"] >= 1
    assert fresh.do("town", "lock", index=0, on=False)["np"] >= 1


def test_a_decimal_is_cut_where_it_was_typed(tmp_path):
    rows = make_rows(400)
    amounts = [decimal.Decimal(int(x)) / 4 for x in rows["age"]]
    rows = rows.select("income", "status", amount=pl.Series(amounts, dtype=pl.Decimal(10, 2)))
    with open_rows(tmp_path / "m.json", rows) as studio:
        client = Client(studio)
        n = client.column("amount")["np"]
        assert client.do("amount", "type_cut", text="20.25")["np"] == n + 1
        assert client.refusal("amount", "type_cut", text="x")[0] == 400


def test_values_are_asked_for_by_the_number_of_a_group(client):
    status, _, body = client.ask("GET", "/api/values?name=town&group=x")
    assert (status, json.loads(body)["error"]) == (400, "group must be a whole number.")
    assert client.get("/api/values?name=age")["values"] == []
