"""Figures of speed of proximity graphs and their partitions: ``python benchmarks/graphs.py``.

The limits are of wall time on two cores. What is held against them is the CPU time of one thread,
which is no less than that on a quiet machine and does not depend on what else the machine does; the
wall time of two threads stands beside it.
"""

import os
import sys
from statistics import median

import numpy as np
from scipy.spatial import Delaunay

import partage as pt
from figure import Figure, Skipped
from timing import interleave, ratios

N_JOBS = 2


def _points(n, n_columns, seed=0):
    return np.random.default_rng(seed).normal(size=(n, n_columns))


def _xor(n, noise=0.1):
    """Points in a square, classes by quadrant, a share of them wrong."""
    rng = np.random.default_rng(1)
    X = rng.random((n, 2))
    y = (X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)
    return X, np.where(rng.random(n) < noise, ~y, y).astype(int)


def _seconds(case, call, limit):
    """CPU time with one thread against its limit, and wall time with two."""
    call(N_JOBS)
    one, two = interleave(lambda: call(1), lambda: call(N_JOBS), seconds=3)
    return [
        Figure(case, min(one.cpu), "s", limit=limit, median=median(one.cpu)),
        Figure(f"{case}, wall time of two threads", min(two.wall), "s", median=median(two.wall)),
    ]


def _breast():
    """Read the Breast data, 699 objects, from PARTAGE_DATA."""
    folder = os.environ.get("PARTAGE_DATA")
    if not folder:
        raise Skipped("PARTAGE_DATA names no folder of data sets")
    import gzip
    import json
    from pathlib import Path

    import pandas as pd

    entries = json.loads(Path(folder, "catalogue.json").read_text(encoding="utf-8"))["datasets"]
    entry = next(entry for entry in entries if entry["name"] == "breast-w")
    with gzip.open(Path(folder, entry["file"]), "rt", encoding="utf-8") as file:
        frame = pd.read_csv(file)
    numeric = [column["name"] for column in entry["columns"] if column["kind"] == "numeric"]
    X = frame[numeric].apply(pd.to_numeric)
    return X.fillna(X.median()), frame["class"]


def gabriel_2d():
    points = np.random.default_rng(0).random((100_000, 2))
    ours, theirs = interleave(
        lambda: pt.gabriel_graph(points), lambda: Delaunay(points), seconds=20, least=2
    )
    best, middle = ratios(ours.cpu, theirs.cpu)
    return [Figure("100k points, 2-D", best, "x scipy's Delaunay", limit=2, median=middle)]


def gabriel_5d():
    points = _points(20_000, 5)
    return _seconds("20k points, 5-D", lambda n: pt.gabriel_graph(points, n_jobs=n), 10)


def gabriel_10d():
    few, many = _points(5_000, 10), _points(20_000, 10)
    return [
        *_seconds("5k points, 10-D", lambda n: pt.gabriel_graph(few, n_jobs=n), 3),
        *_seconds("20k points, 10-D", lambda n: pt.gabriel_graph(many, n_jobs=n), 60),
    ]


def bipartition():
    rows = []
    for n, limit, settings in (
        (1_000, 0.2, {}),
        (10_000, 5, {}),
        (100_000, 30, {"max_ball_size": 2000, "n_centers": 200}),
    ):
        X, y = _xor(n)

        def fit(n_jobs, X=X, y=y, settings=settings):
            return pt.GraphPartitioner(
                method="bipartition", scale=None, n_jobs=n_jobs, **settings
            ).fit(X, y)

        rows += _seconds(f"{n} points, 2-D{', limited balls' * bool(settings)}", fit, limit)
    return rows


def agglomerative():
    def fit(X, y, **settings):
        return lambda n: pt.GraphPartitioner(method="agglomerative", n_jobs=n, **settings).fit(X, y)

    X, y = _breast()
    return [
        *_seconds("Breast, 699 objects", fit(X, y, scale="minmax"), 1),
        *_seconds("5k points, 2-D", fit(*_xor(5_000)), 20),
        *_seconds("5k points, 2-D, from single objects", fit(*_xor(5_000), init="singletons"), 20),
    ]


def gabriel_large():
    """Link many points, in CPU time of one thread."""
    rows = []
    for n, d, limit in ((20_000, 5, 8), (100_000, 3, 15), (1_000_000, 2, 12)):
        points = _points(n, d)
        (times,) = interleave(lambda points=points: pt.gabriel_graph(points), seconds=1, least=1)
        rows.append(Figure(f"{n} points, {d}-D", min(times.cpu), "s of CPU", limit=limit))
    return rows


def agglomerative_large():
    """Merge groups of noisy squares, in CPU time of one thread, libraries already imported."""
    pt.GraphPartitioner(method="agglomerative", scale=None).fit(*_xor(100))
    rows = []
    for n, limit in ((7_000, 2), (20_000, 10)):
        X, y = _xor(n)
        model = pt.GraphPartitioner(method="agglomerative", scale=None)
        (times,) = interleave(
            lambda X=X, y=y, model=model: model.fit(X, y), seconds=1, least=1, most=1
        )
        rows.append(Figure(f"{n} points, 2-D", min(times.cpu), "s of CPU", limit=limit))
        rows.append(Figure(f"{n} points, 2-D, cost", model.partition_.cost, "nats"))
    return rows


def _laws(n, seed):
    """Draw tables of several laws that agglomeration was not chosen on."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, 2))
    u, v = X.T
    k = rng.integers(0, 3, n)
    wave = v > 0.5 + 0.25 * np.sin(7 * u)
    disc = np.hypot(u - 0.6, v - 0.4) < 0.3
    noise = rng.random(n)
    return {
        "three clouds": (rng.normal(size=(n, 2)) + 2.2 * np.c_[k == 1, k == 2], k),
        "a wave": (X, wave ^ (noise < 0.15)),
        "a disc": (X, disc ^ (noise < 0.2)),
        "stripes": (X, ((4 * (u + v)).astype(int) % 2 == 0) ^ (noise < 0.1)),
        "a slope": (X, noise < u * v),
    }


def agglomerative_costs():
    """Compare what agglomeration of many objects finds with the best of its other starts."""
    rows, shares = [], []
    for seed in (50, 51):
        for name, (X, y) in _laws(4_000, seed).items():
            costs = [
                pt.GraphPartitioner(method="agglomerative", scale=None, init=init)
                .fit(X, y)
                .partition_.cost
                for init in ("all", "balls", "classes", "bipartition")
            ]
            shares.append(costs[0] / min(costs[1:]))
            rows.append(Figure(f"{name}, seed {seed}, cost", shares[-1], "x the best other start"))
    return [*rows, Figure("mean of ten tables", np.mean(shares), "x the best other start", limit=1)]


def rank_subsets():
    """Rank the subsets of up to two columns."""
    from sklearn.datasets import load_wine

    wine = load_wine(return_X_y=True)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1_500, 3))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=1_500) > 0).astype(int)
    pt.rank_subsets(X[:100], y[:100])
    rows = []
    for case, table, limit in (
        ("13 columns of wine, up to 2", wine, 5),
        ("3 columns x 1,500 rows, up to 2", (X, y), 2),
    ):
        (times,) = interleave(lambda table=table: pt.rank_subsets(*table), seconds=1, least=1)
        rows.append(Figure(case, min(times.cpu), "s of CPU", limit=limit))
    return rows


FIGURES = [
    rank_subsets,
    gabriel_large,
    agglomerative_large,
    agglomerative_costs,
    gabriel_2d,
    gabriel_5d,
    gabriel_10d,
    bipartition,
    agglomerative,
]


if __name__ == "__main__":
    from figures import show

    sys.exit(sum(show(figure.__name__) for figure in FIGURES))
