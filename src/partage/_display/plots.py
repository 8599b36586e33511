"""Pictures of results, with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from partage._display.colours import LIGHT, MOST
from partage._support.checks import check_choice

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from partage._partitions.partition import Partition

MEASURES = ("shares", "rate", "woe")
_MOST_NAMED = 12  # classes that a legend can name
_MOST_LETTERS = 32  # of a label
_MOST_TICKS = 50  # labels that an axis has room for
_MOST_NUMBERS = 16  # numbers of rows that stand beside each other


def pyplot() -> Any:
    """Import matplotlib, or say how to get it."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError(
            'plot: matplotlib must be installed; run `pip install "partage[plot]"`.'
        ) from None
    return plt


def shorten(label: str) -> str:
    """Shorten a label for a picture: the first words of a group."""
    return label if len(label) <= _MOST_LETTERS else label[: _MOST_LETTERS - 3] + "..."


def part_labels(partition: Partition, codes: list[int]) -> list[str]:
    """Labels for a picture; cuts are written out, the lower one above the upper where long."""
    labels = [partition.code_labels()[code] for code in codes]
    if not partition.rule.is_measured:
        return [shorten(label) for label in labels]
    return [one if len(one) <= _MOST_LETTERS else one.replace(", ", ",\n") for one in labels]


def new_axes(ax: Axes | None, width: float, height: float) -> Axes:
    """Take the axes given, or those of a new figure."""
    if ax is not None:
        return ax
    found: Axes = pyplot().subplots(figsize=(width, height), layout="constrained")[1]
    return found


def colours(n: int) -> Any:
    """Colours of classes: those of the page of a report, or of a scale where they are too few."""
    if n <= MOST:
        return list(LIGHT[:n])
    return pyplot().get_cmap("viridis")(np.linspace(0.12, 0.92, n))


def shown_codes(partition: Partition) -> list[int]:
    """Parts, and missing and special values that rows held and that were not merged."""
    beside = [(partition.n_parts, partition.missing_part, partition.missing_counts)]
    for i, (part, row) in enumerate(
        zip(partition.special_parts, partition.special_counts, strict=True)
    ):
        beside.append((partition.n_parts + 2 + i, part, row))
    apart = [code for code, part, row in beside if part is None and row.any()]
    return [*range(partition.n_parts), *apart]


def plot_partition(partition: Partition, ax: Axes | None = None, measure: str = "shares") -> Axes:
    """Draw each part as a bar of class shares, its rows written above; or by another measure."""
    plt = pyplot()
    check_choice(f"{type(partition).__name__}.plot", "measure", measure, MEASURES)
    codes = shown_codes(partition)
    if partition.target.kind == "number":
        return _plot_boxes(plt, partition, codes, ax)
    if measure != "shares":
        from partage._display.event_plots import plot_event

        return plot_event(partition, codes, ax, measure)
    counts = partition.code_counts()[codes]
    labels = part_labels(partition, codes)
    n = len(codes)
    ax = new_axes(ax, min(7.0 + 0.14 * max(n - 8, 0), 14.0), 4.4)
    sizes = counts.sum(axis=1)
    rates = counts / np.where(sizes > 0, sizes, 1.0)[:, None]
    places = np.arange(n)
    bottoms = np.zeros(n)
    palette = colours(len(partition.classes))
    for j, label in enumerate(partition.classes.tolist()):
        style: dict[str, Any] = {"color": palette[j], "label": str(label)}
        style |= {"edgecolor": "white", "linewidth": 0.8 if n <= 20 else 0.3}
        ax.bar(places, rates[:, j], 0.86, bottoms, **style)
        bottoms = bottoms + rates[:, j]
    _draw_sizes(ax, places, sizes)
    name_parts(plt, ax, places, labels)
    ax.set_xlim(-0.6, n - 0.4)
    ax.set_ylim(0, 1.3)
    ax.set_yticks([0.0, 0.25, 0.5, 0.75, 1.0, 1.11], ["0", "0.25", "0.5", "0.75", "1", "rows"])
    ax.set_ylabel("class shares")
    name_axes(partition, ax)
    if len(partition.classes) <= _MOST_NAMED:
        ax.legend(title="class", loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
    return ax


def name_axes(partition: Partition, ax: Axes) -> None:
    """Write the name of a column, its parts and its level."""
    n = partition.n_parts
    ax.set_xlabel(partition.name)
    ax.set_title(f"{partition.name}: {n} part{'' if n == 1 else 's'}, level {partition.level:.3f}")
    ax.spines[["top", "right"]].set_visible(False)


def _plot_boxes(plt: Any, partition: Partition, codes: list[int], ax: Axes | None) -> Axes:
    """Draw each part as a box of a number: its quartiles, its mean; whiskers at 5 and 95 %."""
    tally = partition.code_tally().take(codes)
    target: Any = partition.target
    quantiles = target.quantiles(tally, (0.05, 0.25, 0.5, 0.75, 0.95))
    names = ("whislo", "q1", "med", "q3", "whishi")
    means = target.means(tally, partition.total())
    boxes = [
        {**dict(zip(names, row, strict=True)), "mean": mean, "fliers": []}
        for row, mean in zip(quantiles.tolist(), means.tolist(), strict=True)
        if row[0] == row[0]
    ]
    held = np.flatnonzero(tally.weight > 0)
    ax = new_axes(ax, min(7.0 + 0.14 * max(len(codes) - 8, 0), 14.0), 4.4)
    widths = 0.86 * np.sqrt(tally.shares[held] / tally.shares.max())
    ax.bxp(
        boxes, positions=held.tolist(), widths=widths.tolist(), showmeans=True, shownotches=False
    )
    labels = [shorten(partition.code_labels()[code]) for code in codes]
    name_parts(plt, ax, np.arange(len(codes)), labels)
    ax.set_xlim(-0.6, len(codes) - 0.4)
    ax.set_ylabel("target: quartiles, mean, 5 and 95 %")
    name_axes(partition, ax)
    return ax


def _draw_sizes(ax: Axes, places: Any, sizes: Any) -> None:
    """Draw the share of the rows of each part above its bar, with the number where it fits."""
    top = max(float(sizes.max()), 1.0)
    heights = 0.16 * sizes / top
    ax.bar(places, heights, 0.86, 1.03, color="0.75", edgecolor="none")
    if len(places) <= _MOST_NUMBERS:
        for place, height, size in zip(places, heights, sizes, strict=True):
            text = f"{size:,.0f}"
            ax.text(place, 1.04 + height, text, ha="center", va="bottom", fontsize="x-small")


def name_parts(plt: Any, ax: Axes, places: Any, labels: list[str]) -> None:
    """Write the labels of the parts, each where there is room for it."""
    step = -(-len(labels) // _MOST_TICKS)
    ax.set_xticks(places[::step], labels[::step])
    longest = max(len(label) for label in labels[::step])
    inches = ax.get_window_extent().width / ax.figure.dpi
    if longest * len(labels[::step]) > 10 * inches:
        size = "small" if len(labels) <= 16 else "x-small"
        ax.tick_params(axis="x", labelrotation=45 if len(labels) <= 16 else 90, labelsize=size)
        plt.setp(ax.get_xticklabels(), ha="right", va="center", rotation_mode="anchor")


def plot_ranking(partitions: list[Partition], ax: Axes | None, most: int) -> Axes:
    """Draw the levels of columns, the most informative on top."""
    ranked = sorted(partitions, key=lambda partition: -partition.level)[:most]
    ax = new_axes(ax, 6.5, 0.9 + 0.27 * len(ranked))
    places = np.arange(len(ranked))[::-1]
    levels = np.array([partition.level for partition in ranked])
    ax.barh(places, levels, 0.75, color=colours(2)[0])
    for place, partition in zip(places, ranked, strict=True):
        n = partition.n_parts
        note = f" {partition.level:.3f}, {n} part{'' if n == 1 else 's'}"
        ax.text(partition.level, place, note, va="center", fontsize="small")
    ax.set_yticks(places, [shorten(partition.name) for partition in ranked])
    ax.set_xlim(0, max(float(levels.max(initial=0.0)) * 1.25, 0.01))
    ax.set_xlabel("level: share of the description of the classes that is saved")
    left_out = len(partitions) - len(ranked)
    ax.set_title("Columns by level" + (f" (best {most} of {len(partitions)})" if left_out else ""))
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def plot_grid(
    who: str, partitions: dict[str, Any], columns: Any, most: int, n_across: int
) -> Figure:
    """Draw several partitions in one figure."""
    if columns is None:
        ranked = sorted(partitions.values(), key=lambda partition: -partition.level)
        chosen = ranked[:most]
    else:
        unknown = [name for name in columns if name not in partitions]
        if unknown:
            raise ValueError(f"{who}: columns must name fitted columns; got {unknown[0]!r}.")
        chosen = [partitions[name] for name in columns]
    n_across = max(1, min(n_across, len(chosen)))
    n_down = -(-len(chosen) // n_across)
    figure, axes = pyplot().subplots(
        n_down,
        n_across,
        figsize=(4.6 * n_across, 3.3 * n_down),
        layout="constrained",
        squeeze=False,
    )
    for i, ax in enumerate(axes.flat):
        if i >= len(chosen):
            ax.set_axis_off()
            continue
        plot_partition(chosen[i], ax)
        ax.set_xlabel("")
        if ax.get_legend() is not None and i != n_across - 1:
            ax.get_legend().remove()
    found: Figure = figure
    return found


def plot_drift(frame: Any, by: str, ax: Axes | None, most: int) -> Axes:
    """Draw the stability index of the least stable columns over the periods."""
    import narwhals as nw

    from partage._display.monitor import ALERT, WARNING

    table = nw.from_native(frame, eager_only=True)
    columns, periods = table["column"].to_list(), table["period"].to_list()
    found: dict[str, list[float]] = {}
    for column, value in zip(columns, table["psi"].to_list(), strict=True):
        found.setdefault(column, []).append(value)
    worst = sorted(found, key=lambda column: -max(found[column]))[:most]
    shown = [str(period) for period in periods[: len(found[columns[0]])]]
    ax = new_axes(ax, 7.5, 4.0)
    for colour, column in zip(colours(len(worst)), worst, strict=True):
        style = {"color": colour, "marker": "o", "markersize": 3.5, "label": shorten(column)}
        ax.plot(range(len(shown)), found[column], **style)
    for limit, name in ((WARNING, "0.1"), (ALERT, "0.25: shift")):
        ax.axhline(limit, color="0.6", linewidth=0.8, linestyle="--")
        ax.annotate(
            name,
            (1.0, limit),
            xycoords=("axes fraction", "data"),
            ha="right",
            va="bottom",
            fontsize="x-small",
            color="0.45",
        )
    name_parts(pyplot(), ax, np.arange(len(shown)), shown)
    ax.set_ylim(bottom=0.0)
    ax.set_ylabel("population stability index")
    ax.set_xlabel(by)
    ax.set_title("Stability of the columns against the fitted rows")
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
    return ax


def plot_points(points: dict[str, Any], partitions: dict[str, Any], ax: Axes | None) -> Axes:
    """Draw the points of the parts of a scorecard, the column with the widest range on top."""
    found = {name: points[name][shown_codes(partitions[name])] for name in points}
    names = sorted(found, key=lambda name: -float(np.ptp(found[name])))
    ax = new_axes(ax, 7.0, 1.0 + 0.3 * len(names))
    for row, name in enumerate(reversed(names)):
        values = found[name]
        ax.plot([values.min(), values.max()], [row, row], color="0.8", linewidth=5, zorder=1)
        shown = partitions[name]
        rates = shown.code_rates()[shown_codes(shown), shown.event]
        dots = ax.scatter(
            values, np.full(len(values), row), c=rates, cmap="viridis", vmin=0, vmax=1, zorder=2
        )
    ax.figure.colorbar(dots, ax=ax, label="event rate of the part")
    ax.set_yticks(range(len(names)), [shorten(name) for name in reversed(names)])
    ax.set_xlabel("points")
    ax.set_title("Points of the parts of each column")
    ax.spines[["top", "right"]].set_visible(False)
    return ax
