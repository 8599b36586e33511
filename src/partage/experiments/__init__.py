"""The experiments of the papers, each a file of this folder, run by ``partage reproduce``.

A paper is one line of ``PAPERS`` and one module of the same name, which has a function
``run(table, settings)`` that returns a `Section`. The module is imported when it runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from partage.experiments._page import Section

__all__ = ["PAPERS", "Paper", "Settings", "find_papers", "find_tables", "reproduce"]


@dataclass(frozen=True)
class Paper:
    """A paper and the names of its tables, in the order of its page."""

    name: str
    reference: str
    tables: tuple[str, ...]


PAPERS: tuple[Paper, ...] = (
    Paper(
        "optimal_intervals",
        "D. A. Zighed, R. Rakotomalala, F. Feschet, "
        "Optimal multiple intervals discretization of continuous attributes "
        "for supervised learning, KDD 1997",
        ("table1", "variations"),
    ),
)


@dataclass(frozen=True)
class Settings:
    """What the user chose: the folder of data sets, the processes, and whether to be quick."""

    data: Path | None = None
    jobs: int = 1
    is_quick: bool = False


def find_papers(name: str | None) -> tuple[Paper, ...]:
    """Return the paper of that name, or all papers."""
    if name is None:
        return PAPERS
    for paper in PAPERS:
        if paper.name == name:
            return (paper,)
    names = ", ".join(paper.name for paper in PAPERS)
    raise ValueError(f"unknown paper {name!r}; choose from: {names}.")


def find_tables(paper: Paper, name: str | None) -> tuple[str, ...]:
    """Return the table of that name, or all tables of the paper."""
    if name is None:
        return paper.tables
    if name in paper.tables:
        return (name,)
    names = ", ".join(paper.tables)
    raise ValueError(f"unknown table {name!r} of {paper.name}; choose from: {names}.")


def reproduce(
    paper: Paper,
    table: str | None,
    settings: Settings,
    out: Path,
    announce: Callable[[str], None] = lambda _: None,
) -> tuple[Path, tuple[Section, ...]]:
    """Run the tables of a paper and write their page; return the page and its sections.

    A single table has a page of its own, so that it never overwrites the page of the paper.
    """
    from partage.experiments._page import write_page

    tables = find_tables(paper, table)
    out.mkdir(parents=True, exist_ok=True)
    module = import_module(f"partage.experiments.{paper.name}")
    sections = []
    for name in tables:
        announce(f"{paper.name} {name}")
        start = time.perf_counter()
        section: Section = module.run(name, settings)
        sections.append(replace(section, seconds=time.perf_counter() - start))
    page = out / (f"{paper.name}.md" if table is None else f"{paper.name}-{table}.md")
    command = ["partage", "reproduce", paper.name, *([table] if table else [])]
    command += ["--quick"] * settings.is_quick
    write_page(page, paper.reference, " ".join(command), tuple(sections))
    return page, tuple(sections)
