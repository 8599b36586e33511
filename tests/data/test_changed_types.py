"""Groups told of values of another type than those that were fitted."""

import datetime
import decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import partage as pt
from helpers import assert_refuses

Y = [0, 1] * 30
DAY = datetime.datetime(2024, 1, 1)
VALUES = {
    "booleans": [False, True],
    "numbers": [0, 1],
    "text": ["0", "1"],
    "bytes": [b"0", b"1"],
    "dates": [DAY.date(), DAY.date() + datetime.timedelta(1)],
    "dates with times": [DAY, DAY + datetime.timedelta(1)],
    "durations": [datetime.timedelta(0), datetime.timedelta(1)],
}


def fit(values, **settings):
    return pt.group(list(values) * 30, Y, name="x", **settings)


@pytest.mark.parametrize("given", VALUES)
@pytest.mark.parametrize("fitted", VALUES)
def test_values_that_are_all_of_another_type_are_refused(fitted, given):
    p = fit(VALUES[fitted])
    new = [*VALUES[given], None]
    if fitted == given:
        assert p.assign(new).tolist() == [0, 1, 2]
        return
    assert_refuses(
        lambda: p.assign(new),
        ValueError,
        f"Groups.assign: column 'x' must hold {fitted} as in fit; got {given}, which would all be "
        f"unseen values. Cast the column to {fitted}, or fit again.",
    )


SAME = {
    "floats": [0.0, 1.0],
    "NumPy floats": np.array([0, 1], dtype=np.float32),
    "NumPy objects": np.array([np.int8(0), np.float64(1)], dtype=object),
    "decimals": [decimal.Decimal(0), decimal.Decimal(1)],
    "pandas": pd.Series([0, 1], dtype="Int64"),
    "pandas categories": pd.Series([0, 1]).astype("category"),
    "polars": pl.Series([0.0, 1.0]),
    "arrow": pa.array([0, 1], pa.uint8()),
    "arrow dictionary": pa.array([0, 1]).dictionary_encode(),
}


@pytest.mark.parametrize("form", SAME)
def test_equal_numbers_of_other_types_are_known(form):
    assert fit([0, 1]).assign(SAME[form]).tolist() == [0, 1]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_times_are_known_whatever_their_unit(unit):
    times = np.array(VALUES["dates with times"], dtype="M8[us]")
    p = fit(times.astype("M8[ns]"))
    assert p.assign(times.astype(f"M8[{unit}]")).tolist() == [0, 1]
    assert p.assign(pd.Series(times.astype(f"M8[{unit}]"))).tolist() == [0, 1]
    assert p.assign(VALUES["dates with times"]).tolist() == [0, 1]
    assert p.assign(np.array(["2024-01-01T00:00:00.000000001"], dtype="M8[ns]")).tolist() == [3]


def test_some_values_of_another_type_are_unseen():
    assert fit(["0", "1"]).assign([0, "1", True]).tolist() == [3, 1, 3]
    assert fit(["0", "1"]).assign(["2", 0]).tolist() == [3, 3]


def test_columns_without_values_have_no_type():
    p = fit(["0", "1"])
    assert p.assign(np.array([np.nan, np.nan])).tolist() == [2, 2]
    assert p.assign([]).tolist() == []
    assert fit([None, None]).assign([1, 2]).tolist() == [2, 2]


def test_a_special_value_may_be_of_another_type():
    p = fit(["0", "1"], special_values=[-9])
    assert p.assign([-9, 5]).tolist() == [4, 3]
    with pytest.raises(ValueError, match="must hold text as in fit; got numbers"):
        p.assign([5])


ESTIMATORS = {
    "Grouper": pt.Grouper,
    "TablePartitioner": pt.TablePartitioner,
    "NaiveBayesClassifier": pt.NaiveBayesClassifier,
    "DataBinarizer": pt.DataBinarizer,
    "Scorecard": pt.Scorecard,
}


@pytest.mark.parametrize("name", ESTIMATORS)
def test_estimators_name_the_column(name):
    rng = np.random.default_rng(0)
    y = rng.random(300) < 0.5
    flag = np.where(rng.random(300) < 0.8, y, ~y)
    X = pd.DataFrame({"flag": flag, "city": np.where(flag, "a", "b")})
    model = ESTIMATORS[name]().fit(X, y)
    use = model.predict if hasattr(model, "predict") else model.transform
    use(X)
    with pytest.raises(ValueError, match="column 'flag' must hold booleans as in fit; got numbers"):
        use(X.assign(flag=X["flag"].astype(int)))


def test_new_data_are_checked_too():
    p = fit(["0", "1"])
    for use in (p.psi, lambda x: p.recount(x, [0, 1]), lambda x: p.table(x, [0, 1])):
        with pytest.raises(ValueError, match="column 'x' must hold text as in fit; got numbers"):
            use([0, 1])
    enc = pt.Grouper().fit(pd.DataFrame({"x": ["0", "1"] * 30}), Y)
    with pytest.raises(ValueError, match="column 'x' must hold text as in fit; got numbers"):
        enc.monitor(pd.DataFrame({"x": [0, 1]}), by=["a", "b"])
