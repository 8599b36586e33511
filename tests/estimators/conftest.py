"""Tables for the estimators that partition column by column."""

import numpy as np
import pandas as pd
import pytest


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


@pytest.fixture(scope="module")
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
