"""Writing the document of a scorecard."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from partage._estimators.scorecard.document.content import make_document
from partage._estimators.scorecard.document.page import write_page
from partage._estimators.scorecard.document.workbook import write_workbook
from partage._support.safe_files import as_path, write_safely

__all__ = ["write_document"]

_WHO = "Scorecard.document"


def write_document(card: Any, path: Any, given: tuple[Any, ...], about: dict[str, Any]) -> None:
    """Write a page or a workbook, by the ending of the file."""
    file = as_path(_WHO, path)
    if file.suffix.lower() not in (".html", ".htm", ".xlsx"):
        raise ValueError(f"{_WHO}: path must end in .html or .xlsx; got {str(Path(path))!r}.")
    if not isinstance(about, dict) or not all(isinstance(text, str) for text in about.values()):
        raise TypeError(f"{_WHO}: about must be a dict of texts; got {about!r}.")
    judged = {}
    if hasattr(card, "_given"):
        X, y, target, weight = card._given
        judged["rows of the fit"] = card.performance(X, y, target=target, sample_weight=weight)
    X, y, target, weight = given
    if X is not None:
        judged["other rows"] = card.performance(X, y, target=target, sample_weight=weight)
    document = make_document(card, judged, about)
    is_book = file.suffix.lower() == ".xlsx"
    content = write_workbook(document) if is_book else write_page(document).encode()
    write_safely(file, content)
