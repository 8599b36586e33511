"""Change files of counts at random, and use what loads.

A file is refused by ``PartageError``, or its counts can be shown, partitioned and written again
without any error but a message of ours.

    python -m fuzz.counts --seconds 60
"""

from __future__ import annotations

import functools
import io
import json
import random
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import partage as pt
from fuzz.files import amounts, frame, judge_use, mutate
from fuzz.forked import main

DTYPES = ["i1", "i4", "i8", "u1", "u2", "u8", "f4", "f8", "?", "U3", "S2", "c16", "M8[D]", "V4"]
NUMBERS = [0, 1, -1, 2, 255, 2**31, 2**63 - 1, -(2**63), 0.5, 1e308, 5e-324, np.nan, np.inf]

Pieces = dict[str, np.ndarray]


@functools.cache
def pieces() -> list[tuple[dict[str, Any], Pieces]]:
    """Make files of counts: the head of each, and its arrays."""
    X, y = frame()
    table = X.assign(y=y, amount=amounts(), weight=[1 + i % 3 for i in range(len(y))])
    made = [
        pt.Contingency.of(table, "age", "y"),
        pt.Contingency.of(table, "age", "amount"),
        pt.Contingency.of(table, "city", "y", sample_weight="weight"),
        pt.Contingency.of(table, "city", "amount"),
        pt.Contingency.of(table, "day", "y"),
    ]
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for i, counts in enumerate(made):
            path = Path(folder) / f"{i}.npz"
            counts.save(path)
            with np.load(path) as file:
                arrays = {name: file[name] for name in file.files}
            found.append((json.loads(bytes(arrays.pop("head"))), arrays))
    return found


def write_pieces(head: dict[str, Any], arrays: Pieces, file: Any) -> None:
    """Write a file of counts as ``Contingency.save`` does."""
    text = np.frombuffer(json.dumps(head).encode(), dtype=np.uint8)
    np.savez(file, head=text, **arrays)


def change(array: np.ndarray, choice: random.Random) -> np.ndarray:
    """Change the length, the order, the type, the shape or one number of an array."""
    kind = choice.randrange(7)
    array = array.copy()
    if kind == 0:
        return array[: choice.randrange(len(array) + 1)]
    if kind == 1:
        return np.concatenate([array, array[: choice.randrange(3)]])
    if kind == 2:
        return array[choice.sample(range(len(array)), len(array))]
    if kind == 3:
        return array.astype(choice.choice(DTYPES))
    if kind == 4:
        return array.reshape(choice.choice([(1, -1), (-1, 1), (-1, 2), ()]))
    if kind == 5:
        return array[::-1].repeat(choice.choice([0, 1, 2]))
    array[choice.randrange(len(array))] = choice.choice(NUMBERS)
    return array


def attack(seed: int) -> str | None:
    """Change one file and use it; what went wrong, if anything did."""
    choice = random.Random(seed)
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    head, arrays = choice.choice(pieces())
    arrays = dict(arrays)
    try:
        for _ in range(choice.choice([1, 1, 2, 3])):
            name = choice.choice(["head", *sorted(arrays)])
            if name == "head":
                head = mutate(head, choice)
            elif choice.random() < 0.05:
                del arrays[name]
            else:
                arrays[name] = change(arrays[name], choice)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None  # NumPy can make no such array
    buffer = io.BytesIO()
    write_pieces(head, arrays, buffer)
    try:
        counts = pt.Contingency.load(io.BytesIO(buffer.getvalue()))
    except pt.PartageError:
        return None
    except Exception as error:
        return f"loading raised {error!r}"
    return judge_use(use_counts, counts)


def use_counts(counts: Any) -> None:
    """Ask counts everything that a user may ask."""
    repr(counts)
    str(counts.values), str(counts.missing_counts)
    str(counts.counts if len(counts.classes) else counts.means)
    with tempfile.TemporaryDirectory() as folder:
        counts.save(Path(folder) / "again.npz")
        pt.Contingency.load(Path(folder) / "again.npz")
    is_line = type(counts.column).__name__ == "NumberColumn"
    partition = counts.discretize() if is_line else counts.group()
    partition.table()
    str(partition.explain())


if __name__ == "__main__":
    pieces()
    sys.exit(main("counts", attack, batch=100))
