"""What the document of a scorecard says, whatever it is written as."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

import narwhals as nw
import numpy as np

from partage._estimators.scorecard.performance import Performance

__all__ = ["Document", "Section", "Sheet", "make_document"]

_SQL = "duckdb"
_ABOUT = {
    "data": "Data",
    "target_definition": "Definition of the event",
    "exclusions": "Exclusions",
    "author": "Author",
    "purpose": "Purpose",
}
_NOT_SAID = ("data", "target_definition", "exclusions")


@dataclass(frozen=True)
class Sheet:
    """A table: names of columns, and rows."""

    title: str
    columns: list[str]
    rows: list[tuple[Any, ...]]

    @classmethod
    def of(cls, title: str, frame: Any) -> Sheet:
        """Take a data frame."""
        held = nw.from_native(frame, eager_only=True)
        return cls(title, held.columns, [_plain_row(row) for row in held.iter_rows()])


def _plain_row(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Write what is not there as None."""
    return tuple(None if isinstance(v, float) and np.isnan(v) else v for v in row)


@dataclass(frozen=True)
class Section:
    """A part of the document: sentences, tables, curves, code."""

    title: str
    lines: list[str] = field(default_factory=list)
    sheets: list[Sheet] = field(default_factory=list)
    curves: list[tuple[str, str, str, dict[str, tuple[list[float], list[float]]]]] = field(
        default_factory=list
    )
    code: str = ""


@dataclass(frozen=True)
class Document:
    """A title and its sections."""

    title: str
    sections: list[Section]


def make_document(card: Any, judged: dict[str, Performance], about: dict[str, str]) -> Document:
    """Gather what a validator asks of a card."""
    title = about.get("title", "Scorecard")
    sections = [
        _overview(card, judged, about),
        _selection(card),
        *_columns(card),
        _performance(judged),
        _stability(judged),
        _code(card),
    ]
    return Document(title, sections)


def _overview(card: Any, judged: dict[str, Performance], about: dict[str, str]) -> Section:
    """Gather data, target, scale and how well the card does."""
    event, other = (_item(label) for label in card._outcomes())
    said = [(title, about[key]) for key, title in _ABOUT.items() if about.get(key)]
    said += [(_ABOUT[key], "not stated") for key in _NOT_SAID if not about.get(key)]
    extra = [(key, text) for key, text in about.items() if key not in (*_ABOUT, "title")]
    first = next(iter(card.partitions_.values()))
    totals = first.totals()
    n_events, total = float(totals[first.event]), float(totals.sum())
    low, high = card.score_range_
    today = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")
    rows = [
        *said,
        *extra,
        ("Event", f"{event!r}; the other class is {other!r}"),
        ("Rows of the fit", f"{total:g}, of which {n_events:g} events ({n_events / total:.2%})"),
        ("Columns", f"{len(card.points_)} with points, {len(card._weights.reasons)} left out"),
        (
            "Scale",
            f"{card.base:g} points at odds of {card.base_odds:g} to 1 against the event; "
            f"{card.points_to_double:g} points double the odds",
        ),
        ("Points at even odds", f"{card.cutoff_:.2f}"),
        ("Lowest and highest score", f"{low:g} to {high:g}"),
        ("Points", "whole numbers" if card.rounded else "not rounded"),
        ("Smoothing", "evidence of a part counts half an event and half another row more"),
        ("Parameters", _parameters(card)),
        ("Written", f"{today}, partage {version('partage')}"),
    ]
    sheets = [Sheet("About", ["what", "value"], [(k, v) for k, v in rows])]
    sheets += [_measures(name, p) for name, p in judged.items()]
    return Section("Overview", [], sheets)


def _item(label: Any) -> Any:
    """Give a class as Python shows it."""
    return label.item() if isinstance(label, np.generic) else label


def _measures(name: str, performance: Performance) -> Sheet:
    """Measures of some rows, a line each, with the ends of their intervals."""
    frame = nw.from_native(performance.measures, eager_only=True)
    lines = []
    for row in frame.iter_rows(named=True):
        measures = [key for key in row if key != "period" and not key.endswith(("_low", "_high"))]
        lines += [
            (row["period"], key, row[key], row.get(f"{key}_low"), row.get(f"{key}_high"))
            for key in measures
        ]
    titles = ["period", "measure", "value", "2.5 %", "97.5 %"]
    return Sheet(f"Measures: {name}", titles, [_plain_row(line) for line in lines])


def _parameters(card: Any) -> str:
    """Parameters that differ from the defaults; those by column by their names."""
    default = type(card)()
    shown = []
    for name, value in card.get_params(deep=False).items():
        if name == "partitions" and value is not None:
            shown.append(f"partitions of {', '.join(map(repr, value))}")
        elif repr(value) != repr(getattr(default, name)):
            shown.append(f"{name}={value!r}")
    return ", ".join(shown) or "the defaults"


def _selection(card: Any) -> Section:
    """Coefficients, signs, why columns are left out, correlation."""
    weights = card._weights
    lines = [
        "Weights are those of a logistic regression on the evidence of the columns; standard "
        "errors come from its information matrix. They take the evidence as given: since parts "
        "were found on the same rows, p-values of weak columns flatter."
    ]
    lines.append(
        "All weights are held to the sign of the evidence: more risk never has more points."
        if card.signs is not None
        else "Signs are free: a part of more risk may have more points."
    )
    if weights.ridge > card.ridge:
        lines.append("The classes are separated by the columns: the likelihood has no maximum.")
    lines.append(
        f"Half the squares of the weights, times {weights.ridge:g}, were added to the loss, and to "
        "the information matrix."
        if weights.ridge
        else "The likelihood alone decides."
    )
    sheets = [Sheet.of("Columns", card.summary())]
    kept = [n for n, c in zip(card.partitions_, weights.coef, strict=True) if c != 0.0]
    if len(kept) > 1:
        rows = [
            (name, *(float(v) for v in row))
            for name, row in zip(kept, weights.correlation, strict=True)
        ]
        sheets.append(Sheet("Correlation of the evidence", ["column", *kept], rows))
    return Section("Selection and coefficients", lines, sheets)


def _columns(card: Any) -> list[Section]:
    """Table, constraints and history of every column."""
    found = []
    overridden = card.override or {}
    for name, partition in card.partitions_.items():
        lines = []
        reason = card._weights.reasons.get(name)
        if reason:
            lines.append(f"Left out: {reason}.")
        if partition.constraints:
            limits = ", ".join(f"{k}={v!r}" for k, v in partition.constraints.items())
            lines.append(f"Limits: {limits}.")
        if partition.violations:
            lines.append(f"Edits broke these limits: {', '.join(partition.violations)}.")
        lines += [
            f"Points of part {k!r} set to {v:g}." for k, v in overridden.get(name, {}).items()
        ]
        table = nw.from_native(partition.table(), eager_only=True)
        if name in card.points_:
            codes = partition.rule.shown_codes()
            points = [*card.points_[name][codes].tolist(), None]
            series = nw.new_series("points", points, backend=table.implementation)
            table = table.with_columns(series)
        sheets = [Sheet.of("Parts", table.to_native())]
        history = history_of(card, name)
        if history:
            rows = [(e.when, e.who, e.action, e.price, e.reason) for e in history]
            titles = ["when", "who", "edit", "price in bits", "reason"]
            sheets.append(Sheet("History", titles, rows))
        found.append(Section(f"Column {name}", lines, sheets))
    return found


def history_of(card: Any, name: str) -> tuple[Any, ...]:
    """Edits of a column; of a partition that was given and counted anew, those before."""
    given = (card.partitions or {}).get(name)
    own: tuple[Any, ...] = card.partitions_[name].history
    return own or (() if given is None else given.history)


def _performance(judged: dict[str, Performance]) -> Section:
    """Gains, cut-offs, curves."""
    roc, gains, calibration = {}, {}, {}
    sheets = []
    for name, performance in judged.items():
        for period, scored in performance.scored.items():
            label = name if len(performance.scored) == 1 else f"{name}, {period}"
            others = scored.sizes - scored.events
            x, y, rows = (
                np.append(0.0, v.cumsum() / v.sum()) for v in (others, scored.events, scored.sizes)
            )
            roc[label] = _thinned(x, y)
            gains[label] = _thinned(rows, y)
            found = scored.gains()
            calibration[label] = found["expected_rate"], found["event_rate"]
        sheets.append(Sheet.of(f"Gains: {name}", performance.gains))
        sheets.append(Sheet.of(f"Cut-offs: {name}", performance.cutoffs))
    curves = [
        ("ROC", "share of the others below", "share of the events below", roc),
        ("Gains", "share of rows, riskiest first", "share of the events", gains),
        ("Calibration", "expected event rate", "event rate found", calibration),
    ]
    return Section("Performance", [], sheets, curves)


def _thinned(x: Any, y: Any, most: int = 200) -> tuple[list[float], list[float]]:
    """Keep so many points of a curve."""
    places = np.unique(np.linspace(0, len(x) - 1, most).astype(int))
    return x[places].tolist(), y[places].tolist()


def _stability(judged: dict[str, Performance]) -> Section:
    """Stability of the points against the rows of the fit."""
    rows = []
    for name, performance in judged.items():
        frame = nw.from_native(performance.measures, eager_only=True)
        rows += [
            (name, str(row["period"]), row["rows"], row["psi"])
            for row in frame.iter_rows(named=True)
        ]
    lines = ["A stability index above 0.1 is usually looked into, above 0.25 called a shift."]
    sheet = Sheet("Stability of the points", ["rows of", "period", "number", "psi"], rows)
    return Section("Stability", lines, [sheet])


def _code(card: Any) -> Section:
    """Write the SQL of the card."""
    try:
        code = card.to_sql(_SQL)
    except (TypeError, ValueError) as error:  # values that no SQL column holds
        return Section("SQL", [f"There is none: {error}"])
    return Section("SQL", [f"In the dialect of {_SQL}; to_sql writes others."], code=code)
