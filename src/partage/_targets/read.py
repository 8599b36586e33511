"""Reading a target: y, or a column of the table, and the weights of the rows."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._data.encoding import encode
from partage._data.lazy import check_in_memory
from partage._data.numbers import gaps_among
from partage._data.table import (
    Table,
    as_vector,
    check_names_differ,
    drop_column,
    ordered_levels,
    read_text,
)
from partage._targets.classes import (
    MOST_CLASSES,
    check_number_of_classes,
    class_rows,
    ranks_among,
)
from partage._targets.numbers import number_rows
from partage._targets.ordered import ordered_rows
from partage._targets.target import TargetRows

MOST_WEIGHT = 1e18  # tables show weights as 64-bit integers
_MOST_EXPOSURE = 1e100  # events over one are numbers still
_LOWEST, _HIGHEST = 1e-150, 1e150  # size of a number, whose squares are summed
_MANY = 100  # different numbers that look like an amount, for any number of rows
_AT_ONCE = 2**16  # numbers that are looked at together: the first fraction decides
_OF_A_NAME = 2  # rows of a value, on average, below which values name rows
_SOME, _FEW_ROWS = 20, 10  # so many do too, if there are fewer rows than this for each


def read_target(
    who: str,
    y: Any,
    sample_weight: Any = None,
    n_rows: int | None = None,
    target_type: str | None = None,
) -> TargetRows:
    """Turn y into class codes, or take it as a number; rows of zero weight leave.

    ``n_rows`` is the number of rows behind y where each class stands in it once. Without a
    ``target_type`` only classes are known.
    """
    if target_type == "number" or (target_type == "auto" and _is_amount(y)):
        return _read_number(who, y, sample_weight)
    found, codes = _distinct_labels(who, y)
    weights = read_weights(who, sample_weight, len(codes))
    kept = None
    if weights is not None and (weights == 0).any():
        kept = weights > 0
        if not kept.any():
            raise ValueError(f"{who}: sample_weight must hold a positive number; all are zero.")
        used = np.unique(codes[kept])
        renumbered = np.zeros(len(found), dtype=codes.dtype)
        renumbered[used] = np.arange(len(used))
        found, codes, weights = found[used], renumbered[codes[kept]], weights[kept]
    classes, code_of = _in_order(who, found)
    check_number_of_classes(who, len(classes), MOST_CLASSES)
    _warn_of_many(who, classes, len(codes) if n_rows is None else n_rows, target_type is not None)
    codes = _recode(codes, code_of)
    rows = class_rows(codes, classes, weights, kept, ranks=_ranks(y, classes))
    return ordered_rows(who, rows) if target_type == "ordered" else rows


def _is_amount(y: Any) -> bool:
    """Whether y holds floating-point or decimal numbers that are not all whole, as amounts do."""
    dtype = getattr(y, "dtype", None)
    if dtype is not None and getattr(dtype, "kind", "f") in "biuUSMm":
        return False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what is odd about y is said where it is read
        try:
            values = as_vector("read_target", "y", y)
        except (TypeError, ValueError):
            return False
    if values.dtype.kind == "O" and _are_decimals(values):
        values = values.astype(np.float64)
    if values.dtype.kind != "f":
        return False
    return any(
        _has_fraction(values[start : start + _AT_ONCE]) for start in range(0, len(values), _AT_ONCE)
    )


def _has_fraction(values: NDArray[Any]) -> bool:
    """Whether some finite number is not whole."""
    finite = values[np.isfinite(values)]
    return bool((finite != np.floor(finite)).any())


def _are_decimals(values: NDArray[Any]) -> bool:
    """Whether all are decimals, as columns of databases hold amounts, but for gaps."""
    first = next((value for value in values if value is not None), None)
    if not isinstance(first, Decimal):
        return False
    return all(isinstance(value, Decimal) for value in values[~gaps_among(values)])


def _read_number(who: str, y: Any, sample_weight: Any) -> TargetRows:
    """Read a target that is a number; rows of zero weight leave."""
    given = as_vector(who, "y", y)
    if len(given) == 0:
        raise ValueError(f"{who}: y must hold at least one row; got 0 sample(s).")
    if given.dtype.kind == "c":
        raise ValueError(f"{who}: Complex data not supported; y must hold numbers.")
    try:
        if given.dtype.kind not in "biufO":
            raise TypeError
        amounts = given.astype(np.float64)
    except (TypeError, ValueError):
        first = next((value for value in given if not _is_number(value)), given[0])
        shown = first.item() if isinstance(first, np.generic) else first
        raise TypeError(
            f"{who}: y must hold numbers for target_type='number'; got {shown!r}. For "
            "classes leave target_type out, or take a classifier."
        ) from None
    check_amounts(who, amounts)
    weights = read_weights(who, sample_weight, len(amounts))
    if weights is None or (weights > 0).all():
        return number_rows(amounts, weights)
    kept = weights > 0
    return number_rows(amounts[kept], weights[kept], kept)


def _is_number(value: Any) -> bool:
    """Whether a value becomes a float, and is no text."""
    try:
        return not isinstance(value, (str, bytes)) and np.isscalar(float(value))
    except (TypeError, ValueError):
        return False


def check_amounts(who: str, amounts: NDArray[np.float64]) -> None:
    """Refuse a number that is missing or infinite."""
    low, high = float(amounts.min(initial=0.0)), float(amounts.max(initial=0.0))
    if math.isnan(low):
        raise ValueError(f"{who}: Input y contains NaN; drop these rows.")
    if math.isinf(low) or math.isinf(high):
        raise ValueError(
            f"{who}: Input y contains infinity or a value too large for dtype('float64'); "
            "clip it to a number."
        )
    highest = max(-low, high)
    if not _LOWEST <= highest <= _HIGHEST and highest > 0.0:
        how = "Divide" if highest > 1.0 else "Multiply"
        raise ValueError(
            f"{who}: y must hold numbers whose squares are numbers; the greatest in size is "
            f"{highest!r}. {how} all by one number."
        )


def _distinct_labels(who: str, y: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """Distinct labels in some order and the code of each row's, none of them missing."""
    text = read_text(who, y)
    if text is not None:
        _check_gaps(who, text.codes < 0)
        return np.array(text.values, dtype=object), text.codes
    labels = as_vector(who, "y", y)
    if len(labels) == 0:
        raise ValueError(f"{who}: y must hold at least one row; got 0 sample(s).")
    if labels.dtype.kind in "cf":
        _check_numbers(who, labels)
    found, codes = encode(labels)
    if found.dtype.kind == "O":
        _check_gaps(who, gaps_among(found))
    elif found.dtype.kind in "Mm":
        _check_gaps(who, np.isnat(found))
    return found, codes


def _recode(codes: NDArray[Any], code_of: NDArray[np.int64] | None) -> NDArray[np.uint16]:
    """Give codes their new numbers."""
    if code_of is None:
        return codes.astype(np.uint16, copy=False)
    return np.asarray(code_of.astype(np.uint16).take(codes))


def take_target(who: str, X: Any, y: Any, target: str | None) -> tuple[Any, Any]:
    """Take the class from a column of X where ``target`` names one."""
    check_in_memory(who, X)
    if target is None:
        return X, y
    if y is not None:
        raise ValueError(f"{who}: either y or target must be given; got both.")
    import narwhals as nw

    check_names_differ(who, X)
    frame = nw.from_native(X, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        raise TypeError(
            f"{who}: target names a column of a data frame; X is {type(X).__name__}. Pass y."
        )
    if target not in frame.columns:
        raise ValueError(
            f"{who}: target must be a column of X; got {target!r}, X has "
            f"{', '.join(map(repr, frame.columns))}."
        )
    return drop_column(frame, target), frame[target].to_native()


def check_not_among(who: str, table: Table, y: Any) -> None:
    """Refuse a target that stands among the columns too."""
    name = getattr(y, "name", None)
    if not isinstance(name, str) or name not in table.names or isinstance(table.source, np.ndarray):
        return
    # A target made from a column may keep its name; the column itself is no feature.
    column, labels = table.series(table.names.index(name)).to_list(), list(y)
    if len(column) == len(labels) and all(map(_are_equal, column, labels)):
        raise ValueError(
            f"{who}: the target must not be among the columns; X holds {name!r} too. Drop it, or "
            f"pass target={name!r} instead of y."
        )


def _are_equal(one: Any, other: Any) -> bool:
    """Whether two values are equal; pandas' NA does not say, and arrays say it for each item."""
    answer = one == other
    return isinstance(answer, (bool, np.bool_)) and bool(answer)


def target_name(y: Any, target: str | None) -> str | None:
    """Name of the target, where it has one."""
    name = getattr(y, "name", None) if target is None else target
    return name if isinstance(name, str) else None


def _ranks(y: Any, classes: NDArray[Any]) -> NDArray[np.int64] | None:
    """Ranks of the classes of an ordered categorical series."""
    levels = ordered_levels(y)
    return None if levels is None else ranks_among(levels, classes)


def _check_numbers(who: str, labels: NDArray[Any]) -> None:
    """Refuse missing values and numbers that are not class labels."""
    if labels.dtype.kind == "c":
        raise ValueError(f"{who}: Complex data not supported; y must hold class labels.")
    if not np.isfinite(labels).all():
        _check_gaps(who, np.isnan(labels))
        raise ValueError(
            f"{who}: Input y contains infinity or a value too large for dtype('float64'); "
            "y must hold class labels."
        )
    is_whole = labels == np.floor(labels)
    if not is_whole.all():
        raise ValueError(
            f"{who}: Unknown label type: continuous; y must hold class labels, got numbers "
            f"such as {float(labels[~is_whole][0])!r}. If y is an amount, take "
            "TablePartitioner(target_type='number'), PointsRegressor or AdditiveRegressor; or "
            "discretize it first."
        )


def _check_gaps(who: str, is_gap: NDArray[np.bool_]) -> None:
    """Refuse rows without a class."""
    if is_gap.all():
        raise ValueError(f"{who}: y must hold class labels; all are missing.")
    if is_gap.any():
        raise ValueError(
            f"{who}: Input y contains NaN; drop these rows or give them a class of their own."
        )


def _in_order(who: str, found: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64] | None]:
    """Sort the distinct labels; the second array maps the old codes to the new ones, if any do."""
    if found.dtype.kind == "O":
        kinds = {type(label) for label in found}
        if kinds <= {str, np.str_}:
            found = found.astype(str)
        elif len(kinds) > 1 and not all(
            issubclass(kind, (int, float, np.number)) for kind in kinds
        ):
            names = sorted(kind.__name__ for kind in kinds)
            raise TypeError(
                f"{who}: y must hold labels of one type; got {', '.join(names)}. "
                "Convert them to text."
            )
        else:
            found = _labels_of_one_type(found.tolist())
            if found.ndim != 1:
                held = ", ".join(sorted(kind.__name__ for kind in kinds))
                raise TypeError(
                    f"{who}: y must hold single labels; got {held}. Convert them to text."
                )
    if (found[1:] > found[:-1]).all():
        return found, None
    order = np.argsort(found, kind="stable")
    code_of = np.empty(len(found), dtype=np.int64)
    code_of[order] = np.arange(len(found))
    return found[order], code_of


def _labels_of_one_type(labels: list[Any]) -> NDArray[Any]:
    """Make an array of labels, of whole numbers where floats would round some of them."""
    if not all(type(label) is int for label in labels):
        return np.array(labels)
    if min(labels) >= -(2**63) and max(labels) < 2**63:
        return np.array(labels, dtype=np.int64)
    fits = min(labels) >= 0 and max(labels) < 2**64
    return np.array(labels, dtype=np.uint64 if fits else object)


def _warn_of_many(who: str, classes: NDArray[Any], n_rows: int, knows_numbers: bool) -> None:
    """Warn where classes are so many that they look like amounts, times or names of rows."""
    n = len(classes)
    cut = "cut it into classes first (pandas.qcut)"
    if classes.dtype.kind in "iuf":
        is_many = n > _MANY or (n > _SOME and n_rows < _FEW_ROWS * n)
        what = "numbers"
        remedy = "pass target_type='number'" if knows_numbers else cut
        remedy = f"If y is an amount, {remedy}; if these are labels, convert them to text."
    elif classes.dtype.kind in "Mm":
        is_many = n > _SOME and n_rows < _FEW_ROWS * n
        what = "times"
        remedy = f"Convert it to numbers, such as days, or {cut}."
    else:
        is_many = n > _SOME and n_rows < _OF_A_NAME * n
        what = "values"
        remedy = "If these name rows, y is no class; if they are classes, join the rare ones first."
    if is_many:
        warnings.warn(
            f"{who}: y holds {n} different {what} in {n_rows} rows, and each is taken as a class. "
            f"{remedy}",
            UserWarning,
            stacklevel=4,
        )


def with_exposure(who: str, rows: TargetRows, exposure: Any) -> TargetRows:
    """Give rows their exposure, over which they count events; None leaves them as they are."""
    return rows if exposure is None else replace(rows, exposure=read_exposure(who, rows, exposure))


def read_exposure(who: str, rows: TargetRows, exposure: Any) -> NDArray[np.float64]:
    """Read the exposure of the rows that are kept."""
    try:
        found = np.asarray(exposure, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(
            f"{who}: exposure must hold numbers; got {type(exposure).__name__}."
        ) from None
    if found.shape != (rows.n_table_rows,):
        raise ValueError(
            f"{who}: exposure must hold one number for each of the {rows.n_table_rows} rows; got "
            f"the shape {found.shape}."
        )
    found = rows.kept_of(found)
    if not np.isfinite(found).all():
        raise ValueError(f"{who}: exposure must be finite; it holds NaN or infinity.")
    if not (found > 0).all():
        raise ValueError(
            f"{who}: exposure must be positive; got {float(found.min())!r}. Drop rows without any."
        )
    if found.min() < 1 / _MOST_EXPOSURE or found.max() > _MOST_EXPOSURE:
        wrong = float(found.max() if found.max() > _MOST_EXPOSURE else found.min())
        raise ValueError(
            f"{who}: exposure must lie between {1 / _MOST_EXPOSURE:g} and {_MOST_EXPOSURE:g}; got "
            f"{wrong!r}. Divide all by one number."
        )
    return np.ascontiguousarray(found)


def read_weights(who: str, sample_weight: Any, n_rows: int) -> NDArray[np.float64] | None:
    """Check sample weights."""
    if sample_weight is None:
        return None
    if np.ma.is_masked(sample_weight):
        raise ValueError(f"{who}: sample_weight must not be masked; fill it, or use weights of 0.")
    try:
        weights = np.asarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(
            f"{who}: sample_weight must hold numbers; got {type(sample_weight).__name__}."
        ) from None
    if weights.ndim == 0:
        weights = np.full(n_rows, float(weights))
    if weights.shape != (n_rows,):
        raise ValueError(
            f"{who}: sample_weight must hold one number for each of the {n_rows} rows; "
            f"got the shape {weights.shape}."
        )
    if np.isnan(weights).any() or np.isinf(weights).any():
        raise ValueError(f"{who}: sample_weight must be finite; it holds NaN or infinity.")
    if (weights < 0).any():
        raise ValueError(
            f"{who}: sample_weight must not be negative; got {float(weights.min())!r}."
        )
    if not weights.any():
        raise ValueError(f"{who}: sample_weight must hold a positive number; all are zero.")
    with np.errstate(over="ignore"):
        total = weights.sum()
    check_total(who, float(total))
    return weights


def check_total(who: str, total: float) -> None:
    """Refuse weights whose sum no count of rows reaches."""
    if not total <= MOST_WEIGHT:
        raise ValueError(
            f"{who}: sample_weight must sum to at most {MOST_WEIGHT:g}; got {total:g}. Divide all "
            "by one number."
        )
