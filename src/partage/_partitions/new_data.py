"""A partition on other data than it was fitted on: counts, level, population stability."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage._data.categories import key_of
from partage._data.keys import keys_like
from partage._data.table import Categories, Column, read_categories, read_column
from partage._partitions.costs import beside_of, line_costs, modl_costs, own_costs
from partage._search.aside import Beside, codes_of_special, count_beside, take_special
from partage._search.core import level_of, part_length
from partage._spaces.space import line_from_counts, ordered_space, unordered_space
from partage._spaces.units import Units
from partage._targets.read import read_target
from partage._targets.tally import Tally
from partage._targets.target import TargetRows, check_lengths

if TYPE_CHECKING:
    from partage._partitions.partition import Partition


# What nobody knows of parts on other rows than they were found on.
UNKNOWN: dict[str, Any] = {
    "is_optimal": False,
    "history": (),
    "price": None,
    "gap": None,
    "constraints": {},
}


@dataclass(frozen=True)
class CodeCounts:
    """Class weights and rows of each code of a partition."""

    counts: NDArray[np.float64]
    rows: NDArray[np.int64]

    @property
    def tally(self) -> Tally:
        """Take them as a tally."""
        return Tally.of_counts(self.counts, self.rows)

    @property
    def shares(self) -> NDArray[np.float64]:
        """Share of each code in the weight."""
        sizes = self.counts.sum(axis=1)
        return np.asarray(sizes / max(sizes.sum(), np.finfo(float).tiny))


def fitted_counts(partition: Partition) -> CodeCounts:
    """Take the counts of the training rows; what was merged counts in its part only."""
    homes = homes_of(partition)
    apart = np.array([home is None for home in homes])
    counts, rows = partition.code_counts().copy(), partition.code_rows().copy()
    counts[~apart], rows[~apart] = 0.0, 0
    return CodeCounts(counts, rows)


def homes_of(partition: Any) -> list[int | None]:
    """Part that each code was merged with; None for parts and for codes kept apart."""
    homes: list[int | None] = [None] * partition.n_parts
    homes.append(partition.missing_part)
    if partition.has_unseen:
        homes.append(getattr(partition, "garbage", None))
    homes.extend(partition.special_parts)
    return homes


def count_codes(who: str, partition: Any, x: Any, y: Any, sample_weight: Any) -> CodeCounts:
    """Count the classes of each code in new data."""
    target = target_like(who, partition, y, sample_weight)
    codes = partition.assign(x)
    check_lengths(who, "x", len(codes), target)
    return sum_codes(partition, codes if target.kept is None else codes[target.kept], target)


def sum_codes(partition: Any, codes: NDArray[np.int64], target: TargetRows) -> CodeCounts:
    """Sum class weights by code."""
    n_codes, n_classes = len(partition.code_labels()), target.n_classes
    cells = codes * n_classes + target.codes
    counts = np.bincount(cells, target.weights, minlength=n_codes * n_classes).astype(np.float64)
    rows = np.bincount(codes, minlength=n_codes).astype(np.int64)
    return CodeCounts(counts.reshape(n_codes, n_classes), rows)


def target_like(who: str, partition: Any, y: Any, sample_weight: Any) -> TargetRows:
    """Read a target in the classes of a partition."""
    rows = read_target(who, y, sample_weight)
    found: TargetRows = partition.target.codes_like(who, rows, f"column {partition.name!r}")
    return found


def stability(expected: CodeCounts, found: CodeCounts) -> NDArray[np.float64]:
    """Contribution of each code to the population stability index.

    Shares are those of sizes with half a row more, as for the weight of evidence, so that an empty
    code counts but not without bound. Codes that neither holds count nothing.
    """
    sizes = np.stack([expected.counts.sum(axis=1), found.counts.sum(axis=1)])
    held = sizes.any(axis=0)
    smooth = np.where(held, sizes + 0.5, 0.0)
    p, q = smooth / smooth.sum(axis=1, keepdims=True)
    return np.where(held, (q - p) * np.log(np.where(held, q, 1.0) / np.where(held, p, 1.0)), 0.0)


def psi(partition: Any, x: Any) -> float:
    """Compute the population stability index of a column against the training data."""
    codes = partition.assign(x)
    if len(codes) == 0:
        raise ValueError(f"{type(partition).__name__}.psi: x must hold rows; got none.")
    rows = np.bincount(codes, minlength=len(partition.code_labels())).astype(np.int64)
    found = CodeCounts(rows[:, None].astype(np.float64), rows)
    return float(stability(fitted_counts(partition), found).sum())


def level_on(partition: Partition, found: CodeCounts) -> float:
    """Level of the same parts on new data; unseen values are described beside, as missing ones."""
    cost, null = new_costs(partition, found)
    return level_of(cost, null)


def expected_level(partition: Partition, total: float) -> float:
    """Level that the fitted shares have at another total weight."""
    fitted = fitted_counts(partition)
    weight = fitted.counts.sum()
    if total == 0 or weight == 0:
        return 0.0
    return level_on(partition, replace(fitted, counts=fitted.counts * (total / weight)))


def new_costs(partition: Any, found: CodeCounts) -> tuple[float, float]:
    """Cost and cost of one part of new data under MODL, in nats."""
    n_parts = partition.n_parts
    present, others = found.counts[:n_parts], found.counts[n_parts:]
    beside = Beside(others, found.rows[n_parts:], (None,) * len(others))
    if not hasattr(partition, "groups") or partition.is_ordered:
        return line_costs(present, beside)
    # Which value is in which group was told once, in training.
    fitted = modl_costs(partition)
    inside = sum(map(part_length, partition.counts)) + beside_of(partition).cost(n_parts)
    structure = fitted[0] - inside
    null_structure = fitted[1] - part_length(partition.totals())
    cost = structure + sum(map(part_length, present)) + beside.cost(n_parts)
    return cost, null_structure + part_length(found.counts.sum(axis=0))


def recount(partition: Any, x: Any, y: Any, sample_weight: Any) -> Any:
    """Count the same parts on other data, as if they had been fitted there."""
    who = f"{type(partition).__name__}.recount"
    target = target_like(who, partition, y, sample_weight)
    if hasattr(partition, "groups"):
        values = read_categories(who, x, partition.name)
        check_lengths(who, "x", len(values.codes), target)
        return recount_column(who, partition, values, target, refuses_unseen=True)
    column = read_column(who, x, partition.name, partition.kind)
    check_lengths(who, "x", len(column.keys), target)
    return recount_column(who, partition, column, target)


def recount_column(
    who: str,
    partition: Any,
    given: Column | Categories,
    target: TargetRows,
    *,
    refuses_unseen: bool = False,
) -> Any:
    """Count the same parts on a column that was read, and price them."""
    rough = count_column(who, partition, given, target, refuses_unseen=refuses_unseen)
    cost, null_cost, level = own_costs(rough, modl_costs(rough))
    return replace(rough, cost=cost, null_cost=null_cost, level=level)


def count_column(
    who: str,
    partition: Any,
    given: Column | Categories,
    target: TargetRows,
    *,
    refuses_unseen: bool = False,
    keeps_values: bool = True,
) -> Any:
    """Count the same parts on a column that was read, in the classes of its target.

    Values of no group join the garbage group; without one they are refused, or not counted. The
    costs stay those of the rows before. Unless ``keeps_values``, single values are not counted.
    """
    if not keeps_values:
        codes, changes, beside = _count_parts_alone(who, partition, given, target)
    elif isinstance(given, Categories):
        codes = partition._assign_categories(who, given)
        kept = given.take(target.kept)
        unseen = _unseen_values(partition, kept)
        if unseen and refuses_unseen and partition.garbage is None:
            raise ValueError(
                f"{who}: every value must be in a group of column {partition.name!r}; got "
                f"{unseen[0]!r}. Drop its rows, or group the column again."
            )
        changes, beside = _recount_groups(partition, kept, unseen, target)
    else:
        codes = partition._assign_column(who, given)
        changes, beside = _recount_intervals(who, partition, given.take(target.kept), target)
    found = sum_codes(partition, codes if target.kept is None else codes[target.kept], target)
    fields = replace(beside, parts=(partition.missing_part, *partition.special_parts)).as_fields(
        partition.special_values
    )
    n_parts = partition.n_parts
    counts, rows = found.counts[:n_parts].copy(), found.rows[:n_parts].copy()
    event = partition.event
    if partition.classes.tolist() != target.classes.tolist():
        event = target.event
    return replace(
        partition,
        **changes,
        **fields,
        **UNKNOWN,
        classes=target.classes,
        event=event,
        counts=counts,
        rows=rows,
    )


def _count_parts_alone(
    who: str, partition: Any, given: Column | Categories, target: TargetRows
) -> tuple[NDArray[np.int64], dict[str, Any], Beside]:
    """Codes of the rows and what lies beside the parts; groups as they are, but for new values."""
    n_special = len(partition.special_values)
    changes: dict[str, Any] = {"units": None}
    special = None
    if isinstance(given, Categories):
        codes = partition._assign_categories(who, given)
        kept = given.take(target.kept)
        missing = kept.missing_mask()
        _, special = take_special(kept, partition.special_values)
        known = partition._code_of
        new = [value for value in kept.values if key_of(value) not in known]
        if new and partition.garbage is not None:
            groups = list(partition.groups)
            groups[partition.garbage] = (*groups[partition.garbage], *new)
            changes["groups"] = tuple(groups)
            changes["n_values"] = partition.n_values + len(new)
    else:
        codes = partition._assign_column(who, given)
        column = given.take(target.kept)
        missing = keys_like(who, column, partition.kind).missing_mask()
        if n_special:
            special = codes_of_special(column, partition._special_keys, partition.kind)
    return codes, changes, count_beside(target, missing, special, n_special)


def _unseen_values(partition: Any, column: Categories) -> list[Any]:
    """Values of a column that are neither special nor in a group."""
    known = {key_of(v) for group in partition.groups for v in group}
    known |= {key_of(value) for value in partition.special_values}
    return [value for value in column.values if key_of(value) not in known]


def _recount_intervals(
    who: str, partition: Any, given: Column, target: TargetRows
) -> tuple[dict[str, Any], Beside]:
    """Count the distinct values, and missing and special ones."""
    column = keys_like(who, given, partition.kind)
    special = None
    n_special = len(partition.special_values)
    if n_special:
        special = codes_of_special(given, partition._special_keys, partition.kind)
    beside = count_beside(target, column.missing_mask(), special, n_special)
    space = ordered_space(column if special is None else column.without(special >= 0), target)
    return {"units": Units.of(space, space.unit_rows), "n_values": space.n_units}, beside


def _recount_groups(
    partition: Any, given: Categories, unseen: list[Any], target: TargetRows
) -> tuple[dict[str, Any], Beside]:
    """Count the values, of which unseen ones join the garbage group, and those beside."""
    column, special = take_special(given, partition.special_values)
    beside = count_beside(target, given.missing_mask(), special, len(partition.special_values))
    groups = [list(group) for group in partition.groups]
    if partition.garbage is None:
        column, _ = take_special(column, tuple(unseen))
    else:
        groups[partition.garbage].extend(unseen)
    held = {key_of(value) for value in column.values}
    absent = [value for group in groups for value in group if key_of(value) not in held]
    space = unordered_space(column, target)
    units = _with_empty(Units.of(space, space.unit_rows, tuple(column.values)), absent)
    members = tuple(map(tuple, groups))
    if partition.is_ordered:
        units = units.in_order([value for group in members for value in group])
    return {"units": units, "groups": members, "n_values": sum(map(len, members))}, beside


def _with_empty(units: Units, absent: list[Any]) -> Units:
    """Append values that no row holds."""
    if not absent:
        return units
    counts = np.vstack([units.counts(), np.zeros((len(absent), int(units.line.n_classes)))])
    rows = None if units.rows is None else np.append(units.rows, np.zeros(len(absent), np.int64))
    keys = np.arange(len(counts))
    return Units(line_from_counts(counts).line, keys, keys, rows, (*units.values, *absent))
