"""``method="averaged"`` of a number: parts that summarise the averaged means of a column."""

import itertools
import json

import numpy as np
import pytest

import partage as pt

N_ROWS = 600


def rows(seed=0):
    rng = np.random.default_rng(seed)
    x = rng.uniform(size=N_ROWS)
    return rng, x, np.sin(5 * x) + rng.standard_t(3, N_ROWS)


def curve_of(partition, x):
    """Averaged mean at each value, of the finest parts that carry it."""
    curve = partition.curve
    means = curve.table()["averaged"].to_numpy()
    return means[np.searchsorted(curve.cuts, x)]


def averaged(partition):
    return partition.table()["averaged"].to_numpy()[: partition.n_parts]


@pytest.mark.parametrize("seed", range(4))
def test_parts_carry_the_averaged_means_of_their_rows(seed):
    _, x, y = rows(seed)
    p = pt.discretize(x, y, method="averaged", max_parts=6)
    assert (p.method, p.code, p.is_optimal) == ("averaged", "scores", False)
    codes = p.assign(x)
    curve = curve_of(p, x)
    means = [curve[codes == k].mean() for k in range(p.n_parts)]
    # The curve itself has fewer steps than what was averaged.
    assert averaged(p) == pytest.approx(means, abs=0.03 * np.ptp(curve))
    counted = [y[codes == k].mean() for k in range(p.n_parts)]
    assert p.stats["mean"].to_numpy()[: p.n_parts] == pytest.approx(counted)
    model = pt.TablePartitioner(method="averaged", max_parts=6, output="mean", target_type="number")
    told = model.fit(x[:, None], y).transform(x[:, None])[:, 0]
    assert told == pytest.approx(averaged(p)[codes])


@pytest.mark.parametrize("seed", range(4))
def test_parts_lose_the_least_squares_of_the_curve(seed):
    rng, x, y = rows(seed)
    x = rng.integers(0, 9, N_ROWS)  # few values: each is a cell
    y = y + 0.3 * x
    p = pt.discretize(x, y, method="averaged", n_parts=3)
    each = pt.discretize(x, y, method="averaged", n_parts=9)
    m, n = averaged(each), np.bincount(x)

    def loss(cuts):
        total = 0.0
        for a, b in itertools.pairwise([0, *cuts, 9]):
            mean = np.average(m[a:b], weights=n[a:b])
            total += (n[a:b] * (m[a:b] - mean) ** 2).sum()
        return total

    least = min(loss(cuts) for cuts in itertools.combinations(range(1, 9), 2))
    assert loss(np.ceil(p.cuts).astype(int)) == pytest.approx(least, abs=1e-9)


def test_limits_hold():
    _, x, y = rows()
    up = pt.discretize(x, y, method="averaged", monotonic="descending", max_parts=5)
    assert (np.diff(averaged(up)) <= 1e-12).all()
    assert (np.diff(up.stats["mean"].to_numpy()[: up.n_parts]) <= 1e-12).all()
    floor = pt.discretize(x, y, method="averaged", min_part_size=0.2)
    assert floor.rows.min() >= 0.2 * N_ROWS
    given = pt.discretize(x, y, method="averaged", user_cuts=[0.25, 0.5], max_parts=5)
    assert {0.25, 0.5} <= set(given.cuts.tolist())
    named = pt.discretize(x, y, method="averaged", candidate_cuts=[0.2, 0.4, 0.7])
    assert set(named.cuts.tolist()) <= {0.2, 0.4, 0.7}
    few = pt.discretize(x, y, method="averaged", method_params={"keep": 0.8})
    assert few.n_parts < pt.discretize(x, y, method="averaged").n_parts
    message = "n_parts must be at most the number of cells that are averaged, 128; got 200"
    with pytest.raises(pt.exceptions.NotPartitionableError, match=message):
        pt.discretize(x, y, method="averaged", n_parts=200)


def test_missing_rows_have_a_mean_of_their_own_or_join_a_part():
    _, x, y = rows()
    x[::10] = np.nan
    y[::10] += 2.0
    p = pt.discretize(x, y, method="averaged", max_parts=4)
    n, own = np.isnan(x).sum(), y[np.isnan(x)]
    shown = p.table()["averaged"].to_numpy()[p.n_parts]
    assert shown == pytest.approx((own.sum() + y.mean()) / (n + 1))
    merged = pt.discretize(x, y, method="averaged", max_parts=4, missing="merge")
    assert merged.missing_part is not None


def test_edits_files_and_explanations_go_on():
    _, x, y = rows()
    p = pt.discretize(x, y, method="averaged", max_parts=5)
    q = pt.from_dict(json.loads(json.dumps(p.to_dict())))
    assert q == p
    assert str(q.explain()) == str(p.explain())
    assert "The means of the parts are averaged over all partitions" in str(p.explain())
    joined = p.merge(0, 1)
    n = p.rows
    assert averaged(joined)[0] == pytest.approx(np.average(averaged(p)[:2], weights=n[:2]))
    split = p.split(0, p.cuts[0] / 2)
    assert averaged(split)[2:] == pytest.approx(averaged(p)[1:], abs=0.05)
    with pytest.raises(ValueError, match="certainty"):
        p.certainty()


def test_noise_and_constants_are_one_part():
    rng, x, y = rows()
    assert pt.discretize(x, np.full(N_ROWS, 1.5), method="averaged").n_parts == 1
    noise = pt.discretize(x, rng.normal(size=N_ROWS), method="averaged")
    assert np.ptp(averaged(noise)) < 0.3
    with pytest.raises(ValueError, match="method must be"):
        pt.group(x.astype(str), y, method="averaged")
