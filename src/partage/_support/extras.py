"""Packages that only some features need, asked for when those are used."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from partage.exceptions import PartageError


def require(what: str, package: str, extra: str) -> None:
    """Raise an error that names the extra, unless the package is installed."""
    if find_spec(package) is None:
        raise PartageError(
            f'{what} needs {package}, which is not installed; run `pip install "partage[{extra}]"`.'
        )


_KEPT_FREE = 0.9  # share of the free memory that one piece of work may take


def free_memory() -> int | None:
    """Bytes that can be had without swapping; None where the system does not say."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    found = [line.split()[1] for line in lines if line.startswith("MemAvailable:")]
    return int(found[0]) * 1024 if found else None


def check_memory(who: str, what: str, n_bytes: float, advice: str) -> None:
    """Refuse work that cannot fit."""
    free = free_memory()
    if free is not None and n_bytes > _KEPT_FREE * free:
        raise MemoryError(
            f"{who}: {what} must fit in memory; about {n_bytes / 1e9:.1f} GB are needed and "
            f"{free / 1e9:.1f} GB are free. {advice}"
        )
