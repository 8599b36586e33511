"""Files changed at fixed seeds: refused, or used without an error. `fuzz` takes fresh ones."""

import pytest
from fuzz import counts, files


@pytest.mark.parametrize("start", range(0, 300, 50))
def test_changed_models_and_partitions_are_refused_or_can_be_used(start):
    assert [files.attack(seed) for seed in range(start, start + 50)] == [None] * 50


@pytest.mark.parametrize("start", range(0, 400, 100))
def test_changed_counts_are_refused_or_can_be_used(start):
    assert [counts.attack(seed) for seed in range(start, start + 100)] == [None] * 100
