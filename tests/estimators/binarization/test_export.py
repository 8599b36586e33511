"""Conditions and patterns as SQL and plain Python: what the estimators give, on any row."""

import functools

import numpy as np
import pandas as pd
import pytest

import partage as pt
from sql_engines import ENGINES, open_engine

TOWNS = ["Lyon", "O'Hara", 'say "hi"', "Zürich", "50%", ""]


@pytest.fixture(scope="module")
def table():
    """Numbers with gaps, text with quotes, ordered levels, booleans; three classes."""
    rng = np.random.default_rng(11)
    n = 500
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 80, n).astype(float),
            "in come": rng.normal(size=n).round(3),
            'the "town"': rng.choice(TOWNS, n),
            "size": pd.Categorical(
                rng.choice(["low", "mid", "high"], n), ["low", "mid", "high"], ordered=True
            ),
            "owner": rng.random(n) < 0.5,
        }
    )
    score = (frame["age"] > 50) + (frame['the "town"'].isin(TOWNS[:3])) * 1.0
    score += (frame["size"] == "high") + rng.normal(0, 0.3, n)
    frame.loc[rng.random(n) < 0.05, "age"] = np.nan
    frame.loc[rng.random(n) < 0.05, 'the "town"'] = None
    return frame, score.to_numpy()


def hostile(frame):
    """Rows at thresholds and far from them, with gaps, unseen and odd text."""
    rng = np.random.default_rng(1)
    rows = frame.sample(200, replace=True, random_state=0).reset_index(drop=True)
    far = np.array([np.nan, np.inf, -np.inf, 1e300, -0.0, 5e-324, 49.5, 50.0, 50.5])
    for name in ("age", "in come"):
        change = rng.random(200) < 0.5
        rows.loc[change, name] = rng.choice(far, int(change.sum()))
    odd = np.array([*TOWNS, None, "lyon", "Lyon ", "';--", "\\", "%s"], dtype=object)
    change = rng.random(200) < 0.5
    rows.loc[change, 'the "town"'] = rng.choice(odd, int(change.sum()))
    return rows


def of_sql(model, engine, rows):
    """Run a model in a database."""
    plain = rows.astype({"size": object})
    types = ["number", "number", "text", "text", "boolean"]
    columns = {}
    for name, kind in zip(plain.columns, types, strict=True):
        values = [None if v is None or v is np.nan else v for v in plain[name].tolist()]
        if kind == "number" and engine.name == "sqlite":
            values = [None if v != v else v for v in values]
        columns[name] = (kind, values)
    engine.load("some rows", columns)
    names, found = engine.query(model.to_sql(engine.name, "some rows", keep="row_id"))
    assert names[0] == "row_id"
    found = sorted(found)
    return names[1:], [row[1:] for row in found]


def of_python(model, rows):
    """Run a model by its own source."""
    space = {}
    exec(compile(model.to_python(), "model", "exec"), space)
    plain = rows.astype({"size": object})
    return [space["transform"](row) for row in plain.to_dict("records")]


@pytest.fixture(scope="module", params=ENGINES)
def engine(request):
    with open_engine(request.param) as found:
        yield found


def three_classes(score):
    return np.array(["a", "b'", "c"])[np.digitize(score, [0.8, 1.7])]


@pytest.mark.parametrize("settings", [{}, {"discriminants": "modl"}, {"consistency": 2}])
def test_conditions_in_sql_are_those_of_transform(table, engine, settings):
    frame, score = table
    model = pt.DataBinarizer(**settings).fit(frame, three_classes(score))
    rows = hostile(frame)
    names, found = of_sql(model, engine, rows)
    assert names == model.get_feature_names_out().tolist()
    np.testing.assert_array_equal(np.array(found, dtype=int), model.transform(rows))


def test_conditions_in_python_are_those_of_transform(table):
    frame, score = table
    model = pt.DataBinarizer().fit(frame, three_classes(score))
    rows = hostile(frame)
    found = of_python(model, rows)
    assert list(found[0]) == model.get_feature_names_out().tolist()
    expected = model.transform(rows)
    np.testing.assert_array_equal([list(row.values()) for row in found], expected)


@pytest.fixture(scope="module")
def classifier(table):
    """Fit each model once for all engines."""

    @functools.cache
    def fit(case, n_classes):
        frame, score = table
        y = three_classes(score) if n_classes == 3 else np.where(score > 1.2, "c", "b'")
        return pt.LADClassifier(**SETTINGS[case]).fit(frame, y)

    return fit


SETTINGS = [
    {},
    {"theory": "all", "patterns": "prime", "discriminants": "cover", "max_degree": 2},
    {"theory": "all", "patterns": "maximal", "discriminants": "modl"},
]


@pytest.mark.parametrize("case", range(len(SETTINGS)))
@pytest.mark.parametrize("n_classes", [2, 3])
def test_classes_in_sql_and_python_are_those_of_predict(table, classifier, engine, case, n_classes):
    model = classifier(case, n_classes)
    rows = hostile(table[0])
    names, found = of_sql(model, engine, rows)
    assert names == [*(f"probability_{label}" for label in model.classes_), "prediction"]
    assert [row[-1] for row in found] == model.predict(rows).tolist()
    shares = np.array([row[:-1] for row in found], dtype=float)
    np.testing.assert_allclose(shares, model.predict_proba(rows), atol=1e-12)
    own = of_python(model, rows)
    assert [row["prediction"] for row in own] == model.predict(rows).tolist()
    shares = [list(row.values())[:-1] for row in own]
    np.testing.assert_allclose(shares, model.predict_proba(rows), atol=1e-12)


def test_a_model_without_patterns_is_written_too(engine):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=60)})
    model = pt.LADClassifier().fit(frame, ["a", "b", "b"] * 20)
    assert not model.patterns_
    engine.load("t", {"x": ("number", frame["x"].tolist())})
    _, found = engine.query(model.to_sql(engine.name))
    assert {row[-1] for row in found} == {"b"}
    assert len(found) == 60
    space = {}
    exec(compile(model.to_python(), "model", "exec"), space)
    assert space["transform"]({"x": 1.0})["prediction"] == "b"


def test_constant_columns_have_no_conditions_to_write(engine):
    model = pt.DataBinarizer().fit([[1.0], [1.0]], ["a", "b"])
    engine.load("t", {"x0": ("number", [1.0, 2.0])})
    names, found = engine.query(model.to_sql(engine.name, keep="x0"))
    assert names == ["x0"]
    assert len(found) == 2
