"""The event of two classes: the one whose rate and evidence tables show."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray


def find_event(who: str, positive: Any, classes: NDArray[Any], default: int) -> int:
    """Position of the class that is the event: the default unless one is named."""
    if positive is None:
        return default
    if not len(classes):
        raise ValueError(
            f"{who}: positive names a class, and y is a number; got {positive!r}. Leave it out."
        )
    labels = classes.tolist()
    if positive not in labels:
        raise ValueError(
            f"{who}: positive must be one of the classes {', '.join(map(repr, labels))}; "
            f"got {positive!r}."
        )
    if len(labels) > 2:
        raise ValueError(
            f"{who}: positive names the event of two classes; y holds {len(labels)}. Each class "
            "has its own evidence then."
        )
    return int(labels.index(positive))


__all__ = ["find_event"]
