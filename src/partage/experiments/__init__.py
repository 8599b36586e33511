"""The experiments of the papers, each a folder of this one, run by ``partage reproduce``.

A paper is one line of ``PAPERS`` and one folder of the same name, whose ``page.py`` has a function
``run(table, settings)`` that returns a `Section`. It is imported when it runs.

Long experiments give their work to `units.run_units`, which keeps the result of every finished
unit in the folder of the pages, so that a run that was stopped goes on where it was. Data sets come
from `data`; those that are not found are listed on the page.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

from partage.exceptions import PartageError

if TYPE_CHECKING:
    from partage.experiments.page import Section

__all__ = ["PAPERS", "Ledger", "Paper", "Settings", "find_papers", "find_tables", "reproduce"]


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
    Paper(
        "value_grouping",
        "M. Boullé, A grouping method for categorical attributes having very large number of "
        "values, Machine Learning and Data Mining in Pattern Recognition, 2005",
        ("figures1-2", "figures3-4", "figures5-6", "noise"),
    ),
    Paper(
        "optimum",
        "When is the optimum worth it? A question that Zighed, Rakotomalala and Feschet, KDD 1997, "
        "leave open",
        ("gap", "learners"),
    ),
    Paper("forest", "Why not just a forest? In no paper: what a sceptic asks", ("models",)),
    Paper(
        "binarization",
        "E. Mayoraz, M. Moreira, Combinatorial approach for data binarization, PKDD 1999",
        ("table1", "lad"),
    ),
    Paper(
        "bipartition",
        "S. Ferrandiz, M. Boullé, "
        "Multivariate discretization by recursive supervised bipartition of graph, 2005",
        ("table1", "table2", "table3", "figure6", "independence"),
    ),
    Paper(
        "partition_evaluation",
        "S. Ferrandiz, M. Boullé, "
        "Supervised evaluation of dataset partitions: advantages and practice, 2006",
        ("table1", "independence", "figure5", "table2"),
    ),
)


@dataclass
class Ledger:
    """What happened while a table was made: data sets not found, units that were there already."""

    missing: list[str] = field(default_factory=list)
    n_kept: int = 0
    kept_seconds: float = 0.0


@dataclass(frozen=True)
class Settings:
    """What the user chose, and where a table notes what happened.

    ``is_quick`` asks for seconds per table, ``is_full`` for all that the paper did; neither for a
    run of minutes. ``kept`` is the folder of finished units, ``is_fresh`` ignores those in it that
    earlier runs left; ``made`` holds the units of this run.
    """

    data: Path | None = None
    jobs: int = 1
    is_quick: bool = False
    is_full: bool = False
    is_fresh: bool = False
    kept: Path | None = None
    announce: Callable[[str], None] = lambda _: None
    ledger: Ledger = field(default_factory=Ledger, compare=False)
    made: dict[tuple[str, str], dict[str, tuple[Any, float]]] = field(
        default_factory=dict, compare=False
    )


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


def _make_folder(out: Path) -> None:
    """Make the folder of the pages; raise, before hours of work, unless it can be written to."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=out):
            pass
    except OSError as error:
        raise PartageError(
            f"--out must be a folder that can be written to; got {str(out)!r}: {error.strerror}."
        ) from None


def reproduce(
    paper: Paper, table: str | None, settings: Settings, out: Path
) -> tuple[Path, tuple[Section, ...]]:
    """Run the tables of a paper and write their page; return the page and its sections.

    A single table has a page of its own, so that it never overwrites the page of the paper.
    """
    from partage.experiments.page import write_page

    tables = find_tables(paper, table)
    _make_folder(out)
    module = import_module(f"partage.experiments.{paper.name}.page")
    sections = []
    for name in tables:
        settings.announce(f"{paper.name} {name}")
        ledger = Ledger()
        here = replace(settings, ledger=ledger, kept=out / "kept" / paper.name)
        start = time.perf_counter()
        section: Section = module.run(name, here)
        seconds = time.perf_counter() - start
        sections.append(replace(section, seconds=seconds, ledger=ledger))
    page = out / (f"{paper.name}.md" if table is None else f"{paper.name}-{table}.md")
    command = ["partage", "reproduce", paper.name, *([table] if table else [])]
    command += ["--quick"] * settings.is_quick + ["--full"] * settings.is_full
    command += [f"--n-jobs {settings.jobs}"] * (settings.jobs > 1)
    write_page(page, paper.reference, " ".join(command), tuple(sections))
    return page, tuple(sections)
