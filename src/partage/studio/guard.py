"""What a request must have before anything is done: this computer, this page, this sitting."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie

__all__ = ["MOST_BYTES", "Denied", "Guard"]

MOST_BYTES = 1 << 20  # of the body of a request
HOSTS = ("127.0.0.1", "localhost")
HEADER = "X-Partage-Token"


class Denied(Exception):  # noqa: N818  # answered, not raised through
    """A request that is refused: the status of the answer, and why."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


class Guard:
    """Knows the secrets of a sitting, and looks at every request.

    The token stands in the first address. It is answered with a cookie of another secret, which no
    script reads and which browsers send to this page only. Where a browser keeps no cookie, as in
    the frame of a notebook, the page sends the token in a header that other pages cannot set.
    """

    def __init__(self, port: int) -> None:
        self.token = secrets.token_urlsafe(32)
        self._session = secrets.token_urlsafe(32)
        self._hosts = {f"{host}:{port}" for host in HOSTS}
        self._cookie = f"partage-studio-{port}"  # cookies do not know ports

    def check_place(self, headers: Mapping[str, str], *, changes: bool) -> None:
        """Refuse what was sent to another name, or by another page."""
        host = headers.get("Host") or ""
        if host.lower() not in self._hosts:
            raise Denied(421, "This server answers to its own address only.")
        origin = headers.get("Origin")
        if origin is None and not changes:
            return
        if origin is None or origin.lower() != f"http://{host.lower()}":
            raise Denied(403, "This request comes from another page.")

    def is_token(self, token: str) -> bool:
        """Whether a text is the token of the first address."""
        return hmac.compare_digest(token.encode(), self.token.encode())

    def check_sitting(self, headers: Mapping[str, str]) -> None:
        """Refuse what has neither the cookie nor the token."""
        given = headers.get(HEADER)
        if given is not None and self.is_token(given):
            return
        try:
            cookie = SimpleCookie(headers.get("Cookie") or "").get(self._cookie)
        except CookieError:
            cookie = None
        if cookie is None or not hmac.compare_digest(cookie.value.encode(), self._session.encode()):
            raise Denied(401, "Open the address that the studio printed, with its token.")

    @property
    def cookie(self) -> str:
        """The cookie that the first answer sets."""
        return f"{self._cookie}={self._session}; Path=/; HttpOnly; SameSite=Strict"


def check_body(headers: Mapping[str, str]) -> int:
    """Size of a body; refuse what is too large, of no stated size, or no JSON."""
    kind = (headers.get("Content-Type") or "").split(";")[0].strip().lower()
    if kind != "application/json":
        raise Denied(415, "A body must be application/json.")
    length = headers.get("Content-Length") or ""
    if headers.get("Transfer-Encoding") is not None or not length.isdecimal():
        raise Denied(411, "The size of the body must be stated.")
    if len(length) > 9 or int(length) > MOST_BYTES:
        raise Denied(413, f"A body may have {MOST_BYTES:,} bytes.")
    return int(length)
