"""The parameters of a scorecard, checked before anything is fitted."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from partage._estimators.plan import check_partitions
from partage._estimators.scorecard.selection import SELECTIONS
from partage._estimators.table_partitioner import TablePartitioner
from partage._support.checks import CUT_STYLES, check_choice, check_count, check_sign, refuse

__all__ = ["check_parameters"]


def check_parameters(card: Any) -> None:
    """Check the constructor's parameters."""
    who = type(card).__name__
    _check_numbers(who, card)
    check_count(who, "min_parts", card.min_parts)
    check_count(who, "max_columns", card.max_columns)
    check_partitions(who, card.partitions)
    if card.signs is not None:
        _check_or_none(who, "signs", card.signs, ["evidence"])
    if card.selection is not None:
        _check_or_none(who, "selection", card.selection, list(SELECTIONS))
    _check_override(who, card.override)
    if card.cut_style is not None:
        check_choice(who, "cut_style", card.cut_style, CUT_STYLES)
    if not isinstance(card.rounded, (bool, np.bool_)):
        refuse(who, "rounded", "True or False", card.rounded)
    _check_partitioner(who, card.partitioner)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)


def _check_numbers(who: str, card: Any) -> None:
    """Check the scale, the least information value, and the price of weights."""
    for name, low in (("points_to_double", 0.0), ("base_odds", 0.0), ("base", -math.inf)):
        value = getattr(card, name)
        if not _is_number(value) or not low < value < math.inf:
            refuse(who, name, "a positive number" if low == 0.0 else "a number", value)
    for name in ("min_iv", "ridge"):
        value = getattr(card, name)
        if not _is_number(value) or not 0.0 <= value < math.inf:
            refuse(who, name, "a number of at least 0", value)


def _check_or_none(who: str, name: str, value: Any, choices: list[str]) -> None:
    """Take one of some words, or None."""
    if not isinstance(value, str) or value not in choices:
        refuse(who, name, f"{', '.join(map(repr, choices))} or None", value)


def _check_override(who: str, override: Any) -> None:
    """Take points by part by column."""
    if override is None:
        return
    is_dict = isinstance(override, Mapping) and all(
        isinstance(parts, Mapping)
        and all(_is_number(points) and math.isfinite(points) for points in parts.values())
        for parts in override.values()
    )
    if not is_dict:
        wanted = "a dict of points by part by column, such as {'age': {3: 20}}, or None"
        refuse(who, "override", wanted, override)


def _check_partitioner(who: str, given: Any) -> None:
    """Take a partitioner whose evidence is that of all rows."""
    if given is None:
        return
    if not isinstance(given, TablePartitioner):
        refuse(who, "partitioner", "a TablePartitioner or None", given)
    check_sign(type(given).__name__, "woe_sign", given.woe_sign)
    if given.cross_fit is not None:
        raise ValueError(
            f"{who}: partitioner must have cross_fit=None, since points are those of all rows; "
            f"got cross_fit={given.cross_fit!r}."
        )
