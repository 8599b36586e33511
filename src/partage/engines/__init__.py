"""Tables that do not fit into memory: the engine that holds them counts, partage thinks.

Every table estimator takes what ``scan`` gives, and lazy frames of DuckDB, Polars, Dask, PySpark
and Ibis as they are.
"""

from __future__ import annotations

from partage._data.lazy import is_lazy
from partage.engines.source import Source, read_source, scan

__all__ = ["Source", "is_lazy", "read_source", "scan"]
