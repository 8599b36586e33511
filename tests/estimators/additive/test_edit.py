"""Edits of additive models and what they cost; simple models, their cards and pages."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import log_loss

import partage as pt
from additive_rows import classes_of, make_table
from helpers import FULL


@pytest.fixture(scope="module")
def fitted():
    frame, level, rng = make_table()
    y = classes_of(level, rng)
    return pt.AdditiveClassifier().fit(frame, y), frame, y


def test_a_flat_term_is_gone_and_its_price_is_the_rise_of_the_loss(fitted):
    model, frame, y = fitted
    flat = model.edit("age", "flat")
    assert "age" not in flat.terms_
    assert "age" in model.terms_
    assert flat.partitions_["age"].n_parts == 1
    before, after = (log_loss(y, m.predict_proba(frame)) for m in (model, flat))
    assert flat.changes_.loss_before == pytest.approx(before, abs=1e-12)
    assert flat.changes_.price == pytest.approx(after - before, abs=1e-12)
    assert flat.changes_.price > 0
    assert repr(flat.changes_).startswith("age: flat: log-loss ")
    again = flat.edit("code", 3, frame[:500], y[:500])
    assert again.changes_.loss_before == pytest.approx(
        log_loss(y[:500], flat.predict_proba(frame[:500])), abs=1e-12
    )


def test_a_trend_is_the_nearest_monotone_curve(fitted):
    model = fitted[0]
    term, rising = model["age"], model.edit("age", "descending")["age"]
    n = term.axes[0].n_parts
    wanted = IsotonicRegression(increasing=False).fit_transform(
        np.arange(n), term.contributions[:n, 0], sample_weight=term.weights[:n]
    )
    assert rising.contributions[:n, 0] == pytest.approx(wanted, abs=1e-9)
    assert (rising.contributions[n:] == term.contributions[n:]).all()


@pytest.mark.parametrize("name", ["age", "town", ("code", "side")])
def test_few_parts_keep_the_mean(fitted, name):
    model = fitted[0]
    few = model.edit(name, 2)[name]
    assert all(axis.n_parts <= 2 for axis in few.axes)
    assert few.weights.sum() == pytest.approx(model[name].weights.sum())
    mean = (few.weights[..., None] * few.contributions).sum() / few.weights.sum()
    assert mean == pytest.approx(0, abs=1e-6)


def test_simple_models_say_what_they_lose(fitted, tmp_path):
    model, frame, y = fitted
    simple = model.simplify(max_parts=4, keep=0.99)
    changes = simple.changes_
    assert all(axis.n_parts <= 4 for term in simple.terms_.values() for axis in term.axes)
    assert changes.numbers_after < changes.numbers_before / 3
    assert 0.85 < changes.kept <= 1.0
    loose = model.simplify(max_parts=None, keep=0.9999)
    assert abs(loose.changes_.price) < 1e-3
    simple.save(tmp_path / "simple.json")
    kept = pt.load(tmp_path / "simple.json")
    assert (kept.predict_proba(frame) == simple.predict_proba(frame)).all()
    message = (
        "AdditiveClassifier.edit: X must be given; this model comes from a file, which does not "
        "hold the rows of the fit."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        kept.edit("age", "flat")
    assert kept.edit("age", "flat", frame, y).changes_.price > 0


def test_the_card_of_a_model_predicts_what_it_does(fitted, tmp_path):
    _, frame, y = fitted
    simple = pt.AdditiveClassifier(pairs=0).fit(frame, y).simplify(max_parts=4)
    card = simple.scorecard(points_to_double=40)
    assert card.predict_proba(frame) == pytest.approx(simple.predict_proba(frame), abs=1e-12)
    assert set(card.points_) == set(simple.terms_)
    card.document(tmp_path / "card.html")
    assert "age" in (tmp_path / "card.html").read_text(encoding="utf-8")


def test_the_page_shows_every_term(fitted, tmp_path):
    model = fitted[0]
    page = model.report(tmp_path / "page.html", title="Loans & <more>")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert text == page.html
    assert "Loans &amp; &lt;more&gt;" in text
    assert text.count("<section") == len(model.terms_)
    assert text.count("<svg") == len(model.terms_)


def test_terms_are_drawn(fitted):
    pytest.importorskip("matplotlib")
    model = fitted[0]
    for name in model.terms_:
        assert model.plot(name).get_title().startswith(model[name].label)


def test_edits_of_numbers_have_prices():
    frame, level, rng = make_table(600)
    over = rng.uniform(0.5, 2, 600)
    counts = rng.poisson(over * np.exp(level / 3))
    makers = [("gaussian", level, None), ("gamma", np.exp(level / 3), None)]
    for family, y, exposure in [*makers[: 2 if FULL else 1], ("poisson", counts, over)]:
        model = pt.AdditiveRegressor(family=family, pairs=0).fit(frame, y, exposure=exposure)
        changes = model.edit("age", "flat").changes_
        assert changes.price > 0
        assert changes.measure == ("squared error" if family == "gaussian" else "deviance")
        if family == "gaussian":
            wanted = np.mean((y - model.predict(frame)) ** 2)
            assert changes.loss_before == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda m: m.edit("agee", "flat"),
            KeyError,
            "AdditiveClassifier.edit: there is no term 'agee'; did you mean 'age'?",
        ),
        (
            lambda m: m.edit(("age", "age"), "flat"),
            ValueError,
            "AdditiveClassifier.edit: a pair must have two columns; got ('age', 'age'). A column "
            "has its own curve.",
        ),
        (
            lambda m: m.edit("age", "up"),
            ValueError,
            "AdditiveClassifier.edit: change must be 'flat', 'ascending', 'descending' or the "
            "number of parts, at least 1; got 'up'.",
        ),
        (
            lambda m: m.edit("town", "ascending"),
            ValueError,
            "AdditiveClassifier.edit: a trend is for the curve of a column with an order; 'town' "
            "is of categories.",
        ),
        (
            lambda m: m.simplify(keep=0),
            ValueError,
            "AdditiveClassifier.simplify: keep must be a share above 0 and at most 1; got 0.",
        ),
        (
            lambda m: m.simplify(max_parts=0),
            ValueError,
            "AdditiveClassifier.simplify: max_parts must be an integer of at least 1 or None; "
            "got 0.",
        ),
        (
            lambda m: m.scorecard(),
            ValueError,
            "AdditiveClassifier.scorecard: a scorecard has no pairs; the model has "
            "'code x side'. Fit with pairs=0.",
        ),
    ],
)
def test_bad_edits_are_refused(fitted, call, error, message):
    with pytest.raises(error, match=re.escape(message)):
        call(fitted[0])


def test_a_card_needs_two_classes():
    frame = pd.DataFrame({"a": np.arange(60.0)})
    model = pt.AdditiveClassifier().fit(frame, np.arange(60) // 20)
    message = "AdditiveClassifier.scorecard: a scorecard is for two classes; the model has 3."
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        model.scorecard()


def test_deviance_of_fractions_of_events_is_that_of_the_formula():
    rng = np.random.default_rng(5)
    x, over = np.arange(200.0), rng.uniform(0.5, 2.0, 200)
    y = rng.poisson(over * np.where(x < 100, 0.5, 2.0)) * 0.37
    frame = pd.DataFrame({"x": x})
    model = pt.AdditiveRegressor(family="poisson").fit(frame, y, exposure=over)
    mean = model.predict(frame) * over
    logs = np.log(np.where(y > 0, y, 1.0) / mean)
    expected = 2.0 * np.mean(y * logs - y + mean)
    assert model.edit("x", "flat").changes_.loss_before == pytest.approx(expected, rel=1e-9)
