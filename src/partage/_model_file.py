"""Partitions as plain, versioned data: the one home of the JSON layout."""

from __future__ import annotations

from typing import Any

import numpy as np

from partage._groups import Groups
from partage._kinds import Kind
from partage._partitions import Intervals
from partage.exceptions import PartageError

VERSION = 1
_SHARED = (
    "name",
    "method",
    "cost",
    "null_cost",
    "level",
    "is_optimal",
    "missing_rows",
    "missing",
    "missing_part",
    "library",
)


def partition_to_dict(partition: Any) -> dict[str, Any]:
    """Describe a partition with text, numbers, lists and dicts only."""
    shared = {key: _plain(getattr(partition, key)) for key in _SHARED}
    own = (
        _groups_to_plain(partition)
        if isinstance(partition, Groups)
        else {
            "type": "intervals",
            "kind": {"name": partition.kind.name, "unit": partition.kind.unit},
            "cuts": [_cut(key) for key in partition.cut_keys.tolist()],
        }
    )
    return {
        "partage": VERSION,
        **own,
        **shared,
        "classes": _classes_to_plain(partition.classes),
        "classes_dtype": partition.classes.dtype.str,
        "counts": partition.counts.tolist(),
        "missing_counts": partition.missing_counts.tolist(),
        "rows": partition.rows.tolist(),
    }


def _groups_to_plain(groups: Groups) -> dict[str, Any]:
    """Describe what only groups have; values that JSON cannot hold become text."""
    plain = (str, bool, int, float)
    members = [
        [v if isinstance(v, plain) else str(v) for v in map(_plain, g)] for g in groups.groups
    ]
    return {
        "type": "groups",
        "groups": members,
        "garbage": groups.garbage,
        "is_ordered": groups.is_ordered,
    }


def from_dict(data: dict[str, Any]) -> Intervals | Groups:
    """Read a partition back from ``to_dict``.

    Parameters
    ----------
    data : dict
        What ``to_dict`` gave, possibly through JSON.

    Returns
    -------
    Intervals or Groups
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
        return _read_groups(data) if data["type"] == "groups" else _read_intervals(data)
    except (KeyError, TypeError, ValueError) as error:
        raise PartageError(f"from_dict: the data are damaged: {error!r}.") from error


def _read_shared(data: dict[str, Any], n_parts: int) -> dict[str, Any]:
    """Read what every partition has, and check that its pieces fit."""
    counts = np.array(data["counts"], dtype=np.float64)
    classes = np.array(data["classes"], dtype=data["classes_dtype"])
    if counts.shape != (n_parts, len(classes)):
        raise ValueError("counts do not fit parts and classes")
    return {key: data[key] for key in _SHARED} | {
        "classes": classes,
        "counts": counts,
        "missing_counts": np.array(data["missing_counts"], dtype=np.float64),
        "rows": np.array(data["rows"], dtype=np.int64),
    }


def _read_intervals(data: dict[str, Any]) -> Intervals:
    """Build intervals."""
    kind = Kind(str(data["kind"]["name"]), str(data["kind"]["unit"]))
    cut_keys = np.array(
        [_key(cut) for cut in data["cuts"]], dtype=np.float64 if kind.is_float else np.int64
    )
    if (np.diff(cut_keys) <= 0).any():
        raise ValueError("cuts do not increase")
    return Intervals(**_read_shared(data, len(cut_keys) + 1), kind=kind, cut_keys=cut_keys)


def _read_groups(data: dict[str, Any]) -> Groups:
    """Build groups."""
    groups = tuple(map(tuple, data["groups"]))
    shared = _read_shared(data, len(groups))
    return Groups(**shared, groups=groups, garbage=data["garbage"], is_ordered=data["is_ordered"])


def _classes_to_plain(classes: Any) -> list[Any]:
    """Write class labels that JSON can hold; dates become text."""
    return list(classes.astype(str).tolist() if classes.dtype.kind in "Mm" else classes.tolist())


def _plain(value: Any) -> Any:
    """Turn NumPy numbers into Python's."""
    return value.item() if isinstance(value, np.generic) else value


def _cut(key: Any) -> Any:
    """Make an infinite cut text, since JSON has no infinity."""
    return repr(key) if isinstance(key, float) and np.isinf(key) else key


def _key(cut: Any) -> Any:
    """Read a cut."""
    return float(cut) if isinstance(cut, str) else cut
