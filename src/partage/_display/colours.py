"""One colour for each class, the same on the page and in pictures."""

from __future__ import annotations

MOST = 10  # classes that have a colour of their own
LIGHT = (
    "#3366d1",
    "#d97706",
    "#0b7a7a",
    "#8b46b5",
    "#bf3a3a",
    "#3f7a18",
    "#b83a76",
    "#7f6229",
    "#5b6b7d",
    "#6f6f00",
)
DARK = (
    "#7aa5ff",
    "#ff9d4d",
    "#48c9c0",
    "#c596f2",
    "#ff8a80",
    "#97d165",
    "#ff94c4",
    "#d8b57f",
    "#a4b3c5",
    "#d2d257",
)


def as_css() -> str:
    """Write the colours as variables of a style sheet, for light and dark pages."""
    light, dark = (
        "".join(f"--k{j}:{colour};" for j, colour in enumerate(colours))
        for colours in (LIGHT, DARK)
    )
    fills = "".join(f".f{j}{{fill:var(--k{j});background:var(--k{j})}}" for j in range(MOST))
    lines = "".join(f"svg .s{j}{{stroke:var(--k{j})}}" for j in range(MOST))
    return f":root{{{light}}}:root[data-theme=dark]{{{dark}}}{fills}{lines}"
