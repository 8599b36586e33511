"""Where a cut is placed between two neighbouring values, of every kind."""

import decimal
import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from partage._data.column import Kind
from partage._data.cut_places import place_cut, place_cuts, round_cut
from partage._data.cut_text import cut_text
from partage._data.roundness import levels_between
from reference.cut_places import decimal_of, digits_of, roundest_number, simple_number

NUMBER = Kind("number")
WHOLE = {"integer": Kind("integer"), "unsigned": Kind("unsigned"), "decimal": Kind("decimal", "3")}
DECIMALS = st.decimals(-10_000, 10_000, allow_nan=False, places=4).map(float)
FLOATS = st.floats(allow_nan=False, width=64).map(lambda x: x + 0.0)


def time_between(low, high, unit="us", zone="", style="simple"):
    """Text of the cut between two times without a zone, or of UTC."""
    kind = Kind("datetime", unit, zone)
    keys = [int(np.datetime64(time, unit).astype(np.int64)) for time in (low, high)]
    key = place_cut(kind, *keys, style) if style != "round" else round_cut(kind, *keys)[1]
    return cut_text(kind.show(np.array([key]))[0])


@pytest.mark.parametrize(
    ("low", "high", "midpoint", "simple"),
    [
        (95.0, 115.0, 105.0, 100.0),
        (27.67, 27.68, 27.675, 27.675),
        (34.0, 35.0, 34.5, 34.0),
        (34.0, 36.0, 35.0, 35.0),
        (34.0, 37.0, 35.5, 35.0),  # of two as near, the lower
        (33.5, 34.2, 33.85, 34.0),
        (-3.0, 5.0, 1.0, 0.0),
        (0.0, 7.0, 3.5, 3.0),
        (0.1, 0.2, 0.15, 0.15),
        (1e300, 1e308, 5.00000005e307, 5e307),
        (0.3, 0.30000000000000004, 0.3, 0.3),  # no float lies between
        (5.0, math.inf, 5.0, 5.0),
        (-math.inf, 3.0, -math.inf, -math.inf),
        (-math.inf, math.inf, -math.inf, -math.inf),
        (-5e-324, 5e-324, 0.0, 0.0),
    ],
)
def test_cuts_worked_by_hand(low, high, midpoint, simple):
    assert place_cut(NUMBER, low, high) == midpoint
    assert place_cut(NUMBER, low, high, "simple") == simple


@given(values=st.lists(FLOATS | DECIMALS, min_size=2, max_size=2, unique=True))
@example(values=[1.0, math.nextafter(1.0, 2.0)])
@example(values=[-1.7e308, 1.7e308])
def test_a_cut_lies_between_its_neighbours_in_any_style(values):
    low, high = sorted(values)
    for style in ("midpoint", "simple"):
        cut = place_cut(NUMBER, low, high, style)
        assert low <= cut < high
        assert math.copysign(1.0, cut) == 1.0 or cut != 0.0
    assert low <= round_cut(NUMBER, low, high)[1] < high


def values_with(n_decimals):
    """Numbers of so many decimals, of any size that may be written with them."""
    most = 10 ** (16 - n_decimals)
    return st.integers(-most, most).map(lambda n: n / 10**n_decimals)


@given(
    values=st.integers(0, 7).flatmap(lambda n: st.lists(values_with(n), min_size=3, unique=True))
    | st.lists(DECIMALS | FLOATS, min_size=3, unique=True)
    | st.lists(st.integers(-50, 50).map(float), min_size=3, unique=True)
)
@example(values=[-5.0, -0.0, 3.0])
@example(values=[0.1, 0.30000000000000004, 0.4])
def test_many_cuts_are_those_of_the_pairs(values):
    ends = np.array(sorted(values))
    for style in ("midpoint", "simple"):
        wanted = [place_cut(NUMBER, *pair, style) for pair in pairwise(ends.tolist())]
        found = place_cuts(NUMBER, ends[:-1], ends[1:], style)
        assert found.tobytes() == np.array(wanted).tobytes()


def test_a_users_decimal_context_changes_nothing():
    with decimal.localcontext() as context:
        context.prec = 2
        assert place_cut(NUMBER, 27.67, 27.68) == 27.675
        assert place_cut(NUMBER, 1234.0, 1236.0, "simple") == 1235.0


@given(values=st.lists(DECIMALS, min_size=2, max_size=2, unique=True))
def test_simple_and_round_numbers_are_those_of_the_definition(values):
    low, high = sorted(values)
    one, two = decimal_of(low), decimal_of(high)
    assert decimal_of(place_cut(NUMBER, low, high, "simple")) == simple_number(one, two)
    level, cut = round_cut(NUMBER, low, high)
    wanted = roundest_number(one, two)
    assert decimal_of(cut) == wanted
    assert level == digits_of(wanted)
    assert place_cut(NUMBER, low, high) == float((one + two) / 2)


@pytest.mark.parametrize("name", WHOLE)
@given(values=st.lists(st.integers(0, 10**6) | st.integers(0, 2**63 - 1), min_size=2, unique=True))
def test_whole_keys_are_cut_by_the_same_definition(name, values):
    kind = WHOLE[name]
    shift = -(2**63) if name == "unsigned" else 0
    scale = 1000 if name == "decimal" else 1
    values.sort()
    keys = [value + shift for value in values]
    for (low, high), (one, two) in zip(pairwise(keys), pairwise(values), strict=True):
        key = place_cut(kind, low, high, "simple")
        wanted = simple_number(Fraction(one, scale), Fraction(two, scale))
        is_finer = (wanted * scale).denominator > 1  # than the keys
        assert key == low if is_finer else Fraction(key - shift, scale) == wanted
        level, key = round_cut(kind, low, high)
        assert Fraction(key - shift, scale) == roundest_number(
            Fraction(one, scale), Fraction(two, scale)
        )
        assert level == digits_of(Fraction(key - shift, scale))
    levels = levels_between(kind, np.array(keys, dtype=np.int64))
    assert levels.tolist() == [round_cut(kind, *pair)[0] for pair in pairwise(keys)]


@given(values=st.lists(FLOATS | DECIMALS, min_size=2, max_size=40, unique=True))
def test_levels_of_a_column_are_those_of_its_cuts(values):
    values.sort()
    levels = levels_between(NUMBER, np.array(values))
    assert levels.tolist() == [round_cut(NUMBER, *pair)[0] for pair in pairwise(values)]


@pytest.mark.parametrize(
    ("low", "high", "simple"),
    [
        ("2023-11-20", "2024-03-05", "2024-01-01"),
        ("1990-05-05", "2015-02-02", "2003-01-01"),  # nearest the middle
        ("2023-02-20", "2023-03-05", "2023-03-01"),
        ("2023-12-31", "2024-01-02", "2024-01-01"),
        ("2023-12-30", "2023-12-31", "2023-12-30"),  # between two days, a day
        ("2023-11-01", "2023-12-01", "2023-11-01"),
        ("2023-12-30 10:20", "2023-12-30 14:05", "2023-12-30 12:00:00"),
        ("2023-12-30 10:20", "2023-12-30 10:25", "2023-12-30 10:22:00"),
        ("2023-12-30 10:20:00.25", "2023-12-30 10:20:00.5", "2023-12-30 10:20:00.4"),
        ("1960-05-05", "1961-05-05", "1961-01-01"),
    ],
)
def test_times_are_cut_where_a_unit_of_the_clock_starts(low, high, simple):
    assert time_between(low, high) == simple


def test_times_of_a_zone_are_cut_by_its_clock():
    paris = {"unit": "ns", "zone": "Europe/Paris"}
    assert time_between("2023-12-30", "2024-01-02", **paris) == "2024-01-01 00:00:00+01:00"
    assert time_between("2024-06-30T12", "2024-06-30T23", **paris) == "2024-07-01 00:00:00+02:00"
    # 2:00 to 3:00 of this night are never shown, or shown twice.
    spring = time_between("2024-03-31T00:30", "2024-03-31T01:30", **paris)
    assert spring == "2024-03-31 03:00:00+02:00"
    autumn = time_between("2024-10-27T00:30", "2024-10-27T01:30", **paris)
    assert autumn in ("2024-10-27 02:00:00+01:00", "2024-10-27 02:30:00+02:00")


@pytest.mark.parametrize(
    "kind",
    [
        *(Kind("datetime", unit) for unit in ("W", "D", "h", "m", "s", "ms", "us", "ns")),
        *(Kind("datetime", unit, "America/Sao_Paulo") for unit in ("s", "ns")),
        *(Kind("duration", unit) for unit in ("D", "s", "us", "ns")),
    ],
    ids=lambda kind: f"{kind.name}-{kind.unit}-{kind.zone}",
)
def test_cuts_of_times_lie_between_their_neighbours(kind):
    rng = np.random.default_rng(0)
    second = {"W": 1 / 604_800, "D": 1 / 86_400, "h": 1 / 3600, "m": 1 / 60}
    second |= {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}
    for span in (3600, 30 * 86_400, 3650 * 86_400):
        keys = np.unique(((rng.random(40) - 0.3) * span * second[kind.unit]).astype(np.int64))
        pairs = list(pairwise(keys.tolist()))
        for style in ("midpoint", "simple"):
            assert all(low <= place_cut(kind, low, high, style) < high for low, high in pairs)
        found = [round_cut(kind, low, high) for low, high in pairs]
        assert all(low <= key < high for (_, key), (low, high) in zip(found, pairs, strict=True))
        if not kind.zone:
            assert levels_between(kind, keys).tolist() == [level for level, _ in found]


def test_durations_are_cut_at_whole_days_hours_and_seconds():
    kind = Kind("duration", "s")
    day = 86_400
    cases = {(95 * day, 115 * day): 100 * day, (day - 7200, day + 7200): day}
    cases |= {(3000, 4000): 3600, (3601, 3605): 3603, (-day, day): 0, (day, 2 * day): day}
    assert {pair: place_cut(kind, *pair, "simple") for pair in cases} == cases


def test_round_times_start_a_year_if_they_can():
    assert time_between("2023-12-30", "2024-01-02", style="round") == "2024-01-01"
    assert time_between("2024-01-01", "2024-01-02", style="round") == "2024-01-01"
    assert time_between("2024-01-30", "2024-02-02", style="round") == "2024-02-01"
