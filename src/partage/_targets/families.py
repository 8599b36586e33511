"""``FamilyTarget``: a number of which parts tell the mean itself, by a law that is named."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from partage._support.portable import logs
from partage._targets.numbers import N_MOMENTS, NumberTarget, deviations_of
from partage._targets.sums import sums_by_code
from partage._targets.tally import Tally
from partage._targets.target import Target, TargetRows

FAMILIES = ("mean", "poisson", "gamma", "tweedie")
EXPOSED = ("poisson", "tweedie")  # of an exposure
_FLOOR = 5.0  # rows of a part, at least
_OF_SKEWNESS, _OF_KURTOSIS = 3.0, 0.5  # rows for each unit of its square, and of the excess
_MOST_EVENTS = 1e12  # of which the logarithm of a likelihood still holds a hundredth of a nat
_N_RATES = 6  # exposure, events and their likelihood, each in a coarse and a fine piece


@dataclass(frozen=True)
class Family:
    """The law by which parts tell a mean, and what it knows of all rows.

    Attributes
    ----------
    name : str
        ``"mean"``: squared errors; ``"poisson"``: events over an exposure; ``"gamma"``: positive
        amounts whose deviation grows with their mean; ``"tweedie"``: amounts that may be zero.
    floor : float
        Of ``"mean"``: weight of a part at least; the more the heavier the tails.
    scale : float
        Of ``"mean"``: a power of two near the deviation of all rows.
    rate, dispersion : float
        Of the others: events of all rows over their exposure (rows over their sum), and the
        variance over what the law expects, at least 1 for events.
    unit : float
        Of ``"tweedie"``: mean exposure of a row.
    heights : tuple of float
        Of the others: greatest exposure, events and likelihood of a row.
    has_exposure : bool
        Whether rows have an exposure.
    """

    name: str
    floor: float = 0.0
    scale: float = 1.0
    rate: float = 1.0
    dispersion: float = 1.0
    unit: float = 1.0
    heights: tuple[float, float, float] = (1.0, 1.0, 1.0)
    has_exposure: bool = False

    @property
    def has_rates(self) -> bool:
        """Whether it sums events over an exposure."""
        return self.name != "mean"


@dataclass(frozen=True, eq=False)
class FamilyTarget(NumberTarget):
    """A number of which parts tell the mean.

    Its tallies hold the sums behind the cells too, so that what is read of sets adds up.
    """

    family: Family = field(default_factory=lambda: Family("mean"))

    described = "mean of the target"

    @property
    def n_moments(self) -> int:
        """Number of sums beside the cells."""
        return N_MOMENTS + (_N_RATES if self.family.has_rates else 0)

    @property
    def n_sums(self) -> int:
        """Number of cells, and of the sums behind them."""
        return len(self.cells) + self.n_moments

    @property
    def n_read(self) -> int:
        """Number of sums that stand behind the cells."""
        return self.n_moments

    @property
    def sums_amounts(self) -> bool:
        """Whether the amounts of rows are all that is summed."""
        return not self.family.has_rates

    def tally(self, rows: TargetRows, codes: NDArray[Any], n: int) -> Tally:
        """Sum the rows of each code from 0 to n - 1; rows of a negative code stay out."""
        found = super().tally(rows, codes, n)
        found.class_counts[:, len(self.cells) :] = found.moments
        return replace(found, n_read=self.n_read)

    def sums(
        self, rows: TargetRows, codes: NDArray[Any], n: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Sum deviations, their squares and zeros, then what a rate is made of."""
        moments, extremes = super().sums(rows, codes, n)
        if not self.family.has_rates:
            return moments, extremes
        total = self._scale[1]
        pieces = [
            sums_by_code(codes, amounts, rows.weights, n, (height, total))
            for amounts, height in zip(
                rate_terms(self.family.name, rows), self.family.heights, strict=True
            )
        ]
        return np.column_stack([moments, *pieces]), extremes

    def empty(self, n: int) -> Tally:
        """Make n sets without rows."""
        moments = np.zeros((n, self.n_moments))
        return replace(super().empty(n), moments=moments, n_read=self.n_read)

    def exposure_of(self, tally: Tally) -> NDArray[np.float64]:
        """Exposure of each set."""
        assert tally.moments is not None
        return np.asarray(tally.moments[:, N_MOMENTS] + tally.moments[:, N_MOMENTS + 1])

    def score_sums(self, tally: Tally) -> NDArray[np.float64]:
        """Weighted sum of the deviations of each set; with an exposure its rate for each row."""
        if not self.family.has_exposure:
            return super().score_sums(tally)
        return np.asarray(tally.weight * self.key(tally))

    def row_scores(self, rows: TargetRows) -> NDArray[np.float64]:
        """Deviation of each row."""
        if self.family.has_exposure:
            raise ValueError("by is not for rows that have an exposure; leave one of both out.")
        return super().row_scores(rows)

    def key(self, tally: Tally) -> NDArray[np.float64]:
        """Mean of each set; with an exposure, events over it."""
        if not self.family.has_exposure:
            return super().key(tally)
        exposure = self.exposure_of(tally)
        events = self.center * tally.weight + deviations_of(cast("Any", tally.moments))
        return np.where(exposure > 0, events / np.where(exposure > 0, exposure, 1.0), self._rate)

    @property
    def _rate(self) -> float:
        """Rate of all rows that were read."""
        return self.family.rate

    def _cells_of(self, tally: Tally) -> Tally:
        """Leave out the sums behind the cells."""
        return replace(tally, counts=tally.class_counts[:, : len(self.cells)], n_read=0)

    def quantiles(self, tally: Tally, shares: tuple[float, ...]) -> NDArray[np.float64]:
        """Values of the target below which these shares of each set lie."""
        cells = self._cells_of(tally)
        return super().quantiles(cells, shares)

    def columns(self, tally: Tally, averaged: Tally | None = None) -> dict[str, NDArray[Any]]:
        """Columns of a table; with an exposure also this, and events over it as the frequency."""
        if not self.family.has_exposure:
            return super().columns(tally, averaged)
        plain = NumberTarget(self.cells, self.center, self.code)
        cells = self._cells_of(tally)
        found = plain.columns(cells, averaged)
        both = tally.concat(tally.total())
        rates = self.key(both)
        rates[both.weight == 0] = np.nan
        found["difference"] = rates - rates[-1] + 0.0
        return {"exposure": self.exposure_of(both), "frequency": rates, **found}

    def codes_like(self, who: str, rows: TargetRows, fitted: str) -> TargetRows:
        """Express rows read on their own in the cells of this target."""
        if self.family.has_exposure and rows.exposure is None:
            raise ValueError(
                f"{who}: {fitted} was fitted with an exposure, and other rows cannot be counted "
                "without one; fit them with exposure= instead."
            )
        return super().codes_like(who, rows, fitted)

    def same_as(self, other: Target) -> bool:
        """Whether both mean the same."""
        return super().same_as(other) and self.family == getattr(other, "family", None)

    def to_plain(self) -> dict[str, Any]:
        """Give the data of a file."""
        return super().to_plain() | {"family": asdict(self.family)}


def rate_terms(family: str, rows: TargetRows) -> tuple[NDArray[np.float64], ...]:
    """Exposure and events of each row, and the logarithm of their likelihood at its own rate.

    The rate of positive amounts is that of rows over their sum: an amount is the exposure, its row
    the event.
    """
    y = rows.amounts
    w = np.ones(len(y)) if rows.exposure is None else rows.exposure
    if family == "gamma":
        return y, np.ones(len(y)), -logs(y) - 1.0
    if family == "tweedie":
        return w, y, -4.0 * np.sqrt(y * w)
    with np.errstate(divide="ignore", invalid="ignore"):
        lengths = np.where(y > 0, y * logs(np.where(y > 0, y, 1.0) / w), 0.0)
    return w, y, lengths - y


def with_family(who: str, method: str, rows: TargetRows) -> TargetRows:
    """Give rows the target by which a method tells their mean; others leave them as they are."""
    target = cast("NumberTarget", rows.target)
    if rows.exposure is not None and method not in EXPOSED:
        raise ValueError(
            f"{who}: exposure is for method='poisson' and method='tweedie'; got method={method!r}. "
            "Use one of these, or divide y by the exposure and pass it as sample_weight."
        )
    if method not in FAMILIES:
        return rows
    if rows.values is None:
        raise ValueError(
            f"{who}: method={method!r} needs the rows in memory; use method='modl', or collect the "
            "table."
        )
    _check_amounts(who, method, rows)
    weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights
    family = _mean(rows, weights) if method == "mean" else _rates(method, rows, weights)
    events = float((weights * rows.amounts).sum()) / family.dispersion
    if method == "poisson" and events > _MOST_EVENTS:
        raise ValueError(
            f"{who}: method='poisson' counts events, at most {_MOST_EVENTS:g} beyond their "
            f"dispersion; y adds up to {events:g}. Use method='mean', or divide y by one number."
        )
    known = FamilyTarget(target.cells, target.center, method, family=family)
    return replace(rows, target=known)


def _check_amounts(who: str, method: str, rows: TargetRows) -> None:
    """Refuse numbers that the law of a method does not have."""
    least = float(rows.amounts.min())
    if method == "poisson" and least < 0:
        raise ValueError(
            f"{who}: method='poisson' counts events, and y must not be negative; got {least!r}."
        )
    if method == "tweedie" and least < 0:
        raise ValueError(
            f"{who}: method='tweedie' is for amounts, and y must not be negative; got {least!r}. "
            "Use method='mean' or method='modl'."
        )
    if method == "gamma" and least <= 0:
        raise ValueError(
            f"{who}: method='gamma' is for positive amounts; y holds {least!r}. Use "
            "method='tweedie' for amounts that may be zero, or method='modl'."
        )


def _in_order(rows: TargetRows, weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
    """Sort amounts and weights, so that sums over all rows do not depend on their order."""
    order = np.lexsort((weights, rows.amounts))
    return rows.amounts[order], weights[order]


def _mean(rows: TargetRows, weights: NDArray[np.float64]) -> Family:
    """Measure the tails of a number."""
    y, weights = _in_order(rows, weights)
    total = weights.sum()
    away = y - (y * weights).sum() / total
    variance = float((weights * away**2).sum() / total)
    if not 0 < variance < math.inf:
        return Family("mean", _FLOOR)
    z = away / math.sqrt(variance)
    skewness = float((weights * z**3).sum() / total)
    excess = float((weights * z**4).sum() / total) - 3.0
    floor = max(_FLOOR, _OF_SKEWNESS * skewness**2, _OF_KURTOSIS * excess)
    return Family("mean", floor, math.ldexp(1.0, math.frexp(math.sqrt(variance))[1]))


def _rates(method: str, rows: TargetRows, weights: NDArray[np.float64]) -> Family:
    """Measure the rate of all rows, and by how much they scatter more than it expects."""
    terms = rate_terms(method, rows)
    w, s = terms[0], terms[1]
    order = np.lexsort((weights, w, rows.amounts))
    w, s, y, held = w[order], s[order], rows.amounts[order], weights[order]
    exposure, events, total = ((held * one).sum() for one in (w, s, np.ones(len(y))))
    heights = tuple(float(np.abs(one).max()) for one in terms)
    known = Family(method, heights=cast("Any", heights), has_exposure=rows.exposure is not None)
    if not exposure > 0 or not events > 0:
        return known
    rate = float(events / exposure)
    if method == "gamma":
        expected = 1.0 / rate
        chi = float((held * (y / expected - 1.0) ** 2).sum())
        least = 1e-6
    elif method == "tweedie":
        chi = float((held * (s - rate * w) ** 2 / (rate * math.sqrt(rate) * w)).sum())
        least = 1e-6 * math.sqrt(rate)
    else:
        chi = float((held * (s - rate * w) ** 2 / (rate * w)).sum())
        least = 1.0
    dispersion = max(least, chi / max(float(total) - 1.0, 1.0))
    return replace(known, rate=rate, dispersion=dispersion, unit=float(exposure / total))


def family_from_plain(plain: dict[str, Any]) -> FamilyTarget:
    """Read what `to_plain` gave."""
    data = dict(plain["family"])
    base = NumberTarget.from_plain({**plain, "code": "scores"})
    family = Family(
        name=str(data["name"]),
        floor=float(data["floor"]),
        scale=float(data["scale"]),
        rate=float(data["rate"]),
        dispersion=float(data["dispersion"]),
        unit=float(data.get("unit", 1.0)),
        heights=cast("Any", tuple(float(height) for height in data["heights"])),
        has_exposure=bool(data["has_exposure"]),
    )
    numbers = (family.scale, family.rate, family.dispersion, family.unit)
    if (
        family.name not in FAMILIES
        or plain["code"] != family.name
        or len(family.heights) != 3
        or not all(math.isfinite(one) and one > 0 for one in numbers)
        or not all(math.isfinite(one) and one >= 0 for one in (family.floor, *family.heights))
    ):
        raise ValueError("a mean is told by a law that is known, of finite numbers")
    return FamilyTarget(base.cells, base.center, family.name, family=family)


__all__ = ["EXPOSED", "FAMILIES", "Family", "FamilyTarget", "family_from_plain", "with_family"]
