"""Averaged shares of partitions: tables, evidence, rows beside the parts, edits, files."""

import numpy as np
import pytest

import partage as pt
from helpers import ROUND_TRIPS, assert_refuses
from partage._partitions.averages import as_averaged
from partage.exceptions import PartageError

SPECIAL = -999.0


@pytest.fixture(scope="module")
def column():
    """Make 2,000 rows whose event rate rises, with gaps and refusals."""
    rng = np.random.default_rng(6)
    x = rng.uniform(0, 100, 2000).round(1)
    y = (rng.random(2000) < 0.1 + x / 200).astype(int)
    x[:120] = np.nan
    x[120:200] = SPECIAL
    y[120:200] = rng.random(80) < 0.9
    return x, y


@pytest.fixture(scope="module")
def found(column):
    return pt.discretize(*column, method="averaged", max_parts=5, special_values=[SPECIAL])


def test_rates_and_evidence_come_from_averaged_shares(column, found):
    x, y = column
    table = found.table()
    k = found.n_parts
    assert np.allclose(table["event_rate"][:k], found.shares[:, 1])
    assert np.allclose(table["counted_event_rate"][:k], found.counts[:, 1] / found.counts.sum(1))
    assert np.abs(found.shares[:, 1] - table["counted_event_rate"][:k]).max() > 1e-4
    odds = np.log(found.shares[:, 1] / found.shares[:, 0])
    assert np.allclose(table["woe"][:k], odds - np.log(y.sum() / (1 - y).sum()))
    maker = pt.Discretizer(method="averaged", max_parts=5, special_values=[SPECIAL], output="woe")
    assert np.allclose(maker.fit_transform(x[:, None], y)[:, 0], found.code_woe(1)[found.assign(x)])
    assert "counted_event_rate" not in found.table(x, y).columns
    assert "counted_event_rate" not in pt.discretize(x, y).table().columns


def test_rows_beside_have_their_own_shares_drawn_to_those_of_all_rows(column, found):
    x, y = column
    for code, held in ((found.missing_code, np.isnan(x)), (found.special_codes[0], x == SPECIAL)):
        expected = (y[held].sum() + 2 * y.mean()) / (held.sum() + 2)
        assert found.code_rates()[code, 1] == pytest.approx(expected)


def test_rows_that_merge_take_their_shares_along(column):
    x, y = column
    apart = pt.discretize(x, y, method="averaged", max_parts=5)
    merged = pt.discretize(x, y, method="averaged", max_parts=5, missing="merge")
    part = merged.missing_part
    assert np.array_equal(apart.cuts, merged.cuts)
    rows = apart.averaged.class_counts
    assert merged.averaged.class_counts[part] == pytest.approx(rows[part] + rows[apart.n_parts])
    assert merged.curve.missing_part is None


def test_the_curve_keeps_nearly_all_of_the_information(found):
    curve = found.curve
    assert curve.n_parts > found.n_parts
    total = curve.averaged.class_counts[: curve.n_parts]
    assert total.sum(axis=1) == pytest.approx(curve.counts.sum(axis=1))
    assert found.averaged.class_counts[: found.n_parts].sum(axis=0) == pytest.approx(
        total.sum(axis=0)
    )


def test_edits_carry_averaged_shares(found):
    rows = found.averaged.class_counts
    merged = found.merge(1, 2)
    assert merged.averaged.class_counts[1] == pytest.approx(rows[1] + rows[2])
    assert merged.undo() is found
    at = float(found.curve.cuts[0])
    split = found.set_cuts([at])
    curve = found.curve.averaged.class_counts
    assert split.averaged.class_counts[0] == pytest.approx(curve[0])
    assert split.shares[0] == pytest.approx(found.curve.shares[0])
    joined = found.merge(0, "missing")
    assert joined.averaged.class_counts[0] == pytest.approx(rows[0] + rows[found.n_parts])
    assert joined.merge(0, 1).averaged.class_counts[0] == pytest.approx(
        rows[0] + rows[1] + rows[found.n_parts]
    )


def test_other_rows_are_counted_without_averages(column, found):
    x, y = column
    again = found.recount(x[::2], y[::2])
    assert again.averaged is None
    assert again.curve is None
    assert np.allclose(again.shares, again.counts / again.counts.sum(axis=1, keepdims=True))


@pytest.mark.parametrize("way", ROUND_TRIPS)
def test_averages_are_kept_in_files(found, way):
    for p in (found, found.merge(0, 1), found.curve):
        read = ROUND_TRIPS[way](p)
        assert read == p
        assert np.array_equal(read.shares, p.shares)
    assert found != pt.from_dict({**found.to_dict(), "averaged": None})
    assert found != pt.from_dict({**found.to_dict(), "curve": None})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"averaged": [[1, 2]]}, "averaged shares do not fit the counts"),
        ({"averaged": "all"}, "averaged shares must be a list"),
        ({"curve": 3}, "curve must be intervals"),
    ],
)
def test_damaged_averages_are_refused(found, change, message):
    data = {**found.to_dict(), **change}
    assert_refuses(
        lambda: pt.from_dict(data),
        PartageError,
        f"from_dict: the data are damaged: ValueError('{message}').",
    )


def test_explain_says_where_shares_come_from(found):
    counted = found.counts / found.counts.sum(axis=1, keepdims=True)
    off = np.abs(found.shares - counted).max()
    assert (
        "The shares of the parts are averaged over all partitions of the column; counted ones "
        f"differ by up to {off:.4f}." in str(found.explain())
    )


def test_groups_have_their_own_shares_drawn_to_those_of_all_rows():
    p = pt.group(["a", "b"] * 50, [0, 1] * 50)
    shown = as_averaged("fit", p)
    assert np.array_equal(shown.counts, p.counts)
    assert shown.shares == pytest.approx(np.array([[51, 1], [1, 51]]) / 52)
