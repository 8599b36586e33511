"""Why a partition is what it is: each cut's worth, the next cut's price, the runner-up."""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from partage._partitions.certain import has_certainty
from partage._partitions.certainty import Certainty
from partage._partitions.costs import BIT, beside_of
from partage._partitions.gaps import proof_of

MOST_SHOWN = 12  # cuts or groups that the text names


@dataclass(frozen=True)
class Explanation:
    """Why these parts; ``facts`` holds the numbers, ``str()`` the text.

    Attributes
    ----------
    facts : dict
        ``cost`` and ``null_cost`` in bits; ``merges``, ``more`` and ``moves``: the alternatives
        that differ by one step, cheapest first, each an edit and its price in bits;
        ``runner_up``: the cheapest of them; ``certainty``: what ``certainty()`` gives, None where
        there is none.
    """

    text: str
    facts: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.text)}</pre>"


def explain(partition: Any) -> Explanation:
    """Compare a partition with those that differ from it by one step, and with all."""
    return explain_with(partition, partition.certainty() if has_certainty(partition) else None)


def explain_with(
    partition: Any, certainty: Certainty | None, *, has_steps: bool = True
) -> Explanation:
    """Compare a partition with those that differ from it by one step; say how certain it is.

    Without ``has_steps`` only merges are compared, which takes no time whatever the column is.
    """
    cost, null_cost = (nats / BIT for nats in partition._modl_costs)
    merges = _sorted(_merges(partition))
    more = _sorted(partition._divisions()) if has_steps else []
    moves = _sorted(partition._moves()) if has_steps else []
    every = _sorted(iter([*merges[:1], *more[:1], *moves[:1]]))
    facts = {
        "cost": cost,
        "null_cost": null_cost,
        "merges": merges,
        "more": more,
        "moves": moves,
        "runner_up": every[0] if every else None,
        "certainty": certainty,
    }
    return Explanation("\n".join(_lines(partition, facts, has_steps)), facts)


def _sorted(found: Iterator[tuple[str, float]]) -> list[tuple[str, float]]:
    """Alternatives by price."""
    return sorted(found, key=lambda pair: pair[1])


def _lines(partition: Any, facts: dict[str, Any], has_steps: bool) -> list[str]:
    """Write the text."""
    noun = partition.rule.noun
    n = partition.n_parts
    limited = " within the limits" if partition.constraints else ""
    proof = (
        f"no other partition{limited} costs less (proven)"
        if partition.is_optimal
        else f"{proof_of(partition)}{limited}"
    )
    lines = [
        f"{partition.name}: {n} {noun}{'' if n == 1 else 's'} of {partition.n_values} "
        f"value{'' if partition.n_values == 1 else 's'} by "
        f"{partition.method}, level {partition.level:.4f}; {proof}.",
        f"One {noun} for all describes the {partition.target.described} in "
        f"{facts['null_cost']:.1f} bits, these in "
        f"{facts['cost']:.1f}: {_saved(partition, facts)}",
    ]
    lines += _averages(partition)
    lines += _limits(partition)
    lines += partition.target.remarks(partition.n_parts)
    lines.append(
        f"One {noun}: {_why_one(partition, facts)}" if n == 1 else f"One {noun} fewer would cost:"
    )
    lines += [f"  {action}: {price:+.2f} bits" for action, price in facts["merges"]]
    more = facts["more"]
    if has_steps or more:
        lines.append(
            f"One more: the best is {more[0][0]}, {more[0][1]:+.2f} bits."
            if more
            else f"One more: no {noun} can be divided with the counts that are kept."
        )
    if facts["moves"]:
        action, price = facts["moves"][0]
        lines.append(f"As many, with one border moved: the best is {action}, {price:+.2f} bits.")
    if has_steps and facts["runner_up"]:
        action, price = facts["runner_up"]
        lines.append(f"Runner-up among those that differ by one step: {action}, {price:+.2f} bits.")
    if facts["certainty"] is not None:
        lines += facts["certainty"].lines()
    if not partition._method.is_modl:
        lines.append(f"{partition.method} chose these {noun}s by its own rule; prices are MODL's.")
    return lines


def _saved(partition: Any, facts: dict[str, Any]) -> str:
    """Say what the partition saves, or what makes it cost more than one part."""
    saved = round(facts["null_cost"] - facts["cost"], 1) + 0.0
    if saved >= 0:
        return f"{saved:.1f} bits saved (MODL)."
    reasons = ["the limits ask for them"] if partition.constraints and not partition.history else []
    beside = beside_of(partition)
    pairs = zip(beside.counts, beside.parts, strict=True)
    if any(row.any() and part is None for row, part in pairs):
        reasons.append("missing or special values are kept apart")
    if not partition._method.is_modl:
        reasons.append(f"{partition.method} chose them by its own rule")
    if partition.history:
        reasons.append("edits made them")
    since = f", since {' and '.join(reasons)}" if reasons else ""
    return f"{-saved:.1f} bits more (MODL){since}."


def _averages(partition: Any) -> list[str]:
    """Say where the shares of the parts come from, if not from their counts."""
    if partition.averaged is None:
        return []
    # Class shares, or the mean of a number.
    output = "rate" if partition.tally.moments is None else "mean"
    name = {"rate": "shares", "mean": "means"}[output]
    tallies = (partition.shown_tally(), partition.code_tally())
    averaged, counted = (
        partition.target.outputs(output, tally, partition.total())[: partition.n_parts]
        for tally in tallies
    )
    off = float(np.abs(averaged - counted).max())
    return [
        f"The {name} of the parts are averaged over all partitions of the column; counted ones "
        f"differ by up to {f'{off:.4f}' if output == 'rate' else f'{off:.4g}'}."
    ]


def _limits(partition: Any) -> list[str]:
    """Say what limits cost, and that the steps below are free of them."""
    if not partition.constraints:
        return []
    given = {name: value for name, value in partition.constraints.items() if name != "by"}
    named = ", ".join(f"{name}={value!r}" for name, value in given.items())
    price = "" if partition.price is None else f" They cost {partition.price:.1f} bits"
    price += " against the optimum without them." if price else ""
    broken = ", ".join(partition.violations)
    edited = f" Edits broke {broken}." if broken else ""
    lines = [f"Limits: {named}.{price}{edited} The steps below are not held to them."]
    in_the_way = partition.constraints.get("by", ())
    if in_the_way:
        shown = ", ".join(in_the_way[:MOST_SHOWN])
        more = f" and {len(in_the_way) - MOST_SHOWN} more" if len(in_the_way) > MOST_SHOWN else ""
        lines.append(
            f"Segments in the way: {shown}{more}. The best {partition.rule.noun}s of all rows "
            "break the trend there; by_tolerance=0.95 would let reversals stay that chance "
            "explains."
        )
    return lines


def _why_one(partition: Any, facts: dict[str, Any]) -> str:
    """Say why there is one part only."""
    if partition.n_values < 2:
        return "there is nothing to divide."
    if partition.target.is_constant:
        return f"there is {partition.target.constant}."
    if facts["more"] and facts["more"][0][1] > 0:
        return "every cut costs more bits than it saves."
    if not facts["more"] and not partition.constraints and partition._method.is_modl:
        return "no division was found that saves more bits than it costs."
    return "the method or a limit left it so."


def _merges(partition: Any) -> Iterator[tuple[str, float]]:
    """Cheapest merges of two parts: of neighbours, for groups in the order of their numbers."""
    counts, price = partition.read_counts, partition._price(partition)
    sets = price.numbers(counts)
    joined = price.numbers(counts[:-1] + counts[1:])
    growth = np.array(
        [price.changes(sets, [k, k + 1], (joined[k : k + 1],))[0] for k in range(len(joined))]
    )
    for k in np.argsort(growth, kind="stable")[:MOST_SHOWN].tolist():
        yield f"merge({k}, {k + 1})", partition.merge(k, k + 1).history[-1].price
