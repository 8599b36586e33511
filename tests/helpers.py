"""What several test files share: short ways to the core, and to messages."""

import copy
import hashlib
import json
import os
import pickle
import re
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import partage as pt
from partage._search.core import Limits, find_partition
from partage._search.methods import methods
from partage._spaces.space import space_from_counts
from reference.criteria import COSTS
from reference.runs import merge_units

ROUND_TRIPS = {
    "json": lambda p: pt.from_dict(json.loads(json.dumps(p.to_dict(), allow_nan=False))),
    "pickle": lambda p: pickle.loads(pickle.dumps(p)),
    "deepcopy": copy.deepcopy,
}
STEP_METHODS = {"mdlpc", "gain-ratio", "chimerge", "caim", "cacc", "ameva"}

# All cases, as ``nox -s tests_full`` runs them, or those that a change is judged by while it grows.
FULL = os.environ.get("PARTAGE_TESTS") == "full"


def examples(n):
    """Return how many drawn examples to try: n in the full run, else a fifth."""
    return n if FULL else max(10, n // 5)


def sweep(cases, step=3):
    """Return all cases in the full run, else every third of them (or other step)."""
    return list(cases) if FULL else list(cases)[::step]


def search(units, method, how, params=None, **limits):
    """Search the units of a line; limits as in Limits, starts without the end of the line."""
    space = space_from_counts(np.asarray(units, dtype=float))
    known = methods()[method]
    found = find_partition(space, known, how, Limits(**limits), known.numbers("search", params))
    assert found.starts[0] == 0
    assert found.starts[-1] == len(units)
    return replace(found, starts=found.starts[:-1])


def cost_of(units, starts, method, params=None):
    """Cost of a partition by the slow twin: MODL's for methods that judge single steps."""
    criterion = "modl" if method in STEP_METHODS else method
    return COSTS[criterion](merge_units(units, list(starts)), **(params or {}))


def repeat_rows(weight, *columns):
    """Columns in which every row is repeated as often as its weight says."""
    return [np.repeat(column, weight) for column in columns]


def frame_rows(frame):
    """Values of a frame of any library or of an array, as nested lists."""
    if isinstance(frame, pa.Table):
        frame = frame.to_pandas()
    return np.asarray(frame).tolist()


def assert_same(kind, one, other, x):
    """Check that two partitions say the same, and assign x to the same parts."""
    assert type(one) is type(other) is kind
    assert one.to_dict() == other.to_dict()
    assert one.counts.tolist() == other.counts.tolist()
    assert one.missing_counts.tolist() == other.missing_counts.tolist()
    assert list(one.classes) == list(other.classes)
    figures = [(p.cost, p.null_cost, p.level, p.is_optimal, p.n_parts) for p in (one, other)]
    assert figures[0] == figures[1]
    assert one.assign(x).tolist() == other.assign(x).tolist()


def assert_refuses(call, error, message):
    """Check that a call raises an error of exactly this message."""
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        call()


def rewrite_model(path, data, *, with_checksum=False):
    """Write changed data of a model file, with a checksum that fits if that is wanted."""
    if with_checksum:
        data.pop("checksum")
        text = json.dumps(data, sort_keys=True, separators=(",", ":"))
        data["checksum"] = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    path.write_text(json.dumps(data), encoding="utf-8")


def set_in(*keys_and_value):
    """Return a change that sets a value deep inside."""
    *keys, last, value = keys_and_value

    def change(data):
        for key in keys:
            data = data[key]
        data[last] = value

    return change


def draw_codes(seed=0, n_rows=500, n_columns=6, n_values=5, n_classes=3):
    """Draw codes, every value of every column held, the first column telling of the class."""
    rng = np.random.default_rng(seed)
    X = rng.integers(n_values, size=(n_rows, n_columns))
    y = rng.integers(n_classes, size=n_rows)
    X[:, 0] = np.where(rng.random(n_rows) < 0.5, y, X[:, 0])
    X[:n_values] = np.arange(n_values)[:, None]
    return X, y
