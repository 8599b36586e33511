"""Data frames on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console


def print_frame(console: Console, title: str, frame: Any) -> None:
    """Print a data frame; numbers stand to the right, with three digits after the point."""
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, title_justify="left", title_style="bold")
    for name in frame.columns:
        is_number = frame[name].dtype.kind in "iuf"
        table.add_column(str(name), justify="right" if is_number else "left")
    for row in frame.itertuples(index=False):
        table.add_row(*(Text(_format_cell(cell)) for cell in row))  # Text: brackets are no markup
    console.print(table)


def _format_cell(cell: Any) -> str:
    """Write a cell of a data frame."""
    return f"{cell:.3f}" if isinstance(cell, float) else str(cell)
