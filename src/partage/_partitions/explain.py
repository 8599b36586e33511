"""Why a partition is what it is: each cut's worth, the next cut's price, the runner-up."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._display.notebook import text_html
from partage._partitions.costs import (
    BIT,
    beside_of,
    group_of_units,
    modl_costs,
    part_lengths,
    present_of,
)

_MOST_SHOWN = 12  # cuts or groups that the text names
_MOST_MOVES = 20_000_000  # numbers looked at for the moves of values


@dataclass(frozen=True)
class Explanation:
    """Why these parts; ``facts`` holds the numbers, ``str()`` the text.

    Attributes
    ----------
    facts : dict
        ``cost`` and ``null_cost`` in bits; ``merges``, ``more`` and ``moves``: the alternatives
        that differ by one step, cheapest first, each an edit and its price in bits;
        ``runner_up``: the cheapest of them.
    """

    text: str
    facts: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return text_html(self.text)


def explain(partition: Any) -> Explanation:
    """Compare a partition with those that differ from it by one step."""
    cost, null_cost = (nats / BIT for nats in modl_costs(partition))
    is_groups = hasattr(partition, "groups")
    merges = _sorted(_merges(partition))
    more = _sorted(_group_splits(partition) if is_groups else _splits(partition))
    moves = _sorted(_value_moves(partition) if is_groups else _cut_moves(partition))
    every = _sorted(iter([*merges[:1], *more[:1], *moves[:1]]))
    facts = {
        "cost": cost,
        "null_cost": null_cost,
        "merges": merges,
        "more": more,
        "moves": moves,
        "runner_up": every[0] if every else None,
    }
    return Explanation("\n".join(_lines(partition, facts)), facts)


def _sorted(found: Iterator[tuple[str, float]]) -> list[tuple[str, float]]:
    """Alternatives by price."""
    return sorted(found, key=lambda pair: pair[1])


def _lines(partition: Any, facts: dict[str, Any]) -> list[str]:
    """Write the text."""
    noun = "group" if hasattr(partition, "groups") else "part"
    n = partition.n_parts
    limited = " within the limits" if partition.constraints else ""
    proof = (
        f"no other partition{limited} costs less (proven)"
        if partition.is_optimal
        else "no proof that none costs less"
    )
    lines = [
        f"{partition.name}: {n} {noun}{'' if n == 1 else 's'} of {partition.n_values} "
        f"value{'' if partition.n_values == 1 else 's'} by "
        f"{partition.method}, level {partition.level:.4f}; {proof}.",
        f"One {noun} for all describes the classes in {facts['null_cost']:.1f} bits, these in "
        f"{facts['cost']:.1f}: {_saved(partition, facts)}",
    ]
    lines += _limits(partition)
    lines.append(
        f"One {noun}: {_why_one(partition, facts)}" if n == 1 else f"One {noun} less would cost:"
    )
    lines += [f"  {action}: {price:+.2f} bits" for action, price in facts["merges"]]
    more = facts["more"]
    lines.append(
        f"One more: the best is {more[0][0]}, {more[0][1]:+.2f} bits."
        if more
        else f"One more: no {noun} can be divided with the counts that are kept."
    )
    if facts["moves"]:
        action, price = facts["moves"][0]
        lines.append(f"As many, one border elsewhere: the best is {action}, {price:+.2f} bits.")
    if facts["runner_up"]:
        action, price = facts["runner_up"]
        lines.append(f"Runner-up among all that differ by one step: {action}, {price:+.2f} bits.")
    if partition.method != "modl":
        lines.append(f"{partition.method} chose these {noun}s by its own rule; prices are MODL's.")
    return lines


def _saved(partition: Any, facts: dict[str, Any]) -> str:
    """Say what the partition saves, or what makes it cost more than one part."""
    saved = round(facts["null_cost"] - facts["cost"], 1) + 0.0
    if saved >= 0:
        return f"{saved:.1f} bits saved (MODL)."
    reasons = ["the limits ask for them"] if partition.constraints else []
    beside = beside_of(partition)
    pairs = zip(beside.counts, beside.parts, strict=True)
    if any(row.any() and part is None for row, part in pairs):
        reasons.append("missing or special values are told apart")
    if partition.method != "modl":
        reasons.append(f"{partition.method} chose them by its own rule")
    if partition.history:
        reasons.append("edits made them")
    since = f", since {' and '.join(reasons)}" if reasons else ""
    return f"{-saved:.1f} bits more (MODL){since}."


def _limits(partition: Any) -> list[str]:
    """Say what limits cost, and that the steps below are free of them."""
    if not partition.constraints:
        return []
    named = ", ".join(f"{name}={value!r}" for name, value in partition.constraints.items())
    price = "" if partition.price is None else f" They cost {partition.price:.1f} bits"
    price += " against the optimum without them." if price else ""
    return [f"Limits: {named}.{price} The steps below are not held to them."]


def _why_one(partition: Any, facts: dict[str, Any]) -> str:
    """Say why there is one part only."""
    if partition.n_values < 2:
        return "there is nothing to divide."
    if len(partition.classes) < 2:
        return "there is one class only."
    if facts["more"] and facts["more"][0][1] > 0:
        return "every cut costs more bits than it saves."
    return "the method or a limit left it so."


def _structure(partition: Any, n_parts: int) -> float:
    """MODL's price of telling so many parts of a line, in nats."""
    total = float(present_of(partition).sum() + _merged_weight(partition))
    return math.log(max(total, 1.0)) + _log_binomial(total + n_parts - 1, n_parts - 1)


def _merged_weight(partition: Any) -> float:
    """Weight of the rows that were merged into parts."""
    beside = beside_of(partition)
    parts = zip(beside.counts, beside.parts, strict=True)
    return float(sum(row.sum() for row, part in parts if part is not None))


def _log_binomial(n: float, k: float) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def _merges(partition: Any) -> Iterator[tuple[str, float]]:
    """Cheapest merges of two parts: of neighbours, for groups in the order of their numbers."""
    counts = partition.counts
    growth = part_lengths(counts[:-1] + counts[1:]) - part_lengths(counts[:-1])
    growth -= part_lengths(counts[1:])
    for k in np.argsort(growth, kind="stable")[:_MOST_SHOWN].tolist():
        yield f"merge({k}, {k + 1})", partition.merge(k, k + 1).history[-1].price


def _part_units(partition: Any) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.float64]]]:
    """Units of each part, with the sums of their counts from the left."""
    units = partition.units
    starts = np.concatenate(
        [[0], np.searchsorted(units.highs, partition.cut_keys, side="right"), [units.n_units]]
    ).astype(np.int64)
    for k in range(partition.n_parts):
        inside = np.arange(starts[k], starts[k + 1] + 1)
        if len(inside) > 2:
            yield k, inside, np.cumsum(units.counts(inside), axis=0)


def _cut_at(partition: Any, unit: int) -> Any:
    """Cut before a unit, as the user knows it."""
    units, kind = partition.units, partition.kind
    key = kind.cut_between(units.highs[unit - 1].item(), units.lows[unit].item())
    dtype = np.float64 if kind.is_float else np.int64
    shown = kind.show(np.array([key], dtype=dtype))[0]
    return shown.item() if isinstance(shown, np.number) else str(shown)


def _splits(partition: Any) -> Iterator[tuple[str, float]]:
    """Best split of each part."""
    if partition.units is None:
        return
    n = partition.n_parts
    growth = _structure(partition, n + 1) - _structure(partition, n)
    # Merged rows may follow the better half: their price is left as it is.
    for k, inside, sums in _part_units(partition):
        left, whole = sums[:-1], sums[-1]
        extra = partition.counts[k] - whole
        costs = part_lengths(left + extra) + part_lengths(whole - left)
        if extra.any():
            costs = np.minimum(costs, part_lengths(left) + part_lengths(whole - left + extra))
        best = int(np.argmin(costs))
        price = costs[best] - part_lengths(partition.counts[k]) + growth
        cut = _cut_at(partition, int(inside[best + 1]))
        yield f"split({k}, at={cut!r})", float(price) / BIT


def _cut_moves(partition: Any) -> Iterator[tuple[str, float]]:
    """Best other place of each cut, the others as they are."""
    if partition.units is None or partition.n_parts < 2:
        return
    units = partition.units
    starts = np.searchsorted(units.highs, partition.cut_keys, side="right")
    borders = np.concatenate([[0], starts, [units.n_units]]).astype(np.int64)
    present = present_of(partition)
    extra = partition.counts - present
    for i in range(partition.n_parts - 1):
        inside = np.arange(borders[i], borders[i + 2] + 1)
        sums = np.cumsum(units.counts(inside), axis=0)
        left, whole = sums[:-1], sums[-1]
        costs = part_lengths(left + extra[i]) + part_lengths(whole - left + extra[i + 1])
        places = inside[1:-1]
        costs = np.where(places == borders[i + 1], np.inf, costs)
        if not np.isfinite(costs).any():
            continue
        best = int(np.argmin(costs))
        now = part_lengths(partition.counts[i : i + 2]).sum()
        cut = _cut_at(partition, int(places[best]))
        old = _cut_at(partition, int(borders[i + 1]))
        yield f"cut {old!r} moved to {cut!r}", float(costs[best] - now) / BIT


def _value_moves(partition: Any) -> Iterator[tuple[str, float]]:
    """Best move of each group's values into another group."""
    units, n = partition.units, partition.n_parts
    if units is None or n < 2 or units.n_units * n * len(partition.classes) > _MOST_MOVES:
        return
    home = group_of_units(partition)
    counts = units.counts()
    lengths = part_lengths(partition.counts)
    sizes = np.bincount(home, minlength=n)
    left = part_lengths(partition.counts[home] - counts) - lengths[home]
    joined = part_lengths(partition.counts[None, :, :] + counts[:, None, :]) - lengths[None, :]
    prices = left[:, None] + joined
    prices[np.arange(len(home)), home] = np.inf
    prices[sizes[home] == 1] = np.inf  # the group would be gone: a merge
    if partition.is_ordered:
        _only_at_borders(prices, home)
    for k in range(n):
        mine = np.flatnonzero((home == k) & np.isfinite(prices).any(axis=1))
        if len(mine):
            unit, to = np.unravel_index(int(np.argmin(prices[mine])), (len(mine), n))
            value = units.values[mine[unit]]
            edited = partition.move(value, to=int(to))
            yield f"move({value!r}, to={int(to)})", edited.history[-1].price


def _only_at_borders(prices: NDArray[np.float64], home: NDArray[np.int64]) -> None:
    """Forbid moves that would break the order of values."""
    allowed = np.zeros_like(prices, dtype=bool)
    for i in np.flatnonzero(np.diff(home)):
        allowed[i, home[i + 1]] = True
        allowed[i + 1, home[i]] = True
    prices[~allowed] = np.inf


def _group_splits(partition: Any) -> Iterator[tuple[str, float]]:
    """Best divisions of groups in the order of the last class's share."""
    units = partition.units
    if units is None:
        return
    home, counts = group_of_units(partition), units.counts()
    found: list[tuple[float, int, NDArray[np.int64]]] = []
    for k in range(partition.n_parts):
        mine = np.flatnonzero(home == k)
        if len(mine) < 2:
            continue
        shares = counts[mine, -1] / np.maximum(counts[mine].sum(axis=1), 1e-300)
        ordered = mine if partition.is_ordered else mine[np.argsort(shares, kind="stable")]
        sums = np.cumsum(counts[ordered], axis=0)
        left, whole = sums[:-1], sums[-1]
        costs = part_lengths(left) + part_lengths(whole - left)
        best = int(np.argmin(costs))
        found.append((float(costs[best] - part_lengths(whole)), k, ordered[best + 1 :]))
    for _, k, taken in sorted(found, key=lambda row: row[0])[:_MOST_SHOWN]:
        values = [units.values[i] for i in taken]
        price = partition.split(k, at=values).history[-1].price
        named = ", ".join(repr(value) for value in values[:3])
        more = f", +{len(values) - 3} more" if len(values) > 3 else ""
        yield f"split({k}, at=[{named}{more}])", price
