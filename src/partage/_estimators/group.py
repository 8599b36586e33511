"""``group``: groups of the values of one categorical column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from partage._data.categories import in_given_order
from partage._data.table import frame_library, read_categories
from partage._partitions.find import fit_column
from partage._partitions.groups import Groups
from partage._search.aside import levels_with_special, special_of
from partage._search.settings import check_group_settings
from partage._targets.read import read_target
from partage._targets.target import check_lengths


def group(
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
    missing: str = "separate",
    special_values: Any = None,
    special: str = "separate",
    method_params: Mapping[str, Any] | None = None,
    sample_weight: Any = None,
    ordered: Sequence[Any] | None = None,
    name: str | None = None,
) -> Groups:
    """Group the values of one categorical column by what they say of a class.

    Parameters
    ----------
    x : array-like
        The column: text, numbers, booleans or a mixture; an array, a list, or a series of pandas,
        polars or pyarrow. None and NaN are missing, the empty string is a value.
    y : array-like
        The class of each row: text, integers or booleans, without gaps.
    method : str, default="modl"
        How groupings are judged. ``"modl"`` puts rare values into a garbage group if that pays,
        ``"modl-standard"`` does not. ``"chaid"``, ``"tschuprow"``, ``"cramer"``, ``"khiops"`` and
        ``"gain-ratio"`` merge groups step by step; ``"one-against-rest"``, ``"forward"`` and
        ``"cart"`` make two groups; ``"none"`` keeps one group for each value.
    search : {"auto"}, default="auto"
        How groupings are searched: exactly for two classes and for a dozen values; else from
        several orders of the values, improved until no move helps.
    n_parts : int, default=None
        Exact number of groups.
    max_parts : int, default=None
        Upper limit for the number of groups.
    min_part_size : int or float, default=None
        Least weight of a group; below 1 a fraction of the rows that are not missing.
    min_class_count : int, float or list, default=None
        Least weight of each class in a group, of ordered values only; as for ``discretize``.
    monotonic : {"ascending", "descending", "peak", "valley", "auto"}, default=None
        How the class rate must go from group to group, of ordered values only; as for
        ``discretize``.
    missing : {"separate", "merge", "error"}, default="separate"
        Missing values keep a code of their own, join the group where they cost least, or raise.
    special_values : list or dict, default=None
        Codes for no value, such as "not asked"; a dict gives them by column name. They are
        kept out of the groups.
    special : {"separate", "merge"}, default="separate"
        Each special value keeps a code of its own, or joins the group where it costs least.
    method_params : dict, default=None
        Parameters of the method: ``alpha`` of CHAID (0.05; lower gives fewer groups); of Khiops
        ``min_expected`` (5), ``confidence`` (0.95) and ``noise`` (``"table"`` or ``"permute"``).
    sample_weight : array-like, default=None
        Frequency of each row, not negative.
    ordered : sequence, default=None
        The values in their order: groups are then intervals of it. Ordered categories of pandas and
        polars keep theirs.
    name : str, default=None
        Name of the column in results and messages; by default the name of the series.

    Returns
    -------
    Groups
        The partition: ``groups``, ``garbage``, ``counts``, ``cost``, ``level``, ``assign``,
        ``table``, ``plot``.

    References
    ----------
    M. Boullé, A Bayes optimal approach for partitioning the values of categorical attributes,
    Journal of Machine Learning Research 6, 2005.

    Examples
    --------
    >>> import partage as pt
    >>> city = ["Lyon", "Paris", "Nice", "Lille"] * 30
    >>> p = pt.group(city, ["yes", "no", "yes", "no"] * 30)
    >>> p.groups
    (('Lille', 'Paris'), ('Lyon', 'Nice'))
    """
    who = "group"
    settings = check_group_settings(
        who,
        method=method,
        search=search,
        n_parts=n_parts,
        max_parts=max_parts,
        min_part_size=min_part_size,
        min_class_count=min_class_count,
        monotonic=monotonic,
        missing=missing,
        special_values=special_values,
        special=special,
        method_params=method_params,
    )
    column = read_categories(who, x, name)
    if ordered is not None:
        apart = special_of(settings.special_values, column.name)
        column = in_given_order(who, column, levels_with_special(list(ordered), apart))
    target = read_target(who, y, sample_weight)
    check_lengths(who, "x", len(column.codes), target)
    found = fit_column(who, column, target, settings, library=frame_library(x))
    return cast("Groups", found)
