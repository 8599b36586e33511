"""The benchmarks: what they import of the package is there."""

import ast
import importlib
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "benchmarks"


def imported(path):
    """Modules and names of partage that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "partage":
            yield from ((node.module, alias.name) for alias in node.names)


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.py")), ids=lambda path: path.stem)
def test_what_a_benchmark_imports_exists(path):
    for module, name in imported(path):
        if not hasattr(importlib.import_module(module), name):
            importlib.import_module(f"{module}.{name}")


def test_instructions_above_those_kept_are_named(monkeypatch, capsys):
    monkeypatch.syspath_prepend(FOLDER)
    check = importlib.import_module("bench_check")
    kept = {row["case"]: int(row["instructions"]) for row in check.read(check.KEPT)}
    grown = {case: int(1.04 * n) for case, n in kept.items()}
    assert check.compare(grown) == []
    case = check.CASES[3]
    assert check.compare(grown | {case: int(1.06 * kept[case])}) == [case]
    assert f"| {case} |" in capsys.readouterr().out
