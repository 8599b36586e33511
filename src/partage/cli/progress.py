"""What a terminal shows while a command works."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console


@contextmanager
def waiting(log: Console, what: str) -> Iterator[None]:
    """Show on a terminal what is being done."""
    with log.status(what) if log.is_terminal else _nothing():
        yield


@contextmanager
def counting(log: Console, what: str, total: int) -> Iterator[Callable[[str], None]]:
    """Show on a terminal how many columns are done."""
    if not log.is_terminal:
        yield lambda _: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=log,
        transient=True,
    )
    with bar:
        task = bar.add_task(what, total=total)
        yield lambda _: bar.advance(task)


@contextmanager
def _nothing() -> Iterator[None]:
    """Do nothing, where there is no terminal."""
    yield
