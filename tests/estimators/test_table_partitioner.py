"""TablePartitioner: every column of a mixed table by its kind."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pytest

import partage as pt

SIZES = ["S", "M", "L", "XL"]


def test_every_column_is_partitioned_by_its_kind(shop):
    X, y = shop
    parts = pt.TablePartitioner().fit(X, y).partitions_
    assert list(parts) == list(X.columns)
    for name in ("age", "children", "day"):
        assert parts[name].to_dict() == pt.discretize(X[name], y).to_dict()
    for name in ("size", "city", "member"):
        assert parts[name].to_dict() == pt.group(X[name], y).to_dict()


def test_ordered_categories_keep_their_order(shop):
    p = pt.TablePartitioner().fit(*shop).partitions_["size"]
    assert p.groups == (("S", "M"), ("L", "XL"))


def test_datetime_column_has_datetime_cuts(shop):
    p = pt.TablePartitioner().fit(*shop).partitions_["day"]
    assert p.cuts.dtype.kind == "M"


def test_summary_tells_kind_values_missing_parts_and_level(shop):
    X, y = shop
    X = X.assign(city=X["city"].mask(X["city"] == "Nice"))
    summary = pt.TablePartitioner().fit(X, y).summary()
    rows = summary.set_index("column")
    names = ["age", "day", "size", "city"]
    assert rows.loc[names, "kind"].tolist() == ["numeric", "datetime", "ordered", "categorical"]
    assert rows["values"].to_dict() == {name: X[name].nunique() for name in X}
    assert rows["missing"].to_dict() == X.isna().sum().to_dict()
    assert rows["level"].tolist() == sorted(rows["level"], reverse=True)
    assert {"parts", "cost"} <= set(rows.columns)


def test_summary_says_why_a_column_has_one_part(shop):
    X, y = shop
    X = X.assign(constant="same", empty=None)
    enc = pt.TablePartitioner().fit(X, y)
    rows = enc.summary().set_index("column")
    for name, p in enc.partitions_.items():
        why = rows.loc[name, "why"]
        assert bool(why) == (p.n_parts == 1)
    assert len({rows.loc[name, "why"] for name in ("city", "constant", "empty")}) == 3


def test_kind_of_a_column_may_be_chosen(shop):
    X, y = shop
    enc = pt.TablePartitioner(kinds={"children": "categorical", "size": "categorical"}).fit(X, y)
    assert isinstance(enc.partitions_["children"], pt.Groups)
    assert enc.partitions_["children"].to_dict() == pt.group(X["children"], y).to_dict()
    free = pt.group(pd.Series(X["size"].astype(str), name="size"), y)
    assert enc.partitions_["size"].cost == free.cost
    assert isinstance(enc.partitions_["age"], pt.Intervals)


def test_boolean_may_be_numeric(shop):
    X, y = shop
    enc = pt.TablePartitioner(kinds={"member": "numeric"}).fit(X, y)
    assert enc.partitions_["member"].cuts.tolist() == [0.5]


def test_order_of_a_column_may_be_given(shop):
    X, y = shop
    text = X.assign(size=X["size"].astype(str))
    free = pt.TablePartitioner().fit(text, y).partitions_["size"]
    given = pt.TablePartitioner(ordered={"size": SIZES}).fit(text, y).partitions_["size"]
    assert given.cost == pt.group(X["size"], y).cost
    assert given.cost != free.cost
    assert given.groups == (("S", "M"), ("L", "XL"))


def test_columns_without_information_are_kept_unless_dropped(shop):
    X, y = shop
    X = X.assign(constant="same")
    kept = pt.TablePartitioner().fit(X, y)
    assert np.asarray(kept.transform(X)).shape == X.shape
    dropped = pt.TablePartitioner(drop_uninformative=True).fit(X, y)
    names = [name for name in X if name not in ("city", "constant")]
    assert dropped.get_feature_names_out().tolist() == names
    assert np.asarray(dropped.transform(X)).shape == (900, len(names))
    assert set(dropped.partitions_) == set(X.columns)
    assert len(dropped.summary()) == 7


def test_table_without_any_information_may_be_dropped_whole():
    X = pd.DataFrame({"a": ["x", "y"] * 20, "b": [1.0, 2.0] * 20})
    enc = pt.TablePartitioner(drop_uninformative=True).fit(X, [0, 0, 1, 1] * 10)
    assert np.asarray(enc.transform(X)).shape == (40, 0)


def test_polars_enum_is_ordered_and_text_is_not():
    x = pl.Series("size", SIZES * 20, dtype=pl.Enum(SIZES))
    X = pl.DataFrame({"size": x, "text": SIZES * 20})
    parts = pt.TablePartitioner().fit(X, [0, 1, 0, 1] * 20).partitions_
    assert parts["size"].n_parts == 4
    assert parts["text"].n_parts == 2


def test_array_of_numbers_is_cut_and_array_of_text_is_grouped(shop):
    X, y = shop
    numbers = pt.TablePartitioner().fit(X[["age", "children"]].to_numpy(float), y)
    assert all(isinstance(p, pt.Intervals) for p in numbers.partitions_.values())
    text = pt.TablePartitioner().fit(X[["city"]].to_numpy(str), y)
    assert all(isinstance(p, pt.Groups) for p in text.partitions_.values())


def test_object_array_has_the_kinds_of_its_columns(shop):
    X, y = shop
    mixed = X[["age", "city", "member"]].astype(object).to_numpy()
    parts = pt.TablePartitioner().fit(mixed, y).partitions_
    assert [type(p) for p in parts.values()] == [pt.Intervals, pt.Groups, pt.Groups]


def test_missing_values_of_every_kind_have_the_code_behind_the_parts(shop):
    X, y = shop
    enc = pt.TablePartitioner().fit(X, y)
    gap = (
        X.astype(object)
        .iloc[:1]
        .map(lambda _: None)
        .astype({"age": float, "children": "Int64", "day": "M8[ns]", "size": X["size"].dtype})
    )
    codes = np.asarray(enc.transform(gap))[0]
    assert codes.tolist() == [p.n_parts for p in enc.partitions_.values()]


def test_other_categories_at_transform_are_unseen(shop):
    X, y = shop
    enc = pt.TablePartitioner(kinds={"children": "categorical"}).fit(X, y)
    new = X.iloc[:2].assign(city=["Rome", "Lyon"], children=[77, 1])
    codes = pd.DataFrame(np.asarray(enc.transform(new)), columns=list(X))
    for name in ("city", "children"):
        p = enc.partitions_[name]
        unseen = p.n_parts + 1 if p.garbage is None else p.garbage
        assert codes[name].tolist()[0] == unseen
        assert codes[name].tolist()[1] < p.n_parts


def test_one_method_serves_both_kinds_and_a_dict_names_one_each(mixed_of_methods):
    X, y = mixed_of_methods
    one = pt.TablePartitioner(method="gain-ratio").fit(X, y).partitions_
    assert {p.method for p in one.values()} == {"gain-ratio"}
    each = pt.TablePartitioner(
        method={"numeric": "fusinter", "categorical": "chaid"},
        method_params={"numeric": {"alpha": 0.9}, "categorical": {"alpha": 0.01}},
    ).fit(X, y)
    assert [p.method for p in each.partitions_.values()] == ["fusinter", "chaid"]
    alone = pt.discretize(X["age"], y, method="fusinter", method_params={"alpha": 0.9})
    np.testing.assert_array_equal(each.partitions_["age"].cuts, alone.cuts)


def test_no_method_makes_a_part_of_each_value(mixed_of_methods):
    X, y = mixed_of_methods
    found = pt.TablePartitioner(method="none").fit(X, y).partitions_
    assert [p.n_parts for p in found.values()] == [X["age"].nunique(), X["city"].nunique()]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (
            {"method": {"text": "modl"}},
            "TablePartitioner: method must be a dict with the keys 'numeric' and 'categorical'; "
            "got {'text': 'modl'}.",
        ),
    ],
)
def test_methods_that_do_not_fit_the_columns_are_refused(mixed_of_methods, parameters, message):
    X, y = mixed_of_methods
    with pytest.raises(ValueError, match=re.escape(message)):
        pt.TablePartitioner(**parameters).fit(X, y)


def test_an_unknown_method_is_refused_with_those_of_both_kinds(mixed_of_methods):
    with pytest.raises(ValueError, match=r"^TablePartitioner: method must be 'modl', .*'chaid'"):
        pt.TablePartitioner(method="frob").fit(*mixed_of_methods)


@pytest.fixture(scope="module")
def mixed_of_methods():
    """Make a number and a category that both tell the class."""
    rng = np.random.default_rng(3)
    y = rng.integers(2, size=400)
    age = (20 * y + rng.integers(0, 40, size=400)).astype(float)
    city = np.array(["Lyon", "Nice", "Paris", "Lille"])[(y + rng.integers(0, 3, size=400)) % 4]
    return pd.DataFrame({"age": age, "city": city}), y
