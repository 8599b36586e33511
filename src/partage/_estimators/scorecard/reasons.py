"""Reasons: the columns in which a row loses most points, as adverse-action codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from partage._data.conversions import convert_table
from partage._data.one_row import read_one_row
from partage._data.table import Table
from partage._display.tables import row_labels
from partage._support.frames import make_frame

__all__ = ["AGAINST", "explain_row", "lost_points", "reason_codes", "reasons_table"]

AGAINST = ("best", "mean", "neutral")


def lost_points(card: Any, against: str) -> dict[str, NDArray[np.float64]]:
    """Points that each code of each column loses: what they are compared with, minus its own."""
    return {
        name: _compared(card, name, against) - points + 0.0 for name, points in card.points_.items()
    }


def _compared(card: Any, name: str, against: str) -> float:
    """Points of the best part of a column, of its mean row, or of no evidence."""
    points, partition = card.points_[name], card.partitions_[name]
    held = partition.own_tally().weight
    if against == "best":
        return float(points[held > 0].max(initial=-np.inf)) if held.any() else float(points.max())
    if against == "mean":
        return float((points * held).sum() / held.sum())
    return float(card.neutral_points_[name])


def reason_codes(
    lost: dict[str, NDArray[np.float64]], codes: dict[str, NDArray[np.int64]], n: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Places of the columns that lose most, -1 for none, and the points lost, of each row.

    Equal losses stand in the order of the columns; a column that loses nothing is no reason.
    """
    found = np.array([lost[name][codes[name]] for name in lost])
    order = np.argsort(-found, axis=0, kind="stable")[:n]
    points = np.take_along_axis(found, order, axis=0)
    is_reason = points > 0.0
    return np.where(is_reason, order, -1), np.where(is_reason, points, np.nan)


def reasons_table(card: Any, who: str, table: Table, n: int, against: str) -> Any:
    """One row for each row: reason_1, points_lost_1, and so on."""
    lost = lost_points(card, against)
    names = list(card.partitions_)
    codes = {
        name: card.partitions_[name]._assign_from(who, table, names.index(name)) for name in lost
    }
    places, points = reason_codes(lost, codes, n)
    shown = np.array([*lost, None], dtype=object)
    columns: dict[str, Any] = {}
    for k in range(n):
        is_there = k < len(places)
        reasons = shown[places[k]].tolist() if is_there else [None] * table.n_rows
        columns[f"reason_{k + 1}"] = reasons
        columns[f"points_lost_{k + 1}"] = points[k] if is_there else np.full(table.n_rows, np.nan)
    return make_frame(columns, card._library)


def explain_row(card: Any, who: str, row: Any, reasons: int | None, against: str) -> Any:
    """List the columns of one row, those that lose most points first."""
    has_names = hasattr(card, "feature_names_in_")
    row = _read_text(card, row)
    table = read_one_row(who, row, list(card.partitions_), has_names=has_names)
    lost = lost_points(card, against)
    names = list(card.partitions_)
    lines = []
    for name, of_code in lost.items():
        partition = card.partitions_[name]
        code = int(partition._assign_from(who, table, names.index(name))[0])
        points = float(card.points_[name][code])
        label = row_labels(partition)[_home(partition, code)]
        lines.append((name, label, points, points + float(of_code[code]), float(of_code[code])))
    lines.sort(key=lambda line: -line[4])
    titles = ("column", "part", "points", against, "points_lost")
    chosen = lines if reasons is None else [line for line in lines if line[4] > 0][:reasons]
    columns = {title: [line[k] for line in chosen] for k, title in enumerate(titles)}
    return make_frame(columns, card._library)


def _read_text(card: Any, row: Any) -> Any:
    """Read the text of a row as that of the fit was read."""
    if not card._conversions:
        return row
    given = row.to_dict() if hasattr(row, "to_dict") and not hasattr(row, "columns") else row
    if isinstance(given, Mapping):
        given = make_frame({name: [value] for name, value in given.items()}, card._library)
    made = nw.from_native(convert_table(given, card._conversions), pass_through=True)
    is_frame = isinstance(made, nw.DataFrame)
    return made.select(list(card.partitions_)).to_native() if is_frame else row


def _home(partition: Any, code: int) -> int:
    """Part whose row of the table holds a code."""
    home = partition.rule.homes()[code]
    return code if home is None else int(home)
