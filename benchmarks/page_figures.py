"""Figures of the page of a report: how large it is, and how soon a browser shows it."""

import shutil
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np
import polars as pl

import partage as pt
from figure import Figure, Skipped

N_ROWS = 4_000
N_TURNS = 3


def _frame(n_columns):
    """Make numbers, skewed amounts, categories of 40 values, columns with gaps, and counts."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, N_ROWS)
    columns = {}
    for i in range(n_columns):
        noise, strength = rng.normal(size=N_ROWS), i % 3
        columns[f"column {i}"] = (
            noise + strength * y,
            np.exp(2 * noise + 0.4 * strength * y).round(2),
            [f"value {code}" for code in rng.integers(0, 40, N_ROWS) // (1 + y * (strength > 0))],
            np.where(rng.random(N_ROWS) < 0.2, np.nan, noise + 0.3 * y),
            rng.poisson(3 + strength * y),
        )[i % 5]
    return pl.DataFrame(columns | {"class": y})


def _open(browser, path):
    """Open a page, a column, and search; the seconds of each."""
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    page.goto(path.as_uri())
    timing = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"
    shown = page.evaluate(timing) / 1e3
    start = time.perf_counter()
    page.click("#ranking tbody tr >> nth=1")
    clicked = time.perf_counter() - start
    start = time.perf_counter()
    page.fill("#search", "value 3")
    searched = time.perf_counter() - start
    page.close()
    return shown, clicked, searched


def report_page():
    """Make pages of 300 and of 2,000 columns, and open them in Chromium."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise Skipped("playwright is not installed") from None
    chromium = shutil.which("chromium")
    if chromium is None:
        raise Skipped("Chromium is not installed")
    found = []
    with sync_playwright() as engine, tempfile.TemporaryDirectory() as folder:
        browser = engine.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for n_columns, most in ((300, 1.5), (2_000, None)):
            path = Path(folder) / f"{n_columns}.html"
            pt.report(_frame(n_columns), target="class", title="wide", path=path)
            case = f"{n_columns:,} columns"
            found.append(Figure(f"{case}, page", path.stat().st_size / 1e6, "MB", limit=most))
            turns = [_open(browser, path) for _ in range(N_TURNS)]
            names = ("until it is shown", "a column opened", "a search")
            for name, times in zip(names, zip(*turns, strict=True), strict=True):
                found.append(Figure(f"{case}, {name}", min(times), "s", median=median(times)))
        browser.close()
    return found


FIGURES = (report_page,)
