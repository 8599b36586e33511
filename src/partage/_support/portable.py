"""Logarithms and exponentials that enter results: one home for all of them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

LOG_2 = 0.6931471805599453

log, log1p, exp, expm1, log_gamma = math.log, math.log1p, math.exp, math.expm1, math.lgamma


def exact_sum(numbers: Iterable[float]) -> float:
    """Sum numbers and round once; ``sum`` rounds in another way from Python 3.12 on."""
    return math.fsum(numbers)


def logs(values: Any) -> NDArray[np.float64]:
    """Natural logarithm of each number of an array."""
    return np.asarray(np.log(values), dtype=np.float64)


def exps(values: Any) -> NDArray[np.float64]:
    """Exponential of each number of an array."""
    return np.asarray(np.exp(values), dtype=np.float64)


def normal_quantiles(probabilities: Any) -> NDArray[np.float64]:
    """Quantile of the standard normal law at each probability."""
    from scipy.special import ndtri

    return np.asarray(ndtri(probabilities), dtype=np.float64)
