"""Data frames of Dask."""

from __future__ import annotations

from typing import Any

import narwhals as nw

from partage.engines.engine import Combine, Engine, Work


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
        """Count the partitions where they are, by Arrow, which distinguishes all values."""
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
