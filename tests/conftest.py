"""Settings and fixtures shared by every test."""

import gzip
import json
import os
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, settings
from sklearn.datasets import load_iris

mpl.use("Agg")

settings.register_profile(
    "partage",
    deadline=None,
    derandomize=True,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("partage")


def pytest_configure(config):
    """Keep tests of one engine in one process, since a cluster or a Java machine starts slowly."""
    if getattr(config.option, "dist", "no") == "load":
        config.option.dist = "loadgroup"


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
