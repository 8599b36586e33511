"""Points on parts that predict a number: against scikit-learn's own models, and in every form."""

import duckdb
import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import GammaRegressor, PoissonRegressor, Ridge
from sklearn.utils.estimator_checks import parametrize_with_checks

import partage as pt
from helpers import FULL, assert_refuses, rewrite_model
from partage.exceptions import PartageError


def make_table(n=800, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": np.where(rng.uniform(size=n) < 0.1, np.nan, rng.uniform(18, 80, n)),
            "code": np.where(rng.uniform(size=n) < 0.1, -9.0, rng.normal(size=n)),
            "town": rng.choice(["Lyon", "Nice", "Paris"], n),
        }
    )
    level = np.sin(frame["age"].fillna(0) / 12) + (frame["town"] == "Nice") + 0.3 * frame["code"]
    return frame, level.to_numpy(), rng


def bits_of(model, frame):
    """Columns of bits of the codes of every column."""
    return np.hstack(
        [
            np.eye(len(p.code_labels()))[p.assign(frame[name])]
            for name, p in model.partitions_.items()
        ]
    )


def test_points_are_those_of_ridge_on_bits():
    frame, level, rng = make_table()
    y = level + rng.normal(size=len(frame))
    for curve in (False, True):
        model = pt.PointsRegressor(curve=curve, alpha=3).fit(frame, y)
        bits = bits_of(model, frame)
        wanted = Ridge(alpha=3, solver="cholesky").fit(bits, y).predict(bits)
        assert model.predict(frame) == pytest.approx(wanted, abs=1e-6)
        for name, p in model.partitions_.items():
            points = model.points_[name][p.assign(frame[name])]
            assert points.mean() == pytest.approx(0, abs=1e-9)
    assert model["age"].n_parts >= pt.discretize(frame["age"], y, method="modl-scores").n_parts
    assert model["age"].stats["rows"].sum() == frame["age"].notna().sum()


@pytest.mark.parametrize("family", ["poisson", "gamma"])
def test_points_are_those_of_a_linear_model_with_a_logarithm(family):
    frame, level, rng = make_table()
    y = rng.poisson(np.exp(level)) if family == "poisson" else rng.gamma(2, np.exp(level))
    weights = rng.integers(1, 4, len(y))
    model = pt.PointsRegressor(family=family, curve=False).fit(frame, y, sample_weight=weights)
    bits = bits_of(model, frame)
    kind = PoissonRegressor if family == "poisson" else GammaRegressor
    wanted = kind(alpha=10 / weights.sum(), max_iter=10_000, tol=1e-8)
    wanted = wanted.fit(bits, y, sample_weight=weights).predict(bits)
    assert model.predict(frame) == pytest.approx(wanted, rel=1e-4)
    assert np.exp(model.points(frame)) == pytest.approx(model.predict(frame))


def test_counts_over_an_exposure():
    frame, level, rng = make_table(3000)
    years = rng.uniform(0.1, 2, len(frame))
    y = rng.poisson(np.exp(level - 1) * years)
    model = pt.PointsRegressor(family="poisson").fit(frame, y, exposure=years)
    assert {p.method for p in model.partitions_.values()} == {"poisson"}
    bits = bits_of(model, frame)
    alpha = 10 / years.sum()
    wanted = PoissonRegressor(alpha=alpha, max_iter=10_000, tol=1e-8)
    wanted = wanted.fit(bits, y / years, sample_weight=years).predict(bits)
    assert model.predict(frame) == pytest.approx(wanted, rel=1e-4)
    assert (model.predict(frame) * years).sum() == pytest.approx(y.sum(), rel=0.02)


def test_a_curve_predicts_better_than_its_parts():
    errors = []
    for seed in range(4):
        frame, level, rng = make_table(1500, seed)
        y = level + rng.normal(size=len(frame))
        half = np.arange(1500) < 750
        models = [
            pt.PointsRegressor(curve=curve).fit(frame[half], y[half]) for curve in (True, False)
        ]
        errors.append([np.mean((m.predict(frame[~half]) - level[~half]) ** 2) for m in models])
    fine, coarse = np.mean(errors, axis=0)
    assert fine < coarse


def test_forms_agree(tmp_path):
    frame, level, rng = make_table()
    y = np.exp(level + 0.3 * rng.normal(size=len(frame)))
    maker = pt.TablePartitioner(special_values={"code": [-9]}, max_parts=4, n_jobs=1)
    for family in ("gaussian", "gamma"):
        model = pt.PointsRegressor(family=family, partitioner=maker).fit(frame, y)
        wanted = model.predict(frame)
        model.save(tmp_path / "model.json")
        again = pt.load(tmp_path / "model.json")
        assert (again.predict(frame) == wanted).all()
        assert again.table().equals(model.table())
        rows = duckdb.query(model.to_sql(table="frame", keep=["town"])).df()
        assert rows["prediction"].to_numpy() == pytest.approx(wanted, rel=1e-14)
        assert (rows["points"].to_numpy() == model.points(frame)).all()
        source: dict = {}
        exec(model.to_python(), source)
        row = {name: None if value != value else value for name, value in frame.iloc[3].items()}
        assert source["transform"](row)["prediction"] == pytest.approx(wanted[3], rel=1e-15)
    table = model.table()
    assert list(table.columns) == ["column", "part", "count", "share", "mean", "points"]
    new = pd.DataFrame({"age": [30.0], "code": [0.0], "town": ["Rome"]})
    assert np.isfinite(model.predict(new)).all()


def test_given_partitions_stay_as_they_are():
    frame, level, rng = make_table()
    y = level + rng.normal(size=len(frame))
    p = pt.discretize(frame["age"], y).set_cuts([30, 60])
    model = pt.PointsRegressor(partitions={"age": p}).fit(frame, y)
    assert model["age"].cuts.tolist() == [30, 60]


def test_damaged_files_are_refused(tmp_path):
    frame, level, _ = make_table(200)
    model = pt.PointsRegressor().fit(frame[["age", "town"]], level)
    data = model.to_dict()
    for change in (
        {"points": data["points"][:1]},
        {"intercept": float("nan")},
        {"points": [[1.0]]},
    ):
        rewrite_model(tmp_path / "bad.json", {**data, **change}, with_checksum=True)
        with pytest.raises(PartageError):
            pt.load(tmp_path / "bad.json")


GOOD = [1.5, 2.0, 0.5, 1.0]
CASES = [
    ({"family": "tweedie"}, GOOD, {}, ": family must be 'gaussian', 'poisson' or 'gamma'; got "
     "'tweedie'."),
    ({"alpha": 0}, GOOD, {}, ": alpha must be a positive number; got 0."),
    ({"curve": 1}, GOOD, {}, ": curve must be True or False; got 1."),
    ({"partitioner": pt.Discretizer()}, GOOD, {}, ": partitioner must be a TablePartitioner or "
     "None; got Discretizer()."),
    ({"family": "poisson"}, [1, -2, 0, 1], {}, ".fit: y must not be negative for "
     "family='poisson'; got -2.0. Use family='gaussian'."),
    ({"family": "gamma"}, [1.5, 2.0, 0, 1.0], {}, ".fit: y must be positive for family='gamma'; "
     "got 0.0. Use family='gaussian'."),
    ({}, GOOD, {"exposure": [1, 1, 1, 1]}, ".fit: exposure is for family='poisson'; got "
     "family='gaussian'. Leave it out."),
    ({"family": "poisson"}, [1, 2, 0, 1], {"exposure": [1, 1, 0, 1]}, ".fit: exposure must be "
     "positive; got 0.0. Drop rows without any."),
    ({"partitioner": pt.TablePartitioner(method="mean")}, GOOD * 9, {}, ".fit: output='averaged' "
     "follows the ranks of y, which method='mean' does not tell; use method='modl', or "
     "output='mean'."),
]  # fmt: skip


@pytest.mark.parametrize(("given", "y", "options", "message"), CASES)
def test_messages(given, y, options, message):
    X = np.arange(float(len(y)))[:, None]
    message = f"PointsRegressor{message}"
    assert_refuses(lambda: pt.PointsRegressor(**given).fit(X, y, **options), ValueError, message)


NUMBERS = [pt.TablePartitioner(target_type="number", output="mean")]
if FULL:
    NUMBERS += [
        pt.Discretizer(target_type="number", output="averaged"),
        pt.Grouper(target_type="number", output="median"),
        pt.PointsRegressor(family="poisson"),
    ]


@parametrize_with_checks(NUMBERS)
def test_estimators_of_numbers_pass_the_checks_of_scikit_learn(estimator, check):
    check(estimator)
