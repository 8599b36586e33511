"""LADClassifier: patterns, votes, explanations, messages."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

import partage as pt
from helpers import assert_refuses

# Every pattern votes, by coverage.
EVERY = {"discriminants": "cover", "theory": "all", "cut_style": "midpoint"}


@pytest.fixture(scope="module")
def loans():
    """Build a table whose class is a rule of two columns, with gaps, and its classes."""
    rng = np.random.default_rng(5)
    n = 200
    frame = pd.DataFrame(
        {
            "income": rng.integers(10, 90, n).astype(float),
            "job": rng.choice(["clerk", "cook", "pilot"], n),
            "noise": rng.normal(size=n),
        }
    )
    y = np.where((frame["income"] > 50) & (frame["job"] != "cook"), "yes", "no")
    frame.loc[rng.random(n) < 0.05, "noise"] = np.nan
    return frame, y


def covers(pattern, frame):
    """Which rows satisfy the conditions of a pattern, read from their text."""
    rows = np.ones(len(frame), dtype=bool)
    for condition in pattern.conditions:
        name, sign, value = condition.split(" ")
        column = frame[name]
        if sign in (">", "<="):
            is_above = (column > float(value)).to_numpy()
            rows &= (is_above if sign == ">" else ~is_above) & column.notna().to_numpy()
        else:
            rows &= ((column == value) if sign == "=" else (column != value)).to_numpy()
    return rows


@pytest.mark.parametrize("patterns", ["prime", "maximal"])
def test_a_rule_is_learnt_and_read(loans, patterns):
    X, y = loans
    lad = pt.LADClassifier(consistency=1, patterns=patterns, **EVERY).fit(X, y)
    assert lad.score(X, y) == 1.0
    widest = max((p for p in lad.patterns_ if p.label == "yes"), key=lambda p: p.support)
    assert {c.split(" ")[0] for c in widest.conditions} == {"income", "job"}
    assert any(p.conditions == ("job = cook",) for p in lad.patterns_ if p.label == "no")


@pytest.mark.parametrize("patterns", ["priced", "prime", "maximal"])
@pytest.mark.parametrize("precision", [1.0, 0.8])
@pytest.mark.parametrize("theory", ["weights", "all"])
def test_patterns_say_what_they_cover(loans, patterns, precision, theory):
    X, y = loans
    lad = pt.LADClassifier(patterns=patterns, min_precision=precision, theory=theory).fit(X, y)
    coverage = lad.coverage(X).toarray()
    for k, pattern in enumerate(lad.patterns_):
        rows = covers(pattern, X)
        np.testing.assert_array_equal(coverage[:, k], rows)
        assert pattern.n_positive == (rows & (y == pattern.label)).sum()
        assert pattern.n_negative == (rows & (y != pattern.label)).sum()
        assert pattern.support == pytest.approx(pattern.n_positive / (y == pattern.label).sum())
        assert pattern.precision >= precision - 1e-9
        assert str(pattern).startswith(" and ".join(pattern.conditions) + f" -> {pattern.label} (")


def test_degree_bound_holds_where_every_row_has_a_short_pattern(loans):
    X, y = loans
    lad = pt.LADClassifier(max_degree=2, consistency=1, patterns="prime", **EVERY).fit(X, y)
    assert max(len(p.conditions) for p in lad.patterns_) <= 2


def test_min_support_leaves_out_narrow_patterns(loans):
    X, y = loans
    lad = pt.LADClassifier(min_support=0.3, consistency=1, patterns="prime", **EVERY).fit(X, y)
    coverage = lad.coverage(X).toarray()
    wide = np.array([p.support >= 0.3 for p in lad.patterns_])
    assert wide.any()
    # A narrow pattern was grown from a row that no wide one of its class covers.
    for k in np.flatnonzero(~wide):
        own = np.array([p.label == lad.patterns_[k].label for p in lad.patterns_])
        rows = coverage[:, k] & (y == lad.patterns_[k].label)
        assert (~coverage[rows][:, own & wide].any(axis=1)).any()


def test_votes_of_each_class_sum_to_one_and_give_the_shares(loans):
    X, y = loans
    lad = pt.LADClassifier(patterns="prime", theory="all").fit(X, y)
    for label in ("no", "yes"):
        assert sum(p.weight for p in lad.patterns_ if p.label == label) == pytest.approx(1.0)
    coverage = lad.coverage(X).toarray()
    votes = np.stack(
        [
            coverage @ np.array([p.weight * (p.label == label) for p in lad.patterns_])
            for label in lad.classes_
        ],
        axis=1,
    )
    shares = lad.predict_proba(X)
    np.testing.assert_allclose(shares, votes / votes.sum(axis=1, keepdims=True), atol=1e-9)
    np.testing.assert_array_equal(lad.predict(X), lad.classes_[shares.argmax(axis=1)])


def test_a_row_that_no_pattern_covers_gets_the_shares_of_the_classes(loans):
    X, y = loans
    lad = pt.LADClassifier(patterns="prime", theory="all").fit(X, y)
    gap = pd.DataFrame({"income": [np.nan], "job": [None], "noise": [np.nan]})
    prior = [(y == label).mean() for label in lad.classes_]
    np.testing.assert_allclose(lad.predict_proba(gap)[0], prior)
    text = str(lad.explain(gap))
    assert text.endswith("no pattern covers it: the shares of the classes decide")


def test_explain_names_the_patterns_that_fired(loans):
    X, y = loans
    lad = pt.LADClassifier(patterns="prime", theory="all").fit(X, y)
    row = X.iloc[[7]]
    told = lad.explain(row)
    fired = [lad.patterns_[k] for k in np.flatnonzero(lad.coverage(row).toarray()[0])]
    assert set(told.patterns) == set(fired)
    assert [p.weight for p in told.patterns] == sorted((p.weight for p in fired), reverse=True)
    assert told.label == lad.predict(row)[0]
    assert list(told.probabilities.values()) == pytest.approx(lad.predict_proba(row)[0].tolist())
    weight = told.patterns[0].weight
    assert str(told).splitlines()[1].strip() == f"{told.patterns[0]}: {weight:.2f} votes"


def test_explain_takes_a_row_in_any_form(loans):
    X, y = loans
    lad = pt.LADClassifier().fit(X, y)
    wanted = lad.explain(X.iloc[[3]])
    assert lad.explain(X.iloc[3]) == wanted
    assert lad.explain(X.iloc[3].to_dict()) == wanted
    numbers = pt.LADClassifier().fit(X[["income"]].to_numpy(), y)
    assert numbers.explain([55.0]) == numbers.explain(np.array([[55.0]]))
    assert lad.explain(X.iloc[[3]][list(X.columns[::-1])]) == wanted
    with pytest.raises(ValueError, match=r"^LADClassifier\.explain: row must be one row; got 2\.$"):
        lad.explain(X.iloc[:2])
    with pytest.raises(TypeError, match=r"^LADClassifier\.explain: row must be a dict, a data"):
        lad.explain(3)


def test_several_classes_are_told_one_against_the_rest(iris):
    X, y = iris
    lad = pt.LADClassifier(consistency=2).fit(X, y)
    assert {p.label for p in lad.patterns_} == {0, 1, 2}
    assert cross_val_score(pt.LADClassifier(), X, y, cv=5).mean() > 0.9


def test_order_of_rows_and_repetition_change_nothing(loans):
    X, y = loans
    order = np.random.default_rng(0).permutation(len(y))
    lad = pt.LADClassifier().fit(X, y)
    assert pt.LADClassifier().fit(X.iloc[order], y[order]).patterns_ == lad.patterns_
    counts = np.random.default_rng(1).integers(0, 3, len(y))
    weighed = pt.LADClassifier().fit(X, y, sample_weight=counts).patterns_
    repeated = pt.LADClassifier().fit(X.loc[X.index.repeat(counts)], np.repeat(y, counts)).patterns_
    assert weighed == repeated


def test_fitted_object_survives_pickle_and_clone(loans):
    X, y = loans
    lad = pt.LADClassifier().fit(X, y)
    again = pickle.loads(pickle.dumps(lad))
    assert again.patterns_ == lad.patterns_
    np.testing.assert_array_equal(again.predict(X), lad.predict(X))
    assert clone(lad).fit(X, y).patterns_ == lad.patterns_


def test_without_conditions_the_largest_class_is_predicted():
    lad = pt.LADClassifier().fit([["a"], ["a"], ["a"]], ["p", "p", "q"])
    assert lad.patterns_ == ()
    assert lad.predict([["a"]]).tolist() == ["p"]


BAD = [
    ({"patterns": "short"}, "patterns must be 'priced', 'prime' or 'maximal'; got 'short'."),
    ({"theory": "some"}, "theory must be 'weights' or 'all'; got 'some'."),
    ({"discriminants": "mdl"}, "discriminants must be 'cover', 'modl' or 'both'; got 'mdl'."),
    ({"max_patterns": 0}, "max_patterns must be an integer of at least 1 or None; got 0."),
    ({"price": -1}, "price must be a number of at least 0; got -1."),
    ({"max_degree": 0}, "max_degree must be an integer of at least 1; got 0."),
    ({"n_best": None}, "n_best must be an integer of at least 1; got None."),
    ({"min_precision": 0}, "min_precision must be a number above 0 and at most 1, or None; got 0."),
    ({"min_support": 1.0}, "min_support must be a number of at least 0 and below 1; got 1.0."),
    ({"consistency": 0}, "consistency must be an integer of at least 1; got 0."),
]


@pytest.mark.parametrize(("params", "message"), BAD)
def test_parameter_that_breaks_its_rule_is_refused(loans, params, message):
    assert_refuses(
        lambda: pt.LADClassifier(**params).fit(*loans), ValueError, f"LADClassifier: {message}"
    )


def test_messages_name_the_classifier(loans):
    X, _ = loans
    assert_refuses(
        lambda: pt.LADClassifier().fit(X, ["a"] * len(X)),
        ValueError,
        "LADClassifier.fit: y must hold at least two classes; got one class, 'a': there is nothing "
        "to separate.",
    )


def test_noise_gives_no_pattern():
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(300, 5)), rng.integers(0, 2, 300)
        assert pt.LADClassifier().fit(X, y).patterns_ == ()


def test_two_columns_that_say_nothing_alone_give_patterns():
    X, y = pt.datasets.make_xor(300, seed=0)
    lad = pt.LADClassifier().fit(X, y)
    assert lad.score(X, y) > 0.9
    assert all(len(p.conditions) >= 2 for p in lad.patterns_)


def test_number_of_patterns_is_limited():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(800, 4))
    y = (X.sum(axis=1) > 0).astype(int)
    free = pt.LADClassifier(max_patterns=None).fit(X, y)
    assert len(free.patterns_) > 4
    few = pt.LADClassifier(max_patterns=4).fit(X, y)
    assert 1 <= len(few.patterns_) <= 4
    assert few.score(X, y) > 0.7


def votes_by_hand(lad, X):
    """Sum the votes of each class: those of the patterns that cover a row, and the base."""
    coverage = lad.coverage(X).toarray()
    weights = np.array([[p.weight * (p.label == c) for c in lad.classes_] for p in lad.patterns_])
    return coverage @ weights + lad._theory.base


def test_shares_follow_the_votes(loans):
    X, y = loans
    lad = pt.LADClassifier().fit(X, y)
    votes = votes_by_hand(lad, X)
    shares = lad.predict_proba(X)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    gaps = np.log(shares[:, 1] / shares[:, 0])
    np.testing.assert_allclose(gaps, lad._theory.steepness * (votes[:, 1] - votes[:, 0]), atol=1e-6)


def test_votes_cost_no_more_than_any_others_of_the_same_patterns(loans):
    """The linear program's value against its votes moved at random."""
    X, y = loans
    flipped = np.where(np.random.default_rng(3).random(len(y)) < 0.1, "yes", y)
    lad = pt.LADClassifier().fit(X, flipped)
    is_yes = np.where(flipped == "yes", 1.0, -1.0)
    lengths = np.array([term.length for term in lad._theory.terms])
    coverage = lad.coverage(X).toarray()
    signs = np.array([1.0 if p.label == "yes" else -1.0 for p in lad.patterns_])

    def value(weights, base):
        leads = is_yes * (coverage @ (weights * signs) + base)
        return np.maximum(0.0, 1.0 - leads).sum() + (lengths * weights).sum()

    weights = np.array([p.weight for p in lad.patterns_])
    base = lad._theory.base[1] - lad._theory.base[0]
    least = value(weights, base)
    rng = np.random.default_rng(0)
    for _ in range(200):
        other = np.maximum(0.0, weights + rng.normal(0, 0.3, len(weights)))
        assert value(other, base + rng.normal(0, 0.3)) >= least - 1e-6


def test_neighbouring_thresholds_are_joined():
    x = np.arange(400.0)
    rng = np.random.default_rng(0)
    y = np.where(rng.random(400) < 0.1, x < 200, x >= 200).astype(int)
    lad = pt.LADClassifier(max_degree=1, price=0.0, max_patterns=None).fit(x[:, None], y)
    places = sorted(
        p.literals[0] // 2 for p in lad.patterns_ if p.label == 1 and p.literals[0] % 2 == 0
    )
    assert np.all(np.diff(places) > 1)


def test_conditions_of_modl_are_its_cuts(loans):
    X, y = loans
    lad = pt.LADClassifier(discriminants="modl").fit(X, y)
    cuts = pt.discretize(X["income"], y, cut_style="simple").cuts.tolist()
    found = [d for d in lad.binarizer_.discriminants_ if d.column == "income"]
    assert [d.value for d in found] == cuts
    both = pt.DataBinarizer(discriminants="both", consistency=2).fit(X, y)
    cover = pt.DataBinarizer(consistency=2).fit(X, y)
    modl = pt.DataBinarizer(discriminants="modl").fit(X, y)
    assert set(map(str, both.discriminants_)) == {
        str(d) for found in (cover, modl) for d in found.discriminants_
    }
    assert not any(d.column == "noise" for d in modl.discriminants_)
