"""Data frames of PySpark."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import narwhals as nw

from partage.engines.engine import Combine, Engine, Work, fold_results

_N_RESULTS = 8  # that come to the driver


class Spark(Engine):
    """A data frame of PySpark, classic or over Spark Connect: calls of data frames only."""

    name = "spark"
    time_format = "%Y-%m-%d %H:%M:%S.SSSSSS"  # six digits, in Java's letters
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
        return fold_results(map(pickle.loads, cells), combine, initial)

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
