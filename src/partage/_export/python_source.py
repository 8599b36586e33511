"""Rules as Python source: a module that needs the standard library only."""

from __future__ import annotations

import datetime
import decimal
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._data.categories import key_of, type_of
from partage._data.cut_text import cut_text
from partage._partitions.rule import Decisions

HEAD = '''\
"""Rules that partage found: transform(row) gives the outputs of one row.

Missing values are None, NaN and NaT. The module needs the standard library only.
"""

import bisect
import datetime
import decimal
import numbers

_EPOCH = datetime.datetime(1970, 1, 1)
_MICROSECOND = datetime.timedelta(microseconds=1)


def _is_missing(value):
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (numbers.Number, decimal.Decimal)) and value != value


def _number(column, value):
    if isinstance(value, (numbers.Number, decimal.Decimal)) or type(value).__name__ == "bool":
        return value
    raise TypeError(f"transform: column {column!r} must hold a number; got {value!r}.")


def _nanoseconds(column, value, has_zone):
    if isinstance(value, datetime.timedelta):
        return value // _MICROSECOND * 1000 + getattr(value, "nanoseconds", 0)
    if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        value = datetime.datetime(value.year, value.month, value.day)
    if not isinstance(value, datetime.datetime):
        raise TypeError(f"transform: column {column!r} must hold a time; got {value!r}.")
    if (value.tzinfo is not None) != has_zone:
        wanted = "with" if has_zone else "without"
        raise TypeError(
            f"transform: column {column!r} must hold times {wanted} a zone; got {value!r}."
        )
    extra = getattr(value, "nanosecond", 0)
    if value.tzinfo is not None:
        value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return (value - _EPOCH) // _MICROSECOND * 1000 + extra


def _key(value):
    if type(value).__name__ in ("bool", "bool_"):
        return "boolean", bool(value)
    if isinstance(value, (numbers.Number, decimal.Decimal)):
        return "number", value
    if isinstance(value, str):
        return "text", str(value)
    if isinstance(value, datetime.datetime):
        return "datetime", value
    if isinstance(value, datetime.timedelta):
        return "timedelta", value
    return type(value).__name__, value


def _refuse_missing(column):
    raise ValueError(f"transform: column {column!r} must hold no missing values.")

'''


def python_source(
    who: str, columns: Sequence[tuple[str, Any, NDArray[Any] | None, list[str]]]
) -> str:
    """Write a module whose ``transform`` takes a row and gives its outputs.

    ``columns`` holds, for each fitted column, its name, its partition, the output of each code
    (None for the code itself) and the names of the outputs.
    """
    pieces = [HEAD]
    body = [
        "\n\ndef transform(row: dict) -> dict:",
        '    """Outputs of one row, by name."""',
        "    out = {}",
    ]
    for i, (name, partition, block, names) in enumerate(columns):
        pieces.append(code_function(who, i, name, partition.rule.decisions()))
        body.append(f"    code = _code_{i}(row[{name!a}])")
        if block is None:
            body.append(f"    out[{names[0]!a}] = code")
            continue
        shown = ",\n".join(f"    ({row_source(who, row)})" for row in block.tolist())
        pieces.append(f"\n\n_OUTPUTS_{i} = [\n{shown},\n]\n")
        for j, output in enumerate(names):
            body.append(f"    out[{output!a}] = _OUTPUTS_{i}[code][{j}]")
    body.append("    return out\n")
    return "".join(pieces) + "\n".join(body)


def grid_source(who: str, grid: Any) -> str:
    """Write a module whose ``transform`` gives the code of a grid under its name."""
    pieces = [HEAD]
    code = "0"
    for i, (axis, n) in enumerate(zip(grid.axes, grid.rule.n_codes, strict=True)):
        pieces.append(code_function(who, i, axis.name, axis.rule.decisions()))
        own = f"_code_{i}(row[{axis.name!a}])"
        code = own if i == 0 else f"({code}) * {n} + {own}"
    body = [
        "\n\ndef transform(row: dict) -> dict:",
        '    """Outputs of one row, by name."""',
        f"    return {{{grid.name!a}: {code}}}\n",
    ]
    return "".join(pieces) + "\n".join(body)


def row_source(who: str, row: list[Any]) -> str:
    return "".join(f"{literal(who, value)}, " for value in row)


def code_function(who: str, index: int, name: str, rules: Decisions) -> str:
    """Write the function that gives the code of a value."""
    shown = ascii(name)
    lines = [f"def _code_{index}(value):"]
    missing = (
        f"return _refuse_missing({shown})" if rules.missing is None else f"return {rules.missing}"
    )
    lines += ["    if _is_missing(value):", f"        {missing}"]
    constants = []
    special = (*rules.special, *rules.foreign)
    if special:
        constants.append(_mapping(who, f"_SPECIAL_{index}", special))
        lines += [
            f"    if _key(value) in _SPECIAL_{index}:",
            f"        return _SPECIAL_{index}[_key(value)]",
        ]
    if rules.kind is None:
        pairs = [(value, code) for code, values in rules.values for value in values]
        constants.append(_mapping(who, f"_VALUES_{index}", pairs))
        lines.append(f"    return _VALUES_{index}.get(_key(value), {rules.otherwise})")
    else:
        constants.append(_cuts(f"_CUTS_{index}", rules))
        lines.append(f"    return bisect.bisect_left(_CUTS_{index}, {_reading(rules, shown)})")
    return "\n" + "".join(constants) + "\n\n" + "\n".join(lines) + "\n"


def _reading(rules: Decisions, name: str) -> str:
    """Write how a value is brought to the type of the cuts."""
    assert rules.kind is not None
    if rules.kind.name in ("datetime", "duration"):
        return f"_nanoseconds({name}, value, {bool(rules.kind.zone)})"
    return f"float(_number({name}, value))" if rules.kind.is_float else f"_number({name}, value)"


def _cuts(name: str, rules: Decisions) -> str:
    """Write cuts in the unit in which values are compared; a comment says when times are."""
    shown = [_cut(cut) for cut in rules.cuts]
    is_time = rules.kind is not None and rules.kind.is_time
    texts = f"  # {', '.join(map(cut_text, rules.cuts))}" if is_time and shown else ""
    return f"\n{name} = [{', '.join(shown)}]{texts}\n"


def _cut(cut: Any) -> str:
    if getattr(cut, "tzinfo", None) is not None:
        cut = cut.tz_convert("UTC").tz_localize(None).to_datetime64()
    if isinstance(cut, (np.datetime64, np.timedelta64)):
        unit = np.datetime_data(cut.dtype)[0]
        per_unit = {"D": 86_400 * 10**9, "h": 3_600 * 10**9, "m": 60 * 10**9, "s": 10**9}
        per_unit |= {"ms": 10**6, "us": 10**3, "ns": 1}
        return str(int(cut.astype(np.int64)) * per_unit[unit])
    if isinstance(cut, decimal.Decimal):
        return f"decimal.Decimal('{cut_text(cut)}')"
    if isinstance(cut, float) and math.isfinite(cut):
        return cut_text(cut)
    return literal("to_python", cut)


def _mapping(who: str, name: str, pairs: Sequence[tuple[Any, int]]) -> str:
    """Write a dict from keys to codes."""
    lines = "".join(f"    {_key_literal(who, value)}: {code},\n" for value, code in pairs)
    return f"\n{name} = {{\n{lines}}}\n"


def _key_literal(who: str, value: Any) -> str:
    """Write the key that identifies a value."""
    if isinstance(value, (np.datetime64, np.timedelta64)):
        value = key_of(value)[1]
        if isinstance(value, np.generic):
            raise ValueError(
                f"{who}: Python's times have a resolution of a microsecond; got {value}. Round the "
                "column before fitting."
            )
    if hasattr(value, "to_pytimedelta"):
        value = value.to_pytimedelta()
    return f"({type_of(value)!a}, {literal(who, value)})"


def literal(who: str, value: Any) -> str:
    """Write a value so that Python reads it back."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return f'float("{value}")'
    if isinstance(value, str):
        return ascii(str(value))
    if isinstance(value, (bool, int, float, bytes, decimal.Decimal)):
        prefix = "decimal." if isinstance(value, decimal.Decimal) else ""
        return prefix + repr(value)
    if isinstance(value, datetime.datetime):
        if value.tzinfo is not None:
            value = value.astimezone(datetime.UTC)
        plain = datetime.datetime.combine(value.date(), value.timetz())
        return repr(plain)
    if isinstance(value, (datetime.date, datetime.time, datetime.timedelta)):
        return repr(value)
    raise TypeError(
        f"{who}: a value of type {type(value).__name__} has no Python source; got {value!r}. "
        "Convert the column to text before fitting."
    )
