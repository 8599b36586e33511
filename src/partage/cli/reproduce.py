"""``partage reproduce``: the experiments of the papers, their figures beside ours."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from partage.cli.arguments import UsageError, read_count
from partage.experiments import PAPERS, Settings, find_papers, find_tables, reproduce

if TYPE_CHECKING:
    from rich.console import Console


def add_reproduce(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the parser of ``partage reproduce``."""
    known = "\n".join(f"  {paper.name}: {', '.join(paper.tables)}" for paper in PAPERS)
    parser = commands.add_parser(
        "reproduce",
        parents=[common],
        help="run the experiments of the papers again, their figures beside ours",
        description="Write a page per paper: its figures beside ours, with plots.",
        epilog=f"papers and their tables:\n{known}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("paper", nargs="?", help="one paper only (all)")
    parser.add_argument("table", nargs="?", help="one table of it only (all)")
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        default=os.environ.get("PARTAGE_DATA"),
        help="folder of data sets (PARTAGE_DATA)",
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", default=Path("reproduced"), help="(%(default)s)"
    )
    parser.add_argument("--n-jobs", type=read_count, metavar="N", default=1, help="processes (1)")
    scale = parser.add_mutually_exclusive_group()
    scale.add_argument("--quick", action="store_true", help="fewer samples, seconds per table")
    scale.add_argument("--full", action="store_true", help="all that the papers did: hours")
    parser.add_argument(
        "--fresh", action="store_true", help="do not use results that an earlier run kept"
    )
    parser.set_defaults(command="reproduce", run=_run_reproduce)


def _run_reproduce(options: argparse.Namespace) -> None:
    """Run experiments, write their pages and print the verdicts."""
    from rich.console import Console

    console = Console()
    data = None if options.data is None else Path(options.data)
    try:
        papers = find_papers(options.paper)
        for paper in papers:
            find_tables(paper, options.table)
    except ValueError as error:
        raise UsageError(f"partage reproduce: {error}") from None
    if data is not None and not data.is_dir():
        raise UsageError(
            f"partage reproduce: --data must be an existing folder; got {str(data)!r}."
        )
    if options.out.exists() and not options.out.is_dir():
        raise UsageError(f"partage reproduce: --out must be a folder; got {str(options.out)!r}.")
    for paper in papers:
        with console.status(paper.name) as status:
            settings = Settings(
                data,
                options.n_jobs,
                is_quick=options.quick,
                is_full=options.full,
                is_fresh=options.fresh,
                announce=status.update,
            )
            page, sections = reproduce(paper, options.table, settings, options.out)
        for section in sections:
            _print_verdicts(console, section)
        console.print(f"Page: {page}", highlight=False, soft_wrap=True)


def _print_verdicts(console: Console, section: Any) -> None:
    """Print a section of a page: the paper's figures beside ours, or our own table."""
    from rich.table import Table

    console.print(f"{section.title} ({section.seconds:.0f} s)", style="bold", highlight=False)
    if section.comparisons:
        table = Table("", "paper", "ours", "verdict")
        for row in section.comparisons:
            table.add_row(row.what, row.paper, row.ours, row.verdict)
        console.print(table)
    for finding in section.findings:
        console.print(finding, highlight=False, markup=False)
    if section.ledger.missing:
        console.print(f"Data sets not found: {', '.join(section.ledger.missing)}.", markup=False)
