"""No file has more than 450 lines, no function more than 60."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
ENDINGS = {".py", ".cpp", ".hpp", ".js", ".css", ".html"}
MOST_LINES = 450
MOST_LINES_OF_A_FUNCTION = 60


def test_no_file_is_long():
    files = (f for folder in ("src", "cpp", "tests") for f in (ROOT / folder).rglob("*"))
    lines = {
        str(file.relative_to(ROOT)): file.read_text(encoding="utf-8").count("\n")
        for file in files
        if file.suffix in ENDINGS
    }
    assert {file: n for file, n in lines.items() if n > MOST_LINES} == {}


def test_no_function_is_long():
    found = []
    for file in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            length = node.end_lineno - node.lineno + 1
            if length > MOST_LINES_OF_A_FUNCTION:
                found.append((str(file.relative_to(ROOT)), node.name, length))
    assert found == []
