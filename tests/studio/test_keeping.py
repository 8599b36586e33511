"""What was done is kept: over a kill, over another writer, over the next sitting."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import partage as pt
from partage.exceptions import PartageError
from studio_client import Client, make_rows, open_rows


def test_a_second_run_continues_where_the_first_stopped(tmp_path):
    path = tmp_path / "deep" / "model.json"
    with open_rows(path) as studio:
        client = Client(studio)
        client.do("age", "merge", parts=[0, 1], reason="small")
        client.do("town", "move", values=[0], to=1)
        client.do("age", "note", text="ask Bob")
        client.do("income", "lock", index=0, on=True)
        client.do("income", "limits", limits={"max_parts": 3})
        client.do("day", "status", status="signed")
        shown = {name: client.column(name) for name in ("age", "town", "income", "day")}
    assert not path.with_name("model.journal").exists()
    with open_rows(path) as studio:
        client = Client(studio)
        for name, before in shown.items():
            assert client.column(name) == before, name
        assert studio._desk.notes == []
        assert client.do("age", "undo")["history"] == []
        assert client.do("age", "type_cut", text="66")["history"][-1]["action"][:5] == "split"
    model = pt.load(path)
    assert model.partitions_["age"].history[-1].who == "Ada"
    assert "studio" in json.loads(path.read_text())


def test_what_was_undone_can_be_redone_in_the_next_sitting(tmp_path):
    path = tmp_path / "model.json"
    with open_rows(path) as studio:
        client = Client(studio)
        done = [client.column("age"), client.do("age", "merge", parts=[0, 1], reason="small")]
        done.append(client.do("age", "type_cut", text="66"))
        client.do("age", "undo")
        client.do("age", "undo")
        client.do("town", "move", values=[0], to=1)
        client.do("town", "undo")
    with open_rows(path) as studio:
        client = Client(studio)
        assert client.column("age")["redo"] == 2
        for wanted in done[1:]:
            found = client.do("age", "redo")
            for key in ("parts", "cuts", "history", "facts", "np"):
                assert found.get(key) == wanted.get(key), key
        assert found["redo"] == 0
        assert client.do("age", "type_cut", text="70")["np"] == done[-1]["np"] + 1
        assert client.do("town", "redo")["history"][-1]["action"].startswith("move")
    with open_rows(path, make_rows(1200, seed=3)) as studio:
        assert Client(studio).column("age")["redo"] == 0


def test_parts_to_be_redone_that_cannot_be_read_are_none(tmp_path):
    with open_rows(tmp_path / "model.json") as studio:
        sheet = studio._desk.sheets["age"]
        other = studio._desk.sheets["town"].partition.to_dict()
        for plain in ({}, 7, {"partage": 1}, other):
            assert sheet.restored({"redo": plain}).redo == ()


def test_other_rows_are_counted_anew_and_that_is_said(tmp_path):
    path = tmp_path / "model.json"
    with open_rows(path) as studio:
        Client(studio).do("age", "merge", parts=[0, 1])
        n_parts = studio.model.partitions_["age"].n_parts
    with open_rows(path, make_rows(1200, seed=3)) as studio:
        client = Client(studio)
        shown = client.column("age")
        assert (shown["np"], shown["history"]) == (n_parts, [])
        assert "The rows are not those of the model" in client.get("/api/desk")["notes"][0]
        assert client.do("age", "type_cut", text="61")["np"] == n_parts + 1


def test_a_model_of_other_columns_is_refused(tmp_path):
    path = tmp_path / "model.json"
    open_rows(path).close()
    with pytest.raises(PartageError) as error:
        open_rows(path, make_rows().drop("age"))
    assert str(error.value) == (
        f"{path} is of another table: it has the column 'age'. Pass another --model, or the data "
        "that it was made of."
    )


def test_a_newer_file_is_never_replaced(tmp_path):
    path = tmp_path / "model.json"
    with open_rows(path) as studio:
        client = Client(studio)
        client.do("age", "merge", parts=[0, 1])
        studio.save()
        newer = path.read_bytes() + b" "
        path.write_bytes(newer)
        client.do("age", "undo")
        status, _, body = client.ask("POST", "/api/save", {})
        assert (status, json.loads(body)["error"]) == (
            400,
            "model.json was written by somebody else since it was opened, and is not replaced. "
            "Move it away, then save again; the journal keeps your edits.",
        )
        assert path.read_bytes() == newer
        assert client.get("/api/desk")["trouble"].startswith("model.json was written")
        path.rename(tmp_path / "theirs.json")
        assert client.ask("POST", "/api/save", {})[0] == 400  # it was there when it was opened
        (tmp_path / "theirs.json").rename(path)
        path.write_bytes(newer[:-1])
        assert client.ask("POST", "/api/save", {})[0] == 200
    assert pt.load(path).partitions_["age"].history == ()


def test_two_studios_do_not_share_a_file(tmp_path):
    path = tmp_path / "model.json"
    with open_rows(path):
        with pytest.raises(PartageError) as error:
            open_rows(path)
        open_rows(path, read_only=True).close()
    assert str(error.value) == (
        "model.journal is open in another studio; close that one, pass another --model, or "
        "--read-only."
    )
    open_rows(path).close()


def test_a_journal_that_was_cut_off_is_read_as_far_as_it_goes(tmp_path):
    path = tmp_path / "model.json"
    studio = open_rows(path)
    client = Client(studio)
    client.do("age", "merge", parts=[0, 1])
    client.do("age", "note", text="kept")
    studio._server.shutdown()
    studio._server.server_close()
    studio._keeper._file.close()
    studio._keeper._timer.cancel()
    journal = path.with_name("model.journal")
    journal.write_bytes(journal.read_bytes() + b'{"number": 3, "comm')
    with open_rows(path) as studio:
        client = Client(studio)
        assert client.column("age")["note"] == "kept"
        assert len(client.column("age")["history"]) == 1
        client.do("age", "note", text="and more")
        studio._keeper._is_closed = True
        lines = journal.read_text().splitlines()
        assert [json.loads(line).get("number") for line in lines] == [None, 1, 2, 3]
    assert pt.load(path)._sitting["columns"]["age"]["note"] == "and more"


def test_kill_during_edits_loses_at_most_the_last(tmp_path):
    """A process is killed in the middle of an edit; those that were answered are there again."""
    path = tmp_path / "model.json"
    child = subprocess.Popen(
        [sys.executable, "-c", _CHILD, str(path), str(Path(__file__).parents[1])],
        stdout=subprocess.PIPE,
        text=True,
    )
    n_answered = 0
    for line in child.stdout:
        n_answered = int(line)
        if n_answered == 37:
            child.send_signal(signal.SIGKILL)
            break
    n_answered += sum(1 for _ in child.stdout)
    child.wait()
    child.stdout.close()
    with open_rows(path) as studio:
        client = Client(studio)
        done = client.column("age")["version"]
        assert 37 <= n_answered <= done <= n_answered + 1
        assert len(client.column("age")["history"]) == done % 2
        assert studio._desk.notes == []


_CHILD = """
import sys
from pathlib import Path
sys.path.append(sys.argv[2])
from studio_client import Client, open_rows
studio = open_rows(Path(sys.argv[1]))
client = Client(studio)
for i in range(1, 101):
    client.do("age", "merge" if i % 2 else "undo", parts=[0, 1])
    print(i, flush=True)
"""


_COMMAND = (
    "-m partage studio loans.csv --target status --no-browser --port 0 --who Eve "
    "--special income=-1"
)


def test_closing_saves_and_the_command_prints_its_address(tmp_path):
    make_rows(800).write_csv(tmp_path / "loans.csv")
    child = subprocess.Popen(
        [sys.executable, *_COMMAND.split()],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    lines = []
    for line in child.stdout:
        lines.append(line.rstrip())
        if line.startswith("http://"):
            break
    assert lines[-1].startswith("http://127.0.0.1:"), lines

    class Opened:
        url = lines[-1]

    client = Client(Opened)
    client.do("age", "merge", parts=[0, 1])
    child.send_signal(signal.SIGINT)
    rest, _ = child.communicate(timeout=60)
    assert rest.splitlines()[-1] == "Saved partage-studio/model.json"
    assert child.returncode == 0
    model = pt.load(tmp_path / "partage-studio" / "model.json")
    assert model.partitions_["age"].history[0].who == "Eve"


def test_counts_of_an_engine_are_edited_and_taken_up_again(tmp_path):
    from partage.engines import scan

    make_rows(800).write_parquet(tmp_path / "loans.parquet")
    path = tmp_path / "model.json"
    for n_edits in (1, 2):
        rows = scan(tmp_path / "loans.parquet")
        with open_rows(path, rows, holdout=None) as studio:
            client = Client(studio)
            shown = client.do("age", "type_cut", text=str(60 + n_edits))
            assert len(shown["history"]) == n_edits
            assert client.ask("GET", "/api/card")[0] == 400
    make_rows(700).write_parquet(tmp_path / "loans.parquet")
    with pytest.raises(PartageError, match="is of other rows: column 'age' differs"):
        open_rows(path, scan(tmp_path / "loans.parquet"), holdout=None)
