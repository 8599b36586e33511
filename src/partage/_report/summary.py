"""Numbers of a report, ready for any look: nothing here knows terminals or pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from partage._data.categories import key_of
from partage._display.tables import row_labels, saved_bits, why_one_part
from partage._export.python_source import HEAD
from partage._partitions.certain import find_certainty, has_certainty
from partage._partitions.certainty import Certainty
from partage._partitions.explain import explain_with
from partage._partitions.gaps import proof_of
from partage._report.facts import Before, Borders, ColumnSummary, Part, Remark, Summary
from partage._report.moves import find_moves
from partage._report.profile import Histogram, Profile
from partage._report.remarks import find_remarks
from partage._report.samples import CountedSample, on_sample
from partage._support.portable import LOG_2, exact_sum

__all__ = [
    "Before",
    "Borders",
    "ColumnSummary",
    "Part",
    "Remark",
    "Summary",
    "summarize",
    "summarize_column",
]

_MOST_RULES = 6_000  # letters of SQL or Python of a column; more are left to the model
_MOST_CERTAIN = 40  # columns, the best ones, that are compared with all partitions
_LEAST_STEP = 0.005  # of an averaged share that a chart shows

if TYPE_CHECKING:
    from partage._estimators.fitted import FittedColumns
    from partage._partitions.partition import Partition


def summarize(
    model: FittedColumns,
    *,
    source: str = "",
    profiles: Mapping[str, Profile] | None = None,
    notes: list[str] | None = None,
    remarks: Sequence[Remark] = (),
    samples: Sequence[CountedSample] = (),
    names: Sequence[str] | None = None,
) -> Summary:
    """Gather the numbers of a fitted estimator, of all columns or of some."""
    shown = [model.partitions_[name] for name in names or model.partitions_]
    ranked = sorted(shown, key=lambda partition: -partition.level)
    whole = ranked[0].total()
    described = ranked[0].target.describe(whole, whole)
    columns = [
        summarize_column(
            p, (profiles or {}).get(p.name), is_certain=rank < _MOST_CERTAIN, samples=samples
        )
        for rank, p in enumerate(ranked)
    ]
    event = ranked[0].event if len(model.classes_) == 2 else None
    return Summary(
        source=source,
        target=model._target_name or "class",
        n_rows=sum(part.rows for part in columns[0].parts),
        classes=[str(label) for label in model.classes_.tolist()],
        totals=described.counts[0].tolist(),
        columns=columns,
        notes=notes or [],
        remarks=[
            *remarks,
            *find_remarks(columns, samples),
            *find_moves(columns, [sample.name for sample in samples], event),
        ],
        event=event,
        woe_sign=ranked[0].woe_sign,
        samples=[sample.described() for sample in samples],
        amounts=described.amounts_of(0),
    )


def summarize_column(
    partition: Partition,
    profile: Profile | None = None,
    *,
    is_certain: bool = True,
    samples: Sequence[CountedSample] = (),
) -> ColumnSummary:
    """Gather the numbers of one column; how certain it is takes some time."""
    is_asked = is_certain and partition.n_parts > 1 and _is_quick(partition)
    # Not kept with the partition: a model file would hold it, value by value.
    certainty = find_certainty(partition) if is_asked and has_certainty(partition) else None
    is_modl = partition.method.startswith("modl")  # costs of other methods are no bits
    bits = partition.null_cost / LOG_2 if is_modl else None
    places = partition.rule.border_positions().tolist()
    cuts = list(zip(places, partition.rule.border_texts(), strict=True))
    parts = parts_of(partition, samples)
    evidence = [part.iv for part in parts if part.iv is not None]
    codes = [part.code for part in parts]
    return ColumnSummary(
        name=partition.name,
        kind=partition.rule.column_kind,
        level=partition.level,
        n_parts=partition.n_parts,
        n_values=partition.n_values,
        missing=partition.missing_rows,
        bits_saved=None if bits is None else _saved(partition),
        bits=bits,
        is_optimal=partition.is_optimal,
        gap=partition.gap,
        proof=proof_of(partition),
        why=why_one_part(partition),
        parts=parts,
        cuts=cuts,
        before=None if profile is None else before_of(profile, partition),
        explanation=_explain(partition, certainty),
        borders=None if certainty is None else borders_of(certainty),
        iv=exact_sum(evidence) if evidence else None,
        gini=_gini(partition),
        samples=[on_sample(partition, sample, codes) for sample in samples],
        sql=_rules(partition.to_sql),
        python=_rules(lambda: partition.to_python().removeprefix(HEAD)),
        noun=partition.target.noun,
    )


def _saved(partition: Partition) -> float:
    """Bits that the parts save; none where they cost more than one."""
    return max(partition.null_cost - partition.cost, 0.0) / LOG_2


def _rules(write: Callable[[], str]) -> str:
    """Write the rules of a column; nothing where they are long, or some value has no literal."""
    try:
        text = write()
    except (TypeError, ValueError):
        return ""
    return text if len(text) <= _MOST_RULES else ""


def _gini(partition: Partition) -> float | None:
    """Gini coefficient of the event rates, 2 AUC - 1, of two classes."""
    counts = partition.own_tally().class_counts
    totals = counts.sum(axis=0)
    if len(partition.classes) != 2 or not totals.all():
        return None
    event, other = counts[:, partition.event], counts[:, 1 - partition.event]
    held = counts.any(axis=1)
    order = np.argsort(event[held] / (event + other)[held], kind="stable")
    event, other = event[held][order], other[held][order]
    below = np.cumsum(other) - other
    auc = float((event * (below + 0.5 * other)).sum() / totals.prod())
    return 2.0 * auc - 1.0


def _is_quick(partition: Partition) -> bool:
    """Whether it takes no time to compare the parts with others."""
    units = partition.units
    return units is not None and units.n_units <= partition.rule.most_explained


def _explain(partition: Partition, certainty: Certainty | None) -> list[str]:
    """Say why these parts and no others; of long columns without the steps that take time."""
    found = explain_with(partition, certainty, has_steps=_is_quick(partition))
    return str(found).splitlines()[1:]


def borders_of(found: Certainty) -> Borders | None:
    """Gather what a chart of numbers shows of all partitions."""
    if not found.rule.is_measured:
        return None
    edges = np.clip(found.rule.axis_positions(found.border_keys), -1e300, 1e300)
    known = found.stretches[(found.stretches >= 0).all(axis=1)]
    stretches = [(float(edges[a, 0]), float(edges[b, 1])) for a, b in known[:, 2:].tolist()]
    shares = found.shares[: len(found.weights)]
    low, high = found.target.law_range
    span = high - low if np.isfinite(high - low) else float(np.ptp(shares)) or 1.0
    kept = [0]
    for i in range(1, len(shares)):
        if np.abs(shares[i] - shares[kept[-1]]).max() > _LEAST_STEP * span:
            kept.append(i)
    places = edges.mean(axis=1)[np.array(kept[1:], dtype=np.int64) - 1]
    return Borders(stretches, places.tolist(), shares[kept].tolist())


def parts_of(
    partition: Partition, samples: Sequence[CountedSample], *, with_members: bool = True
) -> list[Part]:
    """Rows of ``table()``, in its order; those that no row fell into are left out."""
    rule, target = partition.rule, partition.target
    members: Sequence[Sequence[Any]] = rule.members() if with_members else ((),) * rule.n_parts
    weights = _member_weights(partition) if with_members else {}
    labels, tally = row_labels(partition), partition.own_tally()
    total = tally.total()
    told = target.describe(tally, total)
    columns = target.columns(tally)  # of a target that has a weight of evidence
    evidence = [values for name, values in columns.items() if name.startswith("woe")]
    shown = rule.shown_codes()
    bits = dict(zip(shown, saved_bits(partition, tally, shown).tolist(), strict=False))
    held = tally.rows + sum(sample.tallies[partition.name].rows for sample in samples)
    found = []
    for k in shown:
        is_part = k < partition.n_parts
        if not is_part and held[k] == 0:
            continue
        found.append(
            Part(
                code=k,
                label=labels[k],
                rows=int(tally.rows[k]),
                share=float(tally.shares[k]),
                counts=told.counts[k].tolist(),
                rates=told.rates[k].tolist(),
                woe=float(columns["woe"][k]) if "woe" in columns else None,
                iv=float(columns["iv"][k]) if "iv" in columns else None,
                is_part=is_part,
                is_garbage=is_part and k == rule.unseen_part,
                members=[str(value) for value in members[k]] if is_part else [],
                member_rows=[weights.get(key_of(v), 0.0) for v in members[k]] if is_part else [],
                intervals=[(low, high) for low, high in told.intervals[k].tolist()],
                evidence=[float(values[k]) for values in evidence],
                bits=bits[k],
                amounts=told.amounts_of(k),
            )
        )
    return found


def _member_weights(partition: Partition) -> dict[tuple[str, Any], float]:
    """Weight of each value of a category, where the counts were kept."""
    units = partition.units
    if units is None or not units.values:
        return {}
    weights = units.unit_weights().tolist()
    return {key_of(value): weight for value, weight in zip(units.values, weights, strict=True)}


def before_of(profile: Profile, partition: Partition) -> Before:
    """Describe a profile with plain numbers, and each value by its part."""
    if isinstance(profile, Histogram):
        return _before_numbers(profile, partition)
    target = partition.target
    return Before(
        kind="values",
        labels=[str(value) for value in profile.values],
        edges=[],
        counts=target.charted(profile.counts).tolist(),
        parts=partition.rule.codes_of(profile.values),
        n_others=profile.n_others,
        others=target.charted(profile.others[None])[0].tolist(),
        below=0.0,
        above=0.0,
        is_time=False,
        facts={},
    )


def _before_numbers(profile: Histogram, partition: Partition) -> Before:
    """Describe a histogram with plain numbers; JSON has no infinity."""
    facts = {name: value for name, value in profile.facts.items() if np.isfinite(value)}
    return Before(
        kind="numbers" if profile.is_single else "bins",
        labels=[],
        edges=profile.edges,
        counts=partition.target.charted(profile.counts).tolist(),
        parts=[],
        n_others=0,
        others=[],
        below=profile.below,
        above=profile.above,
        is_time=profile.is_time,
        facts=facts,
        zone=profile.zone,
        scale=profile.scale,
        quartiles=partition.target.quartiles_of(profile.counts).tolist(),
    )
