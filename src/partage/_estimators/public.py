"""What public functions and estimators share: whole docstrings, and checked names of parameters.

A docstring describes what is particular; the parameters and attributes that it leaves out are
filled in from the base classes and from ``_estimators.parameters``, in the order of the signature.
"""

from __future__ import annotations

import difflib
import functools
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from partage._estimators.parameters import (
    ATTRIBUTES,
    PARAMETERS,
    PARAMETERS_OF_FUNCTIONS,
    PARAMETERS_OF_METHODS,
)

__all__ = ["public"]

RENAMED = {"monotone": "monotonic", "least_parts": "min_parts", "n_centres": "n_centers", "df": "X"}
GONE = {"search": "each method for groups has one search"}

_SECTION = re.compile(r"^([A-Z][A-Za-z ]+)\n-{3,}\n", re.MULTILINE)
_ENTRY = re.compile(r"^(?=\S)", re.MULTILINE)
_ANY = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)

Item = TypeVar("Item", bound=Callable[..., Any])


def public(item: Item) -> Item:
    """Complete the docstrings of a class or function, and check the names of its keywords."""
    if not inspect.isclass(item):
        checked: Any = _checked(item.__name__, item)
        of_tables = PARAMETERS | PARAMETERS_OF_METHODS["fit"]
        _fill(
            checked,
            of_tables
            if "X" in _parameters(item) and "x1" not in _parameters(item)
            else PARAMETERS_OF_FUNCTIONS,
        )
        return checked  # type: ignore[no-any-return]
    if item.__init__ is not object.__init__:
        setattr(item, "__init__", _checked(item.__name__, item.__init__))  # noqa: B010  # of a class
    _fill(item, PARAMETERS, item.__mro__[1:])
    for name, member in vars(item).items():
        if inspect.isfunction(member) and not name.startswith("_"):
            _fill(member, PARAMETERS_OF_METHODS.get(name, PARAMETERS_OF_METHODS[""]))
    return item


def _checked(who: str, call: Callable[..., Any]) -> Callable[..., Any]:
    """Refuse keywords that a function does not take, by the name that they have."""
    known = _parameters(call)

    @functools.wraps(call)
    def checked(*args: Any, **given: Any) -> Any:
        for name in given:
            if name not in known:
                raise TypeError(_unknown(who, name, list(known)))
        return call(*args, **given)

    return checked


def _unknown(who: str, name: str, known: list[str]) -> str:
    """Explain that there is no such parameter."""
    if RENAMED.get(name) in known:
        return f"{who}: the parameter {name!r} is called {RENAMED[name]!r}."
    reason = f": {GONE[name]}; leave it out" if name in GONE else ""
    near = [] if reason else difflib.get_close_matches(name, known, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else "."
    return f"{who}: there is no parameter {name!r}{reason}{hint}"


def _parameters(call: Any) -> dict[str, inspect.Parameter]:
    """Give the parameters that a user passes."""
    found = inspect.signature(call).parameters
    return {
        name: parameter
        for name, parameter in found.items()
        if name != "self" and parameter.kind not in _ANY
    }


def _fill(item: Any, shared: Mapping[str, str], bases: Sequence[type] = ()) -> None:
    """Complete the docstring of one class, function or method."""
    if item.__doc__ is None:  # python -OO
        return
    summary, sections = _read(item)
    parameters = _parameters(item)
    if parameters:
        own = _entries(sections.pop("Parameters", ""))
        known = _inherited("Parameters", bases)
        entries = (
            own.get(name) or known.get(name) or _shared(shared[name], parameter)
            for name, parameter in parameters.items()
        )
        sections = {"Parameters": "".join(entries), **sections}
    attributes = _inherited("Attributes", bases) | _entries(sections.pop("Attributes", ""))
    if attributes:
        text = "".join(
            text if " : " in text else f"{ATTRIBUTES[name]}\n" for name, text in attributes.items()
        )
        sections = {"Parameters": sections.pop("Parameters"), "Attributes": text, **sections}
    filled = [f"{title}\n{'-' * len(title)}\n{text.rstrip()}" for title, text in sections.items()]
    item.__doc__ = "\n\n".join([summary.rstrip(), *filled]) + "\n"


def _read(item: Any) -> tuple[str, dict[str, str]]:
    """Divide a docstring into what stands before its sections, and these by title."""
    pieces = _SECTION.split(inspect.cleandoc(item.__doc__) + "\n")
    return pieces[0], dict(zip(pieces[1::2], pieces[2::2], strict=True))


def _inherited(section: str, bases: Sequence[type]) -> dict[str, str]:
    """Gather the entries of a section that stand in the docstrings of base classes."""
    found: dict[str, str] = {}
    for base in reversed(bases):
        if base.__module__.startswith("partage") and "__doc__" in vars(base) and base.__doc__:
            found |= _entries(_read(base)[1].get(section, ""))
    return found


def _entries(text: str) -> dict[str, str]:
    """Divide a section into its entries, by name."""
    blocks = [block.rstrip() + "\n" for block in _ENTRY.split(text) if block.strip()]
    return {re.split(r"[ ,\n]", block, maxsplit=1)[0]: block for block in blocks}


def _shared(entry: str, parameter: inspect.Parameter) -> str:
    """Write the entry of a parameter that many have, with its default here."""
    kind, text = entry.split("\n", 1)
    default = parameter.default
    if default is not inspect.Parameter.empty:
        shown = f'"{default}"' if isinstance(default, str) else repr(default)
        kind = f"{kind}, default={shown}"
    return f"{kind}\n{text}\n"
