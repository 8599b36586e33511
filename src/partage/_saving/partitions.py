"""Partitions as plain, versioned data: the one home of the JSON layout."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._data.categories import key_of
from partage._data.column import Kind
from partage._partitions.cells import Cells
from partage._partitions.cuts import Cuts
from partage._partitions.edit import Edit
from partage._partitions.found import Found
from partage._partitions.grid import Grid
from partage._partitions.groups import Groups
from partage._partitions.intervals import Intervals
from partage._partitions.partition import Partition
from partage._partitions.rule import Rule
from partage._partitions.value_groups import ValueGroups
from partage._saving.certainty import certainty_to_plain, read_certainty
from partage._saving.checks import EDIT_NOTES, check_cells, check_partition
from partage._saving.grids import read_grid
from partage._saving.numbers import (
    averages_to_plain,
    numbers_to_plain,
    ordered_to_plain,
    read_averages,
    read_number,
    read_number_tally,
)
from partage._saving.plain import (
    classes_to_plain,
    keys_to_plain,
    read_classes,
    read_keys,
    settings_from_plain,
    settings_to_plain,
    value_from_plain,
    values_to_plain,
)
from partage._spaces.space import Space
from partage._support.checks import CUT_STYLES
from partage._targets.classes import class_target
from partage._targets.ordered import ordered_from_plain
from partage._targets.tally import Tally
from partage._targets.target import Target
from partage.exceptions import PartageError

VERSION = 1
_RULE = ("name", "missing", "missing_part")
_FOUND = (
    "method",
    "cost",
    "null_cost",
    "level",
    "is_optimal",
    "price",
    "gap",
    "exact_counts",
    "loss_bound",
)
# In the order of the file.
_SHARED = (
    *("name", *_FOUND[:5], "missing_rows", "n_values", "missing", "missing_part", "library"),
    *_FOUND[5:],
)


def partition_to_dict(partition: Any) -> dict[str, Any]:
    """Describe a partition with text, numbers, lists and dicts only."""
    shared = {key: _plain(getattr(partition, key)) for key in _SHARED}
    return {
        "partage": VERSION,
        **_WRITERS[type(partition.rule)](partition),
        **shared,
        **classes_to_plain(partition.classes),
        **numbers_to_plain(partition),
        **ordered_to_plain(partition.target),
        "counts": partition.counts.tolist(),
        "missing_counts": partition.missing_counts.tolist(),
        "rows": partition.rows.tolist(),
        "constraints": settings_to_plain(partition.constraints),
        "special": {
            "values": values_to_plain(
                partition.special_values, f"special values of column {partition.name!r}"
            ),
            "counts": partition.special_counts.tolist(),
            "rows": partition.special_rows.tolist(),
            "parts": list(partition.special_parts),
        },
        "method_params": settings_to_plain(partition.method_params or {}) or None,
        "event": partition.event,
        "woe_sign": partition.woe_sign,
        "units": None if partition.units is None else partition.units.to_plain(),
        "history": [_edit_to_plain(edit) for edit in partition.history],
        **_averages_to_plain(partition),
        **_certainty_to_plain(partition),
    }


def _averages_to_plain(partition: Any) -> dict[str, Any]:
    """Describe averaged shares, where a partition carries them."""
    plain: dict[str, Any] = {}
    if partition.averaged is not None:
        plain["averaged"] = averages_to_plain(partition.averaged)
    if partition.curve is not None:
        plain["curve"] = partition_to_dict(partition.curve)
    return plain


def _certainty_to_plain(partition: Any) -> dict[str, Any]:
    """Describe how certain a partition is, where that was asked for."""
    known = partition._known_certainty
    return {} if known is None else {"certainty": certainty_to_plain(known)}


def cells_to_dict(cells: Cells) -> dict[str, Any]:
    """Describe parts of a set of objects with text, numbers, lists and dicts only."""
    # Objects that weigh more than one, or nothing, are more or fewer than the counts.
    is_weighted = cells.is_weighted or (cells.codes < 0).any()
    return {
        "partage": VERSION,
        "type": "cells",
        "method": cells.method,
        "family": cells.family,
        "library": cells.library,
        "cost": cells.cost,
        "null_cost": cells.null_cost,
        **classes_to_plain(cells.classes),
        "counts": cells.counts.tolist(),
        "labels": cells.codes.tolist(),
        "readings": list(cells.readings),
        **({"rows": cells.rows.tolist()} if is_weighted else {}),
    }


def _read_cells(data: dict[str, Any]) -> Cells:
    """Build parts of a set of objects."""
    counts = np.array(data["counts"], dtype=np.float64)
    labels = np.array(data["labels"], dtype=np.int64)
    classes = read_classes(data)
    if counts.ndim != 2 or counts.shape[1] != len(classes):
        raise ValueError("counts do not fit the classes")
    sizes = np.bincount(labels[labels >= 0] if "rows" in data else labels, minlength=len(counts))
    if not np.array_equal(sizes, data.get("rows", counts.sum(axis=1))):
        raise ValueError("labels do not fit the counts")
    return Cells.of(
        labels,
        counts,
        class_target(classes),
        (float(data["cost"]), float(data["null_cost"])),
        data["method"],
        data["family"],
        tuple(data["readings"]),
        data["library"],
    )


def _edit_to_plain(edit: Edit) -> dict[str, Any]:
    """Describe an edit; what led to the partition before it stands in the earlier edits."""
    whole = edit.before._with_found(history=(), gap=edit.before.gap)
    before = partition_to_dict(replace(whole, units=None))
    said = {name: getattr(edit, name) for name in EDIT_NOTES}
    return {"action": edit.action, "price": edit.price, **said, "before": before}


def _with_history(partition: Any, plain: list[dict[str, Any]]) -> Any:
    """Give a partition its history back."""
    history: tuple[Edit, ...] = ()
    for row in plain:
        read: Any = from_dict(row["before"])
        before = replace(read._with_found(history=history), units=partition.units)
        said = {name: row.get(name, "") for name in EDIT_NOTES}
        history = (*history, Edit(str(row["action"]), float(row["price"]), before, **said))
    return partition._with_found(history=history)


def _intervals_to_plain(intervals: Any) -> dict[str, Any]:
    """Describe what only intervals have."""
    cuts = cuts_to_plain(intervals.kind, intervals.cut_keys)
    return {"type": "intervals", **cuts, "cut_style": intervals.rule.cut_style}


def _groups_to_plain(groups: Any) -> dict[str, Any]:
    """Describe what only groups have."""
    where = f"values of column {groups.name!r}"
    absent = values_to_plain([value for value, _ in groups.absent], where)
    return {
        "type": "groups",
        "groups": [values_to_plain(group, where) for group in groups.groups],
        "garbage": groups.garbage,
        "is_ordered": groups.is_ordered,
        "absent": [[value, code] for value, (_, code) in zip(absent, groups.absent, strict=True)],
        "unit_order": _unit_order(groups),
    }


_WRITERS: dict[type[Rule], Callable[[Any], dict[str, Any]]] = {
    Cuts: _intervals_to_plain,
    ValueGroups: _groups_to_plain,
}


def _unit_order(groups: Groups) -> list[int]:
    """Where the values whose counts are kept stand among the values of all groups."""
    if groups.units is None:
        return []
    members = [value for group in groups.groups for value in group]
    place = {key_of(value): i for i, value in enumerate(members)}
    return [place[key_of(value)] for value in groups.units.values]


def from_dict(data: dict[str, Any]) -> Intervals | Groups | Cells | Grid:
    """Read a partition back from ``to_dict``.

    Parameters
    ----------
    data : dict
        What ``to_dict`` gave, possibly through JSON.

    Returns
    -------
    Intervals, Groups, Cells or Grid
        A partition equal to the one that was written.

    Examples
    --------
    >>> import partage as pt
    >>> p = pt.discretize([1, 2, 3, 4, 5, 6, 7, 8], list("aaaabbbb"), n_parts=2)
    >>> pt.from_dict(p.to_dict()).cuts
    array([4.5])
    """
    version = data.get("partage") if isinstance(data, dict) else None
    if not isinstance(version, int):
        raise PartageError("from_dict: data must be a dict that to_dict made; got another.")
    if version > VERSION:
        raise PartageError(
            f"from_dict: layout {version} is newer than this version of partage reads ({VERSION}); "
            "update partage."
        )
    try:
        if data["type"] == "cells":
            check_cells(data)
            return _read_cells(data)
        if data["type"] == "grid":
            return read_grid(data, from_dict)
        check_partition(data)
        read = _READERS[data["type"]](data)
        read = replace(read, **_read_averages(data, read.tally))
        whole: Intervals | Groups = _with_history(read, data.get("history") or [])
        if data.get("certainty") is not None:
            whole._keep_certainty(read_certainty(data["certainty"], whole))
        return whole
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise PartageError(f"from_dict: the data are damaged: {error!r}.") from error


def _read_shared(data: dict[str, Any]) -> dict[str, Any]:
    """Read what every partition has."""
    counts = np.array(data["counts"], dtype=np.float64)
    special = data["special"]
    n_special = len(special["values"])
    found = {key: data[key] for key in _FOUND} | {
        "method_params": settings_from_plain(data.get("method_params") or {}) or None,
        "constraints": settings_from_plain(data["constraints"]),
    }
    aside = np.array(special["counts"], dtype=np.float64).reshape(n_special, counts.shape[1])
    aside_rows = np.array([data["missing_rows"], *special["rows"]], dtype=np.int64)
    missing = np.array(data["missing_counts"], dtype=np.float64)
    rows = np.append(np.array(data["rows"], dtype=np.int64), aside_rows)
    tally = Tally.of_counts(np.vstack([counts, missing, aside]), rows)
    return {
        "tally": read_number_tally(data, tally),
        "target": _read_target(data),
        "found": Found(**found),
        "n_values": data["n_values"],
        "library": data["library"],
    }


def _read_averages(data: dict[str, Any], tally: Tally) -> dict[str, Any]:
    """Read averaged shares, and the curve of them."""
    found: dict[str, Any] = {}
    if data.get("averaged") is not None:
        found["averaged"] = read_averages(data["averaged"], tally)
    if data.get("curve") is not None:
        found["curve"] = from_dict(data["curve"])
    return found


def _read_target(data: dict[str, Any]) -> Target:
    """Read what the statistics mean."""
    if data.get("number") is not None:
        return read_number(data)
    event, woe_sign = int(data.get("event", 1)), int(data.get("woe_sign", 1))
    if data.get("ordered") is not None:
        return ordered_from_plain(data["ordered"], read_classes(data), event, woe_sign)
    return class_target(read_classes(data), None, event, woe_sign)


def _read_aside(data: dict[str, Any]) -> dict[str, Any]:
    """Read what every rule has."""
    return {key: data[key] for key in _RULE} | {
        "special_values": tuple(map(value_from_plain, data["special"]["values"])),
        "special_parts": tuple(data["special"]["parts"]),
    }


def _read_intervals(data: dict[str, Any]) -> Intervals:
    """Build intervals."""
    kind, cut_keys = read_cuts(data)
    shared = _read_shared(data)
    plain = data.get("units")
    target = shared["target"]
    units = None if plain is None else Space.from_plain(plain, cut_keys.dtype, (), target)
    style = data.get("cut_style", CUT_STYLES[0])
    if style not in CUT_STYLES:
        raise ValueError(f"no style of cuts is called {style!r}")
    rule = Cuts(**_read_aside(data), kind=kind, cut_keys=cut_keys, cut_style=style)
    return Intervals(rule=rule, **shared, units=units)


def _read_groups(data: dict[str, Any]) -> Groups:
    """Build groups."""
    groups = tuple(tuple(map(value_from_plain, group)) for group in data["groups"])
    if len({key_of(v) for group in groups for v in group}) < sum(map(len, groups)):
        raise ValueError("a value stands in two groups")
    absent = tuple((value_from_plain(value), int(code)) for value, code in data["absent"])
    shared = _read_shared(data)
    rule = ValueGroups(
        **_read_aside(data),
        groups=groups,
        garbage=data["garbage"],
        is_ordered=data["is_ordered"],
        absent=absent,
    )
    return Groups(rule=rule, **shared, units=_read_units(data, groups, shared["target"]))


_READERS: dict[str, Callable[[dict[str, Any]], Intervals | Groups]] = {
    "intervals": _read_intervals,
    "groups": _read_groups,
}


def _read_units(
    data: dict[str, Any], groups: tuple[tuple[Any, ...], ...], target: Target
) -> Space | None:
    """Read the counts of the values; ``unit_order`` gives their values."""
    plain = data.get("units")
    if plain is None:
        return None
    members = [value for group in groups for value in group]
    values = tuple(members[i] for i in data["unit_order"])
    return Space.from_plain(plain, np.int64, values, target)


def read_numbers(
    plain: Any, shape: tuple[int, ...], what: str, least: float = 0.0
) -> NDArray[np.float64]:
    """Read finite numbers, none below the least, in an array of that shape."""
    numbers = np.array(plain, dtype=np.float64)
    if numbers.shape != shape:
        raise ValueError(f"{what} do not fit the rest")
    if not (np.isfinite(numbers) & (numbers >= least)).all():
        raise ValueError(f"{what} must be finite and at least {least}")
    return numbers


def read_partitions(plain: list[dict[str, Any]]) -> dict[str, Partition]:
    """Read the partitions of a table, by the names of their columns."""
    partitions = [read_partition(column) for column in plain]
    return {partition.name: partition for partition in partitions}


def read_partition(plain: dict[str, Any]) -> Partition:
    """Read the partition of a column."""
    read = from_dict(plain)
    if not read.rule.is_of_columns:
        raise ValueError("columns must be intervals or groups")
    return read


def _plain(value: Any) -> Any:
    """Turn NumPy numbers into Python's."""
    return value.item() if isinstance(value, np.generic) else value


def cuts_to_plain(kind: Kind, keys: NDArray[Any]) -> dict[str, Any]:
    """Write cuts and what they stand for."""
    return {"kind": kind.to_plain(), "cuts": keys_to_plain(keys)}


def read_cuts(data: dict[str, Any]) -> tuple[Kind, NDArray[Any]]:
    """Read cuts and what they stand for."""
    kind = Kind.from_plain(data["kind"])
    keys = read_keys(data["cuts"], kind.dtype)
    if (np.diff(keys) <= 0).any():
        raise ValueError("cuts do not increase")
    return kind, keys
