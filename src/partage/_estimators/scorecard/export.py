"""A scorecard without the library: one SELECT, or a module of plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._export.dialects import Dialect, find_dialect
from partage._export.python_source import literal, python_source
from partage._export.sql import coded_table, output_expression

Exported = Sequence[tuple[str, Any, NDArray[np.float64]]]


def scorecard_select(
    columns: Exported,
    outcomes: tuple[Any, Any],
    scale: tuple[float, float],
    dialect_name: Any,
    table: Any,
    keep: Any,
) -> str:
    """Write a SELECT of points, probability of the event and prediction."""
    who = "Scorecard.to_sql"
    dialect = find_dialect(who, dialect_name)
    named = [(name, partition, None, ["points"]) for name, partition, _ in columns]
    made = ("points", "probability", "prediction")
    kept, coded = coded_table(who, named, dialect, table, keep, made)
    # The sum goes from left to right, as in Python, so that every bit is the same.
    terms = [
        output_expression(who, dialect, f"code_{i}", points.tolist(), 4)
        for i, (_, _, points) in enumerate(columns)
    ]
    passed = "".join(f"kept_{i}, " for i in range(len(kept)))
    scored = f"SELECT\n    {passed}{' + '.join(terms)} AS points\n  FROM (\n{coded}\n  ) AS coded"
    outer = [f"kept_{i} AS {name}" for i, name in enumerate(kept)]
    outer += ["points", *_outcomes(who, dialect, outcomes, scale)]
    return f"SELECT\n  {', '.join(outer)}\nFROM (\n  {scored}\n) AS scored"


def _outcomes(
    who: str, dialect: Dialect, outcomes: tuple[Any, Any], scale: tuple[float, float]
) -> list[str]:
    """Write the probability of the event and the class that is predicted."""
    factor, cutoff = (dialect.number(value) for value in scale)
    event, other = (str(dialect.literal(who, label)) for label in outcomes)
    return [
        f"1.0 / (1.0 + EXP((points - {cutoff}) / {factor})) AS probability",
        f"CASE WHEN points < {cutoff} THEN {event} ELSE {other} END AS prediction",
    ]


_TAIL = '''
_POINTS = [
{points}
]


def transform(row: dict) -> dict:
    """Points of one row, probability of the event, and the class that is predicted."""
    codes = _codes(row)
    points = 0.0
    for code, of_code in zip(codes.values(), _POINTS):
        points += of_code[code]
    odds = ({cutoff} - points) / {factor}
    if odds >= 0:
        probability = 1.0 / (1.0 + math.exp(-odds))
    else:
        probability = math.exp(odds) / (1.0 + math.exp(odds))
    prediction = {event} if points < {cutoff} else {other}
    return {{"points": points, "probability": probability, "prediction": prediction}}
'''


def scorecard_source(
    columns: Exported, outcomes: tuple[Any, Any], scale: tuple[float, float]
) -> str:
    """Write a module whose ``transform`` scores one row."""
    who = "Scorecard.to_python"
    named = [(name, partition, None, [name]) for name, partition, _ in columns]
    head = python_source(who, named).replace("def transform(row", "def _codes(row")
    head = head.replace("import decimal\n", "import decimal\nimport math\n", 1)
    lines = ",\n".join(
        f"    [{', '.join(literal(who, float(p)) for p in points)}]" for _, _, points in columns
    )
    event, other = (literal(who, label) for label in outcomes)
    factor, cutoff = (literal(who, value) for value in scale)
    tail = _TAIL.format(points=lines, cutoff=cutoff, factor=factor, event=event, other=other)
    return f"{head}\n{tail}"
