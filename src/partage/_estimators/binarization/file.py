"""Columns of a binarizer as plain data: cuts, levels or values."""

from __future__ import annotations

from typing import Any

import numpy as np

from partage._data.categories import key_of
from partage._estimators.binarization.discriminants import Attribute, Levels, Numbers, Values
from partage._saving.partitions import cuts_to_plain, read_cuts
from partage._saving.plain import value_from_plain, values_to_plain

__all__ = ["attribute_to_plain", "read_attribute_of"]


def attribute_to_plain(name: str, attribute: Attribute) -> dict[str, Any]:
    """Describe a column."""
    where = f"values of column {name!r}"
    if isinstance(attribute, Numbers):
        own = {"type": "numbers", **cuts_to_plain(attribute.kind, attribute.cut_keys)}
    elif isinstance(attribute, Levels):
        levels = values_to_plain(attribute.levels, where)
        own = {"type": "levels", "levels": levels, "codes": attribute.level_codes.tolist()}
    elif isinstance(attribute, Values):
        own = {"type": "values", "values": values_to_plain(attribute.values, where)}
    else:
        raise TypeError(f"a column of type {type(attribute).__name__} has no layout")
    return {"name": name, **own}


def read_attribute_of(plain: dict[str, Any]) -> Attribute:
    """Read a column."""
    if plain["type"] == "numbers":
        return Numbers(*read_cuts(plain))
    if plain["type"] == "values":
        return Values(_read_values(plain["values"]))
    if plain["type"] != "levels":
        raise ValueError(f"unknown type of a column: {plain['type']!r}")
    levels = _read_values(plain["levels"])
    codes = np.array(plain["codes"], dtype=np.int64)
    steps = np.diff(codes, prepend=0)
    if codes.shape != (len(levels),) or not ((steps == 0) | (steps == 1)).all():
        raise ValueError("codes of levels must rise from 0 in steps of 1")
    return Levels(levels, codes)


def _read_values(plain: list[Any]) -> tuple[Any, ...]:
    """Read values that differ."""
    values = tuple(map(value_from_plain, plain))
    if len({key_of(value) for value in values}) < len(values):
        raise ValueError("a value of a column stands twice")
    return values
