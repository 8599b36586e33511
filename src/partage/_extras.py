"""Packages that only some features need, asked for when those are used."""

from __future__ import annotations

from importlib.util import find_spec

from partage.exceptions import PartageError


def require(what: str, package: str, extra: str) -> None:
    """Raise an error that names the extra, unless the package is installed."""
    if find_spec(package) is None:
        raise PartageError(
            f"{what} needs {package}, which is not installed; run `pip install partage[{extra}]`."
        )
