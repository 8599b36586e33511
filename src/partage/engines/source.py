"""Sources: files or lazy frames, the engine that holds them, and how they are counted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import narwhals as nw

from partage._data.lazy import NotInMemory, are_paths
from partage._support.checks import check_choice, check_count, refuse
from partage.engines.dask import Dask
from partage.engines.duckdb import DuckDB
from partage.engines.engine import Engine
from partage.engines.ibis import Ibis
from partage.engines.open import ENGINES, open_files
from partage.engines.polars import Polars
from partage.engines.spark import Spark

MOST_VALUES = 4_000_000  # distinct numbers that are counted one by one
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Source(NotInMemory):
    """A table that an engine holds, as ``partage.engines.scan`` gives it.

    Attributes
    ----------
    native : lazy frame
        The table as its engine knows it.
    names : list of str
        Names of its columns.
    frame : narwhals LazyFrame
        The table, its columns renamed c0, c1, ...
    engine : Engine
        What this engine does in its own way.
    exact : bool
        Whether numbers are counted one by one, however many they are.
    most_values : int
        Distinct numbers up to which they are counted one by one.
    progress : callable or None
        Called with the name of each column, its number, and the number of columns.
    library : str
        Library that tables of results are made in.
    """

    native: Any
    names: list[str]
    frame: nw.LazyFrame[Any]
    engine: Engine
    exact: bool = False
    most_values: int = MOST_VALUES
    progress: Progress | None = None
    library: str = "pandas"

    def dtype(self, index: int) -> Any:
        """Dtype of a column, as narwhals names it."""
        return self.engine.dtype(self.frame, f"c{index}")

    def zone(self, index: int) -> str:
        """Zone of the times of a column; "" where they have none."""
        zone = getattr(self.dtype(index), "time_zone", None)
        return zone if zone and self.engine.has_zones else ""

    def kind(self, index: int) -> str:
        """Tell by the dtype whether a column is "numeric", "ordered" or "categorical"."""
        dtype = self.dtype(index)
        if dtype.is_numeric() or dtype in (nw.Datetime, nw.Date, nw.Duration):
            return "numeric"
        return "ordered" if dtype == nw.Enum else "categorical"

    def without(self, names: Sequence[str]) -> LazyColumns:
        """Columns other than these."""
        return LazyColumns(self, [i for i, name in enumerate(self.names) if name not in names])


@dataclass(frozen=True)
class LazyColumns:
    """The columns of a source that are partitioned, renumbered."""

    source: Source
    indices: list[int]

    @property
    def names(self) -> list[str]:
        """Names of the columns."""
        return [self.source.names[i] for i in self.indices]

    @property
    def library(self) -> str:
        """Library that tables of results are made in."""
        return self.source.library

    def kind(self, index: int) -> str:
        """Tell whether a column is "numeric", "ordered" or "categorical"."""
        return self.source.kind(self.indices[index])

    def check_times(self, who: str, index: int) -> None:
        """Refuse a column that is declared to hold times and does not."""
        dtype = self.source.dtype(self.indices[index])
        if dtype not in (nw.Datetime, nw.Date):
            raise TypeError(
                f"{who}: column {self.names[index]!r} must hold dates or times, as kinds says; got "
                f"{dtype}. Cast it in {self.source.engine.name}."
            )


def scan(
    data: Any,
    *,
    engine: str | None = None,
    memory: str | None = None,
    spill: str | None = None,
    exact: bool = False,
    most_values: int = MOST_VALUES,
    progress: bool | Progress = False,
) -> Source:
    """Open files, or a lazy frame, to be counted by an engine.

    Parameters
    ----------
    data : str, path, list of these, or lazy frame
        Parquet or CSV files, a pattern such as ``"sales/*.parquet"``, or a lazy frame of DuckDB,
        Polars, Dask, PySpark, Ibis or any library that narwhals knows.
    engine : {"duckdb", "polars", "dask", "spark"}, default=None
        What reads files; DuckDB by default. A lazy frame has its own.
    memory : str, default=None
        Memory that the engine may use for files, such as ``"4GB"``; Polars has no such limit.
    spill : str, default=None
        Folder for what does not fit into that memory.
    exact : bool, default=False
        Whether columns of more distinct numbers than ``most_values`` are sorted by the engine and
        counted one by one, which takes memory for each of them; else they are counted in small
        intervals and, around every cut, one by one.
    most_values : int, default=4000000
        Distinct numbers up to which a column is counted one by one.
    progress : bool or callable, default=False
        Whether each column is shown as its turn comes; or a function of its name, its number and
        the number of columns.

    Returns
    -------
    Source
        What ``fit``, ``partial_fit``, ``transform`` and ``Contingency.of`` take.

    Examples
    --------
    >>> import polars as pl
    >>> import partage as pt
    >>> lazy = pl.LazyFrame({"age": range(40), "class": ["a"] * 20 + ["b"] * 20})
    >>> source = pt.engines.scan(lazy, exact=True)
    >>> pt.TablePartitioner().fit(source, target="class").partitions_["age"].cuts
    array([19.5])
    """
    who = "scan"
    _check_engine(who, engine, memory, spill)
    if isinstance(data, (str, Path)) or are_paths(data):
        data = open_files(who, data, engine or "duckdb", memory, spill)
    elif engine is not None or memory is not None or spill is not None:
        raise ValueError(
            f"{who}: engine, memory and spill are for files; a lazy frame has its engine already, "
            "whose own settings limit its memory."
        )
    shown: Progress | None = _show_progress if progress is True else progress or None
    source = read_source(who, data)
    most = check_count(who, "most_values", most_values)
    return replace(source, exact=bool(exact), most_values=most or 1, progress=shown)


def _check_engine(who: str, engine: Any, memory: Any, spill: Any) -> None:
    """Check what is asked of the engine that reads files."""
    if engine is not None:
        check_choice(who, "engine", engine, ENGINES)
    for name, value in (("memory", memory), ("spill", spill)):
        if value is not None and not isinstance(value, (str, Path)):
            refuse(who, name, "text such as '4GB'" if name == "memory" else "a folder", value)


def _show_progress(name: str, number: int, n: int) -> None:
    """Write the column that is being counted to the standard error."""
    import sys

    print(f"[{number}/{n}] {name}", file=sys.stderr, flush=True)


def collect_columns(who: str, data: Any, names: Sequence[str]) -> tuple[Any, str]:
    """Read columns of a source, where it has them, into a frame; library of results for it."""
    source = read_source(who, data)
    held = {name: f"c{source.names.index(name)}" for name in names if name in source.names}
    columns = [nw.col(column).alias(name) for name, column in held.items()]
    return source.engine.collect(source.frame.select(*columns)).to_native(), source.library


def read_source(who: str, data: Any) -> Source:
    """Take what ``is_lazy`` says yes to."""
    if isinstance(data, Source):
        return data
    if isinstance(data, (str, Path)) or are_paths(data):
        data = open_files(who, data, "duckdb", None, None)
    native = nw.to_native(data, pass_through=True)
    frame = nw.from_native(native)
    engine = engine_of(frame)
    names = engine.names(frame)
    if not names:
        raise ValueError(f"{who}: the table must have columns; got none.")
    library = "polars" if engine.name == "polars" else "pandas"
    return Source(native, names, engine.renamed(frame), engine, library=library)


def engine_of(frame: nw.LazyFrame[Any]) -> Engine:
    """Choose the engine of a lazy frame."""
    known: dict[str, type[Engine]] = {
        "duckdb": DuckDB,
        "polars": Polars,
        "ibis": Ibis,
        "dask": Dask,
        "pyspark": Spark,
        "pyspark[connect]": Spark,
    }
    return known.get(frame.implementation.value, Engine)()
