"""Rules as expressions of data frames, for frames that are not in memory yet."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import narwhals as nw

from partage._rules import Rules, rules_of

MOST_BRANCHES = 64  # beyond, a join or a replacement is faster than a chain of tests


def code_expression(rules: Rules, column: nw.Expr) -> nw.Expr:
    """Make an expression for the code of a column, evaluated by the frame's own engine.

    Cuts become a balanced tree of tests, whose depth is the logarithm of their number; values
    become one membership test for each code. Frames with more codes than ``MOST_BRANCHES`` are
    better served by ``mapping`` and a join.
    """
    if rules.kind is None:
        codes: nw.Expr = nw.lit(rules.otherwise)
        for code, values in reversed(rules.values):
            codes = nw.when(column.is_in(list(values))).then(nw.lit(code)).otherwise(codes)
    else:
        compared = column.cast(nw.Float64()) if rules.kind.is_float else column
        codes = _search(compared, [_plain(cut) for cut in rules.cuts], 0)
    missing = column.is_null()
    if rules.may_be_nan:
        missing = missing | column.cast(nw.Float64()).is_nan()
    code = -1 if rules.missing is None else rules.missing
    found = nw.when(missing).then(nw.lit(code)).otherwise(codes)
    for value, code in reversed(rules.special):
        is_special = (column == _plain(value)).fill_null(False)
        found = nw.when(is_special).then(nw.lit(code)).otherwise(found)
    return found


def mapping(rules: Rules) -> dict[Any, int]:
    """Give the code of each value that is told apart, for a join or a replacement."""
    return {value: code for code, values in rules.values for value in values}


def _search(column: nw.Expr, cuts: list[Any], first: int) -> nw.Expr:
    """Search the part of a value by halving the cuts."""
    if not cuts:
        return nw.lit(first)
    middle = len(cuts) // 2
    low = _search(column, cuts[:middle], first)
    high = _search(column, cuts[middle + 1 :], first + middle + 1)
    return nw.when(column <= cuts[middle]).then(low).otherwise(high)


def _plain(value: Any) -> Any:
    """Turn NumPy numbers and times into Python's."""
    import numpy as np

    if isinstance(value, np.datetime64):
        return value.astype("datetime64[us]").item()
    if isinstance(value, np.timedelta64):
        return value.astype("timedelta64[us]").item()
    return value.item() if isinstance(value, np.generic) else value


def assign_lazy(partition: Any, frame: nw.LazyFrame[Any], column: str, output: str) -> Any:
    """Add the codes of a column to a lazy frame, as column ``output``.

    Groups of thousands of values of a polars frame go by a join; other engines by tests.
    """
    rules = rules_of(partition)
    codes = mapping(rules) if rules.kind is None else {}
    if len(rules.values) <= MOST_BRANCHES or not frame.implementation.is_polars():
        return frame.with_columns(code_expression(rules, nw.col(column)).alias(output))
    import polars as pl

    key = f"{output}_key"
    known = pl.DataFrame({key: list(codes), output: list(codes.values())})
    joined = frame.join(nw.from_native(known.lazy()), left_on=column, right_on=key, how="left")
    fallback = code_expression(
        replace(rules, values=()),
        nw.col(column),
    )
    known_code = nw.col(output)
    return joined.with_columns(
        nw.when(known_code.is_null()).then(fallback).otherwise(known_code).alias(output)
    )
