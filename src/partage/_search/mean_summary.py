"""The parts that summarise the averaged means of a number best, under limits.

The loss of a part is the sum over its cells of n (averaged mean of the cell - that of the part)².
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._search.averaged_means import MeanCells, averaged_means
from partage._search.named_cuts import places_of
from partage._search.question import Answer, Question
from partage._search.readings import Asked, Read, Scores
from partage._search.slopes import find_least_squares
from partage._search.summary import (
    Summary,
    Wanted,
    answer_of,
    check_cells,
    fewest_parts,
    kept_share,
    with_counted,
)
from partage._spaces.space import Space, line_of
from partage._spaces.unit_sums import KnownSums
from partage._targets.numbers import deviations_of

_ROUNDING = 1e-13  # of the squares of the number


@dataclass(frozen=True, eq=False)
class AveragedSquares(Scores):
    """Squares of averaged means around those of parts; ``rows`` holds what cells have of them."""

    rows: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 3)))

    def line(self, asked: Asked) -> _core.Line:  # noqa: ARG002  # cells are known
        """Make the line of weights, sums and squares; a trend follows the sums."""
        return _core.line_of_amounts(np.column_stack([self.rows, self.rows[:, 1]]))

    def search(self, asked: Asked) -> Read:
        """Find the parts of the least squares."""
        return Read(find_least_squares(self, asked), False, self)


def summarize_means(question: Question, keep: float | None) -> Summary:
    """Find the parts that lose least of the averaged means of a line, as `summarize` does."""
    space, method = question.space, question.method
    assert method.reading is not None
    assert space.aside is not None
    target = method.reading.target
    ends = np.array([0, space.n_units])
    total = space.tally(ends).concat(space.aside).total()
    cells = averaged_means(space, method.reading, total, question.cancel)
    given = [places_of(question, keys) for keys in (question.user_keys, question.candidate_keys)]
    inside = np.concatenate(given)
    pieces = _cut_at(cells, space, inside[(inside > 0) & (inside < space.n_units)])
    check_cells(question, len(pieces.means))
    weight = pieces.sums.weight
    away = pieces.means - float((weight * pieces.means).sum() / weight.sum())
    rows = np.column_stack([weight, weight * away, weight * away**2])
    on_cells = _on_cells(question, pieces, rows)
    whole = float(rows[:, 2].sum())
    squares = float(target.deviations(total)[0]) ** 2 * space.total_weight
    least = kept_share(question, keep) * whole - _ROUNDING * squares
    found = fewest_parts(on_cells, Wanted(least, whole, lambda answer: _between(rows, answer)))
    starts = pieces.starts[found.starts]
    answer = answer_of(question, found, pieces.starts, space.counts(starts))
    counted = space.tally(starts)
    sums = _sums(weight * pieces.means, found.starts)
    held = np.where(counted.weight > 0, counted.weight, 1.0)
    means = np.where(counted.weight > 0, sums / held, target.center)
    return Summary(answer, target.of_means(counted, means), cells)


def _cut_at(cells: MeanCells, space: Space, places: NDArray[np.int64]) -> MeanCells:
    """Divide cells at further units; their pieces keep the means."""
    if not len(places):
        return cells
    starts = np.union1d(cells.starts, places)
    cell = np.searchsorted(cells.starts, starts[:-1], side="right") - 1
    return MeanCells(starts, space.sums_of(starts), cells.means[cell])


def _on_cells(question: Question, pieces: MeanCells, rows: NDArray[np.float64]) -> Question:
    """Ask for parts of the cells: trends hold for averaged and counted means, floors for rows."""
    space, method = question.space, question.method
    assert method.reading is not None
    assert space.sums is not None
    moments, extremes = space.sums.runs(pieces.starts)
    counts = space.counts(pieces.starts)
    joined = Space(
        line_of(counts),
        space.lows[pieces.starts[:-1]],
        space.highs[pieces.starts[1:] - 1],
        sums=KnownSums(moments, extremes),
    )
    reading = AveragedSquares(method.reading.target, rows=rows)
    return replace(
        question,
        space=joined,
        method=replace(method, reading=reading, searches=("exact",)),
        search="exact",
        segments=with_counted(question, pieces.starts, pieces.sums.weight, deviations_of(moments)),
        held=counts,
        levels=None if question.levels is None else question.levels[pieces.starts[1:-1] - 1],
    )


def _sums(values: NDArray[np.float64], starts: NDArray[np.uint32]) -> NDArray[np.float64]:
    """Sum runs of values, of which some may be empty."""
    ends = np.append(0.0, np.cumsum(values))
    return np.asarray(np.diff(ends[starts.astype(np.int64)]))


def _between(rows: NDArray[np.float64], answer: Answer) -> float:
    """Squares of the averaged means of parts."""
    weight, sums = (_sums(rows[:, i], answer.starts) for i in (0, 1))
    return float((sums**2 / np.where(weight > 0, weight, 1.0)).sum())


__all__ = ["summarize_means"]
