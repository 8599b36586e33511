"""How far a partition may be from the optimum, certified: by what no partition is below.

The optimum is that of the criterion whose cost the partition carries: the method's own, or MODL
where the method has none. Limits only raise it, so that what no partition is below serves them too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage._partitions.costs import BIT, beside_of, present_of
from partage._partitions.found import OpenGap
from partage._search.bounds import bound_of_line, bound_of_rows, least_growth
from partage._search.core import find_partition
from partage._search.limits import Limits
from partage._search.lowest import MOST_EXACT
from partage._search.methods import methods
from partage._search.readings import Asked
from partage._spaces.space import LEAST_BYTES

if TYPE_CHECKING:
    from partage._partitions.partition import Partition

__all__ = ["TIE", "certified_gap", "gap_or_whole", "in_unit", "is_certified", "proof_of"]

_MOST_OTHERS = 500  # for criteria whose exact program skips nothing
TIE = 1e-9  # costs nearer than this share of themselves are equal to the searches


def certified_gap(partition: Any) -> float:
    """Bits by which the optimum may be lower at most; the criterion's own unit if it has one."""
    lowest = 0.0  # cells of graphs: none is shorter than nothing
    if partition.rule.is_of_columns:
        is_read = partition._method.reading is not None
        lowest = _lowest_read(partition) if is_read else _lowest(partition)
    above = max(partition.cost - lowest, 0.0)
    if above <= TIE * abs(partition.cost):
        above = 0.0
    return in_unit(partition, above + blur(partition.cost))


def gap_or_whole(partition: Any, n_bytes: int) -> float | OpenGap:
    """Give the gap of a partition whose values are about to be joined.

    It takes all values, and longer than finding the parts: where they fit so much memory without
    their keys, they are kept until somebody asks.
    """
    known: float | OpenGap | None = partition.found.gap
    if known is not None:
        return known
    units = partition.units
    if not partition._method.reads_line or units.line_bytes > max(n_bytes, LEAST_BYTES):
        return float(partition.gap)
    return OpenGap(replace(partition, units=units.without_keys()))


def blur(cost: float) -> float:
    """Nats within which the core cannot tell costs apart, where that is more than one."""
    within = TIE * abs(cost)
    return within if within > 1.0 else 0.0


def in_unit(partition: Partition, above: float) -> float:
    """Bits of nats; the costs of a criterion that counts no nats stay as they are."""
    return above / BIT if _unit(partition) == "nats" else above


def proof_of(partition: Any) -> str:
    """Say in words how near the optimum is."""
    if partition.is_optimal:
        return "proven"
    gap, code = partition.gap, _code(partition)
    if gap == 0.0:
        return f"as low as the optimum{code} (certified)"
    if gap * BIT >= partition.cost * (1.0 - 1e-9) > 0.0:
        return "not proven to be the optimum"  # a bound of nothing bounds nothing
    shown = f"{gap:.1f}" if 0.05 <= gap < 1e6 else f"{gap:.2g}"
    unit = " bits" if _unit(partition) == "nats" else ""
    return f"at most {shown}{unit} above the optimum{code}"


def is_certified(partition: Any) -> bool:
    """Whether a gap of 0 proves the optimum: among all codes, and not among those of one."""
    return not _code(partition) and partition.gap == 0.0


def _code(partition: Any) -> str:
    """Say of which code of a target the gap is, where the code was chosen too."""
    reading = partition._method.reading if partition.rule.is_of_columns else None
    return "" if reading is None else str(reading.of_code)


def _unit(partition: Any) -> str:
    return str(partition._method.unit) if partition.rule.is_of_columns else "nats"


def _lowest(partition: Partition) -> float:
    """Cost that no partition of the column is below."""
    criterion, numbers = _criterion(partition)
    present, beside = present_of(partition), beside_of(partition)
    if not present.any():
        return partition.cost if partition.n_parts == 1 else 0.0
    merged = np.array(
        [r for r, part in zip(beside.counts, beside.parts, strict=True) if part is not None]
    ).reshape(-1, present.shape[1])
    others = beside.cost(1) if criterion == "modl" else 0.0
    if len(merged) and methods()[criterion].unit != "nats":
        # Rows that join change what other rows cost: nothing but single values is compared.
        rows = np.vstack([_rows(partition, present), merged])
        return bound_of_rows(rows, criterion, numbers)
    growth = least_growth(merged, criterion, numbers) if len(merged) else 0.0
    known = partition.cost - others - growth
    return _lowest_present(partition, present, criterion, numbers, known) + others + growth


def _lowest_read(partition: Any) -> float:
    """Cost that no partition is below that has the same code, of a number or of joined classes."""
    reading, units = partition._method.reading, partition.units
    present, beside = present_of(partition), beside_of(partition)
    is_known = units is not None and units.is_exact and partition.rule.is_line
    if not is_known or beside.has_merged or not present.any():
        return 0.0
    apart = beside.apart_counts
    # What the costs of all partitions share, from some two parts.
    halves = np.stack([present.sum(axis=0) / 2.0] * 2)
    shared = reading.costs(halves, apart, beside.naming(2))[0] - reading.taken(halves, apart)
    sizes = {n: partition.constraints.get(n) for n in ("n_parts", "max_parts")}
    limits = Limits(**(sizes if not partition.history else {}))
    asked = Asked(replace(units, aside=beside.tally), "auto", limits)
    lowest = float(shared + reading.lowest(asked, partition.cost - shared))
    # One part alone has no code to be told.
    return max(lowest if len(apart) else min(lowest, partition.null_cost), 0.0)


def _criterion(partition: Partition) -> tuple[str, Sequence[float]]:
    """Criterion of the cost of a partition, and its parameters."""
    method = partition._method
    is_own = method.has_own_cost and not (method.space == "any" and partition.rule.is_line)
    if not is_own:
        return "modl", []
    known = methods()[method.criterion]
    return known.name, known.numbers("gap", partition.method_params)


def _lowest_present(
    partition: Partition,
    present: NDArray[np.float64],
    criterion: str,
    numbers: Sequence[float],
    known: float,
) -> float:
    """Cost that no partition of the rows that are not set aside is below."""
    units, given = partition.units, partition.constraints
    if not partition.rule.is_line and criterion == "modl":
        return least_growth(_rows(partition, present), criterion, numbers)
    if units is None or not units.is_exact or not partition.rule.is_line:
        return bound_of_rows(_rows(partition, present), criterion, numbers)
    is_as_asked = not partition.history and present.any(axis=1).all()
    sizes = {n: given.get(n) for n in ("n_parts", "max_parts")} if is_as_asked else {}
    if units.n_units <= (MOST_EXACT if methods()[criterion].unit == "nats" else _MOST_OTHERS):
        return find_partition(units, methods()[criterion], "exact", Limits(**sizes), numbers).cost
    return bound_of_line(units.line, criterion, numbers, **sizes, known=known)


def _rows(partition: Partition, present: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rows of the values; where they are not known, one of each class, which are the cheapest."""
    units = partition.units
    if units is None or not units.is_exact:
        return np.diag(present.sum(axis=0))
    return units.counts()
