"""Figures of LAD: how few patterns are as accurate as all of them were, and on customers' data."""

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

import partage as pt
from binarization import _folder
from figure import Figure
from partage.experiments.binarization.page import _TWO_CLASSES
from partage.experiments.binarization.trials import load_set

MOST_PATTERNS = 30
# Every prime pattern votes: what the default was before votes came from a linear program.
ALL_PATTERNS = {
    "patterns": "prime",
    "theory": "all",
    "discriminants": "cover",
    "cut_style": "midpoint",
}


def _folds(X, y, make, seed=0):
    """Accuracy of ten stratified folds, and the most patterns of a fit."""
    right, most = 0, 0
    for learn, test in StratifiedKFold(10, shuffle=True, random_state=seed).split(X, y):
        fitted = make().fit(X.iloc[learn], y[learn])
        right += int((fitted.predict(X.iloc[test]) == y[test]).sum())
        most = max(most, len(getattr(fitted, "patterns_", ())))
    return right / len(y), most


def lad_two_classes():
    """Take the paper's sets of two classes: tenfold accuracy, few patterns against all."""
    rows, few, before = [], [], []
    for name in _TWO_CLASSES:
        found = load_set(name, _folder())
        accuracy, most = _folds(found.X, found.y, pt.LADClassifier)
        of_all, n_all = _folds(found.X, found.y, lambda: pt.LADClassifier(**ALL_PATTERNS))
        few.append(accuracy)
        before.append(of_all)
        rows += [
            Figure(f"{name}, most patterns of a fit", most, "patterns", limit=MOST_PATTERNS),
            Figure(f"{name}, most patterns where all vote", n_all, "patterns"),
            Figure(f"{name}, accuracy", accuracy, "of the rows"),
            Figure(f"{name}, accuracy where all vote", of_all, "of the rows"),
        ]
    least = round(float(np.mean(before)), 4) - 0.01
    mean = float(np.mean(few))
    rows.append(Figure("seven sets, mean accuracy", mean, "of the rows", "at least", least))
    return rows


def telco_like(n_rows=7_043, seed=0):
    """Build a table like a telephone company's: about 27 in 100 customers leave.

    Who leaves depends on the contract, the time as a customer, the kind of internet, the way of
    paying and two services; the charge follows from what is booked; the rest says nothing.
    """
    rng = np.random.default_rng(seed)
    months = np.where(
        rng.random(n_rows) < 0.45, rng.geometric(0.09, n_rows), rng.integers(1, 73, n_rows)
    ).clip(max=72)
    long = rng.random(n_rows) < months / 90
    contract = np.where(long, np.where(rng.random(n_rows) < 0.55, "two years", "one year"), "month")
    internet = rng.choice(["fibre", "dsl", "none"], n_rows, p=[0.44, 0.34, 0.22])
    X = pd.DataFrame(
        {
            "months": months,
            "contract": contract,
            "internet": internet,
            "payment": rng.choice(
                ["check", "mail", "card", "bank"], n_rows, p=[0.34, 0.23, 0.22, 0.21]
            ),
        }
    )
    booked = internet != "none"
    for name in ("security", "support", "backup", "streaming", "films"):
        X[name] = np.where(booked, np.where(rng.random(n_rows) < 0.4, "yes", "no"), "no internet")
    n_booked = (X[["security", "support", "backup", "streaming", "films"]] == "yes").sum(axis=1)
    base = pd.Series(internet).map({"fibre": 70.0, "dsl": 45.0, "none": 20.0})
    X["charge"] = (base + 6 * n_booked + rng.normal(0, 3, n_rows)).round(2)
    X["total"] = (X["charge"] * months * rng.uniform(0.9, 1.1, n_rows)).round(2)
    X.loc[rng.random(n_rows) < 0.002, "total"] = np.nan
    X["senior"] = rng.random(n_rows) < 0.16
    for name in ("gender", "partner", "dependents", "paperless"):
        X[name] = rng.choice(["a", "b"], n_rows)
    odds = -1.95 - 0.05 * months.clip(max=50) + 1.1 * (months <= 5)
    odds = odds + X["contract"].map({"month": 1.1, "one year": -0.7, "two years": -1.9})
    odds += X["internet"].map({"fibre": 1.5, "dsl": 0.2, "none": -1.1})
    odds += 0.7 * (X["payment"] == "check") - 0.5 * (X["security"] == "yes")
    odds += -0.4 * (X["support"] == "yes") + 0.4 * X["senior"]
    share = 1 / (1 + np.exp(-odds))
    return X, np.where(rng.random(n_rows) < share, "left", "stayed"), share


def lad_customers():
    """Take customers of a telephone company, tenfold: LAD, a scorecard, and the best possible."""
    rows = []
    for seed in (0, 1):
        X, y, share = telco_like(seed=seed)
        accuracy, most = _folds(X, y, pt.LADClassifier)
        card, _ = _folds(X, y, pt.Scorecard)
        best = np.where(share > 0.5, "left", "stayed") == y
        case = f"7,043 customers, draw {seed}"
        rows += [
            Figure(f"{case}, accuracy", accuracy, "of the rows", "at least", 0.79),
            Figure(f"{case}, most patterns", most, "patterns", limit=MOST_PATTERNS),
            Figure(f"{case}, accuracy of a scorecard", card, "of the rows"),
            Figure(f"{case}, accuracy of the law itself", best.mean(), "of the rows"),
            Figure(f"{case}, share of the larger class", (y == "stayed").mean(), "of the rows"),
        ]
    return rows


def lad_noise():
    """Look for patterns in columns that say nothing: 40 tables of 10 columns."""
    n_patterns = 0
    for seed in range(40):
        rng = np.random.default_rng(1000 + seed)
        X = pd.DataFrame(rng.normal(size=(500, 6)), columns=list("abcdef"))
        for name in "ghij":
            X[name] = rng.choice(["p", "q", "r"], 500)
        n_patterns += len(pt.LADClassifier().fit(X, rng.integers(0, 2, 500)).patterns_)
    return [Figure("40 tables of noise, 500 rows, all patterns", n_patterns, "patterns", limit=2)]


FIGURES = (lad_two_classes, lad_customers, lad_noise)
