"""Additive models without the library: one SELECT, or a module of plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from partage._export.dialects import find_dialect
from partage._export.python_source import literal, python_source
from partage._export.sql import coded_table, output_expression


class _Coded:
    """The parts that the terms of a model look at, each once, and which of them a term takes."""

    def __init__(self, model: Any) -> None:
        self.columns: list[tuple[str, Any, None, list[str]]] = []
        place: dict[int, int] = {}
        self.terms = []
        for term in model.terms_.values():
            for name, axis in zip(term.columns, term.axes, strict=True):
                if id(axis) not in place:
                    place[id(axis)] = len(self.columns)
                    self.columns.append((name, axis, None, [f"part_{len(self.columns)}"]))
            self.terms.append((term, [place[id(axis)] for axis in term.axes]))


def additive_select(model: Any, dialect_name: Any, table: Any, keep: Any) -> str:
    """Write a SELECT of the scores and of what they predict."""
    who = f"{type(model).__name__}.to_sql"
    dialect = find_dialect(who, dialect_name)
    made = _Coded(model)
    link = model._link()
    outputs = [*link.score_names, *link.result_names]
    columns = made.columns
    named = [(name, p, None, [f"part {i}"]) for i, (name, p, _, _) in enumerate(columns)]
    kept, coded = coded_table(who, named, dialect, table, keep, outputs)
    passed = "".join(f"kept_{i}, " for i in range(len(kept)))
    scores = []
    for j, start in enumerate(model.intercept_.tolist()):
        # The sum goes from left to right, as in Python, so that every bit is the same.
        pieces = [dialect.number(start)]
        for term, places in made.terms:
            code = f"code_{places[0]}"
            if term.is_pair:
                code = f"({code} * {term.contributions.shape[1]} + code_{places[1]})"
            values = term.table[:, j].tolist()
            pieces.append(output_expression(who, dialect, code, values, 4))
        scores.append(f"{' + '.join(pieces)} AS score_{j}")
    listed = ",\n    ".join(scores)
    if not columns:  # a model without terms looks at no column
        coded = coded.replace("SELECT\n    \n", "SELECT\n    1 AS code_0\n", 1)
    scored = f"SELECT\n    {passed}{listed}\n  FROM (\n{coded}{dialect.fence}\n  ) AS coded"
    outer = [f"kept_{i} AS {name}" for i, name in enumerate(kept)]
    outer += [
        f"{expression} AS {dialect.identifier(who, name)}"
        for name, expression in link.sql(dialect, who)
    ]
    results = ",\n  ".join(outer)
    return f"SELECT\n  {results}\nFROM (\n  {scored}{dialect.fence}\n) AS scored"


_TAIL = '''
_TERMS = [
{terms}
]


def transform(row: dict) -> dict:
    """Scores of one row, and what they predict."""
    codes = list(_codes(row).values())
    scores = {intercept}
    for places, width, table in _TERMS:
        code = codes[places[0]]
        if len(places) == 2:
            code = code * width + codes[places[1]]
        scores = [score + added for score, added in zip(scores, table[code])]
    return _predict(scores)


{predict}
'''


def additive_source(model: Any) -> str:
    """Write a module whose ``transform`` predicts for one row."""
    who = f"{type(model).__name__}.to_python"
    made = _Coded(model)
    head = python_source(who, made.columns).replace("def transform(row", "def _codes(row")
    head = head.replace("import decimal\n", "import decimal\nimport math\n", 1)
    lines = []
    for term, places in made.terms:
        rows = ", ".join(
            f"({''.join(literal(who, float(x)) + ', ' for x in row)})" for row in term.table
        )
        width = term.contributions.shape[1] if term.is_pair else 0
        lines.append(f"    ({places!r}, {width}, [{rows}])")
    start = [float(x) for x in np.asarray(model.intercept_)]
    return f"{head}\n" + _TAIL.format(
        terms=",\n".join(lines),
        intercept=f"[{', '.join(literal(who, x) for x in start)}]",
        predict=model._link().python(who),
    )


__all__ = ["additive_select", "additive_source"]
