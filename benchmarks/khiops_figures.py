"""Khiops 11 at its own cost: pairs, single columns and coclusterings, where it is installed.

Khiops runs in an environment of its own: ``PARTAGE_KHIOPS`` names its ``python``. It prints six
digits of a cost, so that its partitions are priced again here.
"""

import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

import partage as pt
from figure import Figure, Skipped
from grid_figures import LAWS, MIXED, law
from partage._estimators.grids import check_grid
from partage._estimators.joint import open_joint
from partage._partitions.find_grid import GridSettings, find_grid

sys.path.append(str(Path(__file__).parent.parent / "tests"))
from reference import grids as twin  # the tests are no package of their own

DIGITS = 1e-5  # relative, to which a printed cost must be found again
LONG_LAWS = ("xor", "checker10", "rings", "additive", "corner", "diag")
ADULT = ["age", "education_num", "relationship", "hours_per_week", "capital_gain", "occupation"]
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


def _printed(statistics):
    """Cost that Khiops prints."""
    return sum(statistics[f"{part}Cost"] for part in ("construction", "preparation", "data"))


def _parts(dimension, values):
    """Part of each value under an axis of Khiops' report."""
    if dimension["type"] == "Numerical":
        cuts = [end for _, end in dimension["partition"][:-1]]
        return np.searchsorted(cuts, values, side="left").astype(np.int64)
    if dimension["partitionType"] == "Values":
        groups = [[value] for value in dimension["partition"]]
    else:
        groups = dimension["partition"]
    known = {value: k for k, group in enumerate(groups) for value in group}
    rest = dimension.get("defaultGroupIndex", 0)
    return np.array([known.get(str(value), rest) for value in values], dtype=np.int64)


def _prices(codes, parts, labels, is_ordered, n_columns, *, alone=False):
    """Costs of a grid, or of one column alone, under Khiops 11's prior at every granularity.

    Where Khiops lowers the granularity at the end, it leaves the number of values of a category
    as it was; so this one may be finer.
    """
    n = len(labels)
    cells = {}
    for row in zip(*parts, labels, strict=True):
        counts = cells.setdefault(row[:-1], [0] * (max(labels) + 1))
        counts[row[-1]] += 1
    cut = [a for a, axis in enumerate(parts) if max(axis) > 0]
    data = twin.LOG_2 + sum(map(twin.class_length, cells.values()))
    if not cut:
        return [data]
    data += math.log(n_columns + 1)
    if not alone:
        data += twin.unbounded(len(cut)) - twin.log_factorial(len(cut))
        data += len(cut) * math.log(n_columns)
    most = math.ceil(math.log2(n))
    axes = {}
    for a in cut:
        values, first, sizes = np.unique(codes[a], return_index=True, return_counts=True)
        column = values.tolist(), np.asarray(parts[a])[first].tolist(), sizes.tolist()
        for g in range(1, most + 1):
            axes[a, g] = twin.khiops_axis(*column, is_ordered[a], g)
    return [
        data + twin.bounded(g, most) + sum(axes[a, g if is_ordered[a] else fine] for a in cut)
        for g in range(1, most + 1)
        for fine in range(g, most + 1)
    ]


def _their_cost(report, pair, frame, target, n_columns):
    """Cost of a pair's grid, priced from the parts in Khiops' report, at its granularity."""
    names = pair["name1"], pair["name2"]
    values, codes = zip(
        *(np.unique(frame[name].to_numpy(), return_inverse=True) for name in names), strict=True
    )
    details = report["bivariatePreparationReport"].get("variablesPairsDetailedStatistics", {})
    alone = report["preparationReport"]
    axes = [np.zeros(len(one), np.int64) for one in values]
    if pair["rank"] in details:
        dimensions = details[pair["rank"]]["dataGrid"]["dimensions"]
        axes = [_parts(d, one) for d, one in zip(dimensions, values, strict=False)]
    elif pair["variables"] == 1:  # the report has its column alone
        k = 0 if pair["parts1"] > 1 else 1
        (rank,) = (v["rank"] for v in alone["variablesStatistics"] if v["name"] == names[k])
        column = alone["variablesDetailedStatistics"][rank]["dataGrid"]["dimensions"][0]
        axes[k] = _parts(column, values[k])
    found = _prices(
        codes,
        [axis[code].tolist() for axis, code in zip(axes, codes, strict=True)],
        np.unique(frame[target].to_numpy(), return_inverse=True)[1].tolist(),
        [pd.api.types.is_numeric_dtype(frame[name]) for name in names],
        n_columns,
    )
    return min(found, key=lambda cost: abs(cost - _printed(pair)))


def _compare(case, frame, target):
    """Costs of all pairs under Khiops 11's prior, ours minus Khiops'."""
    report, cpu = _khiops(frame, target)
    pairs = report["bivariatePreparationReport"]["variablesPairsStatistics"]
    names = [name for name in frame.columns if name != target]
    started = time.process_time()
    plan = check_grid("grid", "separate", None)
    joint = open_joint("grid", plan, frame, None, target, None).fit(range(len(names)), 1)
    settings = GridSettings("khiops11", n_columns=len(names))
    ours = []
    for pair in pairs:
        places = [names.index(pair["name1"]), names.index(pair["name2"])]
        ours.append(find_grid("grid", joint, places, settings).cost)
    used = time.process_time() - started
    theirs = np.array([_their_cost(report, p, frame, target, len(names)) for p in pairs])
    printed = np.array([_printed(pair) for pair in pairs])
    is_same = np.abs(theirs / printed - 1) < DIGITS
    more = np.array(ours) - np.where(is_same, theirs, printed)
    # What cannot be priced again is known to the digits that are printed.
    known = np.where(is_same, 1e-4, 1e-4 + 5e-6 * printed)
    label = f"{case}, {len(pairs)} pairs"
    return [
        Figure(f"{label}: above Khiops", int((more > known).sum()), "pairs", "exactly", 0),
        Figure(f"{label}: below Khiops", int((more < -known).sum()), "pairs"),
        Figure(f"{label}: sum of the differences", float(more.sum()), "nats"),
        Figure(f"{label}: highest difference", float(more.max()), "nats"),
        Figure(f"{label}: printed costs not found again", int((~is_same).sum()), "pairs"),
        Figure(f"{label}: CPU", used / cpu, "of Khiops'", limit=1),
    ]


def _compare_columns(case, frame, target):
    """Costs of single columns under Khiops 11's prior, ours minus Khiops'."""
    report, cpu = _khiops(frame, target)
    names = [name for name in frame.columns if name != target]
    given = {"method": "khiops11", "method_params": {"columns": len(names) + 1}}
    labels = np.unique(frame[target].to_numpy(), return_inverse=True)[1].tolist()
    report = report["preparationReport"]
    more, n_other, used = [], 0, 0.0
    for column in report["variablesStatistics"]:
        values, codes = np.unique(frame[column["name"]].to_numpy(), return_inverse=True)
        is_number = column["type"] == "Numerical"
        started = time.process_time()
        find = pt.discretize if is_number else pt.group
        ours = find(frame[column["name"]], frame[target], **given).cost
        used += time.process_time() - started
        theirs = _printed(column)
        detail = report["variablesDetailedStatistics"].get(column["rank"])
        if column["parts"] > 1:
            parts = _parts(detail["dataGrid"]["dimensions"][0], values)[codes].tolist()
            found = _prices([codes], [parts], labels, [is_number], len(names), alone=True)
            priced = min(found, key=lambda cost: abs(cost - theirs))
            is_same = abs(priced / theirs - 1) < DIGITS
            n_other += not is_same
            theirs = priced if is_same else theirs + 5e-6 * theirs
            more.append(ours - theirs)
        else:
            more.append(ours - theirs - 5e-6 * theirs)  # one part, as it is printed
    more = np.array(more)
    label = f"{case}, {len(names)} columns"
    return [
        Figure(f"{label}: above Khiops", int((more > 1e-4).sum()), "columns", "exactly", 0),
        Figure(f"{label}: below Khiops by 0.01", int((more < -0.01).sum()), "columns"),
        Figure(f"{label}: sum of the differences", float(more.sum()), "nats"),
        Figure(f"{label}: printed costs not found again", n_other, "columns"),
        Figure(f"{label}: CPU", used / cpu, "of Khiops' with all pairs"),
    ]


def khiops_columns():
    """Single columns of german and adult."""
    german, adult = _tables()
    six = _compare_columns("adult", adult[[*ADULT, "class"]], "class")
    return _compare_columns("german", german, "class") + six


def _tables():
    """Tables german and adult, as the comparisons take them."""
    folder = os.environ.get("PARTAGE_DATA")
    if not folder:
        raise Skipped("PARTAGE_DATA is not set")
    german = pd.read_csv(Path(folder) / "german.csv.gz").sample(700, random_state=0)
    adult = pd.read_csv(Path(folder) / "adult.csv.gz").fillna("?").sample(frac=0.7, random_state=0)
    return german, adult


def khiops_pairs():
    """All pairs of german and of six columns of adult."""
    german, adult = _tables()
    rows = _compare("german", german, "class")
    rows += _compare("adult", adult[[*ADULT, "class"]], "class")
    n_below = sum(row.measured for row in rows if row.case.endswith("below Khiops"))
    rows.append(Figure("german and adult: below Khiops", n_below, "pairs", "at least", 40))
    return rows


def khiops_laws():
    """Ten laws of 2,000 rows and six of 10,000."""
    rows = []
    for i, name in enumerate((*LAWS, *MIXED)):
        rows += _compare(name, law(name, 2000, np.random.default_rng([7, i])), "y")
    for i, name in enumerate(LONG_LAWS):
        frame = law(name, 10_000, np.random.default_rng([8, i]))
        rows += _compare(f"{name}, 10,000 rows", frame, "y")
    return rows


def khiops_coclusters():
    """Coclusterings under Khiops 11's prior: costs, and the merges of education by occupation."""
    _, adult = _tables()
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


FIGURES = (khiops_pairs, khiops_columns, khiops_laws, khiops_coclusters)
