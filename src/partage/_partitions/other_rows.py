"""A partition on other rows than it was fitted on: counts, level, population stability."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage._search.aside import Beside
from partage._search.core import level_of
from partage._targets.read import read_target
from partage._targets.tally import Tally
from partage._targets.target import TargetRows, check_lengths

if TYPE_CHECKING:
    from partage._partitions.partition import Partition


@dataclass(frozen=True)
class CodeCounts:
    """Class weights and rows of each code of a partition."""

    counts: NDArray[np.float64]
    rows: NDArray[np.int64]

    @property
    def tally(self) -> Tally:
        """Take them as a tally."""
        return Tally.of_counts(self.counts, self.rows)

    @property
    def shares(self) -> NDArray[np.float64]:
        """Share of each code in the weight."""
        sizes = self.counts.sum(axis=1)
        return np.asarray(sizes / max(sizes.sum(), np.finfo(float).tiny))


def fitted_counts(partition: Partition) -> CodeCounts:
    """Take the counts of the training rows; what was merged counts in its part only."""
    apart = np.array([home is None for home in partition.rule.homes()])
    counts, rows = partition.code_counts().copy(), partition.code_rows().copy()
    counts[~apart], rows[~apart] = 0.0, 0
    return CodeCounts(counts, rows)


def count_codes(who: str, partition: Any, x: Any, y: Any, sample_weight: Any) -> CodeCounts:
    """Count the classes of each code in new data."""
    target = target_like(who, partition, y, sample_weight)
    codes = partition.assign(x)
    check_lengths(who, "x", len(codes), target)
    return sum_codes(partition, codes if target.kept is None else codes[target.kept], target)


def sum_codes(partition: Any, codes: NDArray[np.int64], target: TargetRows) -> CodeCounts:
    """Sum class weights by code."""
    n_codes, n_classes = len(partition.code_labels()), target.n_classes
    cells = codes * n_classes + target.codes
    counts = np.bincount(cells, target.weights, minlength=n_codes * n_classes).astype(np.float64)
    rows = np.bincount(codes, minlength=n_codes).astype(np.int64)
    return CodeCounts(counts.reshape(n_codes, n_classes), rows)


def target_like(who: str, partition: Any, y: Any, sample_weight: Any) -> TargetRows:
    """Read a target in the classes of a partition."""
    rows = read_target(who, y, sample_weight)
    found: TargetRows = partition.target.codes_like(who, rows, f"column {partition.name!r}")
    return found


def stability(expected: CodeCounts, found: CodeCounts) -> NDArray[np.float64]:
    """Contribution of each code to the population stability index.

    Shares are those of sizes with half a row more, as for the weight of evidence, so that an empty
    code counts but not without bound. Codes that neither holds count nothing.
    """
    sizes = np.stack([expected.counts.sum(axis=1), found.counts.sum(axis=1)])
    held = sizes.any(axis=0)
    smooth = np.where(held, sizes + 0.5, 0.0)
    p, q = smooth / smooth.sum(axis=1, keepdims=True)
    return np.where(held, (q - p) * np.log(np.where(held, q, 1.0) / np.where(held, p, 1.0)), 0.0)


def psi(partition: Any, x: Any) -> float:
    """Compute the population stability index of a column against the training data."""
    codes = partition.assign(x)
    if len(codes) == 0:
        raise ValueError(f"{type(partition).__name__}.psi: x must hold rows; got none.")
    rows = np.bincount(codes, minlength=len(partition.code_labels())).astype(np.int64)
    found = CodeCounts(rows[:, None].astype(np.float64), rows)
    return float(stability(fitted_counts(partition), found).sum())


def level_on(partition: Partition, found: CodeCounts) -> float:
    """Level of the same parts on new data; unseen values are described beside, as missing ones."""
    cost, null = new_costs(partition, found)
    return level_of(cost, null)


def expected_level(partition: Partition, total: float) -> float:
    """Level that the fitted shares have at another total weight."""
    fitted = fitted_counts(partition)
    weight = fitted.counts.sum()
    if total == 0 or weight == 0:
        return 0.0
    return level_on(partition, replace(fitted, counts=fitted.counts * (total / weight)))


def new_costs(partition: Partition, found: CodeCounts) -> tuple[float, float]:
    """Cost and cost of one part of new data under MODL, in nats."""
    n_parts = partition.n_parts
    present, others = found.counts[:n_parts], found.counts[n_parts:]
    beside = Beside(others, found.rows[n_parts:], (None,) * len(others))
    return partition._costs_elsewhere(present, beside)
