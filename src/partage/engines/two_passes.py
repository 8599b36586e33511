"""Numbers of more distinct values than are counted one by one: small intervals, then rows.

The first pass counts the classes in small intervals of about equal frequency. Partitions of these
are found from several starts; then the rows around every cut are counted one by one, and the search
goes on there until nothing improves.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from partage._data.column import EXACT, Kind, NumberColumn
from partage._data.cut_places import place_cut
from partage._partitions.contingency import count
from partage._partitions.find import fit_column
from partage._partitions.intervals import Intervals
from partage._partitions.partition import Partition
from partage._search.lengths import line_structure, part_lengths
from partage._search.settings import Settings
from partage._spaces.make import space_of
from partage._spaces.space import Space
from partage._support.parallel import Cancel
from partage._targets.target import TargetRows
from partage.engines import batches as _micro
from partage.engines.lazy_target import LazyTarget, label_of
from partage.engines.source import Source

MOST_INTERVALS = 524_288
MOST_CELLS = 20_000_000  # of the table of intervals by classes
ROWS_EACH = 16  # of an interval, where there are few rows
SAMPLED = 8  # values of the sample for each interval
AROUND = 2  # intervals on each side of a cut whose rows are read, at least
ROWS_AROUND = 20_000  # on each side of a cut that are read
MOST_ROWS = 500_000  # that are read around all cuts, beyond the least
MOST_ROUNDS = 30
MOST_RANGES = 40  # that a filter of the engine tests
COARSE = 1000  # blocks of the coarse program
WIDTHS = (32, 8, 4, 2, 1)  # intervals to a block
STARTS = ((COARSE, "exact"), (10_000, "bottom-up"))

JOIN_SAMPLES, ADD_COUNTS, JOIN_ROWS = _micro.make_combiners()


@dataclass
class SmallIntervals:
    """Counts of small intervals, and the rows of those that were read one by one, in order."""

    name: str
    kind: Kind
    target: LazyTarget
    edges: NDArray[Any]  # upper edge of each interval, which is a value; the first is the lowest
    rows: NDArray[np.int64]  # by interval and class, missing values last
    weights: NDArray[np.float64]
    is_read: NDArray[np.bool_]
    read_keys: NDArray[Any]
    read: TargetRows

    @property
    def n(self) -> int:
        """Number of intervals."""
        return len(self.rows) - 1

    def keep_rows(self, keys: Any, codes: Any, weights: Any, wanted: NDArray[np.bool_]) -> None:
        """Keep the rows of intervals that were read, values and classes in order."""
        ones = np.ones(len(keys), dtype=np.int64)
        heavy = ones.astype(np.float64) if weights is None else weights
        found = self._entries(codes, ones, heavy)
        counted = count(NumberColumn(self.name, self.kind, keys), found, self.target.name, "pandas")
        assert isinstance(counted.column, NumberColumn)
        self.read_keys, self.read = _merge(
            self.read_keys, self.read, counted.column.keys, counted.target
        )
        self.is_read = self.is_read | wanted

    def line(self, n_blocks: int) -> tuple[NumberColumn, TargetRows]:
        """Make a column of the rows that were read and the other intervals, joined to n_blocks."""
        step = max(1, -(-self.n // n_blocks))
        is_start = np.arange(self.n) % step == 0
        is_start[self.is_read] = True
        is_start[1:] |= self.is_read[:-1]
        starts = np.flatnonzero(is_start)
        last = np.append(starts[1:], self.n) - 1
        kept = ~self.is_read[starts]
        rows = np.add.reduceat(self.rows[:-1], starts)[kept]
        weights = np.add.reduceat(self.weights[:-1], starts)[kept]
        unit, label = np.nonzero(rows)
        block_keys = self.edges[last[kept]][unit]
        blocks = self._entries(label, rows[unit, label], weights[unit, label])
        keys, target = _merge(self.read_keys, self.read, block_keys, blocks)
        gone = np.flatnonzero(self.rows[-1])
        missing = self._entries(gone, self.rows[-1][gone], self.weights[-1][gone])
        n = len(keys)
        keys, target = _insert(
            keys, target, np.full(len(gone), n), keys[:1].repeat(len(gone)), missing
        )
        is_missing = np.arange(len(keys)) >= n
        if self.kind.is_float:
            keys[n:] = np.nan
        return NumberColumn(self.name, self.kind, keys, is_missing.astype(np.uint8)), target

    def _entries(self, codes: Any, rows: Any, weights: Any) -> TargetRows:
        """Make entries of counts."""
        return self.target.entries(codes, rows, weights)

    def around(self, cut_keys: NDArray[Any]) -> NDArray[np.bool_]:
        """Tell which intervals lie around cuts."""
        out = np.zeros(self.n, dtype=bool)
        ends = np.cumsum(self.rows[:-1].sum(axis=1))
        reach = min(ROWS_AROUND, MOST_ROWS // (2 * len(cut_keys) + 1))
        places = np.searchsorted(self.edges, cut_keys, side="left")
        low = np.searchsorted(ends, ends[places] - reach, side="left")
        high = np.searchsorted(ends, ends[places] + reach, side="left")
        for place, first, last in zip(places.tolist(), low.tolist(), high.tolist(), strict=True):
            out[max(0, min(first, place - AROUND)) : max(last, place + AROUND) + 1] = True
        out[0] = False  # the lowest value alone
        return out


def _merge(
    keys: NDArray[Any], target: TargetRows, more_keys: NDArray[Any], more: TargetRows
) -> tuple[NDArray[Any], TargetRows]:
    """Merge entries in order with others in order, of intervals between theirs."""
    return _insert(keys, target, np.searchsorted(keys, more_keys, side="right"), more_keys, more)


def _insert(
    keys: NDArray[Any],
    target: TargetRows,
    places: NDArray[np.int64],
    more_keys: NDArray[Any],
    more: TargetRows,
) -> tuple[NDArray[Any], TargetRows]:
    """Insert entries before those at some places."""

    def insert(one: Any, two: Any) -> Any:
        return np.insert(one, places, two)

    merged = replace(
        target,
        codes=insert(target.codes, more.codes),
        weights=insert(target.weights, more.weights),
        rows=insert(target.rows, more.rows),
    )
    return insert(keys, more_keys), merged


def find_in_two_passes(
    who: str,
    source: Source,
    index: int,
    target: LazyTarget,
    settings: Settings,
    cancel: Cancel,
    n_distinct: int,
) -> Partition:
    """Partition a column whose distinct values are too many to be counted one by one."""
    watch, style = settings.watch, settings.cut_style
    settings = replace(settings, watch=None, cut_style="midpoint")  # cuts must lie inside intervals
    reading = _Reading.of(source, index, target)
    small = reading.count(source.names[index])

    def find(n_blocks: int, search: str) -> Intervals:
        chosen = settings if search == settings.search else replace(settings, search=search)
        column, target = small.line(n_blocks)
        return cast(
            "Intervals",
            fit_column(who, column, target, chosen, cancel=cancel, library=source.library),
        )

    reading.read_rows(small, small.around(_special_cuts(who, small, settings)))
    wanted = np.zeros(small.n, dtype=bool)
    allowed = settings.method.searches if settings.search == "auto" else ()
    starts = [(n, search) for n, search in STARTS if search in allowed]
    # What is thin stands out at one width of the blocks and not at another.
    starts += [(max(1, small.n // width), settings.search) for width in WIDTHS]
    for n_blocks, search in starts:
        wanted |= small.around(find(n_blocks, search).cut_keys)
    # Merging had its turn among the starts; the many rows that are read now are refined.
    search_on = "coarse" if "coarse" in allowed else settings.search
    sizes = [small.n, COARSE]
    found: dict[int, Intervals] = {}
    for _ in range(MOST_ROUNDS):
        wanted &= ~small.is_read
        reading.read_rows(small, wanted)
        if wanted.any():
            found.clear()
        # The coarse view has its turn when the fine one has come to rest.
        size = next((n for n in sizes if n not in found), None)
        if size is None:
            break
        found[size] = find(size, search_on)
        wanted = small.around(found[size].cut_keys)
    if watch is not None:
        column, entries = small.line(small.n)
        watch(column, space_of(column, entries))
    best = min(found.values(), key=lambda partition: (partition.cost, partition.n_parts))
    known = best._with_found(
        is_optimal=False, gap=None, exact_counts=False, loss_bound=_loss_bound(small, best)
    )
    units = _units_of(small, best)
    return replace(known, n_values=n_distinct, units=units, rule=_styled(best.rule, units, style))


def _styled(rule: Any, units: Space | None, style: str) -> Any:
    """Place the cuts between the values beside them as a style does; blocks are left whole."""
    if style == rule.cut_style or units is None:
        return rule
    places = np.searchsorted(units.highs, rule.cut_keys, side="right").tolist()
    keys = [
        place_cut(rule.kind, units.highs[i - 1].item(), units.lows[i].item(), style) for i in places
    ]
    return replace(rule, cut_keys=np.array(keys, dtype=rule.kind.dtype), cut_style=style)


def _units_of(small: SmallIntervals, best: Intervals) -> Space | None:
    """Ranges of keys of the units that edits work on: blocks reach down to their neighbour."""
    if best.units is None or not best.units.n_units:
        return best.units
    highs = best.units.highs
    is_block = ~small.is_read[np.searchsorted(small.edges, highs, side="left")]
    is_block[0] = False  # the lowest value alone
    lows = highs.copy()
    above = np.nextafter(highs[:-1], np.inf) if small.kind.is_float else highs[:-1] + 1
    lows[1:][is_block[1:]] = above[is_block[1:]]
    return replace(best.units, lows=lows, is_exact=False)


def _special_cuts(who: str, small: SmallIntervals, settings: Settings) -> NDArray[Any]:
    """Keys of special values, which must be kept apart from their neighbours."""
    from partage._search.aside import special_keys, special_of

    values = special_of(settings.special_values, small.name)
    keys = [key for key in special_keys(who, small.name, values, small.kind) if key is not None]
    return np.array(keys, dtype=small.edges.dtype)


def _loss_bound(small: SmallIntervals, best: Intervals) -> float | None:
    """Most nats that cuts inside intervals that were not read could save, under MODL.

    A cut inside an interval is replaced by the two ends of the interval. The parts beside it lose
    rows, which costs nothing, since no part gets cheaper by more rows; the interval becomes a part
    of its own, with its own length, and there is one part more.
    """
    if not best._method.is_modl:
        return None
    counts = small.weights[:-1][~small.is_read]
    lengths = np.sort(part_lengths(counts))[::-1]
    n_cuts = best.n_parts  # one part more than was found
    totals = small.weights[:-1].sum(axis=0)

    growth = line_structure(2 * n_cuts + 1, totals) - line_structure(n_cuts + 1, totals)
    return float(lengths[:n_cuts].sum()) + growth


@dataclass(frozen=True)
class _Reading:
    """How the rows of a column are read in batches."""

    source: Source
    target: LazyTarget
    value: nw.Expr
    form: str
    kind: Kind
    frame: nw.LazyFrame[Any]
    reader: _micro.Read

    @classmethod
    def of(cls, source: Source, index: int, target: LazyTarget) -> _Reading:
        """Choose the keys of a column and the query for its rows."""
        kind, form, value = _keys_of(source, index)
        label, values = label_of(source, target)
        columns = [value.alias("value"), label.alias("label")]
        frame = source.frame
        if target.weight is not None:
            frame = frame.filter(nw.col(target.weight) > 0)
            columns.append(nw.col(target.weight).cast(nw.Float64).alias("weight"))
        codes = None if values is None else [target.code_of[value] for value in values]
        reader = _micro.make_reader(form, values, codes)
        return cls(source, target, value, form, kind, frame.select(*columns), reader)

    def count(self, name: str) -> SmallIntervals:
        """Choose small intervals by a sample, and count them."""
        n_rows, n_classes = self.target.n_rows, self.target.target.n_sums
        n = min(MOST_INTERVALS, MOST_CELLS // n_classes, max(2, n_rows // ROWS_EACH))
        share = min(1.0, n * SAMPLED / n_rows)
        engine = self.source.engine
        sampler = _micro.make_sampler(self.reader, share)
        values = self.frame.select("value")
        sample = np.sort(engine.fold(values, sampler, JOIN_SAMPLES))
        places = np.linspace(0, len(sample) - 1, n + 1).astype(np.int64)[1:-1]
        edges = np.unique(np.concatenate([sample[:1], sample[places], sample[-1:]]))
        counter = _micro.make_counter(self.reader, edges, n_classes)
        rows, weights = engine.fold(self.frame, counter, ADD_COUNTS)
        heavy = rows.astype(np.float64) if weights is None else weights
        none = self.target.entries([], np.empty(0, dtype=np.int64), np.empty(0))
        unread = np.zeros(len(rows) - 1, dtype=bool)
        return SmallIntervals(
            name, self.kind, self.target, edges, rows, heavy, unread, edges[:0], none
        )

    def read_rows(self, small: SmallIntervals, wanted: NDArray[np.bool_]) -> None:
        """Read the rows of some intervals, each known by its lower and upper edge."""
        if not wanted.any():
            return
        steps = np.diff(np.concatenate([[0], wanted.astype(np.int8), [0]]))
        starts, ends = np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)
        bounds = np.column_stack([small.edges[starts - 1], small.edges[ends - 1]]).ravel()
        is_short = self.form == "float" and len(starts) <= MOST_RANGES
        frame = _filtered(self.frame, bounds) if is_short else self.frame
        picker = _micro.make_picker(self.reader, bounds)
        none = (small.edges[:0], np.empty(0, dtype=np.int64), None)
        keys, codes, weights = self.source.engine.fold(frame, picker, JOIN_ROWS, none)
        small.keep_rows(keys, codes, weights, wanted)


def _filtered(frame: nw.LazyFrame[Any], bounds: NDArray[Any]) -> nw.LazyFrame[Any]:
    """Let the engine leave out the other rows."""
    value = nw.col("value")
    tests = [
        (value > low) & (value <= high)
        for low, high in zip(bounds[::2].tolist(), bounds[1::2].tolist(), strict=True)
    ]
    return frame.filter(nw.any_horizontal(*tests, ignore_nulls=True))


def _keys_of(source: Source, index: int) -> tuple[Kind, str, nw.Expr]:
    """Choose the keys of a column: kind, form of the batches, and the expression for them."""
    dtype = source.dtype(index)
    value = nw.col(f"c{index}")
    if dtype == nw.Datetime:
        unit = "ms" if dtype.time_unit == "s" else str(dtype.time_unit)
        zone = source.zone(index)
        return Kind("datetime", unit, zone), unit, value
    if dtype.is_integer() and dtype in (nw.Int64, nw.UInt64):
        query = source.frame.select(value.min().alias("low"), value.max().alias("high"))
        low, high = source.engine.collect(query).row(0)
        if int(high) > 2**63 - 1:
            return Kind("unsigned"), "unsigned", value
        if int(low) < -EXACT or int(high) > EXACT:
            return Kind("integer"), "integer", value
    return Kind("number"), "float", value.cast(nw.Float64)
