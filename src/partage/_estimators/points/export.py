"""Points without the library: one SELECT, or a module of plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._export.dialects import find_dialect
from partage._export.python_source import literal, python_source
from partage._export.sql import coded_table, output_expression

Exported = Sequence[tuple[str, Any, NDArray[np.float64]]]


def points_select(
    columns: Exported, shared: float, is_log: bool, dialect_name: Any, table: Any, keep: Any
) -> str:
    """Write a SELECT of the points and of the prediction."""
    who = "PointsRegressor.to_sql"
    dialect = find_dialect(who, dialect_name)
    named = [(name, partition, None, ["points"]) for name, partition, _ in columns]
    kept, coded = coded_table(who, named, dialect, table, keep, ("points", "prediction"))
    # The sum goes from left to right, as in Python, so that every bit is the same.
    terms = [
        output_expression(who, dialect, f"code_{i}", points.tolist(), 4)
        for i, (_, _, points) in enumerate(columns)
    ]
    passed = "".join(f"kept_{i}, " for i in range(len(kept)))
    total = " + ".join([dialect.number(shared), *terms])
    scored = f"SELECT\n    {passed}{total} AS points\n  FROM (\n{coded}\n  ) AS coded"
    outer = [f"kept_{i} AS {name}" for i, name in enumerate(kept)]
    outer += ["points", f"{'EXP(points)' if is_log else 'points'} AS prediction"]
    return f"SELECT\n  {', '.join(outer)}\nFROM (\n  {scored}\n) AS scored"


_TAIL = '''
_POINTS = [
{points}
]


def transform(row: dict) -> dict:
    """Points of one row, and what they predict."""
    points = {shared}
    for code, of_code in zip(_codes(row).values(), _POINTS):
        points += of_code[code]
    return {{"points": points, "prediction": {prediction}}}
'''


def points_source(columns: Exported, shared: float, is_log: bool) -> str:
    """Write a module whose ``transform`` predicts for one row."""
    who = "PointsRegressor.to_python"
    named = [(name, partition, None, [name]) for name, partition, _ in columns]
    head = python_source(who, named).replace("def transform(row", "def _codes(row")
    head = head.replace("import decimal\n", "import decimal\nimport math\n", 1)
    lines = ",\n".join(
        f"    [{', '.join(literal(who, float(p)) for p in points)}]" for _, _, points in columns
    )
    prediction = "math.exp(points)" if is_log else "points"
    return f"{head}\n" + _TAIL.format(
        points=lines, shared=literal(who, shared), prediction=prediction
    )


__all__ = ["points_select", "points_source"]
