"""A bar that shows how far the core is, drawn from a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from partage import _core


@contextmanager
def progress_bar(is_shown: bool, text: str) -> Iterator[_core.Progress | None]:
    """Show a bar while the core works; it takes no time from the work."""
    if not is_shown:
        yield None
        return
    from rich.progress import Progress

    state = _core.Progress()
    ended = threading.Event()
    with Progress(transient=False) as bar:
        task = bar.add_task(text, total=None)

        def follow() -> None:
            while not ended.wait(0.1):
                bar.update(task, completed=state.done, total=state.total or None)

        thread = threading.Thread(target=follow, daemon=True)
        thread.start()
        try:
            yield state
        finally:
            ended.set()
            thread.join()
            bar.update(task, completed=state.done, total=max(state.total, state.done, 1))
