"""The layers of the package: each imports only those before it, as ``architecture.md`` lists them.

Imports at run time, inside functions and for type checkers count alike. What may break the rule is
declared here, with its reason, and nowhere else; an exception that nothing needs fails too.
"""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "partage"
CPP = ROOT / "cpp" / "partage"

# Each package may import those before it. Names of one line do not import each other.
LAYERS = (
    ("exceptions",),
    ("_core",),
    ("_support",),
    ("_data",),
    ("_targets",),
    ("_spaces",),
    ("_search",),
    ("_partitions",),
    ("_display",),
    ("_export",),
    ("_saving",),
    ("_graphs", "engines"),
    ("_estimators",),
    ("datasets",),
    ("__init__",),  # the public names: what follows may use them as any user does
    ("_report",),
    ("studio",),
    ("experiments",),
    ("cli",),
    ("__main__",),
)
MODULES = {"__init__.py", "__main__.py", "datasets.py", "exceptions.py", "_core.pyi"}

# Edges against the order: importing module, imported package, reason.
FACADE = "a partition is the one object users hold: its methods show, export and save it"
EXCEPTIONS = {
    ("_partitions.partition", "_display"): FACADE,
    ("_partitions.partition", "_export"): FACADE,
    ("_partitions.partition", "_saving"): FACADE,
    ("_partitions.cells", "_display"): FACADE,
    ("_partitions.grid", "_display"): FACADE,
    ("_partitions.grid", "_export"): FACADE,
    ("_partitions.grid", "_saving"): FACADE,
    ("_partitions.grid", "engines"): "Grid.assign takes lazy tables too",
    ("_partitions.certainty", "_display"): "a certainty draws itself",
    ("_partitions.cells", "_saving"): FACADE,
    ("_partitions.contingency", "_saving"): "a contingency is written and read by its own methods",
    ("_partitions.contingency", "engines"): "Contingency.of counts lazy tables too",
    ("_estimators.fitted", "_report"): "an estimator shows its columns on the page of a report",
    ("_estimators.fitted", "studio"): "an estimator opens its columns in the studio",
    ("_estimators.additive.shown", "_report"): "an additive model shows its terms on a page",
    ("__init__", "_report"): "pt.report is public",
}
# Edges that are to go with the work on their rooms.
TEMPORARY: set[tuple[str, str]] = set()
# Exceptions that are still imported with their module, to become lazy.
EAGER: set[tuple[str, str]] = set()

CORE = (
    "_support.portable",  # logarithms of the core, for every layer
    "_support.parallel",  # gives the core's ``Cancel`` a Python name
    "_data",
    "_targets.cells",  # the ranks of a number, and its sums, are found in the core
    "_targets.sums",
    "_spaces",
    "_search",
    "_graphs",
    "_estimators.additive",
    "_estimators.bayes",
    "_estimators.binarization",
    "_estimators.scorecard",
    "experiments.units",  # results are kept by the digest of the compiled core
    "experiments.value_grouping.trials",  # groups the columns of many samples at once
)
# Folders of the core and what each may include beside itself.
INCLUDES = {
    "support": set(),
    "rows": {"support"},
    "space": {"support", "rows"},
    "criteria": {"support", "rows", "space"},
    "search": {"support", "rows", "space", "criteria"},
    "groups": {"support", "rows", "space", "criteria", "search"},
    "grids": {"support", "rows", "space", "criteria", "search", "groups"},
    "graphs": {"support", "rows", "criteria"},
    "covers": {"support", "rows", "criteria"},
    "bayes": {"support", "rows", "criteria"},
    "additive": {"support"},
    "cards": {"support"},
}


def imports(path, module):
    """Modules of partage that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relative to itself"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def edges(source):
    """Pairs of modules of a tree: the importing one, and what it imports."""
    for path in sorted(source.rglob("*.py")):
        parts = path.relative_to(source).with_suffix("").parts
        module = ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)
        for name in imports(path, module):
            first, *rest = name.split(".")
            if first == "partage":
                yield module, ".".join(rest) or "__init__"


def package(module, packages):
    """Layer of a module; names of the package itself belong to its ``__init__``."""
    first = module.split(".")[0]
    return first if first in packages else "__init__"


def upward(source):
    """Edges of a tree that go against the order of the layers."""
    place = {name: i for i, names in enumerate(LAYERS) for name in names}
    found = set()
    for module, imported in edges(source):
        here, there = package(module, place), package(imported, place)
        if place[there] >= place[here] and here != there:
            found.add((module, there))
    return found


def core_users(source):
    """Modules that import the compiled core without being in a package that may."""
    return {
        module
        for module, imported in edges(source)
        if imported.split(".")[0] == "_core"
        and not any(module == name or module.startswith(name + ".") for name in CORE)
    }


def upward_includes(cpp):
    """Pairs of folders of the core of which the first may not include the second."""
    found = set()
    for path in sorted(cpp.rglob("*.[ch]pp")):
        here = path.relative_to(cpp).parts[0]
        for name in re.findall(r'#include "partage/(\w+)/', path.read_text(encoding="utf-8")):
            if name != here and name not in INCLUDES.get(here, ()):
                found.add((here, name))
    return found


def strangers(source):
    """Private modules beside the packages, and packages that no layer names."""
    known = {name for names in LAYERS for name in names}
    files = {path.name for pattern in ("*.py", "*.pyi") for path in source.glob(pattern)}
    folders = {path.parent.name for path in source.glob("*/__init__.py")}
    return (files - MODULES) | (folders - known)


def test_a_package_imports_only_those_before_it():
    assert upward(SOURCE) - set(EXCEPTIONS) - TEMPORARY == set()


def test_every_exception_is_needed():
    assert set(EXCEPTIONS) - upward(SOURCE) == set()


def test_the_facade_imports_inside_methods_only():
    """The exceptions are lazy: no module of a lower layer loads a higher one with itself."""
    for module, imported in set(EXCEPTIONS) - EAGER:
        tree = ast.parse((SOURCE / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8"))
        top = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        names = {getattr(node, "module", None) or node.names[0].name for node in top}
        assert not any(name.startswith(f"partage.{imported}") for name in names), module


def test_only_the_named_packages_import_the_core():
    assert core_users(SOURCE) == set()


def test_no_module_stands_beside_the_packages():
    assert strangers(SOURCE) == set()


def test_a_folder_of_the_core_includes_only_those_before_it():
    assert {path.name for path in CPP.iterdir()} == set(INCLUDES)
    assert upward_includes(CPP) == set()


@pytest.mark.parametrize(
    ("planted", "text", "caught"),
    [
        ("_data/table.py", "from partage.engines.source import scan", upward),
        ("_data/table.py", "import partage._search.core", upward),
        ("_targets/target.py", "def f():\n    from partage._partitions import intervals", upward),
        ("_targets/target.py", "if TYPE_CHECKING:\n    from partage._spaces import x", upward),
        ("_graphs/graph.py", "from partage.engines import scan", upward),
        ("_partitions/partition.py", "from partage._estimators import base", upward),
        ("_search/core.py", "from partage import discretize", upward),
        ("_export/sql.py", "from partage import _core", core_users),
        ("_export/sql.py", "from partage._core import search", core_users),
        ("_estimators/grouper.py", "import partage._core", core_users),
        ("_helpers.py", "", strangers),
        ("_room/__init__.py", "", strangers),
    ],
)
def test_a_planted_violation_is_found(tmp_path, planted, text, caught):
    for name in ("_data/table.py", "_export/sql.py", "__init__.py", "_data/__init__.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("import numpy\nfrom partage._support.checks import refuse\n")
    assert caught(tmp_path) == set()
    (tmp_path / planted).parent.mkdir(exist_ok=True)
    (tmp_path / planted).write_text(text)
    assert len(caught(tmp_path)) == 1


def test_a_planted_include_is_found(tmp_path):
    for name, text in {"search/a.cpp": "criteria/b", "graphs/c.cpp": "support/d"}.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(f'#include <span>\n#include "partage/{text}.hpp"\n')
    assert upward_includes(tmp_path) == set()
    (tmp_path / "graphs" / "e.hpp").write_text('#include "partage/covers/cover.hpp"\n')
    (tmp_path / "criteria").mkdir()
    (tmp_path / "criteria" / "f.cpp").write_text('#include "partage/search/trend/g.hpp"\n')
    assert upward_includes(tmp_path) == {("graphs", "covers"), ("criteria", "search")}
