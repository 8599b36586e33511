"""``partage methods``: the methods and the searches each allows."""

from __future__ import annotations

import argparse
from typing import Any


def add_methods(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the parser of ``partage methods``."""
    parser = commands.add_parser(
        "methods", parents=[common], help="list the methods and the searches each allows"
    )
    parser.set_defaults(command="methods", run=_run_methods)


def _run_methods(_: argparse.Namespace) -> None:
    """Print the methods of intervals and of groups, asked from the library."""
    from rich.console import Console
    from rich.table import Table

    from partage._search.core import method_meanings, methods
    from partage._search.group_settings import group_methods

    meanings = method_meanings()
    intervals = Table("intervals", "searches, its own first", "what it is")
    for method, searches in methods().items():
        intervals.add_row(method, ", ".join(searches) or "none", meanings[method])
    groups = Table("groups", "what it is")
    for method, meaning in group_methods().items():
        groups.add_row(method, meaning)
    console = Console()
    for table, use in (
        (intervals, 'partage.discretize(x, y, method="...", search="...")'),
        (groups, 'partage.group(x, y, method="...")'),
    ):
        console.print(table)
        console.print(f"Use: {use}.\n", highlight=False, markup=False)
