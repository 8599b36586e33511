"""``partage show``: what a model file holds."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from partage._support.speaking import did_you_mean
from partage.cli.arguments import UsageError


def add_show(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the parser of ``partage show``."""
    parser = commands.add_parser(
        "show",
        parents=[common],
        help="print the columns of a model file, or the parts of one",
        description="Print the columns of a model file by level, or the parts of one column.",
    )
    parser.add_argument("model", help="model.json, as `partage report` wrote it")
    parser.add_argument("column", nargs="?", help="one column only")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(command="show", run=run_show)


def run_show(options: argparse.Namespace) -> None:
    """Read the model and print it."""
    from rich.console import Console

    from partage._estimators.table_model import TableModel
    from partage._report.json import column_to_plain, summary_to_json, to_json
    from partage._report.summary import summarize
    from partage._report.text import print_column, print_summary

    model = TableModel.load(options.model)
    summary = summarize(model, source=Path(options.model).name)
    console = Console()
    if options.column is None:
        if options.json:
            print(summary_to_json(summary))
        else:
            print_summary(console, summary, n_columns=len(summary.columns))
        return
    found = [column for column in summary.columns if column.name == options.column]
    if not found:
        names = [column.name for column in summary.columns]
        hint = did_you_mean(options.column, names)
        raise UsageError(
            f"partage show: the model must hold the column; got {options.column!r}.{hint} "
            f"`partage show {options.model}` lists them."
        )
    if options.json:
        print(to_json(column_to_plain(found[0], summary.classes)))
    else:
        print_column(console, found[0], summary.classes)
