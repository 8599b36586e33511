"""The points of parts: a penalised generalised linear model on one column of bits for each code."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._estimators.fit import Opened
from partage._estimators.plan import Plan
from partage._partitions.partition import Partition
from partage._partitions.recount import recount_column

_TOLERANCE = 1e-10


def on_curve(who: str, plan: Plan, opened: Opened, index: int, found: Partition) -> Partition:
    """Cut a column of numbers at the steps of its averaged curve, finer than its parts."""
    if found.curve is None or found.name in plan.partitions:
        return found
    from dataclasses import replace

    column = plan.read(who, opened.table, index)
    steps = replace(found, rule=found.curve.rule, curve=None, averaged=None)
    counted: Partition = recount_column(who, steps, column, opened.rows)
    return counted


def fit_points(
    codes: NDArray[np.int64],
    n_codes: list[int],
    y: NDArray[np.float64],
    weights: NDArray[np.float64],
    family: str,
    alpha: float,
) -> tuple[list[NDArray[np.float64]], float]:
    """Points of every code of every column, and what all rows share.

    Points of a column have the mean 0 over the rows, those of a code without rows are 0.
    """
    from scipy import sparse

    starts = np.concatenate([[0], np.cumsum(n_codes)])
    n_rows = len(y)
    held = np.bincount((codes + starts[:-1]).ravel(), minlength=starts[-1]) > 0
    bits = sparse.csr_matrix(
        (
            np.ones(codes.size),
            (codes + starts[:-1]).ravel(),
            np.arange(0, codes.size + 1, codes.shape[1]),
        ),
        shape=(n_rows, starts[-1]),
    )
    model = _model(family, alpha, float(weights.sum()))
    model.fit(bits, y, sample_weight=weights)
    found = np.where(held, model.coef_, 0.0)
    points, shared = [], float(model.intercept_)
    for k in range(len(n_codes)):
        own = found[starts[k] : starts[k + 1]].copy()
        middle = float(np.average(own[codes[:, k]], weights=weights))
        own[held[starts[k] : starts[k + 1]]] -= middle
        points.append(own + 0.0)
        shared += middle
    return points, shared


def _model(family: str, alpha: float, total: float) -> Any:
    """Make scikit-learn's model; a part is drawn to 0 as if by so many rows of no effect."""
    from sklearn.linear_model import GammaRegressor, PoissonRegressor, Ridge

    if family == "gaussian":
        return Ridge(alpha=alpha, solver="sparse_cg", tol=_TOLERANCE, max_iter=10_000)
    kind = PoissonRegressor if family == "poisson" else GammaRegressor
    return kind(alpha=alpha / total, max_iter=10_000, tol=1e-8)


__all__ = ["fit_points", "on_curve"]
