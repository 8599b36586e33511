"""Averaged shares as an output, in exports and in the classifiers."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import log_loss

import partage as pt
from helpers import assert_refuses


@pytest.fixture(scope="module")
def table():
    """Make 1,500 rows of numbers with gaps, and categories; two of the columns say something."""
    rng = np.random.default_rng(8)
    n = 1500
    frame = pd.DataFrame(
        {"a": rng.normal(size=n), "b": rng.integers(0, 40, n), "c": rng.choice(list("xyz"), n)}
    )
    odds = frame["a"] + 0.7 * (frame["c"] == "x") - 0.3
    y = (rng.random(n) < 1 / (1 + np.exp(-odds))).astype(int)
    frame.loc[::17, "a"] = np.nan
    return frame, y


@pytest.fixture(scope="module")
def model(table):
    return pt.TablePartitioner(output="averaged").fit(*table)


def test_transform_gives_the_share_of_the_event(table, model):
    frame, y = table
    found = model.transform(frame)
    assert model.get_feature_names_out().tolist() == ["a", "b", "c"]
    curve = pt.discretize(frame["a"], y, method="averaged").curve
    assert np.array_equal(found[:, 0], curve.code_rates()[curve.assign(frame["a"]), 1])
    groups = model["c"]
    shares = (groups.counts[:, 1] + 2 * y.mean()) / (groups.counts.sum(axis=1) + 2)
    assert found[:, 2] == pytest.approx(shares[groups.assign(frame["c"])])
    assert model["a"].averaged is None  # the parts are those of MODL
    assert np.array_equal(model["a"].cuts, pt.discretize(frame["a"], y).cuts)


def test_more_classes_have_a_column_each(table):
    frame, _ = table
    y = np.arange(len(frame)) % 3
    model = pt.Discretizer(output="averaged")
    found = model.fit_transform(frame[["a"]], y)
    assert model.get_feature_names_out().tolist() == ["a_0", "a_1", "a_2"]
    assert found.sum(axis=1) == pytest.approx(1)


def test_given_parts_have_their_own_shares_drawn_to_those_of_all_rows(table):
    frame, y = table
    given = pt.discretize(frame["a"], y).set_cuts([0.5])
    model = pt.TablePartitioner(output="averaged", partitions={"a": given}).fit(frame, y)
    counts = given.code_counts()
    shares = (counts[:, 1] + 2 * y.mean()) / (counts.sum(axis=1) + 2)
    found = model.transform(frame)[:, 0]
    assert found == pytest.approx(shares[given.assign(frame["a"])])


def test_averages_that_were_not_fitted_are_refused(table):
    frame, y = table
    model = pt.TablePartitioner().fit(frame, y).set_params(output="averaged")
    assert_refuses(
        lambda: model.transform(frame),
        ValueError,
        "TablePartitioner: column 'a' carries nothing that is averaged; fit with "
        "output='averaged', or take another output.",
    )


def test_a_column_without_values_has_the_shares_of_all_rows(table):
    frame, y = table
    empty = frame.assign(a=np.nan)
    model = pt.TablePartitioner(output="averaged").fit(empty, y)
    found = model.transform(frame)[:, 0]
    assert found == pytest.approx(np.full(len(y), y.mean()))


def test_the_event_is_the_one_that_is_named(table, model):
    frame, y = table
    other = pt.TablePartitioner(output="averaged", positive=0).fit(frame, y)
    assert other.transform(frame) == pytest.approx(1 - model.transform(frame))


def test_python_source_and_sql_give_the_same_numbers(table, model):
    frame, _ = table
    expected = model.transform(frame)
    module = {}
    exec(model.to_python(), module)
    rows = [list(module["transform"](row).values()) for row in frame[:200].to_dict("records")]
    assert np.array_equal(rows, expected[:200])
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        connection.register("t", frame)
        found = connection.sql(model.to_sql(table="t")).df().to_numpy()
    assert np.array_equal(found, expected)


def test_lazy_tables_give_the_same_numbers(table, model):
    pl = pytest.importorskip("polars")
    frame, y = table
    lazy = pl.from_pandas(frame.assign(y=y)).lazy()
    fitted = pt.TablePartitioner(output="averaged").fit(lazy, target="y")
    assert np.array_equal(fitted.transform(frame), model.transform(frame))
    found = model.transform(lazy.drop("y")).collect().to_numpy()
    assert np.array_equal(found, model.transform(frame))


def test_cross_fit_learns_the_shares_without_the_fold(table, model):
    frame, y = table
    crossed = pt.TablePartitioner(output="averaged", cross_fit=5)
    out = crossed.fit_transform(frame, y)
    assert np.array_equal(crossed.transform(frame), model.transform(frame))
    from sklearn.model_selection import StratifiedKFold

    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    train, test = next(iter(folds.split(frame, y)))
    fold = pt.TablePartitioner(output="averaged").fit(frame.iloc[train], y[train])
    assert np.array_equal(out[test], fold.transform(frame.iloc[test]))


def test_a_saved_model_gives_the_same_numbers(table, model, tmp_path):
    frame, _ = table
    model.save(tmp_path / "m.json")
    read = pt.load(tmp_path / "m.json")
    assert np.array_equal(read.transform(frame), model.transform(frame))


@pytest.mark.parametrize(
    "maker", [pt.NaiveBayesClassifier, pt.SelectiveNaiveBayesClassifier], ids=lambda m: m.__name__
)
def test_naive_bayes_sums_the_evidence_of_averaged_shares(table, maker, tmp_path):
    frame, y = table
    nb = maker(shares="averaged").fit(frame, y)
    shares = pt.TablePartitioner(output="averaged").fit(frame, y).transform(frame)
    prior = np.log(y.mean() / (1 - y.mean()))
    evidence = np.log(shares / (1 - shares)) - prior
    odds = prior + (evidence * nb.weights_).sum(axis=1)
    found = nb.predict_joint_log_proba(frame)
    # P(cell | class) is normed over the cells, of averaged weights and not of counted ones.
    assert found[:, 1] - found[:, 0] == pytest.approx(odds, abs=0.02)
    nb.save(tmp_path / "m.json")
    assert np.array_equal(
        pt.load(tmp_path / "m.json").predict_proba(frame), nb.predict_proba(frame)
    )
    assert log_loss(y, nb.predict_proba(frame)) < log_loss(y, np.full(len(y), y.mean()))


def test_naive_bayes_refuses_batches_of_averages(table):
    assert_refuses(
        lambda: pt.NaiveBayesClassifier(shares="averaged").partial_fit(*table),
        ValueError,
        "NaiveBayesClassifier.partial_fit: shares='averaged' needs all rows at once, since the "
        "mean over partitions is not a sum over batches; use fit, or shares='counted'.",
    )
    assert_refuses(
        lambda: pt.NaiveBayesClassifier(shares="mean").fit(*table),
        ValueError,
        "NaiveBayesClassifier: shares must be 'counted' or 'averaged'; got 'mean'.",
    )


def test_a_scorecard_takes_the_evidence_of_averaged_parts(table):
    frame, y = table
    maker = pt.TablePartitioner(method="averaged", max_parts=4)
    card = pt.Scorecard(partitioner=maker).fit(frame, y)
    p = card["a"]
    assert p.averaged is not None
    assert p.method == "averaged"
    factor = 20 / np.log(2)
    steps = -factor * card.coef_[0, 0] * np.diff(p.code_woe(1))
    assert np.diff(card.points_["a"]) == pytest.approx(steps)
