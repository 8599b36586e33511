"""What a release reads: versions, the page of the package index, the recipe, the wheels' tools."""

import importlib.machinery
import importlib.util
import re
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
HOME = "https://example.org/somebody/partage"


def load_tool(name):
    """Import a script of ``tools``."""
    path = str(ROOT / "tools" / name)
    loader = importlib.machinery.SourceFileLoader(name.removesuffix(".py"), path)
    spec = importlib.util.spec_from_loader(loader.name, loader)
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(loader.name, module)  # dataclasses look their module up
    loader.exec_module(module)
    return module


def read(name):
    """Text of a file of the repository."""
    return (ROOT / name).read_text(encoding="utf-8")


def test_one_version_everywhere():
    version = PROJECT["version"]
    assert f"\nversion: {version}\n" in read("CITATION.cff")
    assert re.search(
        rf"^## {re.escape(version)} \(\d{{4}}-\d\d-\d\d\)$", read("CHANGELOG.md"), re.M
    )
    if (ROOT / "conda").exists():  # not in an sdist
        assert f'version: "{version}"' in read("conda/recipe.yaml")


@pytest.mark.skipif(not (ROOT / "conda").exists(), reason="an sdist has no recipe")
def test_the_recipe_needs_what_the_project_needs():
    recipe = read("conda/recipe.yaml")
    for line in PROJECT["dependencies"]:
        name, bound = line.split(">=")
        assert f"- {name} >={bound}\n" in recipe


def test_no_package_has_two_lower_bounds():
    extras = PROJECT["optional-dependencies"]
    bounds = {}
    for line in [*PROJECT["dependencies"], *(one for some in extras.values() for one in some)]:
        if found := re.match(r"([\w-]+)(?:\[[^\]]*\])?>=(\S+)", line):
            bounds.setdefault(found[1], set()).add(found[2])
    assert {name: some for name, some in bounds.items() if len(some) > 1} == {}


def test_links_of_the_index_page_are_made_from_one_setting(tmp_path):
    for name in ("README.md", "pyproject.toml", "CITATION.cff"):
        (tmp_path / name).write_text(read(name), encoding="utf-8")
    load_tool("index_page").fill_in(tmp_path, HOME, "v1.2.3")
    page = (tmp_path / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]+)\)", page)
    assert len(links) > 30
    assert all(link.startswith(("https://", "#")) for link in links)
    assert f"]({HOME}/raw/v1.2.3/docs/images/report.png)" in page
    assert f"]({HOME}/blob/v1.2.3/docs/guides/constraints.md#readable-cuts)" in page
    urls = tomllib.loads((tmp_path / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "urls"
    ]
    assert urls["Homepage"] == HOME
    assert urls["Changelog"] == f"{HOME}/blob/v1.2.3/CHANGELOG.md"
    assert f'repository-code: "{HOME}"' in (tmp_path / "CITATION.cff").read_text(encoding="utf-8")


def test_the_repository_names_no_address_of_its_own():
    assert "urls" not in PROJECT
    assert all(
        not link.startswith("http") for link in re.findall(r"\]\(([^)]+)\)", read("README.md"))
    )


def raw_wheel(folder):
    """Write a small wheel as a build leaves it."""
    path = folder / "partage-9.9-cp312-abi3-linux_x86_64.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("partage/_core.abi3.so", b"\x7fELF")
        wheel.writestr(
            "partage-9.9.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: cp312-abi3-linux_x86_64\n"
        )
        wheel.writestr("partage-9.9.dist-info/RECORD", "")
    return path


def test_a_finished_wheel_has_tags_a_record_and_equal_bytes(tmp_path):
    tools = load_tool("wheel_files.py")
    raw = raw_wheel(tmp_path)
    bill = tools.bill_of_materials(
        "9.9", "manylinux_2_17_x86_64", {"nanobind": "3.1.0"}, 1_700_000_000
    )
    tags = "manylinux_2_17_x86_64.manylinux2014_x86_64"
    made = [tools.finish(raw, tmp_path / n, tags, bill, 1_700_000_000) for n in ("a", "b")]
    assert made[0].name == f"partage-9.9-cp312-abi3-{tags}.whl"
    assert tools.digest(made[0]) == tools.digest(made[1])
    with zipfile.ZipFile(made[0]) as wheel:
        assert wheel.testzip() is None
        entries = wheel.infolist()
        names = wheel.namelist()
        record = wheel.read("partage-9.9.dist-info/RECORD").decode().splitlines()
        text = wheel.read("partage-9.9.dist-info/WHEEL").decode()
    assert {entry.date_time for entry in entries} == {(2023, 11, 14, 22, 13, 20)}
    assert {oct(entry.external_attr >> 16) for entry in entries} == {"0o100644"}
    assert [entry.compress_size <= entry.file_size for entry in entries] == [True] * len(names)
    assert "partage-9.9.dist-info/sboms/partage.cdx.json" in names
    assert {line.split(",")[0] for line in record} == set(names)
    assert text.splitlines()[1:] == [f"Tag: cp312-abi3-{tag}" for tag in tags.split(".")]


def test_every_compiled_part_has_its_licence():
    tools = load_tool("wheel_files.py")
    assert {name for _, _, name in tools.PARTS} == {p.name for p in (ROOT / "licenses").iterdir()}
    assert "licenses/*.txt" in PROJECT["license-files"]
