"""Rules for parameters, and the one form of their messages."""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

_MOST_PARTS = 2**62  # what the core can count; no column has as many values
KINDS = ("numeric", "categorical", "ordered", "datetime")
MEASURED = ("numeric", "datetime")  # kinds whose values become intervals
COUNTED_TYPES = ("auto", "class", "number")  # of targets whose rows are counted piece by piece
TARGET_TYPES = (*COUNTED_TYPES, "ordered")
# What a table or a file can hold: of classes, and of any target.
CLASS_OUTPUTS = ("code", "onehot", "label", "rate", "woe", "averaged")
DENSE_OUTPUTS = (*CLASS_OUTPUTS, "mean", "median")
OUTPUTS = (*DENSE_OUTPUTS, "sparse")
CUT_STYLES = ("midpoint", "simple")  # where between two neighbouring values a cut is placed
# Outputs that depend on the target of the fitted rows.
RATES = ("rate", "woe", "averaged", "mean", "median")


class Named(Protocol):
    """A table, as far as the names of its columns go."""

    @property
    def names(self) -> Sequence[str]: ...


def refuse(who: str, name: str, must: str, got: object) -> None:
    """Raise the error of a parameter that breaks its rule."""
    raise ValueError(f"{who}: {name} must be {must}; got {got!r}.")


def listed(names: Sequence[str]) -> str:
    """Write 'a', 'b' or 'c'."""
    quoted = [repr(name) for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"


def check_choice(who: str, name: str, value: object, choices: Sequence[str]) -> str:
    """One of some words."""
    if not isinstance(value, str) or value not in choices:
        refuse(who, name, listed(choices), value)
    return str(value)


def check_sign(who: str, name: str, value: Any) -> int:
    """Take 1 or -1."""
    if isinstance(value, bool) or value not in (1, -1):
        refuse(who, name, "1 or -1", value)
    return int(value)


def check_cross_fit(who: str, value: Any, output: str) -> int | None:
    """Take None, or a number of folds for outputs that are rates."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < 2:
        refuse(who, "cross_fit", "an integer of at least 2 or None", value)
    if output not in RATES:
        raise ValueError(
            f"{who}: cross_fit is for output={listed(RATES)}; got output={output!r}, whose parts "
            "differ from fold to fold. Use one of these, or leave cross_fit out."
        )
    return int(value)


def check_count(who: str, name: str, value: Any) -> int | None:
    """Take an integer of at least 1, or None."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < 1:
        refuse(who, name, "an integer of at least 1 or None", value)
    return min(int(value), _MOST_PARTS)


def check_whole(who: str, name: str, value: Any) -> int:
    """Take an integer of at least 1."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < 1:
        refuse(who, name, "an integer of at least 1", value)
    return min(int(value), _MOST_PARTS)


def check_size(who: str, name: str, value: Any) -> float | None:
    """Take a count of at least 1, a fraction between 0 and 1, or None."""
    if value is None:
        return None
    is_number = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if is_number and 0 < value < float("inf"):
        return float(value)
    refuse(who, name, "a count of at least 1, a fraction between 0 and 1, or None", value)
    return None


def check_jobs(who: str, value: Any) -> int:
    """Turn ``n_jobs`` into threads: None is one, negative counts back from all cores."""
    import os

    if value is None:
        return 1
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value == 0:
        refuse(who, "n_jobs", "an integer other than 0 or None", value)
    cores = os.cpu_count() or 1
    return int(value) if value > 0 else max(1, cores + 1 + int(value))


def check_names(who: str, parameter: str, given: Mapping[str, Any], table: Named) -> None:
    """Refuse a parameter by column that names one the table has not."""
    absent = [name for name in given if name not in table.names]
    if absent:
        raise ValueError(
            f"{who}: {parameter} must name columns of X; got {absent[0]!r}, X has "
            f"{', '.join(map(repr, table.names))}."
        )
