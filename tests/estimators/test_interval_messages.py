"""Input that cannot be used is refused: who, what must hold, what was got, what to do."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from sklearn.exceptions import NotFittedError

import partage as pt
from helpers import assert_refuses

X = pd.DataFrame({"age": [1.0, 2.0, 3.0, 4.0], "pay": [4.0, 3.0, 2.0, 1.0]})
Y = [0, 0, 1, 1]
COLUMN = [1.0, 2.0, 3.0, 4.0]


def fitted():
    return pt.Discretizer().fit(X, Y)


TEXT = "holds text; pass it to Grouper, or the whole table to TablePartitioner."
ALONE = "holds text; pass it to partage.group."
MIXED = (
    "must hold numbers; got values of the types float, str (an argument must be a string or a "
    "number). Convert them, or pass the column to Grouper."
)
SAME_ROWS = "must have the same number of rows; got inconsistent numbers of samples"
COLUMNS = [
    (["a", "b", "c", "d"], TypeError, f"column 'x' {ALONE}"),
    (pd.Series(list("abcd"), name="city"), TypeError, f"column 'city' {ALONE}"),
    (
        pd.Series(list("abcd"), name="city", dtype="category"),
        TypeError,
        f"column 'city' {ALONE}",
    ),
    (pl.Series("city", list("abcd")), TypeError, f"column 'city' {ALONE}"),
    ([1.0, "b", 2.0, "d"], TypeError, f"column 'x' {MIXED}"),
    (
        np.array([1j, 2, 3, 4]),
        ValueError,
        "Complex data not supported; column 'x' holds complex numbers. "
        "Pass their real and imaginary parts as two columns.",
    ),
    (np.zeros((4, 2)), ValueError, "x must have one dimension; got the shape (4, 2)."),
    (np.zeros((4, 1, 1)), ValueError, "x must have one dimension; got the shape (4, 1, 1)."),
    (
        sp.csr_array(np.eye(4)),
        TypeError,
        "x must be dense; sparse data is not supported. Pass x.toarray().",
    ),
    (
        [2**70, 1, 2, 3],
        ValueError,
        "column 'x' holds integers beyond 64 bits; convert it to floats or divide it first.",
    ),
    ([1.0, 2.0, 3.0], ValueError, f"x and y {SAME_ROWS}: [3, 4]."),
    ([], ValueError, f"x and y {SAME_ROWS}: [0, 4]."),
]


@pytest.mark.parametrize(("x", "error", "message"), COLUMNS)
def test_discretize_refuses_a_bad_column(x, error, message):
    assert_refuses(lambda: pt.discretize(x, Y), error, f"discretize: {message}")


TABLES = [
    (X.assign(city=list("abcd")), TypeError, f"column 'city' {TEXT}"),
    (pd.DataFrame({"city": list("abcd"), "sex": list("mfmf")}), TypeError, f"column 'city' {TEXT}"),
    (pl.DataFrame({"city": list("abcd")}), TypeError, f"column 'city' {TEXT}"),
    (X.astype(object).replace({"age": {2.0: "two"}}), TypeError, f"column 'age' {MIXED}"),
    (
        np.array([[1j], [2], [3], [4]]),
        ValueError,
        "Complex data not supported; column 'x0' holds complex numbers. "
        "Pass their real and imaginary parts as two columns.",
    ),
    (
        sp.csr_array(np.eye(4)),
        TypeError,
        "X must be dense; sparse data is not supported. Pass X.toarray() if it fits in memory.",
    ),
    (
        np.zeros((4, 2, 2)),
        ValueError,
        "Found array with dim 3; X must have two dimensions.",
    ),
    (
        {"age": [1.0, 2.0, 3.0, 4.0]},
        ValueError,
        "Found array with dim 0; X must be a data frame, or an array or a list of rows, got a "
        "dict. Pass pandas.DataFrame(X).",
    ),
    (
        [{"age": 1.0}, {"age": 2.0}, {"age": 3.0}, {"age": 4.0}],
        ValueError,
        "Found array with dim 1; X must be a data frame, or an array or a list of rows, got a "
        "list of dicts. Pass pandas.DataFrame(X).",
    ),
    (
        np.zeros(4),
        ValueError,
        "Expected 2D array, got 1D array instead. Reshape your data either using "
        "X.reshape(-1, 1) if it has one column or X.reshape(1, -1) if it has one row.",
    ),
    (
        np.zeros((4, 0)),
        ValueError,
        "X must have columns; got 0 feature(s) (shape=(4, 0)) while a minimum of 1 is required.",
    ),
    (
        np.zeros((0, 2)),
        ValueError,
        "X must have rows; got 0 sample(s) (shape=(0, 2)) while a minimum of 1 is required.",
    ),
    (
        X.iloc[:3],
        ValueError,
        f"X and y {SAME_ROWS}: [3, 4].",
    ),
    (
        pd.DataFrame(np.zeros((4, 2)), columns=["a", "a"]),
        ValueError,
        "column names must differ; 'a' stands more than once. Rename one of them.",
    ),
    (
        pa.table([pa.array([1, 2, 3, 4])] * 2, names=["a", "a"]),
        ValueError,
        "column names must differ; 'a' stands more than once. Rename one of them.",
    ),
]


@pytest.mark.parametrize(("table", "error", "message"), TABLES)
def test_discretizer_refuses_a_bad_table(table, error, message):
    assert_refuses(lambda: pt.Discretizer().fit(table, Y), error, f"Discretizer.fit: {message}")


def test_gap_is_refused_where_missing_is_an_error():
    assert_refuses(
        lambda: pt.discretize([1.0, math.nan, 2.0, 3.0], Y, missing="error"),
        ValueError,
        "discretize: column 'x' must hold no missing values with missing='error'; got 1. "
        "Fill them, or use missing='separate' or 'merge'.",
    )


def test_gap_at_transform_is_refused_where_missing_is_an_error():
    enc = pt.Discretizer(missing="error").fit(X, Y)
    assert_refuses(
        lambda: enc.transform(X.mask(X > 3)),
        ValueError,
        "Discretizer.transform: column 'age' must hold no missing values with missing='error'; "
        "got 1. Fill them, or use missing='separate' or 'merge'.",
    )


@pytest.mark.parametrize(
    "use",
    [
        lambda enc: enc.transform(X),
        lambda enc: enc.get_feature_names_out(),
        lambda enc: enc.summary(),
    ],
    ids=["transform", "get_feature_names_out", "summary"],
)
@pytest.mark.parametrize("estimator", [pt.Discretizer, pt.Grouper, pt.TablePartitioner])
def test_unfitted_use_is_refused(estimator, use):
    assert_refuses(
        lambda: use(estimator()),
        NotFittedError,
        f"This {estimator.__name__} instance is not fitted yet. Call 'fit' with appropriate "
        "arguments before using this estimator.",
    )


NAMES = "Discretizer.transform: The feature names should match those that were passed during fit.\n"
REMEDY = "\nSelect the fitted columns in their order: X[list(model.feature_names_in_)]."


def test_other_column_names_at_transform_are_refused():
    assert_refuses(
        lambda: fitted().transform(X.rename(columns={"pay": "wage"})),
        ValueError,
        f"{NAMES}Feature names unseen at fit time:\n- wage\n"
        f"Feature names seen at fit time, yet now missing:\n- pay{REMEDY}",
    )


def test_other_order_of_columns_at_transform_is_refused():
    assert_refuses(
        lambda: fitted().transform(X[["pay", "age"]]),
        ValueError,
        f"{NAMES}Feature names must be in the same order as they were in fit.{REMEDY}",
    )


def test_other_number_of_columns_at_transform_is_refused():
    assert_refuses(
        lambda: pt.Discretizer().fit(X.to_numpy(), Y).transform(np.zeros((2, 3))),
        ValueError,
        "X has 3 features, but Discretizer is expecting 2 features as input.",
    )


def test_text_at_transform_is_refused():
    assert_refuses(
        lambda: fitted().transform(X.assign(pay=list("abcd"))),
        TypeError,
        "Discretizer.transform: column 'pay' must hold numbers as in fit; got text. Convert it.",
    )


def test_target_and_name_of_target_together_are_refused():
    assert_refuses(
        lambda: pt.Discretizer().fit(X, Y, target="pay"),
        ValueError,
        "Discretizer.fit: either y or target must be given; got both.",
    )


def test_unknown_name_of_target_is_refused():
    assert_refuses(
        lambda: pt.Discretizer().fit(X, target="class"),
        ValueError,
        "Discretizer.fit: target must be a column of X; got 'class', X has 'age', 'pay'.",
    )


@pytest.mark.parametrize("data", [{}, {"partage": "1"}, [1], None])
def test_data_that_is_no_partition_is_refused(data):
    message = "from_dict: data must be a dict that to_dict made; got another."
    assert_refuses(lambda: pt.from_dict(data), pt.PartageError, message)


def test_data_of_a_newer_layout_is_refused():
    data = pt.discretize(COLUMN, Y).to_dict() | {"partage": 99}
    message = (
        "from_dict: layout 99 is newer than this version of partage reads (1); update partage."
    )
    assert_refuses(lambda: pt.from_dict(data), pt.PartageError, message)


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        ({"cuts": [1.5, 2.5]}, "ValueError('counts do not fit the cuts')"),
        ({"counts": [[1.0, 1.0]]}, "ValueError('there must be rows for each part')"),
    ],
)
def test_damaged_data_is_refused(damage, reason):
    data = pt.discretize(COLUMN, Y, n_parts=2).to_dict() | damage
    assert_refuses(
        lambda: pt.from_dict(data), pt.PartageError, f"from_dict: the data are damaged: {reason}."
    )


def test_assign_refuses_text():
    p = pt.discretize(COLUMN, Y)
    assert_refuses(
        lambda: p.assign(["a"]),
        TypeError,
        "Intervals.assign: column 'x' must hold numbers as in fit; got text. Convert it.",
    )


def test_assign_refuses_times_where_numbers_were_fitted():
    p = pt.discretize(COLUMN, Y)
    assert_refuses(
        lambda: p.assign(np.array(["2020-01-01"], dtype="M8[s]")),
        TypeError,
        "Intervals.assign: column 'x' must hold numbers as in fit; got dates or times.",
    )
