"""Numbers that are so many that they look like an amount are taken as classes with a warning."""

import warnings

import numpy as np
import pytest

import partage as pt

WARNING = (
    r"discretize: y holds 101 different numbers in 2020 rows, and each is taken as a class\. If y "
    r"is an amount, pass target_type='number'; if these are labels, convert them to text\."
)


def test_more_than_100_numbers_warn():
    with pytest.warns(UserWarning, match=WARNING):
        pt.discretize(range(2020), np.arange(2020) % 101)


def test_more_than_20_numbers_of_few_rows_warn():
    with pytest.warns(UserWarning, match="y holds 21 different numbers in 200 rows"):
        pt.TablePartitioner().fit(np.arange(200)[:, None], np.arange(200) % 21)


@pytest.mark.parametrize(
    "y", [np.arange(2000) % 100, np.arange(199) % 20, (np.arange(2020) % 101).astype(str)]
)
def test_fewer_numbers_and_labels_of_text_do_not_warn(y):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pt.discretize(range(len(y)), y)


@pytest.mark.parametrize(("n_classes", "warns"), [(21, False), (101, True)])
def test_engine_warns_by_its_rows(n_classes, warns):
    pl = pytest.importorskip("polars")
    table = pl.LazyFrame({"x": range(2020), "y": [i % n_classes for i in range(2020)]})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        pt.TablePartitioner().fit(table, target="y")
    found = [str(w.message) for w in caught if "different numbers" in str(w.message)]
    assert len(found) == warns


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (np.arange(60).astype("m8[s]"), "60 different times in 60 rows"),
        ([f"id{i}" for i in range(60)], "60 different values in 60 rows"),
    ],
)
def test_times_and_names_of_rows_warn(y, message):
    with pytest.warns(UserWarning, match=f"{message}, and each is taken as a class"):
        pt.discretize(range(60), y)
