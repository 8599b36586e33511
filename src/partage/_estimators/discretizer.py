"""``Discretizer``: intervals for every numeric column of a table."""

from __future__ import annotations

from typing import Any, cast

from partage._estimators.base import BasePartitioner
from partage._partitions.find import fit_column
from partage._partitions.intervals import Intervals
from partage._search.limits import check_by
from partage._search.settings import Settings, check_settings
from partage._support.checks import OUTPUTS, check_choice, check_cross_fit, check_sign
from partage._support.parallel import Cancel
from partage._targets.target import TargetRows


class Discretizer(BasePartitioner):
    """Cut every numeric column of a table into the intervals that matter for a class.

    A scikit-learn transformer. Each column is partitioned on its own, as by
    ``partage.discretize``; an uninformative column keeps one part. Limits may be
    dicts that give them by column name.

    Parameters
    ----------
    method : str, default="modl"
        How partitions are judged; ``partage methods`` lists them. ``"modl"`` needs no parameter and
        leaves a column without information in one part.
    search : str, default="auto"
        How partitions are searched; ``"auto"`` takes the best that is affordable for each column.
    n_parts : int or dict, default=None
        Exact number of parts.
    max_parts : int or dict, default=None
        Upper limit for the number of parts.
    min_part_size : int, float or dict, default=None
        Least weight of a part; below 1 a fraction of the rows that are not missing.
    min_class_count : int, float, list or dict, default=None
        Least weight of each class in a part, one number for all classes or one for each; below 1 a
        fraction of the rows of that class.
    monotonic : {"ascending", "descending", "peak", "valley", "auto"} or dict, default=None
        How the rate of the last of two classes (the mean rank of more, if they have an order) must
        go from part to part.
    by : str, default=None
        Name of the column of segments, such as months, in each of which the rates must be monotonic
        too; it is partitioned like any other.
    user_cuts : dict, default=None
        Cuts that are always kept; others may be added.
    candidate_cuts : dict, default=None
        The only cuts, beside ``user_cuts``, that may be made.
    missing : {"separate", "merge", "error"}, default="separate"
        Missing values keep a code of their own, join the part where they cost least, or raise.
    special_values : list or dict, default=None
        Codes that stand for no measurement, such as -999; a list for all columns, or lists by name.
    special : {"separate", "merge"}, default="separate"
        Each special value keeps a code of its own, or joins the part where it costs least.
    method_params : dict, default=None
        Parameters of the method, such as ``{"alpha": 0.9}`` for ``"fusinter"``.
    output : {"code", "onehot", "label", "rate", "woe", "sparse"}, default="code"
        What ``transform`` gives: part codes; one column of bits per part and one for missing
        values; readable intervals; class shares; weight of evidence; the bits as a sparse array of
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
    partitions_ : dict of str to Intervals
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
    >>> import partage as pt
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> enc = pt.Discretizer().fit(X, y)
    >>> enc.transform(X.iloc[[0, 60, 120]])
    array([[0, 2, 0, 0],
           [0, 0, 1, 1],
           [2, 1, 2, 2]])
    >>> enc.summary()[["column", "parts"]].head(2)
                  column  parts
    0   petal width (cm)      3
    1  petal length (cm)      3
    """

    def __init__(
        self,
        *,
        method="modl",
        search="auto",
        n_parts=None,
        max_parts=None,
        min_part_size=None,
        min_class_count=None,
        monotonic=None,
        by=None,
        user_cuts=None,
        candidate_cuts=None,
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
        self.min_class_count = min_class_count
        self.monotonic = monotonic
        self.by = by
        self.user_cuts = user_cuts
        self.candidate_cuts = candidate_cuts
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
        settings = check_settings(who, **self._method_settings())
        if self.by is not None:
            check_by(who, settings.limits)
        return settings

    def _kind(self, who: str, table: Any, index: int, settings: Any) -> tuple[str | None, Any]:  # noqa: ARG002  # the same for all
        return "numeric", None

    def _find(
        self,
        who: str,
        column: Any,
        target: TargetRows,
        settings: Any,
        cancel: Cancel | None,
        library: str,
    ) -> Intervals:
        found = fit_column(who, column, target, settings, cancel=cancel, library=library)
        return cast("Intervals", found)
