"""Change model files and partitions at random, make their checksums right, and use what loads.

A file is refused by ``PartageError``, or what it holds can be shown, explained, edited, exported
and applied without any other error.

    python -m fuzz.files --seconds 60
"""

from __future__ import annotations

import copy
import functools
import json
import random
import re
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import partage as pt
from fuzz.forked import main
from partage._saving.models import _checksum, model_to_json

HOSTILE = [
    None, True, -1, 0, 1, 2, 3, 10**9, 2**63, -(2**63), 2**70, 0.5, -0.5, 1e308, 1e-320,
    float("nan"), float("inf"), "", "nan", "inf", "age", "\0", "a" * 10_000, [], {}, [[]], [None],
    [0], [[0]], [[1.0, 2.0]], {"a": 1}, "modl", "groups", "intervals", "cells",
]  # fmt: skip
_OURS = re.compile(r"[A-Z]\w+(\.\w+)?: .+")  # who: what must hold
EXPECTED = (pt.PartageError, pt.NotPartitionableError)


@functools.cache
def frame() -> tuple[pd.DataFrame, list[str]]:
    """Make a small table of every kind of column."""
    n = 240
    x = [(i * 37) % 101 / 4 for i in range(n)]
    table = pd.DataFrame(
        {
            "age": [None if i % 17 == 0 else v for i, v in enumerate(x)],
            "city": [None if i % 29 == 0 else "abcdefgh"[(i * i) % 8] for i in range(n)],
            "code": [-999 if i % 13 == 0 else i % 7 for i in range(n)],
            "day": pd.date_range("2026-01-01", periods=n, freq="D"),
        }
    )
    y = ["yes" if (v > 12) != (i % 11 == 0) else "no" for i, v in enumerate(x)]
    return table, y


def amounts() -> list[float]:
    """Make a numeric target."""
    _, y = frame()
    return [i % 19 / 4 + 10 * (label == "yes") for i, label in enumerate(y)]


def counts() -> list[int]:
    """Make a target of events."""
    return [int(amount) for amount in amounts()]


def exposures() -> list[int]:
    """Make what the events are counted over."""
    return [1 + i % 3 for i in range(len(counts()))]


@functools.cache
def models() -> list[dict[str, Any]]:
    """Make model files, as dicts."""
    X, y = frame()
    numbers = X[["age", "code"]].fillna(0.0)
    fitted = [
        pt.TablePartitioner(special_values={"code": [-999]}, n_jobs=1).fit(X, y),
        pt.Discretizer(user_cuts={"age": [5.0]}).fit(X[["age"]], y),
        pt.Grouper(special_values=["h"]).fit(X[["city"]], y),
        pt.NaiveBayesClassifier().fit(X, y),
        pt.SelectiveNaiveBayesClassifier().fit(X, y),
        pt.Scorecard().fit(X, y),
        pt.DataBinarizer().fit(numbers, y),
        pt.LADClassifier().fit(numbers, y),
        pt.TablePartitioner(output="averaged").fit(X, y),
        pt.TablePartitioner(output="mean").fit(X, amounts()),
        pt.PointsRegressor().fit(X, amounts()),
        pt.PointsRegressor(family="poisson").fit(X[["age", "city"]], counts()),
        pt.Scorecard(rounded=True, positive="yes").fit(X[["age", "city"]], y),
        pt.AdditiveClassifier(pairs=[("age", "city")]).fit(X, y),
        pt.AdditiveRegressor(family="poisson").fit(X, counts(), exposure=exposures()),
        pt.GridPartitioner(pairs=[("age", "city")], output="woe").fit(X, y),
    ]
    return [json.loads(model_to_json(model)) for model in fitted]


@functools.cache
def partitions() -> list[dict[str, Any]]:
    """Make partitions, as dicts."""
    X, y = frame()
    age = pt.discretize(X["age"], y, max_parts=4)
    found = [
        age,
        pt.discretize(X["age"], y, n_parts=3, missing="merge").merge(0, 1),
        pt.group(X["city"], y),
        pt.group(X["city"], y, ordered=list("abcdefgh"), n_parts=3),
        pt.discretize(X["day"], y, n_parts=2),
        pt.discretize(X["age"], y, method="averaged", max_parts=4),
        pt.discretize(X["age"], amounts(), n_parts=3),
        pt.discretize(X["age"], amounts(), method="mean", max_parts=3),
        pt.group(X["city"], amounts(), n_parts=3),
        pt.discretize(X["age"], y, monotonic="auto", by=X["city"].fillna("?")),
        pt.grid(X["age"], X["city"], y),
        pt.grid(X["age"], X["day"]),
        pt.cocluster(X[["city", "code"]]),
        pt.discretize(X["age"], counts(), method="poisson", exposure=exposures(), max_parts=3),
        pt.discretize(X["age"], amounts(), method="tweedie", max_parts=3),
        pt.discretize(X["age"], pd.Categorical(y, ["no", "yes"], ordered=True)),
    ]
    return [json.loads(json.dumps(partition.to_dict())) for partition in found]


def mutate(data: Any, choice: random.Random) -> Any:
    """Change something somewhere in plain data."""
    data = copy.deepcopy(data)
    holder, place = data, None
    for _ in range(choice.randrange(1, 9)):
        inner = holder if place is None else holder[place]
        if isinstance(inner, dict) and inner:
            holder, place = inner, choice.choice(sorted(inner))
        elif isinstance(inner, list) and inner:
            holder, place = inner, choice.randrange(len(inner))
        else:
            break
    value = holder[place]
    kind = choice.random()
    if isinstance(value, list) and kind < 0.5:
        changed = list(value)
        if changed and kind < 0.15:
            changed.pop(choice.randrange(len(changed)))
        elif changed and kind < 0.3:
            changed.append(copy.deepcopy(choice.choice(changed)))
        elif kind < 0.4:
            choice.shuffle(changed)
        else:
            changed = [[]] * len(changed)
        holder[place] = changed
    elif isinstance(value, (int, float)) and kind < 0.5:
        holder[place] = choice.choice([value + 1, value - 1, -value, value * 1e6, value + 0.5])
    elif isinstance(holder, dict) and kind < 0.6:
        del holder[place]
    else:
        holder[place] = copy.deepcopy(choice.choice(HOSTILE))
    return data


def tried(action: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Do something with what was read, or None if it is refused with a message of ours."""
    try:
        return action(*arguments, **options)
    except EXPECTED:
        return None
    except (TypeError, ValueError) as error:
        if _OURS.match(str(error)):
            return None
        raise


def use_partition(partition: Any) -> None:
    """Ask a partition everything that a user may ask."""
    repr(partition)
    for name in ("table", "explain", "to_python"):
        str(tried(getattr(partition, name)))
    if isinstance(partition, pt.Grid):
        str(tried(partition.hierarchy)), str(tried(partition.simplify, max_parts=2))
        str(tried(partition.interest, 0)), str(tried(partition.typicality, 1))
    tried(partition.to_sql, "duckdb")
    tried(partition.expected_level, 100)
    tried(partition.assign, frame()[0])
    again = pt.from_dict(json.loads(json.dumps(partition.to_dict())))
    tried(again.table)
    edited = tried(partition.merge, 0, 1)
    if edited is not None:
        edited.table()


def use_model(model: Any) -> None:
    """Apply a model, show it, and use its partitions."""
    X, _ = frame()
    columns = list(getattr(model, "feature_names_in_", X.columns[: model.n_features_in_]))
    table = X.reindex(columns=columns)  # a file may name others
    if not {"city", "day"} & set(columns):
        table = table.fillna(0.0)
    names = ("predict_proba", "transform", "predict")
    tried(next(getattr(model, name) for name in names if hasattr(model, name)), table)
    for name in ("summary", "table", "to_python", "to_sql", "to_pmml", "report"):
        if (show := getattr(model, name, None)) is not None:
            str(tried(show))
    if (explain := getattr(model, "explain", None)) is not None:
        str(tried(explain, table.iloc[:1]))
    tried(model_to_json, model)
    for partition in getattr(model, "partitions_", {}).values():
        use_partition(partition)


def load_model(data: dict[str, Any], folder: Path) -> Any:
    """Write a model file whose checksum is right, and load it."""
    plain = {key: value for key, value in data.items() if key != "checksum"}
    path = folder / "model.json"
    path.write_text(json.dumps(plain | {"checksum": _checksum(plain)}))
    return pt.load(path)


def attack(seed: int) -> str | None:
    """Change one file and use it; what went wrong, if anything did."""
    choice = random.Random(seed)
    of_model = choice.random() < 0.5
    data = choice.choice(models() if of_model else partitions())
    for _ in range(choice.choice([1, 1, 1, 2, 4])):
        data = mutate(data, choice)
    return judge(data, of_model)


def judge(data: Any, of_model: bool) -> str | None:
    """Read plain data and use what they hold; what went wrong, if anything did."""
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    try:
        if of_model:
            with tempfile.TemporaryDirectory() as folder:
                read = load_model(data, Path(folder))
        else:
            read = pt.from_dict(data)
    except pt.PartageError:
        return None
    except Exception as error:
        return f"loading raised {error!r}"
    return judge_use(use_model if of_model else use_partition, read)


def judge_use(use: Callable[[Any], None], read: Any) -> str | None:
    """Use what was read; what went wrong, if anything did."""
    try:
        tried(use, read)
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        return f"use raised {error!r} at {Path(place.filename).name}:{place.lineno}"
    return None


if __name__ == "__main__":
    models(), partitions()
    sys.exit(main("files", attack, batch=50))
