"""How a fitted scorecard is judged: on train, on test, and period by period."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._estimators.public import public
from partage._estimators.scorecard.fit import Rows
from partage._estimators.scorecard.measures import N_BANDS, Scored, bands
from partage._partitions.other_rows import target_like
from partage._partitions.partition import Partition
from partage._support.checks import check_whole
from partage._targets.read import take_target
from partage._targets.target import check_lengths


@public
class JudgedCard:
    """A scorecard that was fitted, and how well it does."""

    partitions_: dict[str, Partition]
    points_: dict[str, NDArray[np.float64]]
    cutoff_: float
    _library: str
    _score_bands: tuple[NDArray[np.float64], NDArray[np.float64]]
    _fitted_measures: dict[str, float]
    _check_fresh: Callable[[str], None]
    _scale: Callable[[], Any]
    points: Callable[[Any], NDArray[np.float64]]

    def _keep_scores(self, rows: Rows) -> None:
        """Keep how the rows of the fit lie in ten bands of points, and how well they are told."""
        names = list(self.partitions_)
        points = np.zeros(len(rows.sizes))
        for name, of_code in self.points_.items():
            points = points + of_code[rows.codes[names.index(name)]]
        scale = self._scale()
        order = np.argsort(points, kind="stable")
        distinct, starts = np.unique(points[order], return_index=True)
        sizes = np.add.reduceat(rows.sizes[order], starts)
        events = np.add.reduceat(rows.events[order], starts)
        band = bands(sizes, N_BANDS)
        lasts = np.flatnonzero(np.diff(band))
        self._score_bands = distinct[lasts], np.bincount(band, sizes).astype(np.float64)
        scored = Scored(distinct, sizes, events, int(sizes.sum()), scale.factor, scale.cutoff)
        self._fitted_measures = scored.measures()

    def _scored(self, given: tuple[Any, ...]) -> Scored:
        """Count the points of rows with their classes."""
        points, is_event, weights = self._read_scored("Scorecard", given)
        scale = self._scale()
        return Scored.of(points, is_event, weights, (scale.factor, scale.cutoff))

    def _read_scored(
        self, who: str, given: tuple[Any, ...]
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.float64] | None]:
        """Give the points of rows, whether they are events, and their weights."""
        X, y, target, sample_weight = given
        X, y = take_target(who, X, y, target)
        first = next(iter(self.partitions_.values()))
        rows = target_like(who, first, y, sample_weight)
        points = self.points(X)
        check_lengths(who, "X", len(points), rows)
        return rows.kept_of(points), rows.codes == first.event, rows.weights

    def performance(
        self,
        X: Any,
        y: Any = None,
        *,
        by: Any = None,
        target: Any = None,
        sample_weight: Any = None,
        n_draws: int = 200,
        random_state: Any = 0,
    ) -> Any:
        """Judge the card on rows: how well it orders them, and whether its odds are right.

        Parameters
        ----------
        by : str or array-like of shape (n_rows,), default=None
            The period or segment of each row, such as its month or "train" and "test", or the
            column of X that holds it; each is judged on its own.
        n_draws : int, default=200
            Samples drawn with replacement, from which the 95 % intervals come; 0 for none.
        random_state : int, default=0
            Seed of these draws.

        Returns
        -------
        Performance
            ``measures``, a row for each period with ``auc``, ``gini``, ``ks``, ``log_loss``,
            calibration (``slope``, ``intercept``, ``calibration_error``), the stability index
            ``psi`` of the points, and intervals; ``gains``, ``cutoffs``; and their plots.
        """
        from partage._estimators.scorecard.performance import judge

        who = "Scorecard.performance"
        self._check_fresh(who)
        draws = 0 if n_draws == 0 else check_whole(who, "n_draws", n_draws)
        return judge(self, who, (X, y, target, sample_weight), by, draws, int(random_state))

    def monitor(
        self, X: Any, y: Any = None, *, by: Any, target: Any = None, sample_weight: Any = None
    ) -> Any:
        """Compare new rows, period by period, with the rows that were fitted.

        Parameters
        ----------
        X : data frame or array of shape (n_rows, n_columns)
            New rows with the fitted columns.
        y : array-like of shape (n_rows,), default=None
            Their classes, to see whether the parts still hold as many events.
        by : str or array-like of shape (n_rows,)
            The period of each row, or the column of X that holds it.

        Returns
        -------
        CardMonitoring
            ``frame`` has one row per column and period, and those of the score, with the stability
            index; ``parts`` the share and event rate of every part in every period; ``plot`` draws
            the least stable columns, ``plot_rates`` the event rates of a column.
        """
        from partage._estimators.scorecard.monitoring import monitor_card

        who = "Scorecard.monitor"
        self._check_fresh(who)
        return monitor_card(self, who, (X, y, target, sample_weight), by)
