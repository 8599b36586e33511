"""A column of missing values alone is one of whatever kind was fitted, and tells nothing new."""

import datetime
import pickle
import runpy

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import partage as pt

N = 200
Y = np.repeat([0, 1], N // 2)
NUMBERS = np.arange(N) + np.where(np.arange(N) % 7 == 0, 50, 0)
FITTED = {
    "numbers": NUMBERS * 1.0,
    "large integers": NUMBERS + 2**60,
    "times": pd.Timestamp("2024-01-01") + pd.to_timedelta(NUMBERS, unit="h"),
    "instants": pd.Timestamp("2024-01-01", tz="Asia/Tokyo") + pd.to_timedelta(NUMBERS, unit="h"),
    "durations": pd.to_timedelta(NUMBERS, unit="h"),
    "text": np.where(NUMBERS < 90, "low", "high").astype(object),
    "booleans": NUMBERS < 90,
}
GAPS = {
    "None": [None],
    "NA": [pd.NA],
    "NaN": [np.nan],
    "NaT": [pd.NaT],
    "times": np.array(["NaT"], dtype="M8[us]"),
    "durations": np.array(["NaT"], dtype="m8[s]"),
    "NaT of NumPy among objects": np.array([np.datetime64("NaT")], dtype=object),
    "Int64": pd.array([None], dtype="Int64"),
    "string": pd.array([None], dtype="string"),
    "boolean": pd.array([None], dtype="boolean"),
    "category": pd.Categorical([None]),
    "masked": np.ma.array([5.0], mask=[True]),
}
PRIOR = np.array([[0.95, 0.05]])
MODELS = [
    pt.TablePartitioner,
    pt.NaiveBayesClassifier,
    pt.SelectiveNaiveBayesClassifier,
    pt.Scorecard,
    pt.DataBinarizer,
    pt.LADClassifier,
]


def tell(model, X):
    return np.asarray((model.predict if hasattr(model, "predict") else model.transform)(X)).tolist()


@pytest.mark.parametrize("fitted", FITTED)
@pytest.mark.parametrize("gaps", GAPS)
def test_gaps_of_any_type_are_gaps_of_the_fitted_kind(fitted, gaps):
    p = pt.TablePartitioner().fit(pd.DataFrame({"a": FITTED[fitted]}), Y).partitions_["a"]
    assert p.assign(GAPS[gaps]).tolist() == [p.missing_code]


@pytest.mark.parametrize("make", MODELS)
@pytest.mark.parametrize("fitted", FITTED)
def test_one_row_whose_value_is_missing(make, fitted):
    X = pd.DataFrame({"a": FITTED[fitted], "s": FITTED["text"]})
    model = make().fit(X, Y)
    beside = X.head(2).astype({"a": object})  # a gap beside a value has the type of the column
    beside.loc[0, "a"] = None
    wanted = tell(model, beside)[:1]
    for gap in (None, pd.NA, np.nan, pd.NaT):
        row = pd.DataFrame([{"a": gap, "s": X["s"][0]}])
        assert tell(model, row) == wanted
    assert tell(model, pl.DataFrame({"a": [None], "s": [X["s"][0]]})) == wanted
    assert tell(model, pa.table({"a": pa.nulls(1), "s": [X["s"][0]]})) == wanted


@pytest.mark.parametrize("row", [{"a": None, "s": "low"}, [None, "low"], {"a": pd.NA, "s": "low"}])
def test_explain_takes_a_missing_value(row):
    X = pd.DataFrame({"a": FITTED["durations"], "s": FITTED["text"]})
    X.loc[:5, "a"] = None
    told = pt.NaiveBayesClassifier().fit(X, Y).explain(row)
    assert told.set_index("column").loc["a", "part"] == "missing"


def test_discretizer_takes_gaps_of_any_type():
    model = pt.Discretizer().fit(pd.DataFrame({"a": FITTED["times"]}), Y)
    missing = model.partitions_["a"].missing_code
    assert model.transform(pd.DataFrame({"a": [np.nan]})).tolist() == [[missing]]


@pytest.mark.parametrize("gap", [None, pd.NA, np.nan, pd.NaT])
def test_declared_times_may_all_be_missing(gap):
    X = pd.DataFrame({"a": [gap] * N})
    p = pt.TablePartitioner(kinds={"a": "datetime"}).fit(X, Y).partitions_["a"]
    assert p.kind.name == "datetime"
    assert p.assign([datetime.datetime(2024, 1, 1), None]).tolist() == [0, 1]


def test_values_of_another_kind_are_still_refused():
    p = pt.TablePartitioner().fit(pd.DataFrame({"a": FITTED["times"]}), Y).partitions_["a"]
    with pytest.raises(TypeError, match="column 'a' must hold dates or times as in fit; got numb"):
        p.assign([1.0, np.nan])


NEVER = {
    "times": pd.DataFrame({"a": pd.to_datetime([None] * N)}),
    "durations": pd.DataFrame({"a": pd.to_timedelta([None] * N)}),
    "polars times": pl.DataFrame({"a": pl.Series([None] * N, dtype=pl.Datetime("us"))}),
    "polars days": pl.DataFrame({"a": pl.Series([None] * N, dtype=pl.Date)}),
    "polars lengths": pl.DataFrame({"a": pl.Series([None] * N, dtype=pl.Duration("us"))}),
    "arrow times": pa.table({"a": pa.nulls(N, pa.timestamp("ms"))}),
    "numbers": pd.DataFrame({"a": [np.nan] * N}),
    "objects": pd.DataFrame({"a": [None] * N}),
}


@pytest.mark.parametrize("form", NEVER)
def test_columns_of_which_training_held_no_value(form, tmp_path):
    X = NEVER[form]
    model = pt.TablePartitioner().fit(X, Y)
    p = model.partitions_["a"]
    assert model.transform(X).tolist() == [[1]] * N
    model.save(tmp_path / "model.json")
    again = pt.load(tmp_path / "model.json")
    assert again.partitions_["a"] == p
    assert pickle.loads(pickle.dumps(model)).partitions_["a"] == p
    assert again.transform(X).tolist() == [[1]] * N
    assert pt.NaiveBayesClassifier().fit(X, Y).predict(X).tolist() == [0] * N


@pytest.mark.parametrize("form", ["times", "polars days", "numbers"])
def test_their_rules_are_written_too(form, tmp_path):
    duckdb = pytest.importorskip("duckdb")
    model = pt.TablePartitioner().fit(NEVER[form], Y)
    source = tmp_path / "rules.py"
    source.write_text(model.to_python())
    assert runpy.run_path(str(source))["transform"]({"a": None}) == {"a": 1}
    t = NEVER[form]  # noqa: F841  # DuckDB reads it by its name
    assert set(duckdb.sql(model.to_sql()).fetchall()) == {(1,)}


def test_lazy_frames_of_gaps_alone():
    lazy = NEVER["polars times"].with_columns(y=pl.Series(Y)).lazy()
    model = pt.TablePartitioner().fit(lazy, target="y")
    assert model.partitions_["a"].kind.name == "datetime"
    assert model.transform(lazy.drop("y")).collect()["a"].to_list() == [1] * N


@pytest.mark.parametrize("gaps", [[np.nan] * N, [None] * N, pd.to_datetime([None] * N)])
@pytest.mark.parametrize("make", [pt.NaiveBayesClassifier, pt.SelectiveNaiveBayesClassifier])
def test_a_value_where_training_held_none_tells_nothing(gaps, make):
    y = (np.arange(N) < 10).astype(int)
    model = make().fit(pd.DataFrame({"a": gaps}), y)
    value = [pd.Timestamp("2024-01-01")] if isinstance(gaps, pd.DatetimeIndex) else [1.0]
    for new in (value, [None]):
        assert model.predict_proba(pd.DataFrame({"a": new})) == pytest.approx(PRIOR)


@pytest.mark.parametrize("gap", [None, pd.NA, np.nan, pd.NaT])
@pytest.mark.parametrize("fitted", FITTED)
def test_a_piece_may_hold_gaps_alone(fitted, gap):
    piece = pd.DataFrame({"a": FITTED[fitted]})
    gaps = pd.DataFrame({"a": [gap] * N})
    first = pt.TablePartitioner().partial_fit(piece, Y).partial_fit(gaps, Y).partitions_["a"]
    last = pt.TablePartitioner().partial_fit(gaps, Y).partial_fit(piece, Y).partitions_["a"]
    alone = pt.TablePartitioner().fit(piece, Y).partitions_["a"]
    assert first.labels() == last.labels() == alone.labels()
    assert first.missing_rows == last.missing_rows == N
    assert (first.level, first.counts.tolist()) == (last.level, alone.counts.tolist())
