"""How well points tell events from others: areas, distances, losses, calibration, tables."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from partage._estimators.scorecard.regression import Evidence, weigh
from partage._partitions.other_rows import stability
from partage._targets.tally import Tally

__all__ = ["Scored", "bands", "stability_of"]

Vector = NDArray[np.float64]

N_BANDS = 10


@dataclass(frozen=True)
class Scored:
    """Points that differ, from the lowest on, the weight of their rows and of their events."""

    points: Vector
    sizes: Vector
    events: Vector
    rows: int
    factor: float  # points of a unit of log-odds
    cutoff: float  # points at even odds

    @classmethod
    def of(
        cls,
        points: Vector,
        is_event: NDArray[np.bool_],
        weights: Vector | None,
        scale: tuple[float, float],
    ) -> Scored:
        """Count rows of the same points together."""
        distinct, place = np.unique(points, return_inverse=True)
        n = len(distinct)
        held = np.ones(len(points)) if weights is None else weights
        sizes = np.bincount(place.ravel(), held, minlength=n).astype(np.float64)
        events = np.bincount(place.ravel(), held * is_event, minlength=n).astype(np.float64)
        return cls(distinct, sizes, events, len(points), *scale)

    def drawn(self, rng: np.random.Generator) -> Scored:
        """Draw as many rows again, with replacement."""
        others = self.sizes - self.events
        chances = np.concatenate([self.events, others])
        drawn = rng.multinomial(self.rows, chances / chances.sum())
        n = len(self.points)
        events = drawn[:n].astype(np.float64)
        sizes = events + drawn[n:]
        return Scored(self.points, sizes, events, self.rows, self.factor, self.cutoff)

    @property
    def total(self) -> float:
        """Weight of all rows."""
        return float(self.sizes.sum())

    @property
    def n_events(self) -> float:
        """Weight of all events."""
        return float(self.events.sum())

    @property
    def odds(self) -> Vector:
        """Log-odds of the event that points stand for."""
        return (self.cutoff - self.points) / self.factor

    def measures(self) -> dict[str, float]:
        """Area, Gini, largest distance and log-loss; NaN without one of the classes."""
        area = self.area()
        return {
            "auc": area,
            "gini": 2.0 * area - 1.0,
            "ks": self.distance(),
            "log_loss": self.log_loss(),
        }

    def area(self) -> float:
        """Probability that an event has fewer points than another row; ties count half."""
        others = self.sizes - self.events
        pairs = self.n_events * others.sum()
        above = others[::-1].cumsum()[::-1] - others
        return float((self.events * (above + others / 2.0)).sum() / pairs) if pairs else math.nan

    def distance(self) -> float:
        """Largest difference of the shares of events and others below some points."""
        others = self.sizes - self.events
        if not self.n_events or not others.sum():
            return math.nan
        events = self.events.cumsum() / self.n_events
        return float(np.abs(events - others.cumsum() / others.sum()).max())

    def log_loss(self) -> float:
        """Mean of minus the logarithm of the probability given to what happened, in nats."""
        losses = self.sizes * np.logaddexp(0.0, self.odds) - self.events * self.odds
        return float(losses.sum() / self.total) if self.total else math.nan

    def calibration(self) -> dict[str, float]:
        """Slope and intercept of the log-odds, and the mean error of bands of as many rows."""
        nothing = {"slope": math.nan, "intercept": math.nan, "calibration_error": math.nan}
        if not 0 < self.n_events < self.total or len(self.points) < 2:
            return nothing
        fitted = weigh(Evidence(self.odds[None], self.sizes, self.events))
        band = bands(self.sizes, N_BANDS)
        sizes = np.bincount(band, self.sizes)
        expected = np.bincount(band, self.sizes * expit(self.odds))
        found = np.bincount(band, self.events)
        error = np.abs(expected - found).sum() / sizes.sum()
        return {
            "slope": float(fitted.coef[0]),
            "intercept": fitted.intercept,
            "calibration_error": float(error),
        }

    def gains(self, n_bands: int = N_BANDS) -> dict[str, list[float]]:
        """Bands of about as many rows, the riskiest first, with gains and lift."""
        band = bands(self.sizes, n_bands)
        n = int(band.max()) + 1 if len(band) else 0
        sizes = np.bincount(band, self.sizes, minlength=n)
        events = np.bincount(band, self.events, minlength=n)
        starts = np.searchsorted(band, np.arange(n))
        ends = np.append(starts[1:], len(band)) - 1
        others = sizes - events
        chance = np.bincount(band, self.sizes * expit(self.odds), minlength=n)
        with np.errstate(divide="ignore", invalid="ignore"):
            gained = events.cumsum() / self.n_events
            shares = sizes.cumsum() / self.total
            columns = {
                "band": np.arange(1, n + 1),
                "points_from": self.points[starts],
                "points_to": self.points[ends],
                "weight": sizes,
                "events": events,
                "event_rate": events / sizes,
                "expected_rate": chance / sizes,
                "share": shares,
                "gain": gained,
                "lift": events / sizes / (self.n_events / self.total),
                "cumulative_lift": gained / shares,
                "ks": gained - others.cumsum() / others.sum(),
            }
        return {name: values.tolist() for name, values in columns.items()}

    def cutoffs(self, n_bands: int = 2 * N_BANDS) -> dict[str, list[float]]:
        """Say what becomes of rows if those with fewer points than a cut-off are refused."""
        band = bands(self.sizes, n_bands)
        starts = np.searchsorted(band, np.arange(int(band.max()) + 1 if len(band) else 0))
        below = np.append(0.0, self.sizes.cumsum())[starts]
        caught = np.append(0.0, self.events.cumsum())[starts]
        accepted = self.total - below
        with np.errstate(divide="ignore", invalid="ignore"):
            columns = {
                "points": self.points[starts],
                "accepted": accepted / self.total,
                "accepted_event_rate": (self.n_events - caught) / accepted,
                "refused_event_rate": caught / below,
                "events_refused": caught / self.n_events,
                "others_refused": (below - caught) / (self.total - self.n_events),
            }
        return {name: values.tolist() for name, values in columns.items()}


def bands(sizes: Vector, n_bands: int) -> NDArray[np.int64]:
    """Divide values in their order into bands of about as much weight; none is divided."""
    middles = sizes.cumsum() - sizes / 2.0
    places = np.floor(middles / sizes.sum() * n_bands).astype(np.int64)
    return np.unique(np.minimum(places, n_bands - 1), return_inverse=True)[1].ravel()


def stability_of(expected: Vector, found: Vector) -> float:
    """Compute the population stability index of weights in bands."""
    tallies = (Tally(weight.astype(np.int64), weight) for weight in (expected, found))
    return float(stability(*tallies).sum())
