"""``TablePartitioner``: every column of a mixed table, each by its kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from partage._estimators.base import BasePartitioner
from partage._estimators.plan import Plan
from partage._estimators.public import public
from partage._support.checks import refuse


@public
@dataclass(kw_only=True, eq=False, repr=False)
class TablePartitioner(BasePartitioner):
    """Partition every column of a table: numbers into intervals, categories into groups.

    A scikit-learn transformer. Numbers, dates and times become intervals; text, booleans and
    categories become groups; ordered categories become groups of neighbouring ranks.

    Examples
    --------
    >>> import pandas as pd
    >>> import partage as pt
    >>> df = pd.DataFrame({"age": range(40), "city": ["Lyon", "Paris"] * 20})
    >>> enc = pt.TablePartitioner().fit(df, [0] * 20 + [1] * 20)
    >>> enc.summary()[["column", "kind", "parts"]]
      column         kind  parts
    0    age      numeric      2
    1   city  categorical      1
    """

    search: str = "auto"
    kinds: Mapping[str, str] | None = None
    ordered: Mapping[str, Any] | None = None
    user_cuts: Mapping[str, Any] | None = None
    candidate_cuts: Mapping[str, Any] | None = None
    cut_style: str = "midpoint"
    round_cuts: Any = None
    drop_uninformative: bool = False

    def _plan(self) -> Plan:
        if not isinstance(self.drop_uninformative, (bool, np.bool_)):
            who = type(self).__name__
            refuse(who, "drop_uninformative", "True or False", self.drop_uninformative)
        return super()._plan()
