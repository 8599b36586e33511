"""Data frames of the library the user works with."""

from __future__ import annotations

from typing import Any, Protocol

import narwhals as nw
import numpy as np


class Frame(Protocol):
    """A data frame of the library that the user works with; pandas for arrays and lists."""

    @property
    def columns(self) -> Any:
        """Names of the columns."""

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""

    def __len__(self) -> int: ...

    def __getitem__(self, key: Any) -> Any: ...

    def __getattr__(self, name: str) -> Any: ...


def make_frame(columns: dict[str, Any], library: str) -> Frame:
    """Build a data frame of a library; pandas where that library makes no frames."""
    name: Any = library if library in ("pandas", "polars", "pyarrow", "modin", "cudf") else "pandas"
    plain = {key: _plain(values) for key, values in columns.items()}
    try:
        frame: Frame = nw.from_dict(plain, backend=name).to_native()
    except UnicodeEncodeError:
        shown = {key: [as_unicode(value) for value in values] for key, values in plain.items()}
        frame = nw.from_dict(shown, backend=name).to_native()
    return frame


def as_unicode(value: Any) -> Any:
    """Write halves of pairs, which text of Python may hold and no column can, by their numbers."""
    if not isinstance(value, str):
        return value
    return value.encode("utf-8", "backslashreplace").decode()


def _plain(values: Any) -> list[Any]:
    """Values every library takes."""
    return values.tolist() if isinstance(values, np.ndarray) else list(values)
