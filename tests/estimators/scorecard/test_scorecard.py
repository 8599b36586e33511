"""Scorecards: points follow their definition, exports give what predict gives."""

import math

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

import partage as pt
from helpers import assert_refuses
from partage.exceptions import NotPartitionableError
from sql_engines import ENGINES

NAME = "the 'city\" \\"


@pytest.fixture(scope="module")
def loans():
    """Build a table with gaps and hostile text, its two classes, and new rows."""
    rng = np.random.default_rng(6)
    n = 3_000
    age, noise = np.round(rng.normal(40, 12, n)), rng.normal(size=n)
    city = rng.choice(np.array(["Ly'on", "Nice\\", "a\nb", "Lille"], dtype=object), n)
    odds = 0.08 * (age - 40) + np.where(city == "Ly'on", 1.2, 0) - 0.5
    y = np.where(rng.random(n) < 1 / (1 + np.exp(-odds)), "good", "bad")
    frame = pd.DataFrame({"age": age, NAME: city, "noise": noise})
    new = frame.sample(2_000, random_state=0).reset_index(drop=True)
    for table in (frame, new):
        table.loc[table.index[::13], "age"] = np.nan
        table.loc[table.index[::17], NAME] = None
    new.loc[new.index[::11], NAME] = "unseen"
    return frame, y, new


@pytest.fixture(scope="module")
def card(loans):
    frame, y, _ = loans
    return pt.Scorecard(partitioner=pt.TablePartitioner()).fit(frame, y)


def test_points_are_the_log_odds_on_the_scale(loans, card):
    frame, y, _ = loans
    parts = pt.TablePartitioner(output="woe").fit(frame, y)
    evidence = parts.transform(frame)[:, :2]
    model = LogisticRegression(C=1 / 3, max_iter=1000, tol=1e-10).fit(evidence, y)
    odds = model.decision_function(evidence)  # of the event, "good"
    points = 600 - 20 / math.log(2) * (odds + math.log(50))
    assert card.points(frame) == pytest.approx(points, abs=0.01)
    assert card.decision_function(frame) == pytest.approx(odds, abs=2e-4)
    assert np.mean(card.predict(frame) == model.predict(evidence)) > 0.999


def test_twenty_points_double_the_odds(card, loans):
    proba = card.predict_proba(loans[2])
    points = card.points(loans[2])
    odds = proba[:, 0] / proba[:, 1]
    base = odds * 2 ** ((600 - points) / 20)
    assert base == pytest.approx(np.full(len(base), 50.0), rel=1e-9)
    assert proba.sum(axis=1) == pytest.approx(1)


def test_points_of_the_table_add_up(loans, card):
    frame = loans[0]
    table = card.table()
    assert list(table) == ["column", "part", "count", "share", "event_rate", "woe", "points"]
    assert set(table["column"]) == {"age", NAME}  # noise has one part and no points
    labels = pt.TablePartitioner(output="label").fit(frame, loans[1]).transform(frame)
    of = {(row["column"], row["part"]): row["points"] for _, row in table.iterrows()}
    total = [of["age", a] + of[NAME, b] for a, b, _ in labels]
    assert total == card.points(frame).tolist()
    assert table.groupby("column")["count"].sum().tolist() == [3_000, 3_000]
    assert "<table>" in card.table(style="html")._repr_html_()


def test_rows_in_any_order_give_the_same_points(loans, card):
    frame, y, _ = loans
    order = np.random.default_rng(1).permutation(len(frame))
    again = clone(card).fit(frame.iloc[order], y[order])
    assert {k: v.tolist() for k, v in again.points_.items()} == {
        k: v.tolist() for k, v in card.points_.items()
    }
    weighted = clone(card).fit(frame, y, sample_weight=np.ones(len(frame)))
    assert weighted.intercept_.tolist() == card.intercept_.tolist()


@pytest.mark.parametrize("rounded", [False, True])
@pytest.mark.parametrize("engine", ENGINES)
def test_exports_give_what_predict_gives(loans, engines, engine, rounded):
    frame, y, new = loans
    card = pt.Scorecard(rounded=rounded, selection=None, min_iv=0).fit(frame, y)
    points = card.points(new)
    if rounded:
        assert (points == np.round(points)).all()
    opened = engines(engine)
    kinds = {"age": "number", NAME: "text", "noise": "number"}
    columns = {n: (k, [v if v == v else None for v in new[n]]) for n, k in kinds.items()}
    opened.load("loans", columns)
    sql = card.to_sql(engine, table="loans", keep=["row_id"])
    names, rows = opened.query(f"SELECT * FROM ({sql}) AS q ORDER BY row_id")
    assert names == ["row_id", "points", "probability", "prediction"]
    assert [row[1] for row in rows] == points.tolist()
    assert [row[2] for row in rows] == pytest.approx(card.predict_proba(new)[:, 1], rel=1e-12)
    assert [row[3] for row in rows] == card.predict(new).tolist()
    module = {}
    exec(compile(card.to_python(), "exported", "exec"), module)
    found = [module["transform"](row) for row in new.to_dict("records")]
    assert [row["points"] for row in found] == points.tolist()
    assert [row["prediction"] for row in found] == card.predict(new).tolist()
    assert [row["probability"] for row in found] == pytest.approx(
        card.predict_proba(new)[:, 1], rel=1e-12
    )


def test_more_parts_on_demand(loans):
    frame, y, _ = loans
    assert pt.discretize(frame["noise"], y).n_parts == 1
    for asked, least in ((None, 6), (3, 3), (7, 7)):
        card = pt.Scorecard(min_parts=asked, selection=None, min_iv=0).fit(frame, y)
        parts = {name: p.n_parts for name, p in card.partitions_.items()}
        assert parts[NAME] == min(least, 4)  # it has so many values
        assert least <= min(parts["age"], parts["noise"])
        assert max(parts.values()) <= max(least, 8)
        for partition in card.partitions_.values():
            assert min(partition.counts.sum(axis=1)) >= 0.05 * 3_000
        assert set(card.points_) == set(frame.columns)


def test_parts_on_demand_are_those_of_a_search_of_their_own(loans):
    """The optimum without limits, which their price is counted from, is searched for once only."""
    frame, y, _ = loans
    partition = pt.Scorecard().fit(frame, y)["age"]
    asked = {"n_parts": partition.n_parts, "monotonic": "auto", "min_part_size": 0.05}
    alone = pt.Discretizer(**asked, search="coarse").fit(frame[["age"]], y)["age"]
    assert partition.cuts.tolist() == alone.cuts.tolist()
    assert partition.price == alone.price > 0.0


def test_columns_of_few_values_are_left_out(loans):
    """The floor of a default card is its own: it must not make a fit fail."""
    frame, y, _ = loans
    place = np.arange(len(frame))
    rare = frame.assign(rare=np.where(place % 40 == 0, place, np.nan))
    card = pt.Scorecard().fit(rare, y)
    why = "level 0: 2.5% of the rows have a value, fewer than a part must hold"
    assert card.summary().set_index("column").loc["rare", "why"] == why
    assert "rare" not in card.points_
    assert card.points(rare).tolist() == pt.Scorecard().fit(frame, y).points(frame).tolist()
    assert card["age"].n_parts == 8
    edited = card.edit("age", lambda p: p.merge(0, 1))
    assert "rare" not in edited.points_
    asked = pt.Scorecard(partitioner=pt.TablePartitioner(min_part_size=0.05))
    assert_refuses(
        lambda: asked.fit(rare, y),
        NotPartitionableError,
        "Scorecard.fit, column 'rare': min_part_size is in the way: every part must weigh at least "
        "150; the column weighs 75. Lower it.",
    )


def test_names_are_not_grouped_on_demand():
    rng = np.random.default_rng(3)
    X = pd.DataFrame({"name": [f"n{i}" for i in range(600)], "x": rng.normal(size=600)})
    y = (X["x"] + rng.normal(size=600) > 0).astype(int)
    card = pt.Scorecard().fit(X, y)
    assert card.partitions_["name"].n_parts == 1
    assert list(card.points_) == ["x"]


def test_a_partitioner_that_is_given_rules(loans):
    frame, y, _ = loans
    two = pt.TablePartitioner(max_parts=2)
    card = pt.Scorecard(partitioner=two).fit(frame, y)
    assert {n: p.n_parts for n, p in card.partitions_.items()} == {"age": 2, NAME: 2, "noise": 1}
    card = pt.Scorecard(partitioner=two, min_parts=3).fit(frame, y)
    assert {p.n_parts for p in card.partitions_.values()} == {2}
    card = pt.Scorecard(partitioner=two.set_params(max_parts={"age": 2}), min_parts=3)
    found = card.fit(frame, y).partitions_
    assert (found["age"].n_parts, found["noise"].n_parts) == (2, 3)


def test_nothing_to_learn_gives_the_prior():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 2)), np.array([0] * 80 + [1] * 20)
    card = pt.Scorecard(min_parts=1).fit(X, y)
    assert card.predict_proba(X)[:, 1] == pytest.approx(np.full(100, 0.2))
    assert card.predict(X).tolist() == [0] * 100
    assert len(set(card.points(X))) == 1


def test_target_of_a_frame_and_other_libraries(loans):
    frame, y, _ = loans
    whole = pl.from_pandas(frame).with_columns(pl.Series("y", y))
    card = pt.Scorecard().fit(whole, target="y")
    assert isinstance(card.table(), pl.DataFrame)
    assert (
        card.points(whole.drop("y")).tolist() == pt.Scorecard().fit(frame, y).points(frame).tolist()
    )
    assert roc_auc_score(y == "good", -card.points(whole.drop("y"))) > 0.7


def test_plot_draws_the_columns_with_points(card):
    _, ax = plt.subplots()
    assert card.plot(ax=ax) is ax
    assert {t.get_text() for t in ax.get_yticklabels()} == {"age", NAME}
    plt.close("all")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"points_to_double": 0}, "points_to_double must be a positive number; got 0."),
        ({"base": "600"}, "base must be a number; got '600'."),
        ({"base_odds": -1}, "base_odds must be a positive number; got -1."),
        ({"min_parts": 0}, "min_parts must be an integer of at least 1 or None; got 0."),
        ({"max_columns": 0}, "max_columns must be an integer of at least 1 or None; got 0."),
        ({"min_iv": -1}, "min_iv must be a number of at least 0; got -1."),
        ({"signs": "free"}, "signs must be 'evidence' or None; got 'free'."),
        (
            {"selection": "best"},
            "selection must be 'mdl', 'stepwise', 'lasso' or None; got 'best'.",
        ),
        (
            {"override": {"x0": 3}},
            "override must be a dict of points by part by column, such as {'age': {3: 20}}, or "
            "None; got {'x0': 3}.",
        ),
        ({"rounded": 1}, "rounded must be True or False; got 1."),
        ({"partitioner": 3}, "partitioner must be a TablePartitioner or None; got 3."),
    ],
)
def test_bad_parameters(parameters, message):
    X, y = np.arange(20.0)[:, None], [0] * 10 + [1] * 10
    assert_refuses(
        lambda: pt.Scorecard(**parameters).fit(X, y), ValueError, f"Scorecard: {message}"
    )


def test_three_classes_are_refused(iris):
    assert_refuses(
        lambda: pt.Scorecard().fit(*iris),
        ValueError,
        "Scorecard.fit: y must hold two classes; got 3 classes: 0, 1, 2. Only binary "
        "classification is supported. Take one class against the rest, such as y == 2, or, if y "
        "is an amount, TablePartitioner(target_type='number').",
    )


def test_event_can_be_named(loans, card, engines):
    frame, y, new = loans
    turned = clone(card).set_params(positive="bad").fit(frame, y)
    assert (card.event_, turned.event_) == ("good", "bad")
    assert turned.predict_proba(new) == pytest.approx(card.predict_proba(new), abs=2e-3)
    assert np.mean(turned.predict(new) == card.predict(new)) > 0.99
    safe = turned.predict_proba(new)[:, 1]  # of "good"
    assert np.corrcoef(turned.points(new), safe)[0, 1] > 0.9
    assert np.sign(turned.decision_function(new)).tolist() == [
        1.0 if label == "good" else -1.0 for label in turned.predict(new)
    ]
    opened = engines("duckdb")
    kinds = {"age": "number", NAME: "text", "noise": "number"}
    columns = {n: (k, [v if v == v else None for v in new[n]]) for n, k in kinds.items()}
    opened.load("loans", columns)
    _, rows = opened.query(turned.to_sql("duckdb", table="loans"))
    assert [row[2] for row in rows] == turned.predict(new).tolist()
    assert [row[1] for row in rows] == pytest.approx(turned.predict_proba(new)[:, 0], rel=1e-12)
    assert_refuses(
        lambda: pt.Scorecard(positive="ugly").fit(frame, y),
        ValueError,
        "Scorecard.fit: positive must be one of the classes 'bad', 'good'; got 'ugly'.",
    )


@pytest.mark.parametrize("method", ["averaged", "modl", "fusinter"])
def test_parts_of_any_method_are_divided_along_a_trend(method):
    rng = np.random.default_rng(8)
    x = rng.normal(size=1500)
    y = rng.random(1500) < 1 / (1 + np.exp(-x))
    maker = pt.TablePartitioner(method=method, monotonic="auto", max_parts=5)
    card = pt.Scorecard(partitioner=maker, min_parts=5).fit(pd.DataFrame({"x": x}), y)
    (column,) = card.partitions_.values()
    assert column.n_parts == 5
    assert column.gap is not None
