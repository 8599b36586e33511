"""Trials of the evaluation of partitions of a graph: what each unit of work does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from partage import datasets
from partage._estimators.graph_partitioner import GraphPartitioner
from partage.experiments.graphs import Fold, cross_validate, load_points

__all__ = [
    "GROUPINGS",
    "PAPER",
    "SEARCHES",
    "count_groups_of_gaussians",
    "count_groups_of_noise",
    "cross_validate_set",
    "draw_noise",
]

GROUPINGS = ("any", "connected")
# The paper's search alone, and what Table 2 compares.
PAPER: dict[str, Any] = {"init": "balls", "moves": False}
SEARCHES: dict[str, dict[str, Any]] = {
    "any": {},
    "any, the paper's search": PAPER,
    "connected": {"grouping": "connected"},
}


def count_groups_of_noise(n_dimensions: int, n: int, *n_sets: int) -> list[list[int]]:
    """Return the number of groups of each data set, by search."""
    return [
        [_count_groups(*draw_noise(n_dimensions, n, seed), **options) for seed in range(n_drawn)]
        for n_drawn, options in zip(n_sets, SEARCHES.values(), strict=True)
    ]


def draw_noise(n_dimensions: int, n: int, seed: int) -> tuple[Any, Any]:
    """Return uniform points and labels drawn by coin."""
    rng = np.random.default_rng([seed, n, n_dimensions])
    return rng.random((n, n_dimensions)), rng.integers(2, size=n)


def _count_groups(X: Any, y: Any, **options: Any) -> int:
    """Return the number of groups found."""
    fitted = GraphPartitioner(method="agglomerative", scale=None, **options).fit(X, y)
    return int(fitted.partition_.n_parts)


def count_groups_of_gaussians(n: int, seed: int) -> list[int]:
    """Return the number of groups of one data set, by grouping."""
    X, y = datasets.make_four_gaussians(n, seed)
    return [_count_groups(X, y, grouping=grouping) for grouping in GROUPINGS]


def cross_validate_set(name: str, search: str, seed: int, data: Path | None) -> list[Fold]:
    """Cross-validate one data set."""
    X, y = load_points(name, None, data)
    options = {"method": "agglomerative", "scale": "minmax", **SEARCHES[search]}
    return cross_validate(X, y, options, 5, seed)
