"""What users of other libraries asked for, theme by theme: constraints, gaps, special values."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import partage as pt
from helpers import assert_refuses
from partage.exceptions import NotPartitionableError


@pytest.fixture(scope="module")
def wave():
    """Make 2,000 rows whose event rate rises, falls and rises, with gaps and refusals (-999)."""
    rng = np.random.default_rng(11)
    x = rng.uniform(0, 100, 2000).round(1)
    rate = np.select([x < 20, x < 45, x < 70], [0.1, 0.5, 0.25], 0.7)
    y = (rng.random(2000) < rate).astype(int)
    x[:150] = math.nan
    x[150:250] = -999
    y[:150] = rng.random(150) < 0.5
    y[150:250] = rng.random(100) < 0.05
    return x, y


def rates(p):
    return p.counts[:, 1] / p.counts.sum(axis=1)


@pytest.mark.parametrize("missing", ["separate", "merge"])
@pytest.mark.parametrize("special", ["separate", "merge"])
def test_missing_and_special_values(wave, missing, special):
    # Table and transform agree; missing rows are merged or kept apart as asked, never lost.
    x, y = wave
    options = {"missing": missing, "special_values": [-999], "special": special}
    enc = pt.Discretizer(**options, output="woe").fit(x[:, None], y)
    p = enc.partitions_["x0"]
    given = enc.transform(np.array([[math.nan], [-999.0]]))[:, 0]
    table = p.table().set_index("part")
    shown = {name: woe for name, woe in table["woe"].items() if isinstance(name, str)}
    for value, woe, word in zip(
        ["missing", "special"], given, ["missing", "special -999"], strict=True
    ):
        (row,) = [name for name in shown if word in name]
        assert shown[row] == pytest.approx(woe, rel=1e-12)
        assert (row == word) == ({"missing": missing, "special": special}[value] == "separate")
    assert p.totals().sum() == len(x)
    assert woe != 0


def test_missing_values_can_be_refused(wave):
    x, y = wave
    with pytest.raises(
        ValueError, match="must hold no missing values with missing='error'; got 150"
    ):
        pt.discretize(x, y, missing="error")


def test_special_values_are_told_by_column(wave):
    x, y = wave
    frame = pd.DataFrame({"income": x, "rent": np.where(x == -999, -1, x)})
    enc = pt.TablePartitioner(special_values={"income": [-999], "rent": [-1]}).fit(frame, y)
    assert [p.special_rows.tolist() for p in enc.partitions_.values()] == [[100], [100]]
    assert enc.partitions_["income"].cuts.min() > 0


@pytest.mark.parametrize("trend", ["ascending", "peak", "valley"])
def test_merged_missing_values_keep_the_trend(wave, trend):
    x, y = wave
    p = pt.discretize(
        x, y, monotonic=trend, missing="merge", special_values=[-999], special="merge"
    )
    steps = np.sign(np.diff(rates(p)))
    wanted = {"ascending": [[1]], "peak": [[1, -1], [1], [-1]], "valley": [[-1, 1], [1], [-1]]}
    signs = [s for s in steps if s]
    turns = [s for i, s in enumerate(signs) if i == 0 or s != signs[i - 1]]
    assert turns in [*wanted[trend], []]
    assert p.missing_part is not None


def test_missing_values_that_no_part_can_take_are_told():
    # Gaps are all events in one segment and none in the other: each part would break one of them.
    x = np.repeat([0.0, 1.0, math.nan], [100, 100, 400])
    by = np.tile(["a", "b"], 300)
    y = np.concatenate([np.tile([0] * 3 + [1] * 2, 20), np.tile([0] * 2 + [1] * 3, 20)])
    y = np.append(y, by[200:] == "a").astype(int)
    options = {"monotonic": "ascending", "by": by, "user_cuts": [0.5]}
    assert pt.discretize(x, y, **options).n_parts == 2
    assert_refuses(
        lambda: pt.discretize(x, y, missing="merge", **options),
        NotPartitionableError,
        "discretize, column 'x': monotonic is in the way: there is no part that missing values can "
        "join without breaking it; use missing='separate'.",
    )


def test_own_cut_points_and_silent_collapse(wave):
    x, y = wave
    p = pt.discretize(x, y, user_cuts=[10, 18, 25, 65], special_values=[-999])
    assert {10, 18, 25, 65} <= set(p.cuts.tolist())
    only = pt.discretize(x, y, user_cuts=[18, 65], candidate_cuts=[], special_values=[-999])
    assert only.cuts.tolist() == [18, 65]
    with pytest.raises(NotPartitionableError, match="monotonic='ascending' is in the way"):
        pt.discretize(x, y, user_cuts=[20, 45, 70], monotonic="ascending", special_values=[-999])
    with pytest.raises(NotPartitionableError, match="column 'b': min_part_size is in the way"):
        pt.Discretizer(user_cuts={"b": [99.9]}, min_part_size=50).fit(
            pd.DataFrame({"a": x, "b": x}), y
        )


def test_monotonicity(wave):
    x, y = wave
    costs = {}
    for trend in ("ascending", "descending", "peak", "valley", "auto"):
        p = pt.discretize(x, y, monotonic=trend, special_values=[-999])
        costs[trend] = p.cost
        assert p.price > 0
        assert p.is_optimal
    free = pt.discretize(x, y, special_values=[-999])
    assert costs["auto"] == min(costs.values()) >= free.cost
    assert p.price == pytest.approx((p.cost - free.cost) / math.log(2))


def test_monotonicity_in_every_month(wave):
    x, y = wave
    month = np.random.default_rng(3).choice(["jan", "feb", "mar"], len(x))
    frame = pd.DataFrame({"x": x, "month": month})
    enc = pt.TablePartitioner(monotonic={"x": "peak"}, by="month", special_values={"x": [-999]})
    p = enc.fit(frame, y).partitions_["x"]
    codes = p.assign(x)
    apex = []
    for name in ("jan", "feb", "mar"):
        share = [y[(codes == k) & (month == name)].mean() for k in range(p.n_parts)]
        apex.append(int(np.argmax(share)))
        assert np.all(np.diff(share[: apex[-1] + 1]) >= 0)
        assert np.all(np.diff(share[apex[-1] :]) <= 0)
    overall = pt.discretize(x, y, monotonic="peak", special_values=[-999])
    assert p.cost >= overall.cost - 1e-9


@given(
    max_parts=st.integers(1, 6),
    size=st.sampled_from([0.05, 0.2, 30]),
    count=st.sampled_from([5, 40, 0.1]),
    trend=st.sampled_from(["ascending", "descending", "peak", "valley", "auto", None]),
)
def test_constraints_not_honoured(wave, max_parts, size, count, trend):
    x, y = wave
    p = pt.discretize(
        x,
        y,
        special_values=[-999],
        max_parts=max_parts,
        min_part_size=size,
        min_class_count=count,
        monotonic=trend,
    )
    present = np.array([np.sum(p.counts[:, j]) for j in range(2)])
    assert p.n_parts <= max_parts
    assert p.counts.sum(axis=1).min() >= (size if size >= 1 else size * present.sum() - 1e-9)
    assert (p.counts.min(axis=0) >= (count if count >= 1 else count * present - 1e-9)).all()


def test_weights_never_change_the_meaning_of_a_share(wave):
    x, y = wave
    one = pt.discretize(x, y, min_part_size=0.2, sample_weight=np.full(len(x), 3))
    assert one.counts.sum(axis=1).min() >= 0.2 * one.counts.sum() - 1e-9
    assert one.rows.min() >= 0.2 * one.rows.sum() - 1e-9


def test_ordered_targets_of_several_classes():
    rng = np.random.default_rng(5)
    x = rng.normal(size=600)
    grade = np.clip((x + rng.normal(size=600)).round(), -1, 1)
    y = pd.Series(pd.Categorical.from_codes((grade + 1).astype(int), ["low", "mid", "high"], True))
    p = pt.discretize(x, y, monotonic="ascending")
    ranks = np.array([["low", "mid", "high"].index(label) for label in p.classes])
    assert p.n_parts > 1
    assert np.all(np.diff(p.counts @ ranks / p.counts.sum(axis=1)) >= 0)
    assert (
        pt.discretize(x, grade.astype(int), monotonic="ascending").cuts.tolist() == p.cuts.tolist()
    )


def test_ordered_categories_take_a_trend(wave):
    x, y = wave
    bands = pd.cut(pd.Series(x), [-1, 20, 45, 70, 101], labels=list("abcd"))
    free = pt.group(bands, y)
    assert free.groups == (("a",), ("b",), ("c",), ("d",))
    p = pt.group(bands, y, monotonic="ascending", min_class_count=10)
    assert np.all(np.diff(rates(p)) >= 0)
    assert p.price > 0
    assert p.constraints == {"min_class_count": 10.0, "monotonic": "ascending"}


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        (
            {"monotonic": "up"},
            ValueError,
            "discretize: monotonic must be 'ascending', 'descending', 'peak', 'valley' or 'auto'; "
            "got 'up'.",
        ),
        (
            {"user_cuts": [2, 1]},
            ValueError,
            "discretize: user_cuts of column 'x' must increase; got [2, 1]. Sort them, and leave "
            "out repeated ones.",
        ),
        (
            {"candidate_cuts": [1, 1]},
            ValueError,
            "discretize: candidate_cuts of column 'x' must increase; got [1, 1]. Sort them, and "
            "leave out repeated ones.",
        ),
        (
            {"user_cuts": ["low"]},
            TypeError,
            "discretize: user_cuts of column 'x' must hold numbers, as the column does; "
            "got ['low'].",
        ),
        (
            {"user_cuts": [math.nan]},
            TypeError,
            "discretize: user_cuts of column 'x' must hold numbers, as the column does; got [nan].",
        ),
        (
            {"user_cuts": 3},
            ValueError,
            "discretize: user_cuts must be a list of increasing cuts, or None; got 3.",
        ),
        (
            {"min_class_count": "many"},
            ValueError,
            "discretize: min_class_count must be a number, one number for each class, or None; "
            "got 'many'.",
        ),
        (
            {"min_class_count": [1, 2, 3]},
            ValueError,
            "discretize, column 'x': min_class_count must hold one number for each of the 2 "
            "classes; got 3.",
        ),
        (
            {"by": ["a"] * 8},
            ValueError,
            "discretize: by needs monotonic: the rates are monotonic in each of its segments.",
        ),
        (
            {"by": ["a"] * 3, "monotonic": "auto"},
            ValueError,
            "discretize: by and y must have the same number of rows; got 3 and 8.",
        ),
        (
            {"monotonic": "auto", "method": "mdlpc"},
            ValueError,
            "discretize, column 'x': monotonic needs a method that judges whole partitions: "
            "'modl', 'khiops11', 'fusinter', 'chi2', 'tschuprow', 'cramer', 'entropy', 'gini', "
            "'averaged'; got method='mdlpc'.",
        ),
        (
            {"monotonic": "auto", "search": "bottom-up"},
            ValueError,
            "discretize, column 'x': monotonic needs search='exact', 'coarse' or 'auto'; "
            "got 'bottom-up'.",
        ),
        (
            {"min_part_size": 9},
            NotPartitionableError,
            "discretize, column 'x': min_part_size is in the way: every part must weigh at least "
            "9; the column weighs 8. Lower it.",
        ),
        (
            {"min_class_count": 5},
            NotPartitionableError,
            "discretize, column 'x': min_class_count is in the way: every part must hold at least "
            "5 of class 'a'; the column holds 4. Lower it.",
        ),
        (
            {"max_parts": 2, "user_cuts": [2, 4]},
            NotPartitionableError,
            "discretize, column 'x': max_parts=2 is in the way: user_cuts make 3 parts. Raise it, "
            "or leave out cuts.",
        ),
        (
            {"n_parts": 3, "candidate_cuts": [4]},
            NotPartitionableError,
            "discretize, column 'x': n_parts or candidate_cuts is in the way: no partition "
            "satisfies n_parts=3, candidate_cuts=(4,), but one does without n_parts or without "
            "candidate_cuts.",
        ),
    ],
)
def test_constraints_that_cannot_be_are_refused(options, error, message):
    x, y = np.arange(8.0), list("aaaabbbb")
    assert_refuses(lambda: pt.discretize(x, y, **options), error, message)


def test_trend_of_classes_without_order_is_refused():
    assert_refuses(
        lambda: pt.discretize(range(9), list("abcabcabc"), monotonic="auto"),
        ValueError,
        "discretize, column 'x': monotonic needs two classes, or classes with an order; got 3 "
        "classes of text. Use numbers, or an ordered categorical series.",
    )


def test_constraints_of_unordered_values_are_refused():
    assert_refuses(
        lambda: pt.group(list("abab"), [0, 1, 0, 1], monotonic="ascending"),
        ValueError,
        "group, column 'x': monotonic is for numbers and ordered values; these have no order. "
        "Give it with ordered=, or leave it out.",
    )
    frame = pd.DataFrame({"x": range(40), "city": ["Lyon", "Nice"] * 20})
    y = [0] * 20 + [1] * 20
    assert pt.TablePartitioner(monotonic="auto").fit(frame, y).partitions_["city"].n_parts == 1
    assert_refuses(
        lambda: pt.TablePartitioner(user_cuts={"city": [1]}).fit(frame, y),
        TypeError,
        "TablePartitioner.fit: user_cuts are for numbers; column 'city' holds categories.",
    )


def test_segments_need_all_rows_at_once(wave):
    x, y = wave
    frame = pd.DataFrame({"x": x, "month": 1})
    enc = pt.Discretizer(monotonic="auto", by="month")
    with pytest.raises(ValueError, match="by needs all rows at once"):
        enc.partial_fit(frame, y)
    with pytest.raises(ValueError, match="by must name a column of X; got 'week'"):
        enc.set_params(by="week").fit(frame, y)


def test_cuts_of_dates_and_large_integers():
    days = pd.Series(pd.date_range("2024-01-01", periods=40))
    y = [0] * 20 + [1] * 20
    p = pt.discretize(days, y, user_cuts=[pd.Timestamp("2024-01-10"), pd.Timestamp("2024-02-01")])
    assert np.datetime64("2024-01-10") in p.cuts
    big = pd.Series([2**60 + i for i in range(40)])
    p = pt.discretize(big, y, user_cuts=[2**60 + 5])
    assert 2**60 + 5 in p.cuts.tolist()
    assert p.assign([2**60 + 5, 2**60 + 6]).tolist() == [0, 1]


def test_column_of_gaps_keeps_user_cuts():
    p = pt.discretize([math.nan] * 4, [0, 1, 0, 1], user_cuts=[1, 2])
    assert p.cuts.tolist() == [1, 2]
    assert p.assign([0, 1.5, 3, math.nan]).tolist() == [0, 1, 2, 3]


def test_share_of_real_weights_is_not_rounded_up():
    x, y = np.repeat([1.0, 2.0, 3.0, 4.0], 5), np.repeat([0, 1, 0, 1], 5)
    weights = np.full(20, 0.3)  # 6 in all: a quarter is 1.5, as each value weighs
    p = pt.discretize(x, y, n_parts=4, min_part_size=0.25, sample_weight=weights)
    assert p.n_parts == 4
    assert p.violations == ()
    p = pt.discretize(x, y, n_parts=2, min_class_count=0.5, sample_weight=weights)
    assert p.counts.min() == pytest.approx(1.5)


def test_user_cuts_of_a_column_without_values_are_counted():
    assert_refuses(
        lambda: pt.discretize([None, None], [0, 1], user_cuts=[3], max_parts=1),
        NotPartitionableError,
        "discretize, column 'x': max_parts=1 is in the way: user_cuts make 2 parts. Raise it, or "
        "leave out cuts.",
    )
