"""The part that a new object joins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._graphs.graph import Metric
from partage._graphs.points import Distinct, Scale, lengths
from partage._graphs.repeats import Repeats, most_frequent

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
        _, part_of = most_frequent(point_of, labels[distinct.order], n_parts)
        return cls(distinct.points, part_of, scale, metric)

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
    who: str, links: Any, repeats: Repeats, labels: NDArray[np.int64], n_parts: int
) -> NDArray[np.int64]:
    """Part that most links of a new object lead to; the first of equals.

    ``labels`` are of objects; a link with a row leads to each of its objects.
    """
    from scipy.sparse import coo_array

    matrix = links.tocoo() if hasattr(links, "tocoo") else coo_array(np.atleast_2d(links))
    if matrix.ndim != 2 or matrix.shape[1] != repeats.n_rows:
        raise ValueError(
            f"{who}: links must have one column for each of the {repeats.n_rows} training objects; "
            f"got the shape {matrix.shape}."
        )
    linked = matrix.data != 0
    objects = np.zeros((repeats.n_rows, n_parts), dtype=np.int64)
    np.add.at(objects, (repeats.row_of, labels), 1)
    votes = np.zeros((matrix.shape[0], n_parts), dtype=np.int64)
    np.add.at(votes, matrix.row[linked], objects[matrix.col[linked]])
    alone = np.flatnonzero(votes.sum(axis=1) == 0)
    if len(alone):
        raise ValueError(
            f"{who}: every new object must be linked with a training object; object "
            f"{int(alone[0])} has no link."
        )
    return np.asarray(votes.argmax(axis=1))
