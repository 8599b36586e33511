"""Results as text that differs where any bit differs, for ``tools/golden``."""

import datetime
import numbers

import numpy as np

DIGITS = 9
NOTHING = 1e-12


def _write_float(value, rounded, clear):
    """Write a float: all bits, or nine digits."""
    if rounded:
        return "0" if abs(value) < NOTHING else f"{value:.{DIGITS - 1}e}"
    return repr(value) if clear else value.hex()


def _as_plain(value):
    """Turn arrays, frames and objects into lists, dicts and scalars."""
    if hasattr(value, "toarray"):
        return ["sparse", value.toarray()]
    if isinstance(value, np.ndarray):
        if value.dtype.kind in "mM":
            return [str(value.dtype), value.astype(str).tolist()]
        return [value.dtype.kind, list(value.shape), value.ravel().tolist()]
    if isinstance(value, np.generic):
        return str(value) if value.dtype.kind in "mM" else value.item()
    if hasattr(value, "columns") and hasattr(value, "iloc"):
        return [[str(name), _as_plain(value[name])] for name in value.columns]
    if hasattr(value, "to_series") and hasattr(value, "lazy"):
        return [[name, value[name].to_list()] for name in value.columns]
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, (datetime.date, datetime.timedelta)):
        return str(value)
    if hasattr(value, "__dataclass_fields__"):
        return {name: getattr(value, name) for name in value.__dataclass_fields__}
    return repr(value)


def write_text(value, *, rounded=False, clear=False):
    """Write a value, of any nesting, as one line."""
    if value is None or isinstance(value, (bool, np.bool_)):
        return str(value)
    if isinstance(value, str):
        return ascii(value)
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, float):
        return _write_float(float(value), rounded, clear)
    if isinstance(value, dict):
        items = sorted(
            (str(k), write_text(v, rounded=rounded, clear=clear)) for k, v in value.items()
        )
        return "{" + ", ".join(f"{k!a}: {v}" for k, v in items) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(write_text(v, rounded=rounded, clear=clear) for v in value) + "]"
    return write_text(_as_plain(value), rounded=rounded, clear=clear)
