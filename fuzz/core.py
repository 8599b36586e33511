"""Call every function of the compiled core with hostile arguments; a crash is a finding.

The signatures come from the stub, so that a new binding is tried without a word here.

    python -m fuzz.core --seconds 60
"""

from __future__ import annotations

import ast
import random
import sys
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np

from fuzz.forked import main
from partage import _core

WORDS = ["", "nothing", "ascending", "auto", "gabriel", "\0", "modl" * 1000]
SIZES = [0, 0, 1, 1, 2, 3, 3, 4, 5, 7, 16]
WHOLE = [0, 0, 1, 1, 2, 2, 3, 4, 5, 7, 8, 100, 65_535, 2**31, 2**63 - 1, -1, -5]
REAL = [0.0, 1.0, 2.0, 0.5, 3.0, 1e-300, 1e300, -1.0, float("nan"), float("inf"), -float("inf")]


@cache
def signatures() -> list[tuple[str, list[tuple[str, ast.expr]]]]:
    """Name and parameters of every function, constructor and method that the stub declares."""
    stub = Path(str(files("partage").joinpath("_core.pyi")))
    found = []
    for node in ast.parse(stub.read_text()).body:
        if isinstance(node, ast.FunctionDef):
            found.append((node.name, parameters_of(node)))
        elif isinstance(node, ast.ClassDef):
            found += [
                (f"{node.name}.{inner.name}", parameters_of(inner))
                for inner in node.body
                if isinstance(inner, ast.FunctionDef)
            ]
    return found


def parameters_of(node: ast.FunctionDef) -> list[tuple[str, ast.expr]]:
    """Names and annotations of the parameters, self left out."""
    return [(arg.arg, arg.annotation) for arg in node.args.args if arg.annotation is not None]


class Maker:
    """Makes arguments that fit their annotation, and are wrong in every other way."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.names = {entry["name"] for entry in _core.criteria()}
        self.names |= {entry["name"] for entry in _core.searches()}
        self.names |= {entry["name"] for entry in _core.groupings()}
        self.size = self.random.choice(SIZES)  # most arrays of a call have one length
        self.kind = self.random.random()

    def argument(self, annotation: ast.expr) -> object:
        """Make a value of an annotated type."""
        if isinstance(annotation, ast.BinOp):  # something | None
            none = self.random.random() < 0.3
            return None if none else self.argument(annotation.left)
        text = ast.unparse(annotation)
        if text.startswith("Annotated"):
            return self.array(text)
        if text.startswith("Sequence"):
            return [self.one(text) for _ in range(self.random.choice([0, 0, 1, 2, 3]))]
        return self.one(text)

    def one(self, text: str) -> object:
        """Make a single value."""
        if "float" in text:
            return self.random.choice(REAL)
        if "int" in text:
            return self.random.choice(WHOLE)
        if "str" in text:
            words = sorted(self.names)
            return self.random.choice(words * 5 + WORDS)
        if "bool" in text:
            return self.random.random() < 0.5
        if text == "Line":
            return self.line()
        return self.thing(text)

    def thing(self, text: str) -> object:
        """Make an object of the core, by a constructor of hostile arguments."""
        for name, parameters in signatures():
            if name == f"{text}.__init__":
                return getattr(_core, text)(*(self.argument(a) for _, a in parameters))
        return None

    def array(self, text: str) -> object:
        """Make an array of the annotated type and number of dimensions."""
        dtype = np.dtype(text.split("numpy.")[1].split("]")[0])
        n_dims = text.split("shape=(")[1].split(")")[0].count("None")
        longer = self.random.random() < 0.25
        n = max(0, self.size + self.random.choice([-1, 1, 2, 9])) if longer else self.size
        shape = (n, *(self.random.choice([0, 1, 2, 2, 3, 5]) for _ in range(n_dims - 1)))
        if self.kind < 0.5:  # small whole numbers, often what a call expects
            values = [self.random.choice([0, 0, 1, 1, 2, 3]) for _ in range(int(np.prod(shape)))]
            if self.random.random() < 0.5:
                values.sort()
        elif dtype.kind == "f":
            values = [self.random.choice(REAL) for _ in range(int(np.prod(shape)))]
        else:
            info = np.iinfo(dtype)
            pool = [0, 1, 2, 3, info.max, info.min, info.max - 1, 100]
            pool = [value for value in pool if info.min <= value <= info.max]
            values = [self.random.choice(pool) for _ in range(int(np.prod(shape)))]
        return np.array(values, dtype=dtype).reshape(shape)

    def line(self) -> object:
        """Make a line by the core's own reader."""
        sizes = [self.random.choice([1, 1, 2, 3]) for _ in range(max(1, self.size))]
        n_classes = self.random.choice([1, 2, 2, 3, 40])
        codes = [
            code
            for size in sizes
            for code in sorted(self.random.randrange(n_classes) for _ in range(size))
        ]
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.uint32)
        weights = None
        if self.random.random() < 0.4:
            weights = np.array([self.random.choice([1.0, 0.5, 1e-9, 1e12]) for _ in codes])
        return _core.line_from_entries(np.array(codes, np.uint16), weights, starts, n_classes)


def call(seed: int) -> str | None:
    """Make one hostile call; an exception is a good answer, other than those of the interpreter."""
    maker = Maker(seed)
    name, parameters = maker.random.choice(signatures())
    try:
        arguments = [maker.argument(annotation) for _, annotation in parameters]
        owner, _, method = name.rpartition(".")
        if owner:
            target = maker.line() if owner == "Line" else maker.thing(owner)
            if target is None or method == "__init__":
                return None
            found = getattr(type(target), method)
            result = found.fget(target) if isinstance(found, property) else None
            result = getattr(target, method)(*arguments) if callable(found) else result
        else:
            result = getattr(_core, method)(*arguments)
    except (TypeError, ValueError, MemoryError, OverflowError, IndexError, RuntimeError):
        return None
    del result
    return None


if __name__ == "__main__":
    sys.exit(main("core", call, batch=200))
