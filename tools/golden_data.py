"""Results on the public data sets of a catalogue, for ``tools/golden --data FOLDER``."""

import functools
import importlib.util
import json
from pathlib import Path

import numpy as np
from golden_cases import GROUPINGS, SEARCHES, build, columns, cut, join, one
from golden_models import classifier, graph_cells

MOST_ROWS = 5_000
FEW = 400


def read(folder):
    """Give the tables of a catalogue one by one: name, columns, classes, kinds."""
    spec = importlib.util.spec_from_file_location("golden_load", Path(folder) / "load.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    text = (Path(folder) / "catalogue.json").read_text(encoding="utf-8")
    for entry in json.loads(text)["datasets"]:
        yield entry["name"], *module.load(entry["name"])


def _column(name, x, y, kind):
    """Cases of one column: every method, and the searches of MODL."""
    numeric = kind == "numeric"
    if numeric:
        for method, searches in SEARCHES.items():
            many = len(x) > 5000 and np.unique(x).size > 2000
            for search in searches if method == "modl" and not many else ("auto",):
                yield (
                    f"{name}/{method}/{search}",
                    functools.partial(cut, x, y, **one(method, search)),
                )
        yield (
            f"{name}/limits",
            functools.partial(cut, x, y, max_parts=4, min_part_size=20, missing="merge"),
        )
    else:
        for method in GROUPINGS:
            yield f"{name}/{method}", functools.partial(join, x, y, method=method)
        yield f"{name}/limits", functools.partial(join, x, y, max_parts=4, min_part_size=20)


def _models(name, X, y, kinds):
    """Cases of whole tables."""
    small = X[:FEW]
    labels = y[:FEW]
    for kind in ("NaiveBayesClassifier", "SelectiveNaiveBayesClassifier"):
        options = {"selection": "lift"} if kind.startswith("Selective") else {}
        yield (
            f"{name}/{kind}",
            lambda k=kind, o=options: classifier(build(k, **o).fit(X, y), small),
        )
    if y.nunique() == 2:
        yield (
            f"{name}/scorecard",
            lambda: {"points": build("Scorecard", min_parts=3).fit(X, y).points(small)},
        )
        yield (
            f"{name}/trend",
            lambda: columns(build("TablePartitioner", monotonic="auto", max_parts=5).fit(X, y)),
        )
    if labels.nunique() > 1:
        yield (
            f"{name}/binarizer",
            lambda: {
                "kept": [
                    str(d)
                    for d in build("DataBinarizer", method="greedy")
                    .fit(small, labels)
                    .discriminants_
                ]
            },
        )
    numeric = [c for c, kind in kinds.items() if kind == "numeric"]
    points = small[numeric].dropna()
    if len(numeric) > 1 and len(points) > 20 and labels[points.index].nunique() > 1:
        for method in ("bipartition", "prototypes"):
            yield (
                f"{name}/graph/{method}",
                lambda m=method: graph_cells(
                    build("GraphPartitioner", method=m, scale="minmax").fit(
                        points, labels[points.index]
                    ),
                    points,
                ),
            )


def cases(folder):
    """Cases of every table of a catalogue."""
    for name, X, y, kinds in read(folder):
        X, y = X[:MOST_ROWS], y[:MOST_ROWS]
        yield f"{name}/table", lambda X=X, y=y: columns(build("TablePartitioner").fit(X, y), X)
        for column, kind in list(kinds.items())[:4]:
            yield from _column(f"{name}/{column}", X[column], y, kind)
        if len(X) <= 1000:
            yield from _models(name, X, y, kinds)
