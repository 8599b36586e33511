"""Divisions of values into groups, and lengths of whole numbers, straight from the definitions."""

import functools
import math


def iterated_logs(n):
    """log2*(n): the sum of the iterated logarithms that are positive, in bits."""
    total, n = 0.0, math.log2(n)
    while n > 0:
        total += n
        n = math.log2(n)
    return total


def unbounded(n):
    """Rissanen's code of a whole number, with the constant of Khiops, in nats."""
    return math.log(2.86511) + math.log(2) * iterated_logs(n)


@functools.cache
def bounded(n, most):
    """Rissanen's code of a whole number from 1 to the most, in nats."""
    return math.log(sum(2 ** -iterated_logs(i) for i in range(1, int(most) + 1))) + math.log(
        2
    ) * iterated_logs(n)


@functools.cache
def stirling(n, k):
    """Divisions of n values into exactly k groups, by inclusion and exclusion."""
    signed = sum((-1) ** j * math.comb(k, j) * (k - j) ** n for j in range(k + 1))
    return signed // math.factorial(k)


@functools.cache
def bell(n, k):
    """B(n, k): divisions of n values into at most k groups."""
    return stirling(n, k) + bell(n, k - 1) if k else 0


@functools.cache
def log_bell(n, k):
    """Natural logarithm of B(n, k), from its exact integer."""
    return math.log(bell(n, k))
