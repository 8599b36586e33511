"""Files that leave the studio: rules as SQL and Python, the model, the validator's document."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from partage._export.dialects import DIALECTS
from partage._report.making import report_fitted
from partage._saving.models import model_to_json
from partage.studio.answer import Answer
from partage.studio.card import card_of
from partage.studio.commands import Refused
from partage.studio.desk import Desk

__all__ = ["EXPORTS"]

_TEXT = "text/plain; charset=utf-8"


def _model(desk: Desk) -> Any:
    """Give the estimator with the parts as they are now."""
    with desk.lock:
        return desk.model._with_partitions(desk.partitions, {})


def _sql(desk: Desk, asked: Mapping[str, str]) -> Answer:
    dialect = asked.get("dialect", "duckdb")
    if dialect not in DIALECTS:
        raise Refused(f"dialect must be one of {', '.join(DIALECTS)}; got {dialect!r}.")
    text = _written(lambda: _model(desk).to_sql(dialect)) + "\n"
    return Answer.of_file("rules.sql", _TEXT, text.encode("utf-8", "replace"))


def _python(desk: Desk, _: Mapping[str, str]) -> Answer:
    text = _written(lambda: _model(desk).to_python())
    return Answer.of_file("rules.py", _TEXT, text.encode("utf-8", "replace"))


def _written(write: Any) -> str:
    """Write rules; a value that has no literal is the reason of a refusal."""
    try:
        return str(write())
    except (TypeError, ValueError) as error:
        raise Refused(str(error)) from error


def _json(desk: Desk, _: Mapping[str, str]) -> Answer:
    return Answer.of_file("model.json", "application/json", model_to_json(_model(desk)).encode())


def _document(desk: Desk, _: Mapping[str, str]) -> Answer:
    """Write the document of the card; without one, the report of the columns."""
    is_signed = any(sheet.status == "signed" for sheet in desk.sheets.values())
    try:
        card, names = card_of(desk, every=not is_signed)
    except Refused:
        page = report_fitted(_model(desk), None, desk.source)
        return Answer.of_file("report.html", "text/html; charset=utf-8", page.html.encode())
    rows = desk.rows
    judged = (None, None, None)
    if rows.held is not None:
        judged = (rows.held.select(names), rows.held[rows.target], rows.held_weights)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "card.html"
        card.document(
            path, judged[0], judged[1], sample_weight=judged[2], about=_about(desk, names)
        )
        return Answer.of_file("document.html", "text/html; charset=utf-8", path.read_bytes())


def _about(desk: Desk, names: list[str]) -> dict[str, str]:
    """Say who signed what, and what was noted."""
    about = {"title": f"Scorecard: {desk.source}", "data": desk.source}
    for name in names:
        sheet = desk.sheets[name]
        said = []
        if sheet.signed:
            said.append(f"signed by {sheet.signed.get('who') or 'somebody'}")
            said.append(sheet.signed.get("when", "")[:10])
        if sheet.note:
            said.append(sheet.note)
        if said:
            about[f"column {name}"] = ", ".join(filter(None, said))
    return about


EXPORTS = {
    "/api/export/sql": _sql,
    "/api/export/python": _python,
    "/api/export/model": _json,
    "/api/export/document": _document,
}
