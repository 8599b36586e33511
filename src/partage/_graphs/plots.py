"""Pictures of parts of a graph, with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage._display.plots import pyplot
from partage._graphs.points import lengths

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_EDGES = 200_000  # that a picture can show
_MOST_NAMED = 12
_N_ACROSS = 200  # places of a picture in each direction that are asked for their part
_MARKS = "osD^v<>pP*Xh"
_DOTS: dict[str, Any] = {"s": 22, "linewidths": 0.3, "edgecolors": "white", "zorder": 2}


def plot_cells(
    model: Any, columns: Any, ax: Axes | None, means: NDArray[np.float64] | None = None
) -> Axes:
    """Draw objects as marks of their class in the colour of their part, and their edges.

    Parts of a number have the colour of its mean there, and objects no mark of their own.
    """
    plt = pyplot()
    from matplotlib.collections import LineCollection

    places, names = _places(model, columns)
    if ax is None:
        _, ax = plt.subplots(figsize=(7.5, 5.5), layout="constrained")
    edges = _edges(model)
    ax.add_collection(LineCollection(list(places[edges]), colors="0.8", linewidths=0.5, zorder=1))
    cells = model.partition_
    _outline(model, places, columns, ax)
    if means is None:
        _draw_classes(model, places, ax)
    else:
        _draw_means(cells, places, means, ax)
    ax.set_xlabel(names[0])
    ax.set_ylabel(names[1])
    parts = "1 part" if cells.n_parts == 1 else f"{cells.n_parts} parts"
    ax.set_title(f"{cells.method}: {parts}, level {cells.level:.3f}")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _draw_classes(model: Any, places: NDArray[np.float64], ax: Axes) -> None:
    """Draw each class by its mark in the colours of parts, and name both."""
    plt = pyplot()
    cells = model.partition_
    colours = plt.get_cmap("viridis")(np.linspace(0.05, 0.95, cells.n_parts))
    for j, label in enumerate(cells.classes.tolist()):
        of_class = model._class_codes == j
        ax.scatter(
            places[of_class, 0],
            places[of_class, 1],
            c=colours[cells.codes[of_class]],
            marker=_MARKS[j % len(_MARKS)],
            label=str(label),
            **_DOTS,
        )
    if len(cells.classes) <= _MOST_NAMED:
        key = ax.legend(title="class", loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
        plt.setp(key.legend_handles, facecolor="0.4")  # colours are those of parts
        ax.add_artist(key)
    if 1 < cells.n_parts <= _MOST_NAMED:
        _name_parts(cells, colours, ax)


def _draw_means(
    cells: Any, places: NDArray[np.float64], means: NDArray[np.float64], ax: Axes
) -> None:
    """Draw objects in the colour of the mean of their part, with the scale of colours."""
    kept = cells.codes >= 0
    colours = means[cells.codes[kept]]
    dots = ax.scatter(places[kept, 0], places[kept, 1], c=colours, cmap="viridis", **_DOTS)
    ax.figure.colorbar(dots, ax=ax, label="mean of the part")


def _name_parts(cells: Any, colours: NDArray[np.float64], ax: Axes) -> None:
    """List the parts: colour, largest class and its share, share of the objects."""
    from matplotlib.patches import Patch

    shares = cells.counts.sum(axis=1) / cells.counts.sum()
    labels = cells.classes[cells.majority].tolist()
    rows = zip(colours, labels, cells.rates.max(axis=1), shares, strict=True)
    patches = [
        Patch(color=colour, label=f"{k}: {rate:.0%} are {label}, {share:.0%} of all")
        for k, (colour, label, rate, share) in enumerate(rows)
    ]
    ax.legend(
        handles=patches, title="part", loc="lower left", bbox_to_anchor=(1.0, 0.0), frameon=False
    )


def _outline(model: Any, places: NDArray[np.float64], columns: Any, ax: Axes) -> None:
    """Draw where one part ends and another begins, where the plane is the table itself."""
    nearest, points = model._fitted.nearest, model._points
    if nearest is None or points.shape[1] != 2 or model.partition_.n_parts < 2:
        return
    low, high = places.min(axis=0), places.max(axis=0)
    margin = 0.03 * np.where(high > low, high - low, 1.0)
    sides = [np.linspace(a, b, _N_ACROSS) for a, b in zip(low - margin, high + margin, strict=True)]
    across, up = np.meshgrid(*sides)
    plane = np.column_stack([across.ravel(), up.ravel()])
    is_turned = columns is not None and not np.array_equal(places[:, 0], points[:, 0])
    parts = nearest.parts(np.ascontiguousarray(plane[:, ::-1] if is_turned else plane))
    for k in range(model.partition_.n_parts):
        inside = (parts == k).reshape(across.shape).astype(np.float64)
        ax.contour(across, up, inside, levels=[0.5], colors="0.25", linewidths=1.0, zorder=3)


def _edges(model: Any) -> NDArray[np.int64]:
    """Pairs of linked objects, one object for each point; none where they are too many."""
    objects = model._fitted.objects
    if objects is None or len(objects.neighbours) > 2 * _MOST_EDGES:
        return np.empty((0, 2), dtype=np.int64)
    sources = np.repeat(np.arange(objects.n_points), lengths(objects.starts))
    once = sources < objects.neighbours
    rows = model._fitted.repeats.row_of
    first = rows[objects.order[objects.object_starts[:-1].astype(np.int64)]]
    pairs = np.column_stack([first[sources[once]], first[objects.neighbours[once]]])
    return np.asarray(pairs, dtype=np.int64)


def _places(model: Any, columns: Any) -> tuple[NDArray[np.float64], list[str]]:
    """Where objects are drawn, and the names of the axes."""
    points = model._points
    who = f"{type(model).__name__}.plot"
    if points is None:
        if columns is not None:
            raise ValueError(f"{who}: columns must be None for a graph without a table.")
        return _spectral_places(model), ["layout 1", "layout 2"]
    names = [str(name) for name in getattr(model, "feature_names_in_", [])]
    names = names or [f"x{i}" for i in range(points.shape[1])]
    if columns is not None:
        chosen = _read_columns(who, columns, names)
        return points[:, chosen], [names[i] for i in chosen]
    if points.shape[1] == 1:
        return np.column_stack([points[:, 0], np.zeros(len(points))]), [names[0], ""]
    if points.shape[1] == 2:
        return points, names
    scale = None if model._fitted.nearest is None else model._fitted.nearest.scale
    places = _principal(points if scale is None else scale(points))
    return places, ["principal component 1", "principal component 2"]


def _read_columns(who: str, columns: Any, names: list[str]) -> list[int]:
    """Two columns by name or number."""
    pair = list(columns) if isinstance(columns, (list, tuple)) else []
    chosen = [names.index(c) if isinstance(c, str) and c in names else c for c in pair]
    is_known = all(isinstance(c, (int, np.integer)) and 0 <= c < len(names) for c in chosen)
    if len(chosen) != 2 or not is_known:
        raise ValueError(
            f"{who}: columns must name two columns, by name or number; got {columns!r}, the table "
            f"has {', '.join(map(repr, names))}."
        )
    return [int(c) for c in chosen]


def _principal(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """First two principal components; each is turned so that its largest loading is positive."""
    centred = points - points.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    axes = axes[:2] * np.sign(axes[np.arange(2), np.abs(axes[:2]).argmax(axis=1)])[:, None]
    return np.asarray(centred @ axes.T)


def _spectral_places(model: Any) -> NDArray[np.float64]:
    """Lay a graph out by the slowest modes of its edges."""
    from scipy.sparse.csgraph import laplacian
    from scipy.sparse.linalg import eigsh

    matrix = model.graph_.astype(np.float64)
    if matrix.shape[0] < 4:
        return np.column_stack([np.arange(matrix.shape[0]), np.zeros(matrix.shape[0])])
    smooth = laplacian(matrix)
    if matrix.shape[0] <= 500:
        return np.asarray(np.linalg.eigh(smooth.toarray())[1][:, 1:3])
    start = np.ones(matrix.shape[0]) + np.arange(matrix.shape[0]) / matrix.shape[0]
    _, modes = eigsh(smooth, k=3, sigma=-1e-3, which="LM", v0=start)
    return np.asarray(modes[:, 1:3])
