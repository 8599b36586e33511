"""Labels of codes in files of SPSS, Stata and SAS: categories, or special values among numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

__all__ = ["with_labels"]

_MOST_NAMED = 6  # columns or labels that a note names


def with_labels(
    frame: pl.DataFrame,
    labels: Mapping[str, Mapping[Any, str]],
    measures: Mapping[str, str],
    notes: list[str],
) -> pl.DataFrame:
    """Write labels in the place of codes, where every code has one; say what others may mean.

    Columns whose measure is ordinal keep the order of their codes.
    """
    made, named, odd = [], [], []
    for name, by_code in labels.items():
        if name not in frame.columns or not by_code:
            continue
        present = frame[name].drop_nulls().unique().to_list()
        known = [code for code in by_code if code in present]
        if len(known) == len(present) and len({by_code[code] for code in known}) == len(known):
            made.append(_labelled(frame[name], by_code, measures.get(name) == "ordinal"))
            named.append(name)
        elif known and frame[name].dtype.is_numeric():
            meant = ", ".join(f"{code:g} {by_code[code]!r}" for code in known[:_MOST_NAMED])
            codes = ",".join(f"{code:g}" for code in known[:_MOST_NAMED])
            odd.append(f"{name} ({meant}; special values? --special {name}={codes})")
    if named:
        shown = ", ".join(named[:_MOST_NAMED]) + (", ..." if len(named) > _MOST_NAMED else "")
        notes.append(f"Labels of the file stand for the codes of {shown}.")
    if odd:
        notes.append(f"Some numbers have labels: {'; '.join(odd[:_MOST_NAMED])}.")
    return frame.with_columns(made)


def _labelled(column: pl.Series, by_code: Mapping[Any, str], is_ordered: bool) -> pl.Series:
    """Replace codes by their labels."""
    import polars as pl

    order = [by_code[code] for code in sorted(by_code)]
    is_ordered = is_ordered and len(set(order)) == len(order)
    texts = [None if code is None else by_code[code] for code in column.to_list()]
    return pl.Series(column.name, texts, dtype=pl.Enum(order) if is_ordered else pl.String)
