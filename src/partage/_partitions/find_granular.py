"""Finding parts at every granularity, where a method leaves it open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from partage._partitions.finder import Finder
from partage._partitions.partition import Partition
from partage._search.granular import chosen, granularities, has_granularity, pool_of
from partage.exceptions import NotPartitionableError

__all__ = ["find_at_best_granularity", "leaves_granularity_open"]


def leaves_granularity_open(finder: Finder) -> bool:
    """Whether the method has granularities, and none was given."""
    if finder.space.n_units == 0 or not has_granularity(finder.settings.method):
        return False
    asked = finder.question()
    return chosen(asked.method, asked.numbers) == 0


def find_at_best_granularity(finder: Finder, find: Callable[[Finder], Partition]) -> Partition:
    """Find parts at each granularity, and take those that cost least.

    Only where the search was exact at each of them nothing is left out.
    """
    found: list[Partition] = []
    refused: NotPartitionableError | None = None
    for granularity in granularities(finder.space):
        try:
            found += _found_at(finder, find, granularity)
        except NotPartitionableError as reason:
            refused = reason
    if not found:
        assert refused is not None
        raise refused
    best = min(found, key=lambda partition: partition.cost)
    if all(partition.found.is_optimal for partition in found):
        return best
    return best._with_found(is_optimal=False, gap=None)


def _found_at(
    finder: Finder, find: Callable[[Finder], Partition], granularity: int
) -> Iterator[Partition]:
    """Find the parts at one granularity, without a garbage group and with one."""
    space = finder.space
    if space.is_line:
        yield find(_at(finder, granularity=granularity))
        return
    pool = pool_of(space, granularity)
    n_values = int(pool.max()) + 1
    plain = find(_at(finder, granularity=granularity, values=n_values))
    yield plain
    if n_values < _LEAST_OF_GARBAGE or plain.n_parts < 3:
        return
    groups = finder.search(_at(finder, granularity=granularity, values=n_values).question())
    first = np.unique(pool, return_index=True)[1]
    largest = int(np.bincount(groups.group_of[first]).max())
    try:
        yield find(_at(finder, granularity=granularity, values=n_values, garbage=largest))
    except NotPartitionableError:
        return


_LEAST_OF_GARBAGE = 7  # values from which Khiops looks for a garbage group


def _at(finder: Finder, **numbers: int) -> Finder:
    """Fix parameters of the method."""
    params: dict[str, Any] = {**(finder.settings.params or {}), **numbers}
    method = finder.settings.method
    parameters = tuple(method.numbers(finder.who, params))
    return replace(finder, settings=replace(finder.settings, params=params, parameters=parameters))
