"""Figures of grids: speed, held-out loss, and Khiops at its own cost where it is installed.

Khiops runs in an environment of its own: ``PARTAGE_KHIOPS`` names its ``python``.
"""

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

import partage as pt
from figure import Figure, Skipped
from partage._data.table import read_by_kind
from partage._estimators.grids import check_grid, own_partitions, target_rows
from partage._partitions.find_grid import GridSettings, find_grid

N_TRAIN, N_TEST, FLIPPED = 2000, 20_000, 0.1
HELD_OUT = {"xor": 0.328, "checker10": 0.355, "rings": 0.507, "category x number": 0.329}
LAWS = ("xor", "checker4", "checker10", "rings", "additive", "corner", "diag", "noise")
MIXED = ("category x number", "categories")


def law(name, n_rows, rng):
    """Draw two columns and a class that depends on both."""
    x1, x2 = rng.random((2, n_rows))
    c1, c2 = rng.integers(0, 6, (2, n_rows))
    squares = {k: ((x1 * k).astype(int) + (x2 * k).astype(int)) % 2 == 1 for k in (4, 10)}
    is_event = {
        "xor": (x1 > 0.5) ^ (x2 > 0.5),
        "checker4": squares[4],
        "checker10": squares[10],
        "rings": (np.hypot(x1 - 0.5, x2 - 0.5) * 8).astype(int) % 2 == 1,
        "additive": rng.random(n_rows) < 1 / (1 + np.exp(-4 * (x1 + x2 - 1))),
        "corner": (x1 > 0.7) & (x2 > 0.7),
        "diag": x1 > x2,
        "noise": rng.random(n_rows) < 0.5,
        "category x number": (x1 > 0.5) ^ (c1 % 2 == 0),
        "categories": c1 % 3 == c2 % 3,
    }[name]
    flipped = 0.0 if name == "additive" else FLIPPED
    y = np.where(rng.random(n_rows) < flipped, ~is_event, is_event)
    texts = [np.char.add("v", c.astype(str)) for c in (c1, c2)]
    columns = {"category x number": (x1, texts[0]), "categories": tuple(texts)}
    first, second = columns.get(name, (x1, x2))
    return pd.DataFrame({"x1": first, "x2": second, "y": np.where(y, "yes", "no")})


def grid_held_out():
    """Log-loss on 20,000 rows of the shares that grids of 2,000 rows have learned, five draws."""
    rows = []
    for i, (name, limit) in enumerate(HELD_OUT.items()):
        losses = []
        for draw in range(5):
            train, test = (
                law(name, n, np.random.default_rng([i, draw, n])) for n in (N_TRAIN, N_TEST)
            )
            g = pt.grid(train["x1"], train["x2"], train["y"])
            rates = g.code_rates()[g.assign(test["x1"], test["x2"])]
            chosen = rates[np.arange(N_TEST), (test["y"] == "yes").astype(int)]
            losses.append(-np.log(chosen).mean())
        case = f"{name}, mean of five draws"
        rows.append(Figure(case, float(np.mean(losses)), "nats per row", limit=limit))
    return rows


def _pairs_table(n_rows, n_columns):
    rng = np.random.default_rng([n_rows, n_columns])
    X = rng.random((n_rows, n_columns))
    y = (X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)
    y = np.where(rng.random(n_rows) < 0.3, X[:, 2] + X[:, 3] > 1, y)
    y = np.where(rng.random(n_rows) < 0.2, rng.random(n_rows) < 0.5, y)
    return pd.DataFrame(X, columns=[f"c{i}" for i in range(n_columns)]), y


def pairs_speed():
    """CPU seconds of one thread for all pairs of a table."""
    rows = []
    for n_rows, n_columns, limit in (
        (10_000, 30, 2),
        (100_000, 30, 3),
        (1_000_000, 30, 6),
        (10_000, 100, 15),
    ):
        X, y = _pairs_table(n_rows, n_columns)
        started = time.process_time()
        found = pt.pairs(X, y)
        used = time.process_time() - started
        case = f"{n_columns} columns of {n_rows} rows, {len(found)} pairs"
        rows.append(Figure(case, used, "CPU seconds", limit=limit))
        first = (found["column1"][0], found["column2"][0]) == ("c0", "c1")
        rows.append(Figure(f"{case}: the exclusive or comes first", first, "", "exactly", 1))
    return rows


def grid_speed():
    """CPU seconds of one grid of a million rows."""
    rows = []
    for name, limit in (("checker10", 5), ("noise", 1)):
        frame = law(name, 1_000_000, np.random.default_rng(1))
        plan = check_grid("grid", "separate", None)
        target = target_rows("grid", frame["y"], None, len(frame))
        columns = [read_by_kind("grid", frame[c], c) for c in ("x1", "x2")]
        own = own_partitions("grid", plan, columns, target, "pandas")
        started = time.process_time()
        g = find_grid("grid", columns, own, target, GridSettings(), has_y=True)
        used = time.process_time() - started
        case = f"{name}, {g.n_cells} cells, columns partitioned before"
        rows.append(Figure(case, used, "CPU seconds", limit=limit))
    return rows


_RUN = """
import json, os, resource, sys, tempfile
os.environ.setdefault("KHIOPS_PROC_NUMBER", "1")
import pandas as pd
from khiops import core as kh
data, target, columns, out = sys.argv[1:5]
frame = pd.read_csv(data, dtype=str, keep_default_na=False)
folder = tempfile.mkdtemp()
table, kdic = os.path.join(folder, "t.txt"), os.path.join(folder, "t.kdic")
frame.to_csv(table, sep="\\t", index=False)
kh.build_dictionary_from_data_table(table, "t", kdic)
domain = kh.read_dictionary_file(kdic)
for v in domain.get_dictionary("t").variables:
    is_number = v.name != target and pd.to_numeric(frame[v.name], errors="coerce").notna().all()
    v.type = "Numerical" if is_number else "Categorical"
report = os.path.join(folder, "report.khj")
if columns:
    kh.train_coclustering(domain, "t", table, columns.split(","), report, min_optimization_time=0)
else:
    n = frame.shape[1] - 1
    kh.train_predictor(domain, "t", table, target, report, sample_percentage=100,
        max_constructed_variables=0, max_trees=0, max_pairs=n * (n - 1) // 2,
        max_text_features=0, keep_selected_variables_only=False)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
with open(report, encoding="utf-8") as file:
    found = json.load(file)
with open(out, "w", encoding="utf-8") as file:
    json.dump({"cpu": used.ru_utime + used.ru_stime, "report": found}, file)
"""


def _khiops(frame, target="", columns=""):
    """Run Khiops on a table in its own environment; its report and its CPU seconds."""
    python = os.environ.get("PARTAGE_KHIOPS")
    if not python:
        raise Skipped("PARTAGE_KHIOPS does not name the python of an environment with khiops")
    with tempfile.TemporaryDirectory() as folder:
        data, out = Path(folder) / "data.csv", Path(folder) / "out.json"
        frame.to_csv(data, index=False)
        path = f"{Path(python).parent}{os.pathsep}{os.environ['PATH']}"
        subprocess.run(  # the python that the user names
            [python, "-c", _RUN, str(data), target, columns, str(out)],
            check=True,
            env=os.environ | {"PATH": path},
            capture_output=True,
        )
        found = json.loads(out.read_text(encoding="utf-8"))
    return found["report"], found["cpu"]


def _compare(case, frame, target):
    """Costs of all pairs under Khiops 11's prior, ours minus Khiops'."""
    report, cpu = _khiops(frame, target)
    pairs = report["bivariatePreparationReport"]["variablesPairsStatistics"]
    started = time.process_time()
    names = [name for name in frame.columns if name != target]
    plan = check_grid("grid", "separate", None)
    rows = target_rows("grid", frame[target].to_numpy(), None, len(frame))
    columns = {name: read_by_kind("grid", frame[name], name) for name in names}
    own = dict(
        zip(names, own_partitions("grid", plan, columns.values(), rows, "pandas"), strict=True)
    )
    settings = GridSettings("khiops11", n_columns=len(names))
    above = []
    for pair in pairs:
        both = pair["name1"], pair["name2"]
        theirs = pair["constructionCost"] + pair["preparationCost"] + pair["dataCost"]
        g = find_grid(
            "grid", [columns[n] for n in both], [own[n] for n in both], rows, settings, has_y=True
        )
        # Khiops prints six digits.
        above.append((g.cost - theirs, 5e-6 * theirs))
    used = time.process_time() - started
    n_above = sum(more > digits + 1e-4 for more, digits in above)
    n_below = sum(more < -digits - 1e-4 for more, digits in above)
    label = f"{case}, {len(pairs)} pairs"
    return [
        Figure(f"{label}: above Khiops", n_above, "pairs", "exactly", 0),
        Figure(f"{label}: below Khiops", n_below, "pairs"),
        Figure(f"{label}: sum of the differences", sum(more for more, _ in above), "nats"),
        Figure(f"{label}: CPU", used / cpu, "of Khiops'", limit=1),
    ]


def khiops_pairs():
    """All pairs of german and of six columns of adult, and laws of 2,000 rows."""
    folder = os.environ.get("PARTAGE_DATA")
    if not folder:
        raise Skipped("PARTAGE_DATA is not set")
    german = pd.read_csv(Path(folder) / "german.csv.gz").sample(700, random_state=0)
    adult = pd.read_csv(Path(folder) / "adult.csv.gz").fillna("?").sample(frac=0.7, random_state=0)
    six = ["age", "education_num", "relationship", "hours_per_week", "capital_gain", "occupation"]
    rows = _compare("german", german, "class") + _compare("adult", adult[[*six, "class"]], "class")
    for i, name in enumerate((*LAWS, *MIXED)):
        rows += _compare(name, law(name, 2000, np.random.default_rng([7, i])), "y")
    return rows


def khiops_coclusters():
    """Coclusterings under Khiops 11's prior: costs, and the merges of education by occupation."""
    folder = os.environ.get("PARTAGE_DATA")
    if not folder:
        raise Skipped("PARTAGE_DATA is not set")
    adult = pd.read_csv(Path(folder) / "adult.csv.gz").fillna("?").sample(frac=0.7, random_state=0)
    rng = np.random.default_rng(3)
    x = rng.random(2000)
    sine = pd.DataFrame({"a": x, "b": np.sin(6 * x) + rng.normal(0, 0.2, 2000)})
    u, v = rng.integers(0, 200, 40_000), rng.integers(0, 160, 40_000)
    kept = (u % 4 == v % 4) | (rng.random(40_000) < 0.3)
    blocks = pd.DataFrame({"a": [f"u{i}" for i in u[kept]], "b": [f"v{i}" for i in v[kept]]})
    tables = {
        "sine": (sine, ["a", "b"]),
        "blocks": (blocks, ["a", "b"]),
        "education x occupation": (adult, ["education", "occupation"]),
        "age x hours": (adult, ["age", "hours_per_week"]),
        "age x marital": (adult, ["age", "marital_status"]),
    }
    rows = []
    for case, (frame, columns) in tables.items():
        started = time.process_time()
        c = pt.cocluster(frame, columns, method="khiops11")
        used = time.process_time() - started
        report, cpu = _khiops(frame[columns], columns=",".join(columns))
        summary = report["coclusteringReport"]["summary"]
        rows.append(
            Figure(f"{case}: cost above Khiops", c.cost - summary["cost"], "nats", limit=1e-3)
        )
        rows.append(Figure(f"{case}: CPU", used / cpu, "of Khiops'", limit=1))
        if case == "education x occupation":
            n_other = _merges_that_differ(c.hierarchy(), report["coclusteringReport"])
            rows.append(Figure(f"{case}: merges that differ", n_other, "merges", "exactly", 0))
    return rows


def _merges_that_differ(ours, report):
    """Count merges on another axis, or whose information differs by more than 2e-4."""
    theirs = sorted(
        (-node["hierarchicalRank"], axis["name"], node["hierarchicalLevel"])
        for axis in report["dimensionHierarchies"]
        for node in axis["clusters"]
        if not node["isLeaf"]
    )
    pairs = zip(theirs, ours["axis"], ours["information"], strict=True)
    return sum(name != axis or abs(level - left) > 2e-4 for (_, name, level), axis, left in pairs)


FIGURES = (grid_held_out, pairs_speed, grid_speed, khiops_pairs, khiops_coclusters)
