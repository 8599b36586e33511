"""Supervised partitioning: the smallest set of parts that keeps what matters for a class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from partage import datasets
from partage._contingency import Contingency
from partage._discretize import discretize
from partage._group import group
from partage._groups import Groups
from partage._model_file import from_dict
from partage._partitions import Intervals
from partage.exceptions import NotPartitionableError, PartageError

if TYPE_CHECKING:
    from partage._discretizer import Discretizer
    from partage._grouper import Grouper
    from partage._table_partitioner import TablePartitioner

__all__ = [
    "Contingency",
    "Discretizer",
    "Grouper",
    "Groups",
    "Intervals",
    "NotPartitionableError",
    "PartageError",
    "TablePartitioner",
    "datasets",
    "discretize",
    "from_dict",
    "group",
]

# Estimators load scikit-learn, so they are imported when they are first asked for.
_ESTIMATORS = {
    "Discretizer": "partage._discretizer",
    "Grouper": "partage._grouper",
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
