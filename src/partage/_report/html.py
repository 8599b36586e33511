"""Reports as one page that needs nothing else: no network, no files beside it."""

from __future__ import annotations

import base64
import datetime
import hashlib
import html
import json
from collections.abc import Sequence
from importlib.metadata import version
from importlib.resources import files
from string import Template
from typing import Any

from partage._display.colours import as_css
from partage._report.facts import Summary
from partage._report.page_data import page_data
from partage._report.pair_facts import PairCells
from partage._report.views import GraphView

_STYLES = ("base.css", "report.css", "charts.css", "together.css", "print.css")
_SCRIPTS = (
    "base.js",
    "tips.js",
    "parts.js",
    "number.js",
    "before.js",
    "table.js",
    "save.js",
    "card.js",
    "together.js",
    "views.js",
    "list.js",
    "overview.js",
    "compare.js",
    "report.js",
)


def render_page(
    summary: Summary,
    pairs: Sequence[PairCells] = (),
    graphs: Sequence[GraphView] = (),
    mode: str = "report",
) -> str:
    """Write the page of a report, or of a comparison."""
    source, target = html.escape(summary.source), html.escape(summary.target)
    question, asked = ("what moved", "") if mode == "compare" else ("what predicts", target)
    return render(
        title=f"{summary.source}: {question if mode == 'compare' else summary.target} · partage",
        heading=f'<span class="data">{source}</span> <span class="about">{question} '
        f'<b class="data">{asked}</b></span>',
        body=Template(_read("report.html")).substitute(plain=_plain_table(summary)),
        foot="Apply the same parts to new data: "
        "<code>partage apply model.json new.csv -o parts.parquet</code>",
        data=page_data(summary, pairs, graphs) | {"mode": mode},
        styles=_STYLES,
        scripts=_SCRIPTS,
    )


def render(
    *,
    title: str,
    heading: str,
    body: str,
    foot: str,
    data: dict[str, Any],
    styles: Sequence[str],
    scripts: Sequence[str],
) -> str:
    """Put a page together; ``title`` is text, ``heading``, ``body`` and ``foot`` are HTML."""
    code = "\n".join(["(() => {", '"use strict";', *map(_read, scripts), "})();"])
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    made = f"Made by partage {version('partage')}, {today}. This file works offline. "
    return Template(_read("page.html")).substitute(
        title=html.escape(title),
        heading=heading,
        body=body,
        foot=made + foot,
        # The page's own text, and data whose every '<' is written as an escape of JSON.
        style=as_css() + "\n".join(map(_read, styles)),
        script=code,
        numbers=as_script(data),
        policy=html.escape(_policy(code)),
    )


def _read(name: str) -> str:
    """Read a file of the page."""
    return (files("partage._report") / "page" / name).read_text(encoding="utf-8")


def _policy(script: str) -> str:
    """Allow the page's own script by its digest, and nothing from elsewhere."""
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode()
    return (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def as_script(data: dict[str, Any]) -> str:
    """Write JSON that can stand in a script element: nothing in it ends the element."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


def _plain_table(summary: Summary) -> str:
    """List the columns for readers without scripts."""
    rows = "".join(
        f'<tr><th scope="row" class="data">{html.escape(column.name)}</th>'
        f"<td>{html.escape(column.kind)}</td><td>{column.level:.3f}</td>"
        f"<td>{column.n_parts}</td></tr>"
        for column in summary.columns
    )
    return (
        "<p>The charts of this page need JavaScript. The columns by level:</p><table><thead><tr>"
        "<th>Column</th><th>Kind</th><th>Level</th><th>Parts</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )
