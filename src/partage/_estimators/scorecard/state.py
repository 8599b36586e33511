"""A fitted scorecard as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._estimators.scorecard.weights import Weights
from partage._saving.partitions import read_numbers, read_partitions
from partage._saving.plain import classes_to_plain, read_classes
from partage._targets.events import find_event

__all__ = ["State", "card_to_plain", "read_card"]


@dataclass(frozen=True)
class State:
    """What a file holds of a fitted card."""

    fitted: tuple[Any, ...]  # classes, event, partitions, weights, points
    score_bands: tuple[NDArray[np.float64], NDArray[np.float64]]
    measures: dict[str, float]


def card_to_plain(card: Any) -> dict[str, Any]:
    """Describe what was fitted with text, numbers, lists and dicts only."""
    names = list(card.partitions_)
    made = {name: one.to_plain() for name, one in card._conversions.items()}
    cuts, weights = card._score_bands
    return {
        **classes_to_plain(card.classes_),
        **card._weights.to_plain(),
        "points": [[names.index(name), p.tolist()] for name, p in card.points_.items()],
        "score_bands": {"cuts": cuts.tolist(), "weights": weights.tolist()},
        "measures": dict(card._fitted_measures),
        "columns": [partition.to_dict() for partition in card.partitions_.values()],
    } | ({"conversions": made} if made else {})


def read_card(data: dict[str, Any], positive: Any) -> State:
    """Read and check what `card_to_plain` gave."""
    partitions = read_partitions(data["columns"])
    classes = read_classes(data)
    if len(classes) != 2 or any(
        not np.array_equal(p.classes, classes) for p in partitions.values()
    ):
        raise ValueError("columns have other classes, or there are not two")
    event = find_event("load", positive, classes, next(iter(partitions.values())).event)
    if any(p.event != event for p in partitions.values()):
        raise ValueError("columns have other events")
    weights = Weights.from_plain(data, len(partitions))
    names = list(partitions)
    points = {}
    for place, of_code in data["points"]:
        partition = partitions[names[int(place)]]
        size = (len(partition.code_labels()),)
        points[partition.name] = read_numbers(of_code, size, "points", least=-np.inf)
    if not points:
        raise ValueError("there are no points")
    cuts = np.array(data["score_bands"]["cuts"], dtype=np.float64)
    sizes = read_numbers(data["score_bands"]["weights"], (len(cuts) + 1,), "score bands")
    measures = {str(name): float(value) for name, value in data["measures"].items()}
    return State((classes, event, partitions, weights, points), (cuts, sizes), measures)
