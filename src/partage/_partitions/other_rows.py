"""A partition on other rows than it was fitted on: counts, level, population stability."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage._search.aside import Aside
from partage._support.portable import logs
from partage._targets.read import read_target, read_weights
from partage._targets.tally import Tally
from partage._targets.target import TargetRows, check_lengths

if TYPE_CHECKING:
    from partage._partitions.partition import Partition


def count_codes(who: str, partition: Any, x: Any, y: Any, sample_weight: Any) -> Tally:
    """Tally the codes of new data; without a target only their rows and weights."""
    codes = partition.assign(x)
    n_codes = len(partition.code_labels())
    if y is None:
        weights = read_weights(who, sample_weight, len(codes))
        rows = np.bincount(codes, minlength=n_codes).astype(np.int64)
        return Tally(rows, np.bincount(codes, weights, minlength=n_codes).astype(np.float64))
    target = target_like(who, partition, y, sample_weight)
    check_lengths(who, "x", len(codes), target)
    return target.tally(target.kept_of(codes), n_codes)


def target_like(who: str, partition: Any, y: Any, sample_weight: Any) -> TargetRows:
    """Read a target in the classes of a partition."""
    rows = read_target(who, y, sample_weight, target_type=partition.target.kind)
    return expressed_in(who, partition, rows)


def expressed_in(who: str, partition: Any, rows: TargetRows) -> TargetRows:
    """Express a target in the classes of a partition."""
    found: TargetRows = partition.target.codes_like(who, rows, f"column {partition.name!r}")
    return found


def stability(expected: Tally, found: Tally) -> NDArray[np.float64]:
    """Contribution of each code to the population stability index.

    Shares are those of sizes with half a row more, as for the weight of evidence, so that an empty
    code counts but not without bound. Codes that neither holds count nothing.
    """
    sizes = np.stack([expected.weight, found.weight])
    held = sizes.any(axis=0)
    smooth = np.where(held, sizes + 0.5, 0.0)
    p, q = smooth / smooth.sum(axis=1, keepdims=True)
    return np.where(held, (q - p) * logs(np.where(held, q, 1.0) / np.where(held, p, 1.0)), 0.0)


def psi(partition: Any, x: Any) -> float:
    """Compute the population stability index of a column against the training data."""
    codes = partition.assign(x)
    if len(codes) == 0:
        raise ValueError(f"{type(partition).__name__}.psi: x must hold rows; got none.")
    rows = np.bincount(codes, minlength=len(partition.code_labels())).astype(np.int64)
    found = Tally(rows, rows.astype(np.float64))
    return float(stability(partition.own_tally(), found).sum())


def level_on(partition: Partition, found: Tally) -> float:
    """Level of the same parts on new data; unseen values are described beside, as missing ones."""
    costs = new_costs(partition, found)
    return partition._price(partition).level(costs, float(found.weight.sum()))


def expected_level(partition: Partition, total: float) -> float:
    """Level that the fitted shares have at another total weight."""
    fitted = partition.own_tally()
    weight = fitted.weight.sum()
    if total == 0 or weight == 0:
        return 0.0
    return level_on(partition, fitted.scaled(total / weight))


def lost(partition: Partition, found: Tally) -> float:
    """Count the standard errors by which parts save less on new data than the fitted shares would.

    A saving of S nats is a sum of logarithms of ratios of shares over rows: its variance is about
    2 S where the shares differ little.
    """
    fitted, total = partition.own_tally(), float(found.weight.sum())
    weight = float(fitted.weight.sum())
    if total == 0 or weight == 0:
        return 0.0
    cost, null = new_costs(partition, found)
    cost_expected, null_expected = new_costs(partition, fitted.scaled(total / weight))
    expected = null_expected - cost_expected
    return float((expected - (null - cost)) / np.sqrt(2.0 * max(expected, 1.0)))


def new_costs(partition: Partition, found: Tally) -> tuple[float, float]:
    """Cost and cost of one part of new data under MODL, in nats."""
    n_parts = partition.n_parts
    aside = Aside.apart(found.take(slice(n_parts, None)))
    return partition._costs_elsewhere(found.class_counts[:n_parts], aside)
