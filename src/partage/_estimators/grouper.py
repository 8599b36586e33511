"""``Grouper``: groups of values for every categorical column of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from partage._estimators.base import BasePartitioner
from partage._estimators.public import public


@public
@dataclass(kw_only=True, eq=False, repr=False)
class Grouper(BasePartitioner):
    """Group the values of every column of a table by what they say of a class.

    A scikit-learn transformer. Each column is partitioned on its own, as by ``partage.group``;
    numbers are values like any other. An uninformative column keeps one group.

    Parameters
    ----------
    method : str, default="modl"
        How groupings are judged; as for ``partage.group``.
    method_params : dict, default=None
        Parameters of the method, as for ``partage.group``.

    Attributes
    ----------
    partitions_ : dict of str to Groups
        The partition of each column.

    Examples
    --------
    >>> import pandas as pd
    >>> import partage as pt
    >>> df = pd.DataFrame({"city": ["Lyon", "Paris", "Nice", "Lille"] * 30})
    >>> enc = pt.Grouper().fit(df, ["yes", "no", "yes", "no"] * 30)
    >>> enc.transform(pd.DataFrame({"city": ["Lille", "Nice", "Rome", None]})).ravel()
    array([0, 1, 3, 2])
    """

    ordered: Mapping[str, Any] | None = None

    _takes: ClassVar[str] = "categories"
