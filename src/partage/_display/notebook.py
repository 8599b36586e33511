"""Results as HTML for notebooks: escaped, without any other library."""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import narwhals as nw

from partage._partitions.gaps import proof_of
from partage._support.checks import check_choice
from partage._support.portable import exact_sum

if TYPE_CHECKING:
    from partage._partitions.partition import Partition

_BAR = "background:linear-gradient(90deg,#9ecae1 {0:.1f}%,transparent {0:.1f}%)"
_MOST_ROWS = 60  # that a notebook shows of a partition
_MOST_RANKED = 20  # columns of a ranking


@dataclass(frozen=True)
class StyledTable:
    """A table that notebooks show with bars; ``frame`` is the data frame itself."""

    frame: Any

    def _repr_html_(self) -> str:
        return table_html(self.frame)

    def __repr__(self) -> str:
        return repr(self.frame)


def styled(who: str, frame: Any, style: Any) -> Any:
    """Give a table a style."""
    check_choice(who, "style", style, ["html"])
    return StyledTable(frame)


def table_html(native: Any, most_rows: int | None = None) -> str:
    """Write a frame as HTML; shares and rates have bars."""
    frame = nw.from_native(native, eager_only=True)
    titles = frame.columns
    rows = list(frame.iter_rows())
    shown = rows if most_rows is None else rows[:most_rows]
    head = "".join(f"<th>{html.escape(title)}</th>" for title in titles)
    body = "".join(
        "<tr>" + "".join(_cell(t, v) for t, v in zip(titles, row, strict=True)) + "</tr>"
        for row in shown
    )
    more = f"<p>... and {len(rows) - len(shown)} more rows</p>" if len(shown) < len(rows) else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _cell(title: str, value: Any) -> str:
    """Write one cell."""
    is_share = title.startswith(("share", "rate_")) or title in ("event_rate", "level")
    if is_share and isinstance(value, float) and 0.0 <= value <= 1.0:
        return f'<td style="text-align:right;{_BAR.format(100 * value)}">{value:.4f}</td>'
    if isinstance(value, float):
        return f'<td style="text-align:right">{value:.4f}</td>'
    if isinstance(value, int) and not isinstance(value, bool):
        return f'<td style="text-align:right">{value:,}</td>'
    return f'<td style="text-align:left">{html.escape(str(value))}</td>'


def ranking_html(partitions: Iterable[Partition]) -> str:
    """Write the columns by level, each with a bar as long as its level against the best one."""
    ranked = sorted(partitions, key=lambda partition: -partition.level)
    best = max(max((partition.level for partition in ranked), default=0.0), 1e-12)
    rows = "".join(_ranked_row(partition, best) for partition in ranked[:_MOST_RANKED])
    rest = len(ranked) - _MOST_RANKED
    more = f"<p>... and {rest} more columns; see <code>summary()</code></p>" if rest > 0 else ""
    head = "".join(f"<th>{name}</th>" for name in ("column", "kind", "level", "", "parts"))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{more}"


def _ranked_row(partition: Partition, best: float) -> str:
    """Write a column of the ranking."""
    width = 100 * max(partition.level, 0.0) / best
    return (
        f'<tr><td style="text-align:left"><b>{html.escape(partition.name)}</b></td>'
        f'<td style="text-align:left">{partition.rule.column_kind}</td>'
        f'<td style="text-align:right">{partition.level:.4f}</td>'
        f'<td style="min-width:120px;{_BAR.format(width)}"></td>'
        f'<td style="text-align:right">{partition.n_parts}</td></tr>'
    )


def partition_html(partition: Partition) -> str:
    """Write a partition: its name, its level, its table, its edits."""
    n = partition.n_parts
    title = (
        f"<b>{html.escape(partition.name)}</b>: {n} part{'' if n == 1 else 's'}, level "
        f"{partition.level:.4f}, {html.escape(partition.method)}"
        f"{', proven optimal' if partition.is_optimal else ', ' + proof_of(partition)}"
    )
    edits = "".join(f"<li>{html.escape(repr(edit))}</li>" for edit in partition.history)
    history = f"<ol>{edits}</ol>" if edits else ""
    return f"<div><p>{title}</p>{table_html(partition.table(), _MOST_ROWS)}{history}</div>"


def partition_text(partition: Partition) -> str:
    """Write a partition on a line."""
    n = partition.n_parts
    parts = ", ".join(partition.labels()[:6]) + (", ..." if n > 6 else "")
    price = exact_sum(edit.price for edit in partition.history)
    edited = f", edited for {price:+.2f} bits" if partition.history else ""
    return (
        f"{type(partition).__name__}({partition.name!r}: {n} part{'' if n == 1 else 's'}, level "
        f"{partition.level:.4f}{edited}; {parts})"
    )
