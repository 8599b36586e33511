"""Logarithms and exponentials with the same bits on every CPU.

The C library and NumPy choose another routine for each CPU, whose last bits differ. Whatever enters
a result, a price or a choice is computed by these functions of the core instead; they add and
multiply in one order.
"""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core

LOG_2 = 0.6931471805599453


def exact_sum(numbers: Iterable[float]) -> float:
    """Sum numbers and round once; ``sum`` rounds in another way from Python 3.12 on."""
    return math.fsum(numbers)


def log(x: float) -> float:
    """Natural logarithm; minus infinity at 0 and NaN below."""
    return _core.log(float(x))


def log1p(x: float) -> float:
    """Natural logarithm of 1 + x, exact for small x."""
    return _core.log1p(float(x))


def expm1(x: float) -> float:
    """Exponential of x, which is at most 0, minus 1; exact for small x."""
    return _core.expm1(float(x))


def exp(x: float) -> float:
    """Exponential of x."""
    return float(exps(x))


def log_gamma(x: float) -> float:
    """Logarithm of the gamma function at x of at least 1."""
    return _core.log_factorial(float(x) - 1.0)


def logs(values: Any) -> NDArray[np.float64]:
    """Natural logarithm of each number of an array."""
    return _each(_core.logs, values)


def exps(values: Any) -> NDArray[np.float64]:
    """Exponential of each number of an array."""
    return _each(_core.exps, values)


def normal_quantiles(probabilities: Any) -> NDArray[np.float64]:
    """Quantile of the standard normal law at each probability."""
    return _each(_core.normal_quantiles, probabilities)


def _each(function: Any, values: Any) -> NDArray[np.float64]:
    numbers = np.asarray(values, dtype=np.float64)
    return np.asarray(function(np.ascontiguousarray(numbers).ravel())).reshape(numbers.shape)
