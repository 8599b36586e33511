"""Rows that stay in memory, no more than fit: scorecards and pairs of columns need whole rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["KeptRows", "keep_rows"]

_MOST_ROWS = 200_000
_MOST_CELLS = 20_000_000
_SEED = 0


@dataclass(frozen=True)
class KeptRows:
    """A table, or a sample of its rows.

    Attributes
    ----------
    frame : polars.DataFrame
        The columns with the target.
    target : str
        Name of the target.
    weights : ndarray or None
        Frequency of each row.
    n_rows : int
        Rows of the table.
    held, held_weights : polars.DataFrame, ndarray or None
        Rows of a holdout.
    """

    frame: Any
    target: str
    weights: Any
    n_rows: int
    held: Any = None
    held_weights: Any = None

    @property
    def is_sample(self) -> bool:
        """Whether some rows are left out."""
        return len(self.frame) < self.n_rows


def keep_rows(
    model: Any, frame: Any, target: str, weights: Any = None, held: Any = None
) -> KeptRows:
    """Keep the columns of a model and its target; of a large table, rows drawn at random.

    ``held`` are the rows of a holdout, and their weights.
    """
    fitted, own = _drawn(model, frame, target, weights)
    others, other_weights = (
        (None, None) if held is None else _drawn(model, held[0], target, held[1])
    )
    return KeptRows(fitted, target, own, len(frame), others, other_weights)


def _drawn(model: Any, frame: Any, target: str, weights: Any) -> tuple[Any, Any]:
    """Draw as many rows as may stay."""
    frame = frame.select([*model.partitions_, target])
    n = len(frame)
    most = min(_MOST_ROWS, max(_MOST_CELLS // frame.width, 1_000))
    if n <= most:
        return frame, weights
    drawn = np.sort(np.random.default_rng(_SEED).choice(n, most, replace=False))
    return frame[drawn], None if weights is None else np.asarray(weights)[drawn]
