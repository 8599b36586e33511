"""What each engine does in its own way: names, results, estimates, batches, and being stopped.

Everything else goes through narwhals.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from functools import reduce
from typing import Any

import narwhals as nw

from partage._data.times import dtype_of
from partage.engines.batches import make_distinct, n_distinct_of

BATCH = 1_000_000  # rows of a batch
_PATIENCE = 0.2  # seconds between looks for Ctrl-C
_N_RESULTS = 8  # of Spark that come to the driver
_N_HASHES = 4096  # that tell the number of distinct values
Work = Callable[[Any], Any]  # of a record batch of pyarrow
Combine = Callable[[Any, Any], Any]


class Engine:
    """An engine that narwhals knows and nothing more is known of."""

    name = "other"
    can_stream = False
    compares_decimals = True  # with decimals of Python
    has_zones = True  # whether times with a zone are told from times without one
    compares_zones = True  # whether instants of two zones are compared

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._dtypes: dict[str, Any] = {}

    def renamed(self, frame: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
        """Call the columns c0, c1, ..., so that no name needs quotes."""
        return frame.rename({name: f"c{i}" for i, name in enumerate(frame.columns)})

    def named(self, frame: nw.LazyFrame[Any], names: list[str]) -> Any:
        """Give the columns of a result their names; the frame is the engine's own."""
        return frame.rename(dict(zip(frame.columns, names, strict=True))).to_native()

    def table(self, frame: nw.LazyFrame[Any], columns: dict[str, list[Any]]) -> nw.LazyFrame[Any]:
        """Make a small table where a frame is, to be joined with it."""
        raise NotImplementedError(f"{self.name} takes no table of ours")

    def dtype(self, frame: nw.LazyFrame[Any], column: str) -> Any:
        """Dtype of a column; where narwhals does not know it, that of a result."""
        if not self._dtypes:
            self._dtypes = dict(frame.collect_schema().items())
        if self._dtypes[column] == nw.Unknown:
            empty = self.collect(frame.select(column).head(0))
            self._dtypes[column] = dtype_of(empty[column])
        return self._dtypes[column]

    def collect(self, frame: nw.LazyFrame[Any]) -> nw.DataFrame[Any]:
        """Run a query; the result is in memory."""
        with self.lock:
            return frame.collect(backend="pyarrow")

    def count(
        self, frame: nw.LazyFrame[Any], names: list[str], most: int | None = None
    ) -> nw.DataFrame[Any]:
        """Count the rows of each combination of some columns, and add up a column ``weight``."""
        counts = [nw.len().alias("rows")]
        if "weight" in frame.columns:
            counts.append(nw.col("weight").sum())
        grouped = frame.group_by(*names).agg(*counts)
        return self.collect(grouped if most is None else grouped.head(most))

    def estimate_distinct(
        self, frame: nw.LazyFrame[Any], columns: list[str]
    ) -> dict[str, int] | None:
        """Estimate the number of distinct values of some columns, by one pass over their rows."""
        lowest, union = make_distinct(_N_HASHES)
        found = self.fold(frame.select(*columns), lowest, union)
        return {name: n_distinct_of(found[name], _N_HASHES) for name in columns}

    def batches(self, frame: nw.LazyFrame[Any]) -> Iterator[Any]:
        """Rows in record batches of pyarrow, never all at once."""
        raise NotImplementedError

    def fold(
        self, frame: nw.LazyFrame[Any], work: Work, combine: Combine, initial: Any = None
    ) -> Any:
        """Do the work on every batch, where the rows are, and combine the results."""
        with self.lock:
            return _fold(map(work, self.batches(frame)), combine, initial)

    def stop(self) -> None:
        """Cancel what runs."""


def _fold(results: Iterable[Any], combine: Combine, initial: Any) -> Any:
    """Combine results one after the other; ``initial`` is that of no rows."""
    rest = iter(results)
    first = next(rest, None)
    return initial if first is None else reduce(combine, rest, first)


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


class Polars(Engine):
    """A lazy frame of Polars."""

    name = "polars"
    compares_zones = False
    can_stream = True

    def renamed(self, frame: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
        """Rename by the whole list, since Polars reads some names as patterns."""
        native = frame.to_native()
        names = {name: f"c{i}" for i, name in enumerate(frame.columns)}
        renamed: nw.LazyFrame[Any] = nw.from_native(native.rename(names))
        return renamed

    def named(self, frame: nw.LazyFrame[Any], names: list[str]) -> Any:
        """Rename by the whole list."""
        return frame.to_native().rename(dict(zip(frame.columns, names, strict=True)))

    def table(self, frame: nw.LazyFrame[Any], columns: dict[str, list[Any]]) -> nw.LazyFrame[Any]:  # noqa: ARG002  # as every engine
        """Make a lazy frame."""
        import polars as pl

        return nw.from_native(pl.LazyFrame(columns))

    def collect(self, frame: nw.LazyFrame[Any]) -> nw.DataFrame[Any]:
        """Run a query by the streaming engine."""
        try:
            found = frame.to_native().collect(engine="streaming")
        except KeyboardInterrupt:
            with suppress(KeyboardInterrupt):
                time.sleep(0.01)  # Python tells once more what Polars has told
            raise
        return nw.from_native(found, eager_only=True)

    def estimate_distinct(self, frame: nw.LazyFrame[Any], columns: list[str]) -> dict[str, int]:
        """Estimate by HyperLogLog, all columns in one query."""
        import polars as pl

        found = frame.to_native().select(pl.col(columns).approx_n_unique())
        return dict(found.collect(engine="streaming").row(0, named=True))

    def batches(self, frame: nw.LazyFrame[Any]) -> Iterator[Any]:
        """Stream the result."""
        for piece in frame.to_native().collect_batches(chunk_size=BATCH, maintain_order=False):
            yield piece.to_arrow()


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


class Dask(Engine):
    """A data frame of Dask, on threads or on the workers of a cluster."""

    name = "dask"
    can_stream = True
    compares_decimals = False

    def table(self, frame: nw.LazyFrame[Any], columns: dict[str, list[Any]]) -> nw.LazyFrame[Any]:  # noqa: ARG002  # as every engine
        """Make a frame of one partition, which every worker gets."""
        import dask.dataframe as dd
        import pandas as pd

        made: nw.LazyFrame[Any] = nw.from_native(dd.from_pandas(pd.DataFrame(columns), 1))
        return made

    def collect(self, frame: nw.LazyFrame[Any]) -> nw.DataFrame[Any]:
        """Compute; on Ctrl-C the workers forget the task."""
        return nw.from_native(self._compute(frame.to_native()), eager_only=True)

    def count(
        self,
        frame: nw.LazyFrame[Any],
        names: list[str],
        most: int | None = None,  # noqa: ARG002  # as every engine
    ) -> nw.DataFrame[Any]:
        """Count the partitions where they are, by Arrow, which tells all values apart."""
        sums = ["rows", "weight"] if "weight" in frame.columns else ["rows"]

        def add_up(table: Any) -> Any:
            found = table.group_by(names).aggregate([(name, "sum") for name in sums])
            return found.select([*names, *(f"{name}_sum" for name in sums)]).rename_columns(
                [*names, *sums]
            )

        def count_batch(batch: Any) -> Any:
            import pyarrow as pa

            return add_up(batch.append_column("rows", pa.repeat(pa.scalar(1), len(batch))))

        def add_two(one: Any, two: Any) -> Any:
            import pyarrow as pa

            return add_up(pa.concat_tables([one, two], promote_options="permissive"))

        return nw.from_native(self.fold(frame, count_batch, add_two), eager_only=True)

    def fold(
        self, frame: nw.LazyFrame[Any], work: Work, combine: Combine, initial: Any = None
    ) -> Any:
        """Work on the partitions where they are; their results are combined pair by pair."""
        del initial  # a partition without rows has a result, too
        import dask

        def work_on(piece: Any) -> Any:
            import pyarrow as pa

            return work(pa.Table.from_pandas(piece, preserve_index=False))

        results = [dask.delayed(work_on)(part) for part in frame.to_native().to_delayed()]
        while len(results) > 1:
            pairs = [results[i : i + 2] for i in range(0, len(results), 2)]
            results = [dask.delayed(combine)(*pair) if len(pair) > 1 else pair[0] for pair in pairs]
        return self._compute(results[0])

    def _compute(self, task: Any) -> Any:
        """Compute on the cluster of the session, or on threads."""
        try:
            from distributed import get_client

            client = get_client()
        except (ImportError, ValueError):
            return task.compute()
        future = client.compute(task)
        try:
            return future.result()
        except KeyboardInterrupt:
            client.cancel(future)
            raise


class Spark(Engine):
    """A data frame of PySpark, classic or over Spark Connect: calls of data frames only."""

    name = "spark"
    can_stream = True
    has_zones = False  # times that came without a zone have that of the session

    def renamed(self, frame: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
        """Rename by place, since Spark reads dots and backticks in names."""
        native = frame.to_native()
        names = [f"c{i}" for i in range(len(native.columns))]
        renamed: nw.LazyFrame[Any] = nw.from_native(native.toDF(*names))
        return renamed

    def named(self, frame: nw.LazyFrame[Any], names: list[str]) -> Any:
        """Rename by place."""
        return frame.to_native().toDF(*names)

    def table(self, frame: nw.LazyFrame[Any], columns: dict[str, list[Any]]) -> nw.LazyFrame[Any]:
        """Make a frame in the session, which is broadcast."""
        import pyarrow as pa
        from pyspark.sql import functions

        made = frame.to_native().sparkSession.createDataFrame(pa.table(columns))
        found: nw.LazyFrame[Any] = nw.from_native(functions.broadcast(made))
        return found

    def collect(self, frame: nw.LazyFrame[Any]) -> nw.DataFrame[Any]:
        """Run a query; its result comes as Arrow, which keeps whole numbers whole."""
        return nw.from_native(self._run(frame.to_native(), "toArrow"), eager_only=True)

    def estimate_distinct(self, frame: nw.LazyFrame[Any], columns: list[str]) -> dict[str, int]:
        """Estimate by HyperLogLog, all columns in one query."""
        from pyspark.sql import functions

        terms = [functions.approx_count_distinct(name).alias(name) for name in columns]
        table = self._run(frame.to_native().agg(*terms), "toArrow")
        return {name: int(n[0]) for name, n in table.to_pydict().items()}

    def fold(
        self, frame: nw.LazyFrame[Any], work: Work, combine: Combine, initial: Any = None
    ) -> Any:
        """Work on the partitions where they are; workers combine the results to a few."""
        import pickle

        def work_on(batches: Iterator[Any]) -> Iterator[Any]:
            import pickle
            from functools import reduce

            import pyarrow as pa

            results = [work(batch) for batch in batches if batch.num_rows]
            if results:
                cell = pa.array([pickle.dumps(reduce(combine, results))], pa.binary())
                yield pa.RecordBatch.from_arrays([cell], ["result"])

        def combine_all(batches: Iterator[Any]) -> Iterator[Any]:
            import pickle
            from functools import reduce

            import pyarrow as pa

            cells = (cell for batch in batches for cell in batch.column(0).to_pylist())
            found = map(pickle.loads, cells)
            first = next(found, None)
            if first is not None:
                cell = pa.array([pickle.dumps(reduce(combine, found, first))], pa.binary())
                yield pa.RecordBatch.from_arrays([cell], ["result"])

        mapped = frame.to_native().mapInArrow(work_on, "result binary")
        mapped = mapped.repartition(_N_RESULTS).mapInArrow(combine_all, "result binary")
        cells = self._run(mapped, "toArrow").column("result").to_pylist()
        return _fold(map(pickle.loads, cells), combine, initial)

    def _run(self, native: Any, call: str) -> Any:
        """Run a query under a tag of its own, by which Ctrl-C cancels it."""
        import uuid

        session = native.sparkSession
        tag = f"partage-{uuid.uuid4().hex}"
        session.addTag(tag)
        try:
            return getattr(native, call)()
        except KeyboardInterrupt:
            session.interruptTag(tag)
            raise
        finally:
            session.removeTag(tag)


def engine_of(frame: nw.LazyFrame[Any]) -> Engine:
    """Choose the hooks of a lazy frame."""
    known: dict[str, type[Engine]] = {
        "duckdb": DuckDB,
        "polars": Polars,
        "ibis": Ibis,
        "dask": Dask,
        "pyspark": Spark,
        "pyspark[connect]": Spark,
    }
    return known.get(frame.implementation.value, Engine)()
