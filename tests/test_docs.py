"""Pages and README say what the library does, and their links, commands and examples work."""

import doctest
import importlib.util
import json
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import partage as pt
from partage import cli
from partage._estimators.binarization.binarizer import covers
from partage._graphs.fit import METHODS as GRAPH_METHODS
from partage._search.methods import group_methods, methods

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


def page_of_method(method):
    """Read the page of a method."""
    text = read(ROOT / "docs" / "methods" / f"{method}.md")
    assert text.startswith(f"# {method}\n")
    return text


def assert_names_source(method, text, pattern):
    """Check that the file a page names mentions the method."""
    (source,) = re.findall(pattern, text, re.MULTILINE)
    assert f'"{method}"' in read(ROOT / source)


@pytest.mark.parametrize("method", methods())
def test_method_has_a_page_that_names_its_implementation(method):
    assert_names_source(method, page_of_method(method), r"^- Implemented in `(.+)`\.$")


@pytest.mark.parametrize("method", methods())
def test_page_of_a_method_names_its_searches(method):
    text = page_of_method(method)
    (line,) = re.findall(r"^- Searches: (.+)$", text, re.MULTILINE)
    assert (
        tuple(s for s in re.findall(r"`([\w-]+)`", line) if s != "auto")
        == methods()[method].searches
    )


@pytest.mark.parametrize("method", group_methods())
def test_method_of_groups_has_a_page_that_names_its_implementation(method):
    text = page_of_method(method)
    assert_names_source(method, text, r"^- Groups implemented in `([^`]+)`")
    call = "`partage.group(x, y)" if method == "modl" else f'partage.group(x, y, method="{method}")'
    assert call in text
    parameters = {rule["name"] for rule in group_methods()[method].parameters}
    assert {name for name in parameters if f"`{name}`" in text} == parameters


@pytest.mark.parametrize("method", covers())
def test_method_of_binarization_has_a_page_and_a_row_in_the_guide(method):
    page = read(ROOT / "docs" / "methods" / f"{method}.md")
    assert page.startswith(f"# {method}\n")
    assert f'method="{method}"' in page
    assert re.search(r"^- Implemented in `cpp/partage/covers/\w+\.cpp`", page, re.MULTILINE)
    guide = read(ROOT / "docs" / "guides" / "binarization.md")
    most = covers()[method]["max_consistency"]
    (reach,) = re.findall(rf"^\| \[{method}\]\(\S+\) \| .+? \| (\S+) \|$", guide, re.MULTILINE)
    assert reach == (str(most) if most else "any")


@pytest.mark.parametrize("method", [name for name in GRAPH_METHODS if name != "auto"])
def test_method_of_graphs_has_a_page_that_shows_its_use(method):
    text = read(ROOT / "docs" / "methods" / f"{method}.md")
    assert text.startswith(f"# {method}\n")
    assert f'partage.GraphPartitioner(method="{method}"' in text


def test_index_links_every_page_on_a_method():
    linked = set(re.findall(r"\(methods/([\w-]+)\.md\)", read(ROOT / "docs" / "index.md")))
    assert linked == {page.stem for page in (ROOT / "docs" / "methods").glob("*.md")}
    assert linked >= {*methods(), *group_methods(), *covers(), *GRAPH_METHODS} - {"auto"}


def test_index_links_every_guide_and_every_reproduced_paper():
    index = read(ROOT / "docs" / "index.md")
    for folder in ("guides", "reproduced"):
        linked = set(re.findall(rf"\({folder}/([\w-]+)\.md\)", index))
        assert linked == {page.stem for page in (ROOT / "docs" / folder).glob("*.md")}


def test_reference_holds_every_public_name():
    named = re.findall(r"^\.\. auto\w+:: ([\w.]+)$", read(ROOT / "docs" / "api.md"), re.MULTILINE)
    # What several public classes hold, told once, and what one of their methods gives.
    bases = {
        "partage._partitions.parts.Parts",
        "partage._partitions.certainty.Certainty",
        "partage._report.document.ReportPage",
        "partage.studio.studio.Studio",
    }
    public = [name.removeprefix("partage.") for name in named if name not in bases]
    assert sorted(public) == sorted(pt.__all__)


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    """Return a folder in which the demo was run."""
    folder = tmp_path_factory.mktemp("demo")
    assert cli.main(["demo", "--out", str(folder / "partage-demo")]) == 0
    return folder


EXAMPLES = [
    page
    for page in PAGES
    if "docs" in page.parts and re.search(r"^```(pycon|python|console)$", read(page), re.MULTILINE)
]


def open_and_end(arguments):
    """Run a command that serves until Ctrl-C: press that once it shows its address."""
    command = [sys.executable, "-m", "partage", *arguments, "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as served:
        assert any("http://127.0.0.1:" in line for line in served.stdout)
        served.send_signal(signal.SIGINT)
        return served.wait(timeout=60)


@pytest.mark.parametrize("page", EXAMPLES, ids=page_name)
def test_examples_of_a_page_run(page, demo, monkeypatch, tmp_path):
    """Run what a page shows, in order: sessions of Python, their output compared; commands."""
    (tmp_path / "partage-demo").symlink_to(demo / "partage-demo")
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__main__"}
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    blocks = re.findall(
        r"^```(pycon|python|console)\n(.*?)^```$", read(page), re.MULTILINE | re.DOTALL
    )
    for number, (kind, block) in enumerate(blocks):
        if kind == "console":
            for line in re.findall(r"^\$ partage (.+)$", block, re.MULTILINE):
                run = open_and_end if line.startswith("studio ") else cli.main
                assert run(shlex.split(line)) == 0, line
        elif kind == "python":
            exec(compile(block, page_name(page), "exec"), names)
        else:
            test = doctest.DocTestParser().get_doctest(block, names, page.stem, page.name, number)
            runner.run(test, clear_globs=False)
            names = test.globs
    assert runner.failures == 0


@pytest.mark.skipif(
    any(
        importlib.util.find_spec(name) is None
        for name in ("sphinx", "myst_parser", "furo", "nbclient", "ipykernel")
    ),
    reason='the site is built with the extra docs: pip install "partage[docs]"',
)
def test_the_site_is_built_without_a_warning(tmp_path):
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"]
    done = subprocess.run(
        [*command, str(ROOT / "docs"), str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    home = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert not re.findall(r"(?:src|<link[^>]*href)=\"https?:", home)
    check_notebooks(tmp_path)


def check_notebooks(site):
    """Every worked case is a notebook of the site, run to its end, and its page links to it."""
    made = {path.stem: path for path in site.glob("_downloads/*/*.ipynb")}
    assert sorted(made) == sorted(page.stem for page in (ROOT / "docs" / "cases").glob("*.md"))
    for case, path in made.items():
        page = (site / "cases" / f"{case}.html").read_text(encoding="utf-8")
        assert path.relative_to(site).as_posix() in page
        cells = json.loads(read(path))["cells"]
        code = [cell for cell in cells if cell["cell_type"] == "code"]
        assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
        kinds = {out["output_type"] for cell in code for out in cell["outputs"]}
        assert "error" not in kinds
        assert any("text/html" in out.get("data", {}) for c in code for out in c["outputs"])
        # The statements are those of the page, in their order.
        examples = doctest.DocTestParser().get_examples(
            read(ROOT / "docs" / "cases" / f"{case}.md")
        )
        written = "".join(example.source for example in examples)
        assert "\n".join("".join(cell["source"]) for cell in code) + "\n" == written


def test_how_it_works_starts_with_the_sentence():
    words = " ".join(read(ROOT / "docs" / "how_it_works.md").split())
    assert words.startswith(
        "# How it works A partitioner sums target statistics over elementary **units**; a "
        "**search** merges or splits the units of a **space** so that a **criterion** is lowest; "
        "the result is a **partition**."
    )


def test_methods_of_the_readme_are_those_of_the_library():
    rows = re.findall(r"^\| \[([\w-]+)\]\(\S+\) \| (.+?) \| (.+?) \|$", read(README), re.MULTILINE)
    wanted = [
        (m, ", ".join(found.searches) or "none", found.meaning) for m, found in methods().items()
    ]
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


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/how_it_works.md"])
def test_files_that_a_page_names_exist(page):
    named = re.findall(r"`((?:src|cpp|tests|tools|docs|benchmarks)/[\w./-]+)`", read(ROOT / page))
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []
