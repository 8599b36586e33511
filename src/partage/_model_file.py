"""Partitions as plain, versioned data: the one home of the JSON layout."""

from __future__ import annotations

import datetime
import decimal
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._categories import key_of
from partage._cells import Cells
from partage._editing import Edit
from partage._groups import Groups
from partage._intervals import Intervals
from partage._kinds import Kind
from partage._partitions import Partition
from partage._units import Units
from partage.exceptions import PartageError

VERSION = 1
_ISO: dict[str, Any] = {"datetime": datetime.datetime, "date": datetime.date, "time": datetime.time}
_CLASSES_DTYPE = re.compile(r"[<>|=]?([biuf][1248]|[US]\d{1,6}|[Mm]8(\[\w+\])?)")
_SHARED = (
    "name",
    "method",
    "cost",
    "null_cost",
    "level",
    "is_optimal",
    "missing_rows",
    "n_values",
    "missing",
    "missing_part",
    "library",
    "price",
    "gap",
    "exact_counts",
    "loss_bound",
)


def partition_to_dict(partition: Any) -> dict[str, Any]:
    """Describe a partition with text, numbers, lists and dicts only."""
    shared = {key: _plain(getattr(partition, key)) for key in _SHARED}
    own = (
        _groups_to_plain(partition)
        if isinstance(partition, Groups)
        else {
            "type": "intervals",
            **cuts_to_plain(partition.kind, partition.cut_keys),
        }
    )
    return {
        "partage": VERSION,
        **own,
        **shared,
        **classes_to_plain(partition.classes),
        "counts": partition.counts.tolist(),
        "missing_counts": partition.missing_counts.tolist(),
        "rows": partition.rows.tolist(),
        "constraints": _constraints_to_plain(partition.constraints),
        "special": {
            "values": [value_to_plain(value) for value in partition.special_values],
            "counts": partition.special_counts.tolist(),
            "rows": partition.special_rows.tolist(),
            "parts": list(partition.special_parts),
        },
        "method_params": None if not partition.method_params else dict(partition.method_params),
        "event": partition.event,
        "woe_sign": partition.woe_sign,
        "units": None if partition.units is None else partition.units.to_plain(),
        "history": [_edit_to_plain(edit) for edit in partition.history],
    }


def cells_to_dict(cells: Cells) -> dict[str, Any]:
    """Describe parts of a set of objects with text, numbers, lists and dicts only."""
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
        "labels": cells.labels.tolist(),
        "readings": list(cells.readings),
    }


def _read_cells(data: dict[str, Any]) -> Cells:
    """Build parts of a set of objects."""
    counts = np.array(data["counts"], dtype=np.float64)
    labels = np.array(data["labels"], dtype=np.int64)
    classes = read_classes(data)
    if counts.ndim != 2 or counts.shape[1] != len(classes):
        raise ValueError("counts do not fit the classes")
    sizes = np.bincount(labels, minlength=len(counts))
    if not np.array_equal(sizes, counts.sum(axis=1)):
        raise ValueError("labels do not fit the counts")
    return Cells(
        labels,
        counts,
        classes,
        float(data["cost"]),
        float(data["null_cost"]),
        data["method"],
        data["family"],
        tuple(data["readings"]),
        data["library"],
    )


def _edit_to_plain(edit: Edit) -> dict[str, Any]:
    """Describe an edit; what led to the partition before it stands in the earlier edits."""
    before = partition_to_dict(replace(edit.before, history=(), units=None))
    return {"action": edit.action, "price": edit.price, "before": before}


def _with_history(partition: Any, plain: list[dict[str, Any]]) -> Any:
    """Give a partition its history back."""
    history: tuple[Edit, ...] = ()
    for row in plain:
        read: Any = from_dict(row["before"])
        before = replace(read, history=history, units=partition.units)
        history = (*history, Edit(str(row["action"]), float(row["price"]), before))
    return replace(partition, history=history)


def _groups_to_plain(groups: Groups) -> dict[str, Any]:
    """Describe what only groups have."""
    return {
        "type": "groups",
        "groups": [[value_to_plain(value) for value in group] for group in groups.groups],
        "garbage": groups.garbage,
        "is_ordered": groups.is_ordered,
        "absent": [[value_to_plain(value), code] for value, code in groups.absent],
        "unit_order": _unit_order(groups),
    }


def _unit_order(groups: Groups) -> list[int]:
    """Where the values whose counts are kept stand among the values of all groups."""
    if groups.units is None:
        return []
    members = [value for group in groups.groups for value in group]
    place = {key_of(value): i for i, value in enumerate(members)}
    return [place[key_of(value)] for value in groups.units.values]


def value_to_plain(value: Any) -> Any:
    """Write a value; what JSON cannot hold becomes a dict of its type and its text."""
    value = (
        value.item() if isinstance(value, np.generic) and value.dtype.kind not in "Mm" else value
    )
    if isinstance(value, float) and not np.isfinite(value):
        return {"float": repr(value)}
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, np.datetime64):
        return {"datetime64": [str(value), np.datetime_data(value.dtype)[0]]}
    if isinstance(value, (np.timedelta64, datetime.timedelta)):
        value = np.timedelta64(value)
        return {"timedelta64": [int(value.astype(np.int64)), np.datetime_data(value.dtype)[0]]}
    if hasattr(value, "to_pydatetime") and not value.nanosecond:
        value = value.to_pydatetime()
    for name, kind in _ISO.items():
        if type(value) is kind:
            return {name: value.isoformat()}
    if isinstance(value, decimal.Decimal):
        return {"decimal": str(value)}
    raise TypeError(f"to_dict: a value of type {type(value).__name__} has no layout: {value!r}.")


def value_from_plain(plain: Any) -> Any:
    """Read a value."""
    if not isinstance(plain, dict):
        return plain
    ((name, text),) = plain.items()
    if name in _ISO:
        return _ISO[name].fromisoformat(text)
    if name == "datetime64":
        return np.datetime64(*text)
    if name == "timedelta64":
        return np.timedelta64(*text)
    readers: dict[str, Any] = {"float": float, "bytes": bytes.fromhex, "decimal": decimal.Decimal}
    return readers[name](text)


def _constraints_to_plain(constraints: Mapping[str, Any]) -> dict[str, Any]:
    """Describe limits; several values become a list."""
    return {
        name: [value_to_plain(one) for one in value]
        if isinstance(value, tuple)
        else value_to_plain(value)
        for name, value in constraints.items()
    }


def _constraints_from_plain(plain: dict[str, Any]) -> dict[str, Any]:
    """Read limits."""
    return {
        name: tuple(map(value_from_plain, value)) if isinstance(value, list) else value
        for name, value in plain.items()
    }


def from_dict(data: dict[str, Any]) -> Intervals | Groups | Cells:
    """Read a partition back from ``to_dict``.

    Parameters
    ----------
    data : dict
        What ``to_dict`` gave, possibly through JSON.

    Returns
    -------
    Intervals, Groups or Cells
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
            return _read_cells(data)
        read = _read_groups(data) if data["type"] == "groups" else _read_intervals(data)
        whole: Intervals | Groups = _with_history(read, data.get("history") or [])
        return whole
    except (KeyError, TypeError, ValueError) as error:
        raise PartageError(f"from_dict: the data are damaged: {error!r}.") from error


def _read_shared(data: dict[str, Any], n_parts: int) -> dict[str, Any]:
    """Read what every partition has, and check that its pieces fit."""
    counts = np.array(data["counts"], dtype=np.float64)
    classes = read_classes(data)
    if counts.shape != (n_parts, len(classes)):
        raise ValueError("counts do not fit the parts and classes")
    if not (np.isfinite(counts).all() and (counts >= 0).all()):
        raise ValueError("counts must be finite and not negative")
    if not isinstance(data["name"], str):
        raise ValueError("name must be text")
    if data["missing_part"] is not None and not 0 <= data["missing_part"] < n_parts:
        raise ValueError("missing_part is no part")
    special = data["special"]
    n_special = len(special["values"])
    if not len(special["counts"]) == len(special["rows"]) == len(special["parts"]) == n_special:
        raise ValueError("special values do not fit their counts")
    return {key: data[key] for key in _SHARED} | {
        "method_params": data.get("method_params"),
        "event": int(data.get("event", 1)),
        "woe_sign": int(data.get("woe_sign", 1)),
        "constraints": _constraints_from_plain(data["constraints"]),
        "special_values": tuple(map(value_from_plain, special["values"])),
        "special_counts": np.array(special["counts"], dtype=np.float64).reshape(
            n_special, len(classes)
        ),
        "special_rows": np.array(special["rows"], dtype=np.int64),
        "special_parts": tuple(special["parts"]),
        "classes": classes,
        "counts": counts,
        "missing_counts": np.array(data["missing_counts"], dtype=np.float64),
        "rows": np.array(data["rows"], dtype=np.int64),
    }


def _read_intervals(data: dict[str, Any]) -> Intervals:
    """Build intervals."""
    kind, cut_keys = read_cuts(data)
    shared = _read_shared(data, len(cut_keys) + 1)
    plain = data.get("units")
    n_classes = len(shared["classes"])
    units = None if plain is None else Units.from_plain(plain, cut_keys.dtype, (), n_classes)
    return Intervals(**shared, kind=kind, cut_keys=cut_keys, units=units)


def _read_groups(data: dict[str, Any]) -> Groups:
    """Build groups."""
    groups = tuple(tuple(map(value_from_plain, group)) for group in data["groups"])
    if len({key_of(v) for group in groups for v in group}) < sum(map(len, groups)):
        raise ValueError("a value stands in two groups")
    if data["garbage"] is not None and not 0 <= data["garbage"] < len(groups):
        raise ValueError("garbage is no group")
    absent = tuple((value_from_plain(value), int(code)) for value, code in data["absent"])
    shared = _read_shared(data, len(groups))
    return Groups(
        **shared,
        groups=groups,
        garbage=data["garbage"],
        is_ordered=data["is_ordered"],
        absent=absent,
        units=_read_units(data, groups),
    )


def _read_units(data: dict[str, Any], groups: tuple[tuple[Any, ...], ...]) -> Units | None:
    """Read the counts of the values; ``unit_order`` tells their values."""
    plain = data.get("units")
    if plain is None:
        return None
    members = [value for group in groups for value in group]
    values = tuple(members[i] for i in data["unit_order"])
    return Units.from_plain(plain, np.int64, values, len(data["classes"]))


def classes_to_plain(classes: Any) -> dict[str, Any]:
    """Write class labels that JSON can hold, and their type; dates become text."""
    labels = classes.astype(str) if classes.dtype.kind in "Mm" else classes
    return {"classes": labels.tolist(), "classes_dtype": classes.dtype.str}


def read_classes(data: dict[str, Any]) -> NDArray[Any]:
    """Read class labels."""
    if not _CLASSES_DTYPE.fullmatch(data["classes_dtype"]):
        raise ValueError("classes are of no known type")
    return np.array(data["classes"], dtype=data["classes_dtype"])


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
    if not isinstance(read, Partition):
        raise ValueError("columns must be intervals or groups")
    return read


def _plain(value: Any) -> Any:
    """Turn NumPy numbers into Python's."""
    return value.item() if isinstance(value, np.generic) else value


def cuts_to_plain(kind: Kind, keys: NDArray[Any]) -> dict[str, Any]:
    """Write cuts and what they stand for; infinities become text, since JSON has none."""
    cuts = [repr(key) if isinstance(key, float) and np.isinf(key) else key for key in keys.tolist()]
    return {"kind": kind.to_plain(), "cuts": cuts}


def read_cuts(data: dict[str, Any]) -> tuple[Kind, NDArray[Any]]:
    """Read cuts and what they stand for."""
    kind = Kind.from_plain(data["kind"])
    cuts = [float(cut) if isinstance(cut, str) else cut for cut in data["cuts"]]
    keys = np.array(cuts, dtype=kind.dtype)
    if (np.diff(keys) <= 0).any():
        raise ValueError("cuts do not increase")
    return kind, keys
