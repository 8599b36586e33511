"""The table that was fitted with ``target=`` may be transformed and predicted as it is."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import partage as pt
from helpers import assert_refuses

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame({"a": RNG.normal(size=200), "b": RNG.normal(size=200)})
FRAME.insert(1, "y", (FRAME["a"] + RNG.normal(size=200) > 0).astype(int))
MODELS = [
    pt.Discretizer, pt.TablePartitioner, pt.NaiveBayesClassifier, pt.SelectiveNaiveBayesClassifier,
    pt.Scorecard, pt.DataBinarizer, pt.LADClassifier, pt.GraphPartitioner,
    pt.GraphPartitionClassifier, pt.GraphPartitionRegressor,
]  # fmt: skip


def tell(model, X):
    return np.asarray((model.predict if hasattr(model, "predict") else model.transform)(X)).tolist()


@pytest.mark.parametrize("make", MODELS)
@pytest.mark.parametrize("library", [pd.DataFrame, pl.from_pandas, pa.Table.from_pandas])
def test_the_target_may_stand_beside_the_columns(make, library):
    whole, columns = library(FRAME), library(FRAME[["a", "b"]])
    model = make().fit(whole, target="y")
    assert tell(model, whole) == tell(model, columns)


@pytest.mark.parametrize("make", MODELS)
def test_so_it_may_where_the_target_was_a_series(make):
    columns = FRAME[["a", "b"]]
    model = make().fit(columns, FRAME["y"])
    assert tell(model, FRAME) == tell(model, columns)


@pytest.mark.parametrize("make", [m for m in MODELS if hasattr(m, "save")])
def test_a_saved_model_knows_its_target(make, tmp_path):
    model = make().fit(FRAME, target="y")
    model.save(tmp_path / "model.json")
    again = pt.load(tmp_path / "model.json")
    assert tell(again, FRAME) == tell(model, FRAME[["a", "b"]])


@pytest.mark.parametrize("make", MODELS)
def test_any_other_column_is_refused_with_the_remedy(make):
    model = make().fit(FRAME, target="y")
    with pytest.raises(ValueError, match=r"- c\nSelect the fitted columns in their order: X\[list"):
        tell(model, FRAME.assign(c=1.0))


def test_a_target_that_is_a_column_too_stays_one():
    columns = FRAME[["a", "b"]]
    model = pt.TablePartitioner().fit(columns, (columns["a"] > 0).rename("a"))
    assert model.transform(columns).shape == (200, 2)


def test_columns_of_one_name_are_refused_as_in_fit():
    model = pt.TablePartitioner().fit(FRAME, target="y")
    twice = pd.concat([FRAME, FRAME], axis=1)
    with pytest.raises(ValueError, match=r"TablePartitioner\.transform: .*'a'"):
        model.transform(twice)


@pytest.mark.parametrize("make", MODELS)
@pytest.mark.parametrize("by_name", [False, True])
def test_columns_of_one_name_cannot_be_fitted(make, by_name):
    twice = pd.concat([FRAME, FRAME[["a"]]], axis=1)
    given = {"target": "y"} if by_name else {"y": FRAME["y"]}
    assert_refuses(
        lambda: make().fit(twice, **given),
        ValueError,
        f"{make.__name__}.fit: column names must differ; 'a' stands more than once. "
        "Rename one of them.",
    )


@pytest.mark.parametrize("dtype", ["Int64", "string", "boolean"])
def test_a_target_may_have_the_name_of_a_column_with_gaps(dtype):
    values = {"Int64": [None, 5, 200, 7], "string": [None, "b", "c", "d"], "boolean": [None, True]}
    column = pd.array((values[dtype] * 100)[:200], dtype=dtype)
    X = pd.DataFrame({"amount": column, "s": list("abcd") * 50})
    y = (X["amount"] == column[2]).fillna(False).rename("amount")
    model = pt.NaiveBayesClassifier().fit(X, y)
    assert list(model.partitions_) == ["amount", "s"]


@pytest.mark.parametrize("name", ["^a$", "^.*$"])
def test_the_name_of_a_target_is_no_pattern(name):
    whole = pl.from_pandas(FRAME.rename(columns={"y": name}))
    model = pt.TablePartitioner().fit(whole, target=name)
    assert list(model.partitions_) == ["a", "b"]
    assert tell(model, whole) == tell(model, pl.from_pandas(FRAME[["a", "b"]]))
