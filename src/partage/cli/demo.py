"""``partage demo``: the other commands, on an example that comes with the package."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import Any

from partage.cli.arguments import UsageError

_OUT = Path("partage-demo")
_N_ROWS = 12_000
_N_NEW_ROWS = 3_000


def add_demo(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the parser of ``partage demo``."""
    parser = commands.add_parser(
        "demo",
        parents=[common],
        help="try all of this on an example that comes with the package",
        description="Write made-up loans and run the other commands on them.",
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", default=_OUT, help="folder (%(default)s)"
    )
    parser.set_defaults(command="demo", run=run_demo)


def run_demo(options: argparse.Namespace) -> None:
    """Write the example, then run the commands that a user would."""
    from rich.console import Console

    from partage._report.example import make_loans

    console = Console()
    out = options.out
    if out.exists() and not out.is_dir():
        raise UsageError(f"partage demo: --out must be a folder; {str(out)!r} is a file.")
    out.mkdir(parents=True, exist_ok=True)
    loans, new = out / "loans.csv", out / "new-loans.csv"
    make_loans(_N_ROWS, seed=1).to_csv(loans, index=False)
    make_loans(_N_NEW_ROWS, seed=2, is_later=True).to_csv(new, index=False)
    model = str(out / "model.json")
    steps = (
        (
            "Which columns predict whether a loan is paid, and where are the boundaries?",
            ["report", str(loans), "--target", "outcome", "--out", str(out), "--sql", "duckdb"],
        ),
        ("One column closely: 260 towns become a few groups.", ["show", model, "town"]),
        (
            "The same parts for new loans, ready for a model.",
            ["apply", model, str(new), "-o", str(out / "parts.parquet"), "--output", "woe"],
        ),
        (
            "Do the new loans still look like the old ones?",
            ["compare", model, str(new), "--out", str(out / "compare.html")],
        ),
    )
    for what, words in steps:
        console.rule(what, align="left", style="dim")
        console.print(
            f"$ partage {shlex.join(words)}", style="bold", highlight=False, soft_wrap=True
        )
        _run([*words, *(["--force"] * (words[0] in ("report", "apply")))])
        console.print()
    console.print(
        f"[bold]Now open {out / 'report.html'} in a browser, and compare.html beside it.[/] "
        "Then try a file of yours:\n"
        "  partage report data.csv --target NAME",
        highlight=False,
        soft_wrap=True,
    )


def _run(words: list[str]) -> None:
    """Run another command of this program."""
    from partage.cli import build_parser

    options = build_parser().parse_args(words)
    options.run(options)
