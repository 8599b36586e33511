"""The example of ``partage demo``: loans that were made up, from a seed."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd

_PURPOSES = ("car", "kitchen", "wedding", "studies", "roof", "debts", "business", "travel")
_RISK_OF_PURPOSE = np.array([-0.6, -0.6, 0.3, 0.3, -0.6, 1.5, 1.5, 0.3])
_N_TOWNS = 260
_STRIDE = 271  # shares no divisor with the number of possible names
_SYLLABLES = ("bel", "mont", "ri", "va", "lo", "cha", "ner", "sau", "dor", "gny")
_FIRST_DAY = np.datetime64("2024-01-01")


def make_loans(n_rows: int, seed: int, *, is_later: bool = False) -> pd.DataFrame:
    """Draw loans: numbers, dates, 260 towns, gaps, and uninformative columns.

    The outcome is paid or unpaid. ``is_later`` draws other people: younger, with other purposes, as
    data that come after a model was made.
    """
    rng = np.random.default_rng(seed)
    age = np.clip(rng.gamma(4.0, 4.0 if is_later else 6.0, n_rows) + 18, 18, 90).round()
    income = np.exp(rng.normal(7.7, 0.45, n_rows)).round(-1)
    amount = (income * rng.uniform(0.5, 9.0, n_rows)).round(-2)
    weights = np.array([1, 1, 1, 1, 1, 3, 1, 1] if is_later else [3, 2, 1, 2, 2, 1, 1, 1], float)
    purpose = rng.choice(len(_PURPOSES), n_rows, p=weights / weights.sum())
    frequency = 1.0 / np.arange(2, _N_TOWNS + 2)
    town = rng.choice(_N_TOWNS, n_rows, p=frequency / frequency.sum())
    risk_of_town = np.select(
        [np.arange(_N_TOWNS) % 7 == 3, np.arange(_N_TOWNS) % 5 == 1], [1.9, -1.5]
    )
    day = rng.integers(0, 540, n_rows)
    savings = np.where(
        rng.random(n_rows) < 0.12, np.nan, np.exp(rng.normal(6.5, 1.6, n_rows)).round()
    )
    risk = (
        -2.2
        + np.select([age < 25, age < 33, age < 48, age > 62], [1.9, 1.2, 0.4, -0.7])
        + np.select([income < 1400, income < 2000, income > 3400], [2.0, 0.8, -1.2])
        + np.select([amount > 22_000, amount > 12_000], [1.3, 0.6])
        + _RISK_OF_PURPOSE[purpose]
        + risk_of_town[town]
        + np.select([np.isnan(savings), savings > 4000, savings > 900], [1.5, -1.6, -0.5])
        + np.where(day > 400, 0.7, 0.0)
    )
    is_unpaid = rng.random(n_rows) < 1.0 / (1.0 + np.exp(-risk))
    names = _town_names()
    return pd.DataFrame(
        {
            "age": age.astype(int),
            "income": income.astype(int),
            "amount": amount.astype(int),
            "savings": savings,
            "purpose": [_PURPOSES[i] for i in purpose],
            "town": [names[i] for i in town],
            "signed": _FIRST_DAY + day.astype("timedelta64[D]"),
            "weekday": rng.choice(["Mon", "Tue", "Wed", "Thu", "Fri"], n_rows),
            "folder": rng.integers(10_000, 99_999, n_rows),
            "currency": "EUR",
            "outcome": np.where(is_unpaid, "unpaid", "paid"),
        }
    )


def _town_names() -> list[str]:
    """Make up as many names as there are towns."""
    found = ["".join(syllables).capitalize() for syllables in itertools.permutations(_SYLLABLES, 3)]
    return [found[(_STRIDE * i) % len(found)] for i in range(_N_TOWNS)]
