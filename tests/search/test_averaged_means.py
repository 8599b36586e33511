"""Averaged means of a number: against their definition, and in every output."""

import numpy as np
import pandas as pd
import pytest

import partage as pt
from partage._search.averaged import cell_starts
from partage._search.averaged_means import averaged_means, simplified_means
from partage._search.readings import reading_of
from reference.numbers import averaged_over_cells


def _cells(x, y):
    p = pt.discretize(x, y, method="modl-scores")
    total = p.total()
    return averaged_means(p.units, reading_of(p.target, "modl-scores"), total), p


@pytest.mark.parametrize("seed", range(8))
def test_means_of_few_cells_are_those_of_the_definition(seed):
    rng = np.random.default_rng([5, seed])
    n = int(rng.integers(24, 36))
    x = rng.permutation(n).astype(float)
    y = np.exp(rng.normal(size=n)) + rng.choice([0, 2]) * (x > n / 2)
    cells, p = _cells(x, y)
    assert cells.starts.tolist() == cell_starts(p.units).tolist()
    expected = averaged_over_cells(x, y, p.units.lows[cells.starts[:-1]])
    assert cells.means == pytest.approx(expected, rel=1e-3)


def test_means_follow_a_curve_better_than_parts_do():
    gains = []
    for seed in range(5):
        rng = np.random.default_rng([9, seed])
        x = rng.uniform(size=(2, 1500))
        y = np.sin(6 * x) + rng.normal(size=(2, 1500))
        encoder = pt.TablePartitioner(output="averaged").fit(x[0][:, None], y[0])
        parts = pt.TablePartitioner(output="mean").fit(x[0][:, None], y[0])
        errors = [
            np.mean((m.transform(x[1][:, None])[:, 0] - np.sin(6 * x[1])) ** 2)
            for m in (encoder, parts)
        ]
        gains.append(errors[0] < errors[1])
    assert sum(gains) >= 4


def test_noise_stays_near_the_mean():
    rng = np.random.default_rng(1)
    for law in (rng.normal(size=1000), rng.lognormal(0, 2, 1000), rng.standard_t(2, 1000)):
        x = rng.uniform(size=(1000, 1))
        means = pt.TablePartitioner(output="averaged").fit(x, law).transform(x)
        assert np.std(means) < 0.1 * np.std(law)


def test_order_of_rows_and_weights_are_nothing_to_the_means():
    rng = np.random.default_rng(2)
    x, w = rng.integers(0, 40, 300).astype(float), rng.integers(1, 4, 300)
    y = rng.normal(size=300) + 0.1 * x
    order = rng.permutation(300)

    def means(x, y, weight=None):
        model = pt.TablePartitioner(output="averaged")
        return model.fit(x[:, None], y, sample_weight=weight).transform(np.arange(40.0)[:, None])

    assert (means(x, y) == means(x[order], y[order])).all()
    assert means(x, y, w) == pytest.approx(means(np.repeat(x, w), np.repeat(y, w)), rel=1e-12)


def test_fewer_steps_keep_the_curve():
    rng = np.random.default_rng(3)
    x = rng.uniform(size=4000)
    y = np.floor(3 * x) + rng.normal(size=4000) * 0.2
    cells, _ = _cells(x, y)
    few = simplified_means(cells, float(np.var(y)))
    assert len(few.means) < 12
    assert few.sums.weight.sum() == 4000
    spread = np.repeat(few.means, np.diff(np.searchsorted(cells.starts, few.starts)))
    weight = cells.sums.weight
    middle = (weight * cells.means).sum() / weight.sum()
    lost = (weight * (spread - cells.means) ** 2).sum()
    assert lost <= 0.001 * (weight * (cells.means - middle) ** 2).sum()
    flat = simplified_means(_cells(x, rng.normal(size=4000))[0], 1.0)
    assert len(flat.means) <= 3


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(4)
    n = 600
    frame = pd.DataFrame(
        {
            "age": np.where(rng.uniform(size=n) < 0.1, np.nan, rng.uniform(18, 80, n)),
            "code": np.where(rng.uniform(size=n) < 0.2, -9.0, rng.normal(size=n)),
            "city": rng.choice(list("abc"), n),
        }
    )
    y = np.sin(frame["age"].fillna(0) / 10) + (frame["city"] == "a") + rng.normal(size=n)
    return frame, y.to_numpy()


def test_outputs_agree(table, tmp_path):
    import duckdb
    import polars as pl

    frame, y = table
    model = pt.TablePartitioner(output="averaged", special_values={"code": [-9]}).fit(frame, y)
    plain = model.transform(frame)
    assert list(model.get_feature_names_out()) == list(frame.columns)
    model.save(tmp_path / "model.json")
    assert (pt.load(tmp_path / "model.json").transform(frame) == plain).all()
    source: dict = {}
    exec(model.to_python(), source)
    for i in (0, 1, 2):
        row = {k: None if v != v else v for k, v in frame.iloc[i].items()}
        assert list(source["transform"](row).values()) == plain[i].tolist()
    lazy = model.transform(pl.from_pandas(frame).lazy()).collect().to_numpy()
    assert (lazy == plain).all()
    relation = duckdb.from_df(frame)
    assert (model.transform(relation).df().to_numpy() == plain).all()
    missing = frame["age"].isna().to_numpy()
    expected = (y[missing].sum() + y.mean()) / (missing.sum() + 1)
    assert plain[missing, 0] == pytest.approx(expected)
    held = (frame["city"] == "a").to_numpy()
    groups = model.partitions_["city"].groups
    if any(group == ("a",) for group in groups):
        assert plain[held, 2] == pytest.approx((y[held].sum() + y.mean()) / (held.sum() + 1))


def test_means_out_of_fold(table):
    frame, y = table
    model = pt.TablePartitioner(output="averaged", cross_fit=4)
    out = model.fit_transform(frame, y)
    inside = model.transform(frame)
    assert out.shape == inside.shape
    assert not (out == inside).all()
    assert np.corrcoef(out[:, 0], y)[0, 1] > 0.2


def test_a_damaged_curve_is_refused(table):
    frame, y = table
    model = pt.TablePartitioner(output="averaged").fit(frame, y)
    plain = model.partitions_["age"].to_dict()
    assert pt.from_dict(plain).curve == model.partitions_["age"].curve
    for averaged in ([], [[1.0, 2.0]], [["a"]] * (len(plain["curve"]["counts"]) + 1)):
        damaged = {**plain, "curve": {**plain["curve"], "averaged": averaged}}
        with pytest.raises(pt.exceptions.PartageError, match="averaged means"):
            pt.from_dict(damaged)
