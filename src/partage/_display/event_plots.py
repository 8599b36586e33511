"""Pictures of the event of two classes, or of each class: its rate or its evidence by part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from partage._display.plots import colours, name_axes, name_parts, new_axes, part_labels, pyplot
from partage._targets.intervals import share_intervals

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from partage._partitions.partition import Partition

_MOST_NUMBERS = 16  # that stand beside each other


def plot_event(partition: Partition, codes: list[int], ax: Axes | None, measure: str) -> Axes:
    """Draw a bar for each part, with its interval and number, and a line for all rows."""
    classes = partition.classes.tolist()
    shown = [partition.event] if len(classes) == 2 else list(range(len(classes)))
    n = len(codes)
    ax = new_axes(ax, min(7.0 + 0.14 * max(n * len(shown) - 8, 0), 14.0), 4.4)
    palette = colours(len(classes))
    width = 0.86 / len(shown)
    has_numbers = n * len(shown) <= _MOST_NUMBERS
    for i, j in enumerate(shown):
        places = np.arange(n) + (i - (len(shown) - 1) / 2) * width
        draw = _draw_rates if measure == "rate" else _draw_evidence
        draw(partition, codes, ax, places, j, palette, width, has_numbers)
    name_parts(pyplot(), ax, np.arange(n), part_labels(partition, codes))
    name_axes(partition, ax)
    what = "rate" if measure == "rate" else "weight of evidence"
    ax.set_ylabel(f"{what} of {classes[shown[0]]}" if len(shown) == 1 else what)
    if len(shown) > 1:
        ax.legend(title="class", loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
    return ax


def _draw_rates(
    partition: Partition,
    codes: list[int],
    ax: Axes,
    places: Any,
    j: int,
    palette: Any,
    width: float,
    has_numbers: bool,
) -> None:
    """Draw the rate of a class with its 95 % interval."""
    counts = partition.code_counts()[codes]
    rates = partition.code_rates()[codes, j]
    ends = share_intervals(counts)[:, j]
    label = str(partition.classes.tolist()[j])
    ax.bar(places, rates, width, color=palette[j], label=label, edgecolor="white", linewidth=0.5)
    reach = np.clip([rates - ends[:, 0], ends[:, 1] - rates], 0.0, None)
    style: dict[str, Any] = {"fmt": "none", "ecolor": "0.2", "elinewidth": 1.1, "capsize": 3}
    ax.errorbar(places, rates, yerr=reach, **style)
    totals = partition.totals()
    base = float(totals[j] / max(totals.sum(), 1e-300))
    ax.axhline(base, color=palette[j] if width < 0.86 else "0.2", linewidth=1.0, linestyle=":")
    top = max(float(ends[counts.any(axis=1), 1].max(initial=base)), 1e-9)
    ax.set_ylim(0.0, max(ax.get_ylim()[1], 1.12 * top) if width < 0.86 else 1.12 * top)
    if has_numbers:
        for place, rate, end in zip(places, rates, ends[:, 1], strict=True):
            ax.text(place, end, f"{rate:.1%}", ha="center", va="bottom", fontsize="x-small")


def _draw_evidence(
    partition: Partition,
    codes: list[int],
    ax: Axes,
    places: Any,
    j: int,
    palette: Any,
    width: float,
    has_numbers: bool,
) -> None:
    """Draw the weight of evidence of a class; of two, parts against it in the other's colour."""
    woe = partition.code_woe(j)[codes]
    label = str(partition.classes.tolist()[j])
    other = palette[1 - j] if len(palette) == 2 else palette[j]
    is_for = woe * partition.woe_sign >= 0
    shade = [palette[j] if one else other for one in is_for.tolist()]
    ax.bar(places, woe, width, color=shade, label=label, edgecolor="white", linewidth=0.5)
    ax.axhline(0.0, color="0.2", linewidth=1.0)
    ax.margins(y=0.12)
    if has_numbers:
        for place, value in zip(places, woe, strict=True):
            side = "bottom" if value >= 0 else "top"
            ax.text(place, value, f"{value:+.2f}", ha="center", va=side, fontsize="x-small")
