"""Files of class counts: NumPy's ``npz`` format, without Python objects."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage._data.categories import MISSING, CategoryColumn, key_of
from partage._data.column import Kind, NumberColumn
from partage._saving.partitions import read_numbers
from partage._saving.plain import NoLayoutError, value_from_plain, values_to_plain
from partage._spaces.count import count_entries
from partage._support.safe_files import as_path, write_safely
from partage._targets.classes import class_rows
from partage._targets.numbers import number_rows
from partage._targets.read import check_amounts, check_total
from partage._targets.target import TargetRows
from partage.exceptions import PartageError

if TYPE_CHECKING:
    from partage._partitions.contingency import Contingency

VERSION = 1
VERSION_OF_NUMBERS = 2  # of files whose target is a number, which older versions cannot read


def write_counts(counts: Contingency, path: Any) -> None:
    """Write a contingency to a file."""
    who = "Contingency.save"
    file = as_path(who, path)
    try:
        head, arrays = _to_plain(counts)
    except NoLayoutError as error:
        raise TypeError(f"{who}: {error.what}") from None
    buffer = io.BytesIO()
    text = np.frombuffer(json.dumps(head).encode(), dtype=np.uint8)
    np.savez_compressed(buffer, head=text, **arrays)
    write_safely(file, buffer.getvalue())


def _to_plain(counts: Contingency) -> tuple[dict[str, Any], dict[str, Any]]:
    """Describe a contingency: plain data and arrays."""
    column = counts.column
    head: dict[str, Any] = {
        "partage_contingency": VERSION,
        "name": column.name,
        "target_name": counts.target_name,
        "library": counts.library,
    }
    arrays: dict[str, Any] = {"rows": counts.target.rows, "weights": counts.target.weights}
    if counts.target.values is not None:
        head["partage_contingency"] = VERSION_OF_NUMBERS
        arrays["values"] = counts.target.values
    else:
        head["classes"] = values_to_plain(counts.classes.tolist(), "the classes of y")
        head["classes_dtype"] = counts.classes.dtype.str
        head["ranks"] = counts.target.target.to_plain()["ranks"]
        arrays["codes"] = counts.target.codes
    if isinstance(column, NumberColumn):
        head["kind"] = column.kind.to_plain()
        arrays |= {"keys": column.keys, "missing": column.missing_mask()}
    else:
        where = f"values of column {column.name!r}"
        head["values"] = values_to_plain(column.values, where)
        head["levels"] = values_to_plain(column.levels, where)
        head["is_ordered"] = column.is_ordered
        arrays["keys"] = column.codes
    return head, arrays


def read_counts(who: str, path: Any) -> tuple[NumberColumn | CategoryColumn, TargetRows, str, str]:
    """Read a contingency: its column, its target, the name of the target and the library."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        head = json.loads(bytes(arrays.pop("head")))
        version = int(head["partage_contingency"])
    except FileNotFoundError:
        raise
    except Exception as error:
        raise PartageError(
            f"{who}: path must be a file that Contingency.save wrote; got {str(path)!r}: {error}."
        ) from error
    if version > VERSION_OF_NUMBERS:
        raise PartageError(
            f"{who}: the layout must be at most {VERSION_OF_NUMBERS}; got {version}, of a newer "
            "version of partage. Update partage."
        )
    try:
        return _from_plain(head, arrays)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise PartageError(
            f"{who}: {str(path)!r} is damaged: {error!r}. Count the data again."
        ) from error


def _from_plain(
    head: dict[str, Any], arrays: dict[str, NDArray[Any]]
) -> tuple[NumberColumn | CategoryColumn, TargetRows, str, str]:
    """Take the pieces of a file, and check that they fit."""
    n = len(arrays["rows"])
    rows = _whole(arrays["rows"], n, "rows", 1, np.iinfo(np.int64).max)
    weights = read_numbers(arrays["weights"], (n,), "weights", least=np.finfo(np.float64).tiny)
    with np.errstate(over="ignore"):
        total = weights.sum()
    if not total > 0.0:
        raise ValueError("there must be rows")
    check_total("weights", float(total))
    column: NumberColumn | CategoryColumn
    column = (_read_numbers if "kind" in head else _read_categories)(head, arrays, n)
    target = _read_rows(head, arrays, weights, rows)
    return *count_entries(column, target), str(head["target_name"]), str(head["library"])


def _read_rows(
    head: dict[str, Any],
    arrays: dict[str, NDArray[Any]],
    weights: NDArray[np.float64],
    rows: NDArray[np.int64],
) -> TargetRows:
    """Take the class, or the number, of each entry."""
    n = len(rows)
    if "values" in arrays:
        values = read_numbers(arrays["values"], (n,), "numbers of y", least=-np.inf)
        check_amounts("numbers of y", values)
        return replace(number_rows(values, weights), rows=rows)
    labels = [value_from_plain(label) for label in head["classes"]]
    classes = np.array(labels, dtype=head["classes_dtype"])
    codes = _whole(arrays["codes"], n, "codes of classes", 0, len(classes) - 1)
    ranks = head.get("ranks")  # older files have none
    if ranks is not None:
        ranks = _whole(np.array(ranks), len(classes), "ranks", 0, np.iinfo(np.int64).max)
    return class_rows(codes, classes, weights, None, rows, ranks)


def _read_categories(
    head: dict[str, Any], arrays: dict[str, NDArray[Any]], n: int
) -> CategoryColumn:
    """Take the categories and their codes; a value without rows leaves."""
    values = [value_from_plain(value) for value in head["values"]]
    levels = tuple(value_from_plain(value) for value in head["levels"])
    rank = {key_of(level): i for i, level in enumerate(levels)}
    if len({key_of(value) for value in values}) < len(values) or len(rank) < len(levels):
        raise ValueError("a value stands twice")
    is_ordered = bool(head["is_ordered"])
    ranks = [rank[key_of(value)] for value in values] if is_ordered else []
    if ranks != sorted(ranks) or (levels and not is_ordered):
        raise ValueError("levels must hold the values in their order")
    keys = _whole(arrays["keys"], n, "codes of values", MISSING, len(values) - 1)
    column = CategoryColumn(str(head["name"]), values, keys.astype(np.int32), is_ordered, levels)
    return column.take(np.ones(n, dtype=np.bool_))


def _read_numbers(head: dict[str, Any], arrays: dict[str, NDArray[Any]], n: int) -> NumberColumn:
    """Take the keys of numbers or times."""
    kind, keys = Kind.from_plain(head["kind"]), arrays["keys"]
    if keys.shape != (n,) or keys.dtype != kind.dtype:
        raise ValueError("keys do not fit the rest")
    kind.show(keys[:0])  # refuses units that are none
    missing = _whole(arrays["missing"], n, "gaps", 0, 1)
    return NumberColumn(str(head["name"]), kind, keys, missing.astype(np.uint8))


def _whole(array: NDArray[Any], n: int, what: str, least: int, most: int) -> NDArray[np.int64]:
    """Take whole numbers between two bounds."""
    if array.shape != (n,) or array.dtype.kind not in "biu":
        raise ValueError(f"{what} must be {n} whole numbers")
    if n and (int(array.min()) < least or int(array.max()) > most):
        raise ValueError(f"{what} must lie between {least} and {most}")
    return array.astype(np.int64)
