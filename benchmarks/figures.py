"""Show the figures partage must reach: ``python benchmarks/figures.py [NAME ...]``.

Prints, figure against measured, and keeps the rows in ``results/figures.csv``. With ``--against
PYTHON`` each is measured once more by an interpreter that has another state of partage installed;
those rows are only printed.
"""

import argparse
import os
import platform
import subprocess
import sys
from importlib.metadata import version

import additive_figures
import averaged_figures
import bayes
import binarization
import category_figures
import certainty_figures
import contrast_figures
import graph_quality
import graphs
import grid_figures
import install_figures
import khiops_figures
import lad_figures
import limit_figures
import mean_figures
import number_figures
import number_quality
import number_report
import number_sets
import page_figures
import quality_figures
import report_command
import scorecard_figures
import search_figures
import speed_figures
import studio_figures
from figure import Skipped
from tables import RESULTS, machine, replace

MODULES = (
    speed_figures,
    limit_figures,
    quality_figures,
    search_figures,
    category_figures,
    report_command,
    binarization,
    lad_figures,
    graphs,
    graph_quality,
    grid_figures,
    khiops_figures,
    bayes,
    averaged_figures,
    additive_figures,
    certainty_figures,
    number_figures,
    contrast_figures,
    mean_figures,
    number_report,
    number_quality,
    number_sets,
    page_figures,
    scorecard_figures,
    studio_figures,
    install_figures,
)
FIGURES = {make.__name__: make for module in MODULES for make in module.FIGURES}


def _origin():
    """Versions and machine, the same for all rows of a run."""
    packages = {name: version(name) for name in ("partage", "numpy")}
    python = platform.python_version()
    return packages | {"python": python} | machine() | {"load": os.getloadavg()[0]}


def show(name, *, is_kept=True):
    """Measure one figure, print its rows and keep them; the number of rows that miss theirs."""
    rows = []
    try:
        for row in FIGURES[name]():
            print(f"{name}: {row}", flush=True)
            rows.append(row)
    except Skipped as reason:
        print(f"{name}: skipped: {reason}")
        return 0
    if is_kept:
        kept = [{"figure": name} | row.as_dict() | _origin() for row in rows]
        replace(RESULTS / "figures.csv", kept, "figure")
    return sum(row.verdict == "missed" for row in rows)


def main():
    parser = argparse.ArgumentParser(description="Show the figures partage must reach.")
    parser.add_argument("names", nargs="*", help=f"any of {', '.join(FIGURES)}; default: all")
    parser.add_argument("--against", metavar="PYTHON", help="the interpreter of another state")
    parser.add_argument("--show", action="store_true", help="keep nothing")
    given = parser.parse_args()
    names = given.names or list(FIGURES)
    unknown = set(names) - set(FIGURES)
    if unknown:
        parser.error(f"unknown figures: {', '.join(sorted(unknown))}")
    missed = 0
    for name in names:
        missed += show(name, is_kept=not given.show)
        if given.against:
            print("the other state:", flush=True)
            subprocess.run([given.against, __file__, name, "--show"], check=False)
    print(f"{missed} missed" if missed else "none missed")
    return missed


if __name__ == "__main__":
    sys.exit(main())
