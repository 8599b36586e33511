"""Features of grids as SQL and as Python source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from partage._export.dialects import find_dialect
from partage._export.python_source import HEAD, code_function, row_source
from partage._export.sql import grid_to_sql, kept_names, listed_lines, output_expression, table_name

__all__ = ["grids_source", "select_grids"]

Feature = tuple[Any, NDArray[Any] | None, list[str]]  # a grid, what each code gives, their names


def select_grids(
    who: str, features: Sequence[Feature], dialect_name: Any, table: Any, keep: Any
) -> str:
    """Write one SELECT of features of grids; a block of None stands for the code itself."""
    dialect = find_dialect(who, dialect_name)
    source = table_name(who, dialect, table)
    made = [name for _, _, names in features for name in names]
    kept = [dialect.identifier(who, name) for name in kept_names(who, keep, made)]
    inner = [f"{name} AS kept_{i}" for i, name in enumerate(kept)]
    outer = [f"kept_{i} AS {name}" for i, name in enumerate(kept)]
    for i, (grid, block, names) in enumerate(features):
        inner.append(f"{grid_to_sql(grid, dialect_name, None)} AS code_{i}")
        for j, name in enumerate(names):
            value = f"code_{i}"
            if block is not None:
                value = output_expression(who, dialect, value, block[:, j].tolist(), 2)
            outer.append(f"{value} AS {dialect.identifier(who, name)}")
    coded = f"  SELECT\n    {listed_lines(inner, 4)}\n  FROM {source}"
    return f"SELECT\n  {listed_lines(outer, 2)}\nFROM (\n{coded}\n) AS coded"


def grids_source(who: str, features: Sequence[Feature]) -> str:
    """Write a module whose ``transform`` takes a row and gives the features of grids."""
    pieces = [HEAD]
    body = [
        "\n\ndef transform(row: dict) -> dict:",
        '    """Outputs of one row, by name."""',
        "    out = {}",
    ]
    n_functions = 0
    for i, (grid, block, names) in enumerate(features):
        code = "0"
        for axis, n in zip(grid.axes, grid.rule.n_codes, strict=True):
            pieces.append(code_function(who, n_functions, axis.name, axis.rule.decisions()))
            code = f"({code}) * {n} + _code_{n_functions}(row[{axis.name!a}])"
            n_functions += 1
        body.append(f"    code = {code}")
        if block is None:
            body.append(f"    out[{names[0]!a}] = code")
            continue
        shown = ",\n".join(f"    ({row_source(who, row)})" for row in block.tolist())
        pieces.append(f"\n\n_OUTPUTS_{i} = [\n{shown},\n]\n")
        body += [f"    out[{name!a}] = _OUTPUTS_{i}[code][{j}]" for j, name in enumerate(names)]
    body.append("    return out\n")
    return "".join(pieces) + "\n".join(body)
