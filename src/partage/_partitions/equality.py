"""Whether two partitions hold the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._data.categories import key_of
from partage._partitions.edit import Edit
from partage._partitions.found import Found
from partage._partitions.parts import Parts
from partage._partitions.rule import Rule
from partage._search.grids import GridRows
from partage._spaces.space import Space
from partage._targets.tally import Tally

__all__ = ["is_same_partition"]


def is_same_partition(one: Any, other: Any) -> bool:
    """Whether two partitions of one type agree in every field."""
    return all(
        one.target.same_as(other.target)
        if field.name == "target"
        else _is_same(getattr(one, field.name), getattr(other, field.name))
        for field in fields(one)
        if not _is_open(field.name, one, other)
    )


def _is_open(name: str, one: Any, other: Any) -> bool:
    """Whether a gap, or the proof that is one of 0, was not asked for: the others decide it."""
    if name == "is_optimal":
        return one.gap in (None, 0.0) and other.gap in (None, 0.0)
    return name == "gap" and (one.gap is None or other.gap is None)


def _is_same(one: Any, other: Any) -> bool:
    """Whether two fields hold the same; no parameters are as good as none at all."""
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return _is_same_array(one, other)
    if isinstance(one, Space) or isinstance(other, Space):
        return _are_same_units(one, other)
    if isinstance(one, GridRows) or isinstance(other, GridRows):
        return _are_same_rows(one, other)
    if isinstance(one, Edit) and isinstance(other, Edit):
        return _is_same_edit(one, other)
    if isinstance(one, Tally) and isinstance(other, Tally):
        return one.same_as(other)
    if isinstance(one, (Parts, Rule, Found)) or isinstance(other, (Parts, Rule, Found)):
        return type(one) is type(other) and is_same_partition(one, other)
    if isinstance(one, Mapping) or isinstance(other, Mapping):
        one, other = one or {}, other or {}
        return one.keys() == other.keys() and all(_is_same(one[k], other[k]) for k in one)
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        return len(one) == len(other) and all(map(_is_same, one, other))
    if one is other:
        return True
    try:
        return bool(key_of(one) == key_of(other))
    except (TypeError, ValueError):
        return False  # values that cannot be compared are not the same


def _is_same_array(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Whether two arrays hold the same; an empty one has no shape to speak of."""
    if one.size == 0 and other.size == 0:
        return True
    if one.dtype.kind == "O" or other.dtype.kind == "O":
        return _is_same(one.tolist(), other.tolist())
    return one.dtype == other.dtype and np.array_equal(one, other)


def _are_same_units(one: Space | None, other: Space | None) -> bool:
    """Whether the counts of values that a file would hold are the same."""
    one, other = (u if u is not None and u.is_saved else None for u in (one, other))
    if one is None or other is None:
        return one is other
    names = ("lows", "highs", "rows", "values", "is_exact")
    return np.array_equal(one.counts(), other.counts()) and all(
        _is_same(getattr(one, name), getattr(other, name)) for name in names
    )


def _are_same_rows(one: GridRows | None, other: GridRows | None) -> bool:
    """Whether the rows of grids that a file would hold are the same."""
    one, other = (rows if rows is not None and rows.is_saved else None for rows in (one, other))
    if one is None or other is None:
        return one is other
    return all(_is_same(getattr(one, f.name), getattr(other, f.name)) for f in fields(one))


def _is_same_edit(one: Edit, other: Edit) -> bool:
    """Whether two edits did the same; what led to them stands in the earlier edits."""
    before, other_before = (
        replace(e.before._with_found(history=()), units=None).without_rows() for e in (one, other)
    )
    return (
        one.action == other.action
        and one.price == other.price
        and (one.reason, one.who) == (other.reason, other.who)  # at whatever time
        and type(before) is type(other_before)
        and is_same_partition(before, other_before)
    )
