"""Change files further where a change reached new code, and keep the few that did.

The kept files of ``fuzz/corpus/files`` are where it starts; ``tests/saving/test_kept_files.py``
tries them again, always. ``fuzz.files`` makes the changes and says what may come of them.

    python -m fuzz.guided --seconds 60 --keep
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from fuzz.files import judge, models, mutate, partitions
from fuzz.forked import run_child, spent

CORPUS = Path(__file__).parent / "corpus" / "files"
MOST_BYTES = 6_000  # of a kept file: small ones are read and stored at no cost
_WATCHED = tuple(os.sep + room + os.sep for room in ("_saving", "_partitions", "_targets"))

Place = tuple[str, int]


def kept_files() -> list[dict[str, Any]]:
    """Read the kept files: ``of_model``, and the ``data``."""
    return [json.loads(path.read_text()) for path in sorted(CORPUS.glob("*.json"))]


def reached(case: dict[str, Any]) -> tuple[set[Place], str | None]:
    """Use a file; the lines of the library that ran, and what went wrong."""
    places: set[Place] = set()

    def watch(frame: Any, event: str, _: Any) -> Any:
        name = frame.f_code.co_filename
        if not any(room in name for room in _WATCHED):
            return None
        if event == "line":
            places.add((name, frame.f_lineno))
        return watch

    sys.settrace(watch)
    try:
        problem = judge(case["data"], case["of_model"])
    finally:
        sys.settrace(None)
    return places, problem


def keep(case: dict[str, Any]) -> None:
    """Write a file into the corpus, under the digest of its text."""
    text = json.dumps(case, sort_keys=True)
    if len(text) <= MOST_BYTES:
        CORPUS.mkdir(parents=True, exist_ok=True)
        (CORPUS / f"{hashlib.sha256(text.encode()).hexdigest()[:12]}.json").write_text(text)


def hunt(seconds: float, seed: int, keeps: bool, last: Path) -> int:
    """Change files for some time; the number of findings. The input at work is in ``last``."""
    choice = random.Random(seed)
    cases = kept_files()
    cases += [{"of_model": False, "data": data} for data in partitions()]
    cases += [{"of_model": True, "data": data} for data in models()]
    seen: set[Place] = set()
    for case in cases:
        seen |= reached(case)[0]
    n_tried = n_kept = n_found = 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        start = choice.choice(cases)
        data = start["data"]
        for _ in range(choice.choice([1, 1, 2, 3])):
            data = mutate(data, choice)
        case = {"of_model": start["of_model"], "data": data}
        last.write_text(json.dumps(case))
        places, problem = reached(case)
        n_tried += 1
        if problem:
            n_found += 1
            print(f"guided: {problem}\n  {json.dumps(case)[:2000]}", flush=True)
        if places - seen:
            seen |= places
            cases.append(case)
            n_kept += 1
            if keeps:
                keep(case)
    print(f"guided: {n_tried} tried, {n_kept} reached new lines, {n_found} findings", flush=True)
    return n_found


def main() -> int:
    """Run as a command; the work is done in a child, whose death is a finding."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.guided", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--keep", action="store_true", help="add what reached new code")
    options = parser.parse_args()
    print(f"guided: seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        last = Path(folder) / "last.json"

        def work(seed: int) -> str | None:
            n_found = hunt(options.seconds, seed, options.keep, last)
            return f"guided: {n_found} findings" if n_found else None

        status = run_child(work, options.seed, 1, most=60 + 2 * int(options.seconds))
        if status not in (0, 2):
            print(f"guided: ended with {status} at\n{last.read_text()[:5000]}")
    print(f"guided: {spent():.0f} s of the CPU", flush=True)
    return int(status != 0)


if __name__ == "__main__":
    sys.exit(main())
