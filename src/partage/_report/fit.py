"""Fits a table for a report: each column is profiled on the way, and its end announced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from partage._estimators.table_partitioner import TablePartitioner
from partage._partitions.partition import Partition
from partage._report.profile import Watcher


class WatchedPartitioner(TablePartitioner):
    """A ``TablePartitioner`` that keeps profiles of the columns and reports its progress."""

    def watch(self, watcher: Watcher, advance: Callable[[str], None]) -> WatchedPartitioner:
        """Set who is shown the columns, and who is called when one is done."""
        self._watcher = watcher
        self._advance = advance
        return self

    def _check(self, who: str) -> Any:
        plan = super()._check(who)
        watched = {
            name: replace(settings, watch=self._watcher)
            for name in ("numbers", "categories")
            if (settings := getattr(plan, name)) is not None
        }
        return replace(plan, **watched)

    def _find(self, who: str, column: Any, *rest: Any) -> Partition:
        partition = super()._find(who, column, *rest)
        self._advance(column.name)
        return partition


def fit_watched(
    frame: Any,
    target: str,
    parameters: dict[str, Any],
    *,
    sample_weight: Any = None,
    advance: Callable[[str], None] = lambda _: None,
) -> tuple[TablePartitioner, Watcher]:
    """Fit a table and return the estimator, free of the watcher, with the profiles."""
    watcher = Watcher()
    # scikit-learn's signatures carry no hints.
    watched = WatchedPartitioner(**parameters).watch(watcher, advance)
    watched.fit(frame, target=target, sample_weight=sample_weight)
    model = TablePartitioner(**parameters)
    fitted = {key: value for key, value in vars(watched).items() if key not in vars(model)}
    for key, value in fitted.items():
        if key not in ("_watcher", "_advance"):
            setattr(model, key, value)
    return model, watcher
