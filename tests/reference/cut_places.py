"""Cuts between two neighbouring values by the words of their definition, with exact fractions."""

import decimal
import math
from fractions import Fraction

POWERS = range(40, -41, -1)
ROUND = [(Fraction(10) ** k * factor) for k in POWERS for factor in (5, 2, 1)]


def decimal_of(value):
    """Read the number that a float is written as."""
    return Fraction(decimal.Decimal(repr(value)))


def nearest_multiple(step, low, high, *, with_low):
    """Multiple of a step between two numbers nearest their middle, the lower of two; or None."""
    first = math.ceil(low / step) if with_low else math.floor(low / step) + 1
    last = math.ceil(high / step) - 1
    if first > last:
        return None
    middle = (low + high) / 2
    near = {min(max(i, first), last) for i in (math.floor(middle / step), math.ceil(middle / step))}
    return min(sorted(near), key=lambda i: abs(i * step - middle)) * step


def simple_number(low, high):
    """Multiple of the largest power of ten strictly between two numbers, whole between whole."""
    is_whole = low.denominator == 1 and high.denominator == 1
    for k in POWERS:
        if is_whole and k < 0:
            break
        found = nearest_multiple(Fraction(10) ** k, low, high, with_low=False)
        if found is not None:
            return found
    return low


def digits_of(number):
    """Level of a number: 0 for one digit; 1, 2, 3 for two that end in 5, even or odd; and so on."""
    if number == 0:
        return 0
    power = next(k for k in POWERS if (number / Fraction(10) ** k).denominator == 1)
    digits = str(abs(number / Fraction(10) ** power))
    if len(digits) == 1:
        return 0
    last = 1 if digits[-1] == "5" else 2 if int(digits[-1]) % 2 == 0 else 3
    return 3 * (len(digits) - 2) + last


def roundest_number(low, high):
    """Multiple of the largest of 1, 2, 5 times a power of ten from one number on, below another."""
    found = (nearest_multiple(step, low, high, with_low=True) for step in ROUND)
    return next(number for number in found if number is not None)
