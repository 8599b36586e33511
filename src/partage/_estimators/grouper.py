"""``Grouper``: groups of values for every categorical column of a table."""

from __future__ import annotations

from typing import Any, cast

from partage._estimators.base import BasePartitioner
from partage._partitions.find import fit_column
from partage._partitions.groups import Groups
from partage._search.settings import Settings, check_group_settings
from partage._support.checks import OUTPUTS, check_choice, check_cross_fit, check_sign
from partage._support.parallel import Cancel
from partage._targets.target import TargetRows


class Grouper(BasePartitioner):
    """Group the values of every column of a table by what they say of a class.

    A scikit-learn transformer. Each column is partitioned on its own, as by ``partage.group``;
    numbers are values like any other. An uninformative column keeps one group.

    Parameters
    ----------
    method : str, default="modl"
        How groupings are judged; as for ``partage.group``.
    search : {"auto"}, default="auto"
        How groupings are searched.
    n_parts : int or dict, default=None
        Exact number of groups.
    max_parts : int or dict, default=None
        Upper limit for the number of groups.
    min_part_size : int, float or dict, default=None
        Least weight of a group; below 1 a fraction of the rows that are not missing.
    missing : {"separate", "merge", "error"}, default="separate"
        Missing values keep a code of their own, join the group where they cost least, or raise.
    special_values : list or dict, default=None
        Codes that stand for no measurement, such as -999; a list for all columns, or lists by name.
    special : {"separate", "merge"}, default="separate"
        Each special value keeps a code of its own, or joins the group where it costs least.
    method_params : dict, default=None
        Parameters of the method, as for ``group``.
    output : {"code", "onehot", "label", "rate", "woe", "sparse"}, default="code"
        What ``transform`` gives: group codes; one column of bits per group and one for missing
        values; readable groups; class shares; weight of evidence; the bits as a sparse array of
        SciPy.
    positive : class, default=None
        The event of two classes, whose rate and weight of evidence are shown; by default the second
        class, or the last one of a target that is an ordered categorical series.
    woe_sign : {1, -1}, default=1
        -1 turns the weight of evidence: a high one then speaks for the other class.
    cross_fit : int, default=None
        Number of folds, with ``output="rate"`` or ``"woe"``: ``fit_transform`` then gives each row
        the rate or evidence of parts learned without its fold. ``transform`` uses all rows.
    n_jobs : int, default=None
        Columns treated side by side, in threads; None is one, -1 all cores. The result is the same.

    Attributes
    ----------
    partitions_ : dict of str to Groups
        The partition of each column.
    levels_ : ndarray of shape (n_columns,)
        Level of each column: 0 is no information on the class.
    classes_ : ndarray
        The classes of the target.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        Names of the columns, where all were text.

    Examples
    --------
    >>> import pandas as pd
    >>> import partage as pt
    >>> df = pd.DataFrame({"city": ["Lyon", "Paris", "Nice", "Lille"] * 30})
    >>> enc = pt.Grouper().fit(df, ["yes", "no", "yes", "no"] * 30)
    >>> enc.transform(pd.DataFrame({"city": ["Lille", "Nice", "Rome", None]})).ravel()
    array([0, 1, 3, 2])
    """

    def __init__(
        self,
        *,
        method="modl",
        search="auto",
        n_parts=None,
        max_parts=None,
        min_part_size=None,
        missing="separate",
        special_values=None,
        special="separate",
        method_params=None,
        output="code",
        positive=None,
        woe_sign=1,
        cross_fit=None,
        n_jobs=None,
    ):
        self.method = method
        self.search = search
        self.n_parts = n_parts
        self.max_parts = max_parts
        self.min_part_size = min_part_size
        self.missing = missing
        self.special_values = special_values
        self.special = special
        self.method_params = method_params
        self.output = output
        self.positive = positive
        self.woe_sign = woe_sign
        self.cross_fit = cross_fit
        self.n_jobs = n_jobs

    def _check(self, who: str) -> Settings:
        check_choice(who, "output", self.output, OUTPUTS)
        check_sign(who, "woe_sign", self.woe_sign)
        check_cross_fit(who, self.cross_fit, self.output)
        return check_group_settings(who, **self._method_settings())

    def _kind(self, who: str, table: Any, index: int, settings: Any) -> tuple[str | None, Any]:  # noqa: ARG002  # the same for all
        return None, None

    def _find(
        self,
        who: str,
        column: Any,
        target: TargetRows,
        settings: Any,
        cancel: Cancel | None,
        library: str,
    ) -> Groups:
        found = fit_column(who, column, target, settings, cancel=cancel, library=library)
        return cast("Groups", found)
