"""Supervised partitioning: the smallest set of parts that keeps what matters for a class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from partage import datasets, engines
from partage._cells import Cells
from partage._contingency import Contingency
from partage._discretize import discretize
from partage._graph_costs import bipartition_cost, count_balls, gabriel_graph, partition_cost
from partage._group import group
from partage._groups import Groups
from partage._intervals import Intervals
from partage._model_file import from_dict
from partage._rank_subsets import rank_subsets
from partage._saved_model import load
from partage.exceptions import NotPartitionableError, PartageError

if TYPE_CHECKING:
    from partage._binarizer import DataBinarizer
    from partage._discretizer import Discretizer
    from partage._graph_partition_classifier import GraphPartitionClassifier
    from partage._graph_partitioner import GraphPartitioner
    from partage._grouper import Grouper
    from partage._lad import LADClassifier
    from partage._naive_bayes import NaiveBayesClassifier
    from partage._scorecard import Scorecard
    from partage._selective_naive_bayes import SelectiveNaiveBayesClassifier
    from partage._table_partitioner import TablePartitioner

__all__ = [
    "Cells",
    "Contingency",
    "DataBinarizer",
    "Discretizer",
    "GraphPartitionClassifier",
    "GraphPartitioner",
    "Grouper",
    "Groups",
    "Intervals",
    "LADClassifier",
    "NaiveBayesClassifier",
    "NotPartitionableError",
    "PartageError",
    "Scorecard",
    "SelectiveNaiveBayesClassifier",
    "TablePartitioner",
    "bipartition_cost",
    "count_balls",
    "datasets",
    "discretize",
    "engines",
    "from_dict",
    "gabriel_graph",
    "group",
    "load",
    "partition_cost",
    "rank_subsets",
]

# Estimators load scikit-learn, so they are imported when they are first asked for.
_ESTIMATORS = {
    "DataBinarizer": "partage._binarizer",
    "Discretizer": "partage._discretizer",
    "GraphPartitionClassifier": "partage._graph_partition_classifier",
    "GraphPartitioner": "partage._graph_partitioner",
    "Grouper": "partage._grouper",
    "LADClassifier": "partage._lad",
    "NaiveBayesClassifier": "partage._naive_bayes",
    "Scorecard": "partage._scorecard",
    "SelectiveNaiveBayesClassifier": "partage._selective_naive_bayes",
    "TablePartitioner": "partage._table_partitioner",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("partage")
    if name in _ESTIMATORS:
        import importlib

        return getattr(importlib.import_module(_ESTIMATORS[name]), name)
    raise AttributeError(f"module 'partage' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
