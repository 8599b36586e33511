"""What the page shows of a desk and of a column: numbers of the library, under short names."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from partage._display.tables import saved_bits, strength
from partage._export.dialects import DIALECTS
from partage._partitions.certain import find_certainty, has_certainty
from partage._partitions.costs import BIT, modl_costs
from partage._partitions.partition import Partition
from partage._partitions.violations import trend_of, violations
from partage._report.facts import Part, Summary
from partage._report.page_data import Folded, before_data, borders_data, part_data, sample_data
from partage._report.profile import profile_of
from partage._report.samples import CountedSample, on_sample
from partage._report.summary import before_of, borders_of, parts_of
from partage._saving.plain import value_to_plain
from partage.studio.desk import Desk
from partage.studio.sheet import LIMITS, STATUSES, Sheet

__all__ = ["folded_of", "show_certainty", "show_column", "show_desk", "show_row"]

_MOST_CERTAIN = 20_000  # values of a column whose borders are looked at
_LEAST_PROBABILITY = 0.005  # of a border that a chart shows


def summary_of(desk: Desk) -> Summary:
    """Describe the table, without its columns."""
    first = next(iter(desk.sheets.values())).partition
    whole = first.total()
    told = first.target.describe(whole, whole)
    return Summary(
        source=desk.source,
        target=desk.model._target_name or "class",
        n_rows=int(first.own_tally().rows.sum()),
        classes=[str(label) for label in desk.model.classes_.tolist()],
        totals=told.counts[0].tolist(),
        columns=[],
        event=first.event if len(desk.model.classes_) == 2 else None,
        woe_sign=first.woe_sign,
        amounts=told.amounts_of(0),
    )


def folded_of(desk: Desk) -> Folded:
    """Give the classes as charts show them."""
    found: Folded = desk.keep("folded", lambda: Folded.of(summary_of(desk)))
    return found


def show_desk(desk: Desk) -> dict[str, Any]:
    """Gather what the page is made of, and the list of columns."""
    rows = [show_row(desk, sheet) for sheet in list(desk.sheets.values())]
    return {
        "columns": rows,
        "statuses": list(STATUSES),
        "limits": list(LIMITS),
        "dialects": list(DIALECTS),
        "readOnly": desk.is_read_only,
        "who": desk.who,
        "notes": desk.notes,
        "hasRows": desk.rows is not None,
        "samples": [{"n": one.name, "r": one.n_rows} for one in desk.samples],
    }


def show_row(desk: Desk, sheet: Sheet) -> dict[str, Any]:
    """Gather what the list says of a column."""
    partition = sheet.partition
    told = strength(partition)
    return {
        "n": sheet.name,
        "k": partition.rule.column_kind,
        "l": partition.level,
        "np": partition.n_parts,
        "iv": told.get("iv"),
        "g": told.get("gini"),
        "st": sheet.status,
        "ed": len(partition.history),
        "bad": len(violations(sheet.judged)),
        "note": bool(sheet.note),
        "v": sheet.version,
        "p": _shape(desk, partition),
    }


def _shape(desk: Desk, partition: Partition) -> list[dict[str, Any]]:
    """Gather what a thumbnail draws of the parts."""
    folded, rule = folded_of(desk), partition.rule
    tally = partition.own_tally()
    told = partition.target.describe(tally, tally.total())
    rows, shares = tally.rows.tolist(), tally.shares.tolist()
    return [
        {
            "r": rows[k],
            "s": round(shares[k], 5),
            "c": folded.fold(told.counts[k].tolist()),
            **({"a": {"mean": _finite(told.amounts_of(k)["mean"])}} if told.amounts else {}),
            **({"x": 1} if k >= partition.n_parts else {}),
        }
        for k in rule.shown_codes()
        if k < partition.n_parts or rows[k]
    ]


def show_column(desk: Desk, sheet: Sheet) -> dict[str, Any]:
    """Gather what the page shows of a column, all of it from counts."""
    partition, start, folded = sheet.partition, sheet.start, folded_of(desk)
    counted = [sample.counted(partition) for sample in desk.samples]
    parts = parts_of(partition, counted, with_members=False)
    codes = [part.code for part in parts]
    now = _facts(partition, counted)
    before = desk.keep(
        ("facts", id(start), sheet.name),
        lambda: (_facts(start, [sample.counted(start) for sample in desk.samples]), start),
    )[0]
    rule = partition.rule
    profile = desk.keep(("profile", sheet.name), lambda: profile_of(start))
    shown = None if profile is None else before_data(before_of(profile, partition), folded)
    return {
        "n": sheet.name,
        "k": rule.column_kind,
        "isLine": rule.is_line,
        "isMeasured": rule.is_measured,
        "noun": rule.noun,
        "v": partition.n_values,
        "np": partition.n_parts,
        "version": sheet.version,
        "status": sheet.status,
        "signed": dict(sheet.signed),
        "note": sheet.note,
        "cuts": _cuts(partition),
        "sizes": [len(group) for group in rule.members()],
        "locked": _locked(sheet),
        "limits": {name: _plain(value) for name, value in sheet.limits.items()},
        "p": [
            part_data(part, folded, 0) | _exact(part) | {"rate": rate, "others": others}
            for part, rate, *others in zip(parts, *_rates(partition, codes, counted), strict=True)
        ],
        "b": shown,
        "s": [sample_data(on_sample(partition, one, codes), folded) for one in counted],
        "facts": now,
        "start": before | {"cuts": _cuts(start)},
        "changes": _changes(now, before),
        "broken": _broken(sheet),
        "aside": _aside(partition),
        "history": [
            {
                "action": edit.action,
                "price": edit.price,
                "reason": edit.reason,
                "who": edit.who,
                "when": edit.when,
            }
            for edit in partition.history
        ],
        "redo": len(sheet.redo),
        "hasValues": partition.units is not None,
    }


def _exact(part: Part) -> dict[str, Any]:
    """Numbers of a part with all their digits; the page rounds once."""
    found: dict[str, Any] = {"s": part.share, "v": part.iv, "z": part.bits}
    if len(part.evidence) == 1:
        found["w"] = part.evidence
    return {name: value for name, value in found.items() if value is not None}


def _rates(
    partition: Partition, codes: list[int], counted: Sequence[CountedSample]
) -> list[list[float | None]]:
    """Rate of the event, or mean, of each part: in the fit, then in the samples."""
    tallies = [partition.own_tally(), *(one.tallies[partition.name] for one in counted)]
    found = []
    for tally in tallies:
        told = partition.target.describe(tally.take(codes), tally.total())
        shown = told.amounts["mean"] if told.amounts else told.rates[:, partition.event]
        rows = tally.rows[codes].tolist()
        pairs = zip(shown.tolist(), rows, strict=True)
        found.append([_finite(rate) if n else None for rate, n in pairs])
    return found


def _cuts(partition: Partition) -> list[list[Any]]:
    """Places of the cuts on the axis, and their texts."""
    rule = partition.rule
    pairs = zip(rule.border_positions().tolist(), rule.border_texts(), strict=True)
    return [[_finite(place), text] for place, text in pairs]


def _locked(sheet: Sheet) -> list[int]:
    """Numbers of the borders, or of the groups, that are locked."""
    partition: Any = sheet.partition
    if not partition.rule.is_measured:
        return sheet.locked()
    return [i for i, cut in enumerate(partition.cuts) if any(cut == one for one in sheet.locks)]


def _facts(partition: Partition, counted: Sequence[CountedSample]) -> dict[str, Any]:
    """Numbers of a partition that an edit changes."""
    told, tally = strength(partition), partition.own_tally()
    parts = partition.code_tally().take(slice(partition.n_parts))
    total = float(tally.weight.sum())
    found: dict[str, Any] = {
        "parts": partition.n_parts,
        "level": partition.level,
        "bits": float(saved_bits(partition, tally, partition.rule.shown_codes())[-1]),
        "cost": modl_costs(partition)[0] / BIT,
        "iv": told.get("iv"),
        "gini": told.get("gini"),
        "ks": told.get("ks"),
        "trend": trend_of(partition),
        "least": float(parts.weight.min()) / total if total else 0.0,
        "events": None,
        "samples": [_on_sample(partition, one) for one in counted],
    }
    if len(partition.classes) == 2:
        found["events"] = float(parts.class_counts[:, partition.event].min())
    return found


def _on_sample(partition: Partition, counted: CountedSample) -> dict[str, Any]:
    """Numbers of a partition on other rows."""
    shown = on_sample(partition, counted, [])
    told = partition.target.strength(counted.tallies[partition.name])
    return {
        "name": counted.name,
        "psi": shown.psi,
        "level": shown.level,
        "expected": shown.expected_level,
        "iv": told.get("iv"),
        "gini": told.get("gini"),
    }


def _changes(now: dict[str, Any], start: dict[str, Any]) -> dict[str, Any]:
    """Differences of the numbers from those of the optimum."""
    found: dict[str, Any] = {
        name: None if now[name] is None or start[name] is None else now[name] - start[name]
        for name in ("parts", "level", "bits", "iv", "gini", "ks", "cost")
    }
    found["samples"] = [
        {
            name: None if one[name] is None or old[name] is None else one[name] - old[name]
            for name in ("psi", "level", "iv", "gini")
        }
        for one, old in zip(now["samples"], start["samples"], strict=True)
    ]
    return found


def _broken(sheet: Sheet) -> list[dict[str, Any]]:
    """Limits that the parts break, with what is asked for."""
    judged = sheet.judged
    return [
        {"name": name, "asked": _plain(judged.constraints[name])} for name in violations(judged)
    ]


def _aside(partition: Partition) -> list[dict[str, Any]]:
    """Missing and special values: how many rows, and the part that they joined."""
    rule, rows = partition.rule, partition.tally.rows[partition.n_parts :].tolist()
    return [
        {"name": name, "part": part, "rows": n}
        for name, part, n in zip(rule.aside_labels(), rule.aside_parts, rows, strict=True)
        if n
    ]


def _plain(value: Any) -> Any:
    """Write a limit as JSON has it."""
    if isinstance(value, (list, tuple)):
        return [value_to_plain(one) for one in value]
    return value_to_plain(value)


def _finite(value: float) -> float | None:
    """Give a number that JSON has."""
    return value if math.isfinite(value) else None


def show_certainty(desk: Desk, sheet: Sheet) -> dict[str, Any]:
    """Gather what all partitions of a column say of its borders: computed once, when asked for."""
    start = sheet.start
    found: dict[str, Any] = desk.keep(
        ("certainty", sheet.name), lambda: _certainty(desk, start, sheet)
    )
    return found


def _certainty(desk: Desk, start: Partition, sheet: Sheet) -> dict[str, Any]:
    """Sum over all partitions, and gather the averaged curve and the probable borders."""
    units = start.units
    nothing: dict[str, Any] = {"q": None, "borders": []}
    if units is None or units.n_units > _MOST_CERTAIN or not has_certainty(start):
        return nothing
    if not start.rule.is_measured or start.target.is_constant:
        return nothing
    certainty = find_certainty(start)
    borders = borders_of(certainty)
    profile = desk.keep(("profile", sheet.name), lambda: profile_of(start))
    if borders is None or profile is None:
        return nothing
    before = before_of(profile, start)
    places = certainty.rule.axis_positions(certainty.border_keys).mean(axis=1).tolist()
    probable = zip(places, certainty.border_probabilities.tolist(), strict=True)
    return {
        "q": borders_data(borders, folded_of(desk), before),
        "borders": [
            [place, chance]
            for place, chance in probable
            if chance >= _LEAST_PROBABILITY and math.isfinite(place)
        ],
        "informative": certainty.informative,
    }
