"""Data whose rows are not in memory: files, lazy frames, sources of an engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import narwhals as nw


class NotInMemory:
    """Base of what stands for a table that an engine holds."""


def are_paths(data: Any) -> bool:
    """Whether data are a list of files."""
    return (
        isinstance(data, (list, tuple))
        and len(data) > 0
        and all(isinstance(item, (str, Path)) for item in data)
    )


def is_lazy(data: Any) -> bool:
    """Whether data are a source: files, a lazy frame, or what ``scan`` gives."""
    if isinstance(data, (str, Path, NotInMemory, nw.LazyFrame)) or are_paths(data):
        return True
    if type(data).__module__.split(".")[0] in ("numpy", "pandas", "pyarrow", "builtins", "scipy"):
        return False
    return isinstance(nw.from_native(data, pass_through=True), nw.LazyFrame)


def check_in_memory(who: str, X: Any) -> None:
    """Refuse a source where the rows themselves are needed."""
    if is_lazy(X):
        got = f"the path {str(X)!r}" if isinstance(X, (str, Path)) else f"a {type(X).__name__}"
        raise TypeError(
            f"{who}: the rows of X must be in memory; got {got}. Collect a lazy frame "
            "(X.collect()), or read the file with polars or pandas, first."
        )
