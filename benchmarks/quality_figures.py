"""Figures of quality: pieces found, false cuts on noise, coarse-to-fine against exact."""

import json
import os
from pathlib import Path

import numpy as np
import pandas as pd

import partage as pt
from figure import Figure, Skipped
from measure import log_loss
from problems import PROBLEMS

TIE = 1e-9
LARGEST = 20_000


def five_pieces():
    rows = []
    for name in ("num_10k", "num_100k", "num_1M", "num_10M"):
        problem = PROBLEMS[name]()
        x, x_test = problem.X[:, 0], problem.X_test[:, 0]
        p = pt.discretize(x, problem.y)
        truth = [np.searchsorted(problem.cuts[0], values) for values in (x, x_test)]
        ours, best = (
            log_loss(train, problem.y, test, problem.y_test)
            for train, test in ((p.assign(x), p.assign(x_test)), truth)
        )
        rows.append(Figure(f"{name}, parts", p.n_parts, "parts", "exactly", 5))
        case = f"{name}, held-out log-loss above the true pieces"
        rows.append(Figure(case, ours - best, "nats per row", limit=0.001))
    return rows


def _false_cut_rate(method, n_rows, n_columns):
    """Share of the columns independent of the class that are cut all the same."""
    rng = np.random.default_rng(n_rows)
    cut = 0
    for _ in range(n_columns):
        x, y = rng.normal(size=n_rows), rng.integers(2, size=n_rows)
        cut += pt.discretize(x, y, method=method).n_parts > 1
    return cut / n_columns


def noise():
    rows = []
    for method in ("modl", "mdlpc"):
        for n_rows in (50, 100, 200, 500, 1000, 2000, 5000, 10_000):
            n_columns = max(100, 200_000 // n_rows)
            rate = _false_cut_rate(method, n_rows, n_columns)
            limit = 0 if n_rows == 10_000 else None
            case = f"{method}, {n_columns} columns of {n_rows} rows"
            rows.append(Figure(case, rate, "share with a false cut", limit=limit))
    return rows


def _numeric_columns(folder):
    """Names, values and classes of the numeric columns of the data sets that are small enough."""
    catalogue = json.loads((folder / "catalogue.json").read_text(encoding="utf-8"))
    for entry in catalogue["datasets"]:
        if entry["rows"] > LARGEST:
            continue
        data = pd.read_csv(folder / entry["file"], dtype=str, keep_default_na=False, na_values=[""])
        for column in entry["columns"]:
            if column["kind"] == "numeric":
                x = pd.to_numeric(data[column["name"]]).to_numpy(float)
                there = ~np.isnan(x)
                y = data["class"].to_numpy(object)[there]
                yield f"{entry['name']}.{column['name']}", x[there], y


def _excess(x, y):
    """Cost of coarse-to-fine above the optimum, as a share of what the optimum gains."""
    exact, coarse = (pt.discretize(x, y, search=search) for search in ("exact", "coarse"))
    above = coarse.cost - exact.cost
    if above <= TIE * abs(exact.cost):
        return 0.0
    gain = exact.null_cost - exact.cost
    return above / gain if gain > 0 else np.inf


def coarse():
    if "PARTAGE_DATA" not in os.environ:
        raise Skipped("PARTAGE_DATA does not name the folder of data sets")
    columns = _numeric_columns(Path(os.environ["PARTAGE_DATA"]))
    excess = {name: _excess(x, y) for name, x, y in columns if len(x)}
    worst = max(excess, key=excess.get)
    optimal = np.mean([one == 0 for one in excess.values()])
    return [
        Figure(f"{len(excess)} columns, optimal", optimal, "share", "at least", 0.99),
        Figure(f"largest excess, at {worst}", excess[worst], "x (null_cost - cost)", limit=0.001),
    ]


FIGURES = (five_pieces, noise, coarse)
