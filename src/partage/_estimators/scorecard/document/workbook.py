"""The document of a scorecard as a workbook: a sheet for each section."""

from __future__ import annotations

import io
import math
import re
from typing import Any

from partage._estimators.scorecard.document.content import Document, Section

__all__ = ["write_workbook"]

_MOST_LETTERS = 31  # of the name of a sheet
_FORBIDDEN = re.compile(r"[\[\]:*?/\\\x00-\x1f]")
_NO_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_MOST_WIDTH = 60


def write_workbook(document: Document) -> bytes:
    """Write the whole workbook."""
    try:
        from openpyxl import Workbook
    except ImportError:
        raise ImportError(
            "Scorecard.document: openpyxl must be installed for a workbook; run "
            "`pip install 'partage[excel]'`, or write a page: card.html."
        ) from None

    book = Workbook()
    book.remove(book.active)
    names: set[str] = set()
    for section in document.sections:
        _write(book.create_sheet(_name(section.title, names)), document, section)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _name(title: str, taken: set[str]) -> str:
    """Give a sheet a name that is valid and that no other has."""
    base = _FORBIDDEN.sub("_", title.removeprefix("Column ")).strip("'")[:_MOST_LETTERS] or "_"
    name, k = base, 1
    while name.lower() in taken:
        k += 1
        tail = f" {k}"
        name = base[: _MOST_LETTERS - len(tail)] + tail
    taken.add(name.lower())
    return name


def _write(sheet: Any, document: Document, section: Section) -> None:
    """Fill a sheet: a title, sentences, then tables below each other."""
    from openpyxl.styles import Font, PatternFill

    bold, shade = Font(bold=True), PatternFill("solid", fgColor="F2F5F8")
    _put(sheet, 1, 1, f"{document.title}: {section.title}").font = Font(bold=True, size=14)
    row = 2
    for line in section.lines:
        _put(sheet, row, 1, line)
        row += 1
    widths: dict[int, int] = {}
    for table in section.sheets:
        row += 1
        _put(sheet, row, 1, table.title).font = bold
        row += 1
        for k, title in enumerate(table.columns, 1):
            cell = _put(sheet, row, k, str(title))
            cell.font, cell.fill = bold, shade
            widths[k] = max(widths.get(k, 8), len(str(title)) + 2)
        for values in table.rows:
            row += 1
            for k, value in enumerate(values, 1):
                _put(sheet, row, k, value)
                shown = 10 if isinstance(value, float) else len(str(value)) + 2
                widths[k] = min(max(widths[k], shown), _MOST_WIDTH)
        row += 1
    for line in section.code.splitlines():
        row += 1
        _put(sheet, row, 1, line)
    for k, width in widths.items():
        sheet.column_dimensions[sheet.cell(row=1, column=k).column_letter].width = width


def _put(sheet: Any, row: int, column: int, value: Any) -> Any:
    """Write one cell; text stays text, even if it begins as a formula does."""
    cell = sheet.cell(row=row, column=column)
    if isinstance(value, float) and not math.isfinite(value):
        value = None if math.isnan(value) else str(value)
    if isinstance(value, bool) or value is None or isinstance(value, (int, float)):
        cell.value = value
        if isinstance(value, float) and value != int(value):
            cell.number_format = "0.0000" if abs(value) < 100 else "#,##0.00"
    else:
        cell.value = _NO_TEXT.sub("\ufffd", str(value))[:32_767]
        cell.data_type = "s"
    return cell
