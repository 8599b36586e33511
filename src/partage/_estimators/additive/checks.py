"""Checks of what is said of pairs and of fixed terms."""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence
from typing import Any

from partage._estimators.additive.terms import Term
from partage._support.checks import refuse

PAIRS_OF_COLUMN = 3  # at most, in the mean


def check_pairs(
    who: str, pairs: Any, names: Sequence[str]
) -> tuple[list[tuple[int, int]] | None, int]:
    """Give the places of the pairs that are named, if any, and how many there may be."""
    if pairs == "auto" and isinstance(pairs, str):
        return None, PAIRS_OF_COLUMN * len(names)
    is_number = isinstance(pairs, numbers.Integral) and not isinstance(pairs, bool)
    if is_number and int(pairs) >= 0:
        return None, int(pairs)
    if isinstance(pairs, str) or not isinstance(pairs, (list, tuple)):
        refuse(
            who, "pairs", "'auto', an integer of at least 0 or a list of pairs of columns", pairs
        )
    found = []
    for pair in pairs:
        is_pair = isinstance(pair, (tuple, list)) and len(pair) == 2
        if not is_pair:
            refuse(who, "pairs", "a list of pairs of columns", pairs)
        for name in pair:
            if name not in names:
                raise ValueError(
                    f"{who}: pairs names {name!r}, which is no column of X; X has "
                    f"{', '.join(map(repr, names))}."
                )
        if pair[0] == pair[1]:
            raise ValueError(
                f"{who}: a pair must have two columns; got {tuple(pair)!r}. A column has its "
                "own curve."
            )
        place = names.index(pair[0]), names.index(pair[1])
        if place in found or place[::-1] in found:
            raise ValueError(f"{who}: pairs must differ; {tuple(pair)!r} is there twice.")
        found.append(place)
    return found, len(found)


def check_fixed(who: str, fixed: Any, names: Sequence[str]) -> dict[str, Term]:
    """Give the terms that are kept as they are, by column."""
    if fixed is None:
        return {}
    is_right = isinstance(fixed, Mapping) and all(isinstance(t, Term) for t in fixed.values())
    if not is_right:
        refuse(who, "fixed", "a dict of terms by column, or None", fixed)
    for name, term in fixed.items():
        if name not in names:
            raise ValueError(
                f"{who}: fixed names {name!r}, which is no column of X; X has "
                f"{', '.join(map(repr, names))}."
            )
        if term.columns != (name,):
            raise ValueError(
                f"{who}: fixed must give each column a term of its own; {name!r} got that of "
                f"{term.label!r}."
            )
    return dict(fixed)


__all__ = ["check_fixed", "check_pairs"]
