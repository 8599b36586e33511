"""``ReportPage``: a page to look at, in a notebook or a browser."""

from __future__ import annotations

import html
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from partage._support.safe_files import as_path, write_safely

_HEIGHT = 720  # pixels of a notebook


@dataclass(frozen=True, repr=False)
class ReportPage:
    """A page that needs nothing else: notebooks show it, ``save`` writes it.

    Attributes
    ----------
    html : str
        The page.
    title : str
        What it is about.
    """

    html: str
    title: str

    def save(self, path: Any) -> Path:
        """Write the page to a file, whole or not at all.

        Parameters
        ----------
        path : str or Path
            Where to write, such as ``"report.html"``; a file that is there is replaced.

        Returns
        -------
        Path
            The file.
        """
        file = as_path("ReportPage.save", path)
        write_safely(file, self.html.encode("utf-8", "replace"))
        return file

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" width="100%" height="{_HEIGHT}" '
            f'style="border:1px solid #8884;border-radius:8px" title="{html.escape(self.title)}">'
            "</iframe>"
        )

    def __repr__(self) -> str:
        return f"ReportPage({self.title!r}: {len(self.html):,} letters; save(path) writes it)"
