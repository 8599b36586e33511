"""Plain data of a partition, checked piece by piece before anything is built from them.

Whoever made a file, what passes here has the shape, the order and the signs that the rest of the
library counts on; what does not raises ``ValueError``.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._saving.numbers import n_cells
from partage._saving.plain import settings_from_plain
from partage._search.limits import RULES, check_limits
from partage._search.methods import ANY, LINE, names
from partage._spaces.saved_cells import counts_from_plain, sums_from_plain

_WAYS = ("separate", "merge", "error")
EDIT_NOTES = ("reason", "who", "when")  # of an edit; older files have none
_CLOSE = 1e-6  # of the weight: sums of real weights depend on their order


def check_partition(data: dict[str, Any]) -> None:
    """Refuse plain data of intervals or groups whose pieces do not fit."""
    _check_texts(data, ("name", "method", "missing", "library"))
    _require(
        data["method"] in names(ANY if data["type"] == "groups" else LINE),
        "no method is called so",
    )
    _require(data["missing"] in _WAYS, f"missing must be one of {', '.join(_WAYS)}")
    _check_found(data)
    classes = _list(data["classes"], "classes")
    _require(not any(isinstance(label, list) for label in classes), "a class must be one value")
    n_classes = n_cells(data) or len(classes)
    _require(n_classes > 0, "there must be a class")
    n_parts = _check_counts(data, n_classes)
    _check_part(data["missing_part"], n_parts, "missing_part")
    _check_special(data["special"], n_parts, n_classes)
    event = data.get("event", 1)
    _require(_is_whole(event) and 0 <= event < max(n_classes, 2), "event must be a class")
    _require(data.get("woe_sign", 1) in (1, -1), "woe_sign must be 1 or -1")
    for name in ("constraints", "method_params"):
        _require(isinstance(data.get(name) or {}, dict), f"{name} must be a dict")
    _check_constraints(settings_from_plain(data.get("constraints") or {}))
    _check_history(data.get("history") or [])
    if data["type"] == "groups":
        _check_groups(data, n_parts)
    else:
        _require(len(_keys(data["cuts"])) == n_parts - 1, "counts do not fit the cuts")
    if data.get("units") is not None:
        _check_units(data, data["units"], n_classes)
    _check_averages(data, n_classes)


def _check_constraints(given: dict[str, Any]) -> None:
    """Check limits as those of a fit are checked, and that the core can count so many parts."""
    check_limits("constraints", **{name: given[name] for name in RULES if name in given})
    segments = _list(given.get("by", []), "by")
    _require(all(isinstance(name, str) for name in segments), "by must be names of segments")
    for name in ("n_parts", "max_parts"):
        _require((given.get(name) or 0) < 2**31, f"{name} must be a number of parts")


def check_cells(data: dict[str, Any]) -> None:
    """Refuse plain data of the parts of a set of objects whose pieces do not fit."""
    _check_texts(data, ("method", "family", "library"))
    for name in ("cost", "null_cost"):
        _require(_is_number(data[name]), f"{name} must be a number")
    classes = _list(data["classes"], "classes")
    _require(len(classes) > 0, "there must be a class")
    counts = _table(data["counts"], len(classes), "counts")
    labels = _list(data["labels"], "labels")
    least = -1 if "rows" in data else 0  # objects of zero weight are in no part
    fits = all(_is_whole(label) and least <= label < len(counts) for label in labels)
    _require(fits, "labels must be parts")
    rows = _list(data.get("rows", []), "rows")
    _require(all(_is_whole(n) and n >= 0 for n in rows), "rows must be numbers of objects")
    readings = _list(data["readings"], "readings")
    _require(all(isinstance(reading, str) for reading in readings), "readings must be texts")


def check_grid(data: dict[str, Any]) -> None:
    """Refuse plain data of a grid whose costs and limits are none."""
    _check_texts(data, ("method", "library"))
    _check_costs(data, ("cost", "null_cost", "level"), ("price", "gap"), ("is_optimal",))
    _require(isinstance(data["has_target"], bool), "has_target must be true or false")
    for name, least in (("granularity", 0), ("n_columns", 1)):
        fits = _is_whole(data[name]) and least <= data[name] < 2**31
        _require(fits, f"{name} must be a whole number")
    _require(isinstance(data["constraints"], dict), "constraints must be a dict")
    _check_history(data["history"])


def _check_costs(
    data: dict[str, Any], numbers: Sequence[str], optional: Sequence[str], truths: Sequence[str]
) -> None:
    """Check costs, bounds that may be unknown, and proofs."""
    for name in (*numbers, *optional):
        known = name in numbers or data[name] is not None
        _require(not known or _is_number(data[name]), f"{name} must be a number")
    for name in truths:
        _require(isinstance(data[name], bool), f"{name} must be true or false")
    _require(not data["level"] < 0.0, "level must be at least 0")


def _check_found(data: dict[str, Any]) -> None:
    """Check costs, proofs and prices."""
    optional = ("price", "gap", "loss_bound")
    truths = ("is_optimal", "exact_counts")
    _check_costs(data, ("cost", "null_cost", "level"), optional, truths)
    for name in ("missing_rows", "n_values"):
        _require(_is_whole(data[name]) and data[name] >= 0, f"{name} must be a whole number")


def _check_counts(data: dict[str, Any], n_classes: int) -> int:
    """Check the counts and rows of parts and gaps; the number of parts."""
    counts = _table(data["counts"], n_classes, "counts")
    _table([data["missing_counts"]], n_classes, "missing_counts")
    rows = _rows(data["rows"], "rows")
    _require(len(rows) == len(counts) > 0, "there must be rows for each part")
    return len(counts)


def _check_special(special: Any, n_parts: int, n_classes: int) -> None:
    """Check the special values and what they hold."""
    _require(isinstance(special, dict), "special must be a dict")
    values = _list(special["values"], "special values")
    counts = _table(special["counts"], n_classes, "counts of special values")
    rows = _rows(special["rows"], "rows of special values")
    parts = _list(special["parts"], "parts of special values")
    _require(
        len(values) == len(counts) == len(rows) == len(parts),
        "special values do not fit their counts",
    )
    for part in parts:
        _check_part(part, n_parts, "the part of a special value")


def _check_groups(data: dict[str, Any], n_parts: int) -> None:
    """Check what only groups have."""
    groups = [_list(group, "a group") for group in _list(data["groups"], "groups")]
    _require(len(groups) == n_parts, "counts do not fit the groups")
    _check_part(data["garbage"], n_parts, "garbage")
    _require(isinstance(data["is_ordered"], bool), "is_ordered must be true or false")
    for pair in _list(data["absent"], "absent"):
        fits = isinstance(pair, list) and len(pair) == 2 and _is_whole(pair[1])
        _require(fits and 0 <= pair[1] < n_parts, "absent values must have a group each")
    n_values = sum(map(len, groups))
    places = _list(data["unit_order"], "unit_order")
    fits = all(_is_whole(place) and 0 <= place < n_values for place in places)
    _require(fits and len(set(places)) == len(places), "unit_order must name values of the groups")


def _check_units(data: dict[str, Any], units: Any, n_classes: int) -> None:
    """Check the counts of the distinct values, and that they add up to those of the parts."""
    _require(isinstance(units, dict), "units must be a dict")
    if n_cells(data):
        counts = counts_from_plain(_list(units["counts"], "counts of units"), n_classes)
        sums_from_plain(units, len(counts), 0)
    else:
        counts = _table(units["counts"], n_classes, "counts of units")
    lows = _keys(units["lows"])
    highs = lows if units["highs"] is None else _keys(units["highs"])
    _require(len(lows) == len(highs) == len(counts), "units do not fit their counts")
    _require(isinstance(units["is_exact"], bool), "is_exact must be true or false")
    if units["rows"] is not None:
        rows = _rows(units["rows"], "rows of units")
        _require(len(rows) == len(counts), "rows do not fit the units")
    _require(_increase(lows), "units do not increase")
    if highs is not lows:
        fits = all(low <= high for low, high in zip(lows, highs, strict=True))
        _require(fits and _increase(highs), "units do not end after they start")
    if data["type"] == "groups":
        _require(len(data["unit_order"]) == len(counts), "units do not fit the values")
        ends = np.cumsum([len(group) for group in data["groups"]])
        part_of = np.searchsorted(ends, data["unit_order"], side="right")
    else:
        cuts = _keys(data["cuts"])
        _require(_increase(cuts), "cuts do not increase")
        part_of = np.array([bisect.bisect_left(cuts, high) for high in highs], dtype=np.int64)
    _check_sums(data, counts, part_of)


def _check_sums(
    data: dict[str, Any], counts: NDArray[np.float64], part_of: NDArray[np.int64]
) -> None:
    """Check that the units of each part weigh what the part does without merged rows."""
    parts = np.array(data["counts"], dtype=np.float64)
    merged = [(data["missing_part"], data["missing_counts"])]
    merged += zip(data["special"]["parts"], data["special"]["counts"], strict=True)
    for part, row in merged:
        if part is not None:
            parts[part] -= row
    found = np.zeros_like(parts)
    np.add.at(found, part_of, counts)
    near = np.abs(found - parts) <= _CLOSE * max(parts.sum(), 1.0)
    _require(bool(near.all()), "counts of units do not add up to those of the parts")


def _check_averages(data: dict[str, Any], n_classes: int) -> None:
    """Check averaged shares: they weigh what was counted; the curve is checked when it is read."""
    curve = data.get("curve")
    if curve is not None:
        fits = isinstance(curve, dict) and curve.get("type") == data["type"] == "intervals"
        _require(fits and curve.get("curve") is None, "curve must be intervals")
        for name in ("classes", "kind"):
            _require(curve.get(name) == data[name], f"the curve has another {name}")
        _require(curve.get("averaged") is not None, "the curve must have averaged shares")
    if data.get("averaged") is None:
        return
    if data.get("number") is not None:
        _check_averaged_means(data)
        return
    found = _table(data["averaged"], n_classes, "averaged shares")
    sets = [*data["counts"], data["missing_counts"], *data["special"]["counts"]]
    counts = np.array(sets, dtype=np.float64)
    _require(len(found) == len(counts), "averaged shares do not fit the counts")
    near = np.abs(found.sum(axis=1) - counts.sum(axis=1)) <= _CLOSE * max(counts.sum(), 1.0)
    _require(bool(near.all()), "averaged shares do not weigh what was counted")


def _check_averaged_means(data: dict[str, Any]) -> None:
    """Check that every set has a finite sum of averaged deviations."""
    rows = [_list(row, "averaged means") for row in _list(data["averaged"], "averaged means")]
    n_sets = len(data["counts"]) + 1 + len(data["special"]["counts"])
    _require(len(rows) == n_sets, "averaged means do not fit the counts")
    fits = all(len(row) == 1 and _is_number(row[0]) and math.isfinite(row[0]) for row in rows)
    _require(fits, "averaged means must be one finite number each")


def _check_history(history: Any) -> None:
    """Check the edits; the partitions before them are checked when they are read."""
    for edit in _list(history, "history"):
        _require(isinstance(edit, dict), "an edit must be a dict")
        _require(isinstance(edit["action"], str), "an action must be text")
        _require(_is_number(edit["price"]), "the price of an edit must be a number")
        for name in EDIT_NOTES:
            _require(isinstance(edit.get(name, ""), str), f"the {name} of an edit must be text")
        _require(isinstance(edit["before"], dict), "an edit must keep what was before")


def _require(holds: bool, message: str) -> None:
    """Raise unless something holds."""
    if not holds:
        raise ValueError(message)


def _check_texts(data: dict[str, Any], names: Iterable[str]) -> None:
    for name in names:
        _require(isinstance(data[name], str), f"{name} must be text")


def _check_part(part: Any, n_parts: int, what: str) -> None:
    fits = part is None or (_is_whole(part) and 0 <= part < n_parts)
    _require(fits, f"{what} must be a part")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    """Whether a value is a number; a cost may be NaN where a method has none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _list(value: Any, what: str) -> list[Any]:
    _require(isinstance(value, (list, tuple)), f"{what} must be a list")
    return list(value)


def _rows(value: Any, what: str) -> list[int]:
    rows = _list(value, what)
    fits = all(_is_whole(row) and 0 <= row < 2**63 for row in rows)
    _require(fits, f"{what} must be whole numbers of at least 0")
    return rows


def _table(value: Any, n_classes: int, what: str) -> NDArray[np.float64]:
    """Read finite weights, as many in each row as there are classes."""
    rows = [_list(row, what) for row in _list(value, what)]
    _require(all(len(row) == n_classes for row in rows), f"{what} do not fit the classes")
    fits = all(_is_number(n) and 0.0 <= n < math.inf for row in rows for n in row)
    _require(fits, f"{what} must be finite and at least 0")
    return np.array(rows, dtype=np.float64).reshape(len(rows), n_classes)


def _keys(value: Any) -> list[float]:
    """Read keys of numbers; infinities are written as text."""
    keys = [float(key) if key in ("inf", "-inf") else key for key in _list(value, "keys")]
    _require(all(_is_number(key) and key == key for key in keys), "keys must be numbers")
    return keys


def _increase(keys: list[Any]) -> bool:
    return all(a < b for a, b in pairwise(keys))
