"""Grids of pairs of columns as terms of naive Bayes, in the place of both columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from partage._data.table import Table
from partage._estimators.bayes.features import ProductFeature, n_codes
from partage._estimators.bayes.products import product_feature
from partage._partitions.find_grid import GridSettings, find_grid
from partage._partitions.joint_columns import Column, RowColumns
from partage._partitions.pairs import rank_pairs, worth_naming
from partage._partitions.partition import Partition
from partage._targets.target import TargetRows

__all__ = ["find_grids"]


def find_grids(
    who: str,
    table: Table,
    rows: TargetRows,
    partitions: Sequence[Partition],
    *,
    n_jobs: int,
) -> list[ProductFeature]:
    """Return grids of pairs that save more than both columns alone; no column is in two.

    A grid stands for both of its columns, so that what they say is summed once.
    """
    places = [k for k, p in enumerate(partitions) if p.units is not None and p.units.is_exact]
    own = [partitions[k] for k in places]
    columns: list[Column] = [
        p.rule.read_from(who, table, k) for k, p in zip(places, own, strict=True)
    ]
    first, second = np.triu_indices(len(own), 1)
    pairs = np.column_stack([first, second]).astype(np.int64)
    if len(pairs) == 0:
        return []
    joint = RowColumns(who, columns, own, rows, has_y=True)
    found = rank_pairs(joint, pairs, "modl", n_jobs=n_jobs)
    kept: list[ProductFeature] = []
    taken: set[int] = set()
    for pair in found.pairs[worth_naming(found, len(pairs))].tolist():
        if taken & set(pair):
            continue
        taken |= set(pair)
        grid = find_grid(who, joint, pair, GridSettings(n_jobs=n_jobs))
        codes = [
            axis.rule.assign(who, columns[k].take(rows.kept))
            for axis, k in zip(grid.axes, pair, strict=True)
        ]
        sizes = [n_codes(axis) for axis in grid.axes]
        cells = codes[0] * sizes[1] + codes[1]
        held = np.flatnonzero(np.bincount(cells, minlength=sizes[0] * sizes[1]))
        group_of = np.full(sizes[0] * sizes[1], -1, dtype=np.int32)
        group_of[held] = np.arange(len(held))
        members = tuple(places[k] for k in pair)
        costs = (grid.cost, grid.null_cost)
        kept.append(product_feature(members, grid.axes, cells, group_of, costs, rows, table))
    return kept
