"""Pairs of columns for a report: which say more together, and which repeat each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage._data.table import read_table
from partage._estimators.grids import check_grid
from partage._estimators.joint import target_rows
from partage._partitions.find_grid import GridSettings, find_grid
from partage._partitions.grid import Grid
from partage._partitions.joint_columns import Column, RowColumns
from partage._partitions.pairs import RankedPairs, count_worth_naming, look_at_pairs
from partage._partitions.partition import Partition
from partage._report.facts import Related, Summary
from partage._report.pair_facts import LEAST_SHARED, Pair, PairCells, Together, write_bits
from partage._report.views import check_classes
from partage._support.portable import LOG_2
from partage._targets.read import read_target
from partage._targets.target import TargetRows

if TYPE_CHECKING:
    from partage._estimators.fitted import FittedColumns

_MOST_COLUMNS = 40  # the best ones, that are looked at two by two
_MOST_ROWS = 20_000
_MOST_VALUES = 100  # of a category, for which looking takes no time
_N_LISTED, _N_DRAWN = 10, 3
_REPEATS = 0.4  # share in common from which columns repeat each other
_MOST_NAMED = 5
_SEED = 0
_WHO = "report"


@dataclass(frozen=True)
class _Looked:
    """Columns of a table, read and partitioned, and their target."""

    columns: list[Column]
    own: list[Partition]
    rows: TargetRows
    has_y: bool

    def ranked(self, pairs: NDArray[np.int64], *, has_y: bool) -> RankedPairs:
        """Look at pairs."""
        return look_at_pairs(self._joint(has_y), pairs, n_jobs=1)

    def grid(self, pair: Sequence[int], search: str) -> Grid:
        """Find the grid of two columns."""
        return find_grid(_WHO, self._joint(self.has_y), pair, GridSettings(search=search))

    def _joint(self, has_y: bool) -> RowColumns:
        """Columns as they are counted together."""
        return RowColumns(_WHO, self.columns, self.own, self.rows, has_y)


def with_pairs(
    summary: Summary, model: FittedColumns, frame: Any, target: str, weights: Any = None
) -> Summary:
    """Look at the best columns of a table two by two, and name in each column what was found."""
    names = [column.name for column in summary.columns if _is_looked_at(model, column.name)]
    names = names[:_MOST_COLUMNS]
    if len(names) < 2:
        return summary
    if len(frame) > _MOST_ROWS:
        chosen = np.random.default_rng(_SEED).choice(len(frame), _MOST_ROWS, replace=False)
        chosen.sort()
        frame = frame[chosen]
        weights = None if weights is None else np.asarray(weights)[chosen]
        looked = _read(model, frame, target, names, weights, is_whole=False)
    else:
        looked = _read(model, frame, target, names, weights, is_whole=True)
    levels = {column.name: column.level for column in summary.columns}
    found = _find(looked, [levels[name] for name in names])
    related = _related(found)
    columns = [replace(one, related=related.get(one.name, [])) for one in summary.columns]
    return replace(summary, columns=columns, together=found)


def draw_pair(
    model: FittedColumns, frame: Any, target: str, names: tuple[str, str], weights: Any = None
) -> PairCells:
    """Divide two columns together, on all rows."""
    check_classes(model)
    looked = _read(model, frame, target, names, weights, is_whole=True)
    return _cells(looked.grid((0, 1), "auto"), float(_shared(looked)[0, 1]), is_named=True)


def _is_looked_at(model: FittedColumns, name: str) -> bool:
    """Whether a column holds different values, and not too many texts."""
    partition = model.partitions_[name]
    return partition.n_values > 1 and (
        partition.rule.is_measured or partition.n_values <= _MOST_VALUES
    )


def _read(
    model: FittedColumns,
    frame: Any,
    target: str,
    names: Sequence[str],
    weights: Any,
    *,
    is_whole: bool,
) -> _Looked:
    """Read columns; partitions under limits, or of other rows, are made anew."""
    fitted = [model.partitions_[name] for name in names]
    has_y = bool(len(model.classes_))
    if has_y:
        rows = read_target(_WHO, frame[target], weights)
        rows = fitted[0].target.codes_like(_WHO, rows, f"column {names[0]!r}")
    else:
        rows = target_rows(_WHO, None, weights, len(frame))
    table = read_table(_WHO, frame.select(list(names)))
    special = {p.name: list(p.special_values) for p in fitted if len(p.special_values)}
    plan = check_grid(_WHO, "separate", special or None)
    columns: list[Column] = [p.rule.read_from(_WHO, table, i) for i, p in enumerate(fitted)]
    own = [
        partition
        if is_whole and has_y and _is_plain(partition)
        else plan.fit(_WHO, column, rows, None, table.library)
        for partition, column in zip(fitted, columns, strict=True)
    ]
    return _Looked(columns, own, rows, has_y)


def _is_plain(partition: Partition) -> bool:
    """Whether a partition is what MODL finds for a column without limits."""
    has_values = partition.units is not None and partition.units.is_exact
    is_free = not partition.constraints and partition.missing_part is None
    return has_values and is_free and partition.method == "modl" and not partition.history


def _find(looked: _Looked, levels: Sequence[float]) -> Together:
    """Look at all pairs of columns, with the target and without it."""
    names = [partition.name for partition in looked.own]
    shared = _shared(looked)
    order, groups = cluster(shared)
    shown = [k for k in order if shared[k].max() >= LEAST_SHARED]
    together = Together(
        n_rows=len(looked.rows.codes),
        n_columns=len(names),
        names=[names[k] for k in shown],
        shared=[[float(shared[i, k]) if i != k else 1.0 for k in shown] for i in shown],
        groups=[[names[k] for k in _kept_first(group, levels, shared)] for group in groups],
    )
    return _with_target(together, looked, shared) if looked.has_y else together


def _all_pairs(n: int) -> NDArray[np.int64]:
    """Places of all pairs of n columns."""
    return np.column_stack(np.triu_indices(n, 1)).astype(np.int64)


def _shared(looked: _Looked) -> NDArray[np.float64]:
    """Share of the poorer of two columns that the other gives, of all pairs.

    What a column says about itself, at the same resolution, is the whole.
    """
    n = len(looked.own)
    pairs, itself = _all_pairs(n), np.repeat(np.arange(n), 2).reshape(n, 2)
    gains = looked.ranked(np.concatenate([pairs, itself]), has_y=False).gain
    first, second = pairs.T
    whole = gains[len(pairs) :]
    least = np.minimum(whole[first], whole[second])
    share = np.divide(gains[: len(pairs)], least, out=np.zeros(len(pairs)), where=least > 0)
    found = np.zeros((n, n))
    found[first, second] = found[second, first] = np.minimum(share, 1.0)
    return found


def cluster(shared: NDArray[np.float64]) -> tuple[list[int], list[list[int]]]:
    """Order columns so that alike ones stand together, and group those that repeat each other.

    The two groups that share most on average are joined, until one is left; groups end where
    they share less than the limit.
    """
    near = shared.copy()
    np.fill_diagonal(near, -1.0)
    joined = [[k] for k in range(len(near))]
    groups: list[list[int]] | None = None
    for _ in range(len(near) - 1):
        i, j = sorted(divmod(int(np.argmax(near)), len(near)))
        if groups is None and near[i, j] < _REPEATS:
            groups = [list(one) for one in joined if len(one) > 1]
        sizes = len(joined[i]), len(joined[j])
        near[i] = (sizes[0] * near[i] + sizes[1] * near[j]) / sum(sizes)
        near[:, i] = near[i]
        near[i, i] = -1.0
        near[j] = near[:, j] = -1.0
        joined[i] += joined[j]
        joined[j] = []
    if groups is None:
        groups = [list(one) for one in joined if len(one) > 1]
    return [k for one in joined for k in one], groups


def _kept_first(
    group: Sequence[int], levels: Sequence[float], shared: NDArray[np.float64]
) -> list[int]:
    """Put the column with the highest level first, then those that share most with it."""
    kept = max(group, key=lambda k: (levels[k], shared[k, group].sum(), -k))
    others = (k for k in group if k != kept)
    return [kept, *sorted(others, key=lambda k: -shared[kept, k])]


def _with_target(together: Together, looked: _Looked, shared: NDArray[np.float64]) -> Together:
    """Rank the pairs by what they say beyond both columns, and search the best again."""
    pairs = _all_pairs(len(looked.own))
    found = looked.ranked(pairs, has_y=True).ranked(True)
    is_cut = (found.found.n_parts > 1).all(axis=1)
    best = found.pairs[np.flatnonzero(is_cut)[:_N_LISTED]].tolist()
    grids = sorted(
        ((looked.grid((i, j), "refine"), float(shared[i, j])) for i, j in best),
        key=lambda one: -one[0].synergy,
    )
    synergies = np.array([grid.synergy for grid, _ in grids if grid.synergy > 0])
    n_named, _ = count_worth_naming(synergies, len(pairs))
    cells = [_cells(grid, share, is_named=k < n_named) for k, (grid, share) in enumerate(grids)]
    names = [partition.name for partition in looked.own]
    lost = -found.synergy / LOG_2
    return replace(
        together,
        pairs=[one.pair for one in cells],
        cells=cells[:_N_DRAWN],
        redundant={
            frozenset((names[i], names[j])): float(bits)
            for (i, j), bits in zip(found.pairs.tolist(), lost, strict=True)
            if bits > 0 and shared[i, j] >= LEAST_SHARED
        },
    )


def _cells(grid: Grid, shared: float, *, is_named: bool) -> PairCells:
    """Take what a page shows of a grid; parts without rows are left out."""
    first, second = grid.column_gains
    pair = Pair(
        (grid.names[0], grid.names[1]),
        grid.level,
        grid.gain / LOG_2,
        (first / LOG_2, second / LOG_2),
        (grid.n_parts[0], grid.n_parts[1]),
        shared,
        is_named,
    )
    counts = grid.tally.class_counts.reshape(*grid.rule.n_codes, -1)
    kept = [np.flatnonzero(counts.sum(axis=axes) > 0) for axes in ((1, 2), (0, 2))]
    labels = [[grid.rule.axis_labels_of(a)[k] for k in kept[a]] for a in range(2)]
    return PairCells(pair, (labels[0], labels[1]), counts[np.ix_(*kept)].tolist())


def _related(found: Together) -> dict[str, list[Related]]:
    """Name in each column those it says more with, and those it repeats."""
    related: dict[str, list[Related]] = {}

    def add(name: str, other: str, text: str, is_redundant: bool = False) -> None:
        related.setdefault(name, []).append(Related(other, text, is_redundant))

    for group in found.groups:
        kept, *others = group
        for other in others:
            bits = found.redundant_bits(kept, other)
            share = found.shared[found.names.index(kept)][found.names.index(other)]
            about = f", redundant by {write_bits(bits)} bits" if bits else ""
            add(other, kept, f"shares {share:.0%} with it{about}: keep that one", True)
            add(kept, other, f"shares {share:.0%} with it{about}")
    for pair in found.pairs:
        if pair.is_named and pair.synergy > 0:
            text = f"together they save {write_bits(pair.synergy)} bits more than apart"
            add(pair.names[0], pair.names[1], text)
            add(pair.names[1], pair.names[0], text)
    return {name: some[:_MOST_NAMED] for name, some in related.items()}
