"""Times in a table are read as ``discretize`` reads them, whatever holds them."""

import datetime
import decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import partage as pt
from helpers import assert_refuses

DAYS = pd.date_range("2024-01-01", periods=60, freq="D", unit="us")
Y = np.repeat([0, 1], 30)
# Names with "_" and "+", which not every library takes for names of zones.
ZONES = ["America/New_York", "Etc/GMT+3", "Europe/Paris"]
OBJECTS = {
    "dates": [day.date() for day in DAYS],
    "datetimes": [day.to_pydatetime() for day in DAYS],
    "instants": [day.to_pydatetime().replace(tzinfo=datetime.UTC) for day in DAYS],
    "timestamps": list(DAYS),
    "periods": list(DAYS.to_period("D")),
    "with gaps": [None, *(day.date() for day in DAYS[1:])],
}


def partition(X, **settings):
    (found,) = pt.TablePartitioner(**settings).fit(X, Y).partitions_.values()
    return found


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("dtype", ["pandas", "arrow"])
def test_zones_of_any_name_are_times(zone, dtype):
    x = pd.Series(DAYS.tz_localize(zone))
    if dtype == "arrow":
        x = x.convert_dtypes(dtype_backend="pyarrow")
    p = partition(pd.DataFrame({"d": x}))
    assert p.kind.name == "datetime"
    assert p.kind.zone == zone
    assert p.cuts.tolist() == [pd.Timestamp("2024-01-30T12:00", tz=zone)]
    assert p.cuts.tolist() == pt.discretize(x, Y).cuts.tolist()
    assert p.assign(x).tolist() == Y.tolist()
    bayes = pt.NaiveBayesClassifier().fit(pd.DataFrame({"d": x}), Y)
    assert bayes.predict(pd.DataFrame({"d": x})).tolist() == Y.tolist()


def test_missing_instants_of_any_zone_stay_missing():
    x = pd.Series(DAYS.tz_localize("America/New_York"))
    x[3] = pd.NaT
    p = partition(pd.DataFrame({"d": x}))
    assert p.missing_rows == 1
    assert p.assign(x)[3] == p.missing_code


@pytest.mark.parametrize("form", OBJECTS)
@pytest.mark.parametrize("holder", ["frame", "array"])
def test_objects_that_are_times_become_intervals(form, holder):
    column = np.empty(60, dtype=object)
    column[:] = OBJECTS[form]
    X = column[:, None] if holder == "array" else pd.DataFrame({"d": pd.Series(column)})
    p = partition(X)
    alone = pt.discretize(column, Y)
    # A frame counts in the unit that its version of pandas takes.
    assert (p.kind.name, p.kind.zone) == ("datetime", alone.kind.zone)
    assert list(map(pd.Timestamp, p.cuts)) == list(map(pd.Timestamp, alone.cuts))
    assert p.n_parts == 2
    assert p.assign(column)[1:].tolist() == Y[1:].tolist()


def test_periods_of_pandas_are_the_times_at_which_they_start():
    x = pd.Series(DAYS.to_period("D"))
    p = partition(pd.DataFrame({"d": x}))
    assert p.cuts == partition(pd.DataFrame({"d": DAYS})).cuts
    assert p.assign(x).tolist() == Y.tolist()
    assert partition(pd.DataFrame({"d": x}), kinds={"d": "categorical"}).n_values == 60


@pytest.mark.parametrize(
    "make", [lambda i: i, lambda i: decimal.Decimal(i) / 4, lambda i: i / 4 if i % 2 else i]
)
def test_objects_that_are_numbers_become_intervals(make):
    x = pd.Series([make(i) for i in range(60)], dtype=object)
    p = partition(pd.DataFrame({"n": x}))
    assert p.cuts.tolist() == pt.discretize(x, Y).cuts.tolist()


@pytest.mark.parametrize(
    "values",
    [
        [True, False],
        [1, "1"],
        [1, datetime.date(2024, 1, 1)],
        [decimal.Decimal(1), 0.5],
        [datetime.time(1), datetime.time(2)],
        [None, None],
    ],
)
def test_other_objects_stay_categories(values):
    p = partition(pd.DataFrame({"x": pd.Series(values * 30, dtype=object)}))
    assert hasattr(p, "groups")


@pytest.mark.parametrize("holder", [pd.DataFrame, pl.DataFrame, "array"])
@pytest.mark.parametrize("suffix", ["", " 13:30", "T13:30:00.5+02:00", "T13:30Z"])
def test_text_is_read_as_times_where_kinds_says_so(holder, suffix):
    text = [None, *(f"{day.date()}{suffix}" for day in DAYS[1:])]
    times = [None if t is None else datetime.datetime.fromisoformat(t) for t in text]
    if holder == "array":
        X = np.empty((60, 1), dtype=object)
        X[:, 0] = text
        model = pt.TablePartitioner(kinds={"x0": "datetime"})
    else:
        X = holder({"d": text})
        model = pt.TablePartitioner(kinds={"d": "datetime"})
    codes = model.fit_transform(X, Y)
    (p,) = model.partitions_.values()
    assert p.cuts.tolist() == pt.discretize(times, Y).cuts.tolist()
    assert codes[:, 0].tolist() == [p.missing_code, *Y[1:].tolist()]
    assert p.assign(times).tolist() == codes[:, 0].tolist()


def test_binarizer_reads_times_from_text_too():
    X = pd.DataFrame({"d": [str(day.date()) for day in DAYS]})
    found = pt.DataBinarizer(kinds={"d": "datetime"}).fit_transform(X, Y)
    assert found.shape == (60, 1)
    assert len(np.unique(np.asarray(found)[:30])) == 1


@pytest.mark.parametrize(
    ("values", "got"),
    [
        (
            ["31/01/2024"],
            "; got the text '31/01/2024', which is none as ISO 8601 writes it, such as 2024-01-31. "
            "Convert the column, as pandas.to_datetime does.",
        ),
        ([7], ", as kinds says; got numbers. Convert it, as pandas.to_datetime does."),
    ],
)
def test_what_is_no_time_is_refused(values, got):
    assert_refuses(
        lambda: partition(pd.DataFrame({"d": values * 60}), kinds={"d": "datetime"}),
        TypeError,
        f"TablePartitioner.fit: column 'd' must hold dates or times{got}",
    )


def test_engines_take_columns_of_times_only():
    lazy = pl.DataFrame({"d": DAYS.astype(str).to_list(), "y": Y}).lazy()
    model = pt.TablePartitioner(kinds={"d": "datetime"})
    assert_refuses(
        lambda: model.fit(lazy, target="y"),
        TypeError,
        "TablePartitioner.fit: column 'd' must hold dates or times, as kinds says; got String. "
        "Cast it in polars.",
    )
    model.fit(lazy.with_columns(pl.col("d").str.to_date()), target="y")
    assert model.partitions_["d"].n_parts == 2


@pytest.mark.parametrize("holder", ["frame", "array", "objects"])
@pytest.mark.parametrize("name", ["TablePartitioner", "NaiveBayesClassifier"])
def test_complex_numbers_are_refused(holder, name):
    x = np.arange(60) * 1j
    X = {
        "frame": pd.DataFrame({"x0": x}),
        "array": x[:, None],
        "objects": x.astype(object)[:, None],
    }[holder]
    assert_refuses(
        lambda: getattr(pt, name)().fit(X, Y),
        ValueError,
        f"{name}.fit: Complex data not supported; column 'x0' holds complex numbers. Pass their "
        "real and imaginary parts as two columns.",
    )


def test_edits_take_the_text_of_times():
    p = pt.discretize(DAYS, Y, name="d")
    assert p.split(0, at="2024-01-10").cuts[0] == np.datetime64("2024-01-10")
    assert p.set_cuts(["2024-01-05T12:00"]).cuts[0] == np.datetime64("2024-01-05T12:00")
    asked = pt.discretize(DAYS, Y, name="d", user_cuts=["2024-01-10"])
    assert asked.cuts[0] == np.datetime64("2024-01-10")
    assert_refuses(
        lambda: p.split(0, at="10/01/2024"),
        TypeError,
        "Intervals.split: at of column 'd' must hold dates or times, as the column does; got "
        "['10/01/2024'].",
    )
    assert_refuses(
        lambda: pt.discretize(range(60), Y, name="n").split(0, at="2024-01-10"),
        TypeError,
        "Intervals.split: at of column 'n' must hold numbers, as the column does; got "
        "['2024-01-10'].",
    )


DURATIONS = {
    "of Python": [datetime.timedelta(days=d) for d in range(60)],
    "of pandas": [pd.Timedelta(days=d) for d in range(60)],
    "of NumPy": [np.timedelta64(d, "D") for d in range(60)],
    "with gaps": [None, *(datetime.timedelta(days=d) for d in range(1, 60))],
}


@pytest.mark.parametrize("form", DURATIONS)
def test_objects_that_are_durations_become_intervals(form):
    column = np.empty(60, dtype=object)
    column[:] = DURATIONS[form]
    p = partition(pd.DataFrame({"d": column}))
    assert p.kind.name == "duration"
    assert p.cuts.astype("m8[us]").tolist() == [datetime.timedelta(days=29, hours=12)]
    assert p.labels() == ["(-inf, 29 days 12:00:00]", "(29 days 12:00:00, inf)"]
    assert p.missing_rows == (form == "with gaps")
    assert p.cuts.tolist() == pt.discretize(pd.Series(column), Y).cuts.tolist()


@pytest.mark.parametrize("make", [pd.Timedelta, pd.Timestamp])
def test_nanoseconds_of_objects_are_kept(make):
    x = pd.Series([make(n) for n in range(60)], dtype=object)
    assert pt.discretize(x, Y).cuts.view(np.int64).tolist() == [29]


def test_objects_of_several_units_are_read_together():
    hours = np.empty(60, dtype=object)
    hours[:] = [np.timedelta64(h, "h") if h % 2 else datetime.timedelta(hours=h) for h in range(60)]
    for x in (hours, hours.tolist(), pd.Series(hours)):
        cuts = pt.discretize(x, Y).cuts.astype("m8[us]")
        assert cuts.tolist() == [datetime.timedelta(hours=29, minutes=30)]


@pytest.mark.parametrize(
    ("far", "unit"),
    [
        (datetime.timedelta(days=999_999_999), "ms"),
        (datetime.timedelta(days=999_999_999, milliseconds=5), "ms"),
        (datetime.timedelta(days=10**8), "us"),
        (-datetime.timedelta(days=999_999_999), "ms"),
    ],
)
def test_far_durations_do_not_wrap(far, unit):
    near = datetime.timedelta(days=2)
    p = pt.discretize([far] * 30 + [near] * 30, Y)
    assert p.kind.unit == unit
    low, high = sorted([far, near])
    assert low // datetime.timedelta(days=1) < p.cuts[0].astype("m8[D]").astype(int)
    assert p.cuts[0].astype("m8[D]").astype(int) < high // datetime.timedelta(days=1)


def test_durations_that_no_unit_holds_are_refused():
    x = [datetime.timedelta.max] * 30 + [datetime.timedelta(days=2)] * 30
    assert_refuses(
        lambda: pt.discretize(x, Y, name="never"),
        ValueError,
        "discretize: column 'never' must hold durations that 64 bits can count in one unit; got "
        "999999999 days, 23:59:59.999999. Replace it by None where it stands for no value, or "
        "round all to seconds.",
    )


FAR_TIMES = {
    "datetime": [datetime.datetime.max, datetime.datetime.min],
    "with a zone": [
        datetime.datetime.max.replace(tzinfo=datetime.timezone(-datetime.timedelta(hours=9))),
        datetime.datetime.min.replace(tzinfo=datetime.timezone(datetime.timedelta(hours=9))),
    ],
    "pandas": [pd.Timestamp("9999-12-31"), pd.Timestamp("0001-01-01")],
    "NumPy": [np.datetime64("200000-01-01"), np.datetime64("-200000-01-01")],
}


@pytest.mark.parametrize("form", FAR_TIMES)
def test_far_times_lie_beyond_every_cut(form):
    late, early = FAR_TIMES[form]
    zone = getattr(late, "tzinfo", None)
    near = pd.Series(pd.date_range("2024-01-01", periods=60, tz=zone and "UTC", unit="ns"))
    p = pt.discretize(near, Y)
    assert p.kind.unit == "ns"
    far = np.empty(2, dtype=object)
    far[:] = [late, early]
    assert p.assign(far).tolist() == [1, 0]
    x = np.empty(60, dtype=object)
    x[:] = [early] * 30 + [late] * 30
    assert pt.discretize(x, Y).assign(x).tolist() == Y.tolist()


@pytest.mark.parametrize("unit", ["D", "h", "m"])
def test_durations_too_long_for_pandas_are_shown(unit):
    long = (np.arange(60) * 10**17).astype(f"m8[{unit}]")
    found = pt.discretize(long, Y)
    assert found.labels()[0] == f"(-inf, {found.cuts[0]}]"
    assert found.table()["part"][0] == found.labels()[0]


@pytest.mark.parametrize("dtype", [pa.date32(), pa.date64(), pa.timestamp("s")])
def test_dates_of_arrow_in_pandas_are_read_as_those_of_numpy(dtype):
    days = pd.Series(pa.array(DAYS.date).cast(dtype).to_pandas(types_mapper=pd.ArrowDtype))
    found = pt.discretize(days, Y)
    assert found.cuts.tolist() == pt.discretize(DAYS, Y).cuts.tolist()
    assert found.assign(days).tolist() == Y.tolist()


def test_times_of_a_day_of_arrow_in_pandas_are_values_without_order():
    times = pa.array([datetime.time(i % 24) for i in range(60)])
    found = pt.group(pd.Series(times.to_pandas(types_mapper=pd.ArrowDtype)), Y)
    assert found.n_values == 24
