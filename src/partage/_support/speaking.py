"""How messages write what the user can change: as options of a command, or as parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Speaker", "did_you_mean"]


@dataclass(frozen=True)
class Speaker:
    """Who speaks to the user, and how it writes parameters.

    Attributes
    ----------
    who : str
        How messages start.
    error : type
        Error that is raised for what the user can put right.
    is_command : bool
        Whether parameters are written as options of a command.
    """

    who: str
    error: type[Exception] = ValueError
    is_command: bool = False

    def option(self, name: str, value: Any = None) -> str:
        """Write a parameter, with a value or without."""
        if not self.is_command:
            return name if value is None else f"{name}={value!r}"
        option = "--" + name.replace("_", "-")
        return option if value is None else f"{option} {value}"

    def refuse(self, message: str) -> Exception:
        """Make the error of a message."""
        return self.error(f"{self.who}: {message}")


def did_you_mean(name: str, known: Sequence[str]) -> str:
    """Name the nearest of some names, as the end of a message."""
    import difflib

    folded = {one.casefold().strip(): one for one in known}
    near = difflib.get_close_matches(name.casefold().strip(), list(folded), n=1)
    return f" Did you mean {folded[near[0]]!r}?" if near else ""
