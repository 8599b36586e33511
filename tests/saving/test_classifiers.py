"""Model files of classifiers: they predict the same after loading, and forged ones are refused."""

import datetime
import decimal
import itertools
import json
import re
import uuid

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression

import partage as pt
from helpers import assert_refuses, rewrite_model, set_in, sweep

ROWS = 400
RNG = np.random.default_rng(8)
Y = np.array(["no", "yes"])[RNG.integers(2, size=ROWS)]
IS_YES = Y == "yes"
SIGN = RNG.choice([-1, 1], ROWS)
TABLE = pd.DataFrame(
    {
        "number": np.where(RNG.random(ROWS) < 0.1, np.nan, IS_YES + RNG.normal(size=ROWS)),
        "left": SIGN * RNG.random(ROWS),
        "right": np.where(IS_YES, SIGN, -SIGN) * RNG.random(ROWS),
        "text": np.where(IS_YES ^ (RNG.random(ROWS) < 0.3), "a", "b").astype(object)
        + RNG.integers(0, 4, ROWS).astype(str),
        "day": pd.Timestamp("2020-01-01")
        + pd.to_timedelta(IS_YES * 9 + RNG.integers(0, 30, ROWS), "D"),
        "size": pd.Categorical(
            np.where(IS_YES, "M", RNG.choice(["S", "M", "L"], ROWS)),
            categories=["S", "M", "L", "XL"],
            ordered=True,
        ),
    }
)
NEW = TABLE.sample(ROWS, random_state=0).reset_index(drop=True)
NEW.loc[:5, "text"] = "unseen"
NEW.loc[6:9, "text"] = None
MODELS = [
    lambda: pt.NaiveBayesClassifier(),
    lambda: pt.NaiveBayesClassifier(missing="merge", interactions=2, method_params={}),
    lambda: pt.NaiveBayesClassifier(partitions={"number": pt.discretize(TABLE["number"], Y)}),
    lambda: pt.NaiveBayesClassifier(method="none", kinds={"number": "categorical"}),
    lambda: pt.SelectiveNaiveBayesClassifier(),
    lambda: pt.SelectiveNaiveBayesClassifier(selection="mdl", interactions=2),
    lambda: pt.Scorecard(min_parts=2, positive="no"),
    lambda: pt.Scorecard(partitioner=pt.TablePartitioner(max_parts=3), rounded=True),
    lambda: pt.LADClassifier(max_degree=2),
    lambda: pt.LADClassifier(kinds={"number": "categorical"}, min_precision=0.8),
]


def load_back(model, folder):
    """Return a model after writing and reading it."""
    model.save(folder / "model.json")
    return pt.load(folder / "model.json")


@pytest.mark.parametrize("make", MODELS, ids=lambda make: type(make()).__name__)
def test_a_loaded_classifier_predicts_as_the_saved_one(make, tmp_path):
    fitted = make().fit(TABLE, Y)
    loaded = load_back(fitted, tmp_path)
    assert type(loaded) is type(fitted)
    assert repr(loaded) == repr(fitted)
    np.testing.assert_array_equal(loaded.predict_proba(NEW), fitted.predict_proba(NEW))
    np.testing.assert_array_equal(loaded.predict(NEW), fitted.predict(NEW))
    assert loaded.classes_.tolist() == ["no", "yes"]
    assert list(loaded.feature_names_in_) == list(TABLE)
    assert loaded.n_features_in_ == TABLE.shape[1]
    assert load_back(loaded, tmp_path).to_dict() == fitted.to_dict()


@pytest.mark.parametrize("make", MODELS[:6], ids=range(6))
def test_a_loaded_naive_bayes_tells_what_the_saved_one_tells(make, tmp_path):
    fitted = make().fit(TABLE, Y)
    loaded = load_back(fitted, tmp_path)
    pd.testing.assert_frame_equal(loaded.summary(), fitted.summary())
    pd.testing.assert_frame_equal(loaded.explain(NEW.iloc[7]), fitted.explain(NEW.iloc[7]))
    np.testing.assert_array_equal(loaded.feature_importances_, fitted.feature_importances_)
    if isinstance(fitted, pt.SelectiveNaiveBayesClassifier):
        assert loaded.selected_features_ == fitted.selected_features_


def test_products_share_their_codings_after_loading_too(tmp_path):
    fitted = pt.NaiveBayesClassifier(interactions=2).fit(TABLE, Y)
    assert ("left", "right") in fitted.products_
    fitted.save(tmp_path / "model.json")
    data = json.loads((tmp_path / "model.json").read_text(encoding="utf-8"))
    used = {i for product in data["products"] for i in product["codings"]}
    assert used == set(range(len(data["codings"])))


def test_counting_goes_on_after_loading(tmp_path):
    classes = ["maybe", "no", "yes"]
    first = pt.NaiveBayesClassifier().partial_fit(TABLE[:200], Y[:200], classes=classes)
    loaded = load_back(first, tmp_path)
    first.partial_fit(TABLE[200:], Y[200:])
    loaded.partial_fit(TABLE[200:], Y[200:])
    np.testing.assert_array_equal(loaded.class_count_, first.class_count_)
    np.testing.assert_array_equal(loaded.predict_proba(NEW), first.predict_proba(NEW))


def test_a_loaded_scorecard_gives_the_same_points(tmp_path):
    fitted = pt.Scorecard().fit(TABLE, Y)
    loaded = load_back(fitted, tmp_path)
    np.testing.assert_array_equal(loaded.points(NEW), fitted.points(NEW))
    pd.testing.assert_frame_equal(loaded.table(), fitted.table())
    assert (loaded.event_, loaded.cutoff_) == (fitted.event_, fitted.cutoff_)


@pytest.mark.parametrize("output", ["uint8", "bool"])
def test_a_loaded_binarizer_transforms_as_the_saved_one(output, tmp_path):
    table = TABLE[["number", "text", "day", "size"]]
    fitted = pt.DataBinarizer(monotonic={"number": 1}, output=output).fit(table, Y)
    loaded = load_back(fitted, tmp_path)
    assert loaded.discriminants_ == fitted.discriminants_
    assert loaded.n_candidates_ == fitted.n_candidates_
    new = NEW[table.columns]
    np.testing.assert_array_equal(loaded.transform(new), fitted.transform(new))
    assert list(loaded.get_feature_names_out()) == list(fitted.get_feature_names_out())
    reports = [str(m.consistency_report(table, Y)) for m in (loaded, fitted)]
    assert reports[0] == reports[1]


def test_loaded_patterns_are_those_that_were_saved(tmp_path):
    fitted = pt.LADClassifier(max_degree=2).fit(TABLE, Y)
    loaded = load_back(fitted, tmp_path)
    assert loaded.patterns_ == fitted.patterns_
    assert str(loaded.explain(NEW.iloc[3])) == str(fitted.explain(NEW.iloc[3]))


def test_what_is_not_fitted_is_not_saved(tmp_path):
    for model in (pt.NaiveBayesClassifier(), pt.Scorecard(), pt.LADClassifier()):
        with pytest.raises(NotFittedError):
            model.save(tmp_path / "model.json")


def test_an_estimator_that_a_file_cannot_hold_is_refused(tmp_path):
    card = pt.Scorecard(estimator=LogisticRegression(C=2.0)).fit(TABLE, Y)
    assert_refuses(
        lambda: card.save(tmp_path / "model.json"),
        TypeError,
        "Scorecard.save: estimator must be plain data, a partition or a TablePartitioner, since a "
        "model file holds no code; got LogisticRegression(C=2.0). Set it to None before saving: "
        "what was fitted is kept.",
    )
    points = card.points(NEW)
    loaded = load_back(card.set_params(estimator=None), tmp_path)
    np.testing.assert_array_equal(loaded.points(NEW), points)


BAYES = pt.SelectiveNaiveBayesClassifier(interactions=2)
FORGED = [
    (BAYES, set_in("classes", ["no"])),
    (BAYES, set_in("classes_dtype", "O")),
    (BAYES, set_in("class_counts", [0.0, 0.0])),
    (BAYES, set_in("class_counts", [1.0, float("nan")])),
    (BAYES, set_in("weights", [1.0])),
    (BAYES, set_in("weights", 0, 2.0)),
    (BAYES, set_in("weights", 0, -1.0)),
    (BAYES, set_in("counts", 0, [[1.0, 1.0]])),
    (BAYES, set_in("counts", 0, 0, 0, -3.0)),
    (BAYES, set_in("counts", [])),
    (BAYES, set_in("selected", [99])),
    (BAYES, set_in("selected", [])),
    (BAYES, set_in("selected", None)),
    (BAYES, set_in("products", 0, "members", [0, 99])),
    (BAYES, set_in("products", 0, "members", [1, 1])),
    (BAYES, set_in("products", 0, "codings", [0])),
    (BAYES, set_in("products", 0, "codings", [0, 9999])),
    (BAYES, set_in("products", 0, "group_of", [0])),
    (BAYES, set_in("products", 0, "group_of", 0, 99)),
    (BAYES, set_in("products", 0, "group_of", 0, -1)),
    (BAYES, set_in("products", 0, "groups", 7)),
    (BAYES, set_in("columns", 0, "name", "text")),
    (BAYES, set_in("parameters", {"partitions": {"partition": {}}})),
    (BAYES, set_in("parameters", {"partitions": {"model": {"estimator": "os.system"}}})),
    (pt.Scorecard(), set_in("coef", [1.0])),
    (pt.Scorecard(), set_in("coef", 0, float("inf"))),
    (pt.Scorecard(), set_in("intercept", [])),
    (pt.Scorecard(), set_in("classes", ["a", "b"])),
    (pt.Scorecard(), set_in("parameters", {"base_odds": -1})),
    (pt.Scorecard(), set_in("parameters", {"positive": "perhaps"})),
    (pt.DataBinarizer(), set_in("kept", [10**6])),
    (pt.DataBinarizer(), set_in("kept", [-1])),
    (pt.DataBinarizer(), set_in("kept", [0, 0])),
    (pt.DataBinarizer(), set_in("merits", [])),
    (pt.DataBinarizer(), set_in("directions", [0])),
    (pt.DataBinarizer(), set_in("directions", 0, 5)),
    (pt.DataBinarizer(), set_in("columns", 0, "cuts", [2.0, 1.0])),
    (pt.DataBinarizer(), set_in("columns", 0, "type", "code")),
    (pt.DataBinarizer(), set_in("columns", 3, "values", ["a", "a"])),
    (pt.DataBinarizer(), set_in("columns", 5, "codes", [0, 5, 6, 7])),
    (pt.LADClassifier(), set_in("patterns", 0, 0, 7)),
    (pt.LADClassifier(), set_in("patterns", 0, 1, [10**6])),
    (pt.LADClassifier(), set_in("patterns", 0, 2, 0.0)),
    (pt.LADClassifier(), set_in("patterns", 0, 2, 1e9)),
    (pt.LADClassifier(), set_in("patterns", 0, [])),
]


@pytest.fixture(scope="module")
def contents():
    """Return what the files of fitted models hold, by the name of the model."""
    models = (BAYES, pt.Scorecard(), pt.DataBinarizer(), pt.LADClassifier())
    return {type(m).__name__: json.dumps(clone(m).fit(TABLE, Y).to_dict()) for m in models}


@pytest.mark.parametrize(("model", "change"), FORGED, ids=range(len(FORGED)))
def test_a_forged_classifier_is_refused_even_with_its_checksum(model, change, contents, tmp_path):
    data = json.loads(contents[type(model).__name__])
    change(data)
    path = tmp_path / "model.json"
    rewrite_model(path, data, with_checksum=True)
    with pytest.raises(pt.PartageError, match="is damaged"):
        pt.load(path)


def test_a_classifier_changed_by_hand_is_refused(contents, tmp_path):
    path = tmp_path / "model.json"
    data = json.loads(contents["SelectiveNaiveBayesClassifier"])
    data["weights"][0] = 0.5
    rewrite_model(path, data)
    with pytest.raises(pt.PartageError, match="was changed after partage wrote it"):
        pt.load(path)


TWO = RNG.integers(2, size=ROWS)
LABELS = {
    "bytes": np.array([b"n", b"yes"]),
    "dates": np.array([datetime.date(2025, 1, 1), datetime.date(2026, 1, 1)], dtype=object),
    "periods": pd.Series(pd.period_range("2025", periods=2, freq="Y")),
    "intervals": pd.Series(pd.IntervalIndex.from_breaks([0, 1, 2])),
    "decimals": np.array([decimal.Decimal("1.5"), decimal.Decimal(2)], dtype=object),
    "times": np.array(["2025-01-01", "2026-01-01"], dtype="datetime64[ns]"),
    "durations": np.array([5, 7], dtype="timedelta64[ns]"),
    "durations of Python": np.array(
        [datetime.timedelta(1), datetime.timedelta(hours=2)], dtype=object
    ),
    "zones": pd.Series(pd.to_datetime(["2025-01-01", "2026-01-01"]).tz_localize("Europe/Paris")),
    "half a pair of text": np.array(["a\ud800", "b"], dtype=object),
    "large integers": np.array([10**30, 10**31], dtype=object),
}


MAKERS = [pt.SelectiveNaiveBayesClassifier, pt.LADClassifier, pt.Scorecard, pt.Discretizer]


@pytest.mark.parametrize(("kind", "make"), sweep(itertools.product(LABELS, MAKERS)))
def test_classes_of_any_type_are_saved(tmp_path, make, kind):
    labels = LABELS[kind]
    y = labels.iloc[TWO].reset_index(drop=True) if hasattr(labels, "iloc") else labels[TWO]
    X = pd.DataFrame({"x": TWO + RNG.normal(size=ROWS), "z": RNG.normal(size=ROWS)})
    model = make().fit(X, y)
    model.save(tmp_path / "model.json")
    again = pt.load(tmp_path / "model.json")
    assert again.classes_.tolist() == model.classes_.tolist()
    assert again.classes_.dtype == model.classes_.dtype
    use = "predict" if hasattr(model, "predict") else "transform"
    np.testing.assert_array_equal(getattr(again, use)(X), getattr(model, use)(X))


MODELS = [
    pt.NaiveBayesClassifier,
    pt.TablePartitioner,
    pt.DataBinarizer,
    pt.LADClassifier,
    pt.Scorecard,
]


@pytest.mark.parametrize("make", MODELS)
def test_values_that_no_file_holds_are_refused_with_their_column(tmp_path, make):
    ids = np.array([uuid.UUID(int=k) for k in range(3)], dtype=object)
    X = pd.DataFrame({"id": ids[RNG.integers(3, size=ROWS)], "x": TWO + RNG.normal(size=ROWS)})
    model = make().fit(X, TWO)
    with pytest.raises(TypeError) as caught:
        model.save(tmp_path / "model.json")
    assert re.fullmatch(
        rf"{make.__name__}\.save: values of column 'id' must be text, numbers, booleans, bytes, "
        r"times, periods or intervals, since a file holds no other types; got UUID\(.*\) of type "
        r"UUID\. Convert them to text before fitting, such as with \.astype\(str\)\.",
        str(caught.value),
    )
    assert list(tmp_path.iterdir()) == []
    model = make().fit(X.assign(id=X["id"].astype(str)), TWO)
    model.save(tmp_path / "model.json")


def test_classes_that_no_file_holds_are_refused(tmp_path):
    y = [uuid.UUID(int=int(k)) for k in TWO]
    model = pt.NaiveBayesClassifier().fit(TABLE[["number"]], y)
    with pytest.raises(
        TypeError, match=r"^NaiveBayesClassifier\.save: the classes of y must be te"
    ):
        model.save(tmp_path / "model.json")


def test_parameters_of_numpy_are_saved(tmp_path):
    enc = pt.Discretizer(
        method="fusinter", method_params={"alpha": np.float32(0.5)}, max_parts=np.int64(4)
    ).fit(TABLE[["number"]], Y)
    enc.save(tmp_path / "model.json")
    again = pt.load(tmp_path / "model.json")
    assert again.partitions_ == enc.partitions_
    assert again.get_params()["max_parts"] == 4


@pytest.mark.parametrize("path", [None, 3])
def test_a_path_that_is_none_is_refused(path):
    model = pt.Discretizer().fit(TABLE[["number"]], Y)
    kind = type(path).__name__
    assert_refuses(
        lambda: model.save(path),
        TypeError,
        f"Discretizer.save: path must be text or a Path; got {kind}.",
    )
    assert_refuses(
        lambda: pt.load(path), TypeError, f"load: path must be text or a Path; got {kind}."
    )
