"""What a studio refuses: other computers, other pages, wrong tokens, paths, large bodies."""

import json
import socket
import urllib.parse

import pytest

from partage.studio.guard import MOST_BYTES
from studio_client import HOSTILE

DATA = [
    "/",
    "/api/desk",
    "/api/column?name=age",
    "/api/values?name=town",
    "/api/certainty?name=age",
]
CHANGES = ["/api/do", "/api/preview", "/api/save"]
EDIT = {"column": "age", "version": 0, "do": "merge", "parts": [0, 1]}


def test_it_listens_on_this_computer_only(studio):
    assert studio._server.server_address[0] == "127.0.0.1"
    assert studio.url.startswith("http://127.0.0.1:")


@pytest.mark.parametrize("path", DATA)
@pytest.mark.parametrize("token", [None, "", "wrong", "Ω"])
def test_nothing_is_shown_without_the_token(client, path, token):
    given = None if token is None else token.encode().decode("latin-1")
    assert client.ask("GET", path, X_Partage_Token=given)[0] == 401


@pytest.mark.parametrize("path", CHANGES)
def test_nothing_is_changed_without_the_token(client, path):
    status, _, body = client.ask("POST", path, EDIT, X_Partage_Token="wrong")
    assert status == 401
    assert json.loads(body) == {
        "error": "Open the address that the studio printed, with its token."
    }
    assert client.column("age")["version"] == 0


def test_a_wrong_token_in_the_address_is_refused_and_sets_no_cookie(client):
    status, headers, _ = client.ask("GET", "/?token=wrong", X_Partage_Token=None)
    assert status == 403
    assert "Set-Cookie" not in headers


def test_the_first_address_sets_a_cookie_that_opens_the_rest(client):
    first = f"/?token={client.token}"
    status, headers, body = client.ask("GET", first, X_Partage_Token=None, Origin=None)
    assert status == 200
    cookie, *rules = headers["Set-Cookie"].split("; ")
    assert set(rules) == {"Path=/", "HttpOnly", "SameSite=Strict"}
    assert client.token not in cookie
    assert client.token not in body.decode()
    assert client.ask("GET", "/api/desk", X_Partage_Token=None, Cookie=cookie)[0] == 200
    assert client.ask("GET", "/api/desk", X_Partage_Token=None, Cookie=cookie[:-1])[0] == 401
    assert client.ask("GET", "/api/desk", X_Partage_Token=None, Cookie='a="\\x')[0] == 401


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "0.0.0.0:80", ""])
@pytest.mark.parametrize("path", [*DATA, "/shared.js"])
def test_another_name_of_the_host_is_refused(client, host, path):
    assert client.ask("GET", path, Host=host)[0] == 421


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1", "http://localhost"],
)
def test_another_page_is_refused(client, origin):
    assert client.ask("POST", "/api/do", EDIT, Origin=origin)[0] == 403
    assert client.ask("GET", "/api/desk", Origin=origin)[0] == 403
    assert client.column("age")["version"] == 0


def test_a_change_must_say_which_page_it_comes_from(client):
    assert client.ask("POST", "/api/do", EDIT, Origin=None)[0] == 403


def test_the_other_name_of_this_computer_is_a_page_of_its_own(client):
    name = client.host.replace("127.0.0.1", "localhost")
    assert client.ask("GET", "/api/desk", Host=name, Origin=f"http://{name}")[0] == 200
    assert client.ask("GET", "/api/desk", Host=name)[0] == 403


@pytest.mark.parametrize(
    "path",
    [
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..%2fstudio.py",
        "/studio.html",
        "/api/../etc/passwd",
        "//etc/passwd",
        "/page/studio.js",
        "/shared.js/..",
        "/studio.css%00",
        "/model.json",
        "/api/export?path=/etc/passwd",
    ],
)
def test_no_path_is_opened(client, path):
    status, _, body = client.ask("GET", path)
    assert status == 404
    assert json.loads(body) == {"error": "There is nothing at this address."}


def test_bodies_are_bounded_and_must_be_json(client):
    assert client.ask("POST", "/api/do", b"x" * 10, Content_Type="text/plain")[0] == 415
    assert client.ask("POST", "/api/do", b"[]", Content_Type="application/json")[0] == 400
    assert client.ask("POST", "/api/do", b"{", Content_Type="application/json")[0] == 400
    deep = b'{"a":' * 100_000
    assert client.ask("POST", "/api/do", deep, Content_Type="application/json")[0] == 400
    for size in (str(MOST_BYTES + 1), "9" * 400, "-1", "1e3", ""):
        status = client.ask(
            "POST", "/api/do", b"", Content_Type="application/json", Content_Length=size
        )[0]
        assert status in (411, 413), size
    chunked = {"Content_Type": "application/json", "Transfer_Encoding": "chunked"}
    assert client.ask("POST", "/api/do", b"2\r\n{}\r\n0\r\n\r\n", **chunked)[0] == 411
    assert client.ask("GET", "/api/column?name=" + "a" * 5000)[0] == 414


def test_what_is_no_http_ends_the_connection(studio):
    host, port = studio._server.server_address
    with socket.create_connection((host, port), timeout=5) as raw:
        raw.sendall(b"\x16\x03\x01 nonsense\r\n\r\n")
        assert b"400" in raw.recv(4096)


def test_every_answer_has_the_headers_that_keep_it_here(client):
    for path in [*DATA, "/shared.js", "/studio.js", "/studio.css", "/nothing"]:
        _, headers, _ = client.ask("GET", path)
        policy = headers["Content-Security-Policy"]
        assert "unsafe" not in policy
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Cache-Control"] == "no-store"


def test_hostile_names_are_escaped_on_the_page_and_are_names_elsewhere(fresh):
    client = fresh
    _, _, body = client.ask("GET", "/")
    page = body.decode()
    assert "onerror" in page
    assert "<img" not in page
    assert page.count("</script>") == 2  # the module, and the numbers
    found = client.do(HOSTILE, "note", text=HOSTILE)
    assert (found["n"], found["note"]) == (HOSTILE, HOSTILE)
    values = client.get("/api/values?name=" + urllib.parse.quote(HOSTILE))["values"]
    assert {value["t"] for value in values} == {"<b>x</b>", "</script>y"}


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ({"do": "open", "path": "/etc/passwd"}, "do must be one of move_cut, step_cut"),
        ({"do": ["merge"]}, "do must be one of move_cut, step_cut"),
        ({"do": "merge", "parts": [0, 99]}, "a part of column 'age' must be a number from 0 to"),
        ({"do": "merge", "parts": [{}]}, "parts must be numbers or names; got [{}]."),
        ({"do": "merge", "parts": "01"}, "parts must be a list of at most 10,000 entries."),
        ({"do": "move_cut", "index": 99, "position": 1}, "index must be one of the"),
        ({"do": "move_cut", "index": 0, "position": "1"}, "position must be a number; got '1'."),
        ({"do": "move_cut", "index": True, "position": 1}, "index must be a whole number"),
        ({"do": "type_cut", "text": "nan"}, "A cut of 'age' must be a number; got 'nan'."),
        ({"do": "type_cut", "text": "x"}, "A cut of 'age' must be a number; got 'x'."),
        ({"do": "move", "values": [0], "to": 0}, "The values of 'age' were not kept"),
        ({"do": "note", "text": "x" * 5000}, "text must be text of at most 4000 letters."),
        ({"do": "status", "status": "done"}, "status must be one of proposed, reviewed, signed"),
        ({"do": "limits", "limits": {"user_cuts": [1]}}, "limits must be among n_parts"),
        ({"do": "limits", "limits": {"max_parts": 0}}, "max_parts must be an integer of at least"),
        ({"do": "undo"}, "there is nothing to undo; column 'age' has no edits."),
        ({"do": "redo"}, "There is nothing to redo."),
        ({"do": "set_apart", "beside": "missing"}, "beside must name values that were merged"),
        ({"do": "merge", "parts": [0, 1], "reason": 5}, "reason must be text"),
    ],
)
def test_commands_that_make_no_sense_are_refused_and_change_nothing(client, command, message):
    status, said = client.refusal("age", command.pop("do"), **command)
    assert (status, said[: len(message)]) == (400, message)
    assert client.column("age")["version"] == 0


def test_a_column_that_is_not_there_is_refused(client):
    status, _, body = client.ask("GET", "/api/column?name=nothing")
    assert (status, json.loads(body)) == (400, {"error": "there is no column 'nothing'."})


def test_two_windows_do_not_lose_each_others_edits(fresh):
    client = fresh
    first = client.do("age", "merge", parts=[0, 1])
    late = {"column": "age", "version": 0, "do": "merge", "parts": [0, 1]}
    for path in ("/api/do", "/api/preview"):
        status, _, body = client.ask("POST", path, late)
        assert (status, json.loads(body)["error"]) == (
            409,
            "'age' was changed in another window. It is shown as it is now; what you did last "
            "here was not done.",
        )
    assert client.column("age") == first
    assert client.do("town", "note", text="other columns go on")["note"] != ""


def test_a_read_only_studio_changes_nothing(tmp_path):
    from studio_client import Client, open_rows

    with open_rows(tmp_path / "m" / "model.json", read_only=True) as studio:
        client = Client(studio)
        assert client.refusal("age", "merge", parts=[0, 1]) == (400, "This studio is read-only.")
        assert client.ask("POST", "/api/save", {})[0] == 400
    assert not (tmp_path / "m").exists()
