"""What the file of a partition holds of a target that is a number."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._targets.numbers import number_from_plain
from partage._targets.tally import Tally
from partage._targets.target import Target

__all__ = [
    "averages_to_plain",
    "n_cells",
    "numbers_to_plain",
    "ordered_to_plain",
    "read_averages",
    "read_number",
    "read_number_tally",
]


def numbers_to_plain(partition: Any) -> dict[str, Any]:
    """Describe the number and its sums; nothing of classes."""
    tally = partition.tally
    if tally.moments is None or tally.extremes is None:
        return {}
    return {
        "number": {
            **partition.target.to_plain(),
            "moments": _to_plain(tally.moments),
            "extremes": _to_plain(tally.extremes),
        }
    }


def ordered_to_plain(target: Target) -> dict[str, Any]:
    """Describe the order of classes, and which are joined; nothing of other targets."""
    if not target.joins:
        return {}
    plain = target.to_plain()
    return {"ordered": {name: plain[name] for name in ("ranks", "joined")}}


def n_cells(data: dict[str, Any]) -> int:
    """Count the cells of a number; 0 for classes."""
    number = data.get("number")
    return 0 if number is None else len(number["cells"]["lows"])


def read_number(data: dict[str, Any]) -> Target:
    """Read what the statistics of a number mean."""
    return number_from_plain(data["number"])


def read_number_tally(data: dict[str, Any], tally: Tally) -> Tally:
    """Add the sums of a number to a tally."""
    if data.get("number") is None:
        return tally
    target = number_from_plain(data["number"])
    moments = _read(data["number"]["moments"], (len(tally), target.n_moments), 0.0)
    if target.n_read:
        counts = np.hstack([tally.class_counts, moments])
        tally = Tally.of_counts(counts, tally.rows, target.n_read)
    extremes = _read(data["number"]["extremes"], (len(tally), 2), np.nan)
    low, high = extremes.T
    empty = np.isnan(low)
    spans = np.column_stack([np.where(empty, np.inf, low), np.where(empty, -np.inf, high)])
    return replace(tally, moments=moments, extremes=spans)


def averages_to_plain(averaged: Tally) -> list[list[float]]:
    """Describe what is averaged: weights times shares, or sums of deviations."""
    if averaged.counts is not None:
        return [list(row) for row in averaged.counts.tolist()]
    assert averaged.moments is not None
    return [list(row) for row in averaged.moments[:, :1].tolist()]


def read_averages(plain: Any, tally: Tally) -> Tally:
    """Read what is averaged of the sets of a tally."""
    sums = np.array(plain, dtype=np.float64)
    if tally.moments is None:
        return replace(Tally.of_counts(sums, tally.rows), is_averaged=True)
    moments = np.zeros_like(tally.moments)
    moments[:, :1] = sums
    return Tally(tally.rows, tally.weight, None, moments, is_averaged=True)


def _to_plain(values: NDArray[np.float64]) -> list[list[float | None]]:
    """Give numbers; what is not finite, in sets without rows, is null."""
    return [[v if np.isfinite(v) else None for v in row] for row in values.tolist()]


def _read(plain: Any, shape: tuple[int, int], missing: float) -> NDArray[np.float64]:
    """Read finite numbers of that shape; null stands for what is missing."""
    rows = [[missing if v is None else float(v) for v in row] for row in plain]
    values = np.array(rows, dtype=np.float64)
    if values.shape != shape or np.isinf(values).any():
        raise ValueError("sums of the target do not fit its parts")
    return values
