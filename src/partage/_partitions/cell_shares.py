"""Class shares of the cells of a grid: drawn to those of cells like them, then to all rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from partage._search.grids import group_cells
from partage._support.portable import exps, logs

DRAWN = 64.0  # rows that the cells like it count in the shares of a cell
MOST_GROUPED = 5000  # cells beyond which they hold too few rows each to be compared


def cell_shares(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Class shares of cells whose class weights are given; those of all rows where one is empty.

    Cells are grouped by MODL. A cell of n rows has the shares (n_j + 64 m_j) / (n + 64), where m
    are the shares of the groups, each counting as likely as the cell's rows are under it. Its cuts
    were placed so that it looks pure, hence J rows of the whole are added at last.
    """
    n_classes = counts.shape[1]
    weight = counts.sum(axis=1, keepdims=True)
    prior = counts.sum(axis=0) / max(float(weight.sum()), np.finfo(float).tiny)
    shares = np.tile(prior, (len(counts), 1))
    held = np.flatnonzero(weight[:, 0] > 0)
    if len(held):
        likely = _shares_of_alike(counts[held], prior)
        shares[held] = (counts[held] + DRAWN * likely) / (weight[held] + DRAWN)
    return np.asarray((weight * shares + n_classes * prior) / (weight + n_classes))


def _shares_of_alike(
    counts: NDArray[np.float64], prior: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Mean shares of the groups of cells, by how likely the rows of each cell are under them."""
    n_classes = len(prior)
    group_of = np.zeros(len(counts), dtype=np.int64)
    if len(counts) <= MOST_GROUPED:
        group_of = group_cells(counts)
    n_groups = int(group_of.max()) + 1
    sums = np.zeros((n_groups, n_classes))
    np.add.at(sums, group_of, counts)
    size = sums.sum(axis=1, keepdims=True)
    shares = (sums + n_classes * prior) / (size + n_classes)
    sizes = np.bincount(group_of, minlength=n_groups) + 1.0
    log_shares = logs(np.maximum(shares, np.finfo(float).tiny))
    lengths = np.stack(
        [
            (counts * row).sum(axis=1) + size
            for row, size in zip(log_shares, logs(sizes), strict=True)
        ],
        axis=1,
    )
    weights = exps(lengths - lengths.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    return np.asarray((weights[:, :, None] * shares).sum(axis=1))


__all__ = ["cell_shares"]
