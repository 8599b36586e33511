"""Grids as tables, pictures and HTML."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage._display.notebook import table_html
from partage._display.plots import new_axes, shorten
from partage._support.checks import check_choice
from partage._support.frames import make_frame
from partage._targets.read import read_target
from partage._targets.tally import Tally

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from partage._partitions.grid import Grid

WIDTHS = ("parts", "rows", "values")
_MOST_ROWS = 60  # that a notebook shows
_MOST_WRITTEN = 150  # cells that a picture writes numbers into
_MOST_TICKS = 40


def grid_table(grid: Grid, x: Any = None, y: Any = None, sample_weight: Any = None) -> Any:
    """One row per cell of the parts, then other cells that hold rows, and the total."""
    found, is_weighted = grid.tally, grid.is_weighted
    if x is not None:
        found, is_weighted = _count_other(grid, x, y, sample_weight), sample_weight is not None
    cells = grid.rule.cells()
    n_parts = grid.n_parts
    inner = [all(k < n for k, n in zip(cell, n_parts, strict=True)) for cell in cells]
    shown = [i for i, is_inner in enumerate(inner) if is_inner]
    shown += [i for i, is_inner in enumerate(inner) if not is_inner and found.rows[i] > 0]
    columns: dict[str, Any] = {}
    for a in range(len(grid.axes)):
        labels = grid.rule.axis_labels_of(a)
        columns[f"part{a + 1}"] = [*(labels[cells[i][a]] for i in shown), "total"]
    columns["count"] = np.append(found.rows[shown], found.rows.sum())
    if is_weighted:
        columns["weight"] = np.append(found.weight[shown], found.weight.sum())
    columns["share"] = np.append(found.shares[shown], found.shares.sum())
    if grid.has_target:
        for name, values in grid.target.columns(found).items():
            columns[name] = values[[*shown, -1]]
    else:
        expected = _expected(found.weight.reshape(grid.rule.n_codes)).ravel()
        columns["expected"] = np.append(expected[shown], expected.sum())
        ratio = np.divide(found.weight, expected, out=np.ones(len(expected)), where=expected > 0)
        columns["lift"] = np.append(ratio[shown], 1.0)
    return make_frame(columns, grid.library)


def _count_other(grid: Grid, x: Any, y: Any, sample_weight: Any) -> Tally:
    """Count other rows in the same cells."""
    who = "Grid.table"
    if (y is None) == grid.has_target:
        raise ValueError(
            f"{who}: x and y must be given both or none; got one of them."
            if grid.has_target
            else f"{who}: y must be None, since the grid has no target; got one."
        )
    codes = grid.rule.assign(who, grid._read_columns(who, x))
    given = np.zeros(len(codes), dtype=np.int64) if y is None else y
    rows = read_target(who, given, sample_weight, target_type="class")
    if grid.has_target:
        rows = grid.target.codes_like(who, rows, "the grid")
    return rows.tally(rows.kept_of(codes), grid.rule.n_parts)


def _expected(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weight of each cell if the axes were independent."""
    total = weights.sum()
    out = np.full(weights.shape, total)
    for axis in range(weights.ndim):
        others = tuple(a for a in range(weights.ndim) if a != axis)
        share = weights.sum(axis=others, keepdims=True) / max(total, np.finfo(float).tiny)
        out = out * share
    return out


def _shown_values(grid: Grid) -> tuple[NDArray[np.float64], str]:
    """Give what a heat map shows of the cells, and its title."""
    shown = tuple(slice(axis.n_parts + bool(axis.missing_rows)) for axis in grid.axes)
    weights = grid.tally.weight.reshape(grid.rule.n_codes)
    if not grid.has_target:
        expected = _expected(weights)
        lift = np.divide(weights, expected, out=np.ones(weights.shape), where=expected > 0)
        return lift[shown], "rows, as a multiple of independence"
    counts = grid.tally.class_counts.reshape((*grid.rule.n_codes, -1))[shown]
    with np.errstate(invalid="ignore"):
        rates = counts / counts.sum(axis=-1, keepdims=True)
    if len(grid.classes) == 2:
        return rates[..., grid.event], f"share of {grid.classes[grid.event]}"
    return rates.max(axis=-1), "share of the most frequent class"


def plot_cells(grid: Grid, ax: Axes | None, widths: str) -> Axes:
    """Draw a heat map of two axes."""
    who = "Grid.plot"
    check_choice(who, "widths", widths, WIDTHS)
    if len(grid.axes) != 2:
        raise ValueError(f"{who}: two axes can be drawn; got {len(grid.axes)}.")
    values, title = _shown_values(grid)
    edges = [_edges(grid, a, widths) for a in (0, 1)]
    ax = new_axes(ax, 7.0, 5.5)
    if grid.has_target:
        limits, colours = (0.0, 1.0), "viridis"
        shown = values
    else:
        shown = np.log2(np.clip(values, 2.0**-4, 2.0**4))
        limits, colours = (-4.0, 4.0), "RdBu_r"
    mesh = ax.pcolormesh(
        edges[0],
        edges[1],
        shown.T,
        cmap=colours,
        vmin=limits[0],
        vmax=limits[1],
        edgecolors="white",
        linewidth=0.5,
    )
    bar = ax.figure.colorbar(mesh, ax=ax)
    bar.set_label(title)
    if not grid.has_target:
        bar.set_ticks([-4, -2, 0, 2, 4], labels=["1/16", "1/4", "1", "4", "16"])
    if values.size <= _MOST_WRITTEN and widths == "parts":
        _write(ax, edges, values, shown, limits)
    for a, (axis, set_ticks) in enumerate(((ax.xaxis, ax.set_xticks), (ax.yaxis, ax.set_yticks))):
        axis.set_label_text(grid.names[a])
        _name_parts(grid, a, edges[a], set_ticks, widths)
    ax.set_title(f"{grid.name}: level {grid.level:.4f}")
    return ax


def _edges(grid: Grid, a: int, widths: str) -> NDArray[np.float64]:
    """Borders of the parts of an axis in a picture."""
    axis = grid.axes[a]
    n_shown = axis.n_parts + bool(axis.missing_rows)
    if widths == "rows":
        weights = axis.tally.weight[:n_shown]
        return np.concatenate([[0.0], np.cumsum(weights)])
    if widths == "values" and axis.rule.is_measured and axis.units is not None:
        ends = axis.rule.axis_positions(axis.units.keys[[0, -1]])
        inner = axis.rule.axis_positions(axis.rule.border_keys)
        edges = np.concatenate([ends[:1], inner, ends[1:]])
        width = (edges[-1] - edges[0]) * 0.06 or 1.0
        return np.append(edges, edges[-1] + width) if axis.missing_rows else edges
    return np.arange(n_shown + 1, dtype=np.float64)


def _name_parts(
    grid: Grid, a: int, edges: NDArray[np.float64], set_ticks: Any, widths: str
) -> None:
    """Write the labels of the parts, or leave the numbers of an axis to scale."""
    axis = grid.axes[a]
    if widths == "values" and axis.rule.is_measured:
        return
    labels = [shorten(label) for label in grid.rule.axis_labels_of(a)[: len(edges) - 1]]
    step = -(-len(labels) // _MOST_TICKS)
    middles = (edges[1:] + edges[:-1]) / 2
    turn = {"rotation": 30, "ha": "right"} if a == 0 else {}
    set_ticks(middles[::step], labels=labels[::step], fontsize=8, **turn)


def _write(ax: Any, edges: Any, values: Any, shown: Any, limits: tuple[float, float]) -> None:
    """Write the number of each cell into it."""
    for i, j in np.ndindex(values.shape):
        if np.isnan(values[i, j]):
            continue
        place = (shown[i, j] - limits[0]) / (limits[1] - limits[0])
        is_dark = place < 0.55 if limits == (0.0, 1.0) else abs(place - 0.5) > 0.3
        ax.text(
            (edges[0][i] + edges[0][i + 1]) / 2,
            (edges[1][j] + edges[1][j + 1]) / 2,
            f"{values[i, j]:.2f}",
            ha="center",
            va="center",
            fontsize=8,
            color="white" if is_dark else "black",
        )


def grid_html(grid: Grid) -> str:
    """Write a grid: its name, its level, its table, its edits."""
    title = f"<b>{html.escape(grid.name)}</b>: {html.escape(repr(grid))}"
    edits = "".join(f"<li>{html.escape(repr(edit))}</li>" for edit in grid.history)
    history = f"<ol>{edits}</ol>" if edits else ""
    return f"<div><p>{title}</p>{table_html(grid.table(), _MOST_ROWS)}{history}</div>"


__all__ = ["grid_html", "grid_table", "plot_cells"]
