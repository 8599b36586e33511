"""Round cuts: the fewest digits for which the best partition stays within a budget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from partage._search.core import Found

_TIE = 1e-9  # costs nearer than this share of themselves are equal to the searches

Places = NDArray[np.int64]
SearchAmong = Callable[[Places, Places], Found | None]


def find_roundest(
    found: Found, levels: Places, fixed: Places, budget: float, search_among: SearchAmong
) -> Found:
    """Move the cuts of the optimum to rounder places.

    The result has as many parts as the optimum. It is the best partition whose cuts all have at
    most some level, for the lowest level at which that best one costs at most the budget more than
    the optimum. Its cuts of that level are then kept, and the others go on in the same way.

    Parameters
    ----------
    found : Found
        The optimum.
    levels : ndarray
        Level of the cut after each unit but the last; the lower, the rounder.
    fixed : ndarray
        Places of cuts that stay.
    budget : float
        What the round cuts may cost in all, in the unit of the cost.
    search_among : callable
        Gives the best partition into as many parts whose cuts are among some places and include
        others, or None.
    """
    most = found.cost + budget + _TIE * abs(found.cost)
    is_proven = found.is_optimal
    kept = fixed
    while len(free := np.setdiff1d(found.starts[1:-1].astype(np.int64), kept)):
        ladder = np.unique(levels[levels < levels[free - 1].max()])
        better, is_exact = _lowest_level(ladder, levels, kept, most, search_among)
        is_proven = is_proven and is_exact
        if better is not None:
            found = better
            free = np.setdiff1d(found.starts[1:-1].astype(np.int64), kept)
        own = levels[free - 1]
        kept = np.union1d(kept, free[own == own.max()])
    return replace(found, is_optimal=is_proven)


def _lowest_level(
    ladder: Places, levels: Places, kept: Places, most: float, search_among: SearchAmong
) -> tuple[Found | None, bool]:
    """Best partition at the lowest level within the budget, and whether that is proven.

    More places are never dearer, so that the level is found by halving.
    """
    best, is_proven = None, True
    low, high = 0, len(ladder)
    while low < high:
        middle = (low + high) // 2
        places = np.flatnonzero(levels <= ladder[middle]) + 1
        one = search_among(np.union1d(places, kept), kept)
        is_proven = is_proven and (one is None or one.is_optimal)
        if one is not None and one.cost <= most:
            best, high = one, middle
        else:
            low = middle + 1
    return best, is_proven


__all__ = ["find_roundest"]
