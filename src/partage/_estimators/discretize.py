"""``discretize``: intervals of one numeric column."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from partage._data.table import frame_library, read_categories, read_column
from partage._partitions.find import fit_column
from partage._partitions.intervals import Intervals
from partage._search.limits import check_by
from partage._search.settings import check_settings
from partage._targets.read import read_target
from partage._targets.target import check_lengths


def discretize(
    x: Any,
    y: Any,
    *,
    method: str = "modl",
    search: str = "auto",
    n_parts: int | None = None,
    max_parts: int | None = None,
    min_part_size: float | None = None,
    min_class_count: Any = None,
    monotonic: str | None = None,
    by: Any = None,
    user_cuts: Any = None,
    candidate_cuts: Any = None,
    missing: str = "separate",
    special_values: Any = None,
    special: str = "separate",
    method_params: Mapping[str, Any] | None = None,
    sample_weight: Any = None,
    name: str | None = None,
) -> Intervals:
    """Cut one numeric column into the intervals that matter for a class.

    Parameters
    ----------
    x : array-like
        The column: numbers, booleans, dates, times or decimals; an array, a list, or a series of
        pandas, polars or pyarrow. NaN and null are missing, infinities are values.
    y : array-like
        The class of each row: text, integers or booleans, without gaps.
    method : str, default="modl"
        How partitions are judged; ``partage methods`` lists them. ``"modl"`` needs no parameter and
        leaves a column without information in one part.
    search : str, default="auto"
        How partitions are searched: ``"exact"`` proves the optimum, ``"coarse"`` solves a joined
        column exactly and refines, ``"bottom-up"`` merges, ``"top-down"`` splits, ``"auto"`` takes
        the best that is affordable.
    n_parts : int, default=None
        Exact number of parts.
    max_parts : int, default=None
        Upper limit for the number of parts.
    min_part_size : int or float, default=None
        Least weight of a part; below 1 a fraction of the rows that are not missing.
    min_class_count : int, float or list, default=None
        Least weight of each class in a part, one number for all classes or one for each; below 1 a
        fraction of the rows of that class.
    monotonic : {"ascending", "descending", "peak", "valley", "auto"}, default=None
        How the rate of the last of two classes must go from part to part, equal rates allowed; with
        more classes the mean rank, if they have an order. ``"peak"`` rises, then falls; ``"auto"``
        takes the cheapest of the four.
    by : array-like, default=None
        Segment of each row, such as its month: the rates must be monotonic in each, too.
    user_cuts : list, default=None
        Cuts that are always kept; others may be added.
    candidate_cuts : list, default=None
        The only cuts, beside ``user_cuts``, that may be made.
    missing : {"separate", "merge", "error"}, default="separate"
        Missing values keep a code of their own, join the part where they cost least, or raise.
    special_values : list or dict, default=None
        Codes that stand for no measurement, such as -999; a dict gives them by column name.
        Their rows are kept out of the intervals.
    special : {"separate", "merge"}, default="separate"
        Each special value keeps a code of its own, or joins the part where it costs least.
    method_params : dict, default=None
        Parameters of the method, such as ``{"alpha": 0.9}`` for ``"fusinter"``.
    sample_weight : array-like, default=None
        Frequency of each row, not negative. Whole numbers give exactly the result of repeated rows;
        larger weights are more evidence, so that scaling them changes the result.
    name : str, default=None
        Name of the column in results and messages; by default the name of the series.

    Returns
    -------
    Intervals
        The partition: ``cuts``, ``counts``, ``cost``, ``level``, ``assign``, ``table``, ``plot``.

    References
    ----------
    M. Boullé, MODL: a Bayes optimal discretization method for continuous attributes, Machine
    Learning 65, 2006. D. A. Zighed, R. Rakotomalala, F. Feschet, Optimal multiple intervals
    discretization of continuous attributes for supervised learning, KDD 1997.

    Examples
    --------
    >>> import partage as pt
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> p = pt.discretize(X[:, 3], y, name="petal width")
    >>> p.cuts
    array([0.8 , 1.75])
    >>> p.counts.astype(int).tolist()
    [[50, 0, 0], [0, 49, 5], [0, 1, 45]]
    """
    who = "discretize"
    settings = check_settings(
        who,
        method=method,
        search=search,
        n_parts=n_parts,
        max_parts=max_parts,
        min_part_size=min_part_size,
        min_class_count=min_class_count,
        monotonic=monotonic,
        user_cuts=user_cuts,
        candidate_cuts=candidate_cuts,
        missing=missing,
        special_values=special_values,
        special=special,
        method_params=method_params,
    )
    column = read_column(who, x, name)
    target = read_target(who, y, sample_weight)
    check_lengths(who, "x", len(column.keys), target)
    if by is not None:
        check_by(who, settings.limits)
        target = target.with_segments(who, read_categories(who, by, "by").codes)
    found = fit_column(who, column, target, settings, library=frame_library(x))
    return cast("Intervals", found)
