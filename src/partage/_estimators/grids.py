"""``grid``: two columns that are divided together."""

from __future__ import annotations

import difflib
import numbers
from collections.abc import Mapping, Sequence
from typing import Any

from partage._data.table import frame_library, read_by_kind
from partage._estimators.joint import open_joint, target_rows
from partage._estimators.plan import Plan, check_plan
from partage._estimators.public import public
from partage._partitions.find_grid import GridSettings, find_grid
from partage._partitions.grid import Grid
from partage._partitions.joint_columns import Column, JointColumns, RowColumns
from partage._search.aside import MISSING_WAYS
from partage._search.grids import GRID_METHODS, GRID_SEARCHES
from partage._support.checks import check_choice, check_jobs, refuse
from partage._targets.target import check_lengths

__all__ = ["check_grid", "check_max_parts", "column_place", "grid"]


@public
def grid(
    x1: Any,
    x2: Any,
    y: Any = None,
    *,
    method: str = "modl",
    search: str = "auto",
    max_parts: Any = None,
    min_cell_size: float | None = None,
    user_cuts: Mapping[str, Any] | None = None,
    missing: str = "separate",
    special_values: Any = None,
    sample_weight: Any = None,
    names: Sequence[str] | None = None,
    X: Any = None,
    n_jobs: int | None = None,
) -> Grid:
    """Divide two columns together, by what their cells say of a class.

    Numbers are cut, categories are grouped. Columns that say nothing alone may say a lot together,
    as in an exclusive or. Without y the cells show how the columns depend on each other.

    Parameters
    ----------
    y : array-like, default=None
        The class of each row, if there is one.
    method : str, default="modl"
        ``"modl"``: the published criteria of grids; ``"khiops11"``: those of Khiops 11.
    search : str, default="auto"
        ``"thorough"`` takes about five times as long and rarely finds a grid that costs less.
    max_parts : int or sequence, default=None
        Upper limit for the number of parts of each axis; a sequence gives one for each.
    user_cuts : dict, default=None
        Cuts of columns of numbers, by name, that are always kept; others may be added.
    missing : {"separate", "merge", "error"}, default="separate"
        Missing values are a part, join the one where they cost least (with a class), or raise.
    X : data frame or array of shape (n_rows, n_columns), lazy frame, path or source, default=None
        Table whose columns ``x1``, ``x2``, ``y`` and ``sample_weight`` name. An engine counts a
        lazy table by one query; beyond 4 million rows, numbers in 4,096 quantiles.

    Returns
    -------
    Grid
        The grid: ``axes``, ``counts``, ``level``, ``synergy``, ``assign``, ``table``, ``plot``.

    References
    ----------
    M. Boullé, Optimum simultaneous discretization with data grid models, ADAC 3, 2009.

    Examples
    --------
    >>> import numpy as np
    >>> import partage as pt
    >>> rng = np.random.default_rng(0)
    >>> a, b = rng.random((2, 500))
    >>> g = pt.grid(a, b, (a > 0.5) ^ (b > 0.5), names=["a", "b"])
    >>> g.n_parts, [round(gain) for gain in g.column_gains]
    ((2, 2), [0, 0])
    """
    return _find_pair("grid", locals())


def _find_pair(who: str, given: dict[str, Any]) -> Grid:
    """Divide two columns by the parameters of ``grid``."""
    method = check_choice(who, "method", given["method"], GRID_METHODS)
    search = check_choice(who, "search", given["search"], GRID_SEARCHES)
    has_y = given["y"] is not None
    plan = check_grid(who, given["missing"], given["special_values"], merges=has_y)
    max_parts = check_max_parts(who, given["max_parts"], 2)
    n_jobs = check_jobs(who, given["n_jobs"])
    joint = (_from_columns if given["X"] is None else _from_table)(who, plan, given)
    settings = GridSettings(
        method,
        search,
        max_parts,
        _check_cell(who, given["min_cell_size"], joint),
        _check_cuts(who, given["user_cuts"], [partition.name for partition in joint.own]),
        n_jobs=n_jobs,
    )
    return find_grid(who, joint, (0, 1), settings)


def _from_columns(who: str, plan: Plan, given: dict[str, Any]) -> JointColumns:
    """Read two columns."""
    pair, y = (given["x1"], given["x2"]), given["y"]
    names = _names(who, pair, given["names"])
    columns = [read_by_kind(who, x, name) for x, name in zip(pair, names, strict=True)]
    _check_two(who, pair, columns)
    rows = target_rows(who, y, given["sample_weight"], columns[0].n_rows)
    for name, column in zip(("x1", "x2"), columns, strict=True):
        check_lengths(who, name, column.n_rows, rows)
    library = frame_library(pair[0])
    own = [plan.fit(who, column, rows, None, library) for column in columns]
    return RowColumns(who, columns, own, rows, y is not None, library)


def _from_table(who: str, plan: Plan, given: dict[str, Any]) -> JointColumns:
    """Take two columns of a table by their names."""
    if given["names"] is not None:
        raise ValueError(f"{who}: names are for columns; those of X have names already.")
    pair, y = (given["x1"], given["x2"]), given["y"]
    for parameter, name in (("x1", pair[0]), ("x2", pair[1]), ("y", y)):
        if not isinstance(name, str) and not (parameter == "y" and name is None):
            refuse(who, parameter, "the name of a column of X", name)
    if pair[0] == pair[1]:
        raise ValueError(f"{who}: x1 and x2 must be two columns; got {pair[0]!r} twice.")
    table = open_joint(who, plan, given["X"], None, y, given["sample_weight"])
    places = [
        column_place(who, parameter, table.names, name)
        for parameter, name in zip(("x1", "x2"), pair, strict=True)
    ]
    return table.fit(places, 1)


def _check_two(who: str, pair: Sequence[Any], columns: Sequence[Column]) -> None:
    """Refuse the same column twice."""
    if pair[0] is pair[1]:
        raise ValueError(f"{who}: x1 and x2 must be two columns; got the same one twice.")
    if columns[0].name == columns[1].name:
        raise ValueError(
            f"{who}: x1 and x2 must be two columns; got {columns[0].name!r} twice. Set names to "
            "tell them apart."
        )


def check_grid(who: str, missing: Any, special_values: Any, *, merges: bool = False) -> Plan:
    """Check what becomes of missing and special values; how single columns are partitioned.

    Without classes, and where all pairs are ranked, missing values join no part.
    """
    if missing == "merge" and not merges:
        raise ValueError(
            f"{who}: missing='merge' needs the class that each cell is judged by; got no y. Use "
            "'separate' or 'error'."
        )
    check_choice(who, "missing", missing, MISSING_WAYS)
    return check_plan(who, {"missing": missing, "special_values": special_values})


def column_place(who: str, parameter: str, names: Sequence[str], name: Any) -> int:
    """Find the place of a column that was named."""
    if name in names:
        return list(names).index(name)
    near = difflib.get_close_matches(str(name), names, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else "."
    raise ValueError(f"{who}: {parameter} must name columns of X; got {name!r}{hint}")


def _names(who: str, columns: Sequence[Any], names: Any) -> Sequence[str | None]:
    """Names of the columns: as given, else those of the series, else by number."""
    if names is not None:
        is_list = isinstance(names, (list, tuple)) and len(names) == len(columns)
        if not is_list or not all(isinstance(name, str) for name in names):
            refuse(who, "names", f"a list of {len(columns)} names, or None", names)
        return list(names)
    return [getattr(x, "name", None) or f"x{i + 1}" for i, x in enumerate(columns)]


def check_max_parts(who: str, given: Any, n_axes: int) -> tuple[int, ...]:
    """Check the most parts of each axis; 0 is no limit."""
    if given is None:
        return ()
    each = list(given) if isinstance(given, (list, tuple)) else [given] * n_axes
    for most in each:
        is_whole = isinstance(most, numbers.Integral) and not isinstance(most, bool)
        if len(each) != n_axes or not (most is None or (is_whole and most >= 1)):
            refuse(who, "max_parts", "an integer of at least 1, one for each axis, or None", given)
    return tuple(0 if most is None else int(most) for most in each)


def _check_cell(who: str, given: Any, joint: JointColumns) -> float:
    """Check the least weight of a cell; a share is of all rows."""
    if given is None:
        return 0.0
    is_number = isinstance(given, numbers.Real) and not isinstance(given, bool)
    if not is_number or not 0 < given < float("inf"):
        refuse(who, "min_cell_size", "a number above 0, or None", given)
    return float(given) * float(joint.own[0].totals().sum()) if given < 1 else float(given)


def _check_cuts(who: str, given: Any, names: list[str]) -> dict[str, Any]:
    """Check the cuts that must be made: a dict by column."""
    if given is None:
        return {}
    if not isinstance(given, Mapping) or not all(name in names for name in given):
        refuse(who, "user_cuts", f"a dict whose keys are among {names!r}, or None", given)
    return dict(given)
