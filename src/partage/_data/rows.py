"""Lists of rows as arrays in which every value keeps its type."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._data.column import EXACT

_ROWS = (list, tuple, np.ndarray)


def array_of_rows(who: str, X: Sequence[Any]) -> NDArray[Any]:
    """Make an array of a list of rows: of numbers where all are, else of objects."""
    if not any(map(_is_row, X)):
        return np.asarray(X)
    n_columns = _common_length(who, X)
    if all(isinstance(row, np.ndarray) and row.dtype == X[0].dtype for row in X):
        return np.asarray(X)
    types = set(map(type, chain.from_iterable(X)))
    if types and all(issubclass(kind, _ROWS) for kind in types):
        raise ValueError(f"{who}: Found array with dim 3; X must have two dimensions.")
    numeric = _numbers(X, types)
    if numeric is not None:
        return numeric
    cells = np.fromiter(chain.from_iterable(X), dtype=object, count=len(X) * n_columns)
    return cells.reshape(len(X), n_columns)


def array_of_values(values: Any) -> NDArray[Any]:
    """Make an array of a list of values, of objects where floats would round some of them."""
    array = np.asarray(values)
    if isinstance(values, (list, tuple)) and array.ndim == 1 and _may_be_rounded(array):
        types = set(map(type, values))
        if any(issubclass(kind, numbers.Integral) for kind in types):
            return np.fromiter(values, dtype=object, count=len(values))
    return array


def _numbers(X: Sequence[Any], types: set[type]) -> NDArray[Any] | None:
    """Make an array of numbers; None where NumPy's one type for them would change some."""
    if types != {bool} and not all(map(_is_number, types)):
        return None
    array = np.asarray(X)
    has_whole = any(issubclass(kind, numbers.Integral) for kind in types)
    return None if has_whole and _may_be_rounded(array) else array


def _may_be_rounded(array: NDArray[Any]) -> bool:
    """Whether floats are so large that not every whole number is one."""
    return array.dtype.kind == "f" and bool((np.abs(array) >= EXACT).any())


def _is_number(kind: type) -> bool:
    """Whether a type is one of numbers; booleans and NumPy's durations are none."""
    return issubclass(kind, numbers.Real) and not issubclass(kind, (bool, np.timedelta64))


def _common_length(who: str, X: Sequence[Any]) -> int:
    """Length of every row, all of which must have the same."""
    sizes = [_size(row) for row in X]
    if len(set(sizes)) > 1:
        other = next(i for i, size in enumerate(sizes) if size != sizes[0])
        raise ValueError(
            f"{who}: X must hold rows of one length; row 0 {_shown(X[0])}, row {other} "
            f"{_shown(X[other])}. Fill the gaps with None."
        )
    return int(sizes[0][0])


def _size(row: Any) -> tuple[int, ...]:
    """Length of a row; nothing for what is none."""
    return (len(row),) if _is_row(row) else ()


def _is_row(row: Any) -> bool:
    """Whether something holds the values of a row; an array of one number alone does not."""
    return row.ndim > 0 if isinstance(row, np.ndarray) else isinstance(row, (list, tuple))


def _shown(row: Any) -> str:
    """Tell what a row is in a message."""
    if not _is_row(row):
        return f"is a {type(row).__name__}"
    return f"has {len(row)} value{'s' * (len(row) != 1)}"
