"""Columns side by side, in threads, since the core runs without Python's lock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from partage import _core

Item = TypeVar("Item")
Result = TypeVar("Result")


def run_all(
    work: Callable[[Item, _core.Cancel], Result], items: Sequence[Item], n_jobs: int
) -> list[Result]:
    """Do the work for each item, in order of the items; Ctrl-C stops all of them."""
    cancel = _core.Cancel()
    if n_jobs == 1 or len(items) < 2:
        return [work(item, cancel) for item in items]
    with ThreadPoolExecutor(min(n_jobs, len(items))) as pool:
        futures = [pool.submit(work, item, cancel) for item in items]
        try:
            return [future.result() for future in futures]
        except BaseException:
            cancel.ask()
            for future in futures:
                future.cancel()
            raise
