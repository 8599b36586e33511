"""Faults: a worker that dies, and a user who has waited long enough."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import cloudpickle
import polars as pl
import pytest

import partage as pt
from engine_frames import QUIET_ENGINES, hostile_table, start_dask
from partage.engines import batches, scan

pytestmark = QUIET_ENGINES


@pytest.mark.xdist_group("dask")
def test_fit_survives_the_death_of_a_dask_worker():
    client = start_dask()
    import dask.dataframe as dd

    table = hostile_table(600, seed=12).select("integer", "text", "class")
    died = threading.Event()

    def slowly(piece):
        time.sleep(0.3)
        return piece

    lazy = dd.from_pandas(table.to_pandas(), npartitions=6).map_partitions(slowly)

    def kill(*step):
        if step[1] == 1:
            pid = min(client.run(os.getpid).values())
            threading.Timer(0.4, lambda: (os.kill(pid, signal.SIGKILL), died.set())).start()

    found = pt.TablePartitioner().fit(scan(lazy, progress=kill), target="class")
    assert died.is_set()
    wanted = pt.TablePartitioner().fit(table, target="class")
    assert found.levels_.tolist() == wanted.levels_.tolist()
    assert found.partitions_["text"].groups == wanted.partitions_["text"].groups
    client.wait_for_workers(2)


SLOW = {
    "duckdb": """
        import duckdb
        lazy = duckdb.connect().sql(
            "SELECT sin(a.range * b.range + 0.5) AS x, a.range % 2 AS class "
            "FROM range(1000000) a, range(100000) b")
    """,
    "polars": """
        import polars as pl
        rows = pl.LazyFrame({"a": pl.int_range(0, 200_000, eager=True)})
        pairs = rows.join(rows, how="cross").with_columns(x=(pl.col("a") * 0.37).sin())
        lazy = pairs.select("x", (pl.col("a_right") % 2).alias("class"))
    """,
}


@pytest.mark.parametrize("engine", SLOW)
def test_ctrl_c_cancels_the_query(engine):
    code = textwrap.dedent(SLOW[engine]) + textwrap.dedent("""
        import threading, os, signal, time
        import partage as pt
        pt.Discretizer
        threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        start = time.monotonic()
        try:
            pt.Discretizer().fit(lazy, target="class")
        except KeyboardInterrupt:
            print("interrupted", time.monotonic() - start)
    """)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )
    word, seconds = [*done.stdout.split(), "", "nan"][:2]
    assert word == "interrupted", done.stderr
    assert float(seconds) < 60


def test_work_travels_to_workers_without_partage():
    read = batches.make_reader("float", None, None)
    edges = pl.Series([0.5, 1.0, 2.0]).to_numpy()
    work = [
        batches.make_sampler(read, 1.0),
        batches.make_counter(read, edges, 2),
        batches.make_picker(read, edges[:2]),
        *batches.make_distinct(8),
        *batches.make_combiners(),
    ]
    code = "import sys, pickle; sys.modules['partage'] = None; import cloudpickle; "
    code += "print(len(cloudpickle.loads(sys.stdin.buffer.read())))"
    done = subprocess.run(
        [sys.executable, "-c", code], input=cloudpickle.dumps(work), capture_output=True, check=True
    )
    assert done.stdout.strip() == b"8"
