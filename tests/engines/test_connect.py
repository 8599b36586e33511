"""Spark Connect: frames of a session that only sends plans give what memory gives."""

import importlib.util
import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import partage as pt
from engine_frames import why_no_spark

CLIENT = """
import json, os, sys, warnings
warnings.simplefilter("ignore")
os.environ["PYSPARK_PYTHON"] = sys.executable
import pandas as pd
from pyspark.sql import SparkSession
import partage as pt
from partage.engines import scan

builder = SparkSession.builder.remote("local[2]").config("spark.sql.shuffle.partitions", "2")
session = builder.getOrCreate()
lazy = session.createDataFrame(pd.read_parquet(sys.argv[1]))
table = pt.TablePartitioner().fit(lazy, target="class")
rough = pt.Discretizer().fit(scan(lazy.select("x", "class"), most_values=500), target="class")
codes = table.transform(lazy).toPandas()
print(json.dumps({
    "session": type(session).__module__,
    "costs": [p.cost for p in table.partitions_.values()],
    "codes": codes.groupby(["x", "c"]).size().reset_index().to_numpy().tolist(),
    "exact": rough.partitions_["x"].exact_counts,
    "rough": rough.partitions_["x"].cuts.tolist(),
}))
session.stop()
"""


@pytest.mark.skipif(bool(why_no_spark()), reason=why_no_spark() or "Spark runs")
@pytest.mark.skipif(
    not importlib.util.find_spec("grpc_status"), reason="needs pip install pyspark[connect]"
)
@pytest.mark.xdist_group("spark")
def test_spark_connect_gives_what_memory_gives(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=3000), "c": rng.choice(list("abcdef"), 3000)})
    frame["class"] = np.where((frame["x"] > 0.3) ^ (rng.random(3000) < 0.1), "u", "v")
    frame.to_parquet(tmp_path / "rows.parquet")
    done = subprocess.run(
        [sys.executable, "-c", CLIENT, str(tmp_path / "rows.parquet")],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout.splitlines()[-1])
    wanted = pt.TablePartitioner().fit(frame, target="class")
    assert found["session"].startswith("pyspark.sql.connect")
    assert found["costs"] == [p.cost for p in wanted.partitions_.values()]
    codes = wanted.set_output(transform="pandas").transform(frame[["x", "c"]])
    assert found["codes"] == codes.groupby(["x", "c"]).size().reset_index().to_numpy().tolist()
    assert not found["exact"]
    assert found["rough"] == wanted.partitions_["x"].cuts.tolist()
