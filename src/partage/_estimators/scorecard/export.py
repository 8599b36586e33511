"""A scorecard without the library: one SELECT, or a module of plain Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._estimators.scorecard.reasons import lost_points
from partage._export.dialects import Dialect, find_dialect
from partage._export.python_source import literal, python_source
from partage._export.sql import coded_table, output_expression

__all__ = ["Exported", "scorecard_select", "scorecard_source"]


@dataclass(frozen=True)
class Exported:
    """What an export holds.

    Attributes
    ----------
    names, partitions, points, lost : list
        Of each column that has points: its name, partition, points and points lost by code.
    outcomes : tuple
        The event and the other class.
    factor, cutoff : float
        Points of a unit of log-odds, and points at even odds.
    n_reasons : int
        Reasons that are given for each row.
    against : str
        What points are lost against.
    """

    names: list[str]
    partitions: list[Any]
    points: list[NDArray[np.float64]]
    lost: list[NDArray[np.float64]]
    outcomes: tuple[Any, Any]
    factor: float
    cutoff: float
    n_reasons: int
    against: str

    @classmethod
    def of(cls, card: Any, n_reasons: int, against: str) -> Exported:
        """Take what a fitted card has."""
        names = list(card.points_)
        scale = card._scale()
        return cls(
            names,
            [card.partitions_[name] for name in names],
            list(card.points_.values()),
            list(lost_points(card, against).values()),
            card._outcomes(),
            scale.factor,
            scale.cutoff,
            n_reasons,
            against,
        )

    def reason_names(self) -> list[str]:
        """Names of the outputs of the reasons."""
        numbers = range(1, self.n_reasons + 1)
        return [name for k in numbers for name in (f"reason_{k}", f"points_lost_{k}")]


def scorecard_select(card: Exported, dialect_name: Any, table: Any, keep: Any) -> str:
    """Write a SELECT of points, probability of the event, prediction and reasons."""
    who = "Scorecard.to_sql"
    dialect = find_dialect(who, dialect_name)
    named = [
        (name, partition, None, ["points"])
        for name, partition in zip(card.names, card.partitions, strict=True)
    ]
    made = ("points", "probability", "prediction", *card.reason_names())
    kept, coded = coded_table(who, named, dialect, table, keep, made)
    # The sum goes from left to right, as in Python, so that every bit is the same.
    terms = [
        output_expression(who, dialect, f"code_{i}", points.tolist(), 4)
        for i, points in enumerate(card.points)
    ]
    passed = "".join(f"kept_{i}, " for i in range(len(kept)))
    losses = ""
    if card.n_reasons:
        written = (
            f"{output_expression(who, dialect, f'code_{i}', lost.tolist(), 4)} AS lost_{i}"
            for i, lost in enumerate(card.lost)
        )
        losses = ",\n    " + ",\n    ".join(written)
    source = f"SELECT\n    {passed}{' + '.join(terms)} AS points{losses}"
    source = f"{source}\n  FROM (\n{coded}\n  ) AS coded"
    if card.n_reasons:
        source = _ranked(card, passed, source)
    outer = [f"kept_{i} AS {name}" for i, name in enumerate(kept)]
    outer += ["points", *_outcomes(who, dialect, card), *_reasons(who, dialect, card)]
    return f"SELECT\n  {', '.join(outer)}\nFROM (\n  {source}\n) AS scored"


def _ranked(card: Exported, passed: str, source: str) -> str:
    """Write the rank of each column by the points it loses; of equal ones, the first is first."""
    n = len(card.names)
    ranks = []
    for i in range(n):
        before = [f"CASE WHEN lost_{k} >= lost_{i} THEN 1 ELSE 0 END" for k in range(i)]
        behind = [f"CASE WHEN lost_{k} > lost_{i} THEN 1 ELSE 0 END" for k in range(i + 1, n)]
        ranks.append(f"{' + '.join(['1', *before, *behind])} AS rank_{i}")
    losses = ", ".join(f"lost_{i}" for i in range(n))
    listed = ",\n    ".join(ranks)
    return f"SELECT\n    {passed}points, {losses},\n    {listed}\n  FROM (\n  {source}\n  ) AS lost"


def _reasons(who: str, dialect: Dialect, card: Exported) -> list[str]:
    """Write the reasons: the column of each rank, and the points it loses."""
    found = []
    for k in range(1, card.n_reasons + 1):
        names, points = [], []
        for i, name in enumerate(card.names):
            test = f"WHEN rank_{i} = {k} AND lost_{i} > 0 THEN"
            names.append(f"{test} {dialect.literal(who, name)}")
            points.append(f"{test} lost_{i}")
        found.append(f"\n  CASE {' '.join(names)} END AS reason_{k}")
        found.append(f"\n  CASE {' '.join(points)} END AS points_lost_{k}")
    return found


def _outcomes(who: str, dialect: Dialect, card: Exported) -> list[str]:
    """Write the probability of the event and the class that is predicted."""
    factor, cutoff = (dialect.number(value) for value in (card.factor, card.cutoff))
    event, other = (str(dialect.literal(who, label)) for label in card.outcomes)
    return [
        f"1.0 / (1.0 + EXP((points - {cutoff}) / {factor})) AS probability",
        f"CASE WHEN points < {cutoff} THEN {event} ELSE {other} END AS prediction",
    ]


_TAIL = '''
_POINTS = [
{points}
]
{lost}

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
    out = {{"points": points, "probability": probability, "prediction": prediction}}{reasons}
    return out
'''

_REASONS = """
    lost = [(of_code[code], name) for (name, code), of_code in zip(codes.items(), _LOST)]
    lost.sort(key=lambda pair: -pair[0])
    for k in range({n}):
        is_reason = k < len(lost) and lost[k][0] > 0
        out[f"reason_{{k + 1}}"] = lost[k][1] if is_reason else None
        out[f"points_lost_{{k + 1}}"] = lost[k][0] if is_reason else None"""


def scorecard_source(card: Exported) -> str:
    """Write a module whose ``transform`` scores one row."""
    who = "Scorecard.to_python"
    named = [
        (name, partition, None, [name])
        for name, partition in zip(card.names, card.partitions, strict=True)
    ]
    head = python_source(who, named).replace("def transform(row", "def _codes(row")
    head = head.replace("import decimal\n", "import decimal\nimport math\n", 1)
    event, other = (literal(who, label) for label in card.outcomes)
    factor, cutoff = (literal(who, value) for value in (card.factor, card.cutoff))
    tail = _TAIL.format(
        points=_listed(who, card.points),
        lost=f"\n_LOST = [\n{_listed(who, card.lost)}\n]\n" if card.n_reasons else "",
        reasons=_REASONS.format(n=card.n_reasons) if card.n_reasons else "",
        cutoff=cutoff,
        factor=factor,
        event=event,
        other=other,
    )
    return f"{head}\n{tail}"


def _listed(who: str, tables: list[NDArray[np.float64]]) -> str:
    """Write a list of numbers for each column."""
    return ",\n".join(
        f"    [{', '.join(literal(who, float(value)) for value in values)}]" for values in tables
    )
