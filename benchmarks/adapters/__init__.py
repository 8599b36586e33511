"""One module per library, all with the same five names.

- ``NAME`` and ``VERSION``: what the tables print.
- ``fit(X, y)``: learn the parts of every column of a float array from whole-number classes.
- ``parts(fitted)``: the number of parts of every column.
- ``codes(fitted, X)``: the part of every value, an array of whole numbers shaped like X.
- ``GROUPS_CATEGORIES``, if it is there and true: ``fit`` also takes columns of text.

Libraries run with their defaults. A module may import its library at the top: only the process
that measures the library loads it.
"""

import importlib
import pkgutil

ADAPTERS = sorted(module.name for module in pkgutil.iter_modules(__path__))


def load(name):
    """Import the module of an adapter."""
    return importlib.import_module(f"adapters.{name}")
