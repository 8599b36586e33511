"""Fitted models of objects: on a graph of the user's, or as points of a table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._graphs.fit import Found, GraphFitSettings, find_cells
from partage._graphs.graph import Metric, ObjectsGraph, build_graph, read_graph, read_metric
from partage._graphs.nearest import NearestGroup
from partage._graphs.points import Distinct, Scale, distinct_points, make_scale
from partage._graphs.prototypes import find_prototypes
from partage._graphs.repeats import Repeats
from partage._support.parallel import progress_bar
from partage._targets.target import TargetRows


@dataclass(frozen=True)
class Fitted:
    """What a fit leaves: the parts, the graph if one was made, and where new points go."""

    found: Found
    objects: ObjectsGraph | None
    nearest: NearestGroup | None
    repeats: Repeats


def fit_given_graph(
    who: str,
    graph: Any,
    repeats: Repeats,
    target: TargetRows,
    settings: GraphFitSettings,
    library: str,
) -> Fitted:
    """Partition the nodes of a graph that the user has."""
    if settings.method == "auto":
        settings = replace(settings, method="bipartition")
    if settings.method == "prototypes":
        raise ValueError(
            f"{who}: method='prototypes' needs points rather than a graph; pass X and leave graph "
            "as it is, or use method='bipartition' or 'agglomerative'."
        )
    objects = read_graph(who, graph, repeats.n_rows).repeated(repeats)
    found = find_cells(who, objects, repeats, target, settings, library)
    return Fitted(found, objects, None, repeats)


def fit_points(
    who: str,
    points: NDArray[np.float64],
    repeats: Repeats,
    target: TargetRows,
    settings: GraphFitSettings,
    scale: Any,
    library: str,
) -> Fitted:
    """Partition the rows of a table."""
    settings = settings.for_table(*points.shape)
    points = points[repeats.row_of]
    learnt = make_scale(who.partition(".")[0], scale, points)
    if settings.method == "prototypes":
        scaled = points if learnt is None else learnt(points)
        distinct = distinct_points(scaled, target.codes)
        metric = read_metric(who, settings.graph.metric, scaled)
        found = find_prototypes(who, distinct, repeats, target, settings, metric, library)
        nearest = _nearest_prototype(found, distinct, learnt, metric)
        return Fitted(found, None, nearest, repeats)
    with progress_bar(settings.verbose, f"{settings.graph.kind} graph") as bar:
        objects, distinct, metric = build_graph(
            who, points, settings.graph, scale=learnt, codes=target.codes, progress=bar
        )
    found = find_cells(who, objects, repeats, target, settings, library)
    nearest = NearestGroup.of(distinct, found.labels, learnt, metric, found.cells.n_parts)
    return Fitted(found, objects, nearest, repeats)


def _nearest_prototype(
    found: Found, distinct: Distinct, scale: Scale | None, metric: Metric
) -> NearestGroup:
    """Send new points to the part of the nearest prototype."""
    assert found.prototype_points is not None
    order = np.argsort(found.prototype_points)  # of equals the first, as in the fit
    points = distinct.points[found.prototype_points[order]]
    return NearestGroup(points, order, scale, metric)


def graph_of_points(
    who: str,
    points: NDArray[np.float64],
    settings: GraphFitSettings,
    scale: Any,
    codes: NDArray[Any],
) -> ObjectsGraph:
    """Link the rows of a table that was partitioned without a graph."""
    learnt = make_scale(who.partition(".")[0], scale, points)
    return build_graph(who, points, settings.graph, scale=learnt, codes=codes)[0]
