"""Reports as one page that needs nothing else: no network, no files beside it."""

from __future__ import annotations

import base64
import datetime
import hashlib
import itertools
import json
import zoneinfo
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import files
from typing import Any

import numpy as np

from partage._data.column import Kind
from partage._display.tables import NO_INFORMATION
from partage._partitions.value_groups import MOST_SHOWN
from partage._report.drawings import cell_of_grid, draw_graph
from partage._report.summary import Before, Borders, ColumnSummary, Summary
from partage._report.text import without_sign_of_zero
from partage._report.views import GraphView, PairView
from partage._support.extras import require

_MOST_CLASSES = 10  # that have a colour; of more, the rarest share the last one
_MOST_LETTERS = 8_000  # of the values that the groups of a column list
_LONGEST_LABEL = 200


def render_page(
    summary: Summary, pairs: Sequence[PairView] = (), graphs: Sequence[GraphView] = ()
) -> str:
    """Write the page."""
    require("the report's page", "jinja2", "report")
    import jinja2
    from markupsafe import Markup

    folder = files("partage._report") / "page"
    style, script, layout, views = (
        (folder / name).read_text(encoding="utf-8")
        for name in ("page.css", "page.js", "page.html", "views.html")
    )
    environment = jinja2.Environment(
        loader=jinja2.DictLoader({"page.html": layout, "views.html": views}),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "number": write_number,
        "percent": write_percent,
        "rounded": without_sign_of_zero,
        "verdict": verdict,
        "cell": cell_of_grid,
        "drawing": lambda view: Markup(draw_graph(view)),  # numbers only
    }
    folded = Folded.of(summary)
    charts = [_Extras.of(column) for column in summary.columns]
    return environment.get_template("page.html").render(
        summary=summary,
        classes=list(zip(summary.classes, summary.totals, strict=True)),
        legend=list(zip(folded.names, folded.fold(summary.totals), strict=True)),
        total_weight=sum(summary.totals) or 1.0,
        best=max((column.level for column in summary.columns), default=0.0) or 1.0,
        charts=charts,
        pairs=pairs,
        graphs=graphs,
        # The page's own text, and data whose every '<' is written as an escape of JSON.
        style=Markup(style),
        script=Markup(script),
        numbers=Markup(_as_script(_numbers(summary, folded))),
        policy=_policy(script),
        version=version("partage"),
        today=datetime.datetime.now(datetime.UTC).date().isoformat(),
    )


def _policy(script: str) -> str:
    """Allow the page's own script by its digest, and nothing from elsewhere."""
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode()
    return (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'"
    )


@dataclass(frozen=True)
class Folded:
    """Classes as charts show them: all, or the most frequent and the others together."""

    names: list[str]
    kept: list[int]
    rest: list[int]

    @classmethod
    def of(cls, summary: Summary) -> Folded:
        """Choose the classes that have a colour of their own."""
        order = range(len(summary.classes))
        if len(summary.classes) <= _MOST_CLASSES:
            return cls(list(summary.classes), list(order), [])
        ranked = sorted(order, key=lambda j: -summary.totals[j])
        kept = sorted(ranked[: _MOST_CLASSES - 1])
        rest = sorted(ranked[_MOST_CLASSES - 1 :])
        return cls([*(summary.classes[j] for j in kept), f"{len(rest)} others"], kept, rest)

    def fold(self, counts: list[float]) -> list[float]:
        """Add up the counts of the classes that share a colour."""
        shown = [counts[j] for j in self.kept]
        return [*shown, sum(counts[j] for j in self.rest)] if self.rest else shown


def _numbers(summary: Summary, folded: Folded) -> dict[str, Any]:
    """Gather what the charts draw, under short names."""
    totals = folded.fold(summary.totals)
    return {
        "classes": folded.names,
        "prior": [total / (sum(totals) or 1.0) for total in totals],
        "columns": [_column_numbers(column, folded) for column in summary.columns],
    }


def _column_numbers(column: ColumnSummary, folded: Folded) -> dict[str, Any]:
    """Gather what the charts of one column draw."""
    return {
        "n": column.name,
        "cuts": [cut for cut in column.cuts if abs(cut[0]) < float("inf")],
        "p": [
            {
                "t": _shorten(part.label),
                "r": part.rows,
                "s": round(part.share, 6),
                "c": _short(folded.fold(part.counts)),
            }
            for part in column.parts
            if part.rows > 0
        ],
        "b": None if column.before is None else _before_numbers(column.before, folded),
        "q": None if column.borders is None else _border_numbers(column.borders, folded),
    }


def _border_numbers(borders: Borders, folded: Folded) -> dict[str, Any]:
    """Gather what a chart shows of all partitions: stretches of the cuts, averaged shares."""
    return {
        "s": [[float(f"{end:.12g}") for end in pair] for pair in borders.stretches],
        "x": [float(f"{place:.12g}") for place in borders.places],
        "y": [[round(share, 4) for share in folded.fold(row)] for row in borders.shares],
    }


def _before_numbers(before: Before, folded: Folded) -> dict[str, Any]:
    """Gather what the chart of a column before its parts draws."""
    return {
        "k": before.kind,
        "e": [float(f"{edge:.12g}") for edge in before.edges],
        "c": [_short(folded.fold(row)) for row in before.counts],
        "l": [_shorten(label) for label in before.labels],
        "g": before.parts,
        "n": before.n_others,
        "t": before.is_time,
        "z": _zone_of_charts(before.zone),
        "lo": before.below,
        "hi": before.above,
    }


def _short(counts: list[float]) -> list[float]:
    """Write whole numbers without a point."""
    return [int(count) if count == int(count) else round(count, 6) for count in counts]


def _shorten(label: str) -> str:
    """Cut a very long label."""
    return label if len(label) <= _LONGEST_LABEL else label[: _LONGEST_LABEL - 1] + "…"


def _as_script(data: dict[str, Any]) -> str:
    """Write JSON that can stand in a script element: nothing in it ends the element."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


@dataclass(frozen=True)
class _Extras:
    """Lists of a column that the page writes out: facts, values of groups, what was before."""

    facts: list[tuple[str, str]]
    members: list[tuple[str, list[str], int]]
    before: list[tuple[str, Any, list[float]]]

    @classmethod
    def of(cls, column: ColumnSummary) -> _Extras:
        before = column.before
        if before is None:
            return cls([], _members(column), [])
        facts = [(name, _place(value, before)) for name, value in before.facts.items()]
        return cls(facts, _members(column), _rows_before(before))


def _members(column: ColumnSummary) -> list[tuple[str, list[str], int]]:
    """List the values of groups whose label does not name them all, as many as have room."""
    groups = [(k, p) for k, p in enumerate(column.parts) if len(p.members) > MOST_SHOWN]
    found = []
    room = _MOST_LETTERS // max(len(groups), 1)
    for k, part in groups:
        shown: list[str] = []
        letters = 0
        for value in part.members:
            letters += min(len(value), _LONGEST_LABEL) + 40  # the element around it
            if letters > room and shown:
                break
            shown.append(_shorten(value))
        title = f"Group {k}, {write_number(len(part.members))} values"
        title += ", rare or unseen values (garbage group)" if part.is_garbage else ""
        found.append((title, shown, len(part.members) - len(shown)))
    return found


def _rows_before(before: Before) -> list[tuple[str, Any, list[float]]]:
    """Lay out the distribution before as a table."""
    if before.kind == "values":
        rows: list[tuple[str, Any, list[float]]] = [
            (_shorten(label), part, counts)
            for label, part, counts in zip(before.labels, before.parts, before.counts, strict=True)
        ]
        if before.n_others:
            rows.append((f"{write_number(before.n_others)} more values", "", before.others))
        return rows
    places = [_place(edge, before) for edge in before.edges]
    if before.kind == "numbers":
        return [(place, "", row) for place, row in zip(places, before.counts, strict=True)]
    labels = [f"({low}, {high}]" for low, high in itertools.pairwise(places)]
    return [(label, "", row) for label, row in zip(labels, before.counts, strict=True)]


def _zone_of_charts(zone: str) -> str:
    """Name a zone as browsers know it: by its place; else UTC."""
    try:
        return zoneinfo.ZoneInfo(zone).key if zone else "UTC"
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        return "UTC"


def _place(value: float, before: Before) -> str:
    """Write a position on the axis of a column."""
    if before.zone:
        milliseconds = np.array([round(value)], dtype=np.int64)
        return str(Kind("datetime", "ms", before.zone).show(milliseconds)[0])
    if before.is_time:
        moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=value)
        text = moment.isoformat(sep=" ", timespec="seconds")
        return text.removesuffix(" 00:00:00")
    return f"{value:,.6g}"


def write_number(value: float) -> str:
    """Write a count; weights that are not integers with two digits."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"


def write_percent(share: float) -> str:
    """Write a share with a digit, or two where it is small."""
    return f"{share:.2%}" if 0 < share < 0.01 else f"{share:.1%}"


def verdict(column: ColumnSummary) -> str:
    """Sum up a column in a sentence."""
    if column.is_useless:
        why = "" if column.why in ("", NO_INFORMATION) else f": {column.why}"
        return f"This column says nothing about the class{why}."
    groups = column.kind in ("categorical", "ordered")
    noun = ("group" if groups else "interval") + ("" if column.n_parts == 1 else "s")
    text = f"{column.n_parts} {noun} keep the information of {write_number(column.n_values)} values"
    text += " about the class"
    if column.bits_saved is not None and column.bits is not None:
        text += (
            f", and save {write_number(round(column.bits_saved))} of the "
            f"{write_number(round(column.bits))} bits that describing it takes"
        )
    proof = "No other partition costs less." if column.is_optimal else f"Cost: {column.proof}."
    if column.n_parts == 1 and column.missing:
        return f"Only whether the value is missing is informative about the class. {proof}".strip()
    return f"{text}. {proof}".strip()
