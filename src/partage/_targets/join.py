"""Targets of pieces put together: the classes of all of them, or their ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from partage._targets.classes import (
    MOST_CLASSES,
    ClassTarget,
    check_number_of_classes,
    class_rows,
)
from partage._targets.numbers import number_rows
from partage._targets.target import TargetRows

__all__ = ["join_rows"]


def join_rows(who: str, pieces: Sequence[TargetRows]) -> TargetRows:
    """Put entries one after the other, in the classes, or the ranks, of all of them."""
    kinds = sorted({piece.target.kind for piece in pieces})
    if len(kinds) > 1:
        raise TypeError(
            f"{who}: the target must be one throughout; got classes and a number. Count all pieces "
            "with the same target_type."
        )
    return _join_numbers(pieces) if kinds == ["number"] else _join_classes(who, pieces)


def _join_numbers(pieces: Sequence[TargetRows]) -> TargetRows:
    """Put the entries of a number one after the other; its ranks are those of all rows."""
    amounts, weights, rows = (
        np.concatenate([cast("Any", getattr(piece, name)) for piece in pieces])
        for name in ("values", "weights", "rows")
    )
    return replace(number_rows(amounts, weights), rows=rows)


def _join_classes(who: str, pieces: Sequence[TargetRows]) -> TargetRows:
    """Put entries one after the other, in the classes of all of them."""
    targets = [cast("ClassTarget", piece.target) for piece in pieces]
    kinds = {"text" if target.classes.dtype.kind in "UO" else "number" for target in targets}
    if len(kinds) > 1:
        raise TypeError(
            f"{who}: the classes must be of one type throughout; got text and numbers. "
            "Convert them to text."
        )
    classes = np.unique(np.concatenate([target.classes for target in targets]))
    check_number_of_classes(who, len(classes), MOST_CLASSES)
    codes = [np.searchsorted(classes, piece.classes)[piece.codes] for piece in pieces]
    weights, rows = (
        np.concatenate([cast("Any", getattr(piece, name)) for piece in pieces])
        for name in ("weights", "rows")
    )
    ranks = _joined_ranks(who, targets, classes)
    return class_rows(np.concatenate(codes), classes, weights, None, rows, ranks)


def _joined_ranks(
    who: str, targets: Sequence[ClassTarget], classes: NDArray[Any]
) -> NDArray[np.int64] | None:
    """Ranks of the classes of several targets; None unless all of them have an order."""
    rank: dict[Any, int] = {}
    for target in targets:
        if target.ranks is None:
            return None
        for label, place in zip(target.classes.tolist(), target.ranks.tolist(), strict=True):
            if rank.setdefault(label, place) != place:
                raise ValueError(
                    f"{who}: the classes must have one order throughout; {label!r} has the ranks "
                    f"{rank[label]} and {place}. Declare the same categories in all pieces."
                )
    return np.array([rank[label] for label in classes.tolist()], dtype=np.int64)
