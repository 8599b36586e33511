"""Settings of the documentation site: ``nox -s site`` builds it."""

import importlib.metadata
import inspect
import subprocess
import sys
from pathlib import Path

project = "partage"
author = "The partage developers"
release = importlib.metadata.version("partage")
version = release

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3

autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "inherited-members": False, "show-inheritance": False}
napoleon_google_docstring = False
napoleon_use_ivar = True

html_theme = "furo"
html_title = f"partage {release}"
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1f55c4", "color-brand-content": "#1f55c4"},
    "dark_css_variables": {"color-brand-primary": "#8db2ff", "color-brand-content": "#8db2ff"},
}


DOCS = Path(__file__).parent


def make_notebooks(_app):
    """Run the worked cases as notebooks, for the links of ``add_notebook``."""
    tool, folder = DOCS.parent / "tools" / "make_notebooks.py", DOCS / "_build" / "notebooks"
    subprocess.run([sys.executable, tool, folder], check=True)


def add_notebook(_app, name, source):
    """Link the page of a worked case to its notebook."""
    folder, _, case = name.partition("/")
    if folder == "cases":
        link = f"{{download}}`{case}.ipynb </_build/notebooks/{case}.ipynb>`"
        title, _, rest = source[0].partition("\n")
        source[0] = f"{title}\n\nThis page as a notebook, with its outputs: {link}.\n{rest}"


def setup(app: object) -> None:
    """Make the notebooks; leave out what scikit-learn adds to every estimator."""
    app.connect("builder-inited", make_notebooks)  # type: ignore[attr-defined]
    app.connect("source-read", add_notebook)  # type: ignore[attr-defined]

    def skip(_app, _what, name, member, is_skipped, _options):
        function = inspect.unwrap(getattr(member, "fget", None) or member) if member else member
        module = getattr(function, "__module__", "") or ""
        return True if module.startswith("sklearn") or name.startswith("set_") else is_skipped

    app.connect("autodoc-skip-member", skip)  # type: ignore[attr-defined]
