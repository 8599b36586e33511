"""Values and classes as plain data: how each type is written to JSON and read back."""

from __future__ import annotations

import datetime
import decimal
import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "NoLayoutError",
    "classes_to_plain",
    "keys_to_plain",
    "read_classes",
    "read_keys",
    "settings_from_plain",
    "settings_to_plain",
    "value_from_plain",
    "value_to_plain",
    "values_to_plain",
]

_ISO: dict[str, Any] = {"datetime": datetime.datetime, "date": datetime.date, "time": datetime.time}
_CLASSES_DTYPE = re.compile(r"[<>|=]?([biuf][1248]|[US]\d{1,6}|[Mm]8(\[\w+\])?|O)")


class NoLayoutError(TypeError):
    """Values that a file cannot hold; ``what`` says which, without who was asked."""

    def __init__(self, what: str) -> None:
        super().__init__(f"to_dict: {what}")
        self.what = what

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.what,)


def keys_to_plain(keys: NDArray[Any]) -> list[Any]:
    """Write keys of numbers; infinities become text, since JSON has none."""
    return [repr(k) if isinstance(k, float) and np.isinf(k) else k for k in keys.tolist()]


def read_keys(plain: list[Any], dtype: Any) -> NDArray[Any]:
    """Read keys of numbers."""
    keys = [float(key) if key in ("inf", "-inf") else key for key in plain]
    if not all(isinstance(key, (int, float)) and not isinstance(key, bool) for key in keys):
        raise ValueError("keys must be numbers")
    return np.array(keys, dtype=dtype)


def values_to_plain(values: Iterable[Any], where: str) -> list[Any]:
    """Write values; ``where`` they stand names them in the message."""
    plain = []
    for value in values:
        try:
            plain.append(value_to_plain(value))
        except NoLayoutError:
            raise NoLayoutError(
                f"{where} must be text, numbers, booleans, bytes, times, periods or intervals, "
                f"since a file holds no other types; got {value!r} of type "
                f"{type(value).__name__}. Convert them to text before fitting, such as with "
                ".astype(str)."
            ) from None
    return plain


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
    is_duration = isinstance(value, (np.timedelta64, datetime.timedelta))
    if is_duration and not getattr(value, "nanoseconds", 0):
        value = np.timedelta64(value)
        return {"timedelta64": [int(value.astype(np.int64)), np.datetime_data(value.dtype)[0]]}
    if hasattr(value, "to_pydatetime") and not value.nanosecond:
        value = value.to_pydatetime()
    for name, kind in _ISO.items():
        if type(value) is kind:
            return {name: value.isoformat()}
    if isinstance(value, decimal.Decimal):
        return {"decimal": str(value)}
    return _of_pandas(value)


def _of_pandas(value: Any) -> dict[str, Any]:
    """Write a value of a type that only pandas has."""
    import pandas as pd

    if isinstance(value, pd.Period):
        return {"period": [int(value.ordinal), value.freqstr]}
    if isinstance(value, pd.Interval):
        ends = [value_to_plain(end) for end in (value.left, value.right)]
        return {"interval": [*ends, value.closed]}
    if isinstance(value, pd.Timestamp):
        return {"timestamp": value.isoformat()}
    if isinstance(value, pd.Timedelta):
        return {"timedelta": value.isoformat()}
    raise NoLayoutError(f"a value of type {type(value).__name__} has no layout: {value!r}.")


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
    if name in ("period", "interval", "timestamp", "timedelta"):
        return _read_pandas(name, text)
    readers: dict[str, Any] = {"float": float, "bytes": bytes.fromhex, "decimal": decimal.Decimal}
    return readers[name](text)


def _read_pandas(name: str, plain: Any) -> Any:
    """Read a value of a type that only pandas has."""
    import pandas as pd

    if name == "period":
        ordinal, frequency = plain
        return pd.Period(ordinal=int(ordinal), freq=str(frequency))
    if name in ("timestamp", "timedelta"):
        return (pd.Timestamp if name == "timestamp" else pd.Timedelta)(str(plain))
    *ends, closed = plain
    left, right = (_as_end(value_from_plain(end)) for end in ends)
    return pd.Interval(left, right, closed=closed)


def _as_end(value: Any) -> Any:
    """Give times the type that an interval of pandas takes."""
    import pandas as pd

    if isinstance(value, datetime.datetime):
        return pd.Timestamp(value)
    return pd.Timedelta(value) if isinstance(value, np.timedelta64) else value


def settings_to_plain(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Describe limits or parameters of a method; several values become a list."""
    return {
        name: [value_to_plain(one) for one in value]
        if isinstance(value, (tuple, list, np.ndarray))
        else value_to_plain(value)
        for name, value in settings.items()
    }


def settings_from_plain(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Read limits or parameters of a method."""
    return {
        name: tuple(map(value_from_plain, value))
        if isinstance(value, list)
        else value_from_plain(value)
        for name, value in plain.items()
    }


def classes_to_plain(classes: Any) -> dict[str, Any]:
    """Write class labels that JSON can hold, and their type; dates become text."""
    kind = classes.dtype.kind
    labels = classes.astype(str) if kind == "M" else classes
    labels = classes.astype(np.int64) if kind == "m" else labels
    plain = values_to_plain(labels.tolist(), "the classes of y")
    return {"classes": plain, "classes_dtype": classes.dtype.str}


def read_classes(data: dict[str, Any]) -> NDArray[Any]:
    """Read class labels."""
    if not _CLASSES_DTYPE.fullmatch(data["classes_dtype"]):
        raise ValueError("classes are of no known type")
    labels = [value_from_plain(label) for label in data["classes"]]
    if not data["classes_dtype"].endswith("O"):
        return np.array(labels, dtype=data["classes_dtype"])
    classes = np.array(labels)
    if classes.dtype.kind == "m":
        classes = classes.astype(object)  # Python's durations are written as those of NumPy
    if classes.dtype.kind != "O" or classes.ndim != 1:
        raise ValueError("classes are not of the type that is named")
    return classes
