"""Settings and fixtures shared by every test."""

import contextlib
import gzip
import json
import os
import shutil
import signal
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, settings
from sklearn.datasets import load_iris

from helpers import FULL, examples
from sql_engines import open_engine

mpl.use("Agg")

CHROMIUM = next(
    (
        path
        for name in ("chromium", "chromium-browser", "google-chrome")
        if (path := shutil.which(name))
    ),
    None,
)

settings.register_profile(
    "partage",
    deadline=None,
    derandomize=True,
    max_examples=examples(60),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("partage")


def pytest_configure(config):
    """Share the tests among processes so that what is slow to start is started once.

    By default neighbours stay together, and with them what a module prepares; in the full run all
    tests of an engine do, Spark's Java machine among them.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A shell has its background commands ignore Ctrl-C, which some tests press.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if getattr(config.option, "dist", "no") == "load":
        config.option.dist = "loadgroup" if FULL else "worksteal"


@pytest.fixture(scope="session")
def iris():
    """Scikit-learn's copy of iris, as a frame and its classes."""
    bunch = load_iris(as_frame=True)
    return bunch.data, bunch.target


@pytest.fixture(scope="session")
def steps():
    """Two columns of 600 rows, one with three steps and one of noise, and their two classes."""
    rng = np.random.default_rng(7)
    signal, noise = rng.normal(size=(2, 600))
    rate = np.select([signal < -0.5, signal < 0.7], [0.1, 0.8], 0.3)
    y = np.where(rng.random(600) < rate, "yes", "no")
    return pd.DataFrame({"signal": signal, "noise": noise}), y


@pytest.fixture(scope="session")
def trips():
    """Make a table (a telling column of 30 values, a noisy one, numbers) and its classes."""
    rng = np.random.default_rng(3)
    city = rng.integers(0, 30, 800)
    y = np.where(rng.random(800) < np.array([0.1, 0.5, 0.9])[city % 3], "yes", "no")
    frame = pd.DataFrame(
        {
            "city": [f"city {i}" for i in city],
            "noise": rng.choice(list("abcdefgh"), 800),
            "zone": city % 3,
        }
    )
    return frame, y


@pytest.fixture(scope="session")
def shop():
    """Make a table with a column of every kind, all telling but the city, and its classes."""
    rng = np.random.default_rng(5)
    n = 900
    age = rng.uniform(18, 80, n)
    size = rng.integers(0, 4, n)
    member = rng.random(n) < 0.5
    score = np.sum([age > 45, size > 1, member], axis=0) + rng.normal(0, 0.4, n)
    frame = pd.DataFrame(
        {
            "age": age,
            "children": rng.integers(0, 4, n) + (score > 1.5),
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(np.round(age), unit="D"),
            "size": pd.Categorical.from_codes(size, ["S", "M", "L", "XL"], ordered=True),
            "city": rng.choice(["Lyon", "Nice", "Paris"], n),
            "member": member,
        }
    )
    return frame, np.where(score > 1.5, "buys", "leaves")


@pytest.fixture(scope="session")
def people():
    """Draw a mixed table with gaps, and two classes."""
    rng = np.random.default_rng(4)
    n = 1500
    y = rng.random(n) < 0.4
    age = np.where(y, rng.normal(50, 9, n), rng.normal(38, 9, n))
    age[rng.random(n) < 0.1] = np.nan
    city = np.where(rng.random(n) < 0.5, np.where(y, "Nice", "Lyon"), "Paris").astype(object)
    city[rng.random(n) < 0.05] = None
    frame = pd.DataFrame({"age": age, "city": city, "noise": rng.normal(size=n)})
    return frame, np.where(y, "yes", "no")


@pytest.fixture(scope="session")
def data_folder():
    """Folder of data sets that PARTAGE_DATA names."""
    folder = os.environ.get("PARTAGE_DATA")
    if not folder:
        pytest.skip("PARTAGE_DATA names no folder of data sets")
    return Path(folder)


@pytest.fixture(scope="session")
def catalogue(data_folder):
    """Path and numeric columns of every data set, by its name."""
    text = (data_folder / "catalogue.json").read_text(encoding="utf-8")
    return {
        entry["name"]: (
            data_folder / entry["file"],
            [column["name"] for column in entry["columns"] if column["kind"] == "numeric"],
        )
        for entry in json.loads(text)["datasets"]
    }


@pytest.fixture(scope="session")
def read_data(catalogue):
    """Reader of a named data set of PARTAGE_DATA: numeric columns and classes."""

    def read(name):
        path, numeric = catalogue[name]
        with gzip.open(path, "rt", encoding="utf-8") as file:
            frame = pd.read_csv(file, dtype=str, keep_default_na=False, na_values=[""])
        return frame[numeric].apply(pd.to_numeric).astype(float), frame["class"].to_numpy(object)

    return read


@pytest.fixture(scope="session")
def engines():
    """Open engines of SQL by name, each when it is first asked for."""
    with contextlib.ExitStack() as stack:
        opened = {}

        def get(name):
            if name not in opened:
                opened[name] = stack.enter_context(open_engine(name))
            return opened[name]

        yield get


@pytest.fixture(scope="session")
def browser():
    """Start Chromium once, for the tests of pages."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: pip install playwright"
    )
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed: apt-get install chromium")
    with playwright.sync_playwright() as engine:
        browser = engine.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()
