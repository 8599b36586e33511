"""How the time of a fit grows: ``python benchmarks/doubling.py [rows] [columns] [classes]``.

Doubles the rows of one column, the columns of a table, and the classes, and prints CPU time beside
that of ``np.sort`` of the same numbers, measured in turn. The slope is that of the logarithms over
the upper half of a table: 1 where the time is proportional. ``--most N`` gives the most rows; the
default is what fits a quarter of the memory. Rows are kept in ``results/doubling.csv``, which the
page of the benchmarks shows.
"""

import argparse
import os
import platform

import numpy as np

import partage as pt
from problems import EDGES, TWO_CLASSES
from tables import RESULTS, machine, replace
from timing import interleave

LEAST_ROWS = 10_000
BYTES_OF_ROW = 60  # x, y, what is sorted, and the line of them
COLUMNS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_000)
CLASSES = (2, 4, 8, 16, 32, 64, 128, 256, 512, 1_000)


def _pieces(rng, n_rows):
    """Draw a column and a class whose share is constant on each of five pieces."""
    x = rng.random(n_rows)
    return x, rng.random(n_rows) < TWO_CLASSES[np.searchsorted(EDGES[1:-1], x)]


def _noise(rng, n_rows):
    """Draw a column that says nothing of the class."""
    return rng.random(n_rows), rng.random(n_rows) < 0.5


def _most_rows():
    """Count the rows that fit a quarter of the memory."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return memory // 4 // BYTES_OF_ROW


def _measure(fit, sort):
    """CPU seconds of both, the best of some turns."""
    fit()
    found, _, base = interleave(fit, sort, sort, seconds=1.5, most=15)
    return min(found.cpu), min(base.cpu)


def rows(most):
    """Double the rows of one column."""
    for law, draw in (("five pieces", _pieces), ("noise", _noise)):
        n_rows = LEAST_ROWS
        while n_rows <= most:
            x, y = draw(np.random.default_rng(n_rows), n_rows)
            yield (
                f"rows, {law}",
                n_rows,
                lambda x=x, y=y: pt.discretize(x, y),
                lambda x=x: np.sort(x),
            )
            n_rows *= 2


def columns(_most):
    """Double the columns of a table of 10,000 rows, half of which say something."""
    rng = np.random.default_rng(20)
    y = rng.integers(0, 2, 10_000)
    X = rng.normal(size=(max(COLUMNS), 10_000)).T
    X[:, ::2] += 0.5 * y[:, None]
    for n in COLUMNS:
        some = X[:, :n]
        yield (
            "columns of 10,000 rows",
            n,
            lambda some=some: pt.Discretizer().fit(some, y),
            lambda some=some: np.sort(some, axis=0),
        )


def classes(_most):
    """Double the classes of one column of a million rows."""
    for n in CLASSES:
        rng = np.random.default_rng(n)
        x = rng.random(1_000_000)
        shares = rng.dirichlet(np.full(n, 0.5), size=len(EDGES) - 1).cumsum(axis=1)
        piece = np.searchsorted(EDGES[1:-1], x)
        y = np.empty(len(x), dtype=np.int64)
        for i, share in enumerate(shares):
            rows_of = np.flatnonzero(piece == i)
            y[rows_of] = np.minimum(np.searchsorted(share, rng.random(len(rows_of))), n - 1)
        names = np.array([f"class {i}" for i in range(n)])[y]
        yield (
            "classes, 1M rows",
            n,
            lambda x=x, names=names: pt.discretize(x, names),
            lambda x=x: np.sort(x),
        )


TABLES = {make.__name__: make for make in (rows, columns, classes)}


def slope(sizes, seconds):
    """Slope of the logarithms over the upper half of the sizes."""
    half = len(sizes) // 2
    return float(np.polyfit(np.log(sizes[half:]), np.log(seconds[half:]), 1)[0])


def show(cases):
    """Print a row for each size and the slopes; give the rows."""
    found = {}
    for what, size, fit, sort in cases:
        if what not in found:
            print(f"\n| {what} | ms of CPU | np.sort | x np.sort |\n|---|---|---|---|")
        fit_s, sort_s = _measure(fit, sort)
        found.setdefault(what, []).append((size, fit_s, sort_s))
        times = f"{1000 * fit_s:.4g} | {1000 * sort_s:.4g} | {fit_s / sort_s:.3g}"
        print(f"| {size:,} | {times} |", flush=True)
    for what, lines in found.items():
        sizes, fits, sorts = zip(*lines, strict=True)
        print(f"\n{what}: slope {slope(sizes, fits):.2f}, of np.sort {slope(sizes, sorts):.2f}")
    return found


def keep(found):
    """Keep the rows of the tables that were measured."""
    origin = machine() | {"python": platform.python_version(), "load": os.getloadavg()[0]}
    kept = [
        {"table": what, "size": size, "fit_cpu_s": fit_s, "sort_cpu_s": sort_s} | origin
        for what, lines in found.items()
        for size, fit_s, sort_s in lines
    ]
    replace(RESULTS / "doubling.csv", kept, "table")


def main():
    parser = argparse.ArgumentParser(description="Show how the time of a fit grows.")
    parser.add_argument("tables", nargs="*", help=f"any of {', '.join(TABLES)}; default: all")
    parser.add_argument("--most", type=int, default=_most_rows(), help="rows of one column")
    given = parser.parse_args()
    for name in given.tables or TABLES:
        if name not in TABLES:
            parser.error(f"unknown table: {name}")
        keep(show(TABLES[name](given.most)))


if __name__ == "__main__":
    main()
