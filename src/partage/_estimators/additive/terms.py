"""``Term``: what a column, or a pair of columns, adds to the score of a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from partage._estimators.additive.cells import CodedColumn
from partage._estimators.additive.join import (
    code_places,
    join_line,
    join_parts,
    join_values,
    joined_levels,
)
from partage._estimators.additive.pairs import Axis
from partage._partitions.partition import Partition
from partage._support.portable import exp

KEPT = 0.9999  # share of the variance of a curve that its parts keep

Name = str | tuple[str, str]


@dataclass(frozen=True, eq=False)
class Term:
    """What a column, or a pair of columns, adds to the score of a row.

    Attributes
    ----------
    columns : tuple of str
        One column, or two.
    axes : tuple of Partition
        The parts of each.
    contributions : ndarray
        What each code adds: of shape (codes, outputs), of a pair (codes, codes, outputs). The
        mean over the rows of the fit is 0.
    deviations : ndarray
        Standard deviations of the contributions, as the averages over all curves have them.
    evidence : float
        Nats by which the rows of the fit speak for the term, against none.
    certainty : float
        Probability that the term has an effect, if it were as probable as not before.
    importance : float
        Mean distance of the contributions from 0, over the rows of the fit.
    """

    columns: tuple[str, ...]
    axes: tuple[Partition, ...]
    contributions: NDArray[np.float64]
    deviations: NDArray[np.float64]
    weights: NDArray[np.float64]  # of the rows of each code, or of each two codes
    evidence: float

    @property
    def name(self) -> Name:
        """The column, or both."""
        return self.columns[0] if len(self.columns) == 1 else (self.columns[0], self.columns[1])

    @property
    def label(self) -> str:
        """Name of the term as a text."""
        return " x ".join(self.columns)

    @property
    def is_pair(self) -> bool:
        """Whether two columns make the term."""
        return len(self.axes) == 2

    @property
    def n_outputs(self) -> int:
        """Number of scores of a row."""
        return int(self.contributions.shape[-1])

    @property
    def n_parts(self) -> int:
        """Number of parts, or of cells of a pair."""
        return int(np.prod([axis.n_parts for axis in self.axes]))

    @property
    def n_numbers(self) -> int:
        """Numbers that a person reads: contributions of codes that rows of the fit held."""
        return int((self.weights > 0).sum()) * self.n_outputs

    @cached_property
    def certainty(self) -> float:
        """Probability that the term has an effect."""
        return float(1.0 / (1.0 + exp(-min(max(self.evidence, -700.0), 700.0))))

    @cached_property
    def importance(self) -> float:
        """Mean distance from 0 over the rows of the fit."""
        total = max(float(self.weights.sum()), np.finfo(float).tiny)
        sizes = np.abs(self.contributions).mean(axis=-1)
        return float((self.weights * sizes).sum() / total)

    @cached_property
    def table(self) -> NDArray[np.float64]:
        """Contributions with one row for each code, or for each two codes."""
        return np.ascontiguousarray(self.contributions.reshape(-1, self.n_outputs))

    def codes(self, of_axes: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
        """Row of ``table`` of each row, from the codes of its columns."""
        if not self.is_pair:
            return of_axes[0]
        return np.asarray(of_axes[0] * self.contributions.shape[1] + of_axes[1])

    def labels(self) -> list[str]:
        """Readable name of each row of ``table``."""
        names = [axis.code_labels() for axis in self.axes]
        if not self.is_pair:
            return names[0]
        return [f"{one}, {two}" for one in names[0] for two in names[1]]

    def __repr__(self) -> str:
        return (
            f"Term({self.label!r}: {self.n_parts} parts, importance {self.importance:.4g}, "
            f"certainty {self.certainty:.3g})"
        )


def column_term(
    column: CodedColumn,
    levels: NDArray[np.float64],
    variances: NDArray[np.float64],
    evidence: float,
    scale: float,
) -> Term:
    """Make the term of a column: cells with nearly the same level are joined."""
    place = join_cells(column.partition, column.weights, levels, None, KEPT)
    codes = code_places(column.partition, place)
    n = int(codes.max()) + 1
    weights, means = joined_levels(column.weights, levels, codes, n)
    _, spread = joined_levels(column.weights, variances, codes, n)
    joined = join_parts(column.partition, place.tolist())
    beside = np.arange(n) >= joined.n_parts
    means[beside & (weights <= 0)] = 0.0  # no row of the fit says anything of them
    return Term(
        (column.name,),
        (joined,),
        means * scale + 0.0,
        np.sqrt(spread) * scale,
        weights,
        evidence,
    )


def join_cells(
    partition: Partition,
    weights: NDArray[np.float64],
    levels: NDArray[np.float64],
    max_parts: int | None,
    keep: float,
) -> NDArray[np.int64]:
    """Part of each cell of a column."""
    n = partition.n_parts
    join = join_line if partition.rule.is_line else join_values
    return join(weights[:n], levels[:n], max_parts, keep)


def pair_term(
    columns: Sequence[CodedColumn],
    axes: Sequence[Axis],
    levels: tuple[NDArray[np.float64], NDArray[np.float64]],
    codes: NDArray[np.uint32],
    row_weights: NDArray[np.float64],
    evidence: float,
    scale: float,
) -> Term:
    """Make the term of a pair; codes of either column beside its parts add nothing."""
    parts, sizes = [], []
    for column, axis in zip(columns, axes, strict=True):
        place = axis.place[: column.partition.n_parts]
        joined = join_parts(column.partition, place.tolist())
        parts.append(joined)
        sizes.append(len(joined.code_labels()))
    shape = tuple(axis.n for axis in axes)
    n_outputs = levels[0].shape[1]
    held = np.bincount(codes, row_weights, shape[0] * shape[1] + 1)[:-1].reshape(shape)
    contributions = np.zeros((*sizes, n_outputs))
    deviations = np.zeros((*sizes, n_outputs))
    weights = np.zeros(sizes)
    inner = (slice(0, shape[0]), slice(0, shape[1]))
    contributions[inner] = levels[0][:-1].reshape(*shape, n_outputs) * scale
    deviations[inner] = np.sqrt(levels[1][:-1]).reshape(*shape, n_outputs) * scale
    weights[inner] = held
    names = tuple(column.name for column in columns)
    return Term(names, tuple(parts), contributions + 0.0, deviations, weights, evidence)


def flat_partition(partition: Partition) -> Partition:
    """Give a column one part."""
    return join_parts(partition, [0] * partition.n_parts)


__all__ = [
    "KEPT",
    "Name",
    "Term",
    "column_term",
    "flat_partition",
    "join_cells",
    "pair_term",
]
