"""Performance of a scorecard on rows: measures by period, gains, cut-offs, pictures."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from partage._display.monitor import in_order, take_periods
from partage._display.notebook import table_html
from partage._display.plots import new_axes
from partage._estimators.scorecard.measures import Scored, stability_of
from partage._support.frames import make_frame
from partage._targets.read import take_target

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Performance", "judge", "score_stability"]

_DRAWN = ("auc", "gini", "ks", "log_loss")


@dataclass(frozen=True)
class Performance:
    """How well a scorecard does on rows.

    Attributes
    ----------
    measures : DataFrame
        One row for each period, or one for all rows: ``period``, ``rows``, ``events``,
        ``event_rate``, ``auc``, ``gini``, ``ks``, ``log_loss``, the ``slope`` and ``intercept`` of
        the log-odds (1 and 0 where they are right), ``calibration_error`` (mean difference between
        expected and found rates in ten bands), ``psi`` of the points, and the ends ``..._low`` and
        ``..._high`` of 95 % intervals.
    gains : DataFrame
        Bands of points from the riskiest on, in each period: gains, lift, rates.
    cutoffs : DataFrame
        What becomes of the rows of each period if those below some points are refused.
    by : str
        What the periods are.
    """

    measures: Any
    gains: Any
    cutoffs: Any
    by: str
    scored: dict[Any, Scored]

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the share of events below the points against that of the others: the ROC curve.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure by default.

        Returns
        -------
        Axes
            The axes drawn on.
        """
        ax = new_axes(ax, 5.0, 5.0)
        for period, scored in self.scored.items():
            others = scored.sizes - scored.events
            x, y = (np.append(0.0, v.cumsum() / v.sum()) for v in (others, scored.events))
            ax.plot(x, y, label=f"{period}: AUC {scored.area():.3f}")
        ax.plot([0, 1], [0, 1], color="0.7", linewidth=1)
        ax.set(xlabel="share of the others below", ylabel="share of the events below")
        ax.legend()
        return ax

    def plot_gains(self, ax: Axes | None = None) -> Axes:
        """Draw the share of events caught against the share of rows refused.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure by default.

        Returns
        -------
        Axes
            The axes drawn on.
        """
        ax = new_axes(ax, 5.0, 5.0)
        for period, scored in self.scored.items():
            x, y = (np.append(0.0, v.cumsum() / v.sum()) for v in (scored.sizes, scored.events))
            ax.plot(x, y, label=str(period))
        ax.plot([0, 1], [0, 1], color="0.7", linewidth=1)
        ax.set(xlabel="share of rows, riskiest first", ylabel="share of the events")
        ax.legend()
        return ax

    def plot_calibration(self, ax: Axes | None = None) -> Axes:
        """Draw the event rate found in ten bands of points against the one expected.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure by default.

        Returns
        -------
        Axes
            The axes drawn on.
        """
        ax = new_axes(ax, 5.0, 5.0)
        most = 0.0
        for period, scored in self.scored.items():
            found = scored.gains()
            ax.plot(found["expected_rate"], found["event_rate"], marker="o", label=str(period))
            most = max([most, *found["expected_rate"], *found["event_rate"]])
        ax.plot([0, most], [0, most], color="0.7", linewidth=1)
        ax.set(xlabel="expected event rate", ylabel="event rate found")
        ax.legend()
        return ax

    def __repr__(self) -> str:
        return repr(self.measures)

    def _repr_html_(self) -> str:
        return table_html(self.measures)


def judge(
    card: Any, who: str, given: tuple[Any, ...], by: Any, n_draws: int, seed: int
) -> Performance:
    """Judge a card on rows, in each period."""
    X, y, target, sample_weight = given
    X, y = take_target(who, X, y, target)
    name, periods = "rows", None
    if by is not None:
        X, name, periods = take_periods(who, X, by, card.partitions_)
    points, is_event, weights = card._read_scored(who, (X, y, None, sample_weight))
    shown, place = ["all"], np.zeros(len(points), dtype=np.int64)
    if periods is not None:
        kept = None if sample_weight is None else np.asarray(sample_weight, dtype=float) > 0
        shown, place = in_order(periods if kept is None else periods[kept])
        if len(place) != len(points):
            raise ValueError(
                f"{who}: by must have a period for each of the {len(points)} rows; got "
                f"{len(place)}."
            )
    scale = card._scale()
    scored = {}
    for k, period in enumerate(shown):
        mask = place == k
        of_period = None if weights is None else weights[mask]
        scored[period] = Scored.of(
            points[mask], is_event[mask], of_period, (scale.factor, scale.cutoff)
        )
    rng = np.random.default_rng(seed)
    rows = [_measures(card, period, one, n_draws, rng) for period, one in scored.items()]
    measures = {key: [row[key] for row in rows] for key in rows[0]}
    gains, cutoffs = (
        _stacked({p: getattr(s, w)() for p, s in scored.items()}) for w in ("gains", "cutoffs")
    )
    one, two, three = (make_frame(columns, card._library) for columns in (measures, gains, cutoffs))
    return Performance(one, two, three, name, scored)


def _measures(
    card: Any, period: Any, scored: Scored, n_draws: int, rng: np.random.Generator
) -> dict[str, Any]:
    """Measures of one period."""
    row: dict[str, Any] = {
        "period": period,
        "rows": scored.rows,
        "events": scored.n_events,
        "event_rate": scored.n_events / scored.total if scored.total else math.nan,
        **scored.measures(),
        **scored.calibration(),
        "psi": score_stability(card, scored),
    }
    drawn = [list(scored.drawn(rng).measures().values()) for _ in range(n_draws)]
    if drawn:
        values = np.array(drawn)
        values = values[~np.isnan(values).any(axis=1)]
        ends = (
            np.quantile(values, (0.025, 0.975), axis=0)
            if len(values)
            else np.full((2, len(_DRAWN)), math.nan)
        )
        for k, name in enumerate(_DRAWN):
            row[f"{name}_low"], row[f"{name}_high"] = float(ends[0, k]), float(ends[1, k])
    return row


def score_stability(card: Any, scored: Scored) -> float:
    """Stability index of points in the ten bands of the rows of the fit."""
    cuts, fitted = card._score_bands
    place = np.searchsorted(cuts, scored.points, side="left")
    found = np.bincount(place, scored.sizes, minlength=len(fitted))
    return stability_of(fitted, found.astype(np.float64))


def _stacked(tables: dict[Any, dict[str, list[Any]]]) -> dict[str, list[Any]]:
    """Put the tables of the periods below each other."""
    found: dict[str, list[Any]] = {"period": []}
    for period, columns in tables.items():
        found["period"] += [period] * len(next(iter(columns.values())))
        for name, values in columns.items():
            found.setdefault(name, []).extend(values)
    return found
