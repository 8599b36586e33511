"""Columns side by side, in threads, since the core runs without Python's lock."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from partage import _core

if TYPE_CHECKING:
    from rich.progress import Progress

Cancel = _core.Cancel  # asks searches that run to stop

_SECONDS_WITHOUT_BAR = 3.0

Item = TypeVar("Item")
Result = TypeVar("Result")


def run_all(
    work: Callable[[Item, Cancel], Result], items: Sequence[Item], n_jobs: int
) -> list[Result]:
    """Do the work for each item, in order of the items; Ctrl-C stops all of them."""
    cancel = Cancel()
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


@contextmanager
def progress_bar(is_shown: bool | None, text: str) -> Iterator[_core.Progress | None]:
    """Show a bar while the core works, from a thread of its own: it takes no time from the work.

    None shows it where the work takes more than three seconds and standard error is a terminal.
    """
    if is_shown is None and not sys.stderr.isatty():
        is_shown = False
    if is_shown is not None and not is_shown:
        yield None
        return
    state = _core.Progress()
    ended = threading.Event()

    def follow() -> None:
        if is_shown is None and ended.wait(_SECONDS_WITHOUT_BAR):
            return
        with _make_bar() as bar:
            task = bar.add_task(text, total=None)
            while not ended.wait(0.1):
                bar.update(task, completed=state.done, total=state.total or None)
            bar.update(task, completed=state.done, total=max(state.total, state.done, 1))

    thread = threading.Thread(target=follow, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        ended.set()
        thread.join()


@contextmanager
def counting_bar(is_shown: bool, text: str, total: int) -> Iterator[Callable[[], None]]:
    """Show a bar of steps that the caller counts, from any thread."""
    if not is_shown:
        yield lambda: None
        return
    with _make_bar() as bar:
        task = bar.add_task(text, total=total)
        yield lambda: bar.advance(task)


def _make_bar() -> Progress:
    """Make a bar with a count of steps and the time left."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=Console(stderr=True))
