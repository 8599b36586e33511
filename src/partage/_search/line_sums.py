"""Sums over the partitions of a line that limits allow, at every border or at enough of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._search.borders import MOST_EXACT, MOST_EXACT_OF_TRENDS, Borders, sum_at_borders
from partage._search.limits import Limits
from partage._search.score_sums import Spread, sum_scores
from partage._search.sums import PartitionSums, sum_partitions
from partage._support.portable import logs
from partage.exceptions import NotPartitionableError

_NONE = np.empty(0, dtype=np.int64)


@dataclass(frozen=True)
class LineQuestion:
    """What is asked about a line of units; place p is the border before unit p.

    Attributes
    ----------
    counts : ndarray of shape (n, J)
        Class weights of the units; or their weight, scores and squares, where there is a spread.
    criterion, numbers
        What parts cost, and its parameters.
    cuts : ndarray
        Places of the cuts that are looked at.
    limits : Limits
        What partitions must satisfy; ``min_part_size`` is a weight.
    fixed : ndarray
        Places at which every partition is cut.
    n_empty : int
        Parts without rows that are counted beside the others.
    candidates : ndarray or None
        Places at which partitions may be cut; None: all.
    scores : ndarray or None
        Score of each class, or of each number that a unit has, which a trend follows.
    followed : ndarray of shape (n, 1) or None
        Sums of the units that a trend follows in place of scores, which are 0.
    n_values : ndarray or None
        Distinct values of each unit, about, where units are ranges of values; None: one each.
    log_prior : ndarray or None
        Logarithm of the weight of 1, 2, ... parts; None: the criterion's.
    weighs_places : bool
        Whether a border weighs as much as the places that it stands for.
    spread : Spread or None
        What scores share, of which costs hold a logarithm.
    """

    counts: NDArray[np.float64]
    criterion: str
    numbers: list[float]
    cuts: NDArray[np.int64]
    limits: Limits = field(default_factory=Limits)
    fixed: NDArray[np.int64] = field(default_factory=lambda: _NONE)
    n_empty: int = 0
    candidates: NDArray[np.int64] | None = None
    scores: NDArray[np.float64] | None = None
    followed: NDArray[np.float64] | None = None
    n_values: NDArray[np.float64] | None = None
    log_prior: NDArray[np.float64] | None = None
    weighs_places: bool = True
    spread: Spread | None = None

    @property
    def weight(self) -> float:
        """Weight of the units."""
        return float(self.unit_weights.sum())

    @property
    def unit_weights(self) -> NDArray[np.float64]:
        """Weight of each unit."""
        return np.asarray(self.counts.sum(axis=1) if self.spread is None else self.counts[:, 0])

    @property
    def places(self) -> NDArray[np.int64]:
        """Places that partitions may be cut at."""
        if self.candidates is None:
            return np.arange(1, len(self.counts))
        return np.union1d(self.candidates, self.fixed)


@dataclass(frozen=True)
class LineAnswer:
    """Sums over the partitions of a line, and the borders they look at.

    Attributes
    ----------
    sums : PartitionSums
        The sums over blocks of units.
    starts : ndarray
        First unit of each block, then the number of units.
    lows, highs : ndarray
        First and last place that each border stands for.
    is_exact : bool
        Whether each border stands for one place.
    cut_borders : ndarray
        Border of each cut, from 0 on; -1 where it is none.
    """

    sums: PartitionSums
    starts: NDArray[np.int64]
    lows: NDArray[np.int64]
    highs: NDArray[np.int64]
    is_exact: bool
    cut_borders: NDArray[np.int64]


def sum_line(question: LineQuestion, levels: tuple[float, ...]) -> LineAnswer:
    """Sum over the partitions of a line."""
    places = question.places
    n_units = len(question.counts)
    before = np.vstack([np.zeros(question.counts.shape[1]), np.cumsum(question.counts, axis=0)])
    edges = np.concatenate([[0], places, [n_units]])
    is_known = np.isin(question.cuts, places)
    looked_at = np.searchsorted(places, question.cuts[is_known]) + 1
    most = MOST_EXACT if question.scores is None else MOST_EXACT_OF_TRENDS

    def ask(borders: Borders) -> PartitionSums:
        blocks = np.diff(before[edges[borders.starts]], axis=0)
        return _sums(question, blocks, borders, looked_at, levels)

    borders, sums = sum_at_borders(len(places) + 1, looked_at, most, ask)
    cut_borders = np.full(len(question.cuts), -1)
    cut_borders[is_known] = borders.border_of(looked_at) - 1
    return LineAnswer(
        sums,
        edges[borders.starts],
        places[borders.edges[:-1]],
        places[borders.edges[1:] - 1],
        borders.is_exact,
        cut_borders,
    )


def _sums(
    question: LineQuestion,
    blocks: NDArray[np.float64],
    borders: Borders,
    looked_at: NDArray[np.int64],
    levels: tuple[float, ...],
) -> PartitionSums:
    """Ask the core about blocks of units."""
    limits, n_empty = question.limits, question.n_empty
    constraints = _constraints(question, borders)
    if question.followed is not None:
        starts = np.concatenate([[0], question.places])[borders.starts[:-1]]
        weights, sums = (
            np.ascontiguousarray(np.add.reduceat(amounts, starts, axis=0))
            for amounts in (question.unit_weights[:, None], question.followed)
        )
        constraints = constraints.following(blocks.shape[1], weights, sums)
    options: dict[str, Any] = {
        "log_prior": None if question.log_prior is None else question.log_prior[: len(blocks)],
        "log_places": _log_places(question, borders) if question.weighs_places else None,
        "cuts": borders.border_of(looked_at).tolist(),
        "levels": levels,
        "n_parts": None if limits.n_parts is None else limits.n_parts - n_empty,
        "max_parts": None if limits.max_parts is None else limits.max_parts - n_empty,
        "min_weight": limits.min_part_size or 0.0,
        "constraints": constraints,
    }
    try:
        if question.spread is not None:
            return sum_scores(blocks, question.spread, **options)
        return sum_partitions(blocks, question.criterion, question.numbers, **options)
    except _core.NotPossible:
        raise NotPartitionableError(
            "certainty: no partition of the counted values satisfies the limits of this one."
        ) from None


def _log_places(question: LineQuestion, borders: Borders) -> NDArray[np.float64] | None:
    """Count the places of each border.

    The price of the number of parts is made for as many places as the rows weigh, at most. Where
    rows weigh less than one each there are more; they count for less, or partitions of very many
    parts would outweigh all others by their number.
    """
    values = question.n_values
    n_values = float(len(question.counts) if values is None else values.sum())
    weight_of_place = min(question.weight / n_values, 1.0)
    if values is None:
        every = borders.n_places.astype(np.float64)
    else:
        # The cuts inside two neighbouring ranges count half for the border between them.
        between = (values[:-1] + values[1:]) / 2.0
        ends = np.append(0.0, np.cumsum(between[question.places - 1]))
        every = np.diff(ends[borders.edges])
    if weight_of_place == 1.0 and (every == 1.0).all():
        return None
    return np.asarray(logs(every * weight_of_place))


def _constraints(question: LineQuestion, borders: Borders) -> _core.Constraints:
    """State the limits to the core."""
    core = _core.Constraints()
    least = question.limits.min_counts(question.counts.sum(axis=0).tolist())
    if least is not None:
        core.set_min_counts(least)
    if len(question.fixed) or question.n_empty:
        fixed = np.searchsorted(question.places, question.fixed) + 1
        core.set_fixed(np.unique(borders.border_of(fixed)).tolist(), question.n_empty)
    if question.scores is not None and question.limits.monotonic is not None:
        core.set_trend(question.limits.monotonic, question.scores.tolist())
    return core


__all__ = ["LineAnswer", "LineQuestion", "sum_line"]
