"""``discretize`` and ``group``: the partition of one column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from partage._data.categories import in_given_order
from partage._data.table import frame_library, read_categories, read_column
from partage._estimators.plan import check_plan
from partage._estimators.public import public
from partage._partitions.find import fit_column
from partage._partitions.groups import Groups
from partage._partitions.intervals import Intervals
from partage._search.aside import levels_with_special, special_of
from partage._targets.read import read_target, with_exposure
from partage._targets.target import check_lengths

__all__ = ["discretize", "group"]


@public
def discretize(
    x: Any,
    y: Any,
    *,
    target_type: str = "auto",
    method: str = "modl",
    search: str = "auto",
    n_parts: int | None = None,
    max_parts: int | None = None,
    min_part_size: float | None = None,
    min_class_count: Any = None,
    monotonic: str | None = None,
    by: Any = None,
    by_tolerance: float = 0.0,
    user_cuts: Any = None,
    candidate_cuts: Any = None,
    cut_style: str = "midpoint",
    round_cuts: float | None = None,
    missing: str = "separate",
    special_values: Any = None,
    special: str = "separate",
    method_params: Mapping[str, Any] | None = None,
    sample_weight: Any = None,
    exposure: Any = None,
    name: str | None = None,
) -> Intervals:
    """Cut one numeric column into the intervals that matter for a class.

    Parameters
    ----------
    x : array-like
        The column: numbers, booleans, dates, times or decimals, of any library. NaN and null are
        missing, infinities are values.
    method : str, default="modl"
        How partitions are judged; ``partage methods`` lists them. ``"modl"`` needs no parameter.

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
    found: Intervals = _fit_one("discretize", locals())
    return found


@public
def group(
    x: Any,
    y: Any,
    *,
    target_type: str = "auto",
    method: str = "modl",
    n_parts: int | None = None,
    max_parts: int | None = None,
    min_part_size: float | None = None,
    min_class_count: Any = None,
    monotonic: str | None = None,
    by: Any = None,
    by_tolerance: float = 0.0,
    ordered: Sequence[Any] | None = None,
    missing: str = "separate",
    special_values: Any = None,
    special: str = "separate",
    method_params: Mapping[str, Any] | None = None,
    sample_weight: Any = None,
    exposure: Any = None,
    name: str | None = None,
) -> Groups:
    """Group the values of one categorical column by what they say of a class.

    Two classes of a dozen values are searched exactly, others from several orders.

    Parameters
    ----------
    x : array-like
        The column: text, numbers, booleans or a mixture. None and NaN are missing, "" is a value.
    method : str, default="modl"
        How groupings are judged. ``"modl"`` puts rare values into a garbage group if that pays,
        ``"modl-standard"`` does not. ``"chaid"``, ``"tschuprow"``, ``"cramer"``, ``"khiops"`` and
        ``"gain-ratio"`` merge groups step by step; ``"one-against-rest"``, ``"forward"`` and
        ``"cart"`` make two groups; ``"none"`` keeps one group for each value.
    method_params : dict, default=None
        Parameters of the method: ``alpha`` of CHAID (0.05; lower gives fewer groups); of Khiops
        ``min_expected`` (5), ``confidence`` (0.95) and ``noise`` (``"table"`` or ``"permute"``).
    ordered : sequence, default=None
        The values in their order, of which groups are then intervals.

    Returns
    -------
    Groups
        The partition: ``groups``, ``garbage``, ``counts``, ``level``, ``assign``, ``table``.

    References
    ----------
    M. Boullé, A Bayes optimal approach for partitioning categorical attributes, JMLR 6, 2005.

    Examples
    --------
    >>> import partage as pt
    >>> city = ["Lyon", "Paris", "Nice", "Lille"] * 30
    >>> p = pt.group(city, ["yes", "no", "yes", "no"] * 30)
    >>> p.groups
    (('Lille', 'Paris'), ('Lyon', 'Nice'))
    """
    found: Groups = _fit_one("group", locals())
    return found


def _fit_one(who: str, given: dict[str, Any]) -> Any:
    """Partition one column by the parameters of a function."""
    x, name, order = given["x"], given["name"], given.pop("ordered", None)
    plan = check_plan(who, given, "numbers" if who == "discretize" else "categories")
    settings: Any = plan.numbers or plan.categories
    column: Any = read_column(who, x, name) if plan.numbers else read_categories(who, x, name)
    if order is not None:
        apart = special_of(settings.special_values, column.name)
        column = in_given_order(who, column, levels_with_special(list(order), apart))
    rows = read_target(who, given["y"], given["sample_weight"], target_type=plan.target_type)
    rows = with_exposure(who, rows, given.pop("exposure"))
    check_lengths(who, "x", column.n_rows, rows)
    if plan.by is not None:
        segments = read_categories(who, plan.by, "by")
        rows = rows.with_segments(who, segments.codes, segments.values, plan.by_tolerance)
    return fit_column(who, column, rows, settings, library=frame_library(x))
