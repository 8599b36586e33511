"""Edits of a scorecard: other parts of a column, a new fit, and what it changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
from sklearn.base import clone

from partage._display.notebook import table_html
from partage._display.tables import row_labels
from partage._estimators.scorecard.fit import LEVEL_0
from partage._partitions.partition import Partition
from partage._support.frames import make_frame

__all__ = ["Changes", "edit_card"]

_MEASURES = ("auc", "gini", "ks", "log_loss")


@dataclass(frozen=True)
class Changes:
    """What an edit of a scorecard changes.

    Attributes
    ----------
    edit : str
        What was done, its price in bits, the reason.
    measures : DataFrame
        One row for each measure on the rows of the fit: ``before``, ``after`` and ``change``.
    columns : DataFrame
        One row for each column: ``parts``, ``weight``, lowest and highest points, before and
        after, and why it is left out.
    points : DataFrame
        One row for each part of the edited column, after the edit, with its points; and the parts
        before it.
    """

    edit: str
    measures: Any
    columns: Any
    points: Any

    def __repr__(self) -> str:
        lines = [
            f"{row['measure']:<9}{row['before']:.4f} -> {row['after']:.4f} ({row['change']:+.4f})"
            for row in nw.from_native(self.measures).iter_rows(named=True)
        ]
        return "\n".join([self.edit, "", *lines, "", repr(self.columns), "", repr(self.points)])

    def _repr_html_(self) -> str:
        import html

        tables = (self.measures, self.columns, self.points)
        return f"<p>{html.escape(self.edit)}</p>" + "".join(table_html(table) for table in tables)


def edit_card(
    card: Any, who: str, column: str, change: Callable[[Any], Any], rows: tuple[Any, ...]
) -> Any:
    """Give a column other parts, and fit a new card that keeps those of all others."""
    before = card[column]
    after = change(before)
    if not isinstance(after, Partition) or not after.rule.is_of_columns:
        raise TypeError(
            f"{who}: change must give a partition of column {column!r}, such as "
            f"lambda p: p.merge(2, 3); got {type(after).__name__}."
        )
    X, y, target, sample_weight = rows
    new = clone(card).set_params(partitions={**card.partitions_, column: after})
    # Parts that are given are taken as they are: what was found of the others still holds.
    reasons = card._weights.reasons.items()
    left_out = {n: why for n, why in reasons if why.startswith(LEVEL_0) and n != column}
    new._fit(X, y, target, sample_weight, left_out)
    new.changes_ = _compare(card, new, column, after, rows)
    return new


def _compare(card: Any, new: Any, column: str, after: Partition, rows: tuple[Any, ...]) -> Changes:
    """Measure both cards on the same rows, and list their points."""
    old, now = (one._scored(rows).measures() for one in (card, new))
    library = card._library
    measures = {
        "measure": list(_MEASURES),
        "before": [old[name] for name in _MEASURES],
        "after": [now[name] for name in _MEASURES],
        "change": [now[name] - old[name] for name in _MEASURES],
    }
    edits = [repr(edit) for edit in after.history[len(card[column].history) :]]
    title = f"{column}: {'; '.join(edits) or 'other parts'}"
    columns = _columns(card, new)
    points: dict[str, list[Any]] = {"card": [], "part": [], "event_rate": [], "points": []}
    for name, one in (("before", card), ("after", new)):
        partition = one.partitions_[column]
        of_code = one.points_.get(column, np.full(len(partition.code_labels()), np.nan))
        rates, labels = partition.code_rates()[:, partition.event], row_labels(partition)
        for k in partition.rule.shown_codes():
            for into, value in zip(
                points.values(), (name, labels[k], float(rates[k]), float(of_code[k])), strict=True
            ):
                into.append(value)
    return Changes(
        title,
        make_frame(measures, library),
        make_frame(columns, library),
        make_frame(points, library),
    )


def _columns(card: Any, new: Any) -> dict[str, list[Any]]:
    """One row for each column, before and after."""
    rows: dict[str, list[Any]] = {"column": list(new.partitions_)}
    for when, one in (("before", card), ("after", new)):
        rows[f"parts_{when}"] = [one.partitions_[name].n_parts for name in rows["column"]]
        rows[f"weight_{when}"] = one.coef_[0].tolist()
        for title, pick in (("lowest", np.min), ("highest", np.max)):
            rows[f"{title}_{when}"] = [
                float(pick(one.points_[name])) if name in one.points_ else float("nan")
                for name in rows["column"]
            ]
    rows["why"] = [new._weights.reasons.get(name, "") for name in rows["column"]]
    return rows
