"""The graph of the rows of two columns, where it was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage._support.records import dataclass
from partage._targets.read import read_target
from partage._targets.target import TargetRows
from partage.exceptions import PartageError

if TYPE_CHECKING:
    from partage._estimators.fitted import FittedColumns
    from partage._partitions.partition import Partition

_MOST_ROWS = 1500  # of a graph that a page can draw
_SEED = 0


@dataclass(frozen=True)
class GraphView:
    """Rows as points of a plane, joined to their neighbours of the same part."""

    names: tuple[str, str]
    points: NDArray[np.float64]
    labels: NDArray[np.int64]  # class of each point
    edges: NDArray[np.int64]  # pairs of points of one part
    parts: NDArray[np.float64]  # class counts, the largest part first
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
    scale = points.std(axis=0)
    scaled = (points - points.mean(axis=0)) / np.where(scale > 0, scale, 1.0)
    y = _rows(model.partitions_[names[0]], table[target]).codes[keep].astype(np.int64)
    # scikit-learn's signatures carry no hints.
    found = GraphPartitioner(method="bipartition", scale=None).fit(scaled, y)
    graph = found.graph_.tocoo()
    part = np.asarray(found.labels_)
    inside = (graph.row < graph.col) & (part[graph.row] == part[graph.col])
    counts = np.zeros((int(part.max()) + 1, len(model.classes_)))
    np.add.at(counts, (part, y), 1)
    order = np.argsort(-counts.sum(axis=1), kind="stable")
    edges = np.column_stack([graph.row[inside], graph.col[inside]]).astype(np.int64)
    return GraphView(names, points, y, edges, counts[order], float(found.partition_.level), n_rows)


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
