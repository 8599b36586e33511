"""Groups that cannot be made are refused: who, what must hold, what was got, what to do."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

import partage as pt
from helpers import assert_refuses

X = pd.DataFrame({"city": ["a", "b", "c", "d"], "sex": ["f", "m", "m", "f"]})
Y = [0, 0, 1, 1]
COLUMN = ["a", "b", "c", "d"]
ESTIMATORS = [pt.Grouper, pt.TablePartitioner]


def hashless(kind, row):
    return (
        "must hold values with a hash (an argument must be a string or a number); "
        f"got a {kind} in row {row}. Convert it to text, or split it into columns."
    )


def objects(values):
    """Make an array of objects, whatever they are."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


COLUMNS = [
    (objects([["a"], ["b"], ["c"], ["d"]]), TypeError, f"column 'x' {hashless('list', 0)}"),
    (objects(["a", {"b": 1}, "c", "d"]), TypeError, f"column 'x' {hashless('dict', 1)}"),
    (["a", "b", "c", {"d"}], TypeError, f"column 'x' {hashless('set', 3)}"),
    ([["a"], ["b", "c"], ["d"], []], TypeError, f"column 'x' {hashless('list', 0)}"),
    (
        pd.Series([None, ["a"], ["b"], ["c"]], name="tags"),
        TypeError,
        f"column 'tags' {hashless('list', 1)}",
    ),
    (
        pl.Series("tags", [["a"], ["b"], ["c"], ["d"]]),
        TypeError,
        f"column 'tags' {hashless('list', 0)}",
    ),
    (pa.array([["a"], ["b"], ["c"], ["d"]]), TypeError, f"column 'x' {hashless('list', 0)}"),
    (
        np.array([1j, 2, 3, 4]),
        ValueError,
        "Complex data not supported; column 'x' holds complex numbers. "
        "Pass their real and imaginary parts as two columns.",
    ),
    (np.full((4, 2), "a"), ValueError, "x must have one dimension; got the shape (4, 2)."),
    (
        sp.csr_array(np.eye(4)),
        TypeError,
        "x must be dense; sparse data is not supported. Pass x.toarray().",
    ),
    (
        ["a", "b", "c"],
        ValueError,
        "x and y must have the same number of rows; got inconsistent numbers of samples: [3, 4].",
    ),
    (
        [],
        ValueError,
        "x and y must have the same number of rows; got inconsistent numbers of samples: [0, 4].",
    ),
]


@pytest.mark.parametrize(("x", "error", "message"), COLUMNS)
def test_group_refuses_a_bad_column(x, error, message):
    assert_refuses(lambda: pt.group(x, Y), error, f"group: {message}")


TABLES = [
    (X.assign(tags=[["a"]] * 4), TypeError, f"column 'tags' {hashless('list', 0)}"),
    (
        sp.csr_array(np.eye(4)),
        TypeError,
        "X must be dense; sparse data is not supported. Pass X.toarray() if it fits in memory.",
    ),
    (
        np.full((4, 2, 2), "a"),
        ValueError,
        "Found array with dim 3; X must have two dimensions.",
    ),
    (
        np.array(COLUMN),
        ValueError,
        "Expected 2D array, got 1D array instead. Reshape your data either using "
        "X.reshape(-1, 1) if it has one column or X.reshape(1, -1) if it has one row.",
    ),
    (
        X.iloc[:3],
        ValueError,
        "X and y must have the same number of rows; got inconsistent numbers of samples: [3, 4].",
    ),
    (
        pd.DataFrame([["a", "b"]] * 4, columns=["city", "city"]),
        ValueError,
        "column names must differ; 'city' stands more than once. Rename one of them.",
    ),
]


@pytest.mark.parametrize(("table", "error", "message"), TABLES)
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_estimator_refuses_a_bad_table(estimator, table, error, message):
    name = estimator.__name__
    assert_refuses(lambda: estimator().fit(table, Y), error, f"{name}.fit: {message}")


TARGETS = [
    ([0.5, float("nan"), 2.5, 3.0], "Input y contains NaN; drop these rows."),
    (
        ["a", None, "b", "b"],
        "Input y contains NaN; drop these rows or give them a class of their own.",
    ),
    (None, "y must be given; got None. It requires y to be passed, but the target y is None."),
]


@pytest.mark.parametrize(("y", "message"), TARGETS)
def test_group_refuses_a_bad_target(y, message):
    assert_refuses(lambda: pt.group(COLUMN, y), ValueError, f"group: {message}")


@pytest.mark.parametrize(("y", "message"), TARGETS)
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_estimator_refuses_a_bad_target(estimator, y, message):
    name = estimator.__name__
    assert_refuses(lambda: estimator().fit(X, y), ValueError, f"{name}.fit: {message}")


def test_negative_weight_is_refused():
    assert_refuses(
        lambda: pt.group(COLUMN, Y, sample_weight=[1, 1, -2, 1]),
        ValueError,
        "group: sample_weight must not be negative; got -2.0.",
    )


def test_more_groups_than_distinct_values_are_refused():
    assert_refuses(
        lambda: pt.group(["a", "a", "b", "b"], Y, n_parts=3),
        ValueError,
        "group, column 'x': n_parts must be at most the number of distinct values, 2; got 3. "
        "Use max_parts to allow fewer parts.",
    )


def test_groups_too_large_for_their_number_are_refused():
    assert_refuses(
        lambda: pt.group(COLUMN, Y, n_parts=2, min_part_size=3),
        ValueError,
        "group, column 'x': min_part_size leaves no way to make n_parts=2 parts of a weight "
        "of at least 3 out of 4; lower one of the two.",
    )


@pytest.mark.parametrize("limit", ["n_parts", "max_parts"])
def test_fewer_groups_than_values_are_refused_where_every_value_keeps_its_own(limit):
    assert_refuses(
        lambda: pt.group(COLUMN, Y, method="none", **{limit: 2}),
        ValueError,
        f"group, column 'x': method='none' makes one group for each of the 4 values; got {limit}=2."
        " Use another method.",
    )


GAP = "must hold no missing values with missing='error'; got 1. Fill them, or use "


def test_gap_is_refused_where_missing_is_an_error():
    assert_refuses(
        lambda: pt.group(["a", None, "b", "c"], Y, missing="error"),
        ValueError,
        f"group: column 'x' {GAP}missing='separate' or 'merge'.",
    )


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_gap_at_transform_is_refused_where_missing_is_an_error(estimator):
    enc = estimator(missing="error").fit(X, Y)
    assert_refuses(
        lambda: enc.transform(X.mask(X == "d")),
        ValueError,
        f"{estimator.__name__}.transform: column 'city' {GAP}missing='separate' or 'merge'.",
    )


def test_assign_refuses_lists():
    p = pt.group(COLUMN, Y)
    assert_refuses(
        lambda: p.assign(objects([["a"], ["b"]])),
        TypeError,
        f"Groups.assign: column 'x' {hashless('list', 0)}",
    )


def test_order_that_leaves_a_value_out_is_refused():
    assert_refuses(
        lambda: pt.group(COLUMN, Y, ordered=["a", "b", "c"]),
        ValueError,
        "group: the order of column 'x' must name every value; 'd' is not in it.",
    )


def test_order_that_names_a_value_twice_is_refused():
    assert_refuses(
        lambda: pt.group(COLUMN, Y, ordered=["a", "b", "a", "c", "d"]),
        ValueError,
        "group: the order of column 'x' must name every value once; 'a' stands more than once.",
    )


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_other_column_names_at_transform_are_refused(estimator):
    assert_refuses(
        lambda: estimator().fit(X, Y).transform(X.rename(columns={"sex": "gender"})),
        ValueError,
        f"{estimator.__name__}.transform: The feature names should match those that were passed "
        "during fit.\nFeature names unseen at fit time:\n- gender\n"
        "Feature names seen at fit time, yet now missing:\n- sex\n"
        "Select the fitted columns in their order: X[list(model.feature_names_in_)].",
    )


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_target_and_name_of_target_together_are_refused(estimator):
    assert_refuses(
        lambda: estimator().fit(X, Y, target="sex"),
        ValueError,
        f"{estimator.__name__}.fit: either y or target must be given; got both.",
    )


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_unknown_name_of_target_is_refused(estimator):
    assert_refuses(
        lambda: estimator().fit(X, target="class"),
        ValueError,
        f"{estimator.__name__}.fit: target must be a column of X; got 'class', X has 'city', "
        "'sex'.",
    )


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_target_among_the_columns_is_refused(estimator):
    assert_refuses(
        lambda: estimator().fit(X.assign(answer=Y), pd.Series(Y, name="answer")),
        ValueError,
        f"{estimator.__name__}.fit: the target must not be among the columns; X holds 'answer' "
        "too. Drop it, or pass target='answer' instead of y.",
    )


MIXED = X.assign(age=[1.0, 2.0, 3.0, 4.0])
TABLE_PARAMETERS = [
    (
        {"kinds": {"agee": "numeric"}},
        ".fit: kinds must name columns of X; got 'agee', X has 'city', 'sex', 'age'.",
    ),
    (
        {"ordered": {"sise": ["f", "m"]}},
        ".fit: ordered must name columns of X; got 'sise', X has 'city', 'sex', 'age'.",
    ),
    (
        {"ordered": {"sex": ["f"]}},
        ".fit: the order of column 'sex' must name every value; 'm' is not in it.",
    ),
    (
        {"kinds": {"age": "number"}},
        ": kinds['age'] must be 'numeric', 'categorical', 'ordered' or 'datetime'; got 'number'.",
    ),
    ({"kinds": ["age"]}, ": kinds must be a dict or None; got ['age']."),
    ({"ordered": "sex"}, ": ordered must be a dict or None; got 'sex'."),
    (
        {"drop_uninformative": "yes"},
        ": drop_uninformative must be True or False; got 'yes'.",
    ),
    ({"max_parts": 0}, ": max_parts must be an integer of at least 1 or None; got 0."),
]


@pytest.mark.parametrize(("params", "message"), TABLE_PARAMETERS)
def test_table_partitioner_refuses_a_bad_parameter(params, message):
    assert_refuses(
        lambda: pt.TablePartitioner(**params).fit(MIXED, Y),
        ValueError,
        f"TablePartitioner{message}",
    )


def test_text_that_is_asked_to_be_numeric_is_refused():
    assert_refuses(
        lambda: pt.TablePartitioner(kinds={"city": "numeric"}).fit(X, Y),
        TypeError,
        "TablePartitioner.fit: column 'city' holds text; convert it to numbers.",
    )


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        ({"groups": [["a"]]}, "ValueError('counts do not fit the groups')"),
        ({"groups": [["a", "b"], ["b", "c"]]}, "ValueError('a value stands in two groups')"),
        ({"garbage": 7}, "ValueError('garbage must be a part')"),
    ],
)
def test_damaged_data_is_refused(damage, reason):
    data = pt.group(COLUMN, Y, n_parts=2).to_dict() | damage
    assert_refuses(
        lambda: pt.from_dict(data), pt.PartageError, f"from_dict: the data are damaged: {reason}."
    )
