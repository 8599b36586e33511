"""Supervised partitioning: the smallest set of parts that keeps what matters for a class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from partage import datasets, engines
    from partage._estimators.additive.additive_classifier import AdditiveClassifier
    from partage._estimators.additive.additive_regressor import AdditiveRegressor
    from partage._estimators.bayes.naive_bayes import NaiveBayesClassifier
    from partage._estimators.bayes.selective import SelectiveNaiveBayesClassifier
    from partage._estimators.binarization.binarizer import DataBinarizer
    from partage._estimators.binarization.lad import LADClassifier
    from partage._estimators.cocluster import cocluster
    from partage._estimators.discretizer import Discretizer
    from partage._estimators.functions import discretize, group
    from partage._estimators.graph_partition_classifier import GraphPartitionClassifier
    from partage._estimators.graph_partition_regressor import GraphPartitionRegressor
    from partage._estimators.graph_partitioner import GraphPartitioner
    from partage._estimators.grid_partitioner import GridPartitioner
    from partage._estimators.grids import grid
    from partage._estimators.grouper import Grouper
    from partage._estimators.pairs import pairs
    from partage._estimators.points.points_regressor import PointsRegressor
    from partage._estimators.rank_subsets import rank_subsets
    from partage._estimators.scorecard.scorecard import Scorecard
    from partage._estimators.table_partitioner import TablePartitioner
    from partage._graphs.costs import bipartition_cost, count_balls, gabriel_graph, partition_cost
    from partage._partitions.cells import Cells
    from partage._partitions.contingency import Contingency
    from partage._partitions.grid import Grid
    from partage._partitions.groups import Groups
    from partage._partitions.intervals import Intervals
    from partage._report.report import report
    from partage._saving.models import load
    from partage._saving.partitions import from_dict
    from partage.exceptions import NotPartitionableError, PartageError

__all__ = [
    "AdditiveClassifier",
    "AdditiveRegressor",
    "Cells",
    "Contingency",
    "DataBinarizer",
    "Discretizer",
    "GraphPartitionClassifier",
    "GraphPartitionRegressor",
    "GraphPartitioner",
    "Grid",
    "GridPartitioner",
    "Grouper",
    "Groups",
    "Intervals",
    "LADClassifier",
    "NaiveBayesClassifier",
    "NotPartitionableError",
    "PartageError",
    "PointsRegressor",
    "Scorecard",
    "SelectiveNaiveBayesClassifier",
    "TablePartitioner",
    "bipartition_cost",
    "cocluster",
    "count_balls",
    "datasets",
    "discretize",
    "engines",
    "from_dict",
    "gabriel_graph",
    "grid",
    "group",
    "load",
    "pairs",
    "partition_cost",
    "rank_subsets",
    "report",
]

# Where each name lives: it is imported when it is first asked for, scikit-learn with estimators.
_HOMES = {
    "AdditiveClassifier": "partage._estimators.additive.additive_classifier",
    "AdditiveRegressor": "partage._estimators.additive.additive_regressor",
    "Cells": "partage._partitions.cells",
    "Contingency": "partage._partitions.contingency",
    "DataBinarizer": "partage._estimators.binarization.binarizer",
    "Discretizer": "partage._estimators.discretizer",
    "GraphPartitionClassifier": "partage._estimators.graph_partition_classifier",
    "GraphPartitionRegressor": "partage._estimators.graph_partition_regressor",
    "GraphPartitioner": "partage._estimators.graph_partitioner",
    "Grid": "partage._partitions.grid",
    "GridPartitioner": "partage._estimators.grid_partitioner",
    "Grouper": "partage._estimators.grouper",
    "Groups": "partage._partitions.groups",
    "Intervals": "partage._partitions.intervals",
    "LADClassifier": "partage._estimators.binarization.lad",
    "NaiveBayesClassifier": "partage._estimators.bayes.naive_bayes",
    "NotPartitionableError": "partage.exceptions",
    "PartageError": "partage.exceptions",
    "PointsRegressor": "partage._estimators.points.points_regressor",
    "Scorecard": "partage._estimators.scorecard.scorecard",
    "SelectiveNaiveBayesClassifier": "partage._estimators.bayes.selective",
    "TablePartitioner": "partage._estimators.table_partitioner",
    "bipartition_cost": "partage._graphs.costs",
    "cocluster": "partage._estimators.cocluster",
    "count_balls": "partage._graphs.costs",
    "discretize": "partage._estimators.functions",
    "from_dict": "partage._saving.partitions",
    "gabriel_graph": "partage._graphs.costs",
    "grid": "partage._estimators.grids",
    "group": "partage._estimators.functions",
    "load": "partage._saving.models",
    "pairs": "partage._estimators.pairs",
    "partition_cost": "partage._graphs.costs",
    "rank_subsets": "partage._estimators.rank_subsets",
    "report": "partage._report.report",
}


def _find(name: str) -> Any:
    """Import a public name when it is first asked for."""
    if name == "__version__":
        from importlib.metadata import version

        return version("partage")
    import importlib

    if name in ("datasets", "engines"):
        return importlib.import_module(f"partage.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'partage' has no attribute {name!r}")
    found = globals()[name] = getattr(importlib.import_module(_HOMES[name]), name)
    return found


if TYPE_CHECKING:
    __version__: str
else:
    __getattr__ = _find  # which type checkers would take as leave for any name


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
