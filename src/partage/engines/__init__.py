"""Tables that do not fit into memory: the engine that holds them counts, partage thinks.

Every table estimator takes what ``scan`` gives, and lazy frames of DuckDB, Polars, Dask, PySpark
and Ibis as they are.
"""

from __future__ import annotations

from partage.engines.source import Source, is_lazy, read_source, scan

__all__ = ["Source", "is_lazy", "read_source", "scan"]
