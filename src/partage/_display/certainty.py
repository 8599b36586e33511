"""The picture of a certainty: averaged shares with a band, and where the borders lie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage._display.plots import colours, name_parts, new_axes, pyplot, shorten

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from partage._partitions.certainty import Certainty

_MOST_CURVES = 6  # classes whose shares are drawn
_N_DEVIATIONS = 2.0
_MS_OF_DAY = 86_400_000.0  # matplotlib counts days
_TAIL = 0.005  # share of the rows beyond either end of the axis


def plot_certainty(certainty: Certainty, ax: Axes | None = None) -> Axes:
    """Draw shares and borders over the values of the column."""
    ax = new_axes(ax, 7.5, 4.4)
    n_blocks = len(certainty.weights)
    edges = certainty.rule.axis_positions(certainty.border_keys)
    if certainty.rule.column_kind == "datetime":
        edges = edges / _MS_OF_DAY
    low, high = _range(certainty, edges)
    places = np.concatenate([[low], edges.mean(axis=1), [high]])
    shown = list(certainty.target.law_names().items())[:_MOST_CURVES]
    palette = colours(max(len(certainty.classes), 2))
    least, most = certainty.target.law_range
    is_share = most < np.inf
    # Probabilities have an axis of their own beside that of means.
    borders = ax if is_share else ax.twinx()
    for j, label in shown:
        colour = palette[j]
        share = certainty.shares[:n_blocks, j]
        spread = _N_DEVIATIONS * certainty.deviations[:n_blocks, j]
        low_share, high_share = (
            np.clip(np.append(bound, bound[-1]), least, most)
            for bound in (share - spread, share + spread)
        )
        steps: dict[str, Any] = {"step": "post", "color": colour, "linewidth": 0, "alpha": 0.22}
        ax.fill_between(places, low_share, high_share, **steps)
        ax.step(places, np.append(share, share[-1]), where="post", color=colour, label=label)
    _draw_borders(certainty, borders, edges)
    ax.set_xlim(low, high)
    borders.set_ylim(0.0, 1.02)
    if is_share:
        ax.set_ylabel("averaged share; probability of a cut")
    else:
        ax.set_ylabel("averaged mean")
        borders.set_ylabel("probability of a cut")
        borders.spines["top"].set_visible(False)
    ax.set_xlabel(certainty.name)
    ax.set_title(repr(certainty)[len("Certainty(") : -1].replace("'", "").split(";")[0])
    if certainty.rule.column_kind == "datetime":
        ax.xaxis_date()
    labels = certainty.rule.axis_labels()
    if labels is not None:
        name_parts(pyplot(), ax, np.arange(len(labels)), [shorten(label) for label in labels])
    ax.spines[["top", "right"]].set_visible(False)
    _legend(ax, borders)
    return ax


def _legend(ax: Axes, borders: Axes) -> None:
    """Name the curves, and what is drawn of the borders, beside the picture."""
    handles, labels = ax.get_legend_handles_labels()
    if borders is not ax:
        more = borders.get_legend_handles_labels()
        handles, labels = [*handles, *more[0]], [*labels, *more[1]]
    place = (1.0, 1.0) if borders is ax else (1.1, 1.0)
    ax.legend(handles, labels, loc="upper left", bbox_to_anchor=place, frameon=False)


def _range(certainty: Certainty, edges: NDArray[np.float64]) -> tuple[float, float]:
    """Find the ends of the axis: nearly all rows, and the stretches of all cuts."""
    if not len(edges):
        return -0.5, 0.5
    before = np.cumsum(certainty.weights)[:-1] / certainty.weights.sum()
    inner = np.flatnonzero((before > _TAIL) & (before < 1.0 - _TAIL))
    wanted = np.concatenate([inner, certainty.stretches[certainty.stretches >= 0]])
    if not len(wanted):
        wanted = np.arange(len(edges))
    low, high = edges[wanted.min(), 0], edges[wanted.max(), 1]
    margin = 0.02 * (high - low) or 0.5
    return float(low - margin), float(high + margin)


def _draw_borders(certainty: Certainty, ax: Axes, edges: NDArray[np.float64]) -> None:
    """Draw the probability of each border, and the stretch of each cut."""
    grey: dict[str, Any] = {"color": "0.35", "linewidth": 1.0}
    middles = edges.mean(axis=1)
    known = certainty.border_probabilities > 1e-3
    heights = certainty.border_probabilities[known]
    ax.vlines(middles[known], 0.0, heights, label="cut here", **grey)
    stretches = certainty.stretches[:, 2:]
    for i, (first, last) in enumerate(stretches[(stretches >= 0).all(axis=1)].tolist()):
        label = "a cut lies here with 90 %" if i == 0 else None
        ax.axvspan(edges[first, 0], edges[last, 1], color="0.5", alpha=0.18, lw=0, label=label)


__all__ = ["plot_certainty"]
