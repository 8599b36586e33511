"""Cells around prototypes: parts of a table too large or too wide for a graph."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._graphs.fit import Found, GraphFitSettings
from partage._graphs.graph import Metric
from partage._graphs.points import Distinct, lengths
from partage._graphs.repeats import Repeats
from partage._partitions.cells import Cells, order_of_parts
from partage._support.extras import check_memory
from partage._support.parallel import progress_bar
from partage._targets.target import TargetRows

_MOST_CANDIDATES = 2000
_N_STARTS = 3  # samples of candidates that are tried, where not all points are candidates


def find_prototypes(
    who: str,
    distinct: Distinct,
    repeats: Repeats,
    target: TargetRows,
    settings: GraphFitSettings,
    metric: Metric,
    library: str,
) -> Found:
    """Choose prototypes; every object belongs to the nearest."""
    classes = np.ascontiguousarray(target.codes[distinct.order], dtype=np.uint32)
    n_points = len(distinct.points)
    best = None
    for candidates in _samples(n_points, settings.n_centers or _MOST_CANDIDATES):
        table = _table(who, distinct.points, candidates, metric)
        with progress_bar(settings.verbose, f"{len(candidates)} candidates") as bar:
            found = _core.prototypes(
                distinct.points,
                distinct.starts,
                classes,
                target.n_classes,
                candidates,
                table,
                settings.n_jobs,
                bar,
            )
        if best is None or found[2] < best[2] - 1e-9 * abs(best[2]):
            best = found
    assert best is not None
    points, cell_of, cost, null_cost = best
    point_of = np.repeat(np.arange(n_points), lengths(distinct.starts))
    codes = np.asarray(cell_of).astype(np.int64)[point_of]
    number, counts = order_of_parts(codes, classes.astype(np.int64), target.n_classes)
    labels = np.empty(len(codes), dtype=np.int64)
    labels[distinct.order] = number[codes]
    prototypes = np.empty(len(points), dtype=np.int64)
    prototypes[number] = np.asarray(points)
    rows = repeats.row_of[distinct.order[distinct.starts[:-1].astype(np.int64)[prototypes]]]
    cells = Cells.of(
        repeats.parts_of_rows(labels, len(counts)),
        counts,
        target.target.as_kept(),
        (cost, null_cost),
        "prototypes",
        f"{min(n_points, settings.n_centers or _MOST_CANDIDATES)} candidates",
        tuple(f"nearest to object {row}" for row in rows.tolist()),
        library,
    )
    return Found(cells, labels, (), rows, prototypes)


def _samples(n_points: int, n_candidates: int) -> list[NDArray[np.uint32]]:
    """Candidates, evenly spread over the points in their order."""
    if n_points <= n_candidates:
        return [np.arange(n_points, dtype=np.uint32)]
    steps = [
        (np.arange(n_candidates) + start / _N_STARTS) * (n_points / n_candidates)
        for start in range(_N_STARTS)
    ]
    return [np.unique(step.astype(np.uint32)) for step in steps]


def _table(
    who: str, points: NDArray[np.float64], candidates: NDArray[np.uint32], metric: Metric
) -> NDArray[np.float64]:
    """Distances from points to candidates; empty for Euclid's, which the core works out."""
    if metric.is_euclidean:
        return np.empty((0, 0))
    from scipy.spatial.distance import cdist

    check_memory(
        who,
        f"the distances of {len(points)} points from {len(candidates)} candidates",
        8.0 * len(points) * len(candidates),
        "Use a smaller n_centers.",
    )
    found = cdist(points, points[candidates], metric.name, **metric.params)
    return np.ascontiguousarray(found)
