"""Rows for additive models: gaps, special values, categories, a pair; and hostile ones."""

import numpy as np
import pandas as pd


def make_table(n=1500, seed=0):
    """Numbers with gaps and special values, categories with gaps, and a pair."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": np.where(rng.uniform(size=n) < 0.1, np.nan, rng.uniform(18, 80, n)),
            "code": np.where(rng.uniform(size=n) < 0.1, -9.0, rng.normal(size=n)),
            "town": rng.choice(["Lyon", "Nice", "Paris", None], n),
            "side": rng.uniform(-1, 1, n),
        }
    )
    level = 2 * np.sin(frame["age"].fillna(0) / 12) + (frame["town"] == "Nice")
    level += 0.6 * frame["code"].clip(-2, 2) + 2.5 * np.sign(frame["side"] * frame["code"])
    return frame, level.to_numpy(), rng


def classes_of(level, rng, n_classes=2):
    scores = np.column_stack([level * k / (n_classes - 1) for k in range(n_classes)])
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    odds /= odds.sum(axis=1, keepdims=True)
    drawn = (rng.uniform(size=(len(level), 1)) > odds.cumsum(axis=1)).sum(axis=1)
    return np.array(["no", "maybe", "yes"])[drawn if n_classes == 3 else 2 * drawn]


def hostile_rows(frame, n, seed=3):
    """Rows with values at the cuts, beyond them, missing, unseen and special ones."""
    rng = np.random.default_rng(seed)
    new = frame.sample(n, replace=True, random_state=seed).reset_index(drop=True)
    far = np.array([-1e300, 1e300, 0.0, -0.0, 5e-324, -9.0, np.nan, 18.0, 80.0])
    for name in ("age", "code", "side"):
        is_new = rng.uniform(size=n) < 0.3
        new.loc[is_new, name] = rng.choice(far, is_new.sum())
    odd = ["Lyon ", "lyon", "", "O'Hara", "Zürich", None]
    is_new = rng.uniform(size=n) < 0.2
    new.loc[is_new, "town"] = rng.choice(np.array(odd, dtype=object), is_new.sum())
    return new
