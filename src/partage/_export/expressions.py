"""Rules as expressions of data frames, for frames that are not in memory yet."""

from __future__ import annotations

from typing import Any

import narwhals as nw

from partage._partitions.rule import Decisions


def code_expression(rules: Decisions, column: nw.Expr, *, is_float: bool = False) -> nw.Expr:
    """Make an expression for the code of a column, evaluated by the frame's own engine.

    Cuts become a balanced tree of tests, whose depth is the logarithm of their number; values
    become one membership test for each code. Many values are better served by ``mapping`` and a
    join. ``is_float`` says that the column holds floats, even if others were fitted.
    """
    if rules.kind is None:
        codes: nw.Expr = nw.lit(rules.otherwise)
        for code, values in reversed(rules.values):
            codes = nw.when(column.is_in(list(values))).then(nw.lit(code)).otherwise(codes)
    else:
        compared = column.cast(nw.Float64()) if rules.kind.is_float else column
        codes = _search(compared, [_plain(cut) for cut in rules.cuts], 0)
    missing = column.is_null()
    if rules.may_be_nan or is_float:
        missing = missing | column.cast(nw.Float64()).is_nan()
    code = -1 if rules.missing is None else rules.missing
    found = nw.when(missing).then(nw.lit(code)).otherwise(codes)
    for value, code in reversed(rules.special):
        is_special = (column == _plain(value)).fill_null(False)
        found = nw.when(is_special).then(nw.lit(code)).otherwise(found)
    return found


def mapping(rules: Decisions) -> dict[Any, int]:
    """Return the code of each known value, for a join or a replacement."""
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
    if hasattr(value, "to_pydatetime"):
        return value.to_pydatetime(warn=False)
    return value.item() if isinstance(value, np.generic) else value
