"""The page of the studio: its own files, and the parts that it shares with the report."""

from __future__ import annotations

import functools
import html
from collections.abc import Callable
from importlib.resources import files
from string import Template
from typing import Any

from partage._display.colours import as_css
from partage._report.html import as_script
from partage.studio.answer import Answer

__all__ = ["STATIC", "page"]

_SHARED = ("base.js", "tips.js", "parts.js", "number.js", "before.js", "save.js")
_EXPORTED = (
    "REPORT GLOSSARY byId make draw data whole count counted percent signed fixed plain moment "
    "measure fit ticks startTheme scrolling hideTip showTip explained term live measures state "
    "usable drawParts drawBefore drawShape bringToLife copy download fileName root classes isTwo "
    "SCALES"
)
_STYLES = ("base.css", "charts.css")
_MODULES = (
    "studio.js",
    "api.js",
    "list.js",
    "column.js",
    "chart.js",
    "parts.js",
    "values.js",
    "numbers.js",
    "panel.js",
    "card.js",
    "keys.js",
)
JS, CSS, HTML = (f"{kind}; charset=utf-8" for kind in ("text/javascript", "text/css", "text/html"))


def _report(name: str) -> str:
    return (files("partage._report") / "page" / name).read_text(encoding="utf-8")


def _own(name: str) -> str:
    return (files("partage.studio") / "page" / name).read_text(encoding="utf-8")


def _shared() -> str:
    """Write the scripts of the report's page as a module."""
    names = ", ".join(_EXPORTED.split())
    return "\n".join([*map(_report, _SHARED), f"export {{ {names} }};"])


def _style() -> str:
    return "\n".join([as_css(), *map(_report, _STYLES), _own("studio.css")])


@functools.cache
def _static(name: str) -> Answer:
    """Read a file of the page, once."""
    if name == "shared.js":
        return Answer(_shared().encode(), JS)
    if name == "studio.css":
        return Answer(_style().encode(), CSS)
    return Answer(_own(name).encode(), JS)


# No path of a browser is ever opened: these are all addresses of files.
STATIC: dict[str, Callable[[], Answer]] = {
    f"/{name}": functools.partial(_static, name) for name in (*_MODULES, "shared.js", "studio.css")
}


def page(head: dict[str, Any], headers: dict[str, str] | None = None) -> Answer:
    """Write the page of a desk."""
    text = Template(_own("studio.html")).substitute(
        title=html.escape(f"{head['source']}: {head['target']} · partage studio"),
        source=html.escape(head["source"]),
        target=html.escape(head["target"]),
        numbers=as_script(head),
    )
    return Answer(text.encode("utf-8", "replace"), HTML, headers=headers or {})
