"""``pairs``: what the columns of a table say two by two."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._estimators.grids import check_grid, column_place
from partage._estimators.joint import open_joint
from partage._estimators.public import public
from partage._partitions.joint_columns import JointColumns
from partage._partitions.pairs import RankedPairs, rank_pairs
from partage._search.grids import GRID_METHODS
from partage._support.checks import check_choice, check_count, check_jobs, refuse
from partage._support.frames import make_frame
from partage._support.parallel import progress_bar

__all__ = ["pair_places", "pairs"]

_TABLE = ("X", "y", "target", "sample_weight")


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
    X : data frame or array of shape (n_rows, n_columns), lazy frame, path or source
        One row per observation. An engine counts each pair of a lazy table by one query;
        ``target`` and ``sample_weight`` name its columns.
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
        Missing values are a part of their axis, or raise. With ``"merge"``, which takes a class,
        those of the columns alone join a part; pairs keep them apart.

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
    has_y = given["y"] is not None or given["target"] is not None
    plan = check_grid(who, given["missing"], given["special_values"], merges=has_y)
    n_jobs = check_jobs(who, given["n_jobs"])
    top = check_count(who, "top", given["top"])
    table = open_joint(who, plan, *(given[name] for name in _TABLE))
    wanted = pair_places(who, table.names, given["columns"], given["pairs"])
    used, places = np.unique(wanted, return_inverse=True)
    joint = table.fit(used.tolist(), n_jobs)
    with progress_bar(bool(given["verbose"]), "pairs") as progress:
        found = rank_pairs(
            joint, places.reshape(wanted.shape), method, n_jobs=n_jobs, progress=progress
        )
    shown = found if top is None else found.take(np.arange(len(wanted))[:top])
    return _frame(shown, joint)


def _frame(found: RankedPairs, joint: JointColumns) -> Any:
    """Make the table of pairs."""
    own = joint.own
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
        joint.library,
    )


def pair_places(who: str, names: Sequence[str], columns: Any, pairs: Any) -> NDArray[np.int64]:
    """Find the places of the columns of each pair."""
    if columns is None:
        among = list(range(len(names)))
    elif isinstance(columns, (list, tuple)):
        among = [column_place(who, "columns", names, name) for name in columns]
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
    places = [[column_place(who, "pairs", names, name) for name in pair] for pair in pairs]
    for one, other in places:
        if one == other:
            raise ValueError(f"{who}: a pair must name two columns; got {names[one]!r} twice.")
    return np.array(places, dtype=np.int64)


def _is_pair(pair: Any) -> bool:
    """Whether something names two columns."""
    return isinstance(pair, (list, tuple)) and len(pair) == 2
