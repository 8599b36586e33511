"""Times with a zone are instants, shown in the zone of the column that was fitted."""

import datetime
import json
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import partage as pt
from helpers import assert_refuses

PARIS = "Europe/Paris"
# Every half hour around the hour that clocks in Paris skip, and around the one they repeat.
SPRING = pd.date_range("2024-03-30T20:00", periods=24, freq="30min", tz="UTC").tz_convert(PARIS)
AUTUMN = pd.date_range("2024-10-26T20:00", periods=24, freq="30min", tz="UTC", unit="us")
AUTUMN = AUTUMN.tz_convert(PARIS)
FORMS = {
    "pandas": pd.Series,
    "pandas index": lambda times: times,
    "pandas ns": lambda times: pd.Series(times.as_unit("ns")),
    "polars": lambda times: (
        pl.Series(times.tz_convert("UTC").tz_localize(None).to_list())
        .dt.replace_time_zone("UTC")
        .dt.convert_time_zone(PARIS)
    ),
    "arrow": lambda times: pa.array(times, pa.timestamp("us", PARIS)),
    "objects": lambda times: [t.to_pydatetime() for t in times],
    "timestamps": list,
}


def fit(times, n_first=12):
    return pt.discretize(times, [0] * n_first + [1] * (24 - n_first), name="at")


@pytest.mark.parametrize("form", FORMS)
def test_cuts_are_shown_in_the_zone_of_the_column(form):
    p = fit(FORMS[form](SPRING), n_first=10)
    assert SPRING[9].hour == 1
    assert SPRING[10].hour == 3
    assert p.kind.zone == PARIS
    assert p.cuts.tolist() == [pd.Timestamp("2024-03-31T00:45", tz="UTC")]
    assert p.labels() == [
        "(-inf, 2024-03-31 01:45:00+01:00]",
        "(2024-03-31 01:45:00+01:00, inf)",
    ]
    assert np.asarray(p.table()["part"]).tolist()[:2] == p.labels()
    assert "2024-03-31 01:45:00+01:00" in repr(p)
    assert p.assign(FORMS[form](SPRING)).tolist() == [0] * 10 + [1] * 14


def test_the_repeated_hour_is_cut_where_it_repeats():
    p = fit(pd.Series(AUTUMN), n_first=10)
    assert AUTUMN[9].strftime("%H:%M %z") == "02:30 +0200"
    assert AUTUMN[10].strftime("%H:%M %z") == "02:00 +0100"
    assert p.labels()[1] == "(2024-10-27 02:45:00+02:00, inf)"
    assert p.assign(pd.Series(AUTUMN)).tolist() == [0] * 10 + [1] * 14


@pytest.mark.parametrize("zone", ["UTC", "Asia/Kolkata", "America/New_York", "UTC+02:00"])
def test_the_same_instants_of_other_zones_have_the_same_parts(zone):
    p = fit(pd.Series(AUTUMN), n_first=10)
    for form in ("pandas", "pandas ns", "timestamps"):
        assert p.assign(FORMS[form](AUTUMN.tz_convert(zone))).tolist() == [0] * 10 + [1] * 14
    other = fit(pd.Series(AUTUMN.tz_convert(zone)), n_first=10)
    assert other.kind.zone == zone
    assert other.cuts.tolist() == p.cuts.tolist()
    assert other.cost == p.cost


def test_times_with_and_without_a_zone_do_not_mix():
    zoned, naive = pd.Series(SPRING), pd.Series(SPRING.tz_convert("UTC").tz_localize(None))
    assert_refuses(
        lambda: fit(zoned).assign(naive),
        TypeError,
        "Intervals.assign: column 'at' must hold times with a zone as in fit, where it was "
        "Europe/Paris; got times without one. Give them theirs, as pandas' "
        "x.dt.tz_localize('Europe/Paris') does.",
    )
    assert_refuses(
        lambda: fit(naive).assign(zoned),
        TypeError,
        "Intervals.assign: column 'at' must hold times without a zone as in fit; got times in "
        "Europe/Paris. Take the clock of the zone that fit had, as pandas' "
        "x.dt.tz_convert('UTC').dt.tz_localize(None) does for UTC.",
    )
    assert_refuses(
        lambda: fit([*SPRING[:23], datetime.datetime(2024, 4, 1)]),
        TypeError,
        "discretize: column 'at' must hold times with a zone or times without one; got both. Give "
        "all of them a zone.",
    )
    gaps = pd.Series([pd.NaT] * 2, dtype="datetime64[us]")
    assert fit(zoned).assign(gaps).tolist() == [2, 2]


def test_objects_of_several_zones_are_shown_in_utc():
    mixed = [*SPRING[:12], *SPRING[12:].tz_convert("Asia/Tokyo")]
    p = fit(mixed)
    assert p.kind.zone == "UTC"
    assert p.assign(pd.Series(SPRING)).tolist() == [0] * 12 + [1] * 12


def test_zone_is_kept_in_files(tmp_path):
    p = fit(pd.Series(AUTUMN))
    plain = json.loads(json.dumps(p.to_dict()))
    assert plain["kind"] == {"name": "datetime", "unit": "us", "zone": PARIS}
    back = pt.from_dict(plain)
    assert back.kind == p.kind
    assert back.labels() == p.labels()
    assert back.assign(pd.Series(AUTUMN)).tolist() == p.assign(pd.Series(AUTUMN)).tolist()
    frame = pd.DataFrame({"at": AUTUMN, "y": [0] * 12 + [1] * 12})
    pt.Discretizer().fit(frame, target="y").save(tmp_path / "m.json")
    assert pt.load(tmp_path / "m.json").partitions_["at"].labels() == p.labels()
    counts = pt.Contingency.of(frame, "at", "y")
    counts.save(tmp_path / "c.npz")
    assert pt.Contingency.load(tmp_path / "c.npz").values.tolist() == list(AUTUMN)
    with pytest.raises(pt.exceptions.PartageError, match="no time zone is called 'Mars/Nowhere'"):
        pt.from_dict(plain | {"kind": plain["kind"] | {"zone": "Mars/Nowhere"}})


def test_files_without_a_zone_still_load():
    naive = pd.Series(AUTUMN.tz_convert("UTC").tz_localize(None))
    p = fit(naive)
    plain = p.to_dict()
    assert plain["kind"] == {"name": "datetime", "unit": "us"}
    assert pt.from_dict(plain).assign(naive).tolist() == p.assign(naive).tolist()


def test_editing_takes_instants():
    p = fit(pd.Series(AUTUMN))
    at = datetime.datetime(2024, 10, 27, 2, 45, tzinfo=ZoneInfo(PARIS))
    assert p.split(0, at).cuts[0] == pd.Timestamp("2024-10-27T00:45", tz="UTC")
    with pytest.raises(ValueError, match="must lie inside part 0"):
        p.split(0, at.replace(fold=1))
    assert p.set_cuts([pd.Timestamp("2024-10-27T00:45", tz="UTC")]).labels()[1] == (
        "(2024-10-27 02:45:00+02:00, inf)"
    )
    with pytest.raises(TypeError, match="cuts of column 'at' must hold dates or times with a zone"):
        p.set_cuts([datetime.datetime(2024, 10, 27)])
    assert "+0" in str(p.explain())
    x, y = pd.Series(AUTUMN), [0] * 12 + [1] * 12
    chosen = pt.discretize(x, y, name="at", user_cuts=[at])
    assert chosen.cuts[0] == pd.Timestamp(at)
    with pytest.raises(TypeError, match="must hold dates or times with a zone, such as Europe"):
        pt.discretize(x, y, name="at", user_cuts=[datetime.datetime(2024, 10, 27)])


def test_special_instants_are_told_apart():
    special = pd.Timestamp("2024-10-26T20:00", tz="UTC")
    p = pt.discretize(pd.Series(AUTUMN), [0] * 12 + [1] * 12, name="at", special_values=[special])
    assert p.assign([special, AUTUMN[1]]).tolist() == [4, 0]
    assert pt.from_dict(p.to_dict()).assign([special.tz_convert("Asia/Tokyo")]).tolist() == [4]


def test_batches_of_several_zones_are_counted_together():
    y = pd.Series([0] * 12 + [1] * 12)
    first = pd.DataFrame({"at": AUTUMN})
    second = pd.DataFrame({"at": SPRING.tz_convert("Asia/Tokyo")})
    enc = pt.Discretizer().partial_fit(first, y).partial_fit(second, y)
    assert enc.partitions_["at"].kind.zone == "UTC"
    naive = pd.DataFrame({"at": SPRING.tz_localize(None)})
    with pytest.raises(TypeError, match="times with a zone and times without one"):
        enc.partial_fit(naive, y)


def test_groups_of_instants_are_saved():
    times = np.array(AUTUMN[:2].repeat(20), dtype=object)
    p = pt.group(pd.Series(AUTUMN[:2].repeat(20)), [0] * 20 + [1] * 20)
    back = pt.from_dict(json.loads(json.dumps(p.to_dict())))
    assert back.assign(times).tolist() == p.assign(times).tolist() == [0] * 20 + [1] * 20
