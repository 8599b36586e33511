"""DataBinarizer: kinds of columns, outputs, reports, limits, messages."""

import pickle
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

import partage as pt
from helpers import assert_refuses
from reference import binarization as slow


@pytest.fixture(scope="module")
def mixed():
    """Build a table of every kind of column, with gaps, and its classes."""
    rng = np.random.default_rng(3)
    n = 120
    size = pd.Categorical(
        rng.choice(["S", "M", "L"], n), categories=["S", "M", "L", "XL"], ordered=True
    )
    frame = pd.DataFrame(
        {
            "age": np.where(rng.random(n) < 0.1, np.nan, rng.integers(20, 60, n)),
            "size": size,
            "colour": pd.Series(rng.choice(["red", "blue", "grey", None], n), dtype=object),
            "member": rng.random(n) < 0.5,
            "since": pd.to_datetime("2020-01-01") + pd.to_timedelta(rng.integers(0, 40, n), "D"),
        }
    )
    y = np.where((frame["age"].fillna(0) > 40) ^ frame["member"], "yes", "no")
    return frame, y


def names(fitted):
    return [str(d) for d in fitted.discriminants_]


def test_discriminants_say_column_kind_value_and_merit(mixed):
    fitted = pt.DataBinarizer(consistency=3).fit(*mixed)
    for d in fitted.discriminants_:
        assert d.column in mixed[0].columns
        assert d.kind == ("value" if d.column in ("colour", "member") else "threshold")
        sign = ">" if d.kind == "threshold" else "="
        assert str(d).startswith(f"{d.column} {sign} ")
        assert d.merit >= 0
    assert fitted.n_candidates_ >= len(fitted.discriminants_)


def test_local_merit_is_that_of_the_definition():
    columns = [("x", "ordered", [1, 2, 3, 4, 5, 6]), ("w", "unordered", list("abcabc"))]
    y = np.array(list("pqpqpq"))
    labels, bits, owner = slow.candidates(columns, y)
    _, apart = slow.separations(bits, y)
    frame = pd.DataFrame({"x": [1.0, 2, 3, 4, 5, 6], "w": list("abcabc")})
    for merit in ("local", "global"):
        fitted = pt.DataBinarizer(consistency=2, merit=merit).fit(frame, y)
        kept = [labels.index(name) for name in names(fitted)]
        for d, tau in zip(fitted.discriminants_, kept, strict=True):
            local = slow.local_conflicts(apart, owner, kept, tau).sum()
            assert d.merit == (local if merit == "local" else apart[:, tau].sum())


@pytest.mark.parametrize("method", ["ideal", "ideal-by-attribute", "greedy", "simple-greedy"])
def test_transform_is_what_the_conditions_say(mixed, method):
    X, y = mixed
    fitted = pt.DataBinarizer(method=method).fit(X, y)
    bits = fitted.transform(X)
    assert bits.dtype == np.uint8
    levels = {"S": 0, "M": 1, "L": 2, "XL": 3}
    for d, column in zip(fitted.discriminants_, bits.T, strict=True):
        values = X[d.column]
        if d.column == "size":
            wanted = [levels[v] > levels[d.value] for v in values]
        elif d.kind == "threshold":
            wanted = (values > d.value).to_numpy()
        else:
            wanted = (values == d.value).to_numpy()
        np.testing.assert_array_equal(column, wanted)


def test_outputs_hold_the_same_bits(mixed):
    X, y = mixed
    plain = pt.DataBinarizer().fit(X, y).transform(X)
    flags = pt.DataBinarizer(output="bool").fit(X, y).transform(X)
    thin = pt.DataBinarizer(output="sparse").fit(X, y).transform(X)
    assert flags.dtype == bool
    assert sparse.issparse(thin)
    assert thin.dtype == np.uint8
    np.testing.assert_array_equal(flags, plain == 1)
    np.testing.assert_array_equal(thin.toarray(), plain)


def test_named_columns_in_frames(mixed):
    X, y = mixed
    fitted = pt.DataBinarizer().fit(X, y).set_output(transform="pandas")
    frame = fitted.transform(X)
    assert list(frame.columns) == names(fitted) == list(fitted.get_feature_names_out())


def test_a_number_and_its_text_have_different_names():
    X = pd.DataFrame({"v": pd.Series([1, "1", 2, 1, "1", 2], dtype=object)})
    fitted = pt.DataBinarizer(method="greedy", consistency=2).fit(X, list("abcabc"))
    found = fitted.get_feature_names_out().tolist()
    assert len(set(found)) == len(found) == 3
    assert {"v = 1", "v = '1'"} <= set(found)


def test_missing_and_unknown_values_satisfy_nothing(mixed):
    X, y = mixed
    fitted = pt.DataBinarizer(consistency=3).fit(X, y)
    gap = X.iloc[[0]].copy()
    gap["age"] = np.nan
    gap["colour"] = "never seen"
    gap["since"] = pd.NaT
    bits = dict(zip(names(fitted), fitted.transform(gap)[0], strict=True))
    assert any(d.column == "age" for d in fitted.discriminants_)
    for d in fitted.discriminants_:
        if d.column in ("age", "colour", "since"):
            assert bits[str(d)] == 0


def test_polars_arrays_and_pandas_agree(mixed):
    X, y = mixed
    numbers = X[["age"]].assign(day=(X["since"] - X["since"].min()).dt.days.astype(float))
    by_pandas = pt.DataBinarizer(consistency=2).fit(numbers, y)
    by_polars = pt.DataBinarizer(consistency=2).fit(pl.from_pandas(numbers), y)
    by_array = pt.DataBinarizer(consistency=2).fit(numbers.to_numpy(), y)
    assert names(by_pandas) == names(by_polars)
    renamed = [name.replace("x0", "age").replace("x1", "day") for name in names(by_array)]
    assert names(by_pandas) == renamed


def test_ordered_gives_text_an_order():
    X = pd.DataFrame({"size": ["S", "L", "M", "S", "L", "M"]})
    fitted = pt.DataBinarizer(ordered={"size": ["S", "M", "L"]}).fit(X, list("abbabb"))
    assert names(fitted) == ["size > S"]
    assert fitted.transform(X).ravel().tolist() == [0, 1, 1, 0, 1, 1]


def test_levels_that_no_row_held_follow_their_rank():
    kind = pd.CategoricalDtype(["a", "b", "c", "d"], ordered=True)
    X = pd.DataFrame({"v": pd.Series(["a", "c", "a", "c"], dtype=kind)})
    fitted = pt.DataBinarizer().fit(X, [0, 1, 0, 1])
    new = pd.DataFrame({"v": pd.Series(["a", "b", "c", "d"], dtype=kind)})
    assert names(fitted) == ["v > b"]
    assert fitted.transform(new).ravel().tolist() == [0, 0, 1, 1]


def test_contradictions_are_counted_and_do_not_block():
    X = np.array([[1.0], [1.0], [2.0], [3.0]])
    y = ["a", "b", "a", "b"]
    fitted = pt.DataBinarizer().fit(X, y)
    report = fitted.consistency_report(X, y)
    assert report.n_pairs == 4
    assert report.n_inseparable == 1
    assert report.n_unseparated == 1
    assert report.smallest_separation == 0


@pytest.mark.parametrize("c", [1, 2, 3])
def test_report_is_what_brute_force_counts(mixed, c):
    X, y = mixed
    fitted = pt.DataBinarizer(consistency=c).fit(X, y)
    report = fitted.consistency_report(X, y)
    columns = [
        ("age", "ordered", [None if np.isnan(v) else v for v in X["age"]]),
        ("size", "ordered", X["size"].cat.codes.tolist()),
        ("colour", "unordered", [None if pd.isna(v) else v for v in X["colour"]]),
        ("member", "unordered", X["member"].tolist()),
        ("since", "ordered", X["since"].astype("int64").tolist()),
    ]
    labels, bits, owner = slow.candidates(columns, y)
    _, apart = slow.separations(bits, y)
    assert fitted.n_candidates_ == len(labels)
    kept = np.flatnonzero(fitted._kept)
    separators = apart[:, kept].sum(axis=1)
    assert report.consistency == c
    assert report.n_pairs == len(apart)
    assert report.smallest_separation == separators.min()
    assert report.n_unseparated == (separators == 0).sum()
    assert report.n_short == (separators < c).sum()
    assert report.n_inseparable == (apart.sum(axis=1) == 0).sum()
    table = report.columns.set_index("column")
    for index, name in enumerate(X.columns):
        mine = [k for k in kept if owner[k] == index]
        assert table.loc[name, "candidates"] == (owner == index).sum()
        assert table.loc[name, "kept"] == len(mine)
        assert table.loc[name, "pairs"] == apart[:, mine].any(axis=1).sum()


def test_report_knows_directions():
    X = pd.DataFrame({"x": [1.0, 2, 3, 4], "z": [4.0, 3, 2, 1]})
    y = ["a", "b", "a", "b"]
    fitted = pt.DataBinarizer(monotonic={"x": 1, "z": 1}).fit(X, y)
    # Of the pairs a-b, x rises for three, z for one: the one where x falls.
    report = fitted.consistency_report(X, y)
    assert report.n_unseparated == 0
    assert report.columns["pairs"].tolist() == [3, 1]


def test_report_of_one_class_has_no_pairs():
    fitted = pt.DataBinarizer().fit([[1.0], [2.0]], ["a", "b"])
    report = fitted.consistency_report([[1.0], [2.0]], ["a", "a"])
    assert (report.n_pairs, report.smallest_separation, report.n_short) == (0, None, 0)


@pytest.mark.parametrize("method", ["ideal", "greedy", "tree"])
def test_max_discriminants_is_never_exceeded(mixed, method):
    X, y = mixed
    for most in (1, 2, 4):
        fitted = pt.DataBinarizer(method=method, max_discriminants=most).fit(X, y)
        assert len(fitted.discriminants_) <= most
    assert len(fitted.discriminants_) > 1


def test_more_tolerance_keeps_fewer_conditions(mixed):
    X, y = mixed
    sizes = [
        len(pt.DataBinarizer(tolerance=share).fit(X, y).discriminants_)
        for share in (0.0, 0.01, 0.1, 0.4)
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] < sizes[0]


def test_columns_without_information_give_no_condition():
    X = pd.DataFrame({"same": ["a"] * 4, "gone": [np.nan] * 4, "x": [1.0, 2, 3, 4]})
    fitted = pt.DataBinarizer().fit(X, [0, 0, 1, 1])
    assert names(fitted) == ["x > 2.5"]
    useless = pt.DataBinarizer().fit(X[["same", "gone"]], [0, 0, 1, 1])
    assert useless.discriminants_ == ()
    assert useless.transform(X[["same", "gone"]]).shape == (4, 0)


def test_fitted_object_survives_pickle_clone_and_pipeline(mixed):
    X, y = mixed
    fitted = pt.DataBinarizer(consistency=2).fit(X, y)
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.transform(X), fitted.transform(X))
    assert names(clone(fitted).fit(X, y)) == names(fitted)
    model = make_pipeline(pt.DataBinarizer(), DecisionTreeClassifier(random_state=0)).fit(X, y)
    # Rows without an age may look like rows of the other class.
    assert model.score(X, y) > 0.9


def test_target_may_be_a_column(mixed):
    X, y = mixed
    whole = X.assign(bought=y)
    assert names(pt.DataBinarizer().fit(whole, target="bought")) == names(
        pt.DataBinarizer().fit(X, y)
    )


BAD = [
    ({"consistency": 0}, "consistency must be an integer of at least 1; got 0."),
    ({"consistency": None}, "consistency must be an integer of at least 1; got None."),
    ({"consistency": 1.5}, "consistency must be an integer of at least 1; got 1.5."),
    ({"tolerance": 1}, "tolerance must be a number of at least 0 and below 1; got 1."),
    ({"tolerance": -0.1}, "tolerance must be a number of at least 0 and below 1; got -0.1."),
    ({"tolerance": "low"}, "tolerance must be a number of at least 0 and below 1; got 'low'."),
    ({"tolerance": float("nan")}, "tolerance must be a number of at least 0 and below 1; got nan."),
    ({"merit": "best"}, "merit must be 'local' or 'global'; got 'best'."),
    ({"output": "csr"}, "output must be 'uint8', 'bool' or 'sparse'; got 'csr'."),
    (
        {"method": "IDEAL"},
        "method must be 'ideal', 'ideal-by-attribute', 'simple-greedy', 'greedy' or 'tree'; got "
        "'IDEAL'.",
    ),
    (
        {"method": "simple-greedy", "consistency": 2},
        "consistency must be 1 with method='simple-greedy'; got 2. Use 'ideal' or 'greedy'.",
    ),
    (
        {"method": "greedy", "early_stopping": 5},
        "early_stopping must be None with method='greedy', which eliminates nothing; got 5. Use "
        "max_discriminants or tolerance.",
    ),
    (
        {"method": "tree", "tolerance": 0.1},
        "method='tree' takes neither tolerance nor monotonic, since it counts no pairs; use "
        "'ideal' or 'greedy'.",
    ),
    (
        {"max_discriminants": 0},
        "max_discriminants must be an integer of at least 1 or None; got 0.",
    ),
    ({"early_stopping": -1}, "early_stopping must be an integer of at least 1 or None; got -1."),
    ({"monotonic": "up"}, "monotonic must be a dict or None; got 'up'."),
    (
        {"monotonic": {"age": 2}},
        "monotonic['age'] must be 'ascending', 'descending', +1 or -1; got 2.",
    ),
    ({"kinds": ["age"]}, "kinds must be a dict or None; got ['age']."),
]


@pytest.mark.parametrize(("params", "message"), BAD)
def test_parameter_that_breaks_its_rule_is_refused(mixed, params, message):
    assert_refuses(
        lambda: pt.DataBinarizer(**params).fit(*mixed), ValueError, f"DataBinarizer: {message}"
    )


def test_monotone_column_must_exist_and_have_an_order(mixed):
    X, y = mixed
    with pytest.raises(
        ValueError, match=re.escape("monotonic must name columns of X; got 'weight'")
    ):
        pt.DataBinarizer(monotonic={"weight": 1}).fit(X, y)
    assert_refuses(
        lambda: pt.DataBinarizer(monotonic={"colour": 1}).fit(X, y),
        ValueError,
        "DataBinarizer.fit: monotonic must name columns with an order; got 'colour', whose values "
        "have none. Give its order in ordered, or leave it out.",
    )


def test_one_class_is_refused():
    assert_refuses(
        lambda: pt.DataBinarizer().fit([[1.0], [2.0]], ["a", "a"]),
        ValueError,
        "DataBinarizer.fit: y must hold at least two classes; got one class, 'a': there is nothing "
        "to separate.",
    )


def test_text_declared_numeric_is_refused(mixed):
    X, y = mixed
    assert_refuses(
        lambda: pt.DataBinarizer(kinds={"colour": "numeric"}).fit(X, y),
        TypeError,
        "DataBinarizer.fit: kinds['colour'] says 'numeric', but the column holds text; convert it "
        "to numbers, or say 'categorical' or 'ordered'.",
    )


def test_lengths_must_fit(mixed):
    X, y = mixed
    with pytest.raises(ValueError, match=r"^DataBinarizer\.fit: "):
        pt.DataBinarizer().fit(X, y[:-1])
    with pytest.raises(ValueError, match=r"^DataBinarizer\.consistency_report: "):
        pt.DataBinarizer().fit(X, y).consistency_report(X, y[:-1])


def test_a_greedy_cover_that_needs_too_much_memory_is_refused(mixed, monkeypatch):
    monkeypatch.setattr("partage._estimators.binarization.binarizer._MOST_PAIRS", 20)
    assert_refuses(
        lambda: pt.DataBinarizer(method="greedy", consistency=3).fit(*mixed),
        MemoryError,
        "DataBinarizer.fit: method='greedy' with consistency=3 would hold more than 20 pairs of "
        "groups of rows; use method='ideal', a smaller consistency, or fewer rows.",
    )
    assert pt.DataBinarizer(consistency=3).fit(*mixed).discriminants_
