"""Edits of the page are edits of the library: the same parts, the same numbers."""

import numpy as np
import polars as pl
import pytest

import partage as pt
from partage._display.tables import strength
from partage._report.making import held_out
from studio_client import Client, make_rows, open_rows


@pytest.fixture(scope="module")
def library():
    """Give the partitions that the library finds in the rows of the fit."""
    rows = make_rows()
    fitted = rows.filter(pl.Series(~held_out(len(rows), 0.3)))
    model = pt.TablePartitioner(
        special_values={"income": [-1]}, cut_style="simple", positive="late", target_type="class"
    )
    return model.fit(fitted, target="status").partitions_, rows


def check_numbers(shown, partition, start, rows):
    """Compare what the page shows of a column with what the library says."""
    table = partition.table().to_pandas()
    told, before = strength(partition), strength(start)
    facts = shown["facts"]
    assert facts["iv"] == told["iv"]
    assert facts["gini"] == told["gini"]
    assert facts["level"] == partition.level
    assert facts["parts"] == shown["np"] == partition.n_parts
    assert facts["bits"] == pytest.approx(table["bits"].iloc[-1], abs=1e-9)
    assert shown["changes"]["iv"] == told["iv"] - before["iv"]
    price = sum(edit.price for edit in partition.history)
    assert shown["changes"]["cost"] == pytest.approx(price, abs=1e-6)
    held = table["count"].to_numpy()[:-1] > 0
    parts = table[:-1][held | (np.arange(len(held)) < partition.n_parts)]
    assert [part["t"] for part in shown["p"]] == parts["part"].tolist()
    assert [part["r"] for part in shown["p"]] == parts["count"].tolist()
    rates = [part["rate"] for part in shown["p"]]
    assert rates == pytest.approx(parts["event_rate"].tolist(), abs=1e-12)
    assert [part["w"][0] for part in shown["p"]] == pytest.approx(parts["woe"].tolist(), abs=1e-4)
    assert [edit["action"] for edit in shown["history"]] == [e.action for e in partition.history]
    assert [edit["price"] for edit in shown["history"]] == [e.price for e in partition.history]
    others = rows.filter(pl.Series(held_out(len(rows), 0.3)))
    x, y = others[partition.name], others["status"]
    (sample,) = facts["samples"]
    assert sample["level"] == pytest.approx(partition.level_on(x, y), abs=1e-12)
    assert sample["psi"] == pytest.approx(partition.psi(x), abs=1e-12)
    other = partition.table(x, y).to_pandas()
    known = dict(zip(other["part"], other["event_rate"], strict=True))
    shown_rates = {part["t"]: part["others"][0] for part in shown["p"]}
    for name, rate in shown_rates.items():
        assert rate is None or rate == pytest.approx(known[name], abs=1e-12)
    assert [one["name"] for one in shown["broken"]] == list(partition.violations)


def test_borders_move_split_merge_and_come_back(fresh, library):
    found, rows = library
    p = start = found["age"]
    assert fresh.column("age")["cuts"] == [[cut, f"{cut:g}"] for cut in p.cuts.tolist()]
    shown = fresh.do("age", "move_cut", index=0, position=33.2, reach=0.0, reason="policy")
    p = p.set_cuts([33.0, *p.cuts[1:]], reason="policy", who="Ada")
    check_numbers(shown, p, start, rows)
    assert (shown["history"][0]["reason"], shown["history"][0]["who"]) == ("policy", "Ada")
    shown = fresh.do("age", "move_cut", index=0, position=33.2, reach=4.0)
    p = p.set_cuts([30.0, *p.cuts[1:]])
    check_numbers(shown, p, start, rows)
    shown = fresh.do("age", "step_cut", index=0, by=-2)
    p = p.set_cuts([28.0, *p.cuts[1:]])
    check_numbers(shown, p, start, rows)
    shown = fresh.do("age", "split_at", position=40.1, reach=0.0)
    p = p.split(1, at=40.0)
    check_numbers(shown, p, start, rows)
    shown = fresh.do("age", "type_cut", text="70.5")
    p = p.split(p.n_parts - 1, at=70.5)
    check_numbers(shown, p, start, rows)
    shown = fresh.do("age", "type_cut", text=" 69 ", index=p.n_parts - 2)
    p = p.set_cuts([*p.cuts[:-1], 69])
    check_numbers(shown, p, start, rows)
    shown = fresh.do("age", "merge", parts=[0, 1])
    p = p.merge(0, 1)
    check_numbers(shown, p, start, rows)
    for _ in range(2):
        shown = fresh.do("age", "undo")
    check_numbers(shown, p.undo(2), start, rows)
    assert shown["redo"] == 2
    shown = fresh.do("age", "redo")
    check_numbers(shown, p.undo(), start, rows)
    shown = fresh.do("age", "reset")
    check_numbers(shown, start, start, rows)
    for _ in range(6):
        shown = fresh.do("age", "redo")
    check_numbers(shown, p.undo(), start, rows)


def test_a_preview_shows_the_same_and_changes_nothing(fresh):
    before = fresh.column("age")
    body = {"column": "age", "version": 0, "do": "merge", "parts": [0, 1]}
    status, _, answer = fresh.ask("POST", "/api/preview", body)
    assert status == 200
    assert fresh.column("age") == before
    import json

    seen, done = json.loads(answer)["column"], fresh.do("age", "merge", parts=[0, 1])
    for one in (seen, done):
        one["history"][0].pop("when")
        one["history"][0].pop("who")
    assert seen == done


def test_values_move_between_groups_and_get_groups_of_their_own(fresh, library):
    found, rows = library
    p = start = found["town"]
    values = fresh.get("/api/values?name=town&q=town%203&group=0")["values"]
    assert values
    assert all("3" in value["t"] and value["g"] == 0 for value in values)
    chosen = values[:2]
    shown = fresh.do("town", "move", values=[value["i"] for value in chosen], to=1)
    p = p.move([value["t"] for value in chosen], to=1)
    check_numbers(shown, p, start, rows)
    shown = fresh.do("town", "divide", part=1, values=[value["i"] for value in chosen])
    p = p.split(1, at=[value["t"] for value in chosen])
    check_numbers(shown, p, start, rows)
    shown = fresh.do("town", "merge", parts=[0, 2])
    p = p.merge(0, 2)
    check_numbers(shown, p, start, rows)
    every = fresh.get("/api/values?name=town")
    assert every["n"] == 40
    counts = dict(rows.filter(pl.Series(~held_out(len(rows), 0.3)))["town"].value_counts().rows())
    assert {value["t"]: value["w"] for value in every["values"]} == counts
    weights = [value["w"] for value in every["values"]]
    assert weights == sorted(weights, reverse=True)


def test_missing_and_special_values_join_and_are_set_apart(fresh, library):
    found, rows = library
    p = start = found["income"]
    names = [one["name"] for one in fresh.column("income")["aside"]]
    assert names == ["missing", "special -1"]
    for name in names:
        shown = fresh.do("income", "merge", parts=[1, name])
        p = p.merge(1, name)
        check_numbers(shown, p, start, rows)
    shown = fresh.do("income", "set_apart", beside="missing")
    p = p.set_apart("missing")
    check_numbers(shown, p, start, rows)
    assert [one["part"] for one in shown["aside"]] == [None, 1]


def test_the_best_parts_under_limits_keep_what_is_locked(fresh, library):
    found, rows = library
    p = start = found["age"]
    shown = fresh.do("age", "type_cut", text="51")
    p = p.split(int(p.assign([51.0])[0]), at=51)
    index = [text for _, text in shown["cuts"]].index("51")
    assert fresh.do("age", "lock", index=index, on=True)["locked"] == [index]
    assert fresh.refusal("age", "step_cut", index=index, by=1) == (
        400,
        "This border is locked. Unlock it to move it.",
    )
    shown = fresh.do("age", "limits", limits={"max_parts": 2, "min_part_size": 0.05})
    assert [one["name"] for one in shown["broken"]] == (["max_parts"] if p.n_parts > 2 else [])
    shown = fresh.do("age", "optimize")
    p = p.optimize(locked=[51], max_parts=2, min_part_size=0.05)
    check_numbers(shown, p, start, rows)
    assert shown["cuts"] == [[51.0, "51"]]
    shown = fresh.do("age", "merge", parts=[0, 1])
    assert [one["name"] for one in shown["broken"]] == ["user_cuts"]


def test_a_trend_is_said_of_the_event_as_the_page_shows_it(fresh, library):
    found, _ = library
    shown = fresh.column("age")
    rates = [part["rate"] for part in shown["p"]]
    wanted = "descending" if rates == sorted(rates, reverse=True) else shown["facts"]["trend"]
    assert shown["facts"]["trend"] == wanted
    shown = fresh.do("age", "limits", limits={"monotonic": "ascending"})
    assert shown["limits"]["monotonic"] == "ascending"
    assert [one["name"] for one in shown["broken"]] == ["monotonic"]
    shown = fresh.do("age", "optimize")
    rates = [part["rate"] for part in shown["p"]]
    assert rates == sorted(rates)
    assert shown["broken"] == []
    assert found["age"].event == 0


def test_times_are_cut_where_the_library_cuts_them(fresh, library):
    found, rows = library
    p = start = found["day"]
    shown = fresh.column("day")
    place = shown["cuts"][0][0] + 3 * 864e5
    shown = fresh.do("day", "move_cut", index=0, position=place, reach=0.0)
    p = p.set_cuts([p.cuts[0] + np.timedelta64(3, "D"), *p.cuts[1:]])
    check_numbers(shown, p, start, rows)
    shown = fresh.do("day", "type_cut", text="2022-02-20")
    p = p.split(int(p.assign(pl.Series(["2022-02-20"]).str.to_date())[0]), at="2022-02-20")
    check_numbers(shown, p, start, rows)


def test_a_signed_column_stays_as_it_is_until_it_is_reopened(fresh):
    shown = fresh.do("age", "status", status="signed")
    assert (shown["status"], shown["signed"]["who"]) == ("signed", "Ada")
    for what in ("undo", "optimize", "merge"):
        assert fresh.refusal("age", what, parts=[0, 1]) == (
            400,
            "'age' is signed. Reopen it to change its parts.",
        )
    fresh.do("age", "status", status="proposed")
    assert fresh.do("age", "merge", parts=[0, 1])["version"] == 3
    row = next(row for row in fresh.get("/api/desk")["columns"] if row["n"] == "age")
    assert (row["st"], row["ed"], row["v"]) == ("proposed", 1, 3)


def test_numbers_and_several_classes_are_edited_too(tmp_path):
    rows = make_rows(600)
    amount = rows.drop("status").with_columns(
        status=rows["age"] * 2.5 + rows["town"].str.len_chars()
    )
    three = rows.with_columns(status=rows["status"] + (rows["age"] > 50).cast(pl.String))
    for name, table in {"amount": amount, "three": three}.items():
        from partage._estimators.table_model import TableModel
        from partage._report.making import Request
        from partage.studio.opening import Opening, open_table

        model = TableModel(target_type="number" if name == "amount" else "class")
        asked = Request(frame=table, target="status", source=name, holdout=0.3)
        with open_table(model, asked, Opening(tmp_path / f"{name}.json")) as studio:
            client = Client(studio)
            before = client.column("age")
            shown = client.do("age", "merge", parts=[0, 1])
            p = studio.model.partitions_["age"]
            assert shown["facts"]["level"] == p.level < before["facts"]["level"]
            assert [part["r"] for part in shown["p"]] == p.rows.tolist()
            assert client.do("age", "optimize")["np"] == before["np"]
            assert client.get("/api/certainty?name=age")["q"] is not None


def test_an_estimator_opens_its_own_studio(tmp_path):
    rows = make_rows(600)
    enc = pt.TablePartitioner().fit(rows, target="status")
    with enc.studio(
        rows, target="status", path=tmp_path / "m.json", browser=False, holdout=make_rows(300, 1)
    ) as studio:
        client = Client(studio)
        shown = client.do("age", "merge", parts=[0, 1])
        edited = studio.model
        assert isinstance(edited, pt.TablePartitioner)
        assert edited.partitions_["age"].cuts.tolist() == enc["age"].merge(0, 1).cuts.tolist()
        assert enc["age"].history == ()
        assert shown["facts"]["samples"][0]["level"] is not None
        assert "<iframe src=" in studio._repr_html_()
        policy = client.ask("GET", "/api/desk")[1]["Content-Security-Policy"]
        assert "frame-ancestors http://localhost:*" in policy
    with enc.studio(path=tmp_path / "m.json", browser=False) as studio:
        assert len(Client(studio).column("age")["history"]) == 1
    assert pt.load(tmp_path / "m.json").partitions_["age"].n_parts == enc["age"].n_parts - 1


def test_periods_stand_beside_each_other(tmp_path):
    rows = make_rows(600)
    with open_rows(
        tmp_path / "m.json", rows, holdout=None, periods=np.repeat(["2023", "2024"], 300)
    ) as studio:
        facts = Client(studio).column("age")["facts"]
    assert [one["name"] for one in facts["samples"]] == ["2023", "2024"]
