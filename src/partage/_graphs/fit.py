"""What fitting parts of a graph takes: settings, the call of each method, what it found."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._graphs.costs import (
    BALLS,
    GROUPINGS,
    NO_CENTRES,
    NULL_PRIORS,
    PartitionCost,
    check_balls_fit,
)
from partage._graphs.graph import GRAPHS, GraphSettings, ObjectsGraph
from partage._graphs.repeats import Repeats
from partage._partitions.cells import Cells, Split, order_of_parts
from partage._support.checks import check_choice, check_count, check_jobs, refuse
from partage._support.parallel import progress_bar
from partage._targets.target import TargetRows

METHODS = ("auto", "bipartition", "agglomerative", "prototypes")
_MOST_COLUMNS = 2  # and rows for which "auto" makes a graph
_MOST_ROWS = 5_000
# The part of each object, cost and null cost, and the subsets that were examined.
Pieces: TypeAlias = tuple[NDArray[np.int64], tuple[float, float], list[dict[str, Any]]]
INITS = ("all", "balls", "classes", "bipartition", "singletons")


@dataclass(frozen=True)
class GraphFitSettings:
    """Checked parameters of ``GraphPartitioner``."""

    method: str
    graph: GraphSettings
    balls: str
    null_prior: str
    prune: bool
    init: str
    grouping: str
    moves: bool
    max_ball_size: int | None
    n_centers: int | None
    n_jobs: int
    verbose: bool | None

    def for_table(self, n_rows: int, n_columns: int) -> GraphFitSettings:
        """Choose the method where that is left to the size of the table."""
        if self.method != "auto":
            return self
        is_small = n_columns <= _MOST_COLUMNS and n_rows <= _MOST_ROWS
        asks_for_graph = self.graph.kind != "gabriel"
        return replace(self, method="bipartition" if is_small or asks_for_graph else "prototypes")


def check_graph_settings(who: str, model: Any) -> GraphFitSettings:
    """Check the constructor's parameters."""
    kind = model.graph
    n_jobs = check_jobs(who, model.n_jobs)
    if isinstance(kind, str):
        check_choice(who, "graph", kind, GRAPHS)
    for name in ("moves", "prune"):
        if not isinstance(getattr(model, name), (bool, np.bool_, int)):
            refuse(who, name, "True or False", getattr(model, name))
    if not isinstance(model.verbose, (bool, np.bool_, int, type(None))):
        refuse(who, "verbose", "True, False or None", model.verbose)
    n_neighbors = check_count(who, "n_neighbors", model.n_neighbors)
    if n_neighbors is None:
        refuse(who, "n_neighbors", "an integer of at least 1", None)
    graph = GraphSettings(
        kind if isinstance(kind, str) else "given", model.metric, int(n_neighbors or 1), n_jobs
    )
    return GraphFitSettings(
        check_choice(who, "method", model.method, METHODS),
        graph,
        check_choice(who, "balls", model.balls, BALLS),
        check_choice(who, "null_prior", model.null_prior, NULL_PRIORS),
        bool(model.prune),
        check_choice(who, "init", model.init, INITS),
        check_choice(who, "grouping", model.grouping, GROUPINGS),
        bool(model.moves),
        check_count(who, "max_ball_size", model.max_ball_size),
        check_count(who, "n_centers", model.n_centers),
        n_jobs,
        None if model.verbose is None else bool(model.verbose),
    )


@dataclass(frozen=True)
class BallFamily:
    """Which balls are examined, regardless of the classes."""

    max_size: int  # 0: any
    centres: NDArray[np.uint32]  # without that limit
    text: str


def ball_family(settings: GraphFitSettings, n_points: int) -> BallFamily:
    """Choose the balls; sampled centres are spread evenly over the points in their order."""
    if settings.max_ball_size is None and settings.n_centers is None:
        return BallFamily(0, NO_CENTRES, "all balls")
    limit = settings.max_ball_size or 1
    text = f"balls of at most {limit} objects" if limit > 1 else "single objects"
    if settings.n_centers is None:
        return BallFamily(limit, NO_CENTRES, text)
    n_centers = min(settings.n_centers, n_points)
    centres = np.unique(np.linspace(0, n_points - 1, n_centers).round()).astype(np.uint32)
    return BallFamily(limit, centres, f"{text}, and all balls of {len(centres)} centres")


@dataclass(frozen=True)
class Found:
    """What a method found: the parts in their order, and how it came to them."""

    cells: Cells
    labels: NDArray[np.int64]  # of objects, where the cells have those of rows
    nodes: tuple[Split, ...] = field(default=())
    prototypes: NDArray[np.int64] | None = None  # rows, by part
    prototype_points: NDArray[np.int64] | None = None


def find_cells(
    who: str,
    objects: ObjectsGraph,
    repeats: Repeats,
    target: TargetRows,
    settings: GraphFitSettings,
    library: str,
) -> Found:
    """Partition the objects of a graph."""
    family = ball_family(settings, objects.n_points)
    core = objects.core(target.codes, target.n_classes)
    if settings.method == "bipartition" and settings.balls != "global":
        family_text = f"{family.text}, {settings.balls}"
    else:
        family_text = family.text
    check_balls_fit(who, objects, core, target.n_classes, family.max_size, family.centres)
    find = {"bipartition": _bipartition, "agglomerative": _agglomerative}[settings.method]
    with progress_bar(settings.verbose, f"{settings.method} of {objects.n_objects} objects") as bar:
        codes, costs, nodes = find(core, settings, family, bar)
    number, counts = order_of_parts(
        codes, target.codes[objects.order].astype(np.int64), target.n_classes
    )
    labels = np.empty(objects.n_objects, dtype=np.int64)
    labels[objects.order] = number[codes]
    rows = repeats.row_of[objects.order]
    splits = tuple(_make_split(rows, node, number) for node in nodes)
    cells = Cells.of(
        repeats.parts_of_rows(labels, len(counts)),
        counts,
        target.target.as_kept(),
        costs,
        settings.method,
        family_text,
        _read_splits(splits, len(counts)) if splits else (),
        library,
    )
    return Found(cells, labels, splits)


def _bipartition(
    core: _core.ObjectGraph,
    settings: GraphFitSettings,
    family: BallFamily,
    progress: _core.Progress | None,
) -> Pieces:
    """Cut balls off recursively; codes are numbers of leaves in the order they were examined."""
    leaf_of, cost, nodes = _core.bipartition(
        core,
        settings.balls,
        settings.null_prior,
        settings.prune,
        family.max_size,
        family.centres,
        settings.n_jobs,
        progress,
    )
    leaves, codes = np.unique(leaf_of, return_inverse=True)
    for code, leaf in enumerate(leaves):
        nodes[int(leaf)]["code"] = code
    return codes.astype(np.int64), (cost, nodes[0]["null_cost"]), nodes


def _agglomerative(
    core: _core.ObjectGraph,
    settings: GraphFitSettings,
    family: BallFamily,
    progress: _core.Progress | None,
) -> Pieces:
    """Merge adjacent groups under the length of the partition."""
    groups, price = _core.agglomerate(
        core,
        settings.init,
        settings.grouping,
        settings.moves,
        family.max_size,
        family.centres,
        settings.n_jobs,
        progress,
    )
    found = PartitionCost.of(*price)
    return groups.astype(np.int64), (found.cost, found.null_cost), []


def _make_split(rows: NDArray[np.int64], node: dict[str, Any], number: NDArray[np.int64]) -> Split:
    """Turn a record of the core into one that speaks of rows and part codes."""
    side = "all" if node["parent"] < 0 else "inside" if node["is_ball"] else "outside"
    return Split(
        n=int(sum(node["counts"])),
        counts=tuple(node["counts"]),
        null_cost=node["null_cost"],
        split_cost=node["split_cost"],
        n_balls=node["n_balls"],
        centre=int(rows[node["centre"]]) if node["centre"] >= 0 else -1,
        radius=node["radius"],
        size=node["size"],
        accepted=node["accepted"],
        parent=node["parent"],
        side=side,
        part=int(number[node["code"]]) if "code" in node else -1,
    )


def _read_splits(splits: tuple[Split, ...], n_parts: int) -> tuple[str, ...]:
    """Say what makes each part: the balls it lies in and those that were cut off."""
    readings = ["all objects"] * n_parts
    for split in splits:
        if split.part < 0:
            continue
        steps: list[str] = []
        here = split
        while here.parent >= 0:
            above = splits[here.parent]
            word = "within" if here.side == "inside" else "not within"
            unit = "step" if above.radius == 1 else "steps"
            steps.append(f"{word} {above.radius} {unit} of object {above.centre}")
            here = above
        if steps:
            readings[split.part] = ", ".join(reversed(steps))
    return tuple(readings)
