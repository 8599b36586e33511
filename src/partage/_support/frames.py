"""Data frames of the library the user works with."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np


def make_frame(columns: dict[str, Any], library: str) -> Any:
    """Build a data frame of a library; pandas where that library makes no frames."""
    name: Any = library if library in ("pandas", "polars", "pyarrow", "modin", "cudf") else "pandas"
    plain = {key: _plain(values) for key, values in columns.items()}
    return nw.from_dict(plain, backend=name).to_native()


def _plain(values: Any) -> list[Any]:
    """Values every library takes."""
    return values.tolist() if isinstance(values, np.ndarray) else list(values)
