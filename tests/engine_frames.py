"""The same rows as the lazy frame of every engine, and real engines for them."""

import datetime
import decimal
import functools
import importlib.util
import os
import shutil
import sys
import warnings

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest

from helpers import FULL

ENGINES = ("duckdb", "polars", "ibis", "dask", "spark")
LEVELS = ["low", "mid", "high", "never"]
HOSTILE = ("a \"quoted\" 'name'", "^dots.and`ticks$", "*", "select", " é \n", "c0", "value", "rows")
START = datetime.datetime(2026, 1, 1)
QUIET_ENGINES = [
    # Spark calls what pandas will drop; clusters close their sockets when the process ends.
    pytest.mark.filterwarnings("ignore:.*pandas:FutureWarning:pyspark"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


def engine_parameters(names=ENGINES):
    """Engines as parameters; Spark is skipped, visibly, where it cannot run."""
    return [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in names]


def plain(partition):
    """All that a partition says, times in one unit."""
    data = partition.to_dict()
    for key in ("library", "kind"):
        data.pop(key, None)
    if data["type"] == "intervals":
        cuts = partition.cuts
        data["cuts"] = cuts.astype("M8[ns]").tolist() if cuts.dtype.kind == "M" else cuts.tolist()
    return data


def hostile_table(n=600, seed=0):
    """Rows of every kind of value, each column saying something of the class, with odd names."""
    rng = np.random.default_rng(seed)
    z = rng.integers(0, 40, n)
    label = np.where(rng.random(n) < 0.15, rng.choice(["no", "", "it's"], n), "no")
    label = np.where((z > 25) & (rng.random(n) < 0.9), "it's", label)

    def gaps(values, share=0.1):
        return [None if gap else v for v, gap in zip(values, rng.random(n) < share, strict=True)]

    ends = {0: -np.inf, 39: np.inf, 20: -0.0, 21: 0.0, 5: np.nan}
    floats = [ends.get(v, v / 8 - 2.5) for v in z.tolist()]
    words = ["", "é", "a b", "A", "a", "it's", 'x"y', "new\nline"]
    columns = {
        "float": gaps(floats),
        "float32": pl.Series(gaps((z / 3).tolist()), dtype=pl.Float32),
        "integer": gaps(z.tolist()),
        "small": pl.Series(gaps((z - 20).tolist()), dtype=pl.Int8),
        "beyond": gaps([2**60 + int(v) for v in z]),
        "decimal": pl.Series(
            gaps([decimal.Decimal(int(v)) / 4 for v in z]), dtype=pl.Decimal(10, 2)
        ),
        "boolean": gaps((z > 22).tolist()),
        "text": gaps([words[v % 8] if v < 26 else "z" for v in z.tolist()]),
        "date": gaps([START.date() + datetime.timedelta(int(v)) for v in z]),
        "time": gaps([START + datetime.timedelta(microseconds=int(v)) for v in z]),
        "level": gaps([LEVELS[v // 14] for v in z.tolist()]),
        "constant": [1.5] * n,
        "empty": pl.Series([None] * n, dtype=pl.Float64),
        "noise": rng.normal(size=n).round(1),
    }
    columns |= {name: z + i for i, name in enumerate(HOSTILE)}
    return pl.DataFrame(columns).with_columns(pl.Series("class", label))


def quoted(name):
    """Name of a column in SQL."""
    return '"' + name.replace('"', '""') + '"'


def as_lazy(engine, table):
    """Rows of a Polars frame as the lazy frame of an engine."""
    if engine == "polars":
        return table.lazy()
    if engine == "duckdb":
        import duckdb

        terms = [
            f"CAST({quoted(name)} AS ENUM({', '.join(map(repr, dtype.categories))}))"
            f" AS {quoted(name)}"
            if dtype == pl.Enum
            else quoted(name)
            for name, dtype in table.schema.items()
        ]
        return duckdb.connect().from_arrow(table.to_arrow()).project(", ".join(terms))
    if engine == "ibis":
        import ibis

        return ibis.memtable(table.to_arrow())
    if engine == "dask":
        start_dask()
        import dask.dataframe as dd

        frame = table.to_pandas(use_pyarrow_extension_array=True)
        for name, dtype in table.schema.items():
            if dtype == pl.Enum:
                text = table[name].cast(pl.String).to_list()
                frame[name] = pd.Categorical(text, dtype.categories, ordered=True)
        return dd.from_pandas(frame, npartitions=3)
    return start_spark().createDataFrame(table.to_arrow())


@functools.cache
def start_dask():
    """Start a real cluster: two processes with a scheduler, until the tests end."""
    if not FULL:
        pytest.skip("Dask starts slowly: its tests are those of PARTAGE_TESTS=full")
    pytest.importorskip("distributed", reason='no Dask, which pip install "partage[dask]" brings')
    import atexit

    from distributed import Client, LocalCluster

    cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0")
    client = Client(cluster)
    atexit.register(cluster.close)
    atexit.register(client.close)
    return client


def in_memory(frame):
    """Rows of the lazy frame of any engine, as a Polars frame."""
    lazy = nw.from_native(frame)
    assert isinstance(lazy, nw.LazyFrame)  # nothing was collected
    names = [*lazy.columns]
    eager = lazy.collect() if lazy.implementation.is_dask() else lazy.collect("pyarrow")
    return pl.DataFrame({name: eager[name].to_list() for name in names}, strict=False)


@functools.cache
def why_no_spark():
    """Say why Spark cannot run here; empty where it can."""
    if not FULL:
        return "Spark starts slowly: its tests are those of PARTAGE_TESTS=full"
    if importlib.util.find_spec("pyspark") is None:
        return 'no PySpark, which pip install "partage[spark]" brings'
    if shutil.which("java") is None:
        return "no Java runtime on the path, which Spark needs"
    return ""


@functools.cache
def start_spark():
    """Spark on two threads of this machine, until the tests end; skip where it cannot run."""
    if why_no_spark():
        pytest.skip(why_no_spark())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pyspark.sql import SparkSession

        os.environ["PYSPARK_PYTHON"] = sys.executable
        builder = SparkSession.builder.master("local[2]").appName("partage tests")
        for key, value in {
            "spark.ui.enabled": "false",
            "spark.sql.shuffle.partitions": "2",
            "spark.default.parallelism": "2",
            "spark.driver.memory": "1g",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
            "spark.sql.session.timeZone": "UTC",
            # Tests are many small queries: compiling each costs more than running it.
            "spark.sql.codegen.wholeStage": "false",
            "spark.sql.codegen.factoryMode": "NO_CODEGEN",
            "spark.sql.adaptive.enabled": "false",
        }.items():
            builder = builder.config(key, value)
        session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session
