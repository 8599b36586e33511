"""Figure of the report of a number: 30,000 rows and 23 columns, beside that of classes."""

import time

import numpy as np
import polars as pl

import partage as pt
from figure import Figure

N_ROWS, N_COLUMNS = 30_000, 23
N_TIMES = 3


def _table():
    """Make numbers and categories, two thirds of which say something of an amount."""
    rng = np.random.default_rng(30)
    amount = rng.lognormal(3, 1, N_ROWS)
    rank = np.argsort(np.argsort(amount)) / N_ROWS
    columns = {}
    for i in range(N_COLUMNS):
        told = rank * (i % 3) + rng.normal(size=N_ROWS)
        if i % 4 == 3:
            columns[f"c{i}"] = np.floor(3 * told).astype(int).astype(str)
        else:
            columns[f"c{i}"] = np.round(told, 2) if i % 2 else told
    return pl.DataFrame(columns), amount


def _seconds(table, y):
    """Least CPU time of a report."""
    found = []
    for _ in range(N_TIMES):
        start = time.process_time()
        pt.report(table, y)
        found.append(time.process_time() - start)
    return min(found)


def number_report():
    """CPU time of a report of a number, over that of a report of two classes of it."""
    table, amount = _table()
    pt.report(table.head(200), amount[:200])  # imports
    classes = _seconds(table, np.where(amount > np.median(amount), "high", "low"))
    number = _seconds(table, amount)
    return [
        Figure(
            f"{N_ROWS:,} x {N_COLUMNS}, a number ({number:.2f} s; classes {classes:.2f} s of CPU)",
            number / classes,
            "x the report of two classes",
            "at most",
            2.0,
        )
    ]


FIGURES = (number_report,)
