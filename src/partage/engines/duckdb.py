"""Relations of DuckDB."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import narwhals as nw

from partage.engines.engine import BATCH, Combine, Engine, Work

_PATIENCE = 0.2  # seconds between looks for Ctrl-C


class DuckDB(Engine):
    """A relation of DuckDB."""

    name = "duckdb"
    can_stream = True

    def renamed(self, frame: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
        """Rename with quotes around every name, since a star stands for all columns."""
        quoted = ['"' + name.replace('"', '""') + '"' for name in frame.columns]
        terms = ", ".join(f"{name} AS c{i}" for i, name in enumerate(quoted))
        renamed: nw.LazyFrame[Any] = nw.from_native(frame.to_native().project(terms))
        return renamed

    def named(self, frame: nw.LazyFrame[Any], names: list[str]) -> Any:
        """Name the columns with quotes around every name."""
        quoted = ['"' + name.replace('"', '""') + '"' for name in names]
        terms = zip(frame.columns, quoted, strict=True)
        return frame.to_native().project(", ".join(f"{own} AS {name}" for own, name in terms))

    def table(self, frame: nw.LazyFrame[Any], columns: dict[str, list[Any]]) -> nw.LazyFrame[Any]:
        """Make a table of literals on the connection of the relation."""
        rows = ", ".join(
            f"({', '.join(map(_literal, row))})" for row in zip(*columns.values(), strict=True)
        )
        select = f"SELECT * FROM (VALUES {rows}) AS known({', '.join(columns)})"
        made: nw.LazyFrame[Any] = nw.from_native(frame.to_native().query("rows", select))
        return made

    def collect(self, frame: nw.LazyFrame[Any]) -> nw.DataFrame[Any]:
        """Run a query; Ctrl-C interrupts it."""
        found: nw.DataFrame[Any] = self._run(
            frame.to_native(), lambda: frame.collect(backend="pyarrow")
        )
        return found

    def fold(
        self, frame: nw.LazyFrame[Any], work: Work, combine: Combine, initial: Any = None
    ) -> Any:
        """Do the work on every batch; Ctrl-C interrupts the query."""
        return self._run(
            frame.to_native(), lambda: super(DuckDB, self).fold(frame, work, combine, initial)
        )

    def _run(self, relation: Any, call: Callable[[], Any]) -> Any:
        """Run a query in a thread, since DuckDB does not listen to Ctrl-C while it runs one."""
        connection = getattr(relation, "_con", None)
        if connection is None or threading.current_thread() is not threading.main_thread():
            return call()  # older versions listen
        with ThreadPoolExecutor(1) as pool:
            future = pool.submit(call)
            try:
                while True:
                    done, _ = wait([future], timeout=_PATIENCE)
                    if done:
                        return future.result()
            except KeyboardInterrupt:
                connection.interrupt()
                raise

    def estimate_distinct(self, frame: nw.LazyFrame[Any], columns: list[str]) -> dict[str, int]:
        """Estimate by HyperLogLog, all columns in one query."""
        terms = ", ".join(f"approx_count_distinct({name}) AS {name}" for name in columns)
        relation = frame.to_native().aggregate(terms)
        (row,) = self._run(relation, relation.fetchall)
        return dict(zip(columns, map(int, row), strict=True))

    def batches(self, frame: nw.LazyFrame[Any]) -> Iterator[Any]:
        """Stream the result."""
        yield from frame.to_native().to_arrow_reader(BATCH)


def _literal(value: Any) -> str:
    """Write text or a whole number in SQL."""
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else str(int(value))
