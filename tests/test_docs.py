"""Pages and README say what the library does, and their links, commands and examples work."""

import doctest
import re
from pathlib import Path

import pytest

from partage._search import method_meanings, methods

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = sorted(
    page
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    if "reproduced" not in page.parts  # written by `partage reproduce`
)
LINK = re.compile(r"!?\[[^\]]*\]\((?P<target>[^)\s]+)\)")
SOURCE = re.compile(r"`((?:cpp|src)/[\w/]+\.(?:cpp|hpp|py))`")


def read(page):
    return page.read_text(encoding="utf-8")


def page_name(page):
    return page.relative_to(ROOT).as_posix()


def fenced_blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_links_between_pages_resolve(page):
    targets = [match["target"] for match in LINK.finditer(read(page))]
    inside = [target.split("#")[0] for target in targets if "://" not in target]
    assert [target for target in inside if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_source_files_named_on_a_page_exist(page):
    assert [name for name in SOURCE.findall(read(page)) if not (ROOT / name).is_file()] == []


@pytest.mark.parametrize("method", methods())
def test_method_has_a_page_that_names_its_implementation(method):
    text = read(ROOT / "docs" / "methods" / f"{method}.md")
    assert text.startswith(f"# {method}\n")
    (source,) = re.findall(r"^- Implemented in `(.+)`\.$", text, re.MULTILINE)
    assert f'"{method}"' in read(ROOT / source)


@pytest.mark.parametrize("method", methods())
def test_page_of_a_method_names_its_searches(method):
    text = read(ROOT / "docs" / "methods" / f"{method}.md")
    (line,) = re.findall(r"^- Searches: (.+)$", text, re.MULTILINE)
    assert tuple(s for s in re.findall(r"`([\w-]+)`", line) if s != "auto") == methods()[method]


def test_index_links_every_method():
    linked = set(re.findall(r"\(methods/([\w-]+)\.md\)", read(ROOT / "docs" / "index.md")))
    assert linked == set(methods())


def test_how_it_works_starts_with_the_sentence():
    words = " ".join(read(ROOT / "docs" / "how_it_works.md").split())
    assert words.startswith(
        "# How it works A partitioner sums target statistics over elementary **units**; a "
        "**search** merges or splits the units of a **space** so that a **criterion** is lowest; "
        "the result is a **partition**."
    )


def test_methods_of_the_readme_are_those_of_the_library():
    meanings = method_meanings()
    rows = re.findall(r"^\| \[([\w-]+)\]\(\S+\) \| (.+?) \| (.+?) \|$", read(README), re.MULTILINE)
    wanted = [(m, ", ".join(found) or "none", meanings[m]) for m, found in methods().items()]
    assert rows == wanted


def test_examples_of_the_readme_run(capsys):
    blocks = fenced_blocks(read(README), "python")
    assert blocks
    for block in blocks:
        assert block.count("\n") <= 10
        exec(compile(block, str(README), "exec"), {})
    printed = capsys.readouterr().out
    assert printed.startswith("[0.8  1.75] 0.69 True\n")


@pytest.mark.parametrize(
    "page", [page for page in PAGES if fenced_blocks(read(page), "pycon")], ids=page_name
)
def test_examples_with_a_prompt_print_what_the_page_says(page):
    text = "\n".join(fenced_blocks(read(page), "pycon"))
    examples = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    assert runner.run(examples).failed == 0


@pytest.mark.parametrize(
    ("name", "commands"),
    [
        ("run", ['pip install ".[report]"', "partage demo"]),
        ("test", ['pip install ".[test]"', "pytest -n 2"]),
    ],
)
def test_readme_holds_the_two_commands(name, commands):
    text = read(README).split(f"<!-- command: {name} -->\n")[1]
    assert text.startswith("```sh\n")
    assert fenced_blocks(text, "sh")[0].splitlines() == commands
