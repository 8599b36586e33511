"""The segments of rows, such as months, in each of which a trend must hold."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class RowSegments:
    """The segment of each row.

    Attributes
    ----------
    codes : ndarray of int64
        Segment of each row, from 0.
    names : tuple
        What each segment is called.
    tolerance : float
        How sure a reversal in one segment must be to count: 0 for any, 0.95 for those outside the
        margins of chance of 95 %.
    """

    codes: NDArray[np.int64]
    names: tuple[Any, ...]
    tolerance: float = 0.0

    @classmethod
    def of(cls, codes: NDArray[Any], values: Any, tolerance: float) -> RowSegments:
        """Make segments of codes; missing rows, of code -1, are a segment of their own."""
        used, segments = np.unique(codes, return_inverse=True)
        names = ("missing" if code < 0 else values[int(code)] for code in used.tolist())
        return cls(segments.astype(np.int64), tuple(names), tolerance)

    def take(self, rows: Any) -> RowSegments:
        """Keep some of the rows."""
        return replace(self, codes=self.codes[rows])

    def used(self) -> RowSegments:
        """Leave out segments without rows."""
        return RowSegments.of(self.codes, self.names, self.tolerance)


__all__ = ["RowSegments"]
