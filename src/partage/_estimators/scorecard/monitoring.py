"""How the columns, the parts and the points of a scorecard change from period to period."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np

from partage._data.table import read_table
from partage._display.monitor import Monitoring, in_order, monitor, take_periods
from partage._display.plots import new_axes, shorten
from partage._display.tables import row_labels
from partage._estimators.scorecard.measures import Scored
from partage._estimators.scorecard.performance import score_stability
from partage._partitions.other_rows import target_like
from partage._support.checks import check_choice
from partage._support.frames import make_frame
from partage._targets.read import take_target

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["CardMonitoring", "monitor_card"]


@dataclass(frozen=True, repr=False)
class CardMonitoring(Monitoring):
    """Stability of the columns and the points of a scorecard in every period.

    Attributes
    ----------
    frame : DataFrame
        One row per column and period, as ``TablePartitioner.monitor`` gives them, then the rows of
        the column ``(score)``: the stability index of the points.
    by : str
        What the periods are.
    parts : DataFrame
        One row per column, part and period: ``rows``, ``share``, ``share_fitted``, and with a
        target ``event_rate`` beside ``event_rate_fitted``.
    """

    parts: Any

    def plot_rates(self, column: str, ax: Axes | None = None) -> Axes:
        """Draw the event rate of each part of a column over the periods, or its share without y.

        Parameters
        ----------
        column : str
            Name of a column that has points.
        ax : matplotlib Axes, default=None
            Where to draw; a new figure by default.

        Returns
        -------
        Axes
            The axes drawn on.
        """
        frame = nw.from_native(self.parts, eager_only=True)
        names = list(dict.fromkeys(frame["column"].to_list()))
        check_choice("CardMonitoring.plot_rates", "column", column, names)
        own = frame.filter(nw.col("column") == column)
        shown = "event_rate" if "event_rate" in frame.columns else "share"
        ax = new_axes(ax, 7.0, 4.0)
        for part in dict.fromkeys(own["part"].to_list()):
            of_part = own.filter(nw.col("part") == part)
            periods = [str(period) for period in of_part["period"].to_list()]
            ax.plot(periods, of_part[shown].to_list(), marker="o", label=shorten(part))
        ax.set(title=column, xlabel=self.by, ylabel=shown.replace("_", " "))
        ax.legend(fontsize="small")
        return ax


def monitor_card(card: Any, who: str, given: tuple[Any, ...], by: Any) -> CardMonitoring:
    """Compare rows with those of the fit, in each period."""
    X, y, target, sample_weight = given
    X, y = take_target(who, X, y, target)
    used = {name: card.partitions_[name] for name in card.points_}
    columns = monitor(who, used, X, y, by, sample_weight)
    X, name, periods = take_periods(who, X, by, card.partitions_)
    assert periods is not None  # by is a parameter without a default
    shown, place = in_order(periods)
    frame = nw.from_native(columns.frame, eager_only=True)
    score = _score_rows(card, X, shown, place, frame.columns, sample_weight)
    library = frame.implementation.name.lower()
    both = {name: [*frame[name].to_list(), *score[name]] for name in frame.columns}
    parts = _parts(card, who, X, y, (shown, place), sample_weight)
    return CardMonitoring(make_frame(both, library), name, make_frame(parts, library))


def _score_rows(
    card: Any, X: Any, shown: list[Any], place: Any, columns: list[str], sample_weight: Any
) -> dict[str, list[Any]]:
    """Stability of the points in each period."""
    points = card.points(_fitted(card, X))
    weights = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    scale = card._scale()
    rows: dict[str, list[Any]] = {name: [] for name in columns}
    for k, period in enumerate(shown):
        mask = place == k
        own = None if weights is None else weights[mask]
        nothing = np.zeros(int(mask.sum()), dtype=bool)
        scored = Scored.of(points[mask], nothing, own, (scale.factor, scale.cutoff))
        known = {"column": "(score)", "period": period, "rows": int(mask.sum())}
        known["psi"] = score_stability(card, scored)
        for name in columns:
            rows[name].append(known.get(name, float("nan")))
    return rows


def _fitted(card: Any, X: Any) -> Any:
    """Select the fitted columns of a frame."""
    frame = nw.from_native(X, pass_through=True)
    names = list(getattr(card, "feature_names_in_", []))
    is_frame = isinstance(frame, nw.DataFrame) and names
    return frame.select(names).to_native() if is_frame else X


def _parts(
    card: Any, who: str, X: Any, y: Any, periods: tuple[list[Any], Any], sample_weight: Any
) -> dict[str, list[Any]]:
    """Share and event rate of each part in each period."""
    shown, place = periods
    table = read_table(who, X)
    weights = np.ones(table.n_rows)
    is_event = None
    if sample_weight is not None:
        weights = np.asarray(sample_weight, dtype=np.float64)
    if y is not None:
        first = next(iter(card.partitions_.values()))
        rows = target_like(who, first, y, None)
        is_event = rows.codes == first.event
    found: dict[str, list[Any]] = {}
    for name in card.points_:
        partition = card.partitions_[name]
        codes = partition._assign_from(who, table, table.names.index(name))
        labels, fitted = row_labels(partition), partition.own_tally().shares
        rates = partition.code_rates()[:, partition.event]
        homes = partition.rule.homes()
        home = np.array([k if h is None else h for k, h in enumerate(homes)])
        for k, period in enumerate(shown):
            mask = place == k
            sizes = np.bincount(home[codes[mask]], weights[mask], minlength=len(labels))
            counts = np.bincount(home[codes[mask]], minlength=len(labels))
            events = None
            if is_event is not None:
                held = np.where(is_event[mask], weights[mask], 0.0)
                events = np.bincount(home[codes[mask]], held, minlength=len(labels))
            for code in partition.rule.shown_codes():
                row = {
                    "column": name,
                    "part": labels[code],
                    "period": period,
                    "rows": int(counts[code]),
                    "share": float(sizes[code] / max(sizes.sum(), np.finfo(float).tiny)),
                    "share_fitted": float(fitted[code]),
                }
                if events is not None:
                    size = sizes[code]
                    row["event_rate"] = float(events[code] / size) if size else float("nan")
                    row["event_rate_fitted"] = float(rates[code])
                for key, value in row.items():
                    found.setdefault(key, []).append(value)
    return found
