"""How certain a partition is: the sums over all partitions of the line it was found on."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._partitions.certainty import LEVELS, Certainty
from partage._partitions.costs import beside_of
from partage._partitions.edit import kept_units
from partage._search.averaged import cell_starts, structure
from partage._search.averaged_means import average_parts
from partage._search.limits import Limits
from partage._search.line_sums import LineAnswer, LineQuestion, sum_line
from partage._search.readings import Reading
from partage._search.score_sums import Spread
from partage._spaces.space import Space
from partage._targets.numbers import deviations_of

_MOST_PRECISE = 500  # values up to which the spread of scores is followed to the last digits
_SURE_ROWS = 10_000  # rows from which its most probable value stands for all


def find_certainty(partition: Any) -> Certainty:
    """Sum over all partitions of the values of a column, within the limits of its parts."""
    who = f"{type(partition).__name__}.certainty"
    why = partition._why_uncertain()
    if why is not None:
        raise ValueError(f"{who}: column {partition.name!r} needs {why}.")
    units = kept_units(who, partition)
    held = np.flatnonzero(units.unit_weights() > 0.0)  # values that rows hold
    reading = partition._method.reading
    rows = units.counts() if reading is None else _read(reading, units)
    rows = rows[held] if len(held) else np.ones((1, rows.shape[1]))
    held = held if len(held) else np.zeros(1, dtype=np.int64)
    if partition._method.averages:
        question = _of_cells(partition, units, held, rows)
    else:
        question = _of_values(who, partition, units, held, rows)
    return _named(partition, units, held, question, sum_line(question, LEVELS))


def _read(reading: Reading, units: Space) -> NDArray[np.float64]:
    """Give what is read of each unit, and what a trend follows behind scores."""
    found = reading.units(units)
    if not reading.has_spread or units.moments is None:
        return found
    return np.column_stack([found, deviations_of(units.moments)])


def _of_cells(
    partition: Any, units: Space, held: NDArray[np.int64], counts: NDArray[np.float64]
) -> LineQuestion:
    """Ask about the partitions of cells at quantiles, as many as averaged shares are means of."""
    starts = np.unique(np.searchsorted(held, cell_starts(units), side="left"))
    return LineQuestion(
        counts,
        "modl",
        [],
        _cuts_of(partition, units, held),
        candidates=_inside(starts, len(held)),
        log_prior=-structure(max(len(starts) - 1, 1)),
        weighs_places=False,
    )


def _of_values(
    who: str,
    partition: Any,
    units: Space,
    held: NDArray[np.int64],
    counts: NDArray[np.float64],
) -> LineQuestion:
    """Ask about the partitions of the values, within the limits of the parts."""
    target, limits = partition.target, _limits(partition)
    reading = partition._method.reading
    criterion, numbers = partition._line_method(who) if reading is None else ("modl", [])
    places = {
        name: None if found is None else np.searchsorted(held, found, side="left")
        for name, found in partition._named_places(who, units, limits).items()
    }
    user = _inside(places["user_cuts"], len(held))
    has_trend = limits.monotonic is not None and not target.is_constant
    n_empty = 0 if places["user_cuts"] is None else len(places["user_cuts"]) - len(user)
    question = LineQuestion(
        counts,
        criterion,
        numbers,
        _cuts_of(partition, units, held),
        limits,
        user,
        n_empty,
        None if places["candidate_cuts"] is None else _inside(places["candidate_cuts"], len(held)),
        target.scores() if has_trend else None,
        n_values=None if units.is_exact else _values_of(units, partition.n_values)[held],
    )
    if reading is not None and has_trend and not reading.has_spread:
        # Intervals of ranks tell no means: these come from the units themselves.
        followed = target.score_sums(units.tally())[held][:, None]
        question = replace(question, scores=np.zeros(counts.shape[1]), followed=followed)
    return question if reading is None else _of_ranks(partition, question)


def _of_ranks(partition: Any, question: LineQuestion) -> LineQuestion:
    """Ask about parts that tell the ranks of a number; rows beside them are sets of their own."""
    reading: Reading = partition._method.reading
    beside = beside_of(partition).tally
    apart = reading.numbers(beside.class_counts[beside.held])
    spread = None
    if reading.has_spread:
        left = float(reading.terms(apart)[:, 0].sum()) if len(apart) else 0.0
        total = float(partition.total().weight[0])
        spread = Spread(total, left)
        if len(question.counts) > _MOST_PRECISE:
            # The more rows, the surer the spread is.
            spread = Spread(total, left, 1.5, 8.0 if total < _SURE_ROWS else 0.0)
    asked = replace(question, spread=spread)
    weight = asked.weight
    return replace(
        asked,
        log_prior=reading.log_prior(len(asked.counts), weight, len(apart), question.n_empty),
    )


def _cuts_of(partition: Any, units: Space, held: NDArray[np.int64]) -> NDArray[np.int64]:
    """Places of the cuts among the values that rows hold; -1 outside them."""
    cuts = np.searchsorted(held, partition._border_places(units), side="left")
    return np.where((cuts > 0) & (cuts < len(held)), cuts, -1)


def has_certainty(partition: Any) -> bool:
    """Whether the sums can be made, or were kept."""
    if partition._known_certainty is not None:
        return True
    return partition.units is not None and partition._why_uncertain() is None


def _values_of(units: Space, n_values: int) -> NDArray[np.float64]:
    """Estimate how many distinct values each range of values holds, from its weight."""
    weight = units.unit_weights()
    spread = weight * (n_values / max(float(weight.sum()), np.finfo(float).tiny))
    return np.where(units.lows == units.highs, 1.0, np.maximum(spread, 1.0))


def _inside(places: NDArray[np.int64] | None, n_units: int) -> NDArray[np.int64]:
    """Places with units on both sides, each once."""
    if places is None:
        return np.empty(0, dtype=np.int64)
    return np.unique(places[(places > 0) & (places < n_units)])


def _limits(partition: Any) -> Limits:
    """Limits that the partition was found under; sizes are weights."""
    known = {field.name for field in fields(Limits)}
    limits = Limits(**{k: v for k, v in partition.constraints.items() if k in known})
    if limits.min_part_size is None:
        return limits
    return replace(limits, min_part_size=limits.min_weight(float(partition.total().weight[0])))


def _laws(
    partition: Any, units: Space, held: NDArray[np.int64], answer: LineAnswer
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Laws of the blocks, averaged over all partitions, then of the codes beside the parts."""
    target, total = partition.target, partition.total()
    codes = partition.code_tally().take(slice(partition.n_parts, None))
    shares, spread = target.laws(codes, total)
    if partition.has_unseen:
        shares[1:2], spread[1:2] = target.laws(total, total)
    sums = answer.sums
    if units.moments is None:
        held_shares, deviations = sums.shares, sums.deviations
        if target.joins:
            held_shares, deviations = (
                target.of_each_class(laws, total) for laws in (held_shares, deviations)
            )
        return np.vstack([held_shares, shares]), np.vstack([deviations, spread])
    starts = held[answer.starts[:-1]]
    starts[0] = 0
    blocks = units.sums_of(np.append(starts, units.n_units))
    means = average_parts(sums.parts, blocks, lambda parts: target.laws(parts, total))
    return np.vstack([means[0], shares]), np.vstack([means[1], spread])


def _named(
    partition: Any,
    units: Space,
    held: NDArray[np.int64],
    question: LineQuestion,
    answer: LineAnswer,
) -> Certainty:
    """Put values in place of units."""
    sums = answer.sums
    known = answer.cut_borders >= 0
    stretches = np.full((len(answer.cut_borders), 2 * len(LEVELS)), -1, dtype=np.int64)
    for i, found in enumerate(sums.stretches):
        stretches[known, 2 * i : 2 * i + 2] = found.astype(np.int64) - 1
    shares, deviations = _laws(partition, units, held, answer)
    starts = held[answer.starts[:-1]]
    starts[0] = 0
    return Certainty(
        name=partition.name,
        method=partition.method,
        n_parts={k: p for k, p in enumerate(sums.n_parts.tolist(), 1) if p > 0.0},
        log_evidence=sums.log_total + _log_constant(partition),
        is_exact=answer.is_exact and units.is_exact and len(answer.lows) == len(held) - 1,
        n_values=partition.n_values,
        target=partition.target,
        library=partition.library,
        rule=partition._rule_of_blocks(units, np.append(starts, units.n_units)),
        shares=shares,
        deviations=deviations,
        weights=np.add.reduceat(question.unit_weights, answer.starts[:-1]),
        border_keys=np.column_stack(
            [units.highs[held[answer.lows - 1]], units.lows[held[answer.highs]]]
        ),
        border_probabilities=sums.cuts,
        cut_borders=answer.cut_borders,
        stretches=stretches,
        cut_values=tuple(partition._border_values()),
    )


def _log_constant(partition: Any) -> float:
    """Give what the costs of all partitions have in common, where sums leave it out: a number."""
    reading = partition._method.reading
    if reading is None:
        return 0.0
    beside = beside_of(partition).tally
    return -float(reading.constant(partition.total().class_counts, len(beside.take(beside.held))))


__all__ = ["find_certainty", "has_certainty"]
