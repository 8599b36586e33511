"""What the page's script draws: the numbers of a summary, under short names."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from partage._export.python_source import HEAD
from partage._report.facts import Before, Borders, ColumnSummary, OnSample, Part, Summary
from partage._report.pair_facts import PairCells, Together
from partage._report.views import GraphView
from partage._report.words import place_text, verdict, zone_of_charts

_MOST_CLASSES = 10  # that have a colour; of more, the rarest share the last one
_MOST_LETTERS = 350_000  # of the values that all groups list
_MOST_OF_COLUMN = 100_000
_MOST_RULES = 300_000  # letters of the rules of all columns
_LONGEST_LABEL = 200
_LONGEST_VALUE = 60  # that a chart of values has room for
_MOST_POINTS = 12  # parts of a graph that are listed


@dataclass(frozen=True)
class Folded:
    """Classes as charts show them: all, or the most frequent and the others together."""

    names: list[str]
    kept: list[int]
    rest: list[int]
    is_number: bool = False  # what is counted is no classes then

    @classmethod
    def of(cls, summary: Summary) -> Folded:
        """Choose the classes that have a colour of their own."""
        if summary.amounts:
            return cls([], [], [], is_number=True)
        order = range(len(summary.classes))
        if len(summary.classes) <= _MOST_CLASSES:
            return cls(list(summary.classes), list(order), [])
        ranked = sorted(order, key=lambda j: -summary.totals[j])
        kept = sorted(ranked[: _MOST_CLASSES - 1])
        rest = sorted(ranked[_MOST_CLASSES - 1 :])
        return cls([*(summary.classes[j] for j in kept), f"{len(rest)} others"], kept, rest)

    def fold(self, counts: Sequence[float]) -> list[float]:
        """Add up the counts of the classes that share a colour; NaN has no number."""
        if self.is_number:
            return [None if value != value else value for value in counts]  # type: ignore[misc]
        shown = [counts[j] for j in self.kept]
        return [*shown, sum(counts[j] for j in self.rest)] if self.rest else shown

    def take(self, values: Sequence[Any]) -> list[Any]:
        """Take what each class has that keeps its colour; the others have nothing."""
        shown = [values[j] for j in self.kept]
        return [*shown, None] if self.rest else shown


def page_data(
    summary: Summary, pairs: Sequence[PairCells] = (), graphs: Sequence[GraphView] = ()
) -> dict[str, Any]:
    """Gather everything that the page shows."""
    folded = Folded.of(summary)
    totals = folded.fold(summary.totals)
    n_listed = sum(any(part.members for part in column.parts) for column in summary.columns)
    room = min(_MOST_OF_COLUMN, _MOST_LETTERS // max(n_listed, 1))
    rules = _MOST_RULES // max(len(summary.columns), 1)
    remarks = [{"t": one.text, "k": one.kind, "c": one.column} for one in summary.remarks]
    remarks += [{"t": note, "k": "note", "c": ""} for note in summary.notes]
    return {
        "target": summary.target,
        "rows": summary.n_rows,
        "classes": folded.names,
        "prior": [total / (sum(totals) or 1.0) for total in totals],
        "event": summary.event,
        "sign": summary.woe_sign,
        "measure": "mean"
        if folded.is_number
        else "rate"
        if summary.event is not None
        else "shares",
        "isNumber": folded.is_number,
        "all": amounts_data(summary.amounts),
        "remarks": remarks,
        "gaps": summary.gaps,
        "samples": [
            {"n": one.name, "r": one.n_rows, "c": folded.fold(one.totals) if one.totals else []}
            for one in summary.samples
        ],
        "columns": [_column(column, folded, room, rules) for column in summary.columns],
        "together": _together(summary.together, folded),
        "pairs": [pair_data(view, folded) for view in pairs],
        "graphs": [_graph(view, folded) for view in graphs],
        "python": HEAD,
    }


def _column(column: ColumnSummary, folded: Folded, room: int, rules: int) -> dict[str, Any]:
    """Gather what the card of one column shows; what is empty is left out."""
    letters = room // max(sum(bool(part.members) for part in column.parts), 1)
    before = column.before
    found = {
        "n": column.name,
        "k": column.kind,
        "l": _digits(column.level, 6),
        "np": column.n_parts,
        "v": column.n_values,
        "m": column.missing,
        "u": column.is_useless,
        "y": column.why,
        "o": column.is_optimal,
        "pr": column.proof,
        "d": verdict(column),
        "iv": None if column.iv is None else _digits(column.iv, 5),
        "g": None if column.gini is None else _digits(column.gini, 5),
        "x": None if column.drift is None else _digits(column.drift, 5),
        "cuts": [cut for cut in column.cuts if abs(cut[0]) < float("inf")],
        "p": [part_data(part, folded, letters) for part in column.parts],
        "b": None if before is None else before_data(before, folded),
        "fa": None
        if before is None
        else [(name, place_text(value, before)) for name, value in before.facts.items()],
        "q": None if column.borders is None else borders_data(column.borders, folded, before),
        "s": [sample_data(sample, folded) for sample in column.samples],
        "rel": [(one.name, one.text) for one in column.related],
        "re": any(one.is_redundant for one in column.related),
        "why": "\n".join(column.explanation),
        "sql": column.sql if len(column.sql) <= rules else "",
        "py": column.python if len(column.python) <= rules else "",
    }
    needed = ("n", "k", "l", "np", "v", "m", "cuts", "p", "why")
    return {key: value for key, value in found.items() if key in needed or _is_something(value)}


def _is_something(value: Any) -> bool:
    """Whether a value needs to be written: numbers do, what is empty does not."""
    return value is not None and value is not False and value not in ("", [])


def part_data(part: Part, folded: Folded, letters: int) -> dict[str, Any]:
    """Gather what is shown of a part."""
    found: dict[str, Any] = {
        "k": part.code,
        "t": _shorten(part.label),
        "r": part.rows,
        "s": round(part.share, 6),
        "c": _short(folded.fold(part.counts)),
        "i": folded.take([[round(low, 4), round(high, 4)] for low, high in part.intervals]),
    }
    if part.evidence:
        is_one = len(part.evidence) == 1
        evidence = part.evidence if is_one else folded.take(part.evidence)
        found["w"] = [None if one is None else round(one, 4) for one in evidence]
    if part.iv is not None:
        found["v"] = round(part.iv, 5)
    if part.bits is not None:
        found["z"] = round(part.bits, 1) + 0.0
    if part.amounts:
        found["a"] = amounts_data(part.amounts)
    if not part.is_part:
        found["x"] = 1
    if part.is_garbage:
        found["g"] = 1
    return found | (_members(part, letters) if part.members else {})


def _members(part: Part, letters: int) -> dict[str, Any]:
    """List the values of a group, the most frequent first, as many as have room."""
    weights = part.member_rows
    order = sorted(range(len(part.members)), key=lambda i: -weights[i])
    shown: list[str] = []
    used = 0
    for i in order:
        used += min(len(part.members[i]), _LONGEST_LABEL) + 8
        if used > letters and shown:
            break
        shown.append(_shorten(part.members[i]))
    found: dict[str, Any] = {"m": shown}
    if any(weights):
        found["mc"] = _short([weights[i] for i in order[: len(shown)]])
    if len(shown) < len(order):
        found["mr"] = len(order) - len(shown)
    return found


def before_data(before: Before, folded: Folded) -> dict[str, Any]:
    """Gather what the chart of a column before its parts draws."""
    found = {
        "k": before.kind,
        "e": _places(before.edges, before.is_time),
        "c": [_short(folded.fold(row)) for row in before.counts],
        "l": [_shorten(label, _LONGEST_VALUE) for label in before.labels],
        "g": before.parts,
        "n": before.n_others,
        "o": _short(folded.fold(before.others)) if before.others else [],
        "t": before.is_time,
        "z": zone_of_charts(before.zone) if before.is_time else "",
        "f": before.scale,
        "lo": before.below,
        "hi": before.above,
        "q": [[_significant(value) for value in row] for row in before.quartiles],
    }
    return {key: value for key, value in found.items() if value or key in ("k", "c", "n")}


def borders_data(borders: Borders, folded: Folded, before: Before | None) -> dict[str, Any]:
    """Gather what a chart shows of all partitions: stretches of the cuts, averaged shares."""
    is_time = before is not None and before.is_time
    return {
        "s": [_places(pair, is_time) for pair in borders.stretches],
        "x": _places(borders.places, is_time),
        "y": [_curve_row(row, folded) for row in borders.shares],
    }


def _curve_row(row: Sequence[float], folded: Folded) -> list[float | None]:
    """Averaged shares of the classes that have a colour, or the averaged mean."""
    if folded.is_number:
        return [_significant(value) for value in row]
    return [round(share, 3) for share in folded.fold(row)]


def amounts_data(amounts: dict[str, float]) -> dict[str, float | None]:
    """Write the law of a number with the digits that a page shows."""
    return {name: _significant(value) for name, value in amounts.items()}


def _significant(value: float) -> float | None:
    """Write a number with six digits; what is not finite has none."""
    return float(f"{value:.6g}") if math.isfinite(value) else None


def sample_data(sample: OnSample, folded: Folded) -> dict[str, Any]:
    """Gather what is shown of the parts on a sample."""
    found: dict[str, Any] = {
        "r": sample.rows,
        "c": [_short(folded.fold(row)) for row in sample.counts],
        "d": _digits(sample.psi, 5),
    }
    if sample.level is not None and sample.expected_level is not None:
        found |= {"l": _digits(sample.level, 5), "e": _digits(sample.expected_level, 5)}
    return found


def pair_data(view: PairCells, folded: Folded) -> dict[str, Any]:
    """Gather the grid of two columns."""
    return {
        "n": view.pair.names,
        "a": [_shorten(label) for label in view.labels[0]],
        "b": [_shorten(label) for label in view.labels[1]],
        "c": [[_short(folded.fold(cell)) for cell in row] for row in view.counts],
        "t": view.pair.sentence(),
    }


def _together(found: Together | None, folded: Folded) -> dict[str, Any] | None:
    """Gather what was found about all pairs; shares in percent."""
    if found is None:
        return None
    return {
        "r": found.n_rows,
        "k": found.n_columns,
        "p": [
            {
                "n": one.names,
                "l": _digits(one.level, 4),
                "b": _digits(one.bits, 1),
                "a": [_digits(bits, 1) for bits in one.apart],
                "s": _digits(one.synergy, 1),
                "t": one.sentence(),
            }
            for one in found.pairs
        ],
        "c": [pair_data(one, folded) for one in found.cells],
        "m": found.names,
        "s": [[round(100 * share) for share in row] for row in found.shared],
        "g": [
            [(name, _digits(found.redundant_bits(group[0], name), 1)) for name in group]
            for group in found.groups
        ],
    }


def _graph(view: GraphView, folded: Folded) -> dict[str, Any]:
    """Gather the points of two columns, scaled to a unit square, and the parts of their graph."""
    low, high = view.points.min(axis=0), view.points.max(axis=0)
    points = (view.points - low) / [x if x > 0 else 1.0 for x in (high - low).tolist()]
    place = {j: i for i, j in enumerate(folded.kept)}
    n = len(view.points)
    sample = f", a sample of {view.n_rows:,}," if view.n_rows > n else ""
    return {
        "n": view.names,
        "p": points.round(4).tolist(),
        "e": view.edges.tolist(),
        "l": [place.get(label, len(folded.kept)) for label in view.labels.tolist()],
        "c": [_short(folded.fold(row)) for row in view.parts[:_MOST_POINTS].tolist()],
        "a": view.centres[:_MOST_POINTS].tolist(),
        "w": view.conditions[:_MOST_POINTS],
        "o": view.outlines.round(4).tolist(),
        "r": [[float(x) for x in side] for side in zip(low, high, strict=True)],
        "m": max(len(view.parts) - _MOST_POINTS, 0),
        "t": f"{n:,} rows{sample} joined to their Gabriel neighbours of the same part: "
        f"{len(view.parts):,} parts, level {view.level:.3f}.",
    }


def _places(places: Sequence[float], is_time: bool) -> list[float]:
    """Write places of an axis with the digits that a chart can show; times to the millisecond."""
    return [float(f"{place:.13g}" if is_time else f"{place:.8g}") for place in places]


def _short(counts: Sequence[float | None]) -> list[float | None]:
    """Write whole numbers without a point."""
    return [
        count if count is None else int(count) if count == int(count) else round(count, 6)
        for count in counts
    ]


def _shorten(label: str, most: int = _LONGEST_LABEL) -> str:
    """Cut a very long label."""
    return label if len(label) <= most else label[: most - 1] + "…"


def _digits(value: float, n: int) -> float:
    """Round to so many digits behind the point, without a negative zero."""
    return round(value, n) + 0.0
