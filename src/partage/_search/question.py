"""What a search under limits is asked about a column, and what it answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._search.limits import Limits
from partage._search.methods import Method
from partage._search.readings import Reading
from partage._search.trends import Segments
from partage._spaces.space import Space
from partage._support.parallel import Cancel
from partage._targets.target import TargetRows


@dataclass(frozen=True)
class Question:
    """Everything a search under limits is asked about one column."""

    who: str  # the function and the column
    space: Space
    target: TargetRows
    method: Method
    search: str
    numbers: Sequence[float] | None
    limits: Limits
    user_keys: NDArray[Any] | None = None  # user_cuts as keys of the column
    candidate_keys: NDArray[Any] | None = None
    segments: Segments | None = None
    cancel: Cancel | None = None
    levels: NDArray[np.int64] | None = None  # how round the cut after each unit can be, 0 most
    held: NDArray[np.float64] | None = (
        None  # class weights of the units, where the space has others
    )
    known: dict[Any, Any] | None = None  # optima without limits that were found before

    def counts(self, starts: NDArray[Any]) -> NDArray[np.float64]:
        """Class weights of the rows of parts."""
        if self.held is None:
            return self.space.counts(starts)
        sums = np.vstack([np.zeros(self.held.shape[1]), np.cumsum(self.held, axis=0)])
        return np.asarray(np.diff(sums[starts], axis=0))

    @property
    def totals(self) -> NDArray[np.float64]:
        """Weight of each class in the column."""
        everything = np.array([0, self.space.n_units], dtype=np.uint32)
        return np.asarray(self.counts(everything)[0])


@dataclass(frozen=True)
class Answer:
    """Parts under limits: where they start, what they hold, which keys cut them."""

    starts: NDArray[np.uint32]  # first unit of each part, then the end; empty parts repeat a start
    counts: NDArray[np.float64]
    is_optimal: bool
    given_keys: list[Any]  # key of each cut, None where it is the midpoint of two units
    trend: str | None  # that the parts follow, where one was asked for
    free_starts: NDArray[np.uint32] | None  # of the optimum without limits
    bound: float | None  # no partition costs less
    is_free: bool = False  # nothing was asked
    in_the_way: tuple[Any, ...] | None = None  # segments that break the best parts without them
    reading: Reading | None = None  # what was read of a number
    free_reading: Reading | None = None


__all__ = ["Answer", "Question"]
