"""Writes the page of a paper: its figures beside ours, in Markdown, with plots."""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from partage.experiments import Ledger

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Comparison", "Listing", "Plot", "Section", "write_page"]

_PACKAGES = ("partage", "numpy", "scipy", "scikit-learn")
_RIGHT_ALIGNED = set("0123456789.,+-±% ")


@dataclass(frozen=True)
class Comparison:
    """A statement of the paper beside ours; an empty `difference` means reproduced."""

    what: str
    paper: str
    ours: str
    difference: str = ""

    @property
    def verdict(self) -> str:
        """Say 'reproduced', or 'differs' with the reason."""
        return f"differs: {self.difference}" if self.difference else "reproduced"


@dataclass(frozen=True)
class Listing:
    """A table of ours that has no counterpart in the paper."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Plot:
    """A picture: the name of its file, what it shows, and the function that draws it."""

    name: str
    caption: str
    draw: Callable[[Figure], None]
    size: tuple[float, float] = (8.0, 3.4)


@dataclass(frozen=True)
class Section:
    """What one table of a paper leaves on the page, in this order."""

    title: str
    setting: str
    seeds: str
    comparisons: Sequence[Comparison] = ()
    listings: Sequence[Listing] = ()
    plots: Sequence[Plot] = ()
    findings: Sequence[str] = ()
    seconds: float = 0.0
    ledger: Ledger = field(default_factory=Ledger)


def write_page(page: Path, reference: str, command: str, sections: Sequence[Section]) -> None:
    """Write the sections as a Markdown page, and their plots beside it."""
    blocks = [
        f"# {page.stem.replace('_', ' ').replace('-', ': ', 1).capitalize()}",
        f"{reference}.",
        f"Made by `{command}`; {_versions()}.",
    ]
    for section in sections:
        blocks += _section_blocks(section, page)
    page.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Lay out a Markdown table; columns that hold only numbers are aligned to the right."""
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(header)
    rules = ["---:" if cells and all(map(_is_number, cells)) else "---" for cells in columns]
    lines = [header, rules, *rows]
    return "\n".join("| " + " | ".join(_escape(cell) for cell in line) + " |" for line in lines)


def _section_blocks(section: Section, page: Path) -> list[str]:
    """Return the blocks of text of a section, once its plots are saved."""
    blocks = [f"## {section.title}", section.setting]
    if section.comparisons:
        rows = [(row.what, row.paper, row.ours, row.verdict) for row in section.comparisons]
        blocks.append(markdown_table(("", "paper", "ours", "verdict"), rows))
    blocks += [markdown_table(listing.header, listing.rows) for listing in section.listings]
    blocks += [_plot_block(plot, page) for plot in section.plots]
    blocks += section.findings
    missing = section.ledger.missing
    if missing:
        blocks.append(f"Data sets not found, left out: {', '.join(missing)}.")
    blocks.append(f"Seeds: {section.seeds}. Run time: {_run_time(section)}.")
    return blocks


def _run_time(section: Section) -> str:
    """Say how long a section took, and how long the results that were there already had taken."""
    ledger = section.ledger
    if not ledger.n_kept:
        return f"{section.seconds:.0f} s"
    return (
        f"{section.seconds:.0f} s, with {ledger.n_kept} results of earlier runs or tables that had "
        f"taken {ledger.kept_seconds:.0f} s of one process"
    )


def _plot_block(plot: Plot, page: Path) -> str:
    """Save a plot beside the page and return the link to it."""
    if find_spec("matplotlib") is None:
        return f'(No plot: {plot.caption} It needs matplotlib: `pip install "partage[plot]"`.)'
    from matplotlib.figure import Figure

    file = page.with_name(f"{page.stem}-{plot.name}.png")
    figure = Figure(figsize=plot.size, layout="constrained")
    plot.draw(figure)
    # Without the name of the program, equal numbers give equal files.
    figure.savefig(file, dpi=110, metadata={"Software": None})
    return f"![{plot.caption}]({file.name})\n\n*{plot.caption}*"


def _versions() -> str:
    """Name the versions that made the page."""
    packages = ", ".join(f"{name} {version(name)}" for name in _PACKAGES)
    return f"{packages}, Python {platform.python_version()}"


def _is_number(cell: str) -> bool:
    """Say whether a cell holds figures only."""
    return set(cell) <= _RIGHT_ALIGNED


def _escape(cell: str) -> str:
    """Keep a bar of the text from being read as the end of the cell."""
    return cell.replace("|", r"\|")
