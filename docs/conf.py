"""Settings of the documentation site: ``nox -s site`` builds it."""

import importlib.metadata
import inspect

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


def setup(app: object) -> None:
    """Leave out what scikit-learn adds to every estimator."""

    def skip(_app, _what, name, member, is_skipped, _options):
        function = inspect.unwrap(getattr(member, "fget", None) or member) if member else member
        module = getattr(function, "__module__", "") or ""
        return True if module.startswith("sklearn") or name.startswith("set_") else is_skipped

    app.connect("autodoc-skip-member", skip)  # type: ignore[attr-defined]
