"""What the commands share: the parser, the errors a user can mend, the reading of options."""

from __future__ import annotations

import argparse
from typing import Any, NoReturn

RENAMED = {"--jobs": "--n-jobs", "--weight": "--sample-weight"}


class UsageError(Exception):
    """A request that the user can put right; its text is the whole message."""


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


def read_count(text: str) -> int:
    """Read an integer of at least 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be an integer of at least 1; got {text!r}")
    return int(text)
