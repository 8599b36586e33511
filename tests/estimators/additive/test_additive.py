"""Additive models: what they find, and the same predictions in every form."""

import pickle
import re

import duckdb
import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import log_loss

import partage as pt
from additive_rows import classes_of, hostile_rows, make_table
from helpers import FULL


@pytest.fixture(scope="module", params=[2, 3])
def fitted(request):
    frame, level, rng = make_table()
    y = classes_of(level, rng, request.param)
    model = pt.AdditiveClassifier(special_values=[-9.0]).fit(frame, y)
    return model, frame, y


def test_terms_are_found_and_centred(fitted):
    model, frame, y = fitted
    names = list(model.terms_)
    assert {"age", "code", "town"} <= set(names)
    assert any(set(name) == {"code", "side"} for name in names if isinstance(name, tuple))
    for term in model.terms_.values():
        mean = (term.weights[..., None] * term.contributions).sum() / term.weights.sum()
        assert mean == pytest.approx(0, abs=1e-9)
        assert 0 <= term.certainty <= 1
        assert (term.deviations >= 0).all()
    assert model["age"].importance == model.terms_["age"].importance
    assert log_loss(y, model.predict_proba(frame), labels=list(model.classes_)) < 0.75


def test_explanations_add_up_to_the_score(fitted):
    model, frame, _ = fitted
    scores = model.decision_function(frame).reshape(len(frame), -1)
    for i in range(5):
        told = model.explain(frame.iloc[[i]])
        added = told[[c for c in told.columns if c.startswith("contribution")]].to_numpy()
        assert added.sum(axis=0) == pytest.approx(scores[i], abs=1e-12)
        assert told["term"][0] == "(all rows)"
        assert len(told) == len(model.terms_) + 1


def test_sql_and_python_predict_the_same(fitted):
    model, frame, _ = fitted
    rows = hostile_rows(frame, 10_000 if FULL else 1_500)
    wanted = model.predict_proba(rows)
    found = duckdb.sql(model.to_sql("duckdb", "rows")).df()
    namespace = {}
    exec(compile(model.to_python(), "model", "exec"), namespace)
    told = pd.DataFrame([namespace["transform"](row) for row in rows.to_dict("records")])
    labels = [f"probability_{c}" for c in model.classes_]
    for frame_of in (found, told):
        if len(model.classes_) == 2:
            assert frame_of["probability"].to_numpy() == pytest.approx(wanted[:, 1], abs=1e-12)
        else:
            assert frame_of[labels].to_numpy() == pytest.approx(wanted, abs=1e-12)
        assert (frame_of["prediction"] == model.predict(rows)).all()


def test_files_and_pickles_keep_the_model(fitted, tmp_path):
    model, frame, _ = fitted
    model.save(tmp_path / "model.json")
    for kept in (pt.load(tmp_path / "model.json"), pickle.loads(pickle.dumps(model))):
        assert (kept.predict_proba(frame) == model.predict_proba(frame)).all()
        assert kept.summary().equals(model.summary())
        assert kept.choice_ == model.choice_
        assert not hasattr(kept, "_given")


def test_threads_do_not_change_a_bit():
    frame, level, rng = make_table(20_000, 5)
    y = classes_of(level, rng)
    one, two = (pt.AdditiveClassifier(n_jobs=n).fit(frame, y) for n in (1, 2))
    assert list(one.terms_) == list(two.terms_)
    for name, term in one.terms_.items():
        assert (term.contributions == two.terms_[name].contributions).all()
    assert (one.predict_proba(frame) == two.predict_proba(frame)).all()


def test_weights_are_repetitions_and_order_is_nothing():
    frame, level, rng = make_table(600, 7)
    y = classes_of(level, rng)
    weights = rng.integers(0, 3, len(y))
    weighted = pt.AdditiveClassifier().fit(frame, y, sample_weight=weights)
    rows = np.repeat(np.arange(len(y)), weights)
    rng.shuffle(rows)
    repeated = pt.AdditiveClassifier().fit(frame.iloc[rows].reset_index(drop=True), y[rows])
    assert weighted.predict_proba(frame) == pytest.approx(repeated.predict_proba(frame), abs=1e-6)


def test_curves_keep_the_trend_they_are_given():
    frame, level, rng = make_table()
    y = classes_of(level, rng)
    model = pt.AdditiveClassifier(monotonic={"age": "descending", "code": "ascending"}).fit(
        frame, y
    )
    for name, sign in (("age", -1), ("code", 1)):
        term = model[name]
        steps = np.diff(term.contributions[: term.axes[0].n_parts, 0])
        assert (sign * steps >= -1e-9).all()


def test_fixed_terms_stay_as_they_are():
    frame, level, rng = make_table()
    y = classes_of(level, rng)
    first = pt.AdditiveClassifier(pairs=0).fit(frame, y)
    second = pt.AdditiveClassifier(pairs=0, fixed={"age": first.terms_["age"]}).fit(frame, y)
    assert second.terms_["age"] is first.terms_["age"]
    assert second.predict_proba(frame) == pytest.approx(first.predict_proba(frame), abs=0.02)


@pytest.mark.parametrize("family", ["gaussian", "poisson", "gamma"])
def test_numbers_of_every_family(family):
    frame, level, rng = make_table()
    exposure = rng.uniform(0.2, 3.0, len(level)) if family == "poisson" else None
    if family == "poisson":
        y = rng.poisson(exposure * np.exp(level / 3))
    else:
        y = 10 + level + rng.normal(size=len(level))
        y = y if family == "gaussian" else rng.gamma(3, np.exp(level / 3))
    model = pt.AdditiveRegressor(family=family).fit(frame, y, exposure=exposure)
    found = model.predict(frame)
    truth = 10 + level if family == "gaussian" else np.exp(level / 3)
    assert np.corrcoef(found, truth)[0, 1] > 0.9
    over = 1.0 if exposure is None else exposure
    assert (found * over).mean() == pytest.approx(np.mean(y), rel=0.02)
    rows = hostile_rows(frame, 500)
    told = duckdb.sql(model.to_sql("duckdb", "rows")).df()["prediction"].to_numpy()
    assert told == pytest.approx(model.predict(rows), rel=1e-12)


def test_many_weak_pairs_enter_together_where_held_out_rows_say_so():
    rng = np.random.default_rng(2)
    X = rng.uniform(-1, 1, (2000, 8))
    score = 2.0 * X[:, 0]
    for i in range(8):
        score = score + 1.2 * X[:, i] * X[:, (i + 1) % 8]
    y = rng.uniform(size=2000) < 1 / (1 + np.exp(-score))
    train, test = slice(0, 1000), slice(1000, 2000)
    model = pt.AdditiveClassifier().fit(X[train], y[train])
    fewer = pt.AdditiveClassifier(pairs=0).fit(X[train], y[train])
    assert model.choice_.pairs == "strongest"
    assert sum(term.is_pair for term in model.terms_.values()) == 24
    losses = [log_loss(y[test], m.predict_proba(X[test])) for m in (model, fewer)]
    assert losses[0] < losses[1] - 0.02


def test_noise_has_no_terms():
    rng = np.random.default_rng(11)
    X = rng.normal(size=(300, 20))
    model = pt.AdditiveClassifier().fit(X, rng.integers(0, 2, 300))
    assert model.terms_ == {}
    assert model.choice_.entry == "none"
    assert len(model.summary()) == 0
    assert np.unique(model.predict_proba(X)[:, 1]).size == 1
    frame = pd.DataFrame({f"x{i}": X[:, i] for i in range(20)})
    model = pt.AdditiveClassifier().fit(frame, np.arange(300) % 2)
    assert duckdb.sql(model.to_sql("duckdb", "frame")).df().shape == (300, 3)
    namespace = {}
    exec(compile(model.to_python(), "model", "exec"), namespace)
    assert namespace["transform"]({})["probability"] == pytest.approx(0.5)


def test_many_categories_are_grouped():
    rng = np.random.default_rng(4)
    town = rng.integers(0, 3000, 12_000)
    effect = rng.normal(size=3000)
    y = rng.uniform(size=12_000) < 1 / (1 + np.exp(-effect[town]))
    frame = pd.DataFrame({"town": [f"t{i}" for i in town]})
    model = pt.AdditiveClassifier().fit(frame, y)
    assert model["town"].n_parts < 256
    assert model.predict_proba(pd.DataFrame({"town": ["new"]}))[0, 1] == pytest.approx(
        1 / (1 + np.exp(-model.intercept_[0]))
    )


FRAME = pd.DataFrame({"a": np.arange(40.0), "b": list("xy") * 20})
CLASS = np.arange(40) > 20


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (
            pt.AdditiveClassifier(pairs=[("a", "a")]),
            "AdditiveClassifier.fit: a pair must have two columns; got ('a', 'a'). A column has "
            "its own curve.",
        ),
        (
            pt.AdditiveClassifier(pairs=[("a", "c")]),
            "AdditiveClassifier.fit: pairs names 'c', which is no column of X; X has 'a', 'b'.",
        ),
        (
            pt.AdditiveClassifier(pairs=[("a", "b"), ("b", "a")]),
            "AdditiveClassifier.fit: pairs must differ; ('b', 'a') is there twice.",
        ),
        (
            pt.AdditiveClassifier(pairs=-1),
            "AdditiveClassifier.fit: pairs must be 'auto', an integer of at least 0 or a list of "
            "pairs of columns; got -1.",
        ),
        (
            pt.AdditiveClassifier(monotonic={"a": "peak"}),
            "AdditiveClassifier.fit: monotonic must be a dict of columns with 'ascending' or "
            "'descending', or None; got {'a': 'peak'}.",
        ),
        (
            pt.AdditiveClassifier(monotonic={"b": "ascending"}),
            "AdditiveClassifier.fit: monotonic is for columns with an order; 'b' holds "
            "categories. Name their order by ordered=, or leave it out.",
        ),
        (
            pt.AdditiveClassifier(fixed={"a": 3}),
            "AdditiveClassifier.fit: fixed must be a dict of terms by column, or None; got "
            "{'a': 3}.",
        ),
    ],
)
def test_bad_parameters_are_refused(model, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        model.fit(FRAME, CLASS)


def test_bad_targets_and_exposures_are_refused():
    y = np.arange(40.0)
    for family in ("gaussian", "gamma"):
        message = (
            f"AdditiveRegressor.fit: exposure is for family='poisson'; got family='{family}'. "
            "Leave it out."
        )
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            pt.AdditiveRegressor(family=family).fit(FRAME, y + 0.5, exposure=np.ones(40))
    message = "AdditiveRegressor.fit: y must be positive for family='gamma'; got 0.0. Use"
    with pytest.raises(ValueError, match=re.escape(message)):
        pt.AdditiveRegressor(family="gamma").fit(FRAME, y)
    message = "AdditiveRegressor.fit: exposure must be positive; got 0.0. Drop rows without any."
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        pt.AdditiveRegressor(family="poisson").fit(FRAME, y, exposure=np.arange(40))
    message = "AdditiveRegressor.fit: exposure must hold one number for each of the 40 rows; got "
    with pytest.raises(ValueError, match=f"^{re.escape(message)}the shape {re.escape('(3,).')}$"):
        pt.AdditiveRegressor(family="poisson").fit(FRAME, y, exposure=np.ones(3))
    with pytest.raises(TypeError, match=r"^AdditiveRegressor.fit: exposure must hold numbers; "):
        pt.AdditiveRegressor(family="poisson").fit(FRAME, y, exposure=["a"] * 40)
    message = "AdditiveClassifier.fit: y must hold two classes or more; got 1 class: 1."
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        pt.AdditiveClassifier().fit(FRAME, np.ones(40, int))


def test_unknown_terms_and_unfitted_use_are_refused():
    from sklearn.exceptions import NotFittedError

    model = pt.AdditiveClassifier()
    for call in (
        lambda: model.predict(FRAME),
        lambda: model.summary(),
        lambda: model.plot("a"),
        lambda: model.explain({"a": 1, "b": "x"}),
        lambda: model.to_sql(),
        lambda: model.to_python(),
        lambda: model.save("model.json"),
    ):
        with pytest.raises(NotFittedError):
            call()
    model.fit(FRAME, CLASS)
    message = "AdditiveClassifier.plot: there is no term 'agee'; there are 'a', 'b'."
    with pytest.raises(KeyError, match=re.escape(message)):
        model.plot("agee")
    message = "AdditiveClassifier.plot: a pair must have two columns; got ('a', 'a')."
    with pytest.raises(ValueError, match=re.escape(message)):
        model.plot(("a", "a"))
