"""``partage demo``: a data set that comes with scikit-learn."""

from __future__ import annotations

import argparse
import time
from typing import Any

from partage.cli._arguments import UsageError
from partage.cli._frames import print_frame

_DEMO_SETS = {"breast-cancer": "load_breast_cancer", "iris": "load_iris", "wine": "load_wine"}
_N_DEMO_COLUMNS = 10
_N_DEMO_TABLES = 2


def add_demo(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the parser of ``partage demo``."""
    parser = commands.add_parser(
        "demo", parents=[common], help="discretize a data set that comes with scikit-learn"
    )
    parser.add_argument(
        "data",
        nargs="?",
        default="breast-cancer",
        help=f"one of {', '.join(_DEMO_SETS)} (%(default)s)",
    )
    parser.set_defaults(command="demo", run=_run_demo)


def _run_demo(options: argparse.Namespace) -> None:
    """Discretize a data set; print its columns by level and the tables of the best."""
    from rich.console import Console
    from sklearn import datasets

    import partage as pt

    if options.data not in _DEMO_SETS:
        names = ", ".join(_DEMO_SETS)
        raise UsageError(f"partage demo: unknown data set {options.data!r}; choose from: {names}.")
    console = Console()
    data = getattr(datasets, _DEMO_SETS[options.data])(as_frame=True)
    target = data.target.map(dict(enumerate(data.target_names)))
    start = time.perf_counter()
    # scikit-learn's signatures carry no hints.
    discretizer = pt.Discretizer().fit(data.data, target)  # type: ignore[no-untyped-call]
    seconds = time.perf_counter() - start
    n_rows, n_columns = data.data.shape
    console.print(
        f"{options.data}: {n_rows} rows, {n_columns} numeric columns, classes "
        f"{', '.join(map(str, data.target_names))}; discretized by MODL in {seconds:.2f} s.\n",
        highlight=False,
    )
    summary = discretizer.summary()
    ranking = summary[["column", "parts", "level"]].head(_N_DEMO_COLUMNS)
    print_frame(console, "Columns, most informative first", ranking)
    if n_columns > _N_DEMO_COLUMNS:
        console.print(f"... and {n_columns - _N_DEMO_COLUMNS} more columns.\n")
    for name in summary["column"].head(_N_DEMO_TABLES):
        table = discretizer.partitions_[name].table()
        shown = ["part", "count", *(title for title in table if title.startswith("rate_"))]
        table = table[table["part"] != "total"]
        print_frame(console, str(name), table.loc[table["count"] > 0, shown])
    console.print(
        "The level is the share of the description of the classes that a column saves: 0 says "
        "nothing, 1 says all. Each row of a table is a part, with the rate of each class in it; "
        "the method chose how many parts and where to cut, without a parameter.\n"
        "Next: [bold]partage demo iris[/], [bold]partage methods[/], or in Python "
        "[bold]partage.Discretizer().fit(X, y).summary()[/] on a table of yours.",
        highlight=False,
    )
