"""Drawings of views that need no script: shades of a grid, a graph as SVG."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from partage._report.views import GraphView

_N_COLOURS = 10
_N_SHADES = 10
_WIDTH, _HEIGHT, _MARGIN = 760, 460, 14


@dataclass(frozen=True)
class Cell:
    """What a cell of a grid shows."""

    rows: float
    share: float
    colour: int
    strength: int
    name: bool
    name_index: int


def cell_of_grid(counts: NDArray[np.float64]) -> Cell:
    """Choose the class that a cell shows: the second of two, else the most frequent one."""
    rows = float(counts.sum())
    is_binary = len(counts) == 2
    shown = 1 if is_binary else int(counts.argmax())
    share = float(counts[shown] / rows) if rows else 0.0
    return Cell(rows, share, shown % _N_COLOURS, round(_N_SHADES * share), not is_binary, shown)


def draw_graph(view: GraphView) -> str:
    """Draw points in the colours of their classes, and the edges inside parts."""
    low, high = view.points.min(axis=0), view.points.max(axis=0)
    span = np.where(high > low, high - low, 1.0)
    size = np.array([_WIDTH, _HEIGHT]) - 2 * _MARGIN
    places = _MARGIN + (view.points - low) / span * size
    places[:, 1] = _HEIGHT - places[:, 1]
    edges = "".join(
        f"M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"
        for (x1, y1), (x2, y2) in zip(
            places[view.edges[:, 0]], places[view.edges[:, 1]], strict=True
        )
    )
    points = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" class="f{label % _N_COLOURS}"/>'
        for (x, y), label in zip(places, view.labels.tolist(), strict=True)
    )
    return (
        f'<svg class="drawing" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        'aria-label="Rows as points, joined inside their parts; the table below counts the parts">'
        f'<rect class="frame" x="1" y="1" width="{_WIDTH - 2}" height="{_HEIGHT - 2}" rx="8"/>'
        f'<path class="edges" d="{edges}"/>{points}</svg>'
    )
