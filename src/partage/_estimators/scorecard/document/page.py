"""The document of a scorecard as one page: no network, no script, printable."""

from __future__ import annotations

import html
import math
from typing import Any

from partage._estimators.scorecard.document.content import Document, Section, Sheet

__all__ = ["write_page"]

_STYLE = """
:root { color-scheme: light; }
body { font: 15px/1.5 system-ui, sans-serif; color: #1d2733; margin: 0 auto; max-width: 72rem;
  padding: 1.5rem; }
h1 { font-size: 1.8rem; margin: 0 0 .5rem; }
h2 { font-size: 1.25rem; border-bottom: 2px solid #d5dde6; margin: 2.2rem 0 .6rem;
  padding-bottom: .2rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; color: #42526b; }
p { margin: .3rem 0; max-width: 60rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .6rem; text-align: left; vertical-align: top;
  border-bottom: 1px solid #e6ebf1; }
th { background: #f2f5f8; font-weight: 600; white-space: nowrap; }
td.number { text-align: right; white-space: nowrap; }
td.text { max-width: 34rem; overflow-wrap: anywhere; }
td.name { white-space: nowrap; }
.curves { display: flex; flex-wrap: wrap; gap: 1.5rem; }
figure { margin: 0; }
figcaption { font-weight: 600; font-size: 13px; }
nav { columns: 3; font-size: 13px; margin: 1rem 0; }
nav a { display: block; color: #1f5fa8; text-decoration: none; }
pre { background: #f6f8fa; padding: .8rem; font-size: 12px; overflow-x: auto; }
@media print { body { max-width: none; padding: 0; font-size: 11px; } nav { display: none; }
  table { font-size: 9px; } pre { white-space: pre-wrap; font-size: 8px; }
  tr, figure { break-inside: avoid; } h2, h3 { break-after: avoid; } }
"""
_COLOURS = ("#1f5fa8", "#c2571a", "#3f8f4f", "#7b4fa3", "#8a6d1d", "#3a8fa3")
_MOST_LETTERS = 48  # of text that is not broken
_RATES = ("event_rate", "share", "gain", "accepted")


def write_page(document: Document) -> str:
    """Write the whole page."""
    links = "".join(
        f'<a href="#s{i}">{html.escape(section.title)}</a>'
        for i, section in enumerate(document.sections)
    )
    body = "".join(_section(i, section) for i, section in enumerate(document.sections))
    title = html.escape(document.title)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="data:,">'
        f"<title>{title}</title><style>{_STYLE}</style></head><body>"
        f"<h1>{title}</h1><nav>{links}</nav>{body}</body></html>\n"
    )


def _section(place: int, section: Section) -> str:
    """Write a section."""
    pieces = [f'<section id="s{place}"><h2>{html.escape(section.title)}</h2>']
    pieces += [f"<p>{html.escape(line)}</p>" for line in section.lines]
    if section.curves:
        pieces.append('<div class="curves">' + "".join(map(_curve, section.curves)) + "</div>")
    pieces += map(_table, section.sheets)
    if section.code:
        pieces.append(f"<pre>{html.escape(section.code)}</pre>")
    return "".join([*pieces, "</section>"])


def _table(sheet: Sheet) -> str:
    """Write a table."""
    head = "".join(f"<th>{html.escape(str(name))}</th>" for name in sheet.columns)
    rows = "".join("<tr>" + "".join(map(_cell, sheet.columns, row)) + "</tr>" for row in sheet.rows)
    return (
        f'<h3>{html.escape(sheet.title)}</h3><div class="wide"><table><thead><tr>{head}</tr>'
        f"</thead><tbody>{rows}</tbody></table></div>"
    )


def _cell(column: str, value: Any) -> str:
    """Write a cell: numbers to the right, shares with a bar behind them."""
    if value is None:
        return "<td></td>"
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        is_short = len(str(value)) <= _MOST_LETTERS and column != "why"
        kind = "name" if is_short else "text"
        return f'<td class="{kind}">{html.escape(str(value))}</td>'
    bar = ""
    if column in _RATES and 0.0 <= value <= 1.0:
        bar = (
            f' style="background:linear-gradient(90deg,#cfe0f2 {100 * value:.1f}%,'
            f'transparent {100 * value:.1f}%)"'
        )
    return f'<td class="number"{bar}>{number(value)}</td>'


def number(value: float) -> str:
    """Write a number as people print it."""
    if not math.isfinite(value):
        return str(value)
    if abs(value - round(value)) <= 1e-12 * abs(value):  # sums of shares that are 1 but for bits
        return f"{round(value):,}" if abs(value) >= 10_000 else str(round(value))
    if abs(value) >= 100:
        return f"{value:,.2f}"
    return f"{value:.4f}" if abs(value) >= 5e-5 else f"{value:.1e}"


def _curve(curve: Any) -> str:
    """Draw curves in a square of 300 pixels."""
    title, x_name, y_name, lines = curve
    size, margin = 300.0, 42.0
    most_x = most_y = 1.0
    if title == "Calibration":
        values = [v for xs, ys in lines.values() for v in (*xs, *ys) if math.isfinite(v)]
        most_x = most_y = min(1.0, max([*values, 1e-9]) * 1.05)
    inner = size - 1.5 * margin

    def place(x: float, y: float) -> str:
        return f"{margin + inner * x / most_x:.1f},{size - margin - inner * y / most_y:.1f}"

    pieces = [
        f'<polyline points="{place(0, 0)} {place(most_x, most_y)}" fill="none" stroke="#bbb"/>',
        f'<polyline points="{place(0, most_y)} {place(0, 0)} {place(most_x, 0)}" fill="none" '
        'stroke="#555"/>',
    ]
    for k, (label, (xs, ys)) in enumerate(lines.items()):
        colour = _COLOURS[k % len(_COLOURS)]
        points = [place(x, y) for x, y in zip(xs, ys, strict=True) if math.isfinite(x + y)]
        pieces.append(
            f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" '
            'stroke-width="1.8"/>'
        )
        if title == "Calibration":
            dots = (point.split(",") for point in points)
            pieces += [f'<circle cx="{x}" cy="{y}" r="2.5" fill="{colour}"/>' for x, y in dots]
        pieces.append(
            f'<text x="{size - 0.5 * margin}" y="{size - margin - 10 - 14 * k}" '
            f'text-anchor="end" fill="{colour}">{html.escape(str(label))}</text>'
        )
    pieces.append(f'<text x="{size / 2}" y="{size - 6}" text-anchor="middle">{x_name}</text>')
    pieces.append(
        f'<text x="12" y="{size / 2}" text-anchor="middle" transform="rotate(-90 12 {size / 2})">'
        f"{y_name}</text>"
    )
    for share in (0.0, 0.5, 1.0):
        x, y = place(share * most_x, 0).split(",")
        pieces.append(
            f'<text x="{x}" y="{float(y) + 14}" text-anchor="middle">{share * most_x:.2g}</text>'
        )
        x, y = place(0, share * most_y).split(",")
        pieces.append(
            f'<text x="{float(x) - 4}" y="{float(y) + 4}" text-anchor="end">'
            f"{share * most_y:.2g}</text>"
        )
    return (
        f'<figure><figcaption>{title}</figcaption><svg viewBox="0 0 {size:g} {size:g}" '
        f'width="{size:g}" height="{size:g}" font-size="11" role="img" aria-label="{title}">'
        f"{''.join(pieces)}</svg></figure>"
    )
