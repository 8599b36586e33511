"""Make a notebook of every worked case, and run it: ``python tools/make_notebooks.py FOLDER``.

The cases of ``docs/cases`` are pages whose examples the tests run. A cell holds the statements up
to one whose result a page shows; its output is what the kernel gives, tables and reports drawn.
"""

import doctest
import re
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

CASES = Path(__file__).parents[1] / "docs" / "cases"
FENCE = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[([^\]]+)\]\((?!https?:)[^)]+\)")  # to another page
_SECONDS = 300


def cells_of(page):
    """Divide a page into text and code."""
    found, end = [], 0
    for fence in FENCE.finditer(page):
        found += [text_cell(page[end : fence.start()]), *code_cells(fence[1])]
        end = fence.end()
    return [cell for cell in [*found, text_cell(page[end:])] if cell is not None]


def text_cell(text):
    """Make a cell of text, unless there is none."""
    plain = LINK.sub(r"\1", text).strip()
    return nbformat.v4.new_markdown_cell(plain) if plain else None


def code_cells(session):
    """Make a cell of the statements up to each that shows something."""
    sources, cells = [], []
    examples = doctest.DocTestParser().get_examples(session)
    for i, example in enumerate(examples):
        sources.append(re.sub(r"\s*# doctest:.*", "", example.source.rstrip("\n")))
        if example.want or i == len(examples) - 1:
            cells.append(nbformat.v4.new_code_cell("\n".join(sources)))
            sources = []
    return cells


def make_notebook(page):
    """Make a notebook of a page, without outputs."""
    about = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    notebook = nbformat.v4.new_notebook(cells=cells_of(page), metadata=about)
    for i, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{i}"
    return notebook


def run(notebook):
    """Run every cell; an error of one is an error."""
    with tempfile.TemporaryDirectory() as folder:
        about = {"metadata": {"path": folder}}
        client = NotebookClient(notebook, timeout=_SECONDS, resources=about, record_timing=False)
        client.extra_arguments = ["--IPKernelApp.log_level=40"]  # errors only
        client.execute()
    notebook.metadata.pop("language_info", None)
    return notebook


def main():
    """Write the notebooks of all cases."""
    (folder,) = (Path(word) for word in sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    for page in sorted(CASES.glob("*.md")):
        notebook = run(make_notebook(page.read_text(encoding="utf-8")))
        nbformat.write(notebook, folder / f"{page.stem}.ipynb")


if __name__ == "__main__":
    main()
