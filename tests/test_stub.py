"""The checked-in stub of the core is the one that nanobind writes."""

import re
from pathlib import Path

import pytest

from partage import _core

STUB = Path(__file__).parents[1] / "src" / "partage" / "_core.pyi"
PYPROJECT = STUB.parents[2] / "pyproject.toml"


def test_stub_is_up_to_date():
    nanobind = pytest.importorskip("nanobind", reason="nanobind is not installed")
    from nanobind.stubgen import StubGen

    (pinned,) = re.findall(r'"nanobind==([\d.]+)"', PYPROJECT.read_text(encoding="utf-8"))
    if nanobind.__version__ != pinned:
        pytest.skip(f"the stub is written by nanobind {pinned}; got {nanobind.__version__}")
    writer = StubGen(module=_core)
    writer.put(_core)
    assert STUB.read_text(encoding="utf-8") == writer.get(), (
        "run `python -m nanobind.stubgen -m partage._core -o src/partage/_core.pyi`"
    )
