"""Reports on a terminal."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table
from rich.text import Text

from partage._display.tables import NO_INFORMATION
from partage._partitions.value_groups import MOST_SHOWN
from partage._report.pair_facts import write_bits

if TYPE_CHECKING:
    from rich.console import Console

    from partage._report.pair_facts import Together
    from partage._report.summary import ColumnSummary, Summary

_N_COLUMNS = 20  # that a terminal shows
_BAR = 12  # letters of the longest bar
_BAR_OF_RATE = 8
_EIGHTHS = " ▏▎▍▌▋▊▉█"
_REMARKS = {
    "Converted": ("converted",),
    "Left out": ("left out",),
    "Look at these": ("warning",),
}
_MOST_REMARKS = 12  # of each kind
_MOST_MEMBERS = 12  # values of a group that a terminal shows


def bar(share: float, width: int = _BAR) -> str:
    """Draw a share as a bar of letters, to an eighth of a letter."""
    eighths = round(max(0.0, min(share, 1.0)) * width * 8)
    whole, rest = divmod(eighths, 8)
    return "█" * whole + (_EIGHTHS[rest] if rest else "")


def print_summary(console: Console, summary: Summary, *, n_columns: int = _N_COLUMNS) -> None:
    """Print the columns by level, then the uninformative ones, with the reason."""
    prior = ", ".join(
        f"{name} {_percent(total / max(sum(summary.totals), 1e-300))}"
        for name, total in list(zip(summary.classes, summary.totals, strict=True))[:6]
    )
    if summary.amounts:
        prior = ", ".join(
            f"{name} {amount(summary.amounts[name])}" for name in ("mean", "median", "std")
        )
    more = len(summary.classes) - 6
    console.print(
        f"[bold]{escape(summary.source)}[/]: {count_of(summary.n_rows, 'row')}, "
        f"{count_of(len(summary.columns), 'column')}; target [bold]{escape(summary.target)}[/]: "
        + escape(prior)
        + (f" and {more} more class{'es' * (more > 1)}" if more > 0 else ""),
        highlight=False,
    )
    useful = [column for column in summary.columns if not column.is_useless]
    if useful:
        console.print(_ranking(useful[:n_columns], summary.n_rows))
    if len(useful) > n_columns:
        rest = count_of(len(useful) - n_columns, "more column")
        console.print(f"... and {rest} with a level above 0.")
    if summary.useless:
        reasons = _by_reason(summary.useless)
        console.print(f"{len(summary.useless)} of no use: {escape(reasons)}", highlight=False)
    for note in summary.notes:
        console.print(note, style="yellow", highlight=False, markup=False)
    _print_remarks(console, summary)
    if summary.together is not None:
        _print_pairs(console, summary.together)


def _print_pairs(console: Console, found: Together) -> None:
    """Print the pairs that say more together, and the columns that repeat each other."""
    lines = [
        f"  {printable(one.names[0])} with {printable(one.names[1])}: "
        f"{write_bits(one.synergy)} bits more than apart"
        for one in found.pairs
        if one.is_named and one.synergy > 0
    ]
    _print_some(console, "Columns together", lines)
    lines = [
        f"  of {_some(map(printable, group), _MOST_MEMBERS)} keep {printable(group[0])}"
        for group in found.groups
    ]
    _print_some(console, "Columns that repeat each other", lines)


def _print_some(console: Console, title: str, lines: list[str]) -> None:
    """Print the first lines under a title."""
    if not lines:
        return
    console.print(f"[bold]{title}[/]")
    for line in lines[:_MOST_REMARKS]:
        console.print(Text(line), highlight=False)
    if len(lines) > _MOST_REMARKS:
        console.print(f"  ... and {len(lines) - _MOST_REMARKS} more.")


def _print_remarks(console: Console, summary: Summary) -> None:
    """Print what was done with columns, and what to look at, as one block."""
    for title, kinds in _REMARKS.items():
        found = [remark for remark in summary.remarks if remark.kind in kinds]
        if not found:
            continue
        console.print(f"[bold]{title}[/]")
        table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
        table.add_column(max_width=32, no_wrap=True, overflow="ellipsis")
        table.add_column(overflow="fold")
        for remark in found[:_MOST_REMARKS]:
            table.add_row(Text(f"  {printable(remark.column)}"), Text(printable(remark.text)))
        console.print(table)
        if len(found) > _MOST_REMARKS:
            console.print(f"  ... and {len(found) - _MOST_REMARKS} more; the page has all.")


def _ranking(columns: list[ColumnSummary], n_rows: int) -> Table:
    """Lay out the columns by level."""
    table = Table(box=None, header_style="bold dim", pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("column", max_width=32, no_wrap=True, overflow="ellipsis")
    table.add_column("kind")
    table.add_column("level", justify="right")
    table.add_column("", min_width=_BAR)
    table.add_column("parts", justify="right")
    table.add_column("values", justify="right")
    table.add_column("missing", justify="right")
    best = max(column.level for column in columns)
    for column in columns:
        missing = _percent(column.missing / n_rows) if column.missing else ""
        table.add_row(
            Text(printable(column.name), style="bold"),
            column.kind,
            f"{column.level:.3f}",
            Text(bar(column.level / best), style="cyan"),
            str(column.n_parts),
            f"{column.n_values:,}",
            missing,
        )
    return table


def _by_reason(columns: list[ColumnSummary]) -> str:
    """Name useless columns, those of one reason together."""
    reasons: dict[str, list[str]] = {}
    for column in columns:
        reasons.setdefault(column.why, []).append(printable(column.name))
    return "; ".join(
        f"{_some(names)} ({reason or NO_INFORMATION})" for reason, names in reasons.items()
    )


def print_column(console: Console, column: ColumnSummary, classes: list[str]) -> None:
    """Print one column: its level and the table of its parts."""
    proof = "the optimum" if column.is_optimal else column.proof
    saved = "" if column.bits_saved is None else f", {column.bits_saved:,.0f} bits saved"
    console.print(
        f"[bold]{escape(printable(column.name))}[/] ({column.kind}, "
        f"{count_of(column.n_values, 'value')}): level {column.level:.4f}{saved}, "
        f"{count_of(column.n_parts, 'part')}, {proof}.",
        highlight=False,
    )
    if column.why:
        console.print(f"One part: {column.why}.")
    table = Table(box=None, header_style="bold dim", pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("code", justify="right")
    table.add_column("part", max_width=60, overflow="fold")
    table.add_column("rows", justify="right")
    table.add_column("share", justify="right")
    for name in classes:
        table.add_column(Text(printable(name)), justify="right")
    is_number = any(part.amounts for part in column.parts)
    if is_number:
        for head in ("", "mean", "95 %", "median", "quartiles"):
            table.add_column(head, justify="left" if not head else "right")
    means = [part.amounts["mean"] for part in column.parts] if is_number else []
    has_evidence = any(part.woe is not None for part in column.parts)
    if has_evidence:
        table.add_column("")
        table.add_column("WoE", justify="right")
        table.add_column("IV", justify="right")
    for part in column.parts:
        cells: list[Text | str] = [
            str(part.code),
            Text(printable(part.label)),
            f"{part.rows:,}",
            _percent(part.share),
        ]
        cells += [_percent(rate) for rate in part.rates]
        if is_number:
            cells += _amounts(part.amounts, means)
        if has_evidence:
            woe = "" if part.woe is None else f"{without_sign_of_zero(part.woe):+.3f}"
            iv = "" if part.iv is None else f"{without_sign_of_zero(part.iv):.3f}"
            cells += [Text(bar(part.rates[1], _BAR_OF_RATE), style="cyan"), woe, iv]
        table.add_row(*cells)
    console.print(table)
    for part in column.parts:
        if len(part.members) > MOST_SHOWN:
            title = f"{part.code}{' (garbage group)' if part.is_garbage else ''}"
            members = _some([printable(value) for value in part.members], _MOST_MEMBERS)
            console.print(f"[dim]{title}:[/] {escape(members)}", highlight=False)
    for line in column.explanation:
        console.print(line, style="dim", highlight=False, markup=False)


def _amounts(amounts: dict[str, float], means: list[float]) -> list[Text | str]:
    """Show the law of a number in a part; the bar goes from the lowest to the highest mean."""
    known = [mean for mean in means if math.isfinite(mean)]
    low, high = min([0.0, *known]), max([0.0, *known])
    mean = amounts["mean"]
    share = (mean - low) / (high - low) if math.isfinite(mean) and high > low else 0.0
    return [
        Text(bar(share, _BAR_OF_RATE), style="cyan"),
        amount(mean),
        _from_to(amounts["low"], amounts["high"]),
        amount(amounts["median"]),
        _from_to(amounts["q25"], amounts["q75"]),
    ]


def amount(value: float) -> str:
    """Write a number with four digits; nothing where there is none."""
    return f"{value:,.4g}" if math.isfinite(value) and abs(value) < 1e4 else _large(value)


def _large(value: float) -> str:
    """Write a large number without digits behind the point."""
    if not math.isfinite(value):
        return ""
    return f"{value:,.0f}" if abs(value) < 1e15 else f"{value:.4g}"


def _from_to(low: float, high: float) -> str:
    """Write two ends."""
    return f"{amount(low)} to {amount(high)}" if math.isfinite(low) else ""


def without_sign_of_zero(value: float) -> float:
    """Round to three digits, so that what is shown as 0 has no minus."""
    return round(value, 3) + 0.0


def count_of(n: int, noun: str) -> str:
    """Write how many there are of something."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def printable(text: str) -> str:
    """Replace letters that would steer the terminal."""
    return "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text
    )


def _some(names: Iterable[str], most: int = 8) -> str:
    """Name some, and count the rest."""
    every = list(names)
    rest = len(every) - most
    return ", ".join(every[:most]) + (f" and {rest:,} more" if rest > 0 else "")


def _percent(share: float) -> str:
    """Write a share with a digit, or two where it is small."""
    if not math.isfinite(share):
        return ""
    return f"{share:.2%}" if 0 < share < 0.01 else f"{share:.1%}"
