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

    from partage._search.methods import group_methods, methods

    intervals = Table("intervals", "searches, its own first", "what it is")
    for method in methods().values():
        intervals.add_row(method.name, ", ".join(method.searches) or "none", method.meaning)
    groups = Table("groups", "what it is")
    for method in group_methods().values():
        groups.add_row(method.name, method.meaning)
    console = Console()
    for table, use in (
        (intervals, 'partage.discretize(x, y, method="...", search="...")'),
        (groups, 'partage.group(x, y, method="...")'),
    ):
        console.print(table)
        console.print(f"Use: {use}.\n", highlight=False, markup=False)
