"""Pictures of the terms of an additive model: curves with bands, and lattices of pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from partage._display.plots import colours, name_parts, new_axes, pyplot, shorten

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BAND = 1.96  # deviations: 95 % of a normal law
_MOST_WRITTEN = 60  # cells of a pair whose numbers are written into them


def plot_term(term: Any, outputs: list[str], ax: Axes | None) -> Axes:
    """Draw what a term adds to the score."""
    if term.is_pair:
        return _plot_pair(term, outputs, ax)
    axis = term.axes[0]
    shown = [code for code in range(len(term.weights)) if term.weights[code] > 0]
    drawn = _plot_curve if _is_drawn_as_curve(axis) else _plot_bars
    ax = drawn(term, shown, outputs, new_axes(ax, 7.0, 4.2))
    ax.axhline(0.0, color="0.6", linewidth=0.8, zorder=0)
    ax.set_ylabel("adds to the score")
    ax.set_xlabel(term.label)
    ax.set_title(f"{term.label}: importance {term.importance:.3g}, certainty {term.certainty:.2f}")
    ax.spines[["top", "right"]].set_visible(False)
    if len(outputs) > 1:
        ax.legend(title="class", loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
    return ax


def _is_drawn_as_curve(axis: Any) -> bool:
    """Whether parts have borders on an axis of numbers."""
    return bool(axis.rule.is_measured) and axis.n_parts > 1


def _plot_curve(term: Any, shown: list[int], outputs: list[str], ax: Axes) -> Axes:
    """Draw steps between the borders, and what lies beside the line as dots at its right."""
    axis = term.axes[0]
    borders = axis.rule.border_positions()
    width = max(float(borders[-1] - borders[0]), 1e-12) if len(borders) > 1 else 1.0
    ends = np.concatenate([[borders[0] - 0.08 * width], borders, [borders[-1] + 0.08 * width]])
    n = axis.n_parts
    beside = [code for code in shown if code >= n]
    places = ends[-1] + 0.06 * width * (1 + np.arange(len(beside)))
    for j, colour in enumerate(colours(max(len(outputs), 2))[: len(outputs)]):
        levels, spread = term.contributions[:, j], _BAND * term.deviations[:, j]
        steps = np.append(levels[:n], levels[n - 1])
        bands = np.append(spread[:n], spread[n - 1])
        ax.step(ends, steps, where="post", color=colour, label=outputs[j])
        ax.fill_between(ends, steps - bands, steps + bands, step="post", color=colour, alpha=0.18)
        ax.errorbar(
            places, levels[beside], spread[beside], fmt="o", color=colour, markersize=4, capsize=2
        )
    labels = axis.code_labels()
    for place, code in zip(places, beside, strict=True):
        ax.annotate(
            labels[code],
            (place, 0.0),
            xycoords=("data", "axes fraction"),
            ha="center",
            va="bottom",
            fontsize="x-small",
            rotation=90,
        )
    return ax


def _plot_bars(term: Any, shown: list[int], outputs: list[str], ax: Axes) -> Axes:
    """Draw a bar for each part."""
    labels = [shorten(term.axes[0].code_labels()[code]) for code in shown]
    width = 0.84 / len(outputs)
    places = np.arange(len(shown))
    for j, colour in enumerate(colours(max(len(outputs), 2))[: len(outputs)]):
        shift = (j - (len(outputs) - 1) / 2) * width
        ax.bar(
            places + shift,
            term.contributions[shown, j],
            width,
            yerr=_BAND * term.deviations[shown, j],
            color=colour,
            label=outputs[j],
            error_kw={"elinewidth": 0.8, "capsize": 2},
        )
    name_parts(pyplot(), ax, places, labels)
    return ax


def _plot_pair(term: Any, outputs: list[str], ax: Axes | None) -> Axes:
    """Draw the lattice of a pair; of several classes, the one that it says most of."""
    sizes = [axis.n_parts for axis in term.axes]
    levels = term.contributions[: sizes[0], : sizes[1]]
    j = int(np.abs(levels).mean(axis=(0, 1)).argmax())
    ax = new_axes(ax, 7.0, 5.0)
    top = max(float(np.abs(levels[..., j]).max()), 1e-12)
    image = ax.imshow(
        levels[..., j].T, origin="lower", aspect="auto", cmap="RdBu_r", vmin=-top, vmax=top
    )
    ax.figure.colorbar(image, ax=ax, label="adds to the score")
    if sizes[0] * sizes[1] <= _MOST_WRITTEN:
        for i in range(sizes[0]):
            for k in range(sizes[1]):
                text = f"{levels[i, k, j]:.2f}"
                ax.text(i, k, text, ha="center", va="center", fontsize="x-small")
    first, second = ([shorten(label) for label in axis.labels()] for axis in term.axes)
    name_parts(pyplot(), ax, np.arange(sizes[0]), first)
    ax.set_yticks(range(sizes[1]), second, fontsize="small")
    ax.set_xlabel(term.columns[0])
    ax.set_ylabel(term.columns[1])
    of_class = f", class {outputs[j]}" if len(outputs) > 1 else ""
    ax.set_title(f"{term.label}: importance {term.importance:.3g}{of_class}")
    return ax


__all__ = ["plot_term"]
