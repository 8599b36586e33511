"""Nats that no parts of a line take less of, for readings that tell classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._search.bounds import bound_of_line
from partage._spaces.space import Space

if TYPE_CHECKING:
    from partage._search.readings import Asked, Reading

MOST_EXACT = 5_000  # units of a line whose optimum is found for a bound


def apart_of(space: Space) -> NDArray[np.float64]:
    """Weights of the cells of the missing and special rows that joined no part."""
    if space.aside is None:
        return space.counts(np.array([0, space.n_units], dtype=np.uint32))[:0]
    return np.asarray(space.aside.class_counts[space.aside.held])


def lowest_of_classes(reading: Reading, line: _core.Line, asked: Asked, known: float) -> float:
    """Bound the nats of parts that tell classes; two sets are the fewest that have a price."""
    apart = reading.numbers(apart_of(asked.space))
    beside = reading.of_sets(max(1 + len(apart), 2)) + float(reading.terms(apart).sum())
    limits = asked.limits
    sizes = {"n_parts": limits.n_parts, "max_parts": limits.max_parts}
    if line.n_units > MOST_EXACT:
        return bound_of_line(line, "modl", [], **sizes, known=known - beside) + beside
    most = limits.n_parts or 0, limits.max_parts or 0
    _, rows, _ = _core.search(line, "modl", [], "exact", *most, 0.0, asked.cancel, None, 0)
    weight = float(rows.sum())
    return reading.places(len(rows), weight, 0) + float(reading.terms(rows).sum()) + beside


__all__ = ["MOST_EXACT", "apart_of", "lowest_of_classes"]
