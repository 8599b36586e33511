"""``pairs``: what the columns of a table say two by two."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._data.table import Table, read_table
from partage._estimators.grids import check_grid, target_rows
from partage._estimators.public import public
from partage._partitions.grid_axes import Column
from partage._partitions.pairs import RankedPairs, rank_pairs
from partage._partitions.partition import Partition
from partage._search.grids import GRID_METHODS
from partage._support.checks import check_choice, check_count, check_jobs, refuse
from partage._support.frames import make_frame
from partage._support.parallel import Cancel, progress_bar, run_all
from partage._targets.read import check_not_among, take_target
from partage._targets.target import check_lengths

__all__ = ["column_place", "pair_places", "pairs"]


@public
def pairs(
    X: Any,
    y: Any = None,
    *,
    target: str | None = None,
    columns: Sequence[str] | None = None,
    pairs: Any = "all",
    top: int | None = None,
    method: str = "modl",
    missing: str = "separate",
    special_values: Any = None,
    sample_weight: Any = None,
    n_jobs: int | None = None,
    verbose: bool = False,
) -> Any:
    """Rank the pairs of columns of a table by what they say together.

    With a class, pairs whose grid saves more than both columns alone come first: interactions.
    Without one, those that depend on each other most: columns that repeat each other. Every pair
    is looked at with 32 quantiles of its numbers; the 50 best are searched again with all values,
    beyond 20,000 rows with 256 quantiles. ``grid`` searches one pair longer.

    Parameters
    ----------
    y : array-like of shape (n_rows,), default=None
        The class of each row. None asks which columns depend on each other.
    columns : sequence of str, default=None
        Columns whose pairs are looked at; all by default.
    pairs : "all" or list of pairs of str, default="all"
        Pairs of columns to look at.
    top : int, default=None
        Number of pairs in the result; all by default.
    method : str, default="modl"
        How grids are judged; see ``grid``.
    missing : {"separate", "merge", "error"}, default="separate"
        Missing values are a part of their axis, or raise; grids do not merge them.

    Returns
    -------
    DataFrame
        Of the library of ``X``; pandas for arrays. Columns: ``column1``, ``column2``, ``cost``,
        ``level``, ``level1`` and ``level2`` of the columns alone, ``synergy`` (nats that the pair
        saves beyond both), ``delta_level``, ``parts1``, ``parts2``, ``cells`` and ``search``
        (``"refined"`` or ``"screened"``).

    Examples
    --------
    >>> import partage as pt
    >>> X, y = pt.datasets.make_xor(300, seed=0)
    >>> pt.pairs(X, y)[["column1", "column2", "level", "level1", "level2"]].round(2)
      column1 column2  level  level1  level2
    0      x0      x1   0.82     0.0     0.0
    """
    return _rank("pairs", locals())


def _rank(who: str, given: dict[str, Any]) -> Any:
    """Rank pairs by the parameters of ``pairs``."""
    method = check_choice(who, "method", given["method"], GRID_METHODS)
    plan = check_grid(who, given["missing"], given["special_values"])
    n_jobs = check_jobs(who, given["n_jobs"])
    top = check_count(who, "top", given["top"])
    X, y = take_target(who, given["X"], given["y"], given["target"])
    table = read_table(who, X)
    check_not_among(who, table, y)
    wanted = pair_places(who, table, given["columns"], given["pairs"])
    used, places = np.unique(wanted, return_inverse=True)
    rows = target_rows(who, y, given["sample_weight"], table.n_rows)
    check_lengths(who, "X", table.n_rows, rows)

    def fit(index: int, cancel: Cancel) -> tuple[Column, Partition]:
        column = plan.read(who, table, index)
        return column, plan.fit(who, column, rows, cancel, table.library)

    fitted = run_all(fit, used.tolist(), n_jobs)
    columns, own = [column for column, _ in fitted], [partition for _, partition in fitted]
    with progress_bar(bool(given["verbose"]), "pairs") as progress:
        found = rank_pairs(
            who,
            columns,
            own,
            rows,
            places.reshape(wanted.shape),
            method,
            has_y=y is not None,
            n_jobs=n_jobs,
            progress=progress,
        )
    return _frame(found if top is None else found.take(np.arange(len(wanted))[:top]), own, table)


def _frame(found: RankedPairs, own: Sequence[Partition], table: Table) -> Any:
    """Make the table of pairs."""
    first, second = found.pairs.T
    names = np.array([partition.name for partition in own], dtype=object)
    levels = np.array([partition.level for partition in own])
    null_cost = np.maximum(found.found.null_cost, np.finfo(float).tiny)
    return make_frame(
        {
            "column1": names[first].tolist(),
            "column2": names[second].tolist(),
            "cost": found.found.cost,
            "level": found.level,
            "level1": levels[first],
            "level2": levels[second],
            "synergy": found.synergy,
            "delta_level": found.synergy / null_cost,
            "parts1": found.found.n_parts[:, 0],
            "parts2": found.found.n_parts[:, 1],
            "cells": found.found.n_cells,
            "search": np.where(found.is_refined, "refined", "screened").tolist(),
        },
        table.library,
    )


def pair_places(who: str, table: Table, columns: Any, pairs: Any) -> NDArray[np.int64]:
    """Find the places of the columns of each pair."""
    if columns is None:
        among = list(range(len(table.names)))
    elif isinstance(columns, (list, tuple)):
        among = [column_place(who, "columns", table, name) for name in columns]
        if len(set(among)) < len(among):
            refuse(who, "columns", "a list of columns, each once", columns)
    else:
        refuse(who, "columns", "a list of columns, or None", columns)
    if isinstance(pairs, str) and pairs == "all":
        found = list(itertools.combinations(among, 2))
        if not found:
            raise ValueError(f"{who}: at least two columns must be given; got {len(among)}.")
        return np.array(found, dtype=np.int64)
    if not isinstance(pairs, (list, tuple)) or not pairs or not all(map(_is_pair, pairs)):
        refuse(who, "pairs", "'all' or a list of pairs of columns", pairs)
    places = [[column_place(who, "pairs", table, name) for name in pair] for pair in pairs]
    for one, other in places:
        if one == other:
            raise ValueError(
                f"{who}: a pair must name two columns; got {table.names[one]!r} twice."
            )
    return np.array(places, dtype=np.int64)


def _is_pair(pair: Any) -> bool:
    """Whether something names two columns."""
    return isinstance(pair, (list, tuple)) and len(pair) == 2


def column_place(who: str, parameter: str, table: Table, name: Any) -> int:
    """Find the place of a column that was named."""
    if name in table.names:
        return table.names.index(name)
    near = difflib.get_close_matches(str(name), table.names, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else "."
    raise ValueError(f"{who}: {parameter} must name columns of X; got {name!r}{hint}")
