"""What engines do in their own way: names, results, estimates, batches, and being stopped.

Everything else goes through narwhals.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from typing import Any

import narwhals as nw

from partage._data.times import dtype_of
from partage.engines.batches import make_distinct, n_distinct_of

BATCH = 1_000_000  # rows of a batch
_N_HASHES = 4096  # that estimate the number of distinct values
Work = Callable[[Any], Any]  # of a record batch of pyarrow
Combine = Callable[[Any, Any], Any]


class Engine:
    """An engine that narwhals knows and nothing more is known of."""

    name = "other"
    can_stream = False
    compares_decimals = True  # with decimals of Python
    has_zones = True  # whether times with a zone differ from times without one
    compares_zones = True  # whether instants of two zones are compared
    time_format = "%Y-%m-%d %H:%M:%S.%f"  # of a full time, as the engine writes its parts

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._dtypes: dict[str, Any] = {}

    def names(self, frame: nw.LazyFrame[Any]) -> list[str]:
        """Names of the columns."""
        return list(frame.columns)

    def renamed(self, frame: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
        """Call the columns c0, c1, ..., so that no name needs quotes."""
        return frame.rename({name: f"c{i}" for i, name in enumerate(self.names(frame))})

    def named(self, frame: nw.LazyFrame[Any], names: list[str]) -> Any:
        """Give the columns of a result their names; the frame is the engine's own."""
        return frame.rename(dict(zip(self.names(frame), names, strict=True))).to_native()

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
        if "weight" in self.names(frame):
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
            return fold_results(map(work, self.batches(frame)), combine, initial)

    def stop(self) -> None:
        """Cancel what runs."""


def fold_results(results: Iterable[Any], combine: Combine, initial: Any) -> Any:
    """Combine results one after the other; ``initial`` is that of no rows."""
    rest = iter(results)
    first = next(rest, None)
    return initial if first is None else reduce(combine, rest, first)
