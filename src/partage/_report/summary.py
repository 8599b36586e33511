"""Numbers of a report, ready for any look: nothing here knows terminals or pages."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from partage._display.tables import row_labels, why_one_part
from partage._partitions.certain import find_certainty, has_certainty
from partage._partitions.certainty import Certainty
from partage._partitions.explain import explain_with
from partage._partitions.gaps import proof_of
from partage._report.profile import Histogram, Profile

_MOST_CERTAIN = 40  # columns, the best ones, that are compared with all partitions
_LEAST_STEP = 0.005  # of an averaged share that a chart shows

if TYPE_CHECKING:
    from partage._estimators.fitted import FittedColumns
    from partage._partitions.partition import Partition


@dataclass(frozen=True)
class Part:
    """A row of a partition: a part, or missing, unseen or special values beside the parts."""

    code: int
    label: str
    rows: int
    share: float
    counts: list[float]
    rates: list[float]
    woe: float | None
    iv: float | None
    is_part: bool
    is_garbage: bool = False
    members: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Before:
    """How a column was distributed: bins of numbers, or the most frequent values."""

    kind: str  # "bins", "numbers" or "values"
    labels: list[str]
    edges: list[float]
    counts: list[list[float]]
    parts: list[int]  # of each value
    n_others: int
    others: list[float]
    below: float
    above: float
    is_time: bool
    facts: dict[str, float]
    zone: str = ""  # in which times are shown


@dataclass(frozen=True)
class Borders:
    """Where the cuts of a numeric column lie, and its class shares averaged over all partitions."""

    stretches: list[tuple[float, float]]  # that hold a cut with a probability of 0.9
    places: list[float]  # at which the averaged shares change
    shares: list[list[float]]  # between them, one row more


@dataclass(frozen=True)
class ColumnSummary:
    """One column: what it is worth, its parts, and what it was."""

    name: str
    kind: str
    level: float
    n_parts: int
    n_values: int
    missing: int
    bits_saved: float | None
    bits: float | None
    is_optimal: bool
    gap: float
    proof: str
    why: str
    parts: list[Part]
    cuts: list[tuple[float, str]]  # places on the axis, and texts
    before: Before | None
    explanation: list[str] = field(default_factory=list)
    borders: Borders | None = None

    @property
    def is_useless(self) -> bool:
        """Whether the column says nothing about the class."""
        return self.level <= 0


@dataclass(frozen=True)
class Summary:
    """A whole table, its columns from the most informative to the least."""

    source: str
    target: str
    n_rows: int
    classes: list[str]
    totals: list[float]
    columns: list[ColumnSummary]
    notes: list[str] = field(default_factory=list)

    @property
    def useless(self) -> list[ColumnSummary]:
        """Columns that say nothing about the class."""
        return [column for column in self.columns if column.is_useless]


def summarize(
    model: FittedColumns,
    *,
    source: str = "",
    profiles: Mapping[str, Profile] | None = None,
    notes: list[str] | None = None,
) -> Summary:
    """Gather the numbers of a fitted estimator."""
    ranked = sorted(model.partitions_.values(), key=lambda partition: -partition.level)
    if ranked[0].target.kind == "number":
        raise ValueError(
            "report: a report shows classes, and the model was fitted to a number; show its "
            "summary() and the table() and plot() of its partitions."
        )
    columns = [
        summarize_column(p, (profiles or {}).get(p.name), is_certain=rank < _MOST_CERTAIN)
        for rank, p in enumerate(ranked)
    ]
    return Summary(
        source=source,
        target=model._target_name or "class",
        n_rows=sum(part.rows for part in columns[0].parts),
        classes=[str(label) for label in model.classes_.tolist()],
        totals=ranked[0].totals().tolist(),
        columns=columns,
        notes=notes or [],
    )


def summarize_column(
    partition: Partition, profile: Profile | None = None, *, is_certain: bool = True
) -> ColumnSummary:
    """Gather the numbers of one column; how certain it is takes some time."""
    is_asked = is_certain and partition.n_parts > 1 and _is_quick(partition)
    # Not kept with the partition: a model file would hold it, value by value.
    certainty = find_certainty(partition) if is_asked and has_certainty(partition) else None
    is_modl = partition.method.startswith("modl")  # costs of other methods are no bits
    bits = partition.null_cost / math.log(2) if is_modl else None
    places = partition.rule.border_positions().tolist()
    cuts = list(zip(places, partition.rule.border_texts(), strict=True))
    return ColumnSummary(
        name=partition.name,
        kind=partition.rule.column_kind,
        level=partition.level,
        n_parts=partition.n_parts,
        n_values=partition.n_values,
        missing=partition.missing_rows,
        bits_saved=None if bits is None else partition.level * bits,
        bits=bits,
        is_optimal=partition.is_optimal,
        gap=partition.gap,
        proof=proof_of(partition),
        why=why_one_part(partition),
        parts=_parts(partition),
        cuts=cuts,
        before=None if profile is None else _before(profile, partition),
        explanation=_explain(partition, certainty),
        borders=None if certainty is None else _borders(certainty),
    )


def _is_quick(partition: Partition) -> bool:
    """Whether it takes no time to compare the parts with others."""
    units = partition.units
    return units is not None and units.n_units <= partition.rule.most_explained


def _explain(partition: Partition, certainty: Certainty | None) -> list[str]:
    """Say why these parts and no others, where that takes no time."""
    if not _is_quick(partition):
        return []
    return str(explain_with(partition, certainty)).splitlines()[1:]


def _borders(found: Certainty) -> Borders | None:
    """Gather what a chart of numbers shows of all partitions."""
    if not found.rule.is_measured:
        return None
    edges = np.clip(found.rule.axis_positions(found.border_keys), -1e300, 1e300)
    known = found.stretches[(found.stretches >= 0).all(axis=1)]
    stretches = [(float(edges[a, 0]), float(edges[b, 1])) for a, b in known[:, 2:].tolist()]
    shares = found.shares[: len(found.weights)]
    kept = [0]
    for i in range(1, len(shares)):
        if np.abs(shares[i] - shares[kept[-1]]).max() > _LEAST_STEP:
            kept.append(i)
    places = edges.mean(axis=1)[np.array(kept[1:], dtype=np.int64) - 1]
    return Borders(stretches, places.tolist(), shares[kept].tolist())


def _parts(partition: Partition) -> list[Part]:
    """Rows of ``table()``, in its order; those that no row fell into are left out."""
    members = partition.rule.members()
    labels, tally = row_labels(partition), partition.own_tally()
    rates = partition.target.rates(tally, tally.total())
    evidence = partition.target.columns(tally)  # of a target that has a weight of evidence
    found = []
    for k in partition.rule.shown_codes():
        is_part = k < partition.n_parts
        if not is_part and tally.rows[k] == 0:
            continue
        found.append(
            Part(
                code=k,
                label=labels[k],
                rows=int(tally.rows[k]),
                share=float(tally.shares[k]),
                counts=tally.class_counts[k].tolist(),
                rates=rates[k].tolist(),
                woe=float(evidence["woe"][k]) if "woe" in evidence else None,
                iv=float(evidence["iv"][k]) if "iv" in evidence else None,
                is_part=is_part,
                is_garbage=is_part and k == partition.rule.unseen_part,
                members=[str(value) for value in members[k]] if is_part else [],
            )
        )
    return found


def _before(profile: Profile, partition: Partition) -> Before:
    """Describe a profile with plain numbers, and each value by its part."""
    if isinstance(profile, Histogram):
        return _before_numbers(profile)
    return Before(
        kind="values",
        labels=[str(value) for value in profile.values],
        edges=[],
        counts=profile.counts.tolist(),
        parts=partition.rule.codes_of(profile.values),
        n_others=profile.n_others,
        others=profile.others.tolist(),
        below=0.0,
        above=0.0,
        is_time=False,
        facts={},
    )


def _before_numbers(profile: Histogram) -> Before:
    """Describe a histogram with plain numbers; JSON has no infinity."""
    facts = {name: value for name, value in profile.facts.items() if np.isfinite(value)}
    return Before(
        kind="numbers" if profile.is_single else "bins",
        labels=[],
        edges=profile.edges,
        counts=profile.counts.tolist(),
        parts=[],
        n_others=0,
        others=[],
        below=profile.below,
        above=profile.above,
        is_time=profile.is_time,
        facts=facts,
        zone=profile.zone,
    )
