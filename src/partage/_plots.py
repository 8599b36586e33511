"""Pictures of results, with matplotlib."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from partage._partitions import Partition

_MOST_NAMED = 12  # classes that a legend can name
_MOST_LETTERS = 32  # of a label


def _pyplot() -> Any:
    """Import matplotlib, or say how to get it."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError(
            "plot: matplotlib must be installed; run `pip install matplotlib`."
        ) from None
    return plt


def _short(label: str) -> str:
    """Shorten a label for a picture: six digits of a number, the first words of a group."""
    times = re.sub(r"T00:00:00(\.0+)?|(?<=:\d\d)\.0+", "", label)
    plain = re.sub(
        r"(?<![:\d])-?\d+\.\d+(e[-+]?\d+)?", lambda found: f"{float(found[0]):.6g}", times
    )
    return plain if len(plain) <= _MOST_LETTERS else plain[: _MOST_LETTERS - 3] + "..."


def plot_partition(partition: Partition, ax: Axes | None = None) -> Axes:
    """Draw each part as a bar of class shares, as wide as its share of the rows."""
    plt = _pyplot()
    if ax is None:
        _, ax = plt.subplots(figsize=(7.5, 4.2), layout="constrained")
    beside = [(partition.n_parts, partition.missing_part, partition.missing_counts)]
    for i, (part, row) in enumerate(
        zip(partition.special_parts, partition.special_counts, strict=True)
    ):
        beside.append((partition.n_parts + 2 + i, part, row))
    shown = [code for code, part, row in beside if part is None and row.any()]
    shown = [*range(partition.n_parts), *shown]
    counts = partition.code_counts()[shown]
    labels = [partition.code_labels()[code] for code in shown]
    sizes = counts.sum(axis=1)
    widths = sizes / max(sizes.sum(), 1.0)
    lefts = np.concatenate([[0.0], np.cumsum(widths)[:-1]])
    rates = counts / np.where(sizes > 0, sizes, 1.0)[:, None]
    colours = plt.get_cmap("viridis")(np.linspace(0.12, 0.92, len(partition.classes)))
    bottoms = np.zeros(len(counts))
    for j, label in enumerate(partition.classes.tolist()):
        ax.bar(
            lefts,
            rates[:, j],
            widths,
            bottoms,
            align="edge",
            color=colours[j],
            edgecolor="white",
            linewidth=1.0,
            label=str(label),
        )
        bottoms = bottoms + rates[:, j]
    middles = lefts + widths / 2
    names = [f"{_short(label)}\n{size:,.0f}" for label, size in zip(labels, sizes, strict=True)]
    # A part narrower than a line of text has no room for its name.
    named = [k for k in range(len(names)) if widths[k] > 0.03 or len(names) <= 12]
    ax.set_xticks(middles[named], [names[k] for k in named])
    longest = max((len(line) for k in named for line in names[k].split("\n")), default=0)
    if longest * len(named) > 60:
        ax.tick_params(axis="x", labelrotation=45, labelsize="small")
        plt.setp(ax.get_xticklabels(), ha="right", rotation_mode="anchor")
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1)
    ax.set_ylabel("class shares")
    ax.set_xlabel(f"{partition.name}: parts and rows (width = share of the rows)")
    ax.set_title(f"{partition.name}: {partition.n_parts} parts, level {partition.level:.3f}")
    ax.spines[["top", "right"]].set_visible(False)
    if len(partition.classes) <= _MOST_NAMED:
        ax.legend(title="class", loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
    return ax
