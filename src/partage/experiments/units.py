"""Work in units whose results are kept, so that a run that was stopped goes on where it was."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from sklearn.utils.parallel import Parallel, delayed

import partage
from partage import _core
from partage.experiments import Settings

__all__ = ["run_units"]

_PACKAGES = ("partage", "numpy", "scipy", "scikit-learn")
_BESIDE = ("_report", "cli", "experiments")  # packages that no result depends on


def run_units(
    settings: Settings,
    name: str,
    work: Callable[..., Any],
    units: Sequence[Sequence[Any]],
    **common: Any,
) -> list[Any]:
    """Return ``work(*unit, **common)`` for every unit, in order.

    ``work`` is a function of a module, since processes import it; units and results are plain data
    that JSON can hold. What is common to all units is no part of the name a result is kept by. A
    kept result is used again if the unit, the versions, the compiled core, the library, the source
    of the module of ``work`` and the catalogue of the data sets are the same. A fresh run passes
    over what earlier runs kept, but uses again what it has made itself, since tables may share
    units.
    """
    maker = _fingerprint(work, settings.data)
    file = None if settings.kept is None else settings.kept / f"{name}.jsonl"
    made = settings.made.setdefault((name, maker), {})
    found = {} if file is None or settings.is_fresh else _read_kept(file, maker)
    found |= made
    keys = [json.dumps(list(unit)) for unit in units]
    settings.ledger.n_kept += sum(key in found for key in keys)
    settings.ledger.kept_seconds += sum(found[key][1] for key in keys if key in found)
    todo = [i for i, key in enumerate(keys) if key not in found]
    start = time.perf_counter()
    results = _run(work, [(i, units[i]) for i in todo], common, settings.jobs)
    for n_done, (i, result, seconds) in enumerate(results, start=1):
        found[keys[i]] = made[keys[i]] = (result, seconds)
        if file is not None:
            _keep(file, maker, keys[i], result, seconds)
        n_left = len(todo) - n_done
        left = (time.perf_counter() - start) / n_done * n_left
        settings.announce(f"{name}: {n_left} of {len(keys)} units left, {left / 60:.0f} min")
    return [found[key][0] for key in keys]


def _run(
    work: Callable[..., Any],
    todo: Sequence[tuple[int, Sequence[Any]]],
    common: dict[str, Any],
    jobs: int,
) -> Iterator[tuple[int, Any, float]]:
    """Yield the number, the result and the time of each unit, as they are finished."""
    if jobs == 1 or len(todo) < 2:
        return (_time_one(work, i, unit, common) for i, unit in todo)
    pool = Parallel(n_jobs=jobs, return_as="generator_unordered")
    finished: Iterator[tuple[int, Any, float]] = pool(
        delayed(_time_one)(work, i, unit, common) for i, unit in todo
    )
    return finished


def _time_one(
    work: Callable[..., Any], index: int, unit: Sequence[Any], common: dict[str, Any]
) -> tuple[int, Any, float]:
    """Do one unit."""
    start = time.perf_counter()
    # Through JSON, so that a result is the same whether it was kept or not.
    result = json.loads(json.dumps(work(*unit, **common)))
    return index, result, time.perf_counter() - start


def _keep(file: Path, maker: str, key: str, result: Any, seconds: float) -> None:
    """Append a finished unit to its file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    record = {"maker": maker, "unit": key, "seconds": round(seconds, 3), "result": result}
    with file.open("a", encoding="utf-8") as lines:
        # The line starts anew, since a stop may have cut the last one short.
        lines.write("\n" + json.dumps(record))


def _read_kept(file: Path, maker: str) -> dict[str, tuple[Any, float]]:
    """Return results that the same code left; a line cut short by a stop is passed over."""
    found: dict[str, tuple[Any, float]] = {}
    if not file.is_file():
        return found
    for line in file.read_text(encoding="utf-8").splitlines():
        try:
            record = json.loads(line)
            if record["maker"] == maker:
                found[record["unit"]] = (record["result"], float(record["seconds"]))
        except (ValueError, KeyError, TypeError):
            continue
    return found


@cache
def _fingerprint(work: Callable[..., Any], data: Path | None) -> str:
    """Name the code and the data that make a result."""
    module = Path(work.__code__.co_filename)
    digest = hashlib.sha256()
    for package in _PACKAGES:
        digest.update(f"{package} {version(package)};".encode())
    for file in (Path(_core.__file__), *_library(), module):
        digest.update(file.read_bytes())
    catalogue = None if data is None else data / "catalogue.json"
    if catalogue is not None and catalogue.is_file():
        digest.update(catalogue.read_bytes())
    return digest.hexdigest()[:16]


def _library() -> list[Path]:
    """List the files of the library that can change a result."""
    home = Path(partage.__file__).parent
    files = (file for file in home.rglob("*.py") if file.relative_to(home).parts[0] not in _BESIDE)
    return sorted(files)
