"""``Discretizer``: intervals for every numeric column of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from partage._estimators.base import BasePartitioner
from partage._estimators.public import public


@public
@dataclass(kw_only=True, eq=False, repr=False)
class Discretizer(BasePartitioner):
    """Cut every numeric column of a table into the intervals that matter for a class.

    A scikit-learn transformer. Each column is partitioned on its own, as by
    ``partage.discretize``; an uninformative column keeps one part.

    Parameters
    ----------
    method : str, default="modl"
        How partitions are judged; ``partage methods`` lists them. ``"modl"`` needs no parameter and
        leaves a column without information in one part.
    method_params : dict, default=None
        Parameters of the method, such as ``{"alpha": 0.9}`` for ``"fusinter"``.

    Attributes
    ----------
    partitions_ : dict of str to Intervals
        The partition of each column.

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

    search: str = "auto"
    user_cuts: Mapping[str, Any] | None = None
    candidate_cuts: Mapping[str, Any] | None = None
    cut_style: str = "midpoint"
    round_cuts: Any = None

    _takes: ClassVar[str] = "numbers"
