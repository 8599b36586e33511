"""Methods that tell the mean of a number, and the published grid: formulas, optimum, noise."""

import itertools
import math

import numpy as np
import pytest

import partage as pt
from helpers import FULL
from partage import _core
from reference.criteria import part_length
from reference.numbers import (
    grid_cost,
    group_structure,
    lowest_cost,
    mean_cost,
    mean_floor,
    poisson_dispersion,
    rate_cost,
    structure,
    tweedie_cost,
    tweedie_dispersion,
)

N_SEEDS = 40 if FULL else 12


def numbers(seed, n_values=6, n=None):
    rng = np.random.default_rng(seed)
    n = n or int(rng.integers(20, 60))
    x = rng.integers(0, n_values, n)
    return rng, x, rng.choice([0.0, 1.0, 2.0], n_values)[x]


def test_the_grid_costs_what_was_published():
    x = np.arange(40.0)
    y = np.where(x < 20, 0.0, 3.0) + ((7 * np.arange(40)) % 11) / 5
    p = pt.discretize(x, y, method="modl-grid")
    assert p.cost == pytest.approx(101.8516087719, abs=1e-9)
    assert p.null_cost == pytest.approx(117.6983986230, abs=1e-9)
    assert (p.cuts.tolist(), p.target_cuts.tolist(), p.code) == ([19.5], [2.5], "grid")
    assert p.level == pytest.approx(-math.expm1(-2 * (p.null_cost - p.cost) / 40))


@pytest.mark.parametrize("seed", range(6))
def test_the_grid_costs_what_its_formula_says(seed):
    rng = np.random.default_rng(seed)
    x = rng.uniform(size=300)
    y = rng.normal(size=300) * np.where(x > 0.6, 4, 1)
    p = pt.discretize(x, y, method="modl-grid")
    table = np.zeros((p.n_parts, len(p.target_cuts) + 1))
    np.add.at(table, (p.assign(x), np.searchsorted(p.target_cuts, y)), 1)
    assert p.cost == pytest.approx(grid_cost(table), rel=1e-9)
    noise = pt.discretize(x, rng.normal(size=300), method="modl-grid")
    assert (noise.n_parts, noise.level) == (1, 0.0)
    assert noise.cost == noise.null_cost == pytest.approx(grid_cost([[300]]), rel=1e-9)


@pytest.mark.parametrize("groups", [False, True])
@pytest.mark.parametrize("seed", range(N_SEEDS))
def test_means_have_the_lowest_cost_of_all(seed, groups):
    rng, x, level = numbers(seed)
    y = np.round(rng.normal(size=len(x)) + level, 2)
    floor = mean_floor(y)
    if groups and floor > 5:
        return  # a floor may ask for groups that are no ranges
    n_values = len(set(x))
    lowest = lowest_cost(
        x,
        lambda parts: mean_cost(parts, y),
        (lambda k: group_structure(n_values, k)) if groups else (lambda k: structure(len(x), k)),
        lambda parts: all(len(part) >= floor for part in parts),
        groups,
    )
    call = pt.group if groups else pt.discretize
    p = call(x.astype(str) if groups else x.astype(float), y, method="mean", target_type="number")
    assert p.cost >= lowest - 1e-9 * abs(lowest)
    if not groups:
        assert p.cost == pytest.approx(lowest, rel=1e-9)
        assert p.is_optimal


@pytest.mark.parametrize("groups", [False, True])
@pytest.mark.parametrize("seed", range(N_SEEDS))
def test_rates_have_the_lowest_cost_of_all(seed, groups):
    rng, x, level = numbers(seed)
    exposure = rng.uniform(0.2, 3, len(x))
    y = rng.poisson(exposure * (0.3 + level)).astype(float)
    n_values = len(set(x))
    dispersion = poisson_dispersion(y, exposure)
    lowest = lowest_cost(
        x,
        lambda parts: rate_cost(parts, y, exposure, dispersion),
        (lambda k: group_structure(n_values, k)) if groups else (lambda k: structure(len(x), k)),
        groups=groups,
    )
    call = pt.group if groups else pt.discretize
    p = call(
        x.astype(str) if groups else x.astype(float),
        y,
        method="poisson",
        target_type="number",
        exposure=exposure,
    )
    assert p.cost == pytest.approx(lowest, rel=1e-9)
    assert p.is_optimal


@pytest.mark.parametrize("groups", [False, True])
@pytest.mark.parametrize("seed", range(N_SEEDS))
def test_amounts_with_zeros_have_the_lowest_cost_of_all(seed, groups):
    rng, x, level = numbers(seed)
    exposure = rng.uniform(0.2, 3, len(x))
    y = np.where(rng.uniform(size=len(x)) < 0.5, 0.0, rng.gamma(2, exposure * (0.3 + level)))
    n_values = len(set(x))
    dispersion = tweedie_dispersion(y, exposure)
    lowest = lowest_cost(
        x,
        lambda parts: tweedie_cost(parts, y, exposure, dispersion),
        (lambda k: group_structure(n_values, k)) if groups else (lambda k: structure(len(x), k)),
        groups=groups,
    )
    call = pt.group if groups else pt.discretize
    values = x.astype(str) if groups else x.astype(float)
    p = call(values, y, method="tweedie", exposure=exposure)
    assert p.cost == pytest.approx(lowest, rel=1e-9)
    assert p.is_optimal


def test_tweedie_of_one_part_costs_its_own_formula():
    # Worked by hand: two rows of 0 and 4, mean 2, dispersion (4 + 4) / 2^1.5 = 2^1.5.
    given = [2.0, 2.0**1.5, 1.0]
    rows = np.array([[2.0, 2.0, 4.0, -8.0]])  # -4 sqrt(4) of the second
    expected = (4 * np.sqrt(18) - 4 * np.sqrt(2) - 8) / 2**1.5 + 0.5 * np.log(3)
    assert _core.part_lengths(rows, "tweedie", given)[0] == pytest.approx(expected, rel=1e-12)


def test_amounts_cost_what_their_formula_says():
    rng, x, _ = numbers(3, n=200)
    y = rng.gamma(2, 1 + 3 * (x > 2))
    p = pt.discretize(x.astype(float), y, method="gamma")
    dispersion = ((y / y.mean() - 1) ** 2).sum() / (len(y) - 1)
    lowest = lowest_cost(
        x,
        lambda parts: rate_cost(parts, np.ones(len(y)), y, dispersion),
        lambda k: structure(len(x), k),
    )
    assert p.n_parts > 1
    assert p.cost == pytest.approx(lowest, rel=1e-9)


@pytest.mark.parametrize("criterion", ["rates", "tweedie"])
@pytest.mark.parametrize("seed", range(5))
def test_the_claims_of_rates_hold(seed, criterion):
    rng = np.random.default_rng(seed)
    n = 8
    w, s = rng.uniform(0.1, 2, (n, 4)), rng.poisson(1.5, (n, 4)).astype(float)
    t = np.where(s > 0, s * np.log(np.where(s > 0, s, 1) / w), 0) - s
    if criterion == "tweedie":
        t = -4 * np.sqrt(s * w)
    rows = np.column_stack([np.full(n, 4.0), w.sum(1), s.sum(1), t.sum(1)])
    given = [1.2, 1.5] if criterion == "rates" else [1.2, 1.5, 0.8]
    costs = _core.part_lengths(rows, criterion, given)
    growths = _core.least_growths(rows, criterion, given)
    both = np.array([_core.part_lengths(rows[[i]] + rows, criterion, given) for i in range(n)])
    assert (growths >= 0).all()
    assert (both - costs[:, None] >= growths[None, :] - 1e-9).all()
    middle = _core.part_lengths((rows[:-1] + rows[1:]) / 2, criterion, given)
    assert (middle >= (costs[:-1] + costs[1:]) / 2 - 1e-9).all()  # concave


@pytest.mark.parametrize("method", ["mean", "poisson", "gamma", "tweedie", "modl-grid"])
def test_rows_in_any_order_give_the_same_bits(method):
    rng = np.random.default_rng(7)
    x = rng.uniform(size=800)
    y = rng.gamma(2, 1 + (x > 0.4)) if method != "poisson" else rng.poisson(1 + 2 * (x > 0.4))
    exposure = rng.uniform(size=800) + 0.5 if method in ("poisson", "tweedie") else None
    order = rng.permutation(800)
    p = pt.discretize(x, y, method=method, target_type="number", exposure=exposure)
    q = pt.discretize(
        x[order],
        y[order],
        method=method,
        target_type="number",
        exposure=None if exposure is None else exposure[order],
    )
    assert p.n_parts > 1
    assert p == q
    assert pt.from_dict(p.to_dict()) == p
    assert str(p.explain()).startswith("x: ")


@pytest.mark.parametrize("method", ["mean", "poisson", "tweedie"])
def test_weights_are_repeated_rows(method):
    rng = np.random.default_rng(5)
    x, w = rng.integers(0, 9, 120).astype(float), rng.integers(1, 5, 120)
    y = rng.poisson(1 + 2 * (x > 4)).astype(float)
    p = pt.discretize(x, y, method=method, target_type="number", sample_weight=w)
    q = pt.discretize(np.repeat(x, w), np.repeat(y, w), method=method, target_type="number")
    assert p.cuts.tolist() == q.cuts.tolist()
    assert p.cost == pytest.approx(q.cost, rel=1e-12)


def test_frequencies_are_events_over_the_exposure():
    rng = np.random.default_rng(1)
    x, years = rng.uniform(size=3000), rng.uniform(0.1, 2, 3000)
    x[:100] = np.nan
    y = rng.poisson(years * (0.2 + 0.6 * (x > 0.5)))
    given = {"method": "poisson", "target_type": "number"}
    p = pt.discretize(x, y, exposure=years, monotonic="ascending", **given)
    codes = p.assign(x)
    for k in range(p.n_parts):
        inside = codes == k
        rate = y[inside].sum() / years[inside].sum()
        assert p.stats["frequency"].iloc[k] == pytest.approx(rate)
        assert p.stats["exposure"].iloc[k] == pytest.approx(years[inside].sum())
    assert (np.diff(p.stats["frequency"]) > 0).all()
    falling = pt.discretize(x, y, exposure=years, monotonic="descending", **given)
    assert falling.n_parts == 1
    table = pt.TablePartitioner(output="mean", **given)
    frame = np.column_stack([x, rng.uniform(size=3000)])
    rates = table.fit(frame, y, exposure=years).transform(frame)
    assert set(rates[codes == 0, 0]) == {p.stats["frequency"].iloc[0]}
    shown = p.table().set_index("part").loc["missing"]
    assert shown["frequency"] == pytest.approx(y[:100].sum() / years[:100].sum())
    merged = p.merge(0, 1)
    assert merged.stats["exposure"].iloc[0] == pytest.approx(years[100:].sum())


LAWS = {
    "mean": lambda rng, n: rng.lognormal(0, 2, n),
    "poisson": lambda rng, n: rng.negative_binomial(0.3, 0.375, n),
    "gamma": lambda rng, n: rng.lognormal(0, 1, n),
    "tweedie": lambda rng, n: np.where(rng.uniform(size=n) < 0.9, 0, rng.lognormal(0, 1, n)),
}


@pytest.mark.parametrize("method", LAWS)
def test_noise_stays_whole(method):
    cut = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        y = LAWS[method](rng, 200).astype(float)
        x = rng.uniform(size=200)
        cut += pt.discretize(x, y, method=method, target_type="number").n_parts > 1
    assert cut <= 1


@pytest.mark.parametrize("method", ["mean", "poisson", "modl-grid", "gamma", "tweedie"])
def test_one_value_is_one_part(method):
    p = pt.discretize([1, 2, 3, 4, 5.0], [2.5] * 5, method=method, target_type="number")
    assert (p.n_parts, p.level) == (1, 0.0)
    q = pt.group(list("aabbc"), [2.5] * 5, method=method, target_type="number")
    assert q.n_parts == 1


REFUSED = [
    (
        {"method": "poisson", "y": [1.0, -2.0, 3.0]},
        "method='poisson' counts events, and y must not be negative; got -2.0.",
    ),
    (
        {"method": "gamma", "y": [1.0, 0.0, 3.0]},
        "method='gamma' is for positive amounts; y holds 0.0. Use method='tweedie' for amounts "
        "that may be zero, or method='modl'.",
    ),
    (
        {"method": "tweedie", "y": [1.0, -2.5, 3.0]},
        "method='tweedie' is for amounts, and y must not be negative; got -2.5. Use method='mean' "
        "or method='modl'.",
    ),
    (
        {"method": "mean", "exposure": [1, 1, 1]},
        "exposure is for method='poisson' and method='tweedie'; got method='mean'. Use one of "
        "these, or divide y by the exposure and pass it as sample_weight.",
    ),
    (
        {"method": "poisson", "exposure": [1, 0, 1]},
        "exposure must be positive; got 0.0. Drop rows without any.",
    ),
    (
        {"method": "poisson", "exposure": [1, -1, 1]},
        "exposure must be positive; got -1.0. Drop rows without any.",
    ),
    (
        {"method": "poisson", "exposure": [1, np.nan, 1]},
        "exposure must be finite; it holds NaN or infinity.",
    ),
    (
        {"method": "poisson", "exposure": [1, 1e300, 1]},
        "exposure must lie between 1e-100 and 1e+100; got 1e+300. Divide all by one number.",
    ),
    (
        {"method": "tweedie", "exposure": [1, 1e-300, 1]},
        "exposure must lie between 1e-100 and 1e+100; got 1e-300. Divide all by one number.",
    ),
    (
        {"method": "poisson", "exposure": [1, 1]},
        "exposure must hold one number for each of the 3 rows; got the shape (2,).",
    ),
    ({"method": "mean", "y": [1.0, np.nan, 2.0]}, "Input y contains NaN; drop these rows."),
    (
        {"method": "mean", "y": [1.0, np.inf, 2.0]},
        "Input y contains infinity or a value too large for dtype('float64'); clip it to a number.",
    ),
    (
        {"target_type": "class", "y": [0, 1, 1], "exposure": [1, 1, 1], "method": "modl"},
        "exposure is for counts, and y holds classes; pass target_type='number' and "
        "method='poisson'.",
    ),
]


@pytest.mark.parametrize(("given", "message"), REFUSED)
def test_what_a_law_has_not_is_refused(given, message):
    given = {"target_type": "number", "y": [1.0, 2.0, 3.0], **given}
    with pytest.raises(ValueError) as error:  # noqa: PT011  # the whole text follows
        pt.discretize([1, 2, 3], **given)
    assert str(error.value) == f"discretize: {message}"


def test_texts_are_no_exposure():
    with pytest.raises(TypeError, match=r"^discretize: exposure must hold numbers; got list\.$"):
        pt.discretize([1, 2], [1, 2], exposure=["a", "b"], method="poisson", target_type="number")


@pytest.mark.parametrize("weight", [0.0, 0.2, 0.7, 1.0])
@pytest.mark.parametrize("seed", range(4))
def test_contrast_has_the_lowest_cost_of_all(seed, weight):
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(rng.choice([0, 4], 60), 1)) * 10.0
    y = np.where(rng.uniform(size=60) < 0.2, rng.integers(0, 3, 60), (x > 20).astype(int))
    z = (x - x.mean()) / x.std()
    labels = np.unique(y, return_inverse=True)[1]

    def cost(parts):
        total = structure(len(x), len(parts))
        for part in parts:
            counts = np.bincount(labels[part], minlength=labels.max() + 1)
            within = ((z[part] - z[part].mean()) ** 2).sum()
            total += (1 - weight) * part_length(counts) + weight * within / 2
        return total

    values = np.unique(x)
    borders = (values[1:] + values[:-1]) / 2
    lowest = min(
        cost([np.flatnonzero(np.searchsorted(cuts, x) == k) for k in range(len(cuts) + 1)])
        for size in range(len(borders) + 1)
        for cuts in itertools.combinations(borders, size)
    )
    p = pt.discretize(x, y, method="contrast", method_params={"weight": weight})
    codes = p.assign(x)
    found = cost([np.flatnonzero(codes == k) for k in range(p.n_parts)])
    assert found == pytest.approx(lowest, rel=1e-9)
    assert p.cost == pytest.approx(
        pt.discretize(x, y, user_cuts=list(p.cuts), n_parts=p.n_parts).cost
    )
    moved = pt.discretize(1e6 - 7 * x, y, method="contrast", method_params={"weight": weight})
    assert moved.n_parts == p.n_parts


@pytest.mark.parametrize("trend", ["ascending", "descending", "peak", "valley"])
@pytest.mark.parametrize("seed", range(N_SEEDS // 2))
def test_means_that_follow_a_trend_have_the_lowest_cost_of_all(seed, trend):
    rng, x, level = numbers(seed, n_values=7, n=90)
    y = rng.normal(size=len(x)) + level
    floor = mean_floor(y)

    def allowed(parts):
        rises = np.diff([y[part].mean() for part in parts]) > 0
        turns = np.flatnonzero(np.diff(rises.astype(int)))
        shapes = {
            "ascending": rises.all(),
            "descending": not rises.any(),
            "peak": len(turns) == 0 or (len(turns) == 1 and rises[0]),
            "valley": len(turns) == 0 or (len(turns) == 1 and not rises[0]),
        }
        return shapes[trend] and all(len(part) >= floor for part in parts)

    lowest = lowest_cost(
        x, lambda parts: mean_cost(parts, y), lambda k: structure(len(x), k), allowed
    )
    p = pt.discretize(x.astype(float), y, method="mean", monotonic=trend)
    assert p.cost == pytest.approx(lowest, rel=1e-9)


@pytest.mark.parametrize("trend", [None, "ascending", "descending"])
@pytest.mark.parametrize("seed", range(N_SEEDS))
def test_so_many_means_leave_the_least_squares(seed, trend):
    rng, x, level = numbers(seed, n_values=8)
    y = level + rng.standard_t(2, len(x))
    size = max(2, len(x) // 10)
    sign = {None: 0, "ascending": 1, "descending": -1}[trend]

    def squares(cuts):
        parts = [y[(x > a) & (x <= b)] for a, b in itertools.pairwise([-1, *cuts, 8])]
        means = [part.mean() if len(part) else np.nan for part in parts]
        is_allowed = all(len(part) >= size for part in parts) and (
            sign == 0 or (sign * np.diff(means) >= -1e-12).all()
        )
        return sum(((part - part.mean()) ** 2).sum() for part in parts) if is_allowed else np.inf

    least = min(squares(cuts) for cuts in itertools.combinations(range(7), 2))
    asked = {"n_parts": 3, "min_part_size": size, "monotonic": trend}
    if not np.isfinite(least):
        with pytest.raises(pt.exceptions.NotPartitionableError, match="n_parts"):
            pt.discretize(x, y, method="mean", **asked)
        return
    p = pt.discretize(x, y, method="mean", **asked)
    assert squares([c - 0.5 for c in p.cuts]) == pytest.approx(least, rel=1e-9)


@pytest.mark.parametrize("trend", ["ascending", "descending"])
@pytest.mark.parametrize("seed", range(N_SEEDS // 2))
def test_positive_amounts_that_follow_a_trend_have_the_lowest_cost_of_all(seed, trend):
    rng, x, level = numbers(seed, n_values=7, n=90)
    y = rng.gamma(2, 1 + level)
    sign = 1 if trend == "ascending" else -1

    def allowed(parts):
        return (sign * np.diff([y[part].mean() for part in parts]) >= 0).all()

    p = pt.discretize(x.astype(float), y, method="gamma", monotonic=trend)
    dispersion = p.target.family.dispersion
    lowest = lowest_cost(
        x,
        lambda parts: rate_cost(parts, np.ones(len(y)), y, dispersion),
        lambda k: structure(len(x), k),
        allowed,
    )
    codes = p.assign(x.astype(float))
    assert allowed([np.flatnonzero(codes == k) for k in range(p.n_parts)])
    assert p.cost == pytest.approx(lowest, rel=1e-9)


def test_rows_over_an_exposure_take_no_segments_and_no_rows_without_one():
    x, y, over = np.arange(60.0), np.repeat([0.0, 2.0], 30), np.ones(60)
    given = {"method": "poisson", "exposure": over, "target_type": "number"}
    with pytest.raises(ValueError, match="by is not for rows that have an exposure; leave one of"):
        pt.discretize(x, y, by=list("ab") * 30, monotonic="auto", **given)
    found = pt.discretize(x, y, **given)
    with pytest.raises(ValueError, match="was fitted with an exposure, and other rows cannot be c"):
        found.level_on(x, y)
