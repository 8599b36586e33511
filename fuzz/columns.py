"""Random columns and targets: every type, with ties, gaps and awkward values."""

from __future__ import annotations

import datetime
import decimal
import random
from typing import Any

KINDS = ("float", "whole", "large", "bool", "date", "time", "decimal", "text", "mixed", "ordered")
WORDS = [
    "a",
    "b",
    "c",
    "",
    " ",
    "a ",
    "A",
    "é",
    "e\u0301",
    "NULL",
    "nan",
    "0",
    "1.0",
    "'",
    '"',
    ";--",
]
FLOATS = [0.0, -0.0, 1e-300, 1e300, 0.1, 0.2, 0.3, 27.67, 27.68, float("inf"), -float("inf")]


def make_target(dice: random.Random, n: int) -> list[Any]:
    """Draw classes: numbers, text or booleans, each at least once."""
    names: list[list[Any]] = [[0, 1], ["no", "yes"], [False, True], ["a", "b", "c"], [3, 1, 2]]
    classes = dice.choice(names)
    y = [dice.choice(classes) for _ in range(n)]
    y[: len(classes)] = classes
    return y


def make_column(dice: random.Random, n: int, y: list[Any]) -> tuple[str, list[Any]]:
    """Draw the kind of a column and its values, some of them missing."""
    kind = dice.choice(KINDS)
    n_values = dice.choice([1, 2, 5, 30, n])
    known = [_value(dice, kind, i) for i in range(n_values)]
    order = {label: i for i, label in enumerate(dict.fromkeys(y))}
    leans = dice.random() < 0.5
    share = dice.choice([0.0, 0.0, 0.1, 0.7])
    values = []
    for label in y:
        at = dice.randrange(n_values)
        if leans and n_values > 1:
            at = (at // 2 + order[label] * n_values // 2) % n_values
        values.append(None if dice.random() < share else known[at])
    if all(value is None for value in values):
        values[0] = known[0]
    return kind, values


def _value(dice: random.Random, kind: str, i: int) -> Any:
    if kind == "float":
        return (
            dice.choice(FLOATS)
            if dice.random() < 0.2
            else round(dice.gauss(0, 10), dice.randint(0, 4))
        )
    if kind == "whole":
        return dice.randint(-20, 20)
    if kind == "large":
        return 2**60 + dice.randint(0, 50)
    if kind == "bool":
        return bool(i % 2)
    if kind == "date":
        return datetime.date(2024, 1, 1) + datetime.timedelta(days=dice.randint(-400, 400))
    if kind == "time":
        return datetime.datetime(2024, 1, 1) + datetime.timedelta(seconds=dice.randint(0, 10**7))
    if kind == "decimal":
        return decimal.Decimal(dice.randint(-500, 500)) / 100
    if kind == "ordered":
        return f"{i % 12:02d}"
    word = dice.choice(WORDS) + (str(i) if i > 10 else "")
    return dice.choice([word, i]) if kind == "mixed" else word
