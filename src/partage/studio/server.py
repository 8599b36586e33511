"""The server of the studio: the standard library's, on this computer only."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from partage.studio.answer import Answer
from partage.studio.answers import Answers
from partage.studio.commands import Refused
from partage.studio.desk import Conflict
from partage.studio.files import STATIC, page
from partage.studio.guard import Denied, Guard, check_body

__all__ = ["Server"]

_MOST_ADDRESS = 4_000  # letters
_SECONDS_LEFT = 5  # that an answer under way has at the end
_SECONDS = 30  # that a request may take to arrive
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors {frames}"
)
_NOTEBOOKS = "http://localhost:* http://127.0.0.1:* https://localhost:* https://127.0.0.1:*"


class Server(ThreadingHTTPServer):
    """Answers the page of one desk.

    Attributes
    ----------
    guard : Guard
        The secrets of the sitting.
    answers : Answers
        What is asked of the desk.
    is_framed : bool
        Whether a notebook on this computer may show the page.
    """

    daemon_threads = True
    allow_reuse_address = False
    request_queue_size = 64

    def __init__(self, answers: Answers, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.answers = answers
        self.guard = Guard(self.server_port)
        self.is_framed = False
        self._open: dict[threading.Thread, socket.socket] = {}

    @property
    def url(self) -> str:
        """The first address, with the token."""
        return f"http://127.0.0.1:{self.server_port}/?token={self.guard.token}"

    def start(self) -> threading.Thread:
        """Serve in the background."""
        thread = threading.Thread(target=self.serve_forever, args=(0.1,), daemon=True)
        thread.start()
        return thread

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer a connection, which is known while it is open."""
        here = threading.current_thread()
        self._open[here] = request
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._open.pop(here, None)

    def end(self) -> None:
        """Stop serving, and end the connections that browsers keep open."""
        self.shutdown()
        self.server_close()
        for thread, connection in list(self._open.items()):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            thread.join(_SECONDS_LEFT)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of connections that a browser drops."""


class Handler(BaseHTTPRequestHandler):
    """One connection of a browser."""

    server: Server
    protocol_version = "HTTP/1.1"
    server_version = "partage"
    sys_version = ""
    timeout = _SECONDS
    wbufsize = -1  # one packet for head and body
    disable_nagle_algorithm = True

    def do_GET(self) -> None:  # the library's name
        """Answer a request that changes nothing."""
        self._answer(self._get)

    def do_POST(self) -> None:
        """Answer a request that changes something."""
        self._answer(self._post)

    def _answer(self, find: Callable[[], Answer]) -> None:
        """Find an answer and send it; what is refused is said."""
        try:
            if len(self.path) > _MOST_ADDRESS:
                raise Denied(414, "The address is too long.")
            found = find()
        except Denied as denied:
            self.close_connection = True  # the body was not read
            found = _said(str(denied), denied.status)
        except Conflict as conflict:
            found = _said(str(conflict), 409)
        except Refused as refused:
            found = _said(str(refused), 400)
        except Exception as error:
            found = _said(f"The studio failed: {type(error).__name__}: {error}", 500)
        self._send(found)

    def _get(self) -> Answer:
        guard = self.server.guard
        guard.check_place(self.headers, changes=False)  # type: ignore[arg-type]  # a mapping
        address = urlsplit(self.path)
        try:
            asked = {k: v[0] for k, v in parse_qs(address.query, max_num_fields=20).items()}
        except ValueError:
            raise Denied(400, "The address asks too much.") from None
        if address.path in STATIC:
            return STATIC[address.path]()
        if address.path == "/" and "token" in asked:
            if not guard.is_token(asked["token"]):
                raise Denied(403, "The token of this address is not that of the studio.")
            return page(self.server.answers.head(), {"Set-Cookie": guard.cookie})
        guard.check_sitting(self.headers)  # type: ignore[arg-type]
        if address.path == "/":
            return page(self.server.answers.head())
        return self.server.answers.get(address.path, asked)

    def _post(self) -> Answer:
        guard = self.server.guard
        guard.check_place(self.headers, changes=True)  # type: ignore[arg-type]
        guard.check_sitting(self.headers)  # type: ignore[arg-type]
        size = check_body(self.headers)  # type: ignore[arg-type]
        body = self.rfile.read(size)
        try:
            asked = json.loads(body)
        except (ValueError, RecursionError):
            raise Denied(400, "The body must be JSON.") from None
        if not isinstance(asked, dict):
            raise Denied(400, "The body must be an object of JSON.")
        return self.server.answers.post(urlsplit(self.path).path, asked)

    def _send(self, found: Answer) -> None:
        """Send an answer with the headers of all."""
        frames = _NOTEBOOKS if self.server.is_framed else "'none'"
        self.send_response(found.status)
        for name, value in (_HEADERS | found.headers).items():
            self.send_header(name, value)
        self.send_header("Content-Security-Policy", _POLICY.format(frames=frames))
        self.send_header("Content-Type", found.kind)
        self.send_header("Content-Length", str(len(found.body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(found.body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Keep the terminal quiet: addresses may hold the token."""


def _said(text: str, status: int) -> Answer:
    """Answer with a message."""
    return Answer.of_json({"error": text}, status)
