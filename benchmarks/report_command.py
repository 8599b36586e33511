"""Figures of ``partage report``: whole commands, from their start to the files they write.

The memory is the peak of the process, the interpreter and all libraries included. The command is
held against a process that imports, reads and fits the same; reading and fitting alone are shown
too.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np
import polars as pl

from figure import Figure, Skipped

N_ROWS, N_COLUMNS = 1_000_000, 30
N_CUSTOMERS = 7_000
# Compiled modules are kept, as those of any installed package are, and an editable installation
# does not look for changed sources at each start, as no other does.
BUILDS = sorted(map(str, Path(__file__).parents[1].glob("build/cp*")))
AS_INSTALLED = {"PYTHONDONTWRITEBYTECODE": "", "SKBUILD_EDITABLE_SKIP": os.pathsep.join(BUILDS)}
READ_AND_FIT = """
import json, resource, sys, time
import polars as pl
import partage as pt
pt.TablePartitioner
cpu, wall = time.process_time(), time.perf_counter()
frame = pl.read_parquet(sys.argv[1])
pt.TablePartitioner(n_jobs=-1).fit(frame, target="class")
print(json.dumps({"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall,
                  "table": frame.estimated_size()}))
"""


@dataclass(frozen=True)
class Run:
    """Times and peak memory of a command."""

    wall: float
    cpu: float
    peak: float
    out: str


def run(*words):
    """Run a command to its end."""
    start = time.perf_counter()
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(words, stdout=out, env=os.environ | AS_INSTALLED)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, words)
    seconds = time.perf_counter() - start
    return Run(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, text)


def _write_customers(path):
    """Write 7,000 customers of 19 columns: numbers, categories, an amount with gaps."""
    rng = np.random.default_rng(19)
    leaves = rng.random(N_CUSTOMERS) < 0.27
    words = np.array(["no", "yes", "none", "monthly", "yearly"])
    columns = {"customer": [f"{i:04d}-XKQV" for i in range(N_CUSTOMERS)]}
    columns["months"] = np.where(leaves, rng.integers(1, 40, N_CUSTOMERS), rng.integers(1, 73))
    for i in range(14):
        moved = leaves & (rng.random(N_CUSTOMERS) < 0.06 * i)
        columns[f"service {i}"] = words[(rng.integers(0, 2 + i % 3, N_CUSTOMERS) + moved) % 5]
    columns["charge"] = np.round(rng.normal(60, 20, N_CUSTOMERS) + 12 * leaves, 2)
    total = np.round(columns["charge"] * columns["months"], 2)
    columns["total"] = [None if i % 600 == 0 else value for i, value in enumerate(total)]
    columns["senior"] = rng.integers(0, 2, N_CUSTOMERS)
    pl.DataFrame(columns | {"class": np.where(leaves, "yes", "no")}).write_csv(path)


def report_customers():
    """Report of a CSV file of 7,000 rows and 19 columns, most of whose time is the start.

    In an editable install the check for changed sources is part of it.
    """
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder, "customers.csv")
        _write_customers(data)
        runs = [report(data, Path(folder, "out")) for _ in range(7)][1:]
        page = Path(folder, "out", "report.html").stat().st_size
    cpu = [one.cpu for one in runs]
    case = "7,000 rows, 19 columns of CSV"
    return [
        Figure(f"{case}, CPU time, start to files", min(cpu), "s", limit=1.0, median=median(cpu)),
        Figure(f"{case}, start to files", min(one.wall for one in runs), "s"),
        Figure(f"{case}, the page", page / 1e6, "MB"),
    ]


def report(data, out):
    """Run ``partage report``."""
    words = [sys.executable, "-m", "partage", "report", str(data), "--target", "class"]
    return run(*words, "--out", str(out), "--force")


def report_adult():
    """Report of a CSV file of 48,842 rows and 14 columns."""
    data = Path(os.environ.get("PARTAGE_DATA", ""), "adult.csv.gz")
    if not data.is_file():
        raise Skipped("PARTAGE_DATA must name a folder that holds adult.csv.gz")
    with tempfile.TemporaryDirectory() as folder:
        runs = [report(data, folder) for _ in range(5)]
        size = Path(folder, "report.html").stat().st_size
    seconds, cpu = [one.wall for one in runs], [one.cpu for one in runs]
    return [
        Figure("adult, start to files", min(seconds), "s", limit=5, median=median(seconds)),
        Figure("adult, CPU time", min(cpu), "s", median=median(cpu)),
        Figure("adult, the page", size / 1e6, "MB", limit=1),
    ]


def _write_table(path):
    """Write a million rows of numbers and categories, some of which tell the class."""
    rng = np.random.default_rng(8)
    y = rng.integers(0, 2, N_ROWS)
    columns = {}
    for i in range(N_COLUMNS):
        if i % 5 == 4:
            codes = rng.integers(0, 50 * (i + 1), N_ROWS)
            tells = (codes % 7 == 0) & (rng.random(N_ROWS) < 0.5)
            columns[f"category {i}"] = pl.Series(np.where(tells, 2 * codes + y, 2 * codes)).cast(
                pl.String
            )
        else:
            noise = rng.normal(size=N_ROWS)
            columns[f"number {i}"] = noise + (i % 3) * 0.4 * y if i % 2 else np.round(noise, 2)
    pl.DataFrame(columns | {"class": y}).write_parquet(path)


def report_1m():
    """Report of a Parquet file of a million rows and 30 columns."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder, "table.parquet")
        _write_table(data)
        turns = []
        for _ in range(3):
            base = run(sys.executable, "-c", READ_AND_FIT, str(data))
            turns.append((base, json.loads(base.out), report(data, Path(folder, "out"))))
    wall = [whole.wall / base.wall for base, _, whole in turns]
    cpu = [whole.cpu / base.cpu for base, _, whole in turns]
    inner = [whole.wall / inside["wall"] for _, inside, whole in turns]
    peak = min(whole.peak for *_, whole in turns) / turns[0][1]["table"]
    case = "1M rows, 30 columns"
    unit = "x a process that reads with polars and fits"
    return [
        Figure(f"{case}, wall time", min(wall), unit, limit=1.5, median=median(wall)),
        Figure(f"{case}, CPU time", min(cpu), unit, limit=1.5, median=median(cpu)),
        Figure(f"{case}, wall time", min(inner), "x reading and the fit", median=median(inner)),
        Figure(f"{case}, peak memory", peak, "x the table", limit=1.5),
        Figure(f"{case}, start to files", min(whole.wall for *_, whole in turns), "s", limit=5),
    ]


FIGURES = (report_customers, report_adult, report_1m)
