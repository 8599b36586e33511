"""Cells are a partition: what applies to sets of objects works, the rest says why it does not."""

import json
import re

import numpy as np
import pytest

import partage as pt
from partage._partitions.partition import Partition

X = [[x, y] for x in range(8) for y in range(4)]
Y = [0] * 16 + [1] * 16


@pytest.fixture(scope="module")
def cells():
    return pt.GraphPartitioner().fit(X, Y).partition_


def test_cells_are_a_partition(cells):
    assert isinstance(cells, Partition)
    assert (cells.n_parts, cells.is_optimal, cells.method) == (2, False, "bipartition")
    assert cells.rows.tolist() == [16, 16]
    assert len(cells.labels()) == 2
    assert cells.code_labels() == [*cells.labels(), "missing"]
    assert cells.totals().tolist() == [16.0, 16.0]
    assert cells.code_rates()[:2].tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_training_objects_are_assigned_by_their_rows(cells):
    assert np.array_equal(cells.assign(np.arange(32)), cells.codes)
    assert cells.assign([]).tolist() == []


@pytest.mark.parametrize("x", [[32], [-1], [0.5], ["a"], [[0, 1]]])
def test_other_objects_are_not_assigned(cells, x):
    message = (
        "Cells.assign: x must hold rows of training objects, whole numbers from 0 to 31; got "
        f"{x!r}. For other objects, use predict of the estimator that found the parts."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        cells.assign(x)


@pytest.mark.parametrize(
    ("action", "call"),
    [
        ("merge", lambda p: p.merge(0, 1)),
        ("recount", lambda p: p.recount(X, Y)),
        ("psi", lambda p: p.psi(X)),
        ("level_on", lambda p: p.level_on(X, Y)),
        ("expected_level", lambda p: p.expected_level(10)),
        ("explain", lambda p: p.explain()),
        ("to_sql", lambda p: p.to_sql()),
        ("to_python", lambda p: p.to_python()),
        ("table(x, y)", lambda p: p.table(X, Y)),
    ],
)
def test_what_needs_columns_is_refused(cells, action, call):
    message = (
        f"Cells.{action}: this needs a rule in columns; got 2 sets of objects, found by "
        "bipartition."
    )
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        call(cells)


def test_cells_of_weighted_objects_pass_through_json():
    weights = [0, 2, *[1] * 30]
    cells = pt.GraphPartitioner().fit(X, Y, sample_weight=weights).partition_
    again = pt.from_dict(json.loads(json.dumps(cells.to_dict())))
    assert again == cells
    assert cells.counts.sum() == 32
    assert cells.rows.sum() == 31
    assert cells.codes[0] == -1
