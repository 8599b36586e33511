"""Products of columns: cells grouped by MODL, kept if they say more than their members."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._data.table import Table
from partage._estimators.bayes.features import (
    ProductFeature,
    cells_of,
    n_codes,
    structure_of,
)
from partage._partitions.find import fit_column
from partage._partitions.found import Found
from partage._partitions.groups import Groups
from partage._partitions.pairs import count_worth_naming
from partage._partitions.partition import Partition
from partage._partitions.value_groups import ValueGroups
from partage._search.core import level_of
from partage._search.settings import check_group_settings, check_settings
from partage._support.parallel import run_all
from partage._support.portable import exact_sum, log
from partage._targets.tally import Tally
from partage._targets.target import TargetRows

__all__ = ["find_products", "product_feature"]

_BINS = (2, 4, 8)  # parts of equal frequency, or most frequent values, beside the column's own
_MOST_CELLS = 2**20  # of one product
_MOST_COUNTS = 2**23  # of the classes in its cells
_MOST_AT_ONCE = 64  # products
_CHUNK_BYTES = 2**26  # of the products grouped at once
_MORE = 1e-9  # by which a level must exceed the sum of others


@dataclass(frozen=True)
class _Scheme:
    """One way to code every column: a partition of each, the codes of the rows, its price.

    Parts that were found with the classes in view are described with the product; bins that were
    not cost nothing.
    """

    codings: list[Partition]
    codes: list[NDArray[Any]]
    prices: list[float]


def find_products(
    who: str,
    table: Table,
    target: TargetRows,
    partitions: Sequence[Partition],
    *,
    size: int,
    max_memory: float,
    verbose: bool,
    n_jobs: int,
) -> list[ProductFeature]:
    """Return the products of up to ``size`` columns that say more than their members."""
    n_rows, n_columns = target.n_rows, len(partitions)

    def check_memory(needed: int) -> None:
        if needed > max_memory:
            raise MemoryError(
                f"{who}: interactions={size} must fit into max_memory; {n_rows} rows of "
                f"{n_columns} columns need {needed / 2**20:.3g} MB, max_memory is "
                f"{max_memory / 2**20:.3g} MB. Raise it, or pass fewer columns or rows."
            )

    for_codes = 2 * n_rows * n_columns * (len(_BINS) + 1)
    check_memory(for_codes)
    schemes = _make_schemes(who, table, target, partitions, n_jobs)
    plans = {m: _plan(schemes, target, m, n_jobs) for m in range(1, min(size, n_columns) + 1)}
    check_memory(for_codes + max(plan.n_bytes for plan in plans.values()))
    levels: dict[tuple[int, ...], float] = {
        (k,): partition.level for k, partition in enumerate(partitions)
    }
    kept: list[ProductFeature] = []
    for n_members, plan in plans.items():
        found = []
        for members, best in _evaluate(schemes, target, plan, verbose, n_jobs):
            if n_members == 1:
                # The information of a column's bins alone is not due to its products.
                levels[members] = max(levels[members], best.level)
            elif best.level > _level_apart(members, levels) + _MORE and best.group_of.max() > 0:
                found.append((members, best))
        found = _worth_naming(found, levels, math.comb(n_columns, n_members))
        kept += [_feature(members, best, schemes, target, table) for members, best in found]
        levels.update({members: best.level for members, best in found})
    return kept


def _worth_naming(
    found: list[tuple[tuple[int, ...], _Candidate]],
    levels: dict[tuple[int, ...], float],
    n_known: int,
) -> list[tuple[tuple[int, ...], _Candidate]]:
    """Keep the products that save more than their members and the price of naming them."""
    more = np.array(
        [(best.level - _level_apart(members, levels)) * best.null_cost for members, best in found]
    )
    best_first = np.argsort(-more, kind="stable")
    n_named, price = count_worth_naming(more[best_first], n_known)
    named = np.sort(best_first[:n_named]).tolist()
    return [(found[i][0], replace(found[i][1], cost=found[i][1].cost + price)) for i in named]


def _level_apart(members: tuple[int, ...], levels: dict[tuple[int, ...], float]) -> float:
    """Highest sum of the levels of columns and kept pairs that make up a product."""
    splits = [exact_sum(levels[(k,)] for k in members)]
    for pair in combinations(members, 2):
        if len(members) == 3 and pair in levels:
            (other,) = (k for k in members if k not in pair)
            splits.append(levels[pair] + levels[(other,)])
    return max(splits)


@dataclass(frozen=True)
class _Plan:
    """Products to be grouped, those of a chunk at once, and the bytes that this takes."""

    name: str
    chunks: list[list[tuple[int, ...]]]
    n_bytes: int


def _plan(schemes: list[_Scheme], target: TargetRows, n_members: int, n_jobs: int) -> _Plan:
    """Divide the products of these columns so that a block of chunks fits the memory."""
    sizes = [[n_codes(coding) for coding in scheme.codings] for scheme in schemes]
    most_cells = _most_cells(target)
    chunks: list[list[tuple[int, ...]]] = [[]]
    filled = [0]
    largest = 0
    for members in combinations(range(len(sizes[0])), n_members):
        cells = max(math.prod(size[k] for k in members) for size in sizes)
        cells = min(cells, most_cells)
        own = 4 * target.n_rows + 8 * cells  # cells of the rows; groups of the cells, twice
        if len(chunks[-1]) == _MOST_AT_ONCE or filled[-1] + own > _CHUNK_BYTES // n_jobs:
            chunks.append([])
            filled.append(0)
        chunks[-1].append(members)
        filled[-1] += own
        largest = max(largest, cells)
    n_bytes = n_jobs * (max(filled) + 8 * target.n_classes * largest)
    name = {1: "columns", 2: "pairs", 3: "triples"}[n_members]
    return _Plan(name, [chunk for chunk in chunks if chunk], n_bytes)


def _most_cells(target: TargetRows) -> int:
    """Most cells of a product; products of more are passed over."""
    return min(_MOST_CELLS, _MOST_COUNTS // target.n_classes)


def _make_schemes(
    who: str, table: Table, target: TargetRows, partitions: Sequence[Partition], n_jobs: int
) -> list[_Scheme]:
    """Code every column by its own parts, and by several numbers of bins."""

    def code(task: tuple[int, int], cancel: _core.Cancel) -> tuple[Partition, NDArray[Any]]:
        index, bins = task
        coding = partitions[index]
        if bins:
            coding = _bin_column(who, table, index, target, coding, bins, cancel)
        codes = coding._assign_from(who, table, index)
        codes = codes if target.kept is None else codes[target.kept]
        narrow = np.uint16 if n_codes(coding) < 2**16 else np.uint32
        return coding, codes.astype(narrow)

    schemes = []
    for bins in (0, *_BINS):
        done = run_all(code, [(k, bins) for k in range(len(partitions))], n_jobs)
        codings = [coding for coding, _ in done]
        prices = [0.0 if bins else structure_of(coding) for coding in codings]
        schemes.append(_Scheme(codings, [codes for _, codes in done], prices))
    return schemes


def _bin_column(
    who: str,
    table: Table,
    index: int,
    target: TargetRows,
    partition: Partition,
    bins: int,
    cancel: _core.Cancel,
) -> Partition:
    """Cut a numeric column at its quantiles; keep the most frequent values of another."""
    shared = {
        "n_parts": None,
        "max_parts": bins,
        "min_part_size": None,
        "missing": "separate",
        "method_params": None,
        "special_values": {partition.name: list(partition.special_values)},
        "special": "separate",
    }
    if partition.rule.is_measured:
        settings = check_settings(who, method="equal-frequency", **shared)
        column: Any = partition.rule.read_from(who, table, index)
        return fit_column(who, column, target, settings, cancel=cancel, library=table.library)
    shared["max_parts"] = None
    plain = check_group_settings(who, method="none", **shared)
    values = table.categories(who, index).unordered()
    found: Any = fit_column(who, values, target, plain, cancel=cancel, library=table.library)
    return _most_frequent(found, bins)


def _most_frequent(groups: Groups, bins: int) -> Groups:
    """Keep the most frequent values alone, the others together."""
    if groups.n_parts <= bins:
        return groups
    order = np.argsort(-groups.rows, kind="stable")
    alone, rest = np.sort(order[: bins - 1]), np.sort(order[bins - 1 :])
    merged = tuple(value for k in rest for value in groups.groups[k])
    members = (*(groups.groups[k] for k in alone), merged)
    tally, n_parts = groups.tally, groups.n_parts
    return replace(
        groups,
        rule=replace(groups.rule, groups=members, garbage=bins - 1),
        tally=tally.take(alone).concat(tally.take(rest).total(), tally.take(slice(n_parts, None))),
    )


@dataclass(frozen=True)
class _Candidate:
    """The best grouping of a product: its scheme, the group of each cell, its costs."""

    scheme: int
    group_of: NDArray[np.int32]
    cost: float
    null_cost: float

    @property
    def level(self) -> float:
        """Level of the groups."""
        return level_of(self.cost, self.null_cost)


def _evaluate(
    schemes: list[_Scheme],
    target: TargetRows,
    plan: _Plan,
    verbose: bool,
    n_jobs: int,
) -> Iterator[tuple[tuple[int, ...], _Candidate]]:
    """Yield every product of a plan with the best grouping of its cells."""
    chunks = plan.chunks
    choice = log(len(schemes))  # the scheme is described too
    total, done = sum(map(len, chunks)), 0

    def group_chunk(chunk: list[tuple[int, ...]], cancel: _core.Cancel) -> list[_Candidate | None]:
        best: list[_Candidate | None] = [None] * len(chunk)
        for s, scheme in enumerate(schemes):
            for place, found in _group_cells(scheme, s, chunk, target, choice, cancel):
                current = best[place]
                if current is None or found.cost < current.cost - 1e-9:
                    best[place] = found
        return best

    for i in range(0, len(chunks), n_jobs):
        if verbose:
            print(f"\r{done} of {total} {plan.name}", end="", file=sys.stderr, flush=True)
        block = chunks[i : i + n_jobs]
        for chunk, candidates in zip(block, run_all(group_chunk, block, n_jobs), strict=True):
            for members, candidate in zip(chunk, candidates, strict=True):
                if candidate is not None:
                    yield members, candidate
            done += len(chunk)
    if verbose:
        print(f"\r{total} of {total} {plan.name}", file=sys.stderr)


def _group_cells(
    scheme: _Scheme,
    number: int,
    chunk: list[tuple[int, ...]],
    target: TargetRows,
    choice: float,
    cancel: _core.Cancel,
) -> Iterator[tuple[int, _Candidate]]:
    """Group the cells of products under one scheme; those of too many cells are passed over."""
    sizes = [[n_codes(scheme.codings[k]) for k in members] for members in chunk]
    places = [i for i, size in enumerate(sizes) if math.prod(size) <= _most_cells(target)]
    if not places:
        return
    cells = np.vstack(
        [cells_of([scheme.codes[k] for k in chunk[i]], sizes[i]).astype(np.uint32) for i in places]
    )
    n_cells = np.array([math.prod(sizes[i]) for i in places], dtype=np.int64)
    group_of, _, _, costs, null_costs = _core.group_columns(
        cells, n_cells, target.codes, target.weights, target.n_classes, "modl", [], cancel
    )
    parts = np.split(group_of, np.cumsum(n_cells)[:-1])
    for i, part, cost, null_cost in zip(places, parts, costs, null_costs, strict=True):
        price = choice + exact_sum(scheme.prices[k] for k in chunk[i])
        yield i, _Candidate(number, part.copy(), float(cost) + price, float(null_cost))


def _feature(
    members: tuple[int, ...],
    best: _Candidate,
    schemes: list[_Scheme],
    target: TargetRows,
    table: Table,
) -> ProductFeature:
    """Make a feature of the best grouping of a product."""
    scheme = schemes[best.scheme]
    codings = tuple(scheme.codings[k] for k in members)
    cells = cells_of([scheme.codes[k] for k in members], [n_codes(coding) for coding in codings])
    costs = best.cost, best.null_cost
    return product_feature(members, codings, cells, best.group_of, costs, target, table)


def product_feature(
    members: tuple[int, ...],
    codings: tuple[Partition, ...],
    cells: NDArray[np.int64],
    cell_groups: NDArray[np.int32],
    costs: tuple[float, float],
    target: TargetRows,
    table: Table,
) -> ProductFeature:
    """Make a feature of cells of columns: groups in the order of the share of the last class.

    ``cells`` holds the cell of each row that counts, ``cell_groups`` the group of each cell, -1 for
    those without rows.
    """
    sizes = [n_codes(coding) for coding in codings]
    n_groups = int(cell_groups.max()) + 1
    groups = cell_groups[cells].astype(np.int64)
    pairs = groups * target.n_classes + target.codes
    flat = np.bincount(pairs, target.weights, minlength=n_groups * target.n_classes)
    counts = flat.astype(np.float64).reshape(n_groups, target.n_classes)
    rows = np.bincount(groups, minlength=n_groups)
    weight = counts.sum(axis=1)
    order = np.lexsort((weight, counts[:, -1] / weight))
    place = np.append(np.argsort(order), n_groups)  # absent cells, group -1, are unseen
    group_of = place[cell_groups]
    return ProductFeature(
        members,
        codings,
        group_of,
        Groups(
            rule=ValueGroups(
                " x ".join(coding.name for coding in codings),
                groups=_name_cells(codings, sizes, group_of, n_groups),
            ),
            tally=Tally.of_counts(counts[order], rows[order]).concat(target.target.empty(1)),
            target=target.target.as_kept().marked(1, 1),
            found=Found("modl", *costs, level_of(*costs), is_optimal=False),
            n_values=int((cell_groups >= 0).sum()),
            library=table.library,
        ),
    )


def _name_cells(
    codings: tuple[Partition, ...], sizes: list[int], group_of: NDArray[np.int64], n_groups: int
) -> tuple[tuple[str, ...], ...]:
    """List the cells of each group by the labels of their parts."""
    labels = [coding.code_labels() for coding in codings]
    members: list[list[str]] = [[] for _ in range(n_groups)]
    for cell in np.flatnonzero(group_of < n_groups):
        digits = np.unravel_index(int(cell), sizes)
        name = " x ".join(labels[i][int(digit)] for i, digit in enumerate(digits))
        members[group_of[cell]].append(name)
    return tuple(map(tuple, members))
