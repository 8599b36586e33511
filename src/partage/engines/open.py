"""Files as the lazy frame of an engine."""

from __future__ import annotations

import glob
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ENGINES = ("duckdb", "polars", "dask", "spark")
_MODULES = {
    "duckdb": "duckdb",
    "polars": "polars",
    "dask": "dask.dataframe",
    "spark": "pyspark.sql",
}
_FORMATS = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".csv": "csv",
    ".csv.gz": "csv",
    ".tsv": "csv",
}


def open_files(who: str, paths: Any, engine: str, memory: str | None, spill: Any) -> Any:
    """Open files by an engine, with its memory and the folder for what does not fit into it."""
    single = [paths] if isinstance(paths, (str, Path)) else paths
    files = [str(path) for path in single]
    kind = _format_of(who, files)
    for file in files:
        if "://" not in file and not _matches(file):
            raise FileNotFoundError(
                f"{who}: paths must match files; got {file!r}, which no file does."
            )
    module = import_engine(who, engine)
    spill = None if spill is None else str(spill)
    opener = {"duckdb": _open_duckdb, "polars": _open_polars, "dask": _open_dask}
    if engine == "spark":
        return _open_spark(who, module, files, kind, memory, spill)
    return opener[engine](who, module, files, kind, memory, spill)


def import_engine(who: str, engine: str) -> Any:
    """Import what an engine needs, or say which extra installs it."""
    try:
        importlib.import_module("pyarrow")
        return importlib.import_module(_MODULES[engine])
    except ImportError as error:
        raise ImportError(
            f"{who}: engine={engine!r} needs packages that are not installed ({error}); "
            f'run `pip install "partage[{engine}]"`.'
        ) from error


def _format_of(who: str, files: Sequence[str]) -> str:
    """Name the format of files by their endings."""
    found = {
        next((kind for end, kind in _FORMATS.items() if file.lower().endswith(end)), "")
        for file in files
    }
    if found == {"parquet"} or found == {"csv"}:
        return found.pop()
    # A folder of Parquet files is a table, too.
    if all(Path(file).is_dir() for file in files):
        return "parquet"
    raise ValueError(
        f"{who}: files must all be Parquet or all be CSV, by their endings (.parquet, .csv); "
        f"got {files[0]!r}."
    )


def _open_duckdb(
    who: str, duckdb: Any, files: list[str], kind: str, memory: str | None, spill: str | None
) -> Any:
    """Open files by a DuckDB of their own."""
    connection = duckdb.connect()
    try:
        if memory is not None:
            connection.execute(f"SET memory_limit = '{_quoted(memory)}'")
    except Exception as error:
        raise ValueError(f"{who}: memory must be text such as '4GB'; got {memory!r}.") from error
    if spill is not None:
        connection.execute(f"SET temp_directory = '{_quoted(spill)}'")
    # Rows come in any order, which lets the engine stream them.
    connection.execute("SET preserve_insertion_order = false")
    files = [
        str(Path(file) / "**" / "*.parquet") if Path(file).is_dir() else file for file in files
    ]
    return connection.read_parquet(files) if kind == "parquet" else connection.read_csv(files)


def _matches(pattern: str) -> list[str]:
    """Files that a pattern matches."""
    if Path(pattern).exists():
        return [pattern]
    return sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207  # patterns may be absolute


def _quoted(text: str) -> str:
    """Text inside the quotes of SQL."""
    return str(text).replace("'", "''")


def _open_polars(
    who: str, polars: Any, files: list[str], kind: str, memory: str | None, spill: str | None
) -> Any:
    """Scan files by Polars."""
    if memory is not None:
        raise ValueError(
            f"{who}: memory must be None for engine='polars', which has no such limit; got "
            f"{memory!r}. Use engine='duckdb' to keep to a limit."
        )
    if spill is not None:
        os.environ["POLARS_TEMP_DIR"] = spill
    return polars.scan_parquet(files) if kind == "parquet" else polars.scan_csv(files)


def _open_dask(
    who: str, dask: Any, files: list[str], kind: str, memory: str | None, spill: str | None
) -> Any:
    """Read files by Dask; a limit of memory needs a cluster of processes, which is then started."""
    if memory is not None or spill is not None:
        _start_dask_cluster(who, memory, spill)
    files = [str(Path(file)) if "://" not in file else file for file in files]
    if kind == "csv":
        return dask.read_csv(files)
    found = [name for file in files for name in (_matches(file) or [file])]
    return dask.read_parquet(found)


def _start_dask_cluster(who: str, memory: str | None, spill: str | None) -> None:
    """Start workers that share a limit of memory."""
    import dask
    from dask.utils import parse_bytes
    from distributed import Client, LocalCluster

    n_workers = min(4, os.cpu_count() or 1)
    try:
        limit: Any = "auto" if memory is None else parse_bytes(memory) // n_workers
    except ValueError as error:
        raise ValueError(f"{who}: memory must be text such as '4GB'; got {memory!r}.") from error
    dask.config.set({"dataframe.shuffle.method": "tasks"})
    cluster = LocalCluster(
        n_workers=n_workers,
        threads_per_worker=1,
        memory_limit=limit,
        local_directory=spill,
        dashboard_address="127.0.0.1:0",  # any free port
    )
    Client(cluster)


def _open_spark(
    who: str, pyspark: Any, files: list[str], kind: str, memory: str | None, spill: str | None
) -> Any:
    """Read files by the active Spark session, or by a local one of its own."""
    session = pyspark.SparkSession.getActiveSession()
    if session is not None and (memory is not None or spill is not None):
        raise ValueError(
            f"{who}: memory and spill must be None where a Spark session is active, whose own "
            "settings rule; stop it first, or set spark.driver.memory there."
        )
    if session is None:
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # workers as this process
        builder = pyspark.SparkSession.builder.appName("partage")
        if memory is not None:
            builder = builder.config("spark.driver.memory", _java_size(memory))
        if spill is not None:
            builder = builder.config("spark.local.dir", spill)
        builder = builder.config("spark.ui.enabled", "false")
        session = builder.getOrCreate()
    if kind == "parquet":
        return session.read.parquet(*files)
    return session.read.csv(files, header=True, inferSchema=True)


def _java_size(memory: str) -> str:
    """Write a size as Java reads it: 4GB is 4g."""
    return memory.strip().lower().removesuffix("ib").removesuffix("b")
