"""The part that a new object joins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._graphs import Metric
from partage._points import Distinct, Scale, lengths

_CELLS_AT_ONCE = 4_000_000  # distances held at one time


@dataclass(frozen=True)
class NearestGroup:
    """Training points, each with its part; new points take the part of the nearest."""

    points: NDArray[np.float64]
    part_of: NDArray[np.int64]
    scale: Scale | None
    metric: Metric

    @classmethod
    def of(
        cls,
        distinct: Distinct,
        labels: NDArray[np.int64],
        scale: Scale | None,
        metric: Metric,
        n_parts: int,
    ) -> NearestGroup:
        """Learn the part of each point: that of most of its objects, the first of equals."""
        n_points = len(distinct.points)
        point_of = np.repeat(np.arange(n_points), lengths(distinct.starts))
        pairs, votes = np.unique(point_of * n_parts + labels[distinct.order], return_counts=True)
        point, part = np.divmod(pairs, n_parts)
        order = np.lexsort((part, -votes, point))
        _, first = np.unique(point[order], return_index=True)
        return cls(distinct.points, part[order][first], scale, metric)

    def parts(self, rows: NDArray[np.float64]) -> NDArray[np.int64]:
        """Part of each row."""
        return np.asarray(self.part_of[self._nearest(rows)])

    def _nearest(self, rows: NDArray[np.float64]) -> NDArray[np.int64]:
        scaled = rows if self.scale is None else self.scale(rows)
        if self.metric.is_euclidean:
            return np.asarray(_core.nearest_points(self.points, scaled, 1), dtype=np.int64)
        from scipy.spatial.distance import cdist

        step = max(1, _CELLS_AT_ONCE // len(self.points))
        found = [
            cdist(scaled[i : i + step], self.points, self.metric.name, **self.metric.params).argmin(
                axis=1
            )
            for i in range(0, len(scaled), step)
        ]
        return np.concatenate(found)


def group_by_links(
    who: str, links: Any, labels: NDArray[np.int64], n_parts: int
) -> NDArray[np.int64]:
    """Part that most links of a new object lead to; the first of equals."""
    from scipy.sparse import coo_array

    matrix = links.tocoo() if hasattr(links, "tocoo") else coo_array(np.atleast_2d(links))
    if matrix.ndim != 2 or matrix.shape[1] != len(labels):
        raise ValueError(
            f"{who}: links must have one column for each of the {len(labels)} training objects; "
            f"got the shape {matrix.shape}."
        )
    linked = matrix.data != 0
    rows, columns = matrix.row[linked], matrix.col[linked]
    votes = np.zeros((matrix.shape[0], n_parts), dtype=np.int64)
    np.add.at(votes, (rows, labels[columns]), 1)
    alone = np.flatnonzero(votes.sum(axis=1) == 0)
    if len(alone):
        raise ValueError(
            f"{who}: every new object must be linked with a training object; object "
            f"{int(alone[0])} has no link."
        )
    return np.asarray(votes.argmax(axis=1))
