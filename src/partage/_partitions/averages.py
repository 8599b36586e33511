"""Averaged shares of partitions: as they are found, and as edits leave them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage._partitions.costs import beside_of
from partage._search.aside import Aside
from partage._targets.tally import Tally

if TYPE_CHECKING:
    from partage._partitions.rule import Rule


def averaged_shares(rows: NDArray[np.float64], n_rows: NDArray[np.int64]) -> Tally:
    """Tally parts by weights times averaged shares."""
    return replace(Tally.of_counts(rows, n_rows), is_averaged=True)


def averaged_around(partition: Any, present: Tally) -> Tally:
    """Tally the rows beside parts too, which are tallied as they are averaged.

    ``present`` holds the parts without what was merged into them. Missing and special values have
    their own shares, or mean, drawn to those of all rows.
    """
    beside = beside_of(partition)
    aside = partition.target.smoothed(beside.tally, partition.total())
    return Aside(aside, beside.parts).around(present)


def as_averaged(who: str, partition: Any) -> Any:
    """Give the finest parts that carry averaged shares: the curve, else the parts themselves.

    Groups have their own shares, drawn to those of all rows; so has a column without values.
    """
    if partition.curve is not None:
        rule = replace(partition.curve.rule, name=partition.name)
        target = partition.curve.target.marked(partition.event, partition.woe_sign)
        return replace(partition.curve, rule=rule, target=target)
    if partition.averaged is not None:
        return partition
    if partition.rule.is_measured and partition.n_values > 0:
        raise ValueError(
            f"{who}: column {partition.name!r} carries nothing that is averaged; fit with "
            "output='averaged', or take another output."
        )
    return smoothed(partition)


def smoothed(partition: Any) -> Any:
    """Draw the shares, or means, of the parts, and of the rows beside, to those of all rows."""
    averaged = partition.target.smoothed(partition.tally, partition.total())
    return replace(partition, averaged=averaged)


def averaged_after(before: Any, rule: Rule, tally: Tally) -> Tally | None:
    """Averaged shares, or means, of edited parts; ``tally`` holds them without what was merged."""
    if before.averaged is None:
        return None
    is_new = ~np.isin(rule.border_keys, before.rule.border_keys)
    found = _of_units(before, rule, tally) if is_new.any() else _of_parts(before, rule)
    return replace(found, rows=tally.rows, is_averaged=True)


def _of_parts(before: Any, rule: Rule) -> Tally:
    """Join what is averaged of parts between fewer cuts."""
    n_parts, beside = before.n_parts, beside_of(before)
    aside: Tally = before.averaged.take(slice(n_parts, None))
    present = before.averaged.take(slice(n_parts)).removed(aside, beside.parts)
    place = np.append(np.searchsorted(rule.border_keys, before.rule.border_keys), rule.n_parts - 1)
    joined: Tally = present.joined(place.astype(np.int64), rule.n_parts)
    return joined


def _of_units(before: Any, rule: Rule, tally: Tally) -> Tally:
    """Sum the curve over the values between other cuts."""
    units, curve = before.units, before.curve
    place = np.searchsorted(rule.border_keys, units.highs)
    step = np.searchsorted(curve.rule.border_keys, units.highs)
    weights = units.unit_weights()
    if tally.moments is None:
        found = np.zeros((rule.n_parts, curve.shares.shape[1]))
        np.add.at(found, place, weights[:, None] * curve.shares[step])
        return Tally.of_counts(found, tally.rows)
    means = before.target.means(curve.averaged.take(slice(curve.n_parts)), before.total())[step]
    sums, held = (np.bincount(place, one, rule.n_parts) for one in (weights * means, weights))
    of_parts = np.where(held > 0, sums / np.where(held > 0, held, 1.0), before.target.center)
    averaged: Tally = before.target.of_means(tally, of_parts)
    return averaged


__all__ = ["as_averaged", "averaged_after", "averaged_around", "averaged_shares", "smoothed"]
