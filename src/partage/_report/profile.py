"""Columns as they were before the parts: what the fit has counted anyway, made small."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage._data.categories import CategoryColumn
from partage._data.column import Kind, NumberColumn
from partage._spaces.space import Space

if TYPE_CHECKING:
    from partage._estimators.fitted import FittedColumns

N_BINS = 40
N_VALUES = 30  # of a category, or of a number that has few
_BLOCK = 1 << 16  # units counted at a time
_N_BLOCKS = 1024  # of units, weighed together
_QUARTILES = {"lower quartile": 0.25, "median": 0.5, "upper quartile": 0.75}
_SKEW = 12.0  # of the end of nearly all rows to the median, from which a logarithm helps
_SCALES = {"log": (np.log, np.exp), "log1p": (np.log1p, np.expm1)}
_TAIL = 0.005  # rows left out at each end where they would stretch the axis


@dataclass(frozen=True)
class Histogram:
    """Numbers by class: bins of equal width, or single values where there are few.

    ``edges`` are positions on the axis: numbers, milliseconds since 1970 for dates, seconds for
    durations. ``counts`` has a row for each bin or value and a column for each class.
    """

    edges: list[float]
    counts: NDArray[np.float64]
    is_single: bool  # whether edges are the values themselves
    is_time: bool
    below: float
    above: float
    facts: dict[str, float]  # min, quartiles and max, on the axis
    zone: str = ""  # in which times are shown
    scale: str = ""  # "log" or "log1p": bins are equal on that scale


@dataclass(frozen=True)
class Values:
    """Categories by class, the most frequent first, and what was left out."""

    values: list[Any]
    counts: NDArray[np.float64]
    n_others: int
    others: NDArray[np.float64]


Profile = Histogram | Values


class Watcher:
    """Is shown the columns while they are fitted, and keeps a profile of each."""

    def __init__(self) -> None:
        self.profiles: dict[str, Profile] = {}

    def __call__(self, column: NumberColumn | CategoryColumn, space: Space) -> None:
        """Make the profile of a column."""
        if space.n_units == 0:
            return
        if isinstance(column, CategoryColumn):
            self.profiles[column.name] = _profile_values(column.values, space)
        elif np.isfinite(column.kind.positions(space.keys)).any():
            self.profiles[column.name] = _profile_numbers(column.kind, space)


def fit_with_profiles(
    model: FittedColumns,
    frame: Any,
    target: str,
    *,
    sample_weight: Any = None,
    advance: Callable[[str], None] = lambda _: None,
) -> dict[str, Profile]:
    """Fit a model, and return the profiles of the columns, which it has counted anyway."""
    from partage._estimators.fitted import fit_observed

    watcher = Watcher()
    fit_observed(
        model, frame, target=target, sample_weight=sample_weight, watch=watcher, advance=advance
    )
    return watcher.profiles


def profile_of(partition: Any) -> Profile | None:
    """Make the profile of a column from the counts that were kept with its partition."""
    units = partition.units
    if units is None or units.n_units == 0:
        return None
    if partition.rule.is_measured:
        return _profile_numbers(partition.rule.kind, units)
    return _profile_values(list(units.values), units)


def profiles_of(partitions: dict[str, Any]) -> dict[str, Profile]:
    """Make the profiles of all columns whose counts were kept."""
    found = {name: profile_of(partition) for name, partition in partitions.items()}
    return {name: profile for name, profile in found.items() if profile is not None}


def _profile_values(values: list[Any], space: Space) -> Values:
    """Count the most frequent values."""
    weights = _unit_weights(space)
    # Ties by the order of the values, so that the rows' order changes nothing.
    first = np.lexsort((np.arange(len(weights)), -weights))[:N_VALUES]
    counts = np.vstack([space.cell_counts(_units(i, i + 1)) for i in first.tolist()])
    everything = space.cell_counts(_units(0, space.n_units, space.n_units))[0]
    return Values(
        [values[i] for i in first],
        counts,
        len(values) - len(first),
        everything - counts.sum(axis=0),
    )


def _profile_numbers(kind: Kind, space: Space) -> Histogram:
    """Count numbers in bins of equal width, or one by one where there are few."""
    places = kind.positions(space.keys)
    ranks = _Ranks(space, places)
    first = int(np.searchsorted(places, -np.inf, side="right"))
    last = int(np.searchsorted(places, np.inf, side="left"))
    is_single = last - first <= N_VALUES
    scale = "" if is_single or kind.name == "datetime" else _scale(places[first:last], ranks)
    bounds = places[first:last] if is_single else _edges(places[first:last], ranks, scale)
    starts = (
        _units(first, last)
        if is_single
        else np.searchsorted(places, bounds, side="right").astype(np.uint32)
    )
    below, above = (
        float(space.cell_counts(np.array(ends, dtype=np.uint32)).sum())
        for ends in ([0, starts[0]], [starts[-1], space.n_units])
    )
    facts = {"min": float(places[0])}
    facts |= {name: ranks.value_at(share) for name, share in _QUARTILES.items()}
    facts["max"] = float(places[-1])
    return Histogram(
        bounds.tolist(),
        space.cell_counts(starts),
        is_single,
        kind.name == "datetime",
        below,
        above,
        facts,
        kind.zone,
        scale,
    )


class _Ranks:
    """Finds the value at a share of the weight, from the weights of blocks of units."""

    def __init__(self, space: Space, places: NDArray[np.float64]) -> None:
        self._space = space
        self._places = places
        step = max(1, space.n_units // _N_BLOCKS)
        self._starts = np.append(
            np.arange(0, space.n_units, step, dtype=np.uint32), np.uint32(space.n_units)
        )
        self._sums = np.cumsum(space.cell_counts(self._starts).sum(axis=1))

    def value_at(self, share: float) -> float:
        """Return the least value up to which so much of the weight lies."""
        wanted = share * self._sums[-1]
        block = min(int(np.searchsorted(self._sums, wanted)), len(self._sums) - 1)
        before = self._sums[block - 1] if block else 0.0
        first, last = self._starts[block : block + 2].tolist()
        weights = self._space.cell_counts(_units(first, last)).sum(axis=1)
        inside = int(np.searchsorted(before + np.cumsum(weights), wanted))
        return float(self._places[min(first + inside, last - 1)])


def _scale(places: NDArray[np.float64], ranks: _Ranks) -> str:
    """Choose a scale: a logarithm where most rows would fall into the first bins."""
    low, high = float(places[0]), ranks.value_at(1 - _TAIL)
    if low < 0 or not high > _SKEW * max(ranks.value_at(0.5), 0.0):
        return ""
    return "log" if low > 0 else "log1p" if _are_whole(places) and high >= _SKEW else ""


def _edges(places: NDArray[np.float64], ranks: _Ranks, scale: str = "") -> NDArray[np.float64]:
    """Choose the edges of the bins: all values, or all but a thin tail that stretches the axis."""
    if scale:
        forth, back = _SCALES[scale]
        edges = back(np.linspace(forth(places[0]), forth(places[-1]), N_BINS + 1))
        edges[0], edges[-1] = np.nextafter(places[0], -np.inf), places[-1]
        return np.asarray(edges)
    ends = float(places[0]), float(places[-1])
    low = max(ranks.value_at(_TAIL), ends[0])
    high = min(ranks.value_at(1 - _TAIL), ends[1])
    if low == high:
        low, high = ends
    room = (high - low) / 4
    low = ends[0] if low - ends[0] <= room else low
    high = ends[1] if ends[1] - high <= room else high
    if max(abs(low), abs(high)) < 2**52 and _are_whole(places):
        width = max(1.0, float(np.ceil((high - low + 1) / N_BINS)))
        n_bins = int(np.ceil((high - low + 1) / width))
        return np.asarray(low - 0.5 + width * np.arange(n_bins + 1))
    edges = low + (high - low) * (np.arange(N_BINS + 1) / N_BINS)
    edges[0] = np.nextafter(low, -np.inf)  # bins are open on the left
    edges[-1] = high
    return np.asarray(edges)


def _are_whole(places: NDArray[np.float64]) -> bool:
    """Whether all are whole numbers; a few are tried first."""
    return all(
        bool((some == np.floor(some)).all()) for some in (places[:100], places[-100:], places)
    )


def _unit_weights(space: Space) -> NDArray[np.float64]:
    """Weigh each unit; in blocks, since a dense table of many classes may not fit."""
    out = np.empty(space.n_units)
    for start in range(0, space.n_units, _BLOCK):
        stop = min(start + _BLOCK, space.n_units)
        out[start:stop] = space.cell_counts(_units(start, stop)).sum(axis=1)
    return out


def _units(first: int, last: int, step: int = 1) -> NDArray[np.uint32]:
    """Start a part every few units; the last entry ends them."""
    return np.arange(first, last + 1, step, dtype=np.uint32)
