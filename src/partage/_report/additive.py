"""The page of an additive model: its terms, each with its picture and its numbers."""

from __future__ import annotations

import html
from typing import Any

import numpy as np

from partage._display.colours import LIGHT
from partage._report.document import ReportPage

_WIDTH, _HEIGHT, _MARGIN = 460, 190, 36
_BAND = 1.96  # deviations: 95 % of a normal law
_MOST_CLASSES = 6  # curves that one picture shows
_STYLE = """
:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;max-width:1080px;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.05rem;margin:.2rem 0}
table{border-collapse:collapse;font-size:.88rem}
th,td{padding:.2rem .6rem;text-align:right;border-bottom:1px solid #8884}
th:first-child,td:first-child{text-align:left}
.terms{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(460px,100%),1fr));gap:1.2rem}
.term{border:1px solid #8884;border-radius:8px;padding:.8rem;overflow-x:auto}
svg{width:100%;height:auto}svg text{font-size:10px;fill:currentColor}
details{font-size:.85rem}summary{cursor:pointer}
.note{opacity:.75;font-size:.88rem}
"""


def additive_page(model: Any, title: str) -> ReportPage:
    """Make the page."""
    terms = sorted(model.terms_.values(), key=lambda term: -term.importance)
    outputs = model._output_names()
    blocks = "".join(_block(term, outputs) for term in terms)
    body = (
        f"<h1>{html.escape(title)}</h1><p>{html.escape(_facts(model, terms))}</p>"
        f"{_ranking(terms)}<p class=note>A score is what all rows share "
        f"({', '.join(f'{x:.4g}' for x in model.intercept_)}) and what each term adds. Bands hold "
        "95&nbsp;% of the curves that the rows make probable.</p>"
        f"<div class=terms>{blocks}</div>"
    )
    head = (
        "<!doctype html><html lang=en><head><meta charset=utf-8>"
        "<meta name=viewport content='width=device-width,initial-scale=1'>"
        f"<title>{html.escape(title)}</title><style>{_STYLE}</style></head>"
    )
    return ReportPage(f"{head}<body>{body}</body></html>", title)


def _facts(model: Any, terms: list[Any]) -> str:
    """Say in a sentence what the model is."""
    n_pairs = sum(term.is_pair for term in terms)
    numbers = sum(term.n_numbers for term in terms)
    entry = {
        "all": "held-out rows do better with all columns",
        "paid": "held-out rows do better with the columns that pay for being named",
        "none": "no column says anything that held-out rows confirm",
    }[model.choice_.entry]
    return (
        f"{len(terms) - n_pairs} of {len(model.partitions_)} columns and {n_pairs} pairs of "
        f"columns add up to the score: {entry}. There are {numbers:,} numbers to read."
    )


def _ranking(terms: list[Any]) -> str:
    """List the terms."""
    rows = "".join(
        f"<tr><td>{html.escape(term.label)}</td><td>{term.n_parts}</td>"
        f"<td>{term.importance:.4g}</td><td>{term.contributions.min():.3f}</td>"
        f"<td>{term.contributions.max():.3f}</td><td>{term.certainty:.3f}</td></tr>"
        for term in terms
    )
    names = ("term", "parts", "importance", "lowest", "highest", "certainty")
    head = "".join(f"<th>{name}</th>" for name in names)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _block(term: Any, outputs: list[str]) -> str:
    """Show one term."""
    drawn = _lattice(term) if term.is_pair else _curve(term, outputs)
    labels = term.labels()
    held = np.flatnonzero(term.weights.ravel() > 0)
    heads = [f"adds to {name}" if name else "adds" for name in outputs]
    rows = "".join(
        f"<tr><td>{html.escape(labels[k])}</td><td>{term.weights.ravel()[k]:,.6g}</td>"
        + "".join(f"<td>{x:.4f}</td>" for x in term.table[k])
        + "</tr>"
        for k in held
    )
    head = "".join(f"<th>{html.escape(name)}</th>" for name in ("part", "rows", *heads))
    return (
        f"<section class=term><h2>{html.escape(term.label)}</h2>{drawn}<details><summary>"
        f"{len(held)} parts</summary><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody>"
        "</table></details></section>"
    )


def _curve(term: Any, outputs: list[str]) -> str:
    """Draw the levels of codes that rows held, as wide as their rows are many."""
    held = np.flatnonzero(term.weights > 0)
    ends = np.append(0.0, np.cumsum(term.weights[held] / term.weights[held].sum()))
    shown = range(min(len(outputs), _MOST_CLASSES))
    levels, spread = term.contributions[held], _BAND * term.deviations[held]
    low = min(float((levels - spread)[:, list(shown)].min()), 0.0)
    high = max(float((levels + spread)[:, list(shown)].max()), 1e-9)

    def across(share: float) -> float:
        return _MARGIN + share * (_WIDTH - _MARGIN - 4)

    def down(level: float) -> float:
        return 8 + (high - level) / (high - low) * (_HEIGHT - 30)

    pieces = [_line(_MARGIN, down(0.0), _WIDTH - 4, down(0.0), "currentColor", 0.35)]
    for j in shown:
        colour = LIGHT[j % len(LIGHT)]
        path = []
        for k in range(len(held)):
            left, right = across(ends[k]), across(ends[k + 1])
            top, bottom = down(levels[k, j] + spread[k, j]), down(levels[k, j] - spread[k, j])
            pieces.append(
                f"<rect x={left:.1f} y={top:.1f} width={max(right - left, 0.1):.1f} "
                f"height={max(bottom - top, 0.1):.1f} fill='{colour}' opacity=.16 />"
            )
            path.append(f"{left:.1f},{down(levels[k, j]):.1f} {right:.1f},{down(levels[k, j]):.1f}")
        pieces.append(
            f"<polyline points='{' '.join(path)}' fill=none stroke='{colour}' stroke-width=1.6 />"
        )
    pieces += [
        f"<text x=2 y={down(level) + 3:.1f}>{level:.2f}</text>" for level in (low, 0.0, high)
    ]
    labels = [term.axes[0].code_labels()[k] for k in (held[0], held[-1])]
    pieces.append(f"<text x={_MARGIN} y={_HEIGHT - 4}>{html.escape(_short(labels[0]))}</text>")
    pieces.append(
        f"<text x={_WIDTH - 4} y={_HEIGHT - 4} text-anchor=end>"
        f"{html.escape(_short(labels[1]))}</text>"
    )
    return _svg(pieces, f"What {term.label} adds to the score, by share of the rows")


def _lattice(term: Any) -> str:
    """Draw the cells of a pair in two colours."""
    sizes = [axis.n_parts for axis in term.axes]
    levels = term.contributions[: sizes[0], : sizes[1]]
    j = int(np.abs(levels).mean(axis=(0, 1)).argmax())
    top = max(float(np.abs(levels[..., j]).max()), 1e-9)
    wide, tall = (_WIDTH - _MARGIN - 4) / sizes[0], (_HEIGHT - 30) / sizes[1]
    pieces = []
    for i in range(sizes[0]):
        for k in range(sizes[1]):
            level = float(levels[i, k, j])
            colour = LIGHT[1] if level > 0 else LIGHT[0]
            place = _MARGIN + i * wide, 8 + (sizes[1] - 1 - k) * tall
            first, second = term.axes[0].labels()[i], term.axes[1].labels()[k]
            told = html.escape(f"{first}, {second}: {level:.3f}")
            pieces.append(
                f"<rect x={place[0]:.1f} y={place[1]:.1f} width={wide:.1f} height={tall:.1f} "
                f"fill='{colour}' opacity={abs(level) / top:.3f}><title>{told}</title></rect>"
            )
    one, two = (html.escape(_short(name)) for name in term.columns)
    pieces.append(f"<text x={_MARGIN} y={_HEIGHT - 4}>{one}, from left to right</text>")
    pieces.append(f"<text x=10 y={_HEIGHT - 26} transform='rotate(-90 10 {_HEIGHT - 26})'>")
    pieces.append(f"{two}, upwards</text>")
    return _svg(pieces, f"What {term.label} adds to the score: at most {top:.2f}")


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, opacity: float) -> str:
    return (
        f"<line x1={x1:.1f} y1={y1:.1f} x2={x2:.1f} y2={y2:.1f} stroke='{colour}' "
        f"opacity={opacity} />"
    )


def _svg(pieces: list[str], label: str) -> str:
    return (
        f"<svg viewBox='0 0 {_WIDTH} {_HEIGHT}' role=img aria-label='{html.escape(label)}'>"
        f"{''.join(pieces)}</svg>"
    )


def _short(text: str) -> str:
    return text if len(text) <= 30 else text[:27] + "..."


__all__ = ["additive_page"]
