"""Limits that an edited partition breaks."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from partage._search.limits import Limits
from partage._search.trends import Series, follows_trend

TRENDS = ("ascending", "descending", "peak", "valley")
_SLACK = 1e-9  # of a weight: sums of real weights are rounded


def violations(partition: Any) -> tuple[str, ...]:
    """Names of the limits that the parts break, in the order in which they were given."""
    known = {field.name for field in fields(Limits)}
    given = {name: value for name, value in partition.constraints.items() if name in known}
    holds = _Holding(partition, Limits(**given))
    return tuple(name for name in given if not getattr(holds, name)())


def trend_of(partition: Any) -> str:
    """Name the trend that the parts follow, the strictest first; nothing where there is none."""
    try:
        partition.target.check_trend("trend_of")
    except ValueError:
        return ""  # classes without an order
    if not partition.rule.is_line or partition.n_parts < 2:
        return ""
    parts = partition.code_tally().take(slice(partition.n_parts))
    series = [Series(parts.weight, partition.target.score_sums(parts))]
    return next((name for name in TRENDS if follows_trend(name, series)), "none")


class _Holding:
    """Whether each limit holds."""

    def __init__(self, partition: Any, limits: Limits) -> None:
        self.partition = partition
        self.limits = limits
        self.parts = partition.code_tally().take(slice(partition.n_parts))

    def n_parts(self) -> bool:
        return len(self.parts) == self.limits.n_parts

    def max_parts(self) -> bool:
        return self.limits.max_parts is None or len(self.parts) <= self.limits.max_parts

    def min_part_size(self) -> bool:
        least = self.limits.min_weight(float(self.partition.total().weight[0]))
        enough = self.parts.weight >= least * (1.0 - _SLACK)
        return len(self.parts) == 1 or bool(enough.all())

    def min_class_count(self) -> bool:
        counts = self.parts.class_counts
        least = self.limits.min_counts(counts.sum(axis=0).tolist())
        return len(self.parts) == 1 or bool((counts >= np.array(least)).all())

    def monotonic(self) -> bool:
        sums = self.partition.target.score_sums(self.parts)
        return follows_trend(str(self.limits.monotonic), [Series(self.parts.weight, sums)])

    def user_cuts(self) -> bool:
        return bool(self.partition.rule.has_borders(self.limits.user_cuts or ()))

    def candidate_cuts(self) -> bool:
        return True  # they say where a search looks, not what parts must be

    def round_cuts(self) -> bool:
        return True  # as above
