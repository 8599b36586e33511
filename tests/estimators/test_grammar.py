"""One name for one thing in every estimator and function; old names are refused by the new ones."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.base import is_regressor
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

import partage as pt


@pytest.fixture
def mixed():
    """Numbers, text and gaps, which say something of two classes."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=300)
    age = y * 10 + rng.normal(0, 8, 300)
    city = np.where(rng.random(300) < 0.7, np.where(y, "Lyon", "Paris"), "Nice")
    return pd.DataFrame({"age": age, "city": city}), y


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: pt.DataBinarizer(monotone={}),
            "DataBinarizer: the parameter 'monotone' is called 'monotonic'.",
        ),
        (
            lambda: pt.LADClassifier(monotone={}),
            "LADClassifier: the parameter 'monotone' is called 'monotonic'.",
        ),
        (
            lambda: pt.Scorecard(least_parts=1),
            "Scorecard: the parameter 'least_parts' is called 'min_parts'.",
        ),
        (
            lambda: pt.GraphPartitioner(n_centres=1),
            "GraphPartitioner: the parameter 'n_centres' is called 'n_centers'.",
        ),
        (
            lambda: pt.rank_subsets(df=[[0.0]], y=[0]),
            "rank_subsets: the parameter 'df' is called 'X'.",
        ),
        (
            lambda: pt.Grouper(search="auto"),
            "Grouper: there is no parameter 'search': each method for groups has one search; "
            "leave it out.",
        ),
        (
            lambda: pt.group([0], [0], search="auto"),
            "group: there is no parameter 'search': each method for groups has one search; "
            "leave it out.",
        ),
        (
            lambda: pt.Discretizer(max_part=3),
            "Discretizer: there is no parameter 'max_part'; did you mean 'max_parts'?",
        ),
        (lambda: pt.discretize([0], [0], zzz=3), "discretize: there is no parameter 'zzz'."),
    ],
)
def test_unknown_parameters_are_refused_by_the_name_to_use(call, message):
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        call()


def test_the_alias_of_the_selected_features_is_gone(mixed):
    assert not hasattr(pt.SelectiveNaiveBayesClassifier().fit(*mixed), "selected_")


@pytest.mark.parametrize(
    ("method", "numeric", "categorical"),
    [("mdlpc", "mdlpc", "modl"), ("chaid", "modl", "chaid"), ("gain-ratio",) * 3],
)
@pytest.mark.parametrize("make", [pt.TablePartitioner, pt.NaiveBayesClassifier])
def test_a_method_of_one_kind_leaves_the_other_to_modl(mixed, make, method, numeric, categorical):
    found = make(method=method).fit(*mixed).partitions_
    assert [p.method for p in found.values()] == [numeric, categorical]


def test_a_grid_search_over_methods_runs_on_a_mixed_table(mixed):
    from sklearn.linear_model import LogisticRegression

    model = make_pipeline(
        pt.TablePartitioner(), OneHotEncoder(handle_unknown="ignore"), LogisticRegression()
    )
    grid = {"tablepartitioner__method": ["modl", "mdlpc", "chaid", "khiops", "fusinter"]}
    search = GridSearchCV(model, grid, cv=2, error_score="raise").fit(*mixed)
    assert search.best_score_ > 0.6


def test_the_search_of_a_table_is_that_of_its_numbers(mixed):
    X, y = mixed
    found = pt.TablePartitioner(search="bottom-up").fit(X, y).partitions_
    alone = pt.discretize(X["age"], y, search="bottom-up")
    assert found["age"].is_optimal == alone.is_optimal
    np.testing.assert_array_equal(found["age"].cuts, alone.cuts)
    with pytest.raises(
        ValueError, match=r"^TablePartitioner: search for method='modl' must be 'exact', "
    ):
        pt.TablePartitioner(search="frob").fit(X, y)


def test_subsets_are_ranked_by_a_target_among_the_columns():
    X, y = pt.datasets.make_xor(100, seed=0)
    frame = pd.DataFrame(X, columns=["a", "b"]).assign(label=y)
    pd.testing.assert_frame_equal(
        pt.rank_subsets(frame, target="label"), pt.rank_subsets(frame[["a", "b"]], y)
    )


ESTIMATORS = [pt.TablePartitioner, pt.NaiveBayesClassifier, pt.SelectiveNaiveBayesClassifier]


@pytest.mark.parametrize("make", [*ESTIMATORS, pt.Scorecard])
def test_a_fitted_estimator_gives_the_partition_of_a_column(mixed, make):
    model = make().fit(*mixed)
    assert model["age"] is model.partitions_["age"]
    with pytest.raises(KeyError, match=f"{make.__name__}: no column 'agee' was fitted; did you me"):
        _ = model["agee"]
    with pytest.raises(KeyError, match=r"no column 3 was fitted; it has 'age', 'city'\."):
        _ = model[3]
    with pytest.raises(KeyError):
        list(model)


@pytest.mark.parametrize("make", [*ESTIMATORS, pt.Scorecard])
def test_given_partitions_are_kept_and_counted_on_the_rows(mixed, make):
    X, y = mixed
    edited = pt.discretize(X["age"][:100], y[:100]).set_cuts([0.0, 12.5])
    model = make(partitions={"age": edited}).fit(X, y)
    np.testing.assert_array_equal(model["age"].cuts, [0.0, 12.5])
    np.testing.assert_array_equal(model["age"].counts, edited.recount(X["age"], y).counts)
    other = make().fit(X, y)
    assert model["city"] == other["city"]


@pytest.mark.parametrize(
    ("make", "column", "function"),
    [(pt.Discretizer, "age", pt.discretize), (pt.Grouper, "city", pt.group)],
)
def test_partitioners_of_one_kind_take_given_partitions(mixed, make, column, function):
    X, y = mixed
    given = function(X[column], y).merge(0, 1)
    model = make(partitions={column: given}, output="woe")
    out = model.fit_transform(X[[column]], y)
    assert model[column].n_parts == given.n_parts
    np.testing.assert_array_equal(model.transform(X[[column]]), out)
    pieces = make(partitions={column: given})
    for some in (slice(0, 150), slice(150, 300)):
        pieces.partial_fit(X[[column]][some], y[some])
    np.testing.assert_array_equal(pieces[column].counts, model[column].counts)


def test_given_partitions_that_fit_no_column_are_refused(mixed):
    X, y = mixed
    given = pt.discretize(X["age"], y)
    with pytest.raises(ValueError, match=r"^TablePartitioner.fit: partitions must name columns of"):
        pt.TablePartitioner(partitions={"height": given}).fit(X, y)
    with pytest.raises(
        TypeError, match=r"^TablePartitioner.fit: partitions\['city'\] must fit its"
    ):
        pt.TablePartitioner(partitions={"city": given}).fit(X, y)
    with pytest.raises(ValueError, match=r"^Scorecard: partitions must be a dict of partitions"):
        pt.Scorecard(partitions=[given]).fit(X, y)


@pytest.fixture
def banded():
    """Ordered bands and numbers, whose rates rise in one month and not in another."""
    rng = np.random.default_rng(1)
    band = rng.integers(5, size=2000)
    month = np.array(["jan", "feb"])[rng.integers(2, size=2000)]
    rate = np.where(month == "jan", 0.05 + 0.2 * band, 0.5 - 0.2 * (band > 2))
    y = (rng.random(2000) < rate).astype(int)
    names = np.array(["a", "b", "c", "d", "e"])[band]
    return pd.DataFrame({"band": names, "score": band.astype(float), "month": month}), y


def has_rising_rates(partition, x, y):
    """Whether the share of the second class rises from part to part."""
    rates = [y[partition.assign(x) == k].mean() for k in range(partition.n_parts)]
    return all(np.diff(rates) >= -1e-12)


@pytest.mark.filterwarnings("ignore:.*one part only")
def test_segments_are_a_column_or_an_array_in_estimators_and_an_array_in_functions(banded):
    X, y = banded
    levels = list("abcde")
    asked = {"monotonic": "ascending", "by": X["month"]}
    interval = pt.discretize(X["score"], y, **asked)
    groups = pt.group(X["band"], y, ordered=levels, **asked)
    for month in ("jan", "feb"):
        inside = (X["month"] == month).to_numpy()
        assert has_rising_rates(interval, X["score"][inside], y[inside])
        assert has_rising_rates(groups, X["band"][inside], y[inside])
    for by in ("month", X["month"], X["month"].tolist()):
        model = pt.TablePartitioner(monotonic="ascending", by=by, ordered={"band": levels})
        model.fit(X, y)
        assert model["score"].cuts.tolist() == interval.cuts.tolist()
        assert model["band"].groups == groups.groups
    by_array = pt.Grouper(monotonic="ascending", by=X["month"], ordered={"band": levels})
    assert by_array.fit(X[["band"]], y)["band"].groups == groups.groups
    free = pt.Grouper(monotonic="ascending", ordered={"band": levels}).fit(X[["band"]], y)
    assert free["band"].n_parts > groups.n_parts


def test_segments_must_be_those_of_the_rows(banded):
    X, y = banded
    with pytest.raises(
        ValueError,
        match=r"^Grouper.fit: by must hold one segment for each of the 2000 rows, or name a column "
        r"of X; got 3\.$",
    ):
        pt.Grouper(monotonic="ascending", by=["a", "b", "c"]).fit(X[["band"]], y)
    with pytest.raises(ValueError, match=r"^group: by needs monotonic"):
        pt.group(X["band"], y, by=X["month"])


def test_limits_of_ordered_values_spare_columns_without_an_order(banded):
    X, y = banded
    found = pt.Grouper(min_class_count=150, ordered={"band": list("abcde")}).fit(
        X[["band", "month"]], y
    )
    assert found["band"].counts.min() >= 150
    assert found["month"].n_parts > 0
    with pytest.raises(ValueError, match=r"column 'month': min_class_count is for numbers and ord"):
        pt.Grouper(min_class_count={"month": 5}).fit(X[["month"]], y)


def test_a_share_of_the_rows_counts_missing_and_special_ones():
    rng = np.random.default_rng(2)
    y = rng.integers(2, size=1000)
    x = y * 3 + rng.normal(size=1000)
    x[:400], x[400:600] = np.nan, -999.0
    wanted = pt.discretize(x, y, min_part_size=150, special_values=[-999])
    share = pt.discretize(x, y, min_part_size=0.15, special_values=[-999])
    np.testing.assert_array_equal(share.cuts, wanted.cuts)
    assert share.counts.sum(axis=1).min() >= 150
    assert share.constraints == {"min_part_size": 0.15}
    words = np.where(np.isnan(x), None, np.where(x < 0, "low", np.where(x < 2, "mid", "high")))
    words[400:600] = "unknown"
    groups = pt.group(words, y, min_part_size=0.15, special_values=["unknown"])
    assert groups.counts.sum(axis=1).min() >= 150
    with pytest.raises(pt.NotPartitionableError, match="every part must weigh at least 500"):
        pt.discretize(x, y, min_part_size=0.5, special_values=[-999])


@pytest.mark.parametrize("name", [n for n in pt.__all__ if hasattr(getattr(pt, n), "get_params")])
def test_every_estimator_takes_threads_and_gives_the_same_with_them(name, steps):
    make = getattr(pt, name)
    X, y = steps
    if is_regressor(make()):
        y = np.unique(y, return_inverse=True)[1].astype(float)
    alone, beside = (make(n_jobs=n).fit(X, y) for n in (None, 2))
    asked = ("transform", "predict_proba", "predict")
    ask = next(method for method in asked if hasattr(alone, method))
    np.testing.assert_array_equal(getattr(alone, ask)(X), getattr(beside, ask)(X))


def test_words_and_signs_give_the_same_directions(mixed):
    X, y = mixed
    words = pt.DataBinarizer(monotonic={"age": "ascending"}).fit(X, y)
    signs = pt.DataBinarizer(monotonic={"age": 1}).fit(X, y)
    assert words.discriminants_ == signs.discriminants_


def test_the_summary_documents_its_columns(mixed):
    model = pt.TablePartitioner().fit(*mixed)
    text = model.summary.__doc__.split("Returns")[1]
    assert [name for name in model.summary().columns if f"``{name}``" not in text] == []
