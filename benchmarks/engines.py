"""Measure fits beyond memory: identity, time, memory, the two passes, and lazy transforms.

``python benchmarks/engines.py speed --folder data`` prints one figure; without a name all of them
are printed. Each fit runs in a process of its own, so that its peak memory is its own.
"""

import argparse
import gzip
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

COLUMNS = ("x", "r", "i", "c")
CUTS = (-0.9, -0.2, 0.4, 1.1)
LAWS = {
    "strong": (0.1, 0.8, 0.3, 0.9, 0.2),
    "medium": (0.4, 0.6, 0.45, 0.55, 0.4),
    "weak": (0.49, 0.51, 0.495, 0.505, 0.49),
    "thin": (0.5,) * 5,
}


def write_table(path, n_rows, columns=COLUMNS):
    """Write floats that all differ, 1001 floats, 100,000 integers, 10,000 words, three classes."""
    import polars as pl
    import pyarrow.parquet as pq

    if path.exists():
        return
    rng = np.random.default_rng(0)
    writer = None
    for start in range(0, n_rows, 5_000_000):
        n = min(5_000_000, n_rows - start)
        x, r = rng.normal(size=n), rng.integers(0, 1001, n) / 10
        word = np.char.add("v", np.minimum(rng.zipf(1.3, n), 10_000).astype(str))
        rate = np.array((0.5, 0.3, 0.6, 0.4, 0.5))[np.searchsorted(CUTS, x)] + 0.1 * (r > 40)
        u = rng.random(n)
        table = pl.DataFrame(
            {
                "x": x,
                "r": pl.Series(r).set(pl.Series(rng.random(n) < 0.02), None),
                "i": rng.integers(0, 100_000, n),
                "c": pl.Series(word).set(pl.Series(rng.random(n) < 0.01), None),
                "y": np.where(u < rate, "a", np.where(u < 0.85, "b", "c")),
            }
        ).select(*columns, "y")
        table = table.to_arrow()
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table, row_group_size=500_000)
    writer.close()


def child(*arguments):
    """Run one measurement in a process of its own; seconds, CPU seconds and peak bytes."""
    done = subprocess.run(
        [sys.executable, __file__, "child", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


def peak_bytes():
    """Peak memory of this process since it started; what getrusage says includes its parent's."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


def measure(work):
    """Time a piece of work and print its figures for the parent."""
    start, cpu = time.perf_counter(), time.process_time()
    work()
    figures = {
        "wall": time.perf_counter() - start,
        "cpu": time.process_time() - cpu,
        "peak": peak_bytes(),
    }
    print(json.dumps(figures))


def run_child(what, engine, path, memory):
    """Fit, group by, copy or transform, as a child."""
    import partage as pt
    from partage.engines import scan

    names = [c for c in COLUMNS if c in _columns(path)]
    if what == "fit":
        enc = pt.TablePartitioner()
        options = {} if memory == "none" else {"memory": memory}
        measure(lambda: enc.fit(scan(path, engine=engine, **options), target="y"))
    elif what == "groupby":
        measure(lambda: [_group(engine, path, name) for name in names])
    else:
        _write_child(what, path, memory)


def _columns(path):
    import pyarrow.parquet as pq

    return pq.read_schema(path).names


def _group(engine, path, name):
    """Count a column by class, by the engine's own calls."""
    if engine == "duckdb":
        import duckdb

        relation = duckdb.connect().read_parquet(path)
        return relation.aggregate(f"{name}, y, count(*) AS n", f"{name}, y").to_arrow_table()
    import polars as pl

    grouped = pl.scan_parquet(path).group_by(name, "y").agg(pl.len())
    return grouped.collect(engine="streaming")


def _write_child(what, path, model):
    """Copy a file by DuckDB, as it is or transformed."""
    import duckdb

    import partage as pt

    out = f"{path}.out.parquet"
    if what == "copy":
        measure(lambda: duckdb.connect().read_parquet(path).write_parquet(out))
    else:
        enc = pt.load(model)
        relation = duckdb.connect().read_parquet(path)
        measure(lambda: enc.transform(relation).write_parquet(out))
    Path(out).unlink()


def in_turns(options, *tasks):
    """Measure tasks in processes of their own, one after the other, several times."""
    return [tuple(child(*task) for task in tasks) for _ in range(options.repeats)]


def show_speed(options):
    """Fit of a file beside the group-bys of its columns, for DuckDB and Polars."""
    path = options.folder / f"table-{options.rows}.parquet"
    write_table(path, options.rows)
    for engine in ("duckdb", "polars"):
        runs = in_turns(options, ("groupby", engine, path, "none"), ("fit", engine, path, "none"))
        for unit in ("wall", "cpu"):
            own, fit = (min(run[i][unit] for run in runs) for i in (0, 1))
            print(
                f"{engine}, {options.rows:,} rows x {len(COLUMNS) + 1} columns, {unit}: group-bys "
                f"{own:.2f} s, fit {fit:.2f} s, ratio {fit / own:.2f}"
            )
        peaks = [max(run[i]["peak"] for run in runs) / 1e9 for i in (0, 1)]
        print(f"{engine}: peak {peaks[0]:.2f} GB for the group-bys, {peaks[1]:.2f} GB for the fit")


def show_big(options):
    """Fit of a larger file within a limit of memory, beside a tenth of it."""
    names = ("x", "r", "i")
    costs = []
    for n_rows in (options.rows, options.big_rows):
        path = options.folder / f"narrow-{n_rows}.parquet"
        write_table(path, n_rows, names)
        found = child("fit", "duckdb", path, options.memory)
        costs.append(found["wall"] / n_rows)
        print(
            f"duckdb, {n_rows:,} rows x 4 columns, memory {options.memory}: {found['wall']:.1f} s "
            f"({found['cpu']:.1f} CPU), {found['wall'] / n_rows * 1e9:.0f} ns per row, peak "
            f"{found['peak'] / 1e9:.2f} GB"
        )
    print(f"time per row against that of {options.rows:,} rows: {costs[1] / costs[0]:.2f}")


def show_transform(options):
    """Lazy transform written to a file, beside a plain copy of it, by DuckDB."""
    import partage as pt

    path = options.folder / f"table-{options.rows}.parquet"
    write_table(path, options.rows)
    model = options.folder / "model.json"
    pt.TablePartitioner().fit(path, target="y").save(model)
    runs = in_turns(options, ("copy", "duckdb", path, "none"), ("transform", "duckdb", path, model))
    for unit in ("wall", "cpu"):
        copy, transform = (min(run[i][unit] for run in runs) for i in (0, 1))
        print(
            f"duckdb, {options.rows:,} rows, {unit}: copy {copy:.2f} s, transform {transform:.2f} "
            f"s, ratio {transform / copy:.2f}"
        )


def draw(law, n_rows, seed):
    """Numbers that all differ and two classes: five pieces, or one thin piece of 300 rows."""
    rng = np.random.default_rng(seed)
    x = rng.random(n_rows)
    rate = np.array(LAWS[law])[np.searchsorted((0.13, 0.37, 0.52, 0.81), x)]
    if law == "thin":
        rate[(x > 0.4) & (x < 0.4 + 300 / n_rows)] = 0.8
    return x, (rng.random(n_rows) < rate).astype(int)


def show_two_passes(options):
    """Loss of the two passes against the result in memory, over laws, sizes and seeds."""
    import polars as pl

    import partage as pt
    from partage.engines import scan

    for n_rows in options.two_pass_rows:
        for law in options.laws:
            losses, equal, thin = [], 0, np.zeros(2, dtype=int)
            for seed in range(options.seeds):
                x, y = draw(law, n_rows, seed)
                memory = pt.discretize(x, y)
                source = scan(pl.LazyFrame({"x": x, "y": y}), most_values=n_rows // 2)
                found = pt.Discretizer().fit(source, target="y").partitions_["x"]
                losses.append(found.cost - memory.cost)
                equal += losses[-1] <= 1e-9 * memory.cost
                thin += [found.n_parts == 3, memory.n_parts == 3]
            print(
                f"two passes, {n_rows:,} values, {law}: cost equal or lower in {equal} of "
                f"{options.seeds}, largest loss {max(losses):.3f} nats, lowest {min(losses):.3f}"
                + (f"; piece found in {thin[0]}, in memory in {thin[1]}" if law == "thin" else "")
            )


def show_identity(options):
    """Partitions of engines beside those of memory: sets of PARTAGE_DATA, and 1M x 10."""
    import duckdb

    import partage as pt

    tables = dict(read_sets(options.most_rows))
    tables["generated"] = generate(options.identity_rows, 10)
    for name, table in tables.items():
        start = time.perf_counter()
        wanted = pt.TablePartitioner().fit(table, target="class")
        spent = {"memory": time.perf_counter() - start}
        engines = {
            "polars": table.lazy(),
            "duckdb": duckdb.connect().from_arrow(table.to_arrow()),
        }
        if "dask" in options.engines:
            import dask.dataframe as dd

            frame = table.to_pandas(use_pyarrow_extension_array=True)
            engines["dask"] = dd.from_pandas(frame, npartitions=4)
        if "spark" in options.engines:
            engines["spark"] = spark().createDataFrame(table.to_arrow())
        for engine, lazy in engines.items():
            start = time.perf_counter()
            found = pt.TablePartitioner().fit(lazy, target="class")
            spent[engine] = time.perf_counter() - start
            for column, partition in wanted.partitions_.items():
                same = found.partitions_[column]
                assert same.cost == partition.cost, (name, engine, column)
                assert same.counts.tolist() == partition.counts.tolist(), (name, engine, column)
                assert same.labels() == partition.labels(), (name, engine, column)
        times = ", ".join(f"{engine} {seconds:.1f} s" for engine, seconds in spent.items())
        print(f"{name}: {table.height:,} x {table.width - 1}: identical; {times}", flush=True)


def spark():
    """Start Spark on the cores of this machine."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[*]").config("spark.ui.enabled", "false")
    return builder.config("spark.driver.memory", "4g").getOrCreate()


def generate(n_rows, n_columns):
    """Make numbers, half of them rounded, of which every other says something of the class."""
    import polars as pl

    rng = np.random.default_rng(1)
    label = rng.integers(0, 3, n_rows)
    columns = {}
    for i in range(n_columns):
        x = rng.normal(size=n_rows) + (label * 0.3 if i % 2 else 0.0)
        columns[f"x{i}"] = x.round(2) if i % 4 < 2 else x
    return pl.DataFrame(columns).with_columns(pl.Series("class", label))


def read_sets(most_rows):
    """Read the sets of PARTAGE_DATA with over 5000 rows."""
    import polars as pl

    folder = os.environ.get("PARTAGE_DATA")
    if not folder:
        print("PARTAGE_DATA names no folder: sets left out")
        return
    entries = json.loads(Path(folder, "catalogue.json").read_text(encoding="utf-8"))["datasets"]
    for entry in entries:
        if not 5000 < entry["rows"] <= most_rows:
            continue
        with gzip.open(Path(folder, entry["file"]), "rb") as file:
            table = pl.read_csv(file.read(), infer_schema=False)
        numeric = [c["name"] for c in entry["columns"] if c["kind"] == "numeric"]
        yield entry["name"], table.with_columns(pl.col(numeric).cast(pl.Float64))


def tree_cpu():
    """CPU seconds of this process and of all it has started, such as Java."""
    import psutil

    own = psutil.Process()
    times = [process.cpu_times() for process in (own, *own.children(recursive=True))]
    return sum(each.user + each.system for each in times)


def show_scaling(options):
    """CPU per row and per distinct value of one count, by engine, from files of two sizes."""
    import polars as pl

    from partage.engines import scan
    from partage.engines.counting import count_column
    from partage.engines.lazy_target import read_lazy_target

    for engine in options.engines:
        if engine == "spark":
            spark()
        spent = {}
        for n_rows, n_values in (
            (options.scaling_rows // 10, 1000),
            (options.scaling_rows, 1000),
            (options.scaling_rows, options.scaling_rows // 4),
        ):
            path = options.folder / f"scaling-{n_rows}-{n_values}.parquet"
            if not path.exists():
                rng = np.random.default_rng(2)
                columns = {"x": rng.integers(0, n_values, n_rows), "y": rng.integers(0, 2, n_rows)}
                pl.DataFrame(columns).write_parquet(path, row_group_size=500_000)
            source = scan(path, engine=engine)
            target = read_lazy_target("scaling", source, "y", None)
            runs = []
            for _ in range(options.repeats):
                start = tree_cpu()
                count_column("scaling", source, 0, target, "numeric")
                runs.append(tree_cpu() - start)
            spent[n_rows, n_values] = min(runs)
        low, high, many = spent.values()
        per_row = (high - low) / (options.scaling_rows * 0.9)
        per_value = (many - high) / (options.scaling_rows // 4 - 1000)
        print(
            f"{engine}: {per_row * 1e9:.0f} ns of CPU per row, {per_value * 1e9:.0f} ns per "
            f"distinct value of two classes, {low - per_row * options.scaling_rows / 10:.2f} s per "
            "query"
        )


FIGURES = {
    "speed": show_speed,
    "big": show_big,
    "transform": show_transform,
    "two-passes": show_two_passes,
    "identity": show_identity,
    "scaling": show_scaling,
}


def main():
    """Print the figures that are asked for."""
    if sys.argv[1:2] == ["child"]:
        run_child(*sys.argv[2:])
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("figure", nargs="*", choices=[*FIGURES, []], help="(all)")
    parser.add_argument("--folder", type=Path, default=Path("engines-data"), help="of the files")
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--big-rows", type=int, default=100_000_000)
    parser.add_argument("--memory", default="4GB")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--two-pass-rows", type=int, nargs="+", default=[1_000_000, 10_000_000])
    parser.add_argument("--laws", nargs="+", choices=LAWS, default=[*LAWS])
    parser.add_argument("--identity-rows", type=int, default=1_000_000)
    parser.add_argument("--most-rows", type=int, default=10**9, help="of the sets to compare")
    parser.add_argument("--scaling-rows", type=int, default=4_000_000)
    parser.add_argument("--engines", nargs="+", default=["duckdb", "polars", "dask", "spark"])
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in options.figure or FIGURES:
        FIGURES[name](options)


if __name__ == "__main__":
    main()
