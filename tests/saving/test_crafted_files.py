"""Files that somebody made, their checksums right: refused, never used."""

import copy
import json

import pandas as pd
import pytest

import partage as pt
from partage._saving.models import _checksum

X = [[float(i % 40)] for i in range(200)]
Y = ["a" if row[0] < 20 else "b" for row in X]
INTERVALS = pt.discretize([row[0] for row in X], Y).to_dict()
GROUPS = pt.group([str(i % 6) for i in range(200)], Y, n_parts=2).to_dict()


def certain():
    """Give plain data of intervals and of ordered groups with their certainty."""
    column = pd.Categorical([str(i % 6) for i in range(200)], ordered=True)
    for partition in (
        pt.discretize([row[0] for row in X], Y),
        pt.group(pd.Series(column), Y, n_parts=2),
    ):
        partition.certainty()
        yield json.loads(json.dumps(partition.to_dict()))


CERTAIN, CERTAIN_GROUPS = certain()
GRID = pt.grid([row[0] for row in X], [str(i % 6) for i in range(200)], Y).to_dict()


def changed(data, path, value):
    data = copy.deepcopy(data)
    *before, last = path
    inner = data
    for key in before:
        inner = inner[key]
    inner[last] = value(inner[last]) if callable(value) else value
    return data


def refusal(data):
    with pytest.raises(pt.PartageError, match=r"^from_dict: the data are damaged: ") as caught:
        pt.from_dict(data)
    return str(caught.value)


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (["units", "counts"], lambda rows: [[]] * len(rows), "counts of units do not fit"),
        (["units", "counts"], lambda rows: [row * 2 for row in rows], "do not fit the classes"),
        (["units", "counts"], lambda rows: [[9.0, 9.0]] * len(rows), "do not add up to those"),
        (["units", "counts", 0, 0], -1.0, "must be finite and at least 0"),
        (["units", "counts", 0, 0], float("nan"), "must be finite and at least 0"),
        (["units", "lows"], lambda keys: keys[::-1], "units do not increase"),
        (["units", "lows"], lambda keys: keys[:-1], "units do not fit their counts"),
        (["units", "rows"], [1], "rows do not fit the units"),
        (["units", "rows"], lambda _: [-1] * 40, "must be whole numbers of at least 0"),
        (["counts"], [], "there must be rows for each part"),
        (["counts"], lambda rows: rows[:1], "there must be rows for each part"),
        (["counts"], lambda rows: [row[:1] for row in rows], "counts do not fit the classes"),
        (["rows", 0], -3, "must be whole numbers of at least 0"),
        (["missing_counts"], [1.0], "missing_counts do not fit the classes"),
        (["missing_part"], 7, "missing_part must be a part"),
        (["classes"], [], "there must be a class"),
        (["cuts"], [1.0, 2.0, 3.0], "counts do not fit the cuts"),
        (["cuts"], ["nan"], "keys must be numbers"),
        (["kind", "unit"], "cells", "is no unit of numbers"),
        (["method"], "nothing", "no method is called so"),
        (["event"], 5, "event must be a class"),
        (["woe_sign"], 0, "woe_sign must be 1 or -1"),
        (["level"], "high", "level must be a number"),
        (["is_optimal"], 1, "is_optimal must be true or false"),
        (["constraints"], {"max_parts": 0.5}, "max_parts must be an integer of at least 1"),
        (["constraints"], {"n_parts": 2**63}, "n_parts must be a number of parts"),
        (["constraints"], {"monotonic": "up"}, "monotonic must be"),
        (["history"], [{"action": 1, "price": 0.0, "before": {}}], "an action must be text"),
        (["special", "parts"], [0], "special values do not fit their counts"),
        (["special"], None, "special must be a dict"),
    ],
)
def test_intervals_whose_pieces_do_not_fit_are_refused(path, value, reason):
    assert reason in refusal(changed(INTERVALS, path, value))


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (["groups"], [["0"]], "counts do not fit the groups"),
        (["groups", 0], "0", "a group must be a list"),
        (["garbage"], 2, "garbage must be a part"),
        (["absent"], [["9", 5]], "absent values must have a group each"),
        (["unit_order"], lambda places: [99, *places[1:]], "unit_order must name values"),
        (["unit_order"], lambda places: places[:-1], "units do not fit the values"),
        (["units", "counts"], lambda rows: [[]] * len(rows), "counts of units do not fit"),
        (["is_ordered"], None, "is_ordered must be true or false"),
    ],
)
def test_groups_whose_pieces_do_not_fit_are_refused(path, value, reason):
    assert reason in refusal(changed(GROUPS, path, value))


@pytest.mark.parametrize("counts", [[[]] * 40, [[1.0]] * 40, [[1.0, 2.0, 3.0]] * 40])
def test_model_file_with_units_of_another_width_is_refused(tmp_path, counts):
    path = tmp_path / "model.json"
    pt.Discretizer().fit(X, Y).save(path)
    data = json.loads(path.read_text())
    data.pop("checksum")
    data["columns"][0]["units"]["counts"] = counts
    path.write_text(json.dumps(data | {"checksum": _checksum(data)}))
    with pytest.raises(pt.PartageError, match=r"is damaged: .+counts of units do not fit"):
        pt.load(path)


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (["n_parts"], [[0, 1.0]], "a number must be whole and at least 1"),
        (["n_parts"], [[2, 1.5]], "n_parts must be probabilities"),
        (["log_evidence"], float("nan"), "log_evidence must be finite"),
        (["is_exact"], 1, "is_exact must be true or false"),
        (["shares"], lambda rows: rows[:-1], "cannot reshape"),
        (["shares", 0, 0], float("nan"), "shares are no such numbers"),
        (["deviations", 0, 0], -0.1, "deviations are no such numbers"),
        (["weights", 0], -1.0, "weights are no such numbers"),
        (["below", 0], None, "keys must be numbers"),
        (["below", 0], 1e9, "borders must lie between two values"),
        (["above", 3], float("nan"), "borders must lie between two values"),
        (["probabilities", 0], 2.0, "probabilities are no such numbers"),
        (["cut_borders"], [99], "there is no such border"),
        (["cut_borders"], [0.5], "borders must be whole numbers"),
        (["stretches"], [[0, 0, 0]], "cannot reshape"),
        (["blocks"], lambda keys: keys[::-1], "cuts between blocks do not increase"),
        (["blocks"], lambda keys: keys[:-1], "cannot reshape"),
    ],
)
def test_pieces_of_a_certainty_must_fit(path, value, reason):
    assert reason in refusal(changed(CERTAIN, ["certainty", *path], value))


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (["blocks"], [1, 2], "blocks hold no values"),
        (["blocks", 0], "1", "a number must be whole and at least 1"),
        (["above", 0], 77, "borders must name values"),
    ],
)
def test_pieces_of_a_certainty_of_groups_must_fit(path, value, reason):
    assert reason in refusal(changed(CERTAIN_GROUPS, ["certainty", *path], value))


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (["entries", "codes", 0, 0], 40, "a code is no value of its axis"),
        (["entries", "codes"], [], "rows do not fit the axes"),
        (["entries", "labels", 0], 2, "a label is no class"),
        (["entries", "n_classes"], 3, "a label is no class"),
        (["entries", "weights"], lambda given: [0.0] * len(given), "weights must be positive"),
        (["entries", "rows"], [1], "rows do not fit each other"),
        (["entries", "rows"], lambda given: [0] * len(given), "entries must have rows"),
        (["entries", "n_values", 0], 39, "values do not fit the axes"),
        (["entries", "n_aside"], [-1, 0], "a code is no value of its axis"),
        (["codes", 0], 10**6, "a code lies in no cell"),
        (["codes"], lambda given: [0] * len(given), "a cell stands twice"),
        (["rows", 0], -1, "rows must be at least 0"),
        (["level"], "high", "level must be a number"),
        (["gap"], [], "gap must be a number"),
        (["is_optimal"], 1, "is_optimal must be true or false"),
        (["n_columns"], 0, "n_columns must be a whole number"),
        (["column_gains"], [1.0], "column_gains must fit the axes"),
        (["method"], "none", "no grid has this method"),
        (["axes"], lambda axes: axes[:1], "the axes of a grid must be intervals or groups"),
        (["counts", 0, 0], -1.0, "counts must be finite and at least 0"),
        (["counts", 0, 0], float("nan"), "counts must be finite and at least 0"),
        (["granularity"], -5, "granularity must be a whole number"),
    ],
)
def test_grids_whose_pieces_do_not_fit_are_refused(path, value, reason):
    pt.from_dict(GRID)
    assert reason in refusal(changed(GRID, path, value))


def test_classes_and_segments_of_a_file_are_single_values():
    assert "a class must be one value" in refusal(changed(INTERVALS, ["classes", 0], []))
    by = changed(INTERVALS, ["constraints"], {"by": [["Nice"]]})
    assert "by must be names of segments" in refusal(by)


def test_limits_of_a_file_that_no_partition_satisfies():
    asked = changed(INTERVALS, ["constraints"], {"n_parts": 41})
    with pytest.raises(pt.NotPartitionableError, match=r"certainty: no partition of the counted "):
        pt.from_dict(asked).certainty()
