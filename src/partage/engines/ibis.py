"""Tables of Ibis."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import narwhals as nw

from partage.engines.engine import BATCH, Engine


class Ibis(Engine):
    """A table of Ibis."""

    name = "ibis"
    can_stream = True

    def table(self, frame: nw.LazyFrame[Any], columns: dict[str, list[Any]]) -> nw.LazyFrame[Any]:  # noqa: ARG002  # as every engine
        """Make a table that the backend takes along with the query."""
        import ibis
        import pyarrow as pa

        made: nw.LazyFrame[Any] = nw.from_native(ibis.memtable(pa.table(columns)))
        return made

    def batches(self, frame: nw.LazyFrame[Any]) -> Iterator[Any]:
        """Stream the result."""
        table = frame.to_native()
        connection = getattr(table.get_backend(), "con", None)
        is_duckdb = type(connection).__name__ == "DuckDBPyConnection"
        if is_duckdb and not hasattr(connection, "fetch_record_batch"):
            # A DuckDB newer than Ibis, which cannot stream from it: these few columns fit.
            yield from table.to_pyarrow().to_batches(BATCH)
        else:
            yield from table.to_pyarrow_batches(chunk_size=BATCH)
