"""Columns that repeat each other: the same parts, or gaps in the same rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._data.table import read_table
from partage._partitions.partition import Partition
from partage._report.facts import Related, Summary
from partage._support.portable import logs

_MOST_COLUMNS = 40  # the best ones, that are compared with each other
_MOST_ROWS = 20_000
_SAME = 0.8  # share of what the parts of a column say that those of another give
_MOST_NAMED = 5
_ALIKE = 0.95  # share of the rows with a gap in one of two columns that have it in both
_WHO = "report"


def with_related(summary: Summary, partitions: Mapping[str, Partition], frame: Any) -> Summary:
    """Name, in every column, those whose parts it nearly gives or is given by."""
    table = read_table(_WHO, frame[:_MOST_ROWS])
    useful = [column for column in summary.columns if column.level > 0][:_MOST_COLUMNS]
    codes = {
        column.name: partitions[column.name]._assign_from(
            _WHO, table, table.names.index(column.name)
        )
        for column in useful
    }
    found: dict[str, list[Related]] = {}
    for i, better in enumerate(useful):
        for other in useful[i + 1 :]:
            share = known_share(codes[better.name], codes[other.name])
            if share < _SAME:
                continue
            text = f"gives {share:.0%} of the parts of {other.name}"
            found.setdefault(better.name, []).append(Related(other.name, text))
            text = f"already gives {share:.0%} of these parts, and says more"
            found.setdefault(other.name, []).append(Related(better.name, text, is_redundant=True))
    columns = [
        replace(column, related=found.get(column.name, [])[:_MOST_NAMED])
        for column in summary.columns
    ]
    return replace(summary, columns=columns, gaps=_gaps(summary, frame))


def known_share(given: NDArray[np.int64], wanted: NDArray[np.int64]) -> float:
    """Share of the entropy of some codes that others leave no doubt about: 1 - H(b | a) / H(b)."""
    n_wanted = int(wanted.max()) + 1
    counts = np.bincount(given * n_wanted + wanted).astype(np.float64)
    counts = np.append(counts, np.zeros(-len(counts) % n_wanted)).reshape(-1, n_wanted)
    total = _entropy(counts.sum(axis=0))
    left = _entropy(counts.ravel()) - _entropy(counts.sum(axis=1))
    return 1.0 - left / total if total > 0 else 0.0


def _entropy(counts: NDArray[np.float64]) -> float:
    """Entropy of shares, in nats."""
    held = counts[counts > 0]
    shares = held / held.sum()
    return float(-(shares * logs(shares)).sum())


def _gaps(summary: Summary, frame: Any) -> list[list[str]]:
    """Group the columns whose gaps lie in the same rows."""
    names = sorted((c for c in summary.columns if c.missing), key=lambda c: -c.missing)
    masks = {c.name: _is_missing(frame[c.name]) for c in names[:_MOST_COLUMNS]}
    groups: list[list[str]] = []
    for name, mask in masks.items():
        for group in groups:
            other = masks[group[0]]
            if (mask & other).sum() >= _ALIKE * (mask | other).sum():
                group.append(name)
                break
        else:
            groups.append([name])
    return [group for group in groups if len(group) > 1]


def _is_missing(column: Any) -> NDArray[np.bool_]:
    """Mark the rows without a value."""
    found = column.is_null()
    if column.dtype.is_float():
        found = found | column.is_nan().fill_null(False)
    return np.asarray(found.to_numpy())
