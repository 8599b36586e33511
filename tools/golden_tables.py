"""Generated tables for ``tools/golden``: integer arithmetic only, the same on every machine."""

import numpy as np
import pandas as pd

LEVELS = ["none", "low", "mid", "high", "never"]
WORDS = ["", "é", "a b", "A", "a", "it's", 'x"y', "new\nline"]


def draw(seed, n, below):
    """Whole numbers below a bound: the hash of splitmix64 of the row's number."""
    with np.errstate(over="ignore"):
        z = np.arange(1, n + 1, dtype=np.uint64) + np.uint64(seed) * np.uint64(1_000_003)
        z = z * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
    return ((z >> np.uint64(11)) % np.uint64(below)).astype(np.int64)


def classes(z, below, seed, n_classes=2, noise=30):
    """Class codes that follow z, a number below a bound, but for some percent of the rows."""
    n = len(z)
    step = (z * (2 * n_classes + 1) // below) % n_classes
    return np.where(draw(seed, n, 100) < noise, draw(seed + 1, n, n_classes), step)


def numbers(n, n_values, seed, n_classes=2, noise=30, gaps=0):
    """One column of numbers and its classes; ``gaps`` is a percentage of missing values."""
    z = draw(seed, n, n_values)
    x = z / 8 - n_values / 16
    y = classes(z, n_values, seed + 10, n_classes, noise)
    if gaps:
        x[draw(seed + 20, n, 100) < gaps] = np.nan
    return x, y


def values(n, n_values, seed, n_classes=2, noise=40):
    """One column of text, a few values frequent and many rare, and its classes."""
    z = np.minimum(draw(seed, n, n_values), draw(seed + 1, n, n_values))
    y = classes((z * 7) % 11, 11, seed + 10, n_classes, noise)
    return np.array([f"v{v:04d}" for v in z.tolist()], dtype=object), y


def table(n=900, seed=5, n_classes=2):
    """Build a mixed table with every kind of column, gaps and special values, and its classes."""
    z = draw(seed, n, 40)
    y = np.array(["no", "yes", "perhaps", "never"])[classes(z, 40, seed + 1, n_classes, 35)]

    def gone(k, percent=8):
        return draw(seed + 100 + k, n, 100) < percent

    number = z / 4
    number[gone(0)] = np.nan
    number[gone(1, 4)] = -999
    age = (18 + draw(seed + 2, n, 60) // 3 + z // 4).astype(float)
    city = np.array([f"c{v}" for v in ((z * 7) % 23).tolist()], dtype=object)
    city[gone(2)] = None
    level = pd.Categorical([LEVELS[v // 10] for v in z.tolist()], LEVELS, ordered=True)
    day = np.datetime64("2026-01-01", "s") + (z * 86_400 + draw(seed + 3, n, 5)).astype("m8[s]")
    day = pd.Series(day.astype("M8[ns]"))
    day[gone(3)] = pd.NaT
    return pd.DataFrame(
        {
            "number": number,
            "age": age,
            "whole": z - 20,
            "flag": z > 22,
            "city": city,
            "word": np.array([WORDS[v % 8] for v in (z // 3).tolist()], dtype=object),
            "level": level,
            "day": day,
            "noise": draw(seed + 4, n, 1000) / 16,
            "constant": np.ones(n),
        }
    ), y


def points(n=160, seed=3, n_classes=3):
    """Points of the plane on a coarse grid, with ties, and their classes."""
    X = np.column_stack([draw(seed, n, 64), draw(seed + 1, n, 64)]) / 8
    y = (X[:, 0] > 4).astype(int) + (n_classes - 2) * (X[:, 1] > 4)
    return X, np.where(draw(seed + 2, n, 10) == 0, draw(seed + 3, n, n_classes), y)
