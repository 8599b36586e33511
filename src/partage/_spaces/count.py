"""Rows counted by value and class, and counts put one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from partage._data.categories import CategoryColumn, join_categories
from partage._data.column import NumberColumn
from partage._data.keys import common_keys
from partage._targets.target import TargetRows


def count_entries(
    column: NumberColumn | CategoryColumn, target: TargetRows
) -> tuple[NumberColumn | CategoryColumn, TargetRows]:
    """One entry for each value and class, or number, that occur together, in order.

    Each has its rows and its weight.
    """
    column = column.take(target.kept)
    gone = column.missing_mask()
    keys = column.sort_keys
    keys = np.where(gone, keys.dtype.type(0), keys) + 0  # -0.0 becomes 0.0
    labels = target.labels
    order = np.lexsort((labels, keys, gone))
    keys, labels, gone = keys[order], labels[order], gone[order]
    is_new = np.ones(len(keys), dtype=bool)
    is_new[1:] = (keys[1:] != keys[:-1]) | (labels[1:] != labels[:-1]) | (gone[1:] != gone[:-1])
    first = np.flatnonzero(is_new)
    counts = np.diff(np.append(first, len(keys)))
    rows = counts if target.rows is None else np.add.reduceat(target.rows[order], first)
    if target.weights is None:
        weights = rows.astype(np.float64)
    else:
        # The order of equal rows is settled by their weights, so that any order gives one sum.
        heavy = np.lexsort((target.weights[order], np.cumsum(is_new)))
        weights = np.add.reduceat(target.weights[order][heavy], first)
    entries = column.with_keys(keys[first], gone[first])
    counted = target.with_entries(order[first], weights, rows.astype(np.int64))
    return entries, counted


def gaps_alike(
    pieces: Sequence[NumberColumn | CategoryColumn],
) -> list[NumberColumn | CategoryColumn]:
    """Take pieces in which every value is missing as what the others are."""
    gone = [bool(piece.missing_mask().all()) for piece in pieces]
    like = next((p for p, is_gone in zip(pieces, gone, strict=True) if not is_gone), pieces[0])
    return [
        like.gaps(piece.n_rows) if is_gone else piece
        for piece, is_gone in zip(pieces, gone, strict=True)
    ]


def join_entries(
    who: str, pieces: Sequence[NumberColumn | CategoryColumn]
) -> NumberColumn | CategoryColumn:
    """Put columns of one kind one after the other."""
    if isinstance(pieces[0], NumberColumn):
        return _join_columns(who, cast("list[NumberColumn]", list(pieces)))
    return join_categories(who, cast("list[CategoryColumn]", list(pieces)))


def _join_columns(who: str, columns: list[NumberColumn]) -> NumberColumn:
    """Put columns one after the other, in keys of one kind."""
    columns = common_keys(who, columns)
    gone = np.concatenate([column.missing_mask() for column in columns])
    keys = np.concatenate([column.keys for column in columns])
    return NumberColumn(columns[0].name, columns[0].kind, keys, gone.astype(np.uint8))
