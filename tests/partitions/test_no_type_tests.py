"""Nobody asks which partition it is, nor which target: rules, partitions and targets decide."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src" / "partage"
PARTITIONS = {"Intervals", "Groups", "Cells", "Grid", "Cuts", "ValueGroups", "GridRule"}
TARGETS = {"ClassTarget", "NumberTarget"}
ASKED = {"groups", "cuts", "cut_keys", "garbage", "is_ordered", "absent"}


def names_in(node):
    """Names that an expression mentions."""
    return {
        part.id if isinstance(part, ast.Name) else part.attr
        for part in ast.walk(node)
        if isinstance(part, (ast.Name, ast.Attribute))
    }


def asked_of(call):
    """Name of the attribute that ``hasattr`` or ``getattr`` with a default asks for."""
    is_question = call.func.id == "hasattr" or (call.func.id == "getattr" and len(call.args) == 3)
    name = call.args[1] if is_question else None
    return name.value if isinstance(name, ast.Constant) else None


def find_type_tests(text, package):
    """Lines of a module that ask for a type which its package may not know, with the reason."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in ("hasattr", "getattr") and asked_of(node) in ASKED:
                yield node.lineno, f"asks for {asked_of(node)!r}"
            is_test = node.func.id in ("isinstance", "issubclass") and package != "_partitions"
            if is_test and names_in(node.args[1]) & PARTITIONS:
                yield node.lineno, "asks which partition it is"
        if package != "_targets" and isinstance(node, (ast.Name, ast.Attribute, ast.alias)):
            name = getattr(node, "id", None) or getattr(node, "attr", None) or node.name
            if name in TARGETS:
                yield node.lineno, f"names {name}"


def modules():
    for path in sorted(SOURCE.rglob("*.py")):
        inside = path.relative_to(SOURCE)
        yield inside.as_posix(), inside.parts[0], path.read_text(encoding="utf-8")


def test_nobody_asks_which_partition_or_target_it_is():
    found = [
        f"{name}:{line} {reason}"
        for name, package, text in modules()
        for line, reason in find_type_tests(text, package)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("planted", "reason"),
    [
        ('is_line = not hasattr(p, "groups")', "asks for 'groups'"),
        ('keys = getattr(p, "cut_keys", None)', "asks for 'cut_keys'"),
        ("if isinstance(p, Intervals):\n    pass", "asks which partition it is"),
        ("ok = isinstance(p, (int, groups.Groups))", "asks which partition it is"),
        ("from partage._targets.classes import ClassTarget", "names ClassTarget"),
        ("def f(target: NumberTarget): ...", "names NumberTarget"),
    ],
)
def test_a_planted_question_is_found(planted, reason):
    text = f"import numpy\n{planted}\n"
    assert [found for _, found in find_type_tests(text, "_display")] == [reason]


@pytest.mark.parametrize(
    ("package", "text"),
    [
        ("_partitions", "isinstance(p, Groups)"),
        ("_targets", "target = ClassTarget(classes)"),
        ("_report", 'hasattr(frame, "columns")'),
        ("_report", 'getattr(partition, "groups")'),
    ],
)
def test_what_is_no_question_is_left_alone(package, text):
    assert list(find_type_tests(text, package)) == []
