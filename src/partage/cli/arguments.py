"""What the commands share: the parser, the errors a user can mend, the reading of options."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn

from partage._support.speaking import Speaker, did_you_mean

RENAMED = {"--jobs": "--n-jobs", "--weight": "--sample-weight"}

_MOST_NAMED = 12  # columns that a message names


class UsageError(Exception):
    """A request that the user can put right; its text is the whole message."""


def speaker(who: str) -> Speaker:
    """Let a command speak."""
    return Speaker(who, UsageError, is_command=True)


class Parser(argparse.ArgumentParser):
    """Parser whose errors are one line with the remedy."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(allow_abbrev=False, **settings)

    def error(self, message: str) -> NoReturn:
        """Refuse the arguments; an old name by the new one."""
        words = message.removeprefix("unrecognized arguments: ").split()
        for old in words if words and words != message.split() else []:
            if old in RENAMED:
                raise UsageError(f"{self.prog}: the option {old} is called {RENAMED[old]}.")
        raise UsageError(f"{self.prog}: {message}; see `{self.prog} --help`.")


def check_named(
    who: str, option: str, name: str, columns: Sequence[str], what: str = "the file"
) -> None:
    """Refuse a name that no column has, with the one that was meant."""
    from partage._data.headers import is_number

    if name in columns:
        return
    if columns and any(is_number(column) for column in columns):
        first = ", ".join(columns[:4])
        raise UsageError(
            f"{who}: {option} must name a column; got {name!r}, and the first line ({first}) looks "
            "like data. Put a line of names before the data."
        )
    shown = ", ".join(map(repr, columns[:_MOST_NAMED]))
    more = "" if len(columns) <= _MOST_NAMED else f" and {len(columns) - _MOST_NAMED} more"
    raise UsageError(
        f"{who}: {option} must name a column; got {name!r}, {what} has {shown}{more}."
        f"{did_you_mean(name, columns)}"
    )


def read_count(text: str) -> int:
    """Read an integer of at least 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be an integer of at least 1; got {text!r}")
    return int(text)
