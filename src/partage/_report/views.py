"""The graph of the rows of two columns, where it was asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage._targets.read import read_target
from partage._targets.target import TargetRows
from partage.exceptions import PartageError

if TYPE_CHECKING:
    from partage._estimators.fitted import FittedColumns
    from partage._partitions.partition import Partition

_MOST_ROWS = 1500  # of a graph that a page can draw
_SEED = 0
_RASTER = (152, 92)  # cells across and up, of five units of the drawing each


@dataclass(frozen=True)
class GraphView:
    """Rows as points of a plane, joined to their neighbours of the same part."""

    names: tuple[str, str]
    points: NDArray[np.float64]
    labels: NDArray[np.int64]  # class of each point
    edges: NDArray[np.int64]  # pairs of points of one part
    parts: NDArray[np.float64]  # class counts, the largest part first
    centres: NDArray[np.int64]  # of each part a point in its midst
    conditions: list[str]  # that cover each part best, in the columns
    outlines: NDArray[np.float64]  # where parts meet: segments x, y, x, y of a unit square
    level: float
    n_rows: int  # of which the points are a sample


def view_graph(model: FittedColumns, frame: Any, target: str, names: tuple[str, str]) -> GraphView:
    """Partition the rows of two numeric columns by the graph of their neighbours."""
    from partage import GraphPartitioner

    check_classes(model)
    for name in names:
        if not model.partitions_[name].rule.is_measured or not frame[name].dtype.is_numeric():
            raise PartageError(
                f"a graph needs two columns of numbers; {name!r} holds others. Use --pair instead."
            )
    table = frame.select([*names, target]).drop_nulls()
    n_rows = table.height
    if n_rows > _MOST_ROWS:
        table = table.sample(_MOST_ROWS, seed=_SEED)
    points = table.select(names).to_numpy().astype(np.float64)
    keep = np.isfinite(points).all(axis=1)
    points = points[keep]
    y = _rows(model.partitions_[names[0]], table[target]).codes[keep].astype(np.int64)
    # scikit-learn's signatures carry no hints.
    found = GraphPartitioner(method="bipartition", scale="standard").fit(
        table.select(names).filter(keep), y
    )
    graph = found.graph_.tocoo()
    part = np.asarray(found.labels_)
    inside = (graph.row < graph.col) & (part[graph.row] == part[graph.col])
    counts = np.zeros((int(part.max()) + 1, len(model.classes_)))
    np.add.at(counts, (part, y), 1)
    order = np.argsort(-counts.sum(axis=1), kind="stable")
    conditions = [
        "no simple conditions" if text == "all" and len(order) > 1 else text
        for text in found.describe()["conditions"].to_list()
    ]
    return GraphView(
        names,
        points,
        y,
        np.column_stack([graph.row[inside], graph.col[inside]]).astype(np.int64),
        counts[order],
        _centres(points, part)[order],
        [conditions[k] for k in order.tolist()],
        _outlines(found, points),
        float(found.partition_.level),
        n_rows,
    )


def _centres(points: NDArray[np.float64], part: NDArray[np.int64]) -> NDArray[np.int64]:
    """Of each part the point with a third of the part nearest around it, where it is dense."""
    scale = points.std(axis=0)
    scaled = points / np.where(scale > 0, scale, 1.0)
    found = []
    for k in range(int(part.max()) + 1):
        rows = np.flatnonzero(part == k)
        apart = ((scaled[rows, None] - scaled[rows]) ** 2).sum(axis=2)
        found.append(rows[np.partition(apart, len(rows) // 3, axis=1)[:, len(rows) // 3].argmin()])
    return np.array(found, dtype=np.int64)


def _outlines(model: Any, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Find where the part of the nearest row changes, on a raster of the plane."""
    import polars as pl

    low, high = points.min(axis=0), points.max(axis=0)
    n_across, n_up = _RASTER
    x, y = ((np.arange(n) + 0.5) / n for n in _RASTER)
    unit = np.column_stack([np.tile(x, n_up), np.repeat(y, n_across)])
    places = pl.DataFrame(low + unit * (high - low), schema=model.feature_names_in_.tolist())
    plane = model.transform(places)[:, 0].reshape(n_up, n_across)
    up, across = np.nonzero(plane[:, 1:] != plane[:, :-1])
    upright = np.column_stack([across + 1, up, across + 1, up + 1])
    up, across = np.nonzero(plane[1:] != plane[:-1])
    level = np.column_stack([across, up + 1, across + 1, up + 1])
    sides = np.array([n_across, n_up, n_across, n_up], dtype=np.float64)
    return np.asarray(np.concatenate([upright, level]) / sides)


def check_classes(model: FittedColumns) -> None:
    """Refuse a target that is a number."""
    if not len(model.classes_):
        raise PartageError(
            "views of two columns show classes, and the target is a number; leave --pair and "
            "--graph out, or cut the target into classes."
        )


def _rows(partition: Partition, column: Any) -> TargetRows:
    """Read the target in the classes of a partition."""
    who = "partage report"
    return partition.target.codes_like(who, read_target(who, column), f"column {partition.name!r}")
