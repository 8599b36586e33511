"""Cuts that the user names: which units they part, and the cuts as they were given."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._search.granular import chosen, quantile_places
from partage._search.question import Question


def places_of(question: Question, keys: NDArray[Any] | None) -> NDArray[np.int64]:
    """First unit above each cut."""
    if keys is None:
        return np.empty(0, dtype=np.int64)
    return np.asarray(np.searchsorted(question.space.keys, keys, side="right"))


def inside_places(question: Question, places: NDArray[np.int64]) -> NDArray[np.int64]:
    """Places with units on both sides, each once."""
    inside = places[(places > 0) & (places < question.space.n_units)]
    return np.unique(inside)


def candidates(question: Question) -> NDArray[np.int64] | None:
    """Places where cuts may lie, by the user and by the granularity; None where any may be."""
    named = None
    if question.candidate_keys is not None:
        named = inside_places(question, places_of(question, question.candidate_keys))
    granularity = chosen(question.method, question.numbers)
    if granularity:
        ends = quantile_places(question.space, granularity)[1:-1]
        named = ends if named is None else np.intersect1d(named, ends)
    return named


def _keyed(question: Question, keys: NDArray[Any] | None) -> list[tuple[int, Any]]:
    """First unit above each cut, and the cut."""
    known = [] if keys is None else keys.tolist()
    return list(zip(places_of(question, keys).tolist(), known, strict=True))


def n_empty_parts(question: Question) -> int:
    """Parts without rows that user cuts make."""
    places = places_of(question, question.user_keys)
    return len(places) - len(inside_places(question, places))


def with_given_cuts(
    question: Question, starts: NDArray[np.uint32]
) -> tuple[NDArray[np.uint32], list[Any]]:
    """Put back the cuts as they were given, those around parts without rows too."""
    keys: dict[int, list[Any]] = {place: [] for place in starts[1:-1].tolist()}
    for place, key in _keyed(question, question.user_keys):
        keys.setdefault(place, []).append(key)
    named = dict(_keyed(question, question.candidate_keys)[::-1])
    found_places, found_keys = [], []
    for place in sorted(keys):
        for key in keys[place] or [named.get(place)]:
            found_places.append(place)
            found_keys.append(key)
    n_units = question.space.n_units
    return np.array([0, *found_places, n_units], dtype=np.uint32), found_keys


__all__ = ["candidates", "inside_places", "n_empty_parts", "places_of", "with_given_cuts"]
