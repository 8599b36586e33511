"""The automatic search: exact where that is affordable, never worse than bottom-up."""

import pytest
from hypothesis import given

from helpers import search, sweep
from partage._search.methods import methods
from strategies import large_table, tables

COARSE = [name for name, method in methods().items() if "coarse" in method.searches]


def test_every_method_of_additive_cost_can_be_searched_coarse_to_fine():
    assert set(COARSE) == {"modl", "khiops11", "fusinter", "gini", "entropy"}


@pytest.mark.parametrize("criterion", ["modl", "fusinter", "gini", "entropy"])
@given(units=tables(max_units=12))
def test_auto_is_exact_on_a_small_line(criterion, units):
    found, exact = (search(units, criterion, how) for how in ("auto", "exact"))
    assert found.cost == pytest.approx(exact.cost, rel=1e-12)
    assert found.is_optimal is True


@pytest.mark.parametrize("seed", sweep(range(3)))
@pytest.mark.parametrize(("n_units", "n_classes"), [(500, 2), (3000, 3), (9000, 2), (9000, 20)])
@pytest.mark.parametrize("criterion", ["modl", "fusinter", "gini", "entropy"])
def test_auto_is_never_worse_than_bottom_up(criterion, n_units, n_classes, seed):
    units = large_table(n_units, n_classes, seed=seed, n_pieces=30)
    merged, found = (search(units, criterion, how).cost for how in ("bottom-up", "auto"))
    assert found <= merged + 1e-9 * abs(merged)


@pytest.mark.parametrize("n_classes", [2, 3, 9])
@pytest.mark.parametrize("criterion", COARSE)
def test_coarse_to_fine_comes_near_the_exact_cost(criterion, n_classes):
    units = large_table(3000, n_classes, seed=n_classes, n_pieces=12)
    found, exact, null = (
        search(units, criterion, how, **limits).cost
        for how, limits in (("coarse", {}), ("exact", {}), ("exact", {"n_parts": 1}))
    )
    assert found >= exact - 1e-9 * abs(exact)
    assert found - exact <= 1e-3 * (null - exact) + 1e-9


@pytest.mark.parametrize("criterion", COARSE)
@given(units=tables(max_units=12))
def test_coarse_to_fine_is_exact_on_a_small_line(criterion, units):
    found, exact = (search(units, criterion, how).cost for how in ("coarse", "exact"))
    assert found == pytest.approx(exact, rel=1e-9)


@pytest.mark.parametrize("seed", sweep(range(4)))
def test_auto_reaches_the_exact_cost_of_a_long_line(seed):
    units = large_table(4000, 2 + seed % 2, seed=100 + seed, n_pieces=12)
    found, exact = (search(units, "modl", how).cost for how in ("auto", "exact"))
    assert found == pytest.approx(exact, rel=1e-5)
    assert found >= exact * (1 - 1e-12)


@pytest.mark.parametrize("seed", sweep(range(3)))
def test_auto_leaves_a_long_line_of_noise_in_one_part(seed):
    units = large_table(20_000, 2, seed=200 + seed, n_pieces=1)
    assert search(units, "modl", "auto").starts.tolist() == [0]
