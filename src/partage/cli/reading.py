"""Options of the commands that read files."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from partage._data.magic import FORMATS

if TYPE_CHECKING:
    from partage._data.files import Reading


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how files are read."""
    group = parser.add_argument_group("reading")
    group.add_argument("--format", choices=FORMATS, help="format (by name, else by content)")
    group.add_argument("--separator", metavar="SIGN", help="of CSV (found in the first line)")
    group.add_argument("--encoding", help="of CSV (UTF-8, else cp1252 or latin-1, which is said)")
    group.add_argument(
        "--missing-values",
        metavar="TEXTS",
        help="texts of a CSV file that mean missing, separated by commas "
        "(empty, NA, N/A, NaN, nan, null, NULL, ?)",
    )
    group.add_argument(
        "--decimal-comma", action="store_true", help="numbers of a CSV file are written 1,5"
    )


def reading_of(options: argparse.Namespace, text_columns: tuple[str, ...] = ()) -> Reading:
    """Turn the options into what the reader takes."""
    from partage._data.files import MISSING_TEXTS, Reading

    given = options.missing_values
    return Reading(
        format=options.format,
        separator={"\\t": "\t", "tab": "\t"}.get(options.separator, options.separator),
        encoding=options.encoding,
        missing_texts=MISSING_TEXTS if given is None else tuple(given.split(",")),
        has_decimal_comma=options.decimal_comma,
        text_columns=text_columns,
    )


def source_name(paths: list[str]) -> str:
    """Name what was read, without its folder."""
    names = ["standard input" if path == "-" else Path(path).name for path in paths]
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
