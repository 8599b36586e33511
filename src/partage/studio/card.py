"""The scorecard of the columns that were signed, and the pairs of columns with their parts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import narwhals as nw
import numpy as np

from partage._report.page_data import pair_data
from partage._report.together import draw_pair
from partage._targets.read import read_target
from partage.exceptions import PartageError
from partage.studio.commands import Refused
from partage.studio.desk import Desk
from partage.studio.view import folded_of

__all__ = ["card_of", "show_card", "show_pair"]

_MEASURES = ("auc", "gini", "ks")


def card_of(desk: Desk, *, every: bool = False) -> tuple[Any, list[str]]:
    """Fit the card of the signed columns, or of all that say something, with their parts."""
    rows = desk.rows
    if rows is None:
        raise Refused("A scorecard needs the rows; open the studio with the data.")
    if len(desk.model.classes_) != 2:
        raise Refused("A scorecard needs a target of two classes.")
    with desk.lock:
        sheets = dict(desk.sheets)
    names = [
        name
        for name in desk.model.partitions_
        if (sheets[name].partition.level > 0 if every else sheets[name].status == "signed")
    ]
    if not names:
        raise Refused("Sign a column to put it on the card.")
    partitions = {name: sheets[name].partition for name in names}
    key = tuple((name, sheets[name].version) for name in names)
    return desk.keep_last("card", key, lambda: _fit(partitions, rows, desk)), names


def _fit(partitions: dict[str, Any], rows: Any, desk: Desk) -> Any:
    """Fit a card on the rows that were kept; its parts stay as they are."""
    from partage import Scorecard

    first = next(iter(partitions.values()))
    card: Any = Scorecard(
        partitions=partitions,
        min_parts=1,
        rounded=True,
        positive=desk.model.classes_[first.event],
    )
    try:
        X = rows.frame.select(list(partitions))
        return card.fit(X, rows.frame[rows.target], sample_weight=rows.weights)
    except (ValueError, PartageError) as error:
        raise Refused(str(error)) from error


def show_card(desk: Desk, asked: Mapping[str, str]) -> dict[str, Any]:
    """Gather the points, weights and measures of the card."""
    card, names = card_of(desk, every=asked.get("every") == "1")
    rows = desk.rows
    found: dict[str, Any] = {
        "names": names,
        "summary": [
            row | {"sign": _sign(card, row["coefficient"])} for row in _rows(card.summary())
        ],
        "table": _rows(card.table()),
        "range": list(card.score_range_),
        "measures": {name: _number(card._fitted_measures.get(name)) for name in _MEASURES},
        "rows": len(rows.frame),
        "isSample": rows.is_sample,
        "holdout": None,
    }
    if rows.held is not None and len(rows.held):
        X, y = rows.held.select(names), rows.held[rows.target]
        judged = card.performance(X, y, sample_weight=rows.held_weights, n_draws=0).measures
        told = nw.from_native(judged).rows(named=True)[0]
        found["holdout"] = {name: _number(told.get(name)) for name in _MEASURES}
    return found


def _sign(card: Any, weight: float | None) -> str:
    """Say whether a weight goes with the evidence of its column."""
    if not weight:
        return ""
    way = next(iter(card.partitions_.values())).woe_sign
    return "as evidence" if weight * way > 0 else "against"


def _rows(frame: Any) -> list[dict[str, Any]]:
    """Rows of a data frame as JSON has them."""
    return [
        {key: _number(value) for key, value in row.items()}
        for row in nw.from_native(frame).rows(named=True)
    ]


def _number(value: Any) -> Any:
    """Give a number that JSON has; NaN is nothing."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def show_pair(desk: Desk, asked: Mapping[str, str]) -> dict[str, Any]:
    """Count two columns together: in their parts as they are now, and in the best grid."""
    rows = desk.rows
    if rows is None or not len(desk.model.classes_):
        raise Refused("Pairs need the rows, and a target of classes.")
    sheets = [desk.sheet(asked.get(name)) for name in ("a", "b")]
    if sheets[0].name == sheets[1].name:
        raise Refused("Choose two columns.")
    key = tuple((sheet.name, sheet.version) for sheet in sheets)
    found: dict[str, Any] = desk.keep_last("pair", key, lambda: _pair(desk, sheets, rows))
    return found


def _pair(desk: Desk, sheets: list[Any], rows: Any) -> dict[str, Any]:
    """Count the classes in the combinations of the parts."""
    who = "studio"
    first, second = (sheet.partition for sheet in sheets)
    codes = [np.asarray(p.assign(rows.frame[p.name])) for p in (first, second)]
    read = read_target(who, rows.frame[rows.target], rows.weights, target_type="class")
    target = first.target.codes_like(who, read, f"column {first.name!r}")
    sizes = [len(p.code_labels()) for p in (first, second)]
    cells = target.kept_of(codes[0] * sizes[1] + codes[1])
    tally = target.tally(cells, sizes[0] * sizes[1])
    told = first.target.describe(tally, tally.total())
    event = first.event if len(first.classes) == 2 else len(first.classes) - 1
    rates = told.rates[:, event].reshape(sizes)
    held = tally.rows.reshape(sizes)
    kept = [np.flatnonzero(held.sum(axis=axis) > 0) for axis in (1, 0)]
    grid = draw_pair(desk.model, rows.frame, rows.target, (first.name, second.name), rows.weights)
    labels = [p.code_labels() for p in (first, second)]
    return {
        "names": [first.name, second.name],
        "labels": [[labels[a][k] for k in kept[a]] for a in range(2)],
        "rows": held[np.ix_(*kept)].tolist(),
        "rates": rates[np.ix_(*kept)].tolist(),
        "event": str(first.classes[event]),
        "best": pair_data(grid, folded_of(desk)),
        "isSample": rows.is_sample,
    }
