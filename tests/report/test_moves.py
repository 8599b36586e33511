"""What moved is said in words, and nothing is said of chance."""

import numpy as np
import polars as pl
import pytest

import partage as pt
from partage._report.comparing import compare_rows


def make_rows(n, seed, *, young=0.3, rate=0.6, odds=1.0):
    """Draw rows of two ages, of which the young have the event more often."""
    rng = np.random.default_rng(seed)
    is_young = rng.random(n) < young
    base = np.where(is_young, rate, 0.2)
    shifted = base * odds / (1 - base + base * odds)
    return pl.DataFrame(
        {
            "age": np.where(is_young, rng.integers(18, 30, n), rng.integers(30, 70, n)),
            "noise": rng.normal(size=n),
            "event": (rng.random(n) < shifted).astype(int),
        }
    )


@pytest.fixture(scope="module")
def moved():
    """Give what moved from rows to others."""
    model = pt.TablePartitioner(cut_style="simple").fit(make_rows(6000, 0), target="event")

    def compare(rows):
        summary, _ = compare_rows(model, rows.drop("event"), rows["event"], None, "new")
        return [(one.column, one.text) for one in summary.remarks if one.kind == "moved"]

    return compare


@pytest.mark.parametrize("seed", range(1, 6))
def test_nothing_is_said_of_chance(moved, seed):
    assert moved(make_rows(2000, seed)) == []


def test_parts_that_grow_and_shrink_are_named(moved):
    texts = [text for name, text in moved(make_rows(4000, 9, young=0.6)) if name == "age"]
    assert len(texts) == 2
    assert texts[0] == "in new data: (-inf, 29] grew from 29.7% to 59.9% of the rows"
    assert texts[1].startswith("in new data: (29, inf) shrank from 70.3%")


def test_a_rate_that_changes_in_one_part_is_named_there(moved):
    found = moved(make_rows(4000, 9, rate=0.2))
    (text,) = [text for name, text in found if name == "age" and "event rate of (-inf" in text]
    assert text == "in new data: the event rate of (-inf, 29] was 60.4%, is 19.8%"
    assert not any("event rate of (29" in text for _, text in found)
    assert any(name == "age" and "says less than it did" in text for name, text in found)


def test_a_rate_that_changes_everywhere_is_named_once(moved):
    found = moved(make_rows(4000, 9, odds=3.0))
    assert len(found) == 1
    assert found[0][0] == ""
    assert found[0][1].startswith("in new data: the event rate of all rows rose from 3")
