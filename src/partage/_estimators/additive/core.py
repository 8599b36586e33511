"""The rows of an additive model in the compiled core, and the terms that are fitted to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._estimators.additive.cells import CodedColumn

WALKS = np.array([0.25, 0.5, 1.0, 2.0, 4.0])  # deviations of a curve from its one end to the other
HEIGHTS = np.array([0.5, 1.5])  # deviations of the levels of rectangles
VALUES = (0.35, 0.7, 1.4)  # deviations of the levels of categories, from which folds choose
WIDTHS = (1.0, 3.0)  # factors of the deviations of curves, from which folds choose
TOLERANCE = 1e-3
MOST_CYCLES = 30


@dataclass(frozen=True)
class Prior:
    """How far levels lie from 0 before rows are seen.

    Attributes
    ----------
    value : float
        Deviation of the levels of categories.
    width : float
        Factor of the deviations of curves.
    """

    value: float
    width: float


PLAIN = Prior(0.7, 1.0)


@dataclass(frozen=True)
class LearnedRows:
    """What is learned of each row.

    Attributes
    ----------
    law : str
        Law of the target, as the core names it.
    y : ndarray of float64
        Numbers, or classes from 0 on.
    weights : ndarray of float64
        Weight of each row.
    n_outputs : int
        Number of scores of a row.
    offsets : ndarray of float64, shape (n_rows * n_outputs,), or None
        What is added to the scores.
    """

    law: str
    y: NDArray[np.float64]
    weights: NDArray[np.float64]
    n_outputs: int = 1
    offsets: NDArray[np.float64] | None = None

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.y)


@dataclass
class CoreModel:
    """Terms and rows in the core; the first terms are the columns."""

    rows: LearnedRows
    columns: Sequence[CodedColumn]
    n_jobs: int = 1
    held: Any = field(init=False)
    kept: list[Any] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        rows = self.rows
        self.held = _core.AdditiveModel(rows.law, rows.y, rows.n_outputs, rows.offsets)
        for column in self.columns:
            n = column.n_ordered
            if n > 1:
                self.held.add_line(column.codes, n, column.n_cells, column.steps, column.trend)
            else:
                self.held.add_values(column.codes, column.n_cells)

    def start(self, weights: NDArray[np.float64] | None = None) -> None:
        """Start again, with other weights than those of the rows."""
        self.held.start(self.rows.weights if weights is None else weights)

    def fit(
        self,
        active: Sequence[int],
        prior: Prior,
        *,
        most: int = MOST_CYCLES,
        tolerance: float = TOLERANCE,
        cancel: Any = None,
    ) -> int:
        """Fit some terms from where they are; the others have no effect."""
        chosen = np.array(active, dtype=np.uint32)
        n_cycles: int = self.held.fit(
            chosen,
            prior.width * WALKS,
            HEIGHTS,
            prior.value,
            most,
            tolerance,
            self.n_jobs,
            cancel,
        )
        return n_cycles

    def losses(self, weights: NDArray[np.float64], factors: Sequence[float]) -> list[float]:
        """Losses of rows, were terms multiplied by each of some factors."""
        return [self.held.loss(weights, factor) for factor in factors]

    def evidence(self, terms: Sequence[int]) -> NDArray[np.float64]:
        """Nats by which rows speak for terms, against one level for all rows."""
        return np.array([self.held.evidence(term) for term in terms])

    def levels(self, term: int) -> NDArray[np.float64]:
        """Level of each cell and output."""
        return np.asarray(self.held.means(term)).reshape(-1, self.rows.n_outputs)

    def variances(self, term: int) -> NDArray[np.float64]:
        """Variance of each level."""
        return np.asarray(self.held.variances(term)).reshape(-1, self.rows.n_outputs)


__all__ = ["HEIGHTS", "PLAIN", "VALUES", "WALKS", "WIDTHS", "CoreModel", "LearnedRows", "Prior"]
