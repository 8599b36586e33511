"""``cocluster``: columns without a target that are divided together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from partage._data.table import Table, as_vector, read_table
from partage._estimators.grids import check_grid, check_max_parts, column_place
from partage._estimators.joint import JointTable, open_joint
from partage._estimators.plan import Plan
from partage._estimators.public import public
from partage._partitions.find_grid import GridSettings, find_grid
from partage._partitions.grid import Grid
from partage._search.grids import GRID_METHODS, GRID_SEARCHES
from partage._support.checks import check_choice, check_jobs, refuse
from partage.engines import is_lazy, read_source

__all__ = ["cocluster"]

MOST_COLUMNS = 6


@public
def cocluster(
    X: Any,
    columns: Sequence[str] | None = None,
    *,
    weight: str | None = None,
    method: str = "modl",
    search: str = "auto",
    max_parts: Any = None,
    missing: str = "separate",
    special_values: Any = None,
    n_jobs: int | None = None,
) -> Grid:
    """Group the values of two columns or more by which of them occur together.

    Users and items, documents and words, or numbers that depend on each other: the parts of each
    column are found together, their number too. Independent columns give one cell.

    Parameters
    ----------
    X : data frame or array of shape (n_rows, n_columns), lazy frame, path or source
        One row per occurrence, or per combination of values with its count in ``weight``.
    columns : sequence of str, default=None
        The columns; all but that of ``weight`` by default.
    weight : str, default=None
        Name of the column that holds how often each row occurred.
    method : str, default="modl"
        How grids are judged; see ``grid``.
    search : str, default="auto"
        How long to search; see ``grid``.
    max_parts : int or sequence, default=None
        Upper limit for the number of parts of each axis; a sequence gives one for each.
    missing : {"separate", "merge", "error"}, default="separate"
        Missing values are a part of their axis, or raise; ``"merge"`` takes a class.

    Returns
    -------
    Grid
        The grid: ``axes``, ``hierarchy``, ``simplify``, ``typicality``, ``plot``.

    References
    ----------
    M. Boullé, Data grid models for preparation and modeling in supervised learning, in Hands-On
    Pattern Recognition, 2011.

    Examples
    --------
    >>> import pandas as pd
    >>> import partage as pt
    >>> words = ["goal", "match", "vote", "law"] * 40
    >>> papers = ["sport", "sport", "state", "state"] * 40
    >>> pt.cocluster(pd.DataFrame({"word": words, "paper": papers})).n_parts
    (2, 2)
    """
    return _find_cells("cocluster", locals())


def _find_cells(who: str, given: dict[str, Any]) -> Grid:
    """Divide columns by the parameters of ``cocluster``."""
    method = check_choice(who, "method", given["method"], GRID_METHODS)
    search = check_choice(who, "search", given["search"], GRID_SEARCHES)
    plan = check_grid(who, given["missing"], given["special_values"])
    n_jobs = check_jobs(who, given["n_jobs"])
    weight = given["weight"]
    table = _open(who, plan, given["X"], weight)
    names = given["columns"]
    if names is None:
        names = [name for name in table.names if name != weight]
    if isinstance(names, str) or not isinstance(names, (list, tuple)):
        refuse(who, "columns", "a list of columns, or None", names)
    if weight is not None and weight in names:
        raise ValueError(
            f"{who}: columns must not name the column of weight; got {weight!r} among them."
        )
    places = [column_place(who, "columns", table.names, name) for name in names]
    if not 2 <= len(places) <= MOST_COLUMNS or len(set(places)) < len(places):
        refuse(who, "columns", f"2 to {MOST_COLUMNS} columns, each once", list(names))
    settings = GridSettings(
        method,
        search,
        check_max_parts(who, given["max_parts"], len(places)),
        n_columns=1,  # Khiops 11 does not choose among the columns of a coclustering
        n_jobs=n_jobs,
    )
    joint = table.fit(places, n_jobs)
    return find_grid(who, joint, range(len(places)), settings)


def _open(who: str, plan: Plan, X: Any, weight: Any) -> JointTable:
    """Read a table without a target, whose rows a column may count."""
    if is_lazy(X):
        source = read_source(who, X)
        if weight is not None:
            column_place(who, "weight", source.names, weight)
        return open_joint(who, plan, source, None, None, weight)
    weights = None if weight is None else _weights(who, read_table(who, X), weight)
    return open_joint(who, plan, X, None, None, weights)


def _weights(who: str, table: Table, name: Any) -> Any:
    """Read the column of counts."""
    place = column_place(who, "weight", table.names, name)
    source = table.source[:, place] if isinstance(table.source, np.ndarray) else table.series(place)
    values = as_vector(who, "weight", source)
    wrong = [v for v in values.tolist() if not isinstance(v, (int, float)) or not v >= 0]
    if wrong:
        refuse(who, "weight", "a column of numbers of at least 0", wrong[0])
    return values
