"""``dataclass``: frozen data classes that are quickly made.

Those of the standard library write and compile six functions for each class, most of the start of a
short command, and fill the fields of an object by a call for each. Here only ``__init__`` is
compiled, which writes the fields at once; the others are the same functions for all classes. What
is not frozen is left to the standard library.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

__all__ = ["dataclass"]

Class = TypeVar("Class", bound=type)


class _Factory:
    """Stands for a default that is made anew for each object."""

    def __repr__(self) -> str:
        return "<factory>"


_FACTORY = _Factory()


def _forbid_set(self: Any, name: str, value: Any) -> None:  # noqa: ARG001  # as setting has it
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _forbid_delete(self: Any, name: str) -> None:  # noqa: ARG001  # as deleting has it
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _compared(item: Any) -> tuple[Any, ...]:
    """Values by which two objects of a class are compared."""
    return tuple(getattr(item, f.name) for f in dataclasses.fields(item) if f.compare)


def _equal(self: Any, other: Any) -> Any:
    return (
        _compared(self) == _compared(other) if other.__class__ is self.__class__ else NotImplemented
    )


def _hash(self: Any) -> int:
    return hash(_compared(self))


def _show(self: Any) -> str:
    shown = (f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _make_init(cls: Any) -> Callable[..., None]:
    """Compile the function that fills the fields."""
    space: dict[str, Any] = {"_FACTORY": _FACTORY}
    parameters, lines = ["self"], ["    _fields_of_self = self.__dict__"]
    types: dict[str, Any] = {}
    for f in dataclasses.fields(cls):
        value, types[f.name] = f.name, f.type
        if f.default_factory is not dataclasses.MISSING:
            space[f"_make_{f.name}"] = f.default_factory
            parameters.append(f"{f.name}=_FACTORY")
            value = f"_make_{f.name}() if {f.name} is _FACTORY else {f.name}"
        elif f.default is not dataclasses.MISSING:
            space[f"_default_{f.name}"] = f.default
            parameters.append(f"{f.name}=_default_{f.name}")
        else:
            parameters.append(f.name)
        lines.append(f"    _fields_of_self[{f.name!r}] = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("    self.__post_init__()")
    text = f"def __init__({', '.join(parameters)}):\n" + "\n".join(lines)
    exec(text, space)
    made: Callable[..., None] = space["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    made.__module__ = cls.__module__
    made.__annotations__ = {**types, "return": None}
    return made


def _freeze(cls: Class, *, eq: bool, repr: bool) -> Class:  # noqa: A002  # the library's name
    """Turn a class into one whose fields are set once."""
    own = dict(vars(cls))
    # A class that says what is equal has no hash of its own unless it says that too.
    has_hash = own.get("__hash__") is not None
    made: Any = dataclasses.dataclass(cls, init=False, repr=False, eq=False)
    shared: dict[str, Any] = {"__setattr__": _forbid_set, "__delattr__": _forbid_delete}
    if eq:
        shared |= {"__eq__": _equal, "__hash__": _hash}
    if repr:
        shared["__repr__"] = _show
    for name, function in shared.items():
        if not (has_hash if name == "__hash__" else name in own):
            setattr(made, name, function)
    if "__init__" not in own:
        made.__init__ = _make_init(made)
    return made  # type: ignore[no-any-return]


if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(
        cls: Any = None,
        /,
        *,
        frozen: bool = False,
        eq: bool = True,
        repr: bool = True,  # noqa: A002  # the library's name
        **options: Any,
    ) -> Any:
        """Make a class of fields, as the function of the same name in the standard library."""
        if not frozen or options:
            given = {"frozen": frozen, "eq": eq, "repr": repr, **options}
            return dataclasses.dataclass(cls, **given)
        if cls is None:
            return lambda one: _freeze(one, eq=eq, repr=repr)
        return _freeze(cls, eq=eq, repr=repr)
