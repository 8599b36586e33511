"""``Studio``: a sitting that is open: its address, its model, and the end of it."""

from __future__ import annotations

import html
import webbrowser
from pathlib import Path
from typing import Any

from partage.studio.answers import Answers
from partage.studio.desk import Desk
from partage.studio.keeping import Keeper
from partage.studio.server import Server

__all__ = ["Studio"]

_HEIGHT = 860  # pixels of a notebook


class Studio:
    """Boundaries open for editing in a browser.

    Attributes
    ----------
    url : str
        Address of the page, with the token that opens it.
    model : FittedColumns
        The estimator with the parts as they are now.
    path : Path
        The file that they are saved in.
    """

    def __init__(
        self,
        desk: Desk,
        path: Path,
        *,
        sitting: dict[str, Any] | None = None,
        digest: str | None = None,
        port: int = 0,
    ) -> None:
        self._desk = desk
        self._keeper = Keeper(desk, path)
        self._server = Server(Answers(desk, self._keeper), port)
        try:
            self._keeper.open(sitting, digest)
        except BaseException:
            self._server.server_close()
            raise
        self._thread = self._server.start()

    @property
    def url(self) -> str:
        """Address of the page, with the token that opens it."""
        return self._server.url

    @property
    def path(self) -> Path:
        """The model file."""
        return self._keeper.path

    @property
    def model(self) -> Any:
        """The estimator with the parts as they are now."""
        desk = self._desk
        return desk.model._with_partitions(desk.partitions, {})

    def open(self) -> None:
        """Show the page in a browser."""
        webbrowser.open(self.url)

    def save(self) -> None:
        """Write the model file now."""
        self._keeper.save()

    def wait(self) -> None:
        """Serve until the process is interrupted."""
        while self._thread.is_alive():
            self._thread.join(0.5)

    def close(self) -> None:
        """Save, and end the server."""
        self._server.end()
        self._keeper.close()

    def __enter__(self) -> Studio:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _repr_html_(self) -> str:
        self._server.is_framed = True
        # The name by which notebooks are usually opened: cookies are kept for one name.
        address = html.escape(self.url.replace("127.0.0.1", "localhost", 1))
        return (
            f'<iframe src="{address}" width="100%" height="{_HEIGHT}" title="partage studio" '
            'style="border:1px solid #8884;border-radius:8px"></iframe>'
        )

    def __repr__(self) -> str:
        return f"Studio({self.url})"
